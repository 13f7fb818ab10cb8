#include "tools/orca/model/replay/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

/* More would be of no use to a person, and each costs its place in the output. */
#define MOST_CALLS 50000

/* --- room ------------------------------------------------------------------------- */

/* A thread has about so many spans at most: three for each sample and for each call that had to
   wait. */
static size_t most_spans(const struct thread *thread) {
  uint64_t num = 3 * thread->samples + 2;
  for (int group = 0; group < NUM_GROUPS; group++) num += 3 * thread->pairs[group];
  return num;
}

/* How many spans a thread may have, so that all together keep the bound: those that need less leave
   more to the others. */
static size_t fair_share(const struct thread *threads, size_t num, size_t max_spans) {
  size_t share = max_spans / (num == 0 ? 1 : num);
  for (int round = 0; round < 8; round++) {
    size_t spare = max_spans, needy = 0;
    for (size_t i = 0; i < num; i++) {
      size_t most = most_spans(&threads[i]);
      if (most > share) needy++;
      if (most <= share) spare -= most < spare ? most : spare;
    }
    if (needy == 0) break;
    share = spare / needy;
  }
  return share < 16 ? 16 : share;
}

/* --- spans ------------------------------------------------------------------------- */

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

static bool put_mix(struct timeline *t, struct timeline_row *row, ticks_t begin, ticks_t end) {
  void *grown = grow(t->mixes, t->num_mixes, &t->mixes_capacity, sizeof *t->mixes);
  if (grown == NULL) return false;
  t->mixes = grown;
  t->mixes[t->num_mixes] = row->mix;
  struct timeline_span span = {begin, end, TIMELINE_MIXED, (uint32_t)t->num_mixes++};
  return put_span(row, span);
}

/* The step that ends now, or the thread does: one state, or a mix. */
static bool put_step(struct timeline *t, struct timeline_row *row, ticks_t end) {
  ticks_t length = 0;
  unsigned states = 0, state = 0;
  for (unsigned s = 0; s < NUM_ACTIVITIES; s++) {
    if (row->mix.times[s] == 0) continue;
    length += row->mix.times[s];
    states++;
    state = s;
  }
  bool good = true;
  if (states == 1) good = put_span(row, (struct timeline_span){end - length, end, state, 0});
  if (states > 1) good = put_mix(t, row, end - length, end);
  row->mix = (struct timeline_mix){0};
  return good;
}

/* Adds a time that may reach over several steps: what lies between the first and the last of them
   is one span. */
static bool put_steps(struct timeline *t, struct timeline_row *row, const struct life_part *part) {
  ticks_t at = part->begin;
  ticks_t step_end = t->start + ((at - t->start) / row->step + 1) * row->step;
  if (part->end >= step_end) {
    row->mix.times[part->activity] += step_end - at;
    if (!put_step(t, row, step_end)) return false;
    at = step_end;
    ticks_t last = t->start + (part->end - t->start) / row->step * row->step;
    struct timeline_span whole = {at, last, part->activity, 0};
    if (last > at && !put_span(row, whole)) return false;
    at = last;
  }
  row->mix.times[part->activity] += part->end - at;
  return true;
}

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

static bool put_part(void *arg, void *to, const struct life_part *part) {
  struct timeline *t = arg;
  struct timeline_row *row = to;
  uint32_t detail = 0;
  row->sum.times[part->activity] += part->end - part->begin;
  if (row->step != 0) return put_steps(t, row, part);
  if (part->call != NULL && !number(t, part->call, &detail)) return false;
  return put_span(row, (struct timeline_span){part->begin, part->end, part->activity, detail});
}

/* --- threads ------------------------------------------------------------------------------ */

bool timeline_start(struct timeline *t, const struct model *m, size_t max_threads,
                    size_t max_spans) {
  const struct threads *threads = &m->threads;
  size_t num = threads->num < max_threads ? threads->num : max_threads;
  size_t share = fair_share(threads->rows, num, max_spans);
  ticks_t start = m->recording.from, end = m->recording.to;
  *t = (struct timeline){
      .start = start < end ? start : end, .end = end, .left_out = threads->num - num};
  life_clock_start(&t->clock, m->dump, t->start, t->end);
  t->clock.put = put_part;
  t->clock.arg = t;
  t->rows = calloc(num + 1, sizeof *t->rows);
  if (t->rows == NULL) return false;
  for (; t->num < num; t->num++) {
    const struct thread *thread = &threads->rows[t->num];
    ticks_t step = most_spans(thread) <= share ? 0 : (t->end - t->start) / share + 1;
    t->rows[t->num] = (struct timeline_row){.thread = thread->hash, .step = step};
    if (!hashmap_put(&t->ids, thread->hash, t->num + 1)) return false;
  }
  return true;
}

/* A step is not continued in the next life of a hash. */
static bool end_steps(struct timeline *t, struct timeline_row *row) {
  return row->life.lives || row->step == 0 || put_step(t, row, row->life.at);
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
  for (size_t i = 0; i < t->num; i++) free(t->rows[i].spans);
  free(t->rows);
  free(t->calls);
  free(t->mixes);
  hashmap_free(&t->ids);
  hashmap_free(&t->call_ids);
  *t = (struct timeline){0};
}
