#include "agent/track/engine_weave.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/options/changes.h"
#include "agent/track/java_classes.h"
#include "agent/track/plan.h"
#include "agent/track/rebind.h"
#include "agent/track/tracked_classes.h"

struct weave_engine {
  const struct hooks *hooks;
  struct rebind *rebind;
  struct plan *plan;
  bool is_weaving; /* atomic; classes are woven when they are loaded or retransformed */
};

/* --- classes that are loaded or retransformed ------------------------------------------------ */

void weave_engine_transform_class(struct weave_engine *e, jobject loader, const char *name,
                                  const unsigned char *data, jint len, unsigned char **out_data,
                                  jint *out_len) {
  if (name == NULL || !__atomic_load_n(&e->is_weaving, __ATOMIC_ACQUIRE)) return;
  struct builder woven = {0};
  struct span class_file = {(const char *)data, (size_t)len}, class_name = {name, strlen(name)};
  if (plan_weave(e->plan, class_name, loader == NULL, class_file, &woven)) {
    jvmtiEnv *ti = e->hooks->ti;
    unsigned char *copy = NULL; /* the JVM frees it */
    if ((*ti)->Allocate(ti, (jlong)woven.len, &copy) == JVMTI_ERROR_NONE) {
      memcpy(copy, woven.data, woven.len);
      *out_data = copy;
      *out_len = (jint)woven.len;
    } else {
      log_line("no memory for the hooks of %s", name);
    }
  }
  builder_free(&woven);
}

/* --- classes that are loaded already --------------------------------------------------------- */

/* Collects the classes to retransform, and marks natives for binding. */
struct walk {
  struct weave_engine *engine;
  JNIEnv *jni;
  jclass *classes; /* local references */
  jint num_classes, capacity;
  /* About the current class: */
  bool is_selected; /* the user selected it */
  bool has_rows;    /* some of its methods are rows of tracked.def */
  bool has_java;    /* one of these methods is not native */
};

static bool wants_class(void *arg, const char *signature, bool is_boot) {
  struct walk *w = arg;
  const struct plan *plan = w->engine->plan;
  struct span name = {signature + 1, strlen(signature) - 2}; /* of "Ljava/lang/Object;" */
  w->is_selected = plan_is_class_selected(plan, name, is_boot);
  return w->is_selected || plan_wants_class(plan, name, is_boot);
}

/* Natives are marked even if their events are not wanted. If a class is retransformed while a
   native of it is bound to the JVM's function, compiled code may call this function for ever. Then
   later recordings miss these calls (docs/jvm-facts.md). */
static void collect_method(void *arg, jmethodID method, int row) {
  struct walk *w = arg;
  struct weave_engine *e = w->engine;
  jboolean is_native = JNI_FALSE;
  const char *reason = NULL;
  bool is_wanted = plan_wants_row(e->plan, row);
  (*e->hooks->ti)->IsMethodNative(e->hooks->ti, method, &is_native);
  bool is_missing = is_native && !rebind_add(e->rebind, row, &reason);
  if (!is_wanted) return;
  w->has_rows = true;
  if (!is_native) w->has_java = true;
  if (is_missing) plan_set_missing(e->plan, row, reason);
}

static bool make_room(struct walk *w) {
  if (w->num_classes < w->capacity) return true;
  jint capacity = 2 * w->capacity + 64;
  jclass *grown = memory_resize(w->classes, (size_t)capacity * sizeof *grown);
  if (grown == NULL || (*w->jni)->EnsureLocalCapacity(w->jni, capacity) != JNI_OK) {
    (*w->jni)->ExceptionClear(w->jni);
    if (grown != NULL) w->classes = grown;
    return false;
  }
  w->classes = grown;
  w->capacity = capacity;
  return true;
}

/* A class whose tracked methods are all native is not retransformed. That would cost time, and its
   natives would have to be bound again. */
static void collect_class(void *arg, jclass klass) {
  struct walk *w = arg;
  w->has_rows = w->has_java = false;
  visit_tracked_methods(w->engine->hooks->ti, w->jni, klass, collect_method, w);
  if (w->has_rows && !w->has_java && !w->is_selected) return;
  if (make_room(w)) w->classes[w->num_classes++] = (*w->jni)->NewLocalRef(w->jni, klass);
}

static void collect_classes(struct walk *w) {
  visit_loaded_classes(w->engine->hooks->ti, w->jni, wants_class, collect_class, w);
}

static void release_classes(struct walk *w) {
  for (jint i = 0; i < w->num_classes; i++) (*w->jni)->DeleteLocalRef(w->jni, w->classes[i]);
  free(w->classes);
}

static void recollect_classes(struct walk *w) {
  release_classes(w);
  *w = (struct walk){.engine = w->engine, .jni = w->jni};
  collect_classes(w);
}

static bool retransform_classes(struct walk *w) {
  jvmtiEnv *ti = w->engine->hooks->ti;
  return w->num_classes == 0 ||
         (*ti)->RetransformClasses(ti, w->num_classes, w->classes) == JVMTI_ERROR_NONE;
}

/* Each tracked method is defined in .meta, whether it is called or not. */
static void define_method(void *arg, jmethodID method, int row) {
  struct walk *w = arg;
  const struct hooks *h = w->engine->hooks;
  if (!plan_wants_row(w->engine->plan, row)) return;
  method_id(&h->threads->recorder->meta, h->ti, w->jni, method);
  if (h->young != NULL) young_watch_add_method(h->young, row, method);
}

static void define_class(void *arg, jclass klass) {
  struct walk *w = arg;
  visit_tracked_methods(w->engine->hooks->ti, w->jni, klass, define_method, w);
}

void weave_engine_define_methods(struct weave_engine *e, JNIEnv *jni, jclass klass) {
  struct walk w = {.engine = e, .jni = jni};
  define_class(&w, klass);
}

static struct recording_figures *get_figures(const struct weave_engine *e) {
  return &e->hooks->threads->recorder->figures;
}

/* --- methods that could not be hooked -------------------------------------------------------- */

static void add_to_line(void *arg, const char *missing) {
  struct builder *line = arg;
  builder_string(line, line->len == 0 ? "not recorded: " : "; ");
  builder_string(line, missing);
}

/* Logs one line for all of them. */
static void log_missing(const struct weave_engine *e) {
  struct builder line = {0};
  missing_hooks_visit(&get_figures(e)->missing_hooks, add_to_line, &line);
  if (line.len > 0) log_line("%.*s", (int)line.len, line.data);
  builder_free(&line);
}

/* --- start and stop -------------------------------------------------------------------------- */

static void switch_event(struct weave_engine *e, jvmtiEvent event, bool on) {
  jvmtiEnv *ti = e->hooks->ti;
  (*ti)->SetEventNotificationMode(ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL);
}

struct weave_engine *weave_engine_new(const struct hooks *hooks) {
  struct weave_engine *e = memory_new_zeroed(1, sizeof *e);
  if (e == NULL) return NULL;
  e->hooks = hooks;
  e->rebind = rebind_new(hooks);
  e->plan = plan_new(&get_figures(e)->missing_hooks);
  return e->rebind == NULL || e->plan == NULL ? NULL : e;
}

/* In a JVM whose locks are not as OrcaLocks expects, each acquisition is recorded. */
bool weave_engine_start(struct weave_engine *e, JNIEnv *jni) {
  struct walk w = {.engine = e, .jni = jni};
  plan_begin(e->plan, &e->hooks->threads->recorder->options);
  collect_classes(&w);
  /* Bind first: a woven method that is called before the hooks' natives are bound would throw. */
  bool good = java_classes_bind(e->hooks, e->rebind, jni, true);
  bool can_count = good && java_classes_start_counting(e->hooks, jni);
  if (can_count) plan_enable_counting(e->plan);
  figure_set_text(&get_figures(e)->locks_in_force,
                  good && !can_count ? "all (StampedLock: waits)" : NULL);
  __atomic_store_n(&e->is_weaving, good, __ATOMIC_RELEASE);
  if (good) {
    switch_event(e, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, true);
    switch_event(e, JVMTI_EVENT_CLASS_PREPARE, true);
    recollect_classes(&w); /* OrcaLocks has loaded more of them */
    good = retransform_classes(&w);
    visit_tracked_classes(e->hooks->ti, jni, define_class, &w);
  }
  release_classes(&w);
  log_missing(e);
  return good;
}

static bool has_class_changed(void *arg, const char *signature, bool is_boot) {
  struct walk *w = arg;
  const struct plan *plan = w->engine->plan;
  struct span name = {signature + 1, strlen(signature) - 2};
  w->is_selected = plan_is_class_selected(plan, name, is_boot);
  return plan_has_changed(plan, name, is_boot);
}

/* A class without wanted rows is collected too: its hooks are removed. */
static bool change_hooks(struct weave_engine *e, JNIEnv *jni, const struct options *options) {
  struct walk w = {.engine = e, .jni = jni};
  java_classes_skip_new_locks(jni, options->threshold > 0);
  plan_change(e->plan, options);
  visit_loaded_classes(e->hooks->ti, jni, has_class_changed, collect_class, &w);
  bool good = !rebind_has_new(e->rebind) || java_classes_bind(e->hooks, e->rebind, jni, true);
  good = good && retransform_classes(&w);
  release_classes(&w);
  return good;
}

/* Whether there is a threshold decides which locks are hooked when they are made, and counted. */
static bool concerns_hooks(const struct options *a, const struct options *b) {
  return (options_compare(a, b) & options_followed_by(FOLLOWER_HOOKS)) != 0 ||
         (a->threshold > 0) != (b->threshold > 0);
}

bool weave_engine_change(struct weave_engine *e, JNIEnv *jni, const struct options *options) {
  struct walk w = {.engine = e, .jni = jni};
  if (!concerns_hooks(plan_options(e->plan), options)) return true;
  struct options *before = memory_new(sizeof *before);
  if (before == NULL) return false;
  *before = *plan_options(e->plan);
  bool good = change_hooks(e, jni, options);
  if (!good) change_hooks(e, jni, before);
  free(before);
  if (good) visit_tracked_classes(e->hooks->ti, jni, define_class, &w);
  return good;
}

/* The natives are bound back last: they must be Orca's while classes are retransformed, too. See
   collect_method. */
void weave_engine_stop(struct weave_engine *e, JNIEnv *jni) {
  struct walk w = {.engine = e, .jni = jni};
  if (!__atomic_exchange_n(&e->is_weaving, false, __ATOMIC_ACQ_REL)) return;
  collect_classes(&w);
  retransform_classes(&w); /* is_weaving is false: this restores the original classes */
  java_classes_bind(e->hooks, e->rebind, jni, false);
  switch_event(e, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, false);
  switch_event(e, JVMTI_EVENT_CLASS_PREPARE, false);
  release_classes(&w);
}
