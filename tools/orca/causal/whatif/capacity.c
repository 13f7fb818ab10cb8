#include "tools/orca/causal/whatif/capacity.h"

#include <stdlib.h>

/* The recording is divided into parts; in each the number of ready threads counts as constant. */
#define PARTS (1 << 20)
#define MAX_OTHERS 1000.0
#define STEPS 40
#define FINE 64
#define WINDOW (100 * 1000 * 1000 * TICKS_PER_NS) /* in which samples tell the CPU time */

/* Adds `threads` ready threads from `from` to `to`, as changes at the bounds of parts. */
static void add_ready(double *change, const struct trace *t, ticks_t from, ticks_t to,
                      double threads) {
  double part = (double)(t->end - t->begin) / PARTS;
  double a = (double)(from - t->begin) / part, b = (double)(to - t->begin) / part;
  size_t i = (size_t)a, j = (size_t)b;
  if (i >= PARTS || j >= PARTS) j = PARTS - 1;
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

static bool count_crowds(struct crowds *c, const double *ready) {
  double most = 1;
  for (size_t i = 0; i < PARTS; i++) most = ready[i] > most ? ready[i] : most;
  c->num = (size_t)(most * FINE) + 2;
  c->parts = calloc(c->num, sizeof *c->parts);
  for (size_t i = 0; c->parts != NULL && i < PARTS; i++) {
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

static bool fit_others(struct capacity *c, const double *ready, double queued) {
  struct crowds crowds = {0};
  double low = 0, high = MAX_OTHERS;
  if (!count_crowds(&crowds, ready)) return false;
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
static void sum_rates(double *ready, const struct capacity *c) {
  double sum = 0;
  for (size_t i = 0; i < PARTS; i++) {
    double rate = capacity_rate(c, ready[i] < 1 ? 1 : ready[i]);
    ready[i] = sum;
    sum += rate;
  }
  ready[PARTS] = ready[PARTS + 1] = sum;
}

static double find_sum(const double *sums, const struct trace *t, ticks_t time) {
  double at = (double)(time - t->begin) / ((double)(t->end - t->begin) / PARTS);
  if (at >= PARTS) return sums[PARTS];
  size_t i = (size_t)at;
  return sums[i] + (sums[i + 1] - sums[i]) * (at - (double)i);
}

/* The CPU time of a stretch if it depended only on the number of ready threads. */
static double expect_cpu(const double *sums, const struct trace *t, const struct trace_op *op) {
  double length = (double)(op->begin - op->since);
  double parts = length / ((double)(t->end - t->begin) / PARTS);
  double rate = (find_sum(sums, t, op->begin) - find_sum(sums, t, op->since)) / parts;
  return (double)(op->cpu + op->queued) * rate;
}

/* Divides the CPU time of the operations from `first` up to but without `end` anew. */
static void divide(float *need, const struct trace *t, const double *sums, uint32_t first,
                   uint32_t end) {
  double cpu = 0, expected = 0;
  for (uint32_t at = first; at != end; at = t->ops[at - 1].next) {
    const struct trace_op *op = &t->ops[at - 1];
    if (op->begin <= op->since) continue;
    cpu += (double)op->cpu;
    expected += expect_cpu(sums, t, op);
  }
  if (expected <= 0) return;
  for (uint32_t at = first; at != end; at = t->ops[at - 1].next) {
    const struct trace_op *op = &t->ops[at - 1];
    if (op->begin <= op->since) continue;
    double mine = expect_cpu(sums, t, op) * cpu / expected;
    double most = (double)(op->begin - op->since);
    need[at - 1] = (float)(mine < most ? mine : most);
  }
}

static void divide_thread(float *need, const struct trace *t, const double *sums, uint32_t first) {
  while (first != 0) {
    ticks_t until = t->ops[first - 1].begin + WINDOW;
    uint32_t end = first;
    while (end != 0 && t->ops[end - 1].begin <= until) end = t->ops[end - 1].next;
    divide(need, t, sums, first, end);
    first = end;
  }
}

/* --- the whole ---------------------------------------------------------------------------- */

/* Fills `ready` with the number of ready threads. Returns the time that they were queued. */
static double count_ready(double *ready, const struct trace *t) {
  double queued = 0;
  for (size_t i = 0; i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    if (op->begin <= op->since || op->cpu + op->queued == 0) continue;
    double threads = (double)(op->cpu + op->queued) / (double)(op->begin - op->since);
    add_ready(ready, t, op->since, op->begin, threads > 1 ? 1 : threads);
    queued += (double)op->queued;
  }
  for (size_t i = 1; i <= PARTS; i++) ready[i] += ready[i - 1];
  return queued;
}

bool capacity_measure(struct capacity *c, const struct trace *t, float *need) {
  *c = (struct capacity){.cpus = t->cpus};
  for (size_t i = 0; i < t->num_ops; i++) need[i] = (float)t->ops[i].cpu;
  if (t->cpus <= 0 || t->end <= t->begin) return true;
  double *ready = calloc(PARTS + 2, sizeof *ready);
  if (ready == NULL) return false;
  double queued = count_ready(ready, t);
  bool good = fit_others(c, ready, queued / ((double)(t->end - t->begin) / PARTS));
  if (good) sum_rates(ready, c);
  for (size_t i = 0; good && i < t->num_threads; i++) {
    divide_thread(need, t, ready, t->threads[i].first);
  }
  free(ready);
  return good;
}
