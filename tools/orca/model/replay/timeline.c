#include "tools/orca/model/replay/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

/* More would be of no use to a person, and each costs its place in the output. */
#define MOST_CALLS 50000

/* --- spans ------------------------------------------------------------------------- */

/* The number of a call, as `detail` has it; 0 where there are too many. False: no memory. */
static bool number(struct timeline *t, const struct life_call *call, uint32_t *out) {
  uint64_t key = ((uint64_t)call->object << 32 | call->owner) * UINT64_C(0x9E3779B97F4A7C15);
  key = (key ^ ((uint64_t)call->stack << 8 | call->kind)) * UINT64_C(0xD6E8FEB86659FD93);
  uint64_t *at = hashmap_at(&t->call_ids, key);
  if (at == NULL) return false;
  if (*at == 0 && t->num_calls < MOST_CALLS) {
    void *grown = grow(t->calls, t->num_calls, &t->calls_capacity, sizeof *t->calls);
    if (grown == NULL) return false;
    t->calls = grown;
    t->calls[t->num_calls] = *call;
    *at = ++t->num_calls;
  }
  *out = (uint32_t)*at;
  return true;
}

/* Coarsens the row with the most spans. */
static bool coarsen_longest_row(struct timeline *t) {
  struct timeline_row *longest = &t->rows[0];
  for (size_t i = 1; i < t->num; i++) {
    if (t->rows[i].num > longest->num) longest = &t->rows[i];
  }
  t->num_spans -= longest->num;
  bool good = timeline_coarsen(longest, t->start);
  t->num_spans += longest->num;
  return good;
}

/* In steps, only a call that fills one is shown. */
static bool put_part(void *arg, void *to, const struct life_part *part) {
  struct timeline *t = arg;
  struct timeline_row *row = to;
  struct timeline_span span = {part->begin, part->end, part->activity, 0};
  row->sum.times[part->activity] += part->end - part->begin;
  bool is_shown = part->call != NULL && part->end - part->begin >= row->step;
  if (is_shown && !number(t, part->call, &span.detail)) return false;
  size_t before = row->num;
  if (!timeline_add_span(row, t->start, span)) return false;
  t->num_spans += row->num - before;
  return t->num_spans <= t->max_spans || coarsen_longest_row(t);
}

/* --- threads ------------------------------------------------------------------------------ */

bool timeline_start(struct timeline *t, const struct model *m, size_t max_threads,
                    size_t max_spans) {
  const struct threads *threads = &m->threads;
  size_t num = threads->num < max_threads ? threads->num : max_threads;
  ticks_t start = m->recording.from, end = m->recording.to;
  *t = (struct timeline){.start = start < end ? start : end,
                         .end = end,
                         .left_out = threads->num - num,
                         .max_spans = max_spans > 16 * num ? max_spans : 16 * num};
  life_clock_start(&t->clock, m->dump, t->start, t->end);
  t->clock.put = put_part;
  t->clock.arg = t;
  t->rows = calloc(num + 1, sizeof *t->rows);
  if (t->rows == NULL) return false;
  for (; t->num < num; t->num++) {
    uint32_t thread = threads->rows[t->num].hash;
    t->rows[t->num] = (struct timeline_row){.thread = thread};
    if (!hashmap_put(&t->ids, thread, t->num + 1)) return false;
  }
  return true;
}

/* A step is not continued in the next life of a hash. */
static bool end_steps(struct timeline *t, struct timeline_row *row) {
  if (row->life.lives) return true;
  size_t before = row->num;
  bool good = timeline_end_step(row);
  t->num_spans += row->num - before;
  return good;
}

bool timeline_take(struct timeline *t, const struct step *step) {
  if (!life_clock_take(&t->clock, step)) return true;
  uint32_t thread = step->event != NULL ? step->event->thread : step->sample->thread;
  uint64_t at = 0;
  hashmap_get(&t->ids, thread, &at);
  if (at == 0) return true;
  struct timeline_row *row = &t->rows[at - 1];
  return life_take(&row->life, &t->clock, step, row) && end_steps(t, row);
}

bool timeline_end(struct timeline *t) {
  for (size_t i = 0; i < t->num; i++) {
    struct timeline_row *row = &t->rows[i];
    if (!life_end(&row->life, &t->clock, t->end, row) || !end_steps(t, row)) return false;
  }
  return true;
}

void timeline_free(struct timeline *t) {
  for (size_t i = 0; i < t->num; i++) {
    free(t->rows[i].spans);
    free(t->rows[i].mixes);
  }
  free(t->rows);
  free(t->calls);
  hashmap_free(&t->ids);
  hashmap_free(&t->call_ids);
  *t = (struct timeline){0};
}
