#include "tools/orca/causal/capacity.h"

#include <stdlib.h>

/* The recording is divided into parts; in each the number of ready threads counts as constant. */
#define PARTS (1 << 20)
#define MAX_OTHERS 1000.0
#define STEPS 40

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

/* Returns the time in units of parts that `ready` threads wait for a CPU with so many others. */
static double sum_queued(const double *ready, const struct capacity *c) {
  double sum = 0;
  for (size_t i = 0; i < PARTS; i++) {
    if (ready[i] > 0) sum += ready[i] * (1 - capacity_rate(c, ready[i] < 1 ? 1 : ready[i]));
  }
  return sum;
}

static void fit_others(struct capacity *c, const double *ready, double queued) {
  double low = 0, high = MAX_OTHERS;
  for (int i = 0; i < STEPS; i++) {
    c->others = (low + high) / 2;
    *(sum_queued(ready, c) < queued ? &low : &high) = c->others;
  }
  c->others = low;
}

bool capacity_measure(struct capacity *c, const struct trace *t) {
  *c = (struct capacity){.cpus = t->cpus};
  if (t->cpus <= 0 || t->end <= t->begin) return true;
  double *ready = calloc(PARTS + 2, sizeof *ready);
  if (ready == NULL) return false;
  double queued = 0;
  for (size_t i = 0; i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    if (op->begin <= op->since || op->cpu + op->queued == 0) continue;
    ticks_t length = op->begin - op->since;
    double threads = (double)(op->cpu + op->queued) / (double)length;
    add_ready(ready, t, op->since, op->begin, threads > 1 ? 1 : threads);
    queued += (double)op->queued;
  }
  for (size_t i = 1; i <= PARTS; i++) ready[i] += ready[i - 1];
  fit_others(c, ready, queued / ((double)(t->end - t->begin) / PARTS));
  free(ready);
  return true;
}
