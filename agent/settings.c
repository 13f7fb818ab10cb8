/* Options that change while a recording runs: by `orca set`, and for a while by a trigger. The
   options in force are those that the user set, changed by the triggers that are on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/options/changes.h"

#define CHANGE_LIMIT_NS (5 * NS_PER_S)

void settings_begin(struct agent *a) {
  a->set_options = a->first_options = a->recorder.options;
  a->begun_ns = clock_monotonic_ns();
  a->end_at_ns = a->set_options.duration > 0 ? a->begun_ns + a->set_options.duration : 0;
  memset(a->escalations, 0, sizeof a->escalations);
}

/* --- the options in force --------------------------------------------------------------------- */

/* Not on the stack: the threads of a program can have small ones, and the JVM parses classes below.
 */
struct step {
  struct options set;    /* by the user */
  struct options next;   /* that shall be in force */
  struct options before; /* that were */
};

/* Returns NULL, with the reason in `error`, without memory. The caller frees it. */
static struct step *new_step(const struct agent *a, char *error, size_t error_size) {
  struct step *s = memory_new(sizeof *s);
  if (s == NULL) {
    snprintf(error, error_size, "there is no memory for a change");
    return NULL;
  }
  s->set = s->next = a->set_options;
  s->before = a->recorder.options;
  return s;
}

/* Computes `next` from `set` and the triggers that are on. */
static bool compute_next(const struct agent *a, struct step *s, char *error, size_t error_size) {
  s->next = s->set;
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    if (!a->escalations[i].is_on || s->set.trigger.escalations[i].for_ns == 0) continue;
    s->before = s->next;
    if (!options_escalate(&s->before, (enum trigger)i, &s->next, error, error_size)) return false;
  }
  s->before = a->recorder.options;
  return true;
}

/* Puts `next` in force. On false, is_in_force tells whether it is. */
static bool apply_step(struct agent *a, JNIEnv *jni, const struct step *s, const char *cause,
                       char *error, size_t error_size) {
  if (options_compare(&s->before, &s->next) == 0) return true;
  if (writer_is_behind(a->writer)) { /* nothing may change that the files would not say */
    snprintf(error, error_size, "the last snapshot or change has not begun yet");
    return false;
  }
  struct change *c = change_new(&s->before, &s->next, cause);
  if (c == NULL) {
    snprintf(error, error_size, "there is no memory for a change");
    return false;
  }
  c->begin_ns = clock_monotonic_ns();
  if (!parts_change(a, jni, &s->before, &s->next)) {
    snprintf(error, error_size, "this JVM does not let Orca change its hooks; nothing has changed");
    free(c);
    return false;
  }
  c->end_ns = clock_monotonic_ns();
  return writer_change(a->writer, c, CHANGE_LIMIT_NS, error, error_size);
}

static bool is_in_force(const struct agent *a, const struct step *s) {
  return options_compare(&a->recorder.options, &s->next) == 0;
}

/* --- orca set --------------------------------------------------------------------------------- */

static void keep_set_options(struct agent *a, const struct step *s) {
  a->set_options = s->set;
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    if (s->set.trigger.escalations[i].for_ns == 0) a->escalations[i].is_on = false;
  }
}

bool settings_set(struct agent *a, JNIEnv *jni, const char *words, char *error, size_t error_size) {
  struct step *s = new_step(a, error, error_size);
  bool good = s != NULL && options_change(&a->set_options, words, &s->set, error, error_size) &&
              compute_next(a, s, error, error_size);
  if (good) {
    good = apply_step(a, jni, s, "set", error, error_size);
    if (is_in_force(a, s)) keep_set_options(a, s);
  }
  free(s);
  return good;
}

/* --- triggers --------------------------------------------------------------------------------- */

/* Begins or ends what the trigger changes for a while. On false `error` contains one sentence. */
static bool escalate(struct agent *a, JNIEnv *jni, enum trigger trigger, bool is_on, char *error,
                     size_t error_size) {
  struct step *s = new_step(a, error, error_size);
  bool was_on = a->escalations[trigger].is_on;
  a->escalations[trigger].is_on = is_on;
  bool good = s != NULL && compute_next(a, s, error, error_size);
  bool is_computed = good;
  if (good) {
    const char *cause = is_on ? trigger_names[trigger] : "end";
    good = apply_step(a, jni, s, cause, error, error_size);
  }
  if (!good && !(is_computed && is_in_force(a, s))) a->escalations[trigger].is_on = was_on;
  free(s);
  return good;
}

/* --- the thread that follows triggers --------------------------------------------------------- */

/* It changes options for a while when a trigger has fired (trigger=cpu>90%:locks=all,for=30s). The
   writer notes that it fired, but may not call the JVM. */
static void say_begin(const struct agent *a, enum trigger trigger) {
  const struct escalation *e = &a->set_options.trigger.escalations[trigger];
  log_line("trigger %s: for %g s from now on %s", trigger_names[trigger],
           (double)e->for_ns / NS_PER_S, e->words);
}

static void begin_escalation(struct agent *a, JNIEnv *jni, enum trigger trigger) {
  char error[1000];
  if (escalate(a, jni, trigger, true, error, sizeof error)) {
    say_begin(a, trigger);
  } else {
    log_line("trigger %s: its options are not in force: %s", trigger_names[trigger], error);
  }
}

static void end_escalation(struct agent *a, JNIEnv *jni, enum trigger trigger) {
  char error[1000];
  if (escalate(a, jni, trigger, false, error, sizeof error)) {
    log_line("trigger %s: its time is over; the options are as before", trigger_names[trigger]);
  } else {
    log_line("trigger %s: its time is over, but its options stay in force: %s",
             trigger_names[trigger], error);
    a->escalations[trigger].until_ns = clock_monotonic_ns() + NS_PER_S; /* then try again */
  }
}

/* A trigger that fires while its options are in force extends their time. */
static void follow_trigger(struct agent *a, JNIEnv *jni, enum trigger trigger, bool has_fired) {
  uint64_t now = clock_monotonic_ns(), for_ns = a->set_options.trigger.escalations[trigger].for_ns;
  bool is_on = a->escalations[trigger].is_on;
  if (has_fired && for_ns > 0) {
    a->escalations[trigger].until_ns = now + for_ns;
    if (!is_on) begin_escalation(a, jni, trigger);
  } else if (is_on && now >= a->escalations[trigger].until_ns) {
    end_escalation(a, jni, trigger);
  }
}

/* Returns when the first time is over; UINT64_MAX: no trigger is on. */
static uint64_t find_next_end(const struct agent *a) {
  uint64_t next = clock_monotonic_ns() + 3600 * NS_PER_S;
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    bool is_next = a->escalations[i].is_on && a->escalations[i].until_ns < next;
    if (is_next) next = a->escalations[i].until_ns;
  }
  return next;
}

static void run_escalations(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct agent *a = arg;
  uint64_t next_ns = clock_monotonic_ns();
  (void)ti;
  while (agent_thread_sleep(self, 0)) {
    uint32_t fired = firings_wait(&a->firings, next_ns);
    if (!control_lock(a, self)) return;
    for (int i = 0; i < NUM_TRIGGERS && a->state == AGENT_RECORDING; i++) {
      follow_trigger(a, jni, (enum trigger)i, (fired >> i & 1) != 0);
    }
    next_ns = find_next_end(a);
    semaphore_post(&a->control);
  }
}

bool escalation_start(struct agent *a, JNIEnv *jni) {
  if (a->escalator.ready && agent_thread_is_running(&a->escalator)) return true;
  firings_reset(&a->firings);
  return agent_thread_start(&a->escalator, "Orca escalation", &a->threads, a->ti, jni,
                            run_escalations, a);
}

void escalation_stop(struct agent *a) {
  firings_end(&a->firings);
  agent_thread_stop(&a->escalator, NS_PER_S);
}
