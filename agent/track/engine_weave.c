#include "agent/track/engine_weave.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/log.h"
#include "agent/classfile/weave.h"
#include "agent/event/line.h"
#include "agent/track/hook_classes.h"
#include "agent/track/hooks.h"
#include "agent/track/rebind.h"
#include "agent/track/tracked_classes.h"

#define HOOK_CLASS "java/lang/OrcaHook"
#define BOOT_CLASS "OrcaBoot"
#define MAX_ROWS 64

struct weave_engine {
  struct threads *threads;
  jvmtiEnv *ti;
  struct rebind *rebind;
  bool weaving;              /* atomic: are classes that are loaded to be woven? */
  bool bind_to_ours;         /* what OrcaBoot.bind does next */
  bool bound;                /* what it did */
  const char *why[MAX_ROWS]; /* a row that could not be hooked, and the reason; atomic */
};

/* A native of OrcaHook or OrcaBoot gets no pointer of ours. Set once, before they are bound. */
static struct weave_engine *engine;

/* --- the hooks that woven methods call -----------------------------------------------------------
 */

static bool is_row(jint row) { return row >= 0 && row < num_tracked; }

static void JNICALL hook_enter_native(JNIEnv *jni, jclass hook, jobject object, jint row) {
  (void)hook;
  struct context *c =
      is_row(row) ? hook_enter(engine->threads, engine->ti, jni, HOOK_CALLED) : NULL;
  if (c == NULL) return;
  hook_record(engine->threads, engine->ti, jni, c, &tracked[row], object, HOOK_CALLED);
}

static void JNICALL hook_exit_native(JNIEnv *jni, jclass hook, jint row) {
  (void)jni, (void)hook;
  if (is_row(row)) hook_exit(engine->threads, engine->ti);
}

static void JNICALL bind_from_here(JNIEnv *jni, jclass boot) {
  (void)boot;
  JNINativeMethod natives[] = {{"enter", "(Ljava/lang/Object;I)V", (void *)hook_enter_native},
                               {"exit", "(I)V", (void *)hook_exit_native}};
  jclass hook = (*jni)->FindClass(jni, HOOK_CLASS);
  engine->bound = hook != NULL && (*jni)->RegisterNatives(jni, hook, natives, 2) == JNI_OK &&
                  rebind_bind(engine->rebind, jni, engine->bind_to_ours);
  (*jni)->ExceptionClear(jni);
}

/* --- our classes in the JVM
 * --------------------------------------------------------------------------- */

/* A class of ours, defined in the boot loader unless an earlier start did that. NULL on failure. */
static jclass boot_class(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t len) {
  jclass klass = (*jni)->DefineClass(jni, name, NULL, (const jbyte *)bytes, (jsize)len);
  if (klass != NULL) return klass;
  (*jni)->ExceptionClear(jni);
  klass = (*jni)->FindClass(jni, name);
  (*jni)->ExceptionClear(jni);
  return klass;
}

static bool clear_exception(JNIEnv *jni) {
  if (!(*jni)->ExceptionCheck(jni)) return false;
  (*jni)->ExceptionClear(jni);
  return true;
}

/* No stack shall show the hooks. */
static void hide_hooks(struct weave_engine *e, JNIEnv *jni, jclass hook) {
  jmethodID *hidden = e->threads->recorder->meta.hook_methods;
  hidden[0] = (*jni)->GetStaticMethodID(jni, hook, "enter", "(Ljava/lang/Object;I)V");
  if (clear_exception(jni)) hidden[0] = NULL;
  hidden[1] = (*jni)->GetStaticMethodID(jni, hook, "exit", "(I)V");
  if (clear_exception(jni)) hidden[1] = NULL;
}

static void call_boot(JNIEnv *jni, jclass boot) {
  JNINativeMethod native = {"bindFromHere", "()V", (void *)bind_from_here};
  jint bound = (*jni)->RegisterNatives(jni, boot, &native, 1);
  if (clear_exception(jni) || bound != JNI_OK) return;
  jmethodID method = (*jni)->GetStaticMethodID(jni, boot, "bind", "()V");
  if (clear_exception(jni)) return;
  (*jni)->CallStaticVoidMethod(jni, boot, method);
  clear_exception(jni);
}

/* Binds from a Java frame of a boot class; see OrcaBoot.java. */
static bool bind(struct weave_engine *e, JNIEnv *jni, bool to_ours) {
  jclass boot = boot_class(jni, BOOT_CLASS, boot_bytes, sizeof boot_bytes);
  jclass hook = boot_class(jni, HOOK_CLASS, hook_bytes, sizeof hook_bytes);
  e->bound = false;
  e->bind_to_ours = to_ours;
  if (boot != NULL && hook != NULL) {
    hide_hooks(e, jni, hook);
    call_boot(jni, boot);
  }
  if (boot != NULL) (*jni)->DeleteLocalRef(jni, boot);
  if (hook != NULL) (*jni)->DeleteLocalRef(jni, hook);
  return e->bound;
}

/* --- weaving
 * --------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct weave_engine *e, int row) {
  return (e->threads->recorder->options.events >> event_infos[tracked[row].entry].group & 1) != 0;
}

static void set_why(struct weave_engine *e, int row, const char *why) {
  __atomic_store_n(&e->why[row], why, __ATOMIC_RELEASE);
}

static size_t requests_for(const struct weave_engine *e, const char *class_name,
                           struct weave_request *requests) {
  size_t n = 0;
  for (int row = 0; row < num_tracked; row++) {
    if (strcmp(tracked[row].class_name, class_name) != 0 || !is_wanted(e, row)) continue;
    requests[n++] = (struct weave_request){
        .name = tracked[row].name,
        .descriptor = tracked[row].descriptor,
        .hooking = {.id = row,
                    .enter = tracked[row].about == ABOUT_THIS ? ENTER_FIRST : ENTER_NULL,
                    .exit = EXIT_PLAIN}};
  }
  return n;
}

static void note_statuses(struct weave_engine *e, const struct weave_request *requests, size_t n) {
  for (size_t i = 0; i < n; i++) {
    enum weave_status s = requests[i].status;
    bool fine = s == WEAVE_WOVEN || s == WEAVE_ABSENT || s == WEAVE_NO_CODE;
    if (!fine) set_why(e, requests[i].hooking.id, weave_status_text(s));
  }
}

/* The woven class cannot be handed to the JVM. */
static void refuse(struct weave_request *requests, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (requests[i].status == WEAVE_WOVEN) requests[i].status = WEAVE_NO_MEMORY;
  }
}

void weave_engine_load(struct weave_engine *e, jobject loader, const char *name,
                       const unsigned char *data, jint len, unsigned char **out_data,
                       jint *out_len) {
  static const struct weave_hooks hooks = {
      .class_name = HOOK_CLASS, .enter = "enter", .exit = "exit"};
  struct weave_request requests[MAX_ROWS];
  if (loader != NULL || name == NULL || !__atomic_load_n(&e->weaving, __ATOMIC_ACQUIRE)) return;
  size_t n = requests_for(e, name, requests);
  if (n == 0) return;
  struct builder woven = {0};
  struct span class_file = {(const char *)data, (size_t)len};
  if (weave_class(class_file, &hooks, requests, n, &woven) == WEAVE_WOVEN) {
    unsigned char *copy = NULL; /* the JVM frees it */
    if ((*e->ti)->Allocate(e->ti, (jlong)woven.len, &copy) == JVMTI_ERROR_NONE) {
      memcpy(copy, woven.data, woven.len);
      *out_data = copy;
      *out_len = (jint)woven.len;
    } else {
      refuse(requests, n);
    }
  }
  note_statuses(e, requests, n);
  builder_free(&woven);
}

/* --- start and stop
 * -------------------------------------------------------------------------------------- */

/* The loaded classes that have rows which are wanted. */
struct walk {
  struct weave_engine *engine;
  JNIEnv *jni;
  jclass classes[MAX_ROWS];
  jint num_classes;
};

static void collect_method(void *arg, jmethodID method, int row) {
  struct weave_engine *e = ((struct walk *)arg)->engine;
  jboolean native = JNI_FALSE;
  const char *why = NULL;
  (*e->ti)->IsMethodNative(e->ti, method, &native);
  if (native && is_wanted(e, row) && !rebind_add(e->rebind, row, &why)) set_why(e, row, why);
}

static bool is_class_wanted(const struct weave_engine *e, jclass klass) {
  struct weave_request requests[MAX_ROWS];
  char *signature = NULL;
  if ((*e->ti)->GetClassSignature(e->ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return false;
  signature[strlen(signature) - 1] = '\0'; /* of "Ljava/lang/Object;" the name */
  bool wanted = requests_for(e, signature + 1, requests) > 0;
  (*e->ti)->Deallocate(e->ti, (unsigned char *)signature);
  return wanted;
}

static void collect_class(void *arg, jclass klass) {
  struct walk *w = arg;
  if (w->num_classes == MAX_ROWS || !is_class_wanted(w->engine, klass)) return;
  w->classes[w->num_classes++] = (*w->jni)->NewLocalRef(w->jni, klass);
  tracked_methods(w->engine->ti, w->jni, klass, collect_method, w);
}

static bool retransform(struct walk *w) {
  jvmtiEnv *ti = w->engine->ti;
  return w->num_classes == 0 ||
         (*ti)->RetransformClasses(ti, w->num_classes, w->classes) == JVMTI_ERROR_NONE;
}

static void forget(struct walk *w) {
  for (jint i = 0; i < w->num_classes; i++) (*w->jni)->DeleteLocalRef(w->jni, w->classes[i]);
}

static void switch_event(struct weave_engine *e, jvmtiEvent event, bool on) {
  (*e->ti)->SetEventNotificationMode(e->ti, on ? JVMTI_ENABLE : JVMTI_DISABLE, event, NULL);
}

/* Tracked methods are all defined, whether they are called or not. */
static void define_method(void *arg, jmethodID method, int row) {
  struct walk *w = arg;
  if (!is_wanted(w->engine, row)) return;
  method_id(&w->engine->threads->recorder->meta, w->engine->ti, w->jni, method);
}

static void define_class(void *arg, jclass klass) {
  struct walk *w = arg;
  tracked_methods(w->engine->ti, w->jni, klass, define_method, w);
}

void weave_engine_class(struct weave_engine *e, JNIEnv *jni, jclass klass) {
  struct walk w = {.engine = e, .jni = jni};
  define_class(&w, klass);
}

struct weave_engine *weave_engine_new(struct threads *threads, jvmtiEnv *ti) {
  struct weave_engine *e = calloc(1, sizeof *e);
  if (e == NULL) return NULL;
  e->threads = threads;
  e->ti = ti;
  e->rebind = rebind_new(threads, ti);
  engine = e;
  return e->rebind == NULL ? NULL : e;
}

/* All rows that could not be hooked, in one line. */
static void say_missing(const struct weave_engine *e) {
  struct builder line = {0};
  for (int row = 0; row < num_tracked; row++) {
    const char *why = __atomic_load_n(&e->why[row], __ATOMIC_ACQUIRE);
    if (why == NULL) continue;
    builder_string(&line, line.len == 0 ? "not recorded: " : "; ");
    tracked_print(&line, row);
    builder_string(&line, ": ");
    builder_string(&line, why);
  }
  if (line.len > 0) log_line("%.*s", (int)line.len, line.data);
  builder_free(&line);
}

bool weave_engine_start(struct weave_engine *e, JNIEnv *jni) {
  struct walk w = {.engine = e, .jni = jni};
  memset(e->why, 0, sizeof e->why);
  if ((*jni)->EnsureLocalCapacity(jni, 2 * MAX_ROWS) != JNI_OK) (*jni)->ExceptionClear(jni);
  tracked_classes(e->ti, jni, collect_class, &w);
  /* The natives first: a woven method that is called before they are bound would throw. */
  bool good = bind(e, jni, true);
  __atomic_store_n(&e->weaving, good, __ATOMIC_RELEASE);
  if (good) {
    switch_event(e, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, true);
    switch_event(e, JVMTI_EVENT_CLASS_PREPARE, true);
    good = retransform(&w);
    tracked_classes(e->ti, jni, define_class, &w);
  }
  forget(&w);
  say_missing(e);
  return good;
}

void weave_engine_stop(struct weave_engine *e, JNIEnv *jni) {
  struct walk w = {.engine = e, .jni = jni};
  if (!__atomic_exchange_n(&e->weaving, false, __ATOMIC_ACQ_REL)) return;
  tracked_classes(e->ti, jni, collect_class, &w);
  retransform(&w); /* nothing is woven now: the JVM puts back what the class file says */
  bind(e, jni, false);
  switch_event(e, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, false);
  switch_event(e, JVMTI_EVENT_CLASS_PREPARE, false);
  forget(&w);
}

void weave_engine_info(const struct weave_engine *e, struct builder *info) {
  for (int row = 0; row < num_tracked; row++) {
    const char *why = __atomic_load_n(&e->why[row], __ATOMIC_ACQUIRE);
    if (why == NULL) continue;
    struct builder value = {0};
    tracked_print(&value, row);
    builder_string(&value, ": ");
    builder_string(&value, why);
    builder_char(&value, '\0');
    if (!value.failed) info_line_write(info, "hooks.missing", value.data);
    builder_free(&value);
  }
}
