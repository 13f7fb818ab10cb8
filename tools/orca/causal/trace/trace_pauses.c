#include "tools/orca/causal/trace/trace_internal.h"
#include "tools/orca/model/base/grow.h"

bool trace_take_pause(struct trace *t, const struct sample_line *line) {
  ticks_t length = line->pause_ns > 0 ? (ticks_t)line->pause_ns * TICKS_PER_NS : 0;
  ticks_t before = t->num_pauses == 0 ? t->begin : t->pauses[t->num_pauses - 1].end;
  ticks_t begin = line->time > length ? line->time - length : 0;
  if (begin < before) begin = before; /* pauses do not overlap */
  if (begin >= line->time) return true;
  struct trace_pause *pauses = grow(t->pauses, t->num_pauses, &t->pauses_capacity, sizeof *pauses);
  if (pauses == NULL) return false;
  t->pauses = pauses;
  pauses[t->num_pauses++] = (struct trace_pause){.begin = begin, .end = line->time};
  return true;
}

/* Returns a time without the pauses before it. */
static ticks_t cut(const struct trace *t, ticks_t time) {
  size_t low = 0, high = t->num_pauses; /* the first pause that has not ended by then */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (t->pauses[middle].end <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  ticks_t before = low == 0 ? 0 : t->pauses[low - 1].cut;
  bool is_inside = low < t->num_pauses && t->pauses[low].begin < time;
  return time - before - (is_inside ? time - t->pauses[low].begin : 0);
}

void trace_cut_pauses(struct trace *t) {
  ticks_t sum = 0;
  if (t->num_pauses == 0) return;
  for (size_t i = 0; i < t->num_pauses; i++) {
    sum += t->pauses[i].end - t->pauses[i].begin;
    t->pauses[i].cut = sum;
  }
  for (size_t i = 0; i < t->num_ops; i++) {
    struct trace_op *op = &t->ops[i];
    ticks_t length = op->begin > op->since ? op->begin - op->since : 0;
    op->since = cut(t, op->since);
    op->begin = cut(t, op->begin);
    op->end = cut(t, op->end);
    /* The threads of the collector run in a pause, and others wait for a CPU. */
    ticks_t left = op->begin > op->since ? op->begin - op->since : 0;
    if (length > 0) op->queued = (ticks_t)((double)op->queued * (double)left / (double)length);
  }
  for (size_t i = 0; i < t->num_threads; i++) {
    t->threads[i].begin = cut(t, t->threads[i].begin);
    t->threads[i].end = cut(t, t->threads[i].end);
  }
  for (size_t i = 0; i < t->num_samples; i++) t->samples[i].time = cut(t, t->samples[i].time);
  t->begin = cut(t, t->begin);
  t->end = cut(t, t->end);
}

ticks_t trace_paused(const struct trace *t, ticks_t time) {
  ticks_t paused = 0;
  for (size_t i = 0; i < t->num_pauses; i++) {
    ticks_t length = t->pauses[i].end - t->pauses[i].begin;
    if (t->pauses[i].begin - (t->pauses[i].cut - length) >= time) break;
    paused = t->pauses[i].cut;
  }
  return paused;
}
