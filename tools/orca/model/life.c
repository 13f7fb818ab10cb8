#include "tools/orca/model/life.h"

#include "agent/event/meaning.h"

#include <string.h>

#define ROUND (TICKS_PER_S * 2 / 5)   /* all lines of a round come within this time */
#define SILENCE (TICKS_PER_S * 3 / 2) /* between two rounds of samples: far more than usual */
#define HARDLY 10                     /* a thread runs for less than 1/HARDLY of a time */

/* --- parts -------------------------------------------------------------------------------- */

static const struct life_call *find_innermost(const struct life *l) {
  return l->num_nested == 0 || l->works ? NULL : &l->nested[l->num_nested - 1];
}

/* Whether the thread was blocked is known when its acquisition ends. */
static bool is_undecided(const struct life *l) {
  const struct life_call *call = find_innermost(l);
  return call != NULL && lock_event_asks(call->kind);
}

static bool put_part(struct life *l, const struct life_clock *c, void *row, enum activity activity,
                     const struct life_call *call, ticks_t end) {
  if (end <= l->at) return true;
  unsigned num_around = l->num_nested > 0 ? l->num_nested - 1 : 0;
  stack_id_t stack = call != NULL ? call->stack : l->stack;
  struct life_part part = {l->at, end, activity, call, stack, l->nested, num_around};
  l->at = end;
  return c->put(c->arg, row, &part);
}

/* A late sample is true if the thread has no line in the whole round after it. */
static bool believe_late(struct life *l, const struct life_clock *c, void *row) {
  if (!l->is_late || l->num_nested > 0 || c->tick_before <= l->heard) return true;
  bool good = put_part(l, c, row, l->seen, NULL, l->heard);
  l->seen = l->late_seen;
  l->stack = l->late_stack;
  l->is_assumed = l->is_late = false;
  return good;
}

/* Whether a round of samples had no line of the thread: its state and stack were the same, and it
   had used no CPU time. */
static bool was_left_out(const struct life *l, const struct life_clock *c, ticks_t until) {
  return c->tick_before > l->heard || (c->tick > l->heard && until > c->tick + ROUND);
}

/* Puts the time up to `until`. */
static bool move_on(struct life *l, const struct life_clock *c, void *row, ticks_t until) {
  if (!l->lives) return true;
  if (!believe_late(l, c, row)) return false;
  const struct life_call *call = find_innermost(l);
  bool runs = call == NULL && l->seen == ACTIVITY_RUNS;
  if (runs && c->cpu_known && was_left_out(l, c, until)) {
    if (!put_part(l, c, row, ACTIVITY_RUNS, NULL, l->heard)) return false;
    l->seen = l->is_native ? ACTIVITY_NO_CALL : ACTIVITY_RUNNABLE;
    l->works = false;
    call = find_innermost(l);
  }
  return put_part(l, c, row, call != NULL ? activity_of_call(call->kind) : l->seen, call, until);
}

/* The thread was just doing something, so it runs, until a sample tells otherwise. */
static void assume_running(struct life *l) {
  l->seen = l->is_sampled ? ACTIVITY_RUNS : ACTIVITY_NO_CALL;
  l->is_assumed = true;
  l->is_native = false;
  l->stack = 0;
}

/* It may have lived before, and broken files go back in time. */
static void begin_life(struct life *l, const struct life_clock *c, ticks_t now) {
  if (l->lives) return;
  l->lives = true;
  l->is_sampled = l->has_called = false;
  assume_running(l);
  if (l->at < c->from) l->at = c->from;
  if (l->at < now) l->at = now;
}

static bool end_life(struct life *l, const struct life_clock *c, ticks_t end, void *row) {
  bool good = move_on(l, c, row, end);
  l->lives = l->works = false;
  l->num_nested = 0;
  return good;
}

bool life_end(struct life *l, const struct life_clock *c, ticks_t end, void *row) {
  bool is_outside = l->lives && l->num_nested == 0;
  bool good = end_life(l, c, end, row);
  bool is_known = l->is_sampled && !l->is_assumed && c->cpu_known;
  if (is_outside && is_known && l->seen == ACTIVITY_IO) l->io_since = l->heard;
  return good;
}

/* --- events ------------------------------------------------------------------------------- */

/* If ends may be missing, a call must not stay open for ever. */
static void begin_call(struct life *l, const struct life_clock *c, const struct step *step) {
  const struct event_line *line = step->event;
  if (c->lossy) l->num_nested = 0;
  if (l->num_nested == LIFE_NESTED) {
    memmove(l->nested, l->nested + 1, (LIFE_NESTED - 1) * sizeof *l->nested);
    l->num_nested--;
  }
  l->nested[l->num_nested++] =
      (struct life_call){line->kind, line->object, step->owner, step->stack};
  l->works = false;
}

/* Returns the number of the call that the event ends; 0: it is not known. */
static unsigned find_ended_call(const struct life *l, const struct event_line *line) {
  enum event_kind begin = event_begin(line->kind);
  unsigned number = l->num_nested;
  while (number > 0 &&
         (l->nested[number - 1].kind != begin || l->nested[number - 1].object != line->object)) {
    number--;
  }
  return number;
}

static bool end_call(struct life *l, const struct life_clock *c, const struct step *step,
                     void *row) {
  unsigned number = find_ended_call(l, step->event);
  bool is_free = is_undecided(l) && number == l->num_nested && !step->had_to_wait;
  if (is_free) assume_running(l);
  bool good =
      is_free ? put_part(l, c, row, l->seen, NULL, step->time) : move_on(l, c, row, step->time);
  assume_running(l);
  if (number == 0) return good;
  l->left = activity_of_call(l->nested[number - 1].kind);
  l->num_nested = number - 1;
  l->works = number > 1 && activity_can_run_inside(l->nested[number - 2].kind);
  return good;
}

static void learn_owner(struct life *l, const struct step *step) {
  for (unsigned i = l->num_nested; step->named_pair != NULL && i-- > 0;) {
    struct life_call *call = &l->nested[i];
    if (call->kind != step->named_pair->kind || call->object != step->named_pair->object) continue;
    call->owner = step->owner;
    return;
  }
}

/* The thread has not run since its last line, or it had another one. Inside of a call it waits only
   if that call can run code of the program. */
static bool take_class_wait(struct life *l, const struct life_clock *c, const struct step *step,
                            void *row) {
  bool is_outside = l->num_nested == 0;
  bool can_run = !is_outside && activity_can_run_inside(l->nested[l->num_nested - 1].kind);
  if (!l->lives || (!is_outside && !can_run)) return true;
  if (!put_part(l, c, row, l->seen, find_innermost(l), l->heard)) return false;
  l->seen = ACTIVITY_WAITS;
  l->stack = step->stack;
  l->works = can_run;
  l->is_assumed = l->is_late = false;
  return true;
}

static bool take_event(struct life *l, const struct life_clock *c, const struct step *step,
                       void *row) {
  const struct event_line *line = step->event;
  bool good = true;
  if (line->kind == EVENT_CLASS_INIT_WAIT) return take_class_wait(l, c, step, row);
  if (event_has(line->kind, TRAIT_NEWS)) {
    learn_owner(l, step);
    return true;
  }
  begin_life(l, c, step->time);
  l->left = ACTIVITY_RUNS;
  l->ended = line->kind == EVENT_THREAD_ENDED;
  if (l->ended) return end_life(l, c, step->time, row);
  if (event_is_end(line->kind)) {
    good = end_call(l, c, step, row);
  } else if (event_infos[line->kind].role == ROLE_BEGIN) {
    /* A thread has been in an older call since before its first line. */
    bool is_older = step->origin == STEP_OLDER && !l->has_called;
    good = is_older || move_on(l, c, row, step->time);
    begin_call(l, c, step);
  } else if (find_innermost(l) == NULL) {
    good = move_on(l, c, row, step->time);
    if (l->seen != ACTIVITY_RUNS) assume_running(l);
  }
  l->has_called |= event_is_of_pair(line->kind);
  l->is_late = false;
  l->heard = step->time;
  /* An inferred end has the time of the sample that shows it. */
  if (step->origin != STEP_INFERRED) l->event = step->time;
  return good;
}

/* --- samples ------------------------------------------------------------------------------ */

/* If all contended monitors have events, a thread that a sample shows as blocked outside of them is
   not blocked. The JVM shows the state a little earlier or later than it reports the event. What
   the thread does at that moment is not known. */
static enum activity find_seen(const struct life *l, const struct life_clock *c,
                               const struct step *step) {
  bool is_contradicted = step->activity == ACTIVITY_BLOCKED && c->has_monitors && l->has_called;
  return is_contradicted ? ACTIVITY_NO_CALL : step->activity;
}

/* The thread ran after its last event, for as long as it used CPU time. Then it was in the state of
   the sample. If that runs, though the thread hardly used any CPU time, its state is not known: it
   may have waited for a class. */
static bool put_assumed(struct life *l, const struct life_clock *c, const struct step *step,
                        void *row) {
  enum activity seen = find_seen(l, c, step);
  int64_t cpu_ns = step->sample->cpu_ns;
  bool is_unknown =
      seen == ACTIVITY_HIDDEN || seen == ACTIVITY_NO_CALL || (cpu_ns < 0 && seen != ACTIVITY_RUNS);
  if (is_unknown || c->tick_before > l->heard) return move_on(l, c, row, step->time);
  ticks_t time = step->time > l->at ? step->time - l->at : 0;
  ticks_t used = (ticks_t)cpu_ns * TICKS_PER_NS;
  bool stood = seen == ACTIVITY_RUNS && cpu_ns >= 0 && time > ROUND && used < time / HARDLY;
  if ((seen == ACTIVITY_RUNS && !stood) || used > time) used = time;
  if (!put_part(l, c, row, ACTIVITY_RUNS, NULL, l->at + used)) return false;
  if (stood) seen = ACTIVITY_NO_CALL;
  l->stack = step->stack;
  return put_part(l, c, row, seen, NULL, step->time);
}

/* A long pause for a round delays the next round by seconds. In between, the thread ran for no
   longer than it used CPU time. The rest is in no call if no sample shows its state. */
static bool put_silence(struct life *l, const struct life_clock *c, const struct step *step,
                        void *row) {
  ticks_t used = (ticks_t)step->sample->cpu_ns * TICKS_PER_NS;
  bool has_end = step->sample->state == STATE_TERMINATED;
  bool is_silent = step->time > l->heard && step->time - l->heard >= SILENCE;
  bool runs = l->lives && l->num_nested == 0 && l->seen == ACTIVITY_RUNS && !l->is_late;
  if (!runs || !is_silent || (l->is_assumed && !has_end) || step->sample->cpu_ns < 0) return true;
  if (used >= step->time - l->heard) return true;
  if (!put_part(l, c, row, ACTIVITY_RUNS, NULL, l->heard + used)) return false;
  l->seen = l->is_native || l->is_assumed ? ACTIVITY_NO_CALL : ACTIVITY_RUNNABLE;
  l->works = false;
  return true;
}

/* A sample shows the state when its round began. That state may be over when the line is written. A
   sample that comes late does not bring its thread back to life. */
static bool take_sample(struct life *l, const struct life_clock *c, const struct step *step,
                        void *row) {
  bool good = put_silence(l, c, step, row);
  if (!good || step->sample->state == STATE_TERMINATED)
    return end_life(l, c, step->time, row) && good;
  if (l->ended) return true;
  begin_life(l, c, step->time);
  bool is_outside = l->num_nested == 0;
  bool can_run = !is_outside && activity_can_run_inside(l->nested[l->num_nested - 1].kind);
  bool is_late = l->event >= c->tick && l->event > 0;
  if (!is_late && (is_outside || can_run)) {
    good =
        is_outside && l->is_assumed ? put_assumed(l, c, step, row) : move_on(l, c, row, step->time);
    l->seen = find_seen(l, c, step);
    l->stack = step->stack;
    l->is_assumed = false;
    l->is_native = step->sample->state == STATE_NATIVE;
    l->works = can_run && l->seen == ACTIVITY_RUNS;
  }
  l->late_seen = find_seen(l, c, step);
  l->is_late = is_late && is_outside && (l->left == ACTIVITY_RUNS || l->late_seen != l->left);
  if (l->is_late) {
    l->late_stack = step->stack;
    l->is_native = step->sample->state == STATE_NATIVE;
  }
  l->heard = step->time;
  l->is_sampled = step->sample->state != STATE_UNMOUNTED;
  return good;
}

/* --- the clock ---------------------------------------------------------------------------- */

void life_clock_start(struct life_clock *c, const struct dump *d, ticks_t from, ticks_t to) {
  const struct coverage *coverage = dump_coverage(d);
  *c = (struct life_clock){.from = from,
                           .to = to,
                           .lossy = coverage_is_lossy(coverage),
                           .has_monitors = coverage_has_short_pairs(coverage) &&
                                           coverage_has_group(coverage, GROUP_MONITOR)};
}

/* --- steps -------------------------------------------------------------------------------- */

bool life_clock_take(struct life_clock *c, const struct step *step) {
  const struct sample_line *line = step->sample;
  if (step->time > c->to || (line == NULL && step->event == NULL)) return false;
  if (line == NULL) return true;
  if (line->kind == SAMPLE_TICK) {
    c->tick_before = c->tick;
    c->tick = step->time;
  }
  if (line->kind != SAMPLE_THREAD) return false;
  c->cpu_known |= line->cpu_ns >= 0;
  return true;
}

bool life_take(struct life *l, const struct life_clock *c, const struct step *step, void *row) {
  return step->event != NULL ? take_event(l, c, step, row) : take_sample(l, c, step, row);
}
