#include "tools/orca/causal/whatif/capacity.h"

#include <stdlib.h>

/* The recording is divided into parts; in each the number of ready threads counts as constant. Few
   operations need few parts. */
#define MIN_PARTS ((size_t)1 << 14)
#define MAX_PARTS ((size_t)1 << 20)
#define PARTS_OF_OP 256 /* on average */
#define MAX_OTHERS 1000.0
#define STEPS 40
#define FINE 64
#define WINDOW (100 * 1000 * 1000 * TICKS_PER_NS) /* in which samples tell the CPU time */

/* The parts of a recording. At first `values` has the number of ready threads of each, later the
   sum of their rates from the beginning up to it. */
struct parts {
  const struct trace *trace;
  size_t num;
  double length;  /* of a part, ticks */
  double *values; /* `num`, and two more */
};

static bool parts_make(struct parts *p, const struct trace *t) {
  size_t num = MIN_PARTS;
  while (num < MAX_PARTS && num / PARTS_OF_OP < t->num_ops) num *= 2;
  *p = (struct parts){t, num, (double)(t->end - t->begin) / (double)num, NULL};
  p->values = calloc(num + 2, sizeof *p->values);
  return p->values != NULL;
}

/* Adds `threads` ready threads from `from` to `to`, as changes at the bounds of parts. */
static void add_ready(struct parts *p, ticks_t from, ticks_t to, double threads) {
  double *change = p->values;
  ticks_t begin = p->trace->begin;
  double a = (double)(from - begin) / p->length, b = (double)(to - begin) / p->length;
  size_t i = (size_t)a, j = (size_t)b;
  if (i >= p->num || j >= p->num) j = p->num - 1;
  if (i > j) i = j;
  /* The first and the last part count with what is covered of them. */
  change[i] += threads * (1 - (a - (double)i));
  change[i + 1] += threads * (a - (double)i);
  change[j] -= threads * (1 - (b - (double)j));
  change[j + 1] -= threads * (b - (double)j);
}

/* Number of parts with about so many ready threads, in steps of 1/FINE. */
struct crowds {
  double *parts;
  size_t num;
};

static bool count_crowds(struct crowds *c, const struct parts *p) {
  const double *ready = p->values;
  double most = 1;
  for (size_t i = 0; i < p->num; i++) most = ready[i] > most ? ready[i] : most;
  c->num = (size_t)(most * FINE) + 2;
  c->parts = calloc(c->num, sizeof *c->parts);
  for (size_t i = 0; c->parts != NULL && i < p->num; i++) {
    if (ready[i] > 0) c->parts[(size_t)(ready[i] * FINE + 0.5)]++;
  }
  return c->parts != NULL;
}

/* Returns the time in units of parts that ready threads wait for a CPU with so many others. */
static double sum_queued(const struct crowds *crowds, const struct capacity *c) {
  double sum = 0;
  for (size_t i = 1; i < crowds->num; i++) {
    double ready = (double)i / FINE;
    sum += crowds->parts[i] * ready * (1 - capacity_rate(c, ready < 1 ? 1 : ready));
  }
  return sum;
}

static bool fit_others(struct capacity *c, const struct parts *p, double queued) {
  struct crowds crowds = {0};
  double low = 0, high = MAX_OTHERS;
  if (!count_crowds(&crowds, p)) return false;
  for (int i = 0; i < STEPS; i++) {
    c->others = (low + high) / 2;
    *(sum_queued(&crowds, c) < queued ? &low : &high) = c->others;
  }
  c->others = low;
  free(crowds.parts);
  return true;
}

/* --- stretches ---------------------------------------------------------------------------- */

/* Makes of the numbers of ready threads the sum of their rates from the beginning. */
static void sum_rates(struct parts *p, const struct capacity *c) {
  double sum = 0, *ready = p->values;
  for (size_t i = 0; i < p->num; i++) {
    double rate = capacity_rate(c, ready[i] < 1 ? 1 : ready[i]);
    ready[i] = sum;
    sum += rate;
  }
  ready[p->num] = ready[p->num + 1] = sum;
}

static double find_sum(const struct parts *p, ticks_t time) {
  const double *sums = p->values;
  double at = (double)(time - p->trace->begin) / p->length;
  if (at >= (double)p->num) return sums[p->num];
  size_t i = (size_t)at;
  return sums[i] + (sums[i + 1] - sums[i]) * (at - (double)i);
}

/* The CPU time of a stretch if it depended only on the number of ready threads. */
static double expect_cpu(const struct parts *p, const struct trace_op *op) {
  double num = (double)(op->begin - op->since) / p->length;
  double rate = (find_sum(p, op->begin) - find_sum(p, op->since)) / num;
  return (double)(op->cpu + op->queued) * rate;
}

/* Divides the CPU time of the operations from `first` up to but without `end` anew. */
static void divide(float *need, const struct parts *p, uint32_t first, uint32_t end) {
  const struct trace *t = p->trace;
  double cpu = 0, expected = 0;
  for (uint32_t at = first; at != end; at = t->ops[at - 1].next) {
    const struct trace_op *op = &t->ops[at - 1];
    if (op->begin <= op->since) continue;
    cpu += (double)op->cpu;
    expected += expect_cpu(p, op);
  }
  if (expected <= 0) return;
  for (uint32_t at = first; at != end; at = t->ops[at - 1].next) {
    const struct trace_op *op = &t->ops[at - 1];
    if (op->begin <= op->since) continue;
    double mine = expect_cpu(p, op) * cpu / expected;
    double most = (double)(op->begin - op->since);
    need[at - 1] = (float)(mine < most ? mine : most);
  }
}

static void divide_thread(float *need, const struct parts *p, uint32_t first) {
  const struct trace *t = p->trace;
  while (first != 0) {
    ticks_t until = t->ops[first - 1].begin + WINDOW;
    uint32_t end = first;
    while (end != 0 && t->ops[end - 1].begin <= until) end = t->ops[end - 1].next;
    divide(need, p, first, end);
    first = end;
  }
}

/* --- the whole ---------------------------------------------------------------------------- */

/* Counts the ready threads of each part. Returns the time that they were queued. */
static double count_ready(struct parts *p) {
  const struct trace *t = p->trace;
  double queued = 0;
  for (size_t i = 0; i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    if (op->begin <= op->since || op->cpu + op->queued == 0) continue;
    double threads = (double)(op->cpu + op->queued) / (double)(op->begin - op->since);
    add_ready(p, op->since, op->begin, threads > 1 ? 1 : threads);
    queued += (double)op->queued;
  }
  for (size_t i = 1; i <= p->num; i++) p->values[i] += p->values[i - 1];
  return queued;
}

bool capacity_measure(struct capacity *c, const struct trace *t, float *need) {
  *c = (struct capacity){.cpus = t->cpus};
  for (size_t i = 0; i < t->num_ops; i++) need[i] = (float)t->ops[i].cpu;
  if (t->cpus <= 0 || t->end <= t->begin) return true;
  struct parts parts;
  if (!parts_make(&parts, t)) return false;
  double queued = count_ready(&parts);
  bool good = fit_others(c, &parts, queued / parts.length);
  if (good) sum_rates(&parts, c);
  for (size_t i = 0; good && i < t->num_threads; i++) {
    divide_thread(need, &parts, t->threads[i].first);
  }
  free(parts.values);
  return good;
}
