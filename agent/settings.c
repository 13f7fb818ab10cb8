/* Options that change while a recording runs: by `orca set`, and for a while by a trigger. The
   options in force are those that the user set, changed by the triggers that are on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/options/changes.h"

#define CHANGE_LIMIT_NS (5 * NS_PER_S)

void settings_begin(struct agent *a) {
  a->set_options = a->first_options = a->recorder.options;
  a->begun_ns = clock_monotonic_ns();
  memset(a->escalations, 0, sizeof a->escalations);
}

/* --- the options in force --------------------------------------------------------------------- */

static bool compute_options(const struct agent *a, const struct options *set, struct options *out,
                            char *error, size_t error_size) {
  *out = *set;
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    struct options before = *out;
    if (!a->escalations[i].is_on || set->trigger.escalations[i].for_ns == 0) continue;
    if (!options_escalate(&before, (enum trigger)i, out, error, error_size)) return false;
  }
  return true;
}

static bool concerns_hooks(const struct change *c) {
  return change_has(c, OPTION_events) || change_has(c, OPTION_locks) ||
         change_has(c, OPTION_monitors) || change_has(c, OPTION_filter) ||
         change_has(c, OPTION_track);
}

/* Makes all parts but the writer follow. On false nothing has changed. */
static bool change_parts(struct agent *a, JNIEnv *jni, const struct change *c) {
  struct options before = a->recorder.options;
  recorder_change(&a->recorder, &c->options);
  bool good =
      !concerns_hooks(c) || a->weave == NULL || weave_engine_change(a->weave, jni, &c->options);
  if (good) {
    parts_change(a, jni);
    sampler_change(&a->sampler);
  } else {
    recorder_change(&a->recorder, &before);
  }
  return good;
}

static bool has_difference(const struct options *a, const struct options *b) {
  bool found = false;
  for (int key = 0; key < NUM_OPTIONS; key++) found |= options_differ(a, b, (enum option_key)key);
  return found;
}

static bool apply_options(struct agent *a, JNIEnv *jni, const struct options *next,
                          const char *cause, char *error, size_t error_size) {
  if (!has_difference(&a->recorder.options, next)) return true;
  struct change *c = change_new(&a->recorder.options, next, cause);
  if (c == NULL) {
    snprintf(error, error_size, "there is no memory for a change");
    return false;
  }
  c->begin_ns = clock_monotonic_ns();
  if (!change_parts(a, jni, c)) {
    snprintf(error, error_size, "this JVM does not let Orca change its hooks; nothing has changed");
    free(c);
    return false;
  }
  c->end_ns = clock_monotonic_ns();
  return writer_change(a->writer, c, CHANGE_LIMIT_NS, error, error_size);
}

/* --- orca set --------------------------------------------------------------------------------- */

bool settings_set(struct agent *a, JNIEnv *jni, const char *words, char *error, size_t error_size) {
  struct options set, next;
  if (!options_change(&a->set_options, words, &set, error, error_size) ||
      !compute_options(a, &set, &next, error, error_size)) {
    return false;
  }
  bool good = apply_options(a, jni, &next, "set", error, error_size);
  if (has_difference(&a->recorder.options, &next)) return false; /* nothing has changed */
  a->set_options = set;
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    if (set.trigger.escalations[i].for_ns == 0) a->escalations[i].is_on = false;
  }
  return good;
}

/* --- triggers --------------------------------------------------------------------------------- */

bool settings_escalate(struct agent *a, JNIEnv *jni, enum trigger trigger, bool is_on, char *error,
                       size_t error_size) {
  struct options next;
  bool before = a->escalations[trigger].is_on;
  a->escalations[trigger].is_on = is_on;
  bool good =
      compute_options(a, &a->set_options, &next, error, error_size) &&
      apply_options(a, jni, &next, is_on ? trigger_names[trigger] : "end", error, error_size);
  if (!good && has_difference(&a->recorder.options, &next)) a->escalations[trigger].is_on = before;
  return good;
}
