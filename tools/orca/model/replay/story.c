#include "tools/orca/model/replay/story.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"

#define NESTED 8 /* calls of one thread that are under way, one inside of the other */

struct story_thread {
  unsigned num;
  unsigned nested[NESTED]; /* kinds of events */
  bool may_be_free;        /* the innermost call is an acquisition whose lock may be free */
};

const char *story_state_name(unsigned state) {
  static const char *const names[NUM_STORY_STATES] = {
      [STORY_NEW] = "new", [STORY_ENDED] = "ended", [STORY_ACQUIRES] = "acquiring"};
  return state < NUM_ACTIVITIES ? activity_names[state] : names[state];
}

void story_start(struct story *s, struct dump *d, const struct filter *filter) {
  *s = (struct story){.dump = d, .threads = {.dump = d}};
  matcher_start(&s->matcher, filter, d);
  pass_start(&s->pass, d, &s->matcher, &s->stacks);
  wakes_start(&s->wakes, d);
}

/* --- states ------------------------------------------------------------------------------ */

static unsigned state_of(const struct story_thread *row) {
  if (row->num == 0) return ACTIVITY_RUNS;
  return row->may_be_free ? (unsigned)STORY_ACQUIRES
                          : activity_of_call((enum event_kind)row->nested[row->num - 1]);
}

/* A lock with an owner is not free. Several threads can own a semaphore. */
static bool may_be_free(const struct story *s, const struct step *step) {
  enum lock_sort sort = lock_events[step->event->kind].sort;
  return lock_event_asks(step->event->kind) && sort != LOCK_MONITOR &&
         coverage_has_releases_at(s->pass.holders.coverage, sort, step->time) &&
         (sort == LOCK_SEMAPHORE || step->owner == 0);
}

static void end_call(struct story_thread *row, enum event_kind begin) {
  unsigned at = row->num;
  while (at > 0 && row->nested[at - 1] != begin) at--;
  if (at > 0) row->num = at - 1;
  row->may_be_free = false;
}

static bool tell_states(struct story *s, struct story_event *e, const struct step *step) {
  const struct event_line *line = e->line;
  struct story_thread *row =
      rows_at(&s->states, line->thread, &s->rows, &s->num, &s->capacity, sizeof *row, NULL);
  if (row == NULL) return false;
  bool begins = event_infos[line->kind].role == ROLE_BEGIN, ends = event_is_end(line->kind);
  bool starts = line->kind == EVENT_THREAD_STARTED, dies = line->kind == EVENT_THREAD_ENDED;
  e->before = e->after = STORY_NONE;
  if (!begins && !ends && !starts && !dies) return true;
  if (ends && step->pair != NULL && step->had_to_wait) row->may_be_free = false;
  e->before = starts ? (unsigned)STORY_NEW : state_of(row);
  if (begins) {
    if (row->num == NESTED) row->num = 0; /* their ends are lost */
    row->nested[row->num++] = line->kind;
    row->may_be_free = may_be_free(s, step);
  }
  if (ends) end_call(row, event_begin(line->kind));
  if (starts || dies) row->num = 0;
  e->after = dies ? (unsigned)STORY_ENDED : state_of(row);
  return true;
}

/* --- names ------------------------------------------------------------------------------- */

static bool has_name(const struct story *s, uint32_t hash) {
  const struct thread *thread = threads_find(&s->threads, hash);
  return hash == 0 || (thread != NULL && thread->name != NULL);
}

/* Adds the first name of each thread that has none yet. The pass counts the faults of the file. */
static bool read_names(struct story *s) {
  struct faults faults = {0};
  struct stream *events = stream_open_sets(dump_sets(s->dump), 0, DUMP_EVENTS, &faults);
  bool good = true;
  for (struct event_line line; good && stream_event(events, &line);) {
    if (line.kind != EVENT_THREAD_STARTED || has_name(s, line.thread)) continue;
    good = threads_event(&s->threads, &line, true);
  }
  stream_close(events);
  faults_free(&faults);
  s->has_names = true;
  return good;
}

/* An event can precede the ThreadStarted line of a thread that it names: Thread.start of its new
   thread, and threads that ran when the recording began. Only then the names are read ahead. */
static bool read_missing_names(struct story *s, const struct story_event *e) {
  const struct event_line *line = e->line;
  uint32_t object = event_has(line->kind, TRAIT_NAMES_THREAD) ? line->object : 0;
  if (s->has_names || (has_name(s, line->thread) && has_name(s, object) && has_name(s, e->owner) &&
                       has_name(s, e->woken_by) && has_name(s, e->started_by))) {
    return true;
  }
  return read_names(s);
}

/* --- events -------------------------------------------------------------------------------- */

/* Calls of a method are told apart by their stack. */
static bool tell_method(struct story *s, struct story_event *e, stack_id_t stack) {
  const struct event_line *line = e->line;
  bool enters = line->kind == EVENT_METHOD_ENTRY;
  size_t depth;
  if (!enters && line->kind != EVENT_METHOD_EXIT) return true;
  const struct frame *frames = stacks_frames(&s->stacks, stack, &depth);
  uint64_t *began = hashmap_at(&s->calls, (uint64_t)line->thread << 32 | stack);
  if (began == NULL) return false;
  e->method = depth == 0 ? 0 : frames[0].method;
  e->ends_pair = !enters && *began != 0;
  if (e->ends_pair) e->took = line->time - *began;
  *began = enters ? line->time : 0;
  return true;
}

static bool tell_start(struct story *s, const struct step *step) {
  return step->event->kind != EVENT_THREAD_START ||
         threads_site(&s->threads, step->event->object, stacks_place(&s->stacks, step->stack));
}

static bool tell_pair(struct story *s, struct story_event *e, const struct step *step) {
  struct wake wake;
  if (!wakes_event(&s->wakes, e->line, 0, &wake)) return false;
  e->owner = step->owner;
  e->ends_pair = step->pair != NULL;
  if (e->ends_pair) e->took = step->pair->end - step->pair->begin;
  bool starts = wake_events[e->line->kind].act == WAKE_ACT_STARTED;
  if (!wake.woken || (!starts && !e->ends_pair)) return true;
  e->cause = wake.by;
  *(starts ? &e->started_by : &e->woken_by) = wake.by.thread;
  return true;
}

/* Returns false to end the pass: memory ran out, or no later event is wanted. */
static bool tell_event(void *arg, const struct step *step) {
  struct story *s = arg;
  struct story_event e = {.line = step->event};
  s->is_over = step->time > s->matcher.filter.to;
  if (s->is_over) return false;
  s->num_events += step->origin != STEP_INFERRED;
  if (!tell_start(s, step) || !threads_event(&s->threads, e.line, true) ||
      !tell_states(s, &e, step) || !tell_pair(s, &e, step) || !tell_method(s, &e, step->stack)) {
    return false;
  }
  if (!step_counts(step) || step->origin == STEP_INFERRED) return true;
  if (!read_missing_names(s, &e)) return false;
  s->num_shown++;
  s->is_over = !s->take(s->take_arg, &e);
  return !s->is_over;
}

bool story_tell(struct story *s, bool (*take)(void *arg, const struct story_event *e), void *arg) {
  const struct listener row = {.name = "story", .lines = PASS_EVENTS, .take = tell_event};
  s->take = take;
  s->take_arg = arg;
  pass_add(&s->pass, &row, s);
  return (pass_read(&s->pass) || s->is_over) && !s->matcher.failed;
}

void story_free(struct story *s) {
  matcher_free(&s->matcher);
  threads_free(&s->threads);
  stacks_free(&s->stacks);
  pass_free(&s->pass);
  wakes_free(&s->wakes);
  hashmap_free(&s->calls);
  hashmap_free(&s->states);
  free(s->rows);
  *s = (struct story){0};
}
