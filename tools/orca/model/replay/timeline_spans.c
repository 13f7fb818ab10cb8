/* The spans of one row: exact ones, or steps. */
#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/replay/timeline.h"

/* The first steps of a row are this many times its spans. If the thread changes its state in
   bursts, most steps have one state and become few spans. */
#define STEPS_PER_SPAN 16

static bool put_span(struct timeline_row *row, struct timeline_span span) {
  struct timeline_span *last = row->num == 0 ? NULL : &row->spans[row->num - 1];
  if (last != NULL && last->end == span.begin && last->state == span.state &&
      last->state != TIMELINE_MIXED && last->detail == span.detail) {
    last->end = span.end;
    return true;
  }
  void *grown = grow(row->spans, row->num, &row->capacity, sizeof *row->spans);
  if (grown == NULL) return false;
  row->spans = grown;
  row->spans[row->num++] = span;
  return true;
}

static bool put_mix(struct timeline_row *row, const struct timeline_step *step) {
  void *grown = grow(row->mixes, row->num_mixes, &row->mixes_capacity, sizeof *row->mixes);
  if (grown == NULL) return false;
  row->mixes = grown;
  row->mixes[row->num_mixes] = step->mix;
  uint32_t detail = (uint32_t)row->num_mixes++;
  return put_span(row, (struct timeline_span){step->begin, step->end, TIMELINE_MIXED, detail});
}

bool timeline_end_step(struct timeline_row *row) {
  struct timeline_step step = row->last;
  row->last = (struct timeline_step){0};
  if (step.begin == step.end) return true;
  for (unsigned state = 0; state < NUM_ACTIVITIES; state++) {
    if (step.mix.times[state] == step.end - step.begin)
      return put_span(row, (struct timeline_span){step.begin, step.end, state, step.detail});
  }
  return put_mix(row, &step);
}

/* Adds times to the last step, or begins a step. */
static bool add_to_step(struct timeline_row *row, ticks_t start, const struct timeline_mix *mix,
                        const struct timeline_span *span) {
  struct timeline_step *last = &row->last;
  bool is_same = last->begin != last->end &&
                 (last->begin - start) / row->step == (span->begin - start) / row->step;
  if (!is_same && !timeline_end_step(row)) return false;
  if (!is_same) *last = (struct timeline_step){.begin = span->begin, .detail = span->detail};
  if (last->detail != span->detail) last->detail = 0;
  last->end = span->end;
  for (unsigned state = 0; state < NUM_ACTIVITIES; state++)
    last->mix.times[state] += mix->times[state];
  return true;
}

static bool add_part(struct timeline_row *row, ticks_t start, struct timeline_span span) {
  struct timeline_mix mix = {0};
  mix.times[span.state] = span.end - span.begin;
  return span.begin == span.end || add_to_step(row, start, &mix, &span);
}

/* The steps that the span fills become one span. The rest of it is part of the steps around. */
bool timeline_add_span(struct timeline_row *row, ticks_t start, struct timeline_span span) {
  if (row->step == 0) return put_span(row, span);
  ticks_t first = start + (span.begin - start + row->step - 1) / row->step * row->step;
  ticks_t last = start + (span.end - start) / row->step * row->step;
  if (first > last) return add_part(row, start, span);
  struct timeline_span head = span, filled = span, tail = span;
  head.end = filled.begin = first;
  filled.end = tail.begin = last;
  return add_part(row, start, head) &&
         (first == last || (timeline_end_step(row) && put_span(row, filled))) &&
         add_part(row, start, tail);
}

/* The new length is a multiple of the old one, so a span of several states is part of one step. */
static bool add_again(struct timeline_row *row, ticks_t start, const struct timeline_row *old) {
  for (size_t i = 0; i < old->num; i++) {
    struct timeline_span span = old->spans[i];
    bool is_mixed = span.state == TIMELINE_MIXED;
    const struct timeline_mix *mix = is_mixed ? &old->mixes[span.detail] : NULL;
    if (is_mixed) span.detail = 0;
    bool is_added =
        is_mixed ? add_to_step(row, start, mix, &span) : timeline_add_span(row, start, span);
    if (!is_added) return false;
  }
  struct timeline_span last = {old->last.begin, old->last.end, TIMELINE_MIXED, old->last.detail};
  return last.begin == last.end || add_to_step(row, start, &old->last.mix, &last);
}

static bool change_step(struct timeline_row *row, ticks_t start, ticks_t step) {
  struct timeline_row old = *row;
  row->spans = NULL;
  row->mixes = NULL;
  row->num = row->capacity = row->num_mixes = row->mixes_capacity = 0;
  row->last = (struct timeline_step){0};
  row->step = step;
  bool is_complete = add_again(row, start, &old);
  free(old.spans);
  free(old.mixes);
  return is_complete;
}

bool timeline_coarsen(struct timeline_row *row, ticks_t start) {
  if (row->num < 2) return true;
  size_t most = row->num * 3 / 4;
  ticks_t length = row->spans[row->num - 1].end - row->spans[0].begin;
  do {
    ticks_t step = row->step == 0 ? length / row->num / STEPS_PER_SPAN + 1 : 2 * row->step;
    if (!change_step(row, start, step)) return false;
  } while (row->num > most && row->step <= length);
  return true;
}
