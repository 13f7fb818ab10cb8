/* Options that change while a recording runs: by `orca set`, and for a while by a trigger. The
   options in force are those that the user set, changed by the triggers that are on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
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

bool settings_escalate(struct agent *a, JNIEnv *jni, enum trigger trigger, bool is_on, char *error,
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
