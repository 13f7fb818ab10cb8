#include "tools/orca/model/replay/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

const char *const timeline_state_names[NUM_TIMELINE_STATES] = {
#define STATE(id, name, meaning) name,
#include "tools/orca/model/replay/timeline_state.def"
};

const char *const timeline_state_meanings[NUM_TIMELINE_STATES] = {
#define STATE(id, name, meaning) meaning,
#include "tools/orca/model/replay/timeline_state.def"
};

/* More would be of no use to a person, and each costs its place in the output. */
#define MOST_CALLS 50000

/* --- room ------------------------------------------------------------------------- */

/* At most so many spans a thread can have: two a call, one a sample. */
static size_t most_spans(const struct thread *thread) {
  uint64_t num = thread->samples + 2;
  for (int group = 0; group < NUM_GROUPS; group++) num += 2 * thread->pairs[group];
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

bool timeline_start(struct timeline *t, const struct model *m, size_t max_threads,
                    size_t max_spans) {
  const struct threads *threads = &m->threads;
  size_t num = threads->num < max_threads ? threads->num : max_threads;
  size_t share = fair_share(threads->rows, num, max_spans);
  ticks_t start = m->recording.from, end = m->recording.to;
  *t = (struct timeline){.start = start < end ? start : end,
                         .end = end,
                         .lossy = dump_is_lossy(m->dump),
                         .cpu_known = m->recording.cpu_known && m->recording.samples > 0,
                         .left_out = threads->num - num};
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
  for (unsigned s = 0; s < NUM_TIMELINE_STATES; s++) {
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
static bool put_steps(struct timeline *t, struct timeline_row *row, enum timeline_state state,
                      ticks_t until) {
  ticks_t step_end = t->start + ((row->at - t->start) / row->step + 1) * row->step;
  if (until >= step_end) {
    row->mix.times[state] += step_end - row->at;
    if (!put_step(t, row, step_end)) return false;
    row->at = step_end;
    ticks_t last = t->start + (until - t->start) / row->step * row->step;
    struct timeline_span whole = {row->at, last, state, 0};
    if (last > row->at && !put_span(row, whole)) return false;
    row->at = last;
  }
  row->mix.times[state] += until - row->at;
  return true;
}

/* --- states ------------------------------------------------------------------------ */

static const enum timeline_state of_group[NUM_GROUPS] = {
#define GROUP(id, name, state, holds) TIMELINE_##state,
#include "agent/event/event.def"
};

enum timeline_state timeline_state_of_group(enum event_group group) { return of_group[group]; }

enum timeline_state timeline_state_of(enum event_kind begin) {
  return of_group[event_infos[begin].group];
}

static enum timeline_state of_sample(const struct step *step) {
  enum thread_state state = step->sample->state;
  bool parked = state == STATE_PARKED || state == STATE_TIMED_PARKED;
  switch (step->activity) {
    case ACTIVITY_RUNS:
      return step->sample->cpu_ns == 0 ? TIMELINE_RUNNABLE : TIMELINE_RUNS;
    case ACTIVITY_BLOCKED:
      return TIMELINE_BLOCKED;
    case ACTIVITY_WAITS:
      return parked ? TIMELINE_PARKED : TIMELINE_WAITS;
    case ACTIVITY_SLEEPS:
      return TIMELINE_SLEEPS;
    case ACTIVITY_IO:
      return TIMELINE_IO;
    default:
      return TIMELINE_HIDDEN;
  }
}

/* Brings the spans of a row up to `until`. */
static bool move_on(struct timeline *t, struct timeline_row *row, ticks_t until) {
  if (!row->lives || until <= row->at) return true;
  enum timeline_state state = row->seen;
  if (row->num_nested > 0 && !row->works)
    state = timeline_state_of(row->nested[row->num_nested - 1].kind);
  uint32_t detail = row->num_nested == 0 ? 0 : row->open[row->num_nested - 1];
  row->sum.times[state] += until - row->at;
  bool good = row->step != 0 ? put_steps(t, row, state, until)
                             : put_span(row, (struct timeline_span){row->at, until, state, detail});
  row->at = until;
  return good;
}

static void begin_life(const struct timeline *t, struct timeline_row *row, ticks_t now,
                       enum timeline_state state) {
  if (row->lives) return;
  row->lives = true;
  if (row->at < t->start) row->at = t->start;
  if (row->at < now) row->at = now; /* it may have lived before, and broken files go back in time */
  row->seen = state;
}

static bool end_life(struct timeline *t, struct timeline_row *row, ticks_t now) {
  bool good = move_on(t, row, now) && (row->step == 0 || put_step(t, row, row->at));
  row->lives = row->works = false;
  row->num_nested = 0;
  return good;
}

/* --- calls ----------------------------------------------------------------------- */

/* The number of a call, as `detail` has it; 0 where there are too many. False: no memory. */
static bool number(struct timeline *t, const struct timeline_call *call, uint32_t *out) {
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

/* Where a call is lost in a dump with losses, it must not stand open for ever. */
static bool begin_call(struct timeline *t, struct timeline_row *row, const struct step *step) {
  if (t->lossy || row->num_nested == TIMELINE_NESTED) row->num_nested = 0;
  const struct event_line *line = step->event;
  struct timeline_call call = {line->kind, line->object, step->owner, step->stack};
  row->nested[row->num_nested] = call;
  row->works = false;
  uint32_t *detail = &row->open[row->num_nested++];
  *detail = 0;
  return row->step != 0 || number(t, &call, detail);
}

/* The call shows the owner as if it had been known, unless its time is part of a mixed span. */
static bool learn_owner(struct timeline *t, struct timeline_row *row, const struct step *step) {
  for (unsigned i = row->num_nested; step->named_pair != NULL && i-- > 0;) {
    struct timeline_call *call = &row->nested[i];
    if (call->kind != step->named_pair->kind || call->object != step->named_pair->object) continue;
    call->owner = step->owner;
    return row->step != 0 || number(t, call, &row->open[i]);
  }
  return true;
}

/* Who comes out of a call runs, until a sample tells otherwise. */
static void end_call(struct timeline_row *row, const struct event_line *line) {
  enum event_kind begin = event_begin(line->kind);
  unsigned at = row->num_nested;
  while (at > 0 &&
         (row->nested[at - 1].kind != begin || row->nested[at - 1].object != line->object))
    at--;
  if (at == 0) return;
  row->num_nested = at - 1;
  row->seen = TIMELINE_RUNS;
  row->works = row->num_nested > 0; /* it goes on with what it does inside of the outer one */
}

static bool take_event(struct timeline *t, struct timeline_row *row, const struct step *step) {
  const struct event_line *line = step->event;
  if (line->kind == EVENT_MONITOR_OWNER) return learn_owner(t, row, step);
  begin_life(t, row, step->time, TIMELINE_RUNS);
  if (!move_on(t, row, step->time)) return false;
  row->event = row->heard = step->time;
  row->ended = line->kind == EVENT_THREAD_ENDED;
  if (row->ended) return end_life(t, row, step->time);
  if (event_infos[line->kind].role == ROLE_BEGIN) return begin_call(t, row, step);
  if (event_is_end(line->kind)) end_call(row, line);
  return true;
}

/* What a sample tells was so when its round began, and may be over when its line is written. Inside
   of a call it tells whether the thread works there, as in what a join runs. One that comes late
   does not bring its thread back to life. */
static bool take_sample(struct timeline *t, struct timeline_row *row, const struct step *step) {
  if (step->sample->state == STATE_TERMINATED) return end_life(t, row, step->time);
  if (row->ended) return true;
  begin_life(t, row, step->time, of_sample(step));
  row->heard = step->time;
  if (row->event >= t->tick) return true;
  if (!move_on(t, row, step->time)) return false;
  row->seen = of_sample(step);
  row->works = row->num_nested > 0 && row->seen == TIMELINE_RUNS;
  return true;
}

/* A thread without a line in the round that is over used no CPU since the round before. */
static bool take_tick(struct timeline *t, ticks_t now) {
  bool good = true;
  for (size_t i = 0; i < t->num && t->cpu_known; i++) {
    struct timeline_row *row = &t->rows[i];
    bool runs = row->lives && row->seen == TIMELINE_RUNS && (row->num_nested == 0 || row->works);
    if (!runs || row->heard >= t->tick) continue;
    good = move_on(t, row, row->heard > t->tick_before ? row->heard : t->tick_before);
    if (!good) break;
    row->seen = TIMELINE_RUNNABLE;
    row->works = false;
  }
  t->tick_before = t->tick;
  t->tick = now;
  return good;
}

bool timeline_take(struct timeline *t, const struct step *step) {
  if (step->event == NULL && step->sample == NULL) return true; /* its beginning was taken */
  if (step->event == NULL && step->sample->kind == SAMPLE_TICK) return take_tick(t, step->time);
  uint32_t thread = step->event != NULL ? step->event->thread : step->sample->thread;
  uint64_t at = 0;
  hashmap_get(&t->ids, thread, &at);
  if (at == 0 || step->time > t->end) return true;
  struct timeline_row *row = &t->rows[at - 1];
  return step->event != NULL ? take_event(t, row, step) : take_sample(t, row, step);
}

bool timeline_end(struct timeline *t) {
  bool good = true;
  for (size_t i = 0; i < t->num && good; i++) {
    if (t->rows[i].lives) good = end_life(t, &t->rows[i], t->end);
  }
  return good;
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
