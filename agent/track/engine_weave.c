#include "agent/track/engine_weave.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/log.h"
#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/track/our_classes.h"
#include "agent/track/plan.h"
#include "agent/track/rebind.h"
#include "agent/track/tracked_classes.h"

struct weave_engine {
  const struct hooks *hooks;
  struct rebind *rebind;
  struct plan *plan;
  bool weaving;  /* atomic: are classes that are loaded to be woven? */
  bool counting; /* can locks be counted in Java? */
};

/* --- a class that is loaded, or changed ------------------------------------------------------ */

/* The JVM frees what it is given. */
static bool hand_over(jvmtiEnv *ti, const struct builder *woven, unsigned char **out_data,
                      jint *out_len) {
  unsigned char *copy = NULL;
  if ((*ti)->Allocate(ti, (jlong)woven->len, &copy) != JVMTI_ERROR_NONE) return false;
  memcpy(copy, woven->data, woven->len);
  *out_data = copy;
  *out_len = (jint)woven->len;
  return true;
}

void weave_engine_load(struct weave_engine *e, jobject loader, const char *name,
                       const unsigned char *data, jint len, unsigned char **out_data,
                       jint *out_len) {
  if (name == NULL || !__atomic_load_n(&e->weaving, __ATOMIC_ACQUIRE)) return;
  struct builder woven = {0};
  struct span class_file = {(const char *)data, (size_t)len}, class_name = {name, strlen(name)};
  if (plan_weave(e->plan, class_name, loader == NULL, class_file, &woven) &&
      !hand_over(e->hooks->ti, &woven, out_data, out_len)) {
    log_line("no memory for the hooks of %s", name);
  }
  builder_free(&woven);
}

/* --- the classes that are loaded already ----------------------------------------------------- */

/* Those that are to be changed, and natives on the way. */
struct walk {
  struct weave_engine *engine;
  JNIEnv *jni;
  jclass *classes;
  jint num_classes, capacity;
  /* Of the class at hand: did the user choose it, has it rows, and one that is not native? */
  bool is_chosen, has_rows, has_java;
};

static bool wants_class(void *arg, const char *signature, bool is_boot) {
  struct walk *w = arg;
  const struct plan *plan = w->engine->plan;
  struct span name = {signature + 1, strlen(signature) - 2}; /* of "Ljava/lang/Object;" */
  w->is_chosen = plan_has_chosen(plan, name, is_boot);
  return w->is_chosen || plan_has_class(plan, name, is_boot);
}

static void collect_method(void *arg, jmethodID method, int row) {
  struct walk *w = arg;
  struct weave_engine *e = w->engine;
  jboolean native = JNI_FALSE;
  const char *why = NULL;
  if (!plan_wants(e->plan, row)) return;
  (*e->hooks->ti)->IsMethodNative(e->hooks->ti, method, &native);
  w->has_rows = true;
  if (!native) w->has_java = true;
  if (native && !rebind_add(e->rebind, row, &why)) plan_missing(e->plan, row, why);
}

static bool has_room(struct walk *w) {
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

/* A class of which only natives are tracked stays as it is: each that is changed costs time, and
   its natives would have to be bound anew. */
static void collect_class(void *arg, jclass klass) {
  struct walk *w = arg;
  w->has_rows = w->has_java = false;
  tracked_methods(w->engine->hooks->ti, w->jni, klass, collect_method, w);
  if (w->has_rows && !w->has_java && !w->is_chosen) return;
  if (has_room(w)) w->classes[w->num_classes++] = (*w->jni)->NewLocalRef(w->jni, klass);
}

static void collect(struct walk *w) {
  loaded_classes(w->engine->hooks->ti, w->jni, wants_class, collect_class, w);
}

static bool retransform(struct walk *w) {
  jvmtiEnv *ti = w->engine->hooks->ti;
  return w->num_classes == 0 ||
         (*ti)->RetransformClasses(ti, w->num_classes, w->classes) == JVMTI_ERROR_NONE;
}

static void forget(struct walk *w) {
  for (jint i = 0; i < w->num_classes; i++) (*w->jni)->DeleteLocalRef(w->jni, w->classes[i]);
  free(w->classes);
}

/* Tracked methods are all defined, whether they are called or not. */
static void define_method(void *arg, jmethodID method, int row) {
  struct walk *w = arg;
  const struct hooks *h = w->engine->hooks;
  if (!plan_wants(w->engine->plan, row)) return;
  method_id(&h->threads->recorder->meta, h->ti, w->jni, method);
}

static void define_class(void *arg, jclass klass) {
  struct walk *w = arg;
  tracked_methods(w->engine->hooks->ti, w->jni, klass, define_method, w);
}

void weave_engine_class(struct weave_engine *e, JNIEnv *jni, jclass klass) {
  struct walk w = {.engine = e, .jni = jni};
  define_class(&w, klass);
}

/* --- what could not be hooked ---------------------------------------------------------------- */

static void add_to_line(void *arg, const char *what) {
  struct builder *line = arg;
  builder_string(line, line->len == 0 ? "not recorded: " : "; ");
  builder_string(line, what);
}

/* All of it in one line. */
static void say_missing(const struct weave_engine *e) {
  struct builder line = {0};
  plan_each_missing(e->plan, add_to_line, &line);
  if (line.len > 0) log_line("%.*s", (int)line.len, line.data);
  builder_free(&line);
}

static void add_to_info(void *arg, const char *what) {
  info_line_write(arg, "hooks.missing", what);
}

/* Before 17 locks begin to be acquired in another way than OrcaLocks does. */
void weave_engine_info(const struct weave_engine *e, struct builder *info) {
  if (!e->counting) info_line_write(info, "locks.in.force", "all; of StampedLock waits");
  plan_each_missing(e->plan, add_to_info, info);
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
  e->plan = plan_new();
  return e->rebind == NULL || e->plan == NULL ? NULL : e;
}

bool weave_engine_start(struct weave_engine *e, JNIEnv *jni) {
  struct walk w = {.engine = e, .jni = jni};
  plan_begin(e->plan, &e->hooks->threads->recorder->options);
  collect(&w);
  /* The natives first: a woven method that is called before they are bound would throw. */
  bool good = our_classes_bind(e->hooks, e->rebind, jni, true);
  e->counting = good && our_classes_count(e->hooks, jni);
  if (e->counting) plan_count(e->plan);
  __atomic_store_n(&e->weaving, good, __ATOMIC_RELEASE);
  if (good) {
    switch_event(e, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, true);
    switch_event(e, JVMTI_EVENT_CLASS_PREPARE, true);
    good = retransform(&w);
    tracked_classes(e->hooks->ti, jni, define_class, &w);
  }
  forget(&w);
  say_missing(e);
  return good;
}

/* The natives first here, too: a class that is changed once more takes its natives along, and code
   that was compiled to call those of the class as it was would go on to call ours. */
void weave_engine_stop(struct weave_engine *e, JNIEnv *jni) {
  struct walk w = {.engine = e, .jni = jni};
  if (!__atomic_exchange_n(&e->weaving, false, __ATOMIC_ACQ_REL)) return;
  collect(&w);
  our_classes_bind(e->hooks, e->rebind, jni, false);
  retransform(&w); /* nothing is woven now: the JVM puts back what the class file says */
  switch_event(e, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, false);
  switch_event(e, JVMTI_EVENT_CLASS_PREPARE, false);
  forget(&w);
}
