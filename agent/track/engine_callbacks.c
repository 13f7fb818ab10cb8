#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "agent/meta/intern.h"
#include "agent/track/engine.h"
#include "agent/track/hooks.h"

#define NUM_SLOTS 256 /* a power of two, several times the rows of tracked.def */

/* A tracked method in this JVM. `method` is set last and read first, so that a thread that sees it
   sees its row. Slots are never emptied. */
struct slot {
  jmethodID method; /* atomic */
  const struct tracked *row;
};

struct callbacks_engine {
  struct threads *threads;
  pthread_mutex_t adding;
  struct slot slots[NUM_SLOTS];
};

static const jvmtiEvent switched[] = {JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_METHOD_ENTRY,
                                      JVMTI_EVENT_METHOD_EXIT};
#define NUM_SWITCHED (sizeof switched / sizeof *switched)

/* --- which methods ------------------------------------------------------------------------ */

static size_t first_slot(jmethodID method) { return hash_word((uintptr_t)method) % NUM_SLOTS; }

static const struct tracked *row_of(const struct callbacks_engine *e, jmethodID method) {
  for (size_t i = first_slot(method);; i = (i + 1) % NUM_SLOTS) {
    jmethodID there = __atomic_load_n(&e->slots[i].method, __ATOMIC_ACQUIRE);
    if (there == method) return e->slots[i].row;
    if (there == NULL) return NULL;
  }
}

static void add(struct callbacks_engine *e, jmethodID method, const struct tracked *row) {
  size_t i = first_slot(method);
  pthread_mutex_lock(&e->adding);
  while (e->slots[i].method != NULL && e->slots[i].method != method) i = (i + 1) % NUM_SLOTS;
  e->slots[i].row = row;
  __atomic_store_n(&e->slots[i].method, method, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&e->adding);
}

static void add_if_tracked(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni,
                           const char *class_signature, jmethodID method) {
  char *name = NULL, *descriptor = NULL;
  if ((*ti)->GetMethodName(ti, method, &name, &descriptor, NULL) != JVMTI_ERROR_NONE) return;
  int row = tracked_find(class_signature, name, descriptor);
  if (row >= 0 && recorder_wants(e->threads->recorder, tracked[row].entry)) {
    method_id(&e->threads->recorder->meta, ti, jni, method); /* tracked methods are all defined */
    add(e, method, &tracked[row]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)name);
  (*ti)->Deallocate(ti, (unsigned char *)descriptor);
}

static void add_class(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni, jclass klass,
                      const char *signature) {
  jint n = 0;
  jmethodID *methods = NULL;
  if ((*ti)->GetClassMethods(ti, klass, &n, &methods) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < n; i++) add_if_tracked(e, ti, jni, signature, methods[i]);
  (*ti)->Deallocate(ti, (unsigned char *)methods);
}

static bool is_boot_class(jvmtiEnv *ti, JNIEnv *jni, jclass klass) {
  jobject loader = NULL;
  if ((*ti)->GetClassLoader(ti, klass, &loader) != JVMTI_ERROR_NONE) return false;
  if (loader != NULL) (*jni)->DeleteLocalRef(jni, loader);
  return loader == NULL;
}

void callbacks_engine_class(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni, jclass klass) {
  char *signature = NULL;
  if ((*ti)->GetClassSignature(ti, klass, &signature, NULL) != JVMTI_ERROR_NONE) return;
  if (tracked_has_class(signature) && is_boot_class(ti, jni, klass)) {
    add_class(e, ti, jni, klass, signature);
  }
  (*ti)->Deallocate(ti, (unsigned char *)signature);
}

/* --- their calls ---------------------------------------------------------------------------- */

static jobject this_object(jvmtiEnv *ti) {
  jobject object = NULL;
  return (*ti)->GetLocalInstance(ti, NULL, 0, &object) == JVMTI_ERROR_NONE ? object : NULL;
}

void callbacks_engine_entry(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni,
                            jmethodID method) {
  const struct tracked *row = row_of(e, method);
  struct context *c = row == NULL ? NULL : hook_enter(e->threads, ti, jni);
  if (c == NULL) return;
  jobject object = row->about == ABOUT_THIS ? this_object(ti) : NULL;
  hook_record(e->threads, ti, jni, c, row, object);
  if (object != NULL) (*jni)->DeleteLocalRef(jni, object);
}

void callbacks_engine_exit(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni,
                           jmethodID method) {
  const struct tracked *row = row_of(e, method);
  if (row != NULL) hook_exit(e->threads, ti, jni, row);
}

/* --- start and stop --------------------------------------------------------------------------- */

static void find_loaded(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni) {
  jint n = 0;
  jclass *classes = NULL;
  if ((*ti)->GetLoadedClasses(ti, &n, &classes) != JVMTI_ERROR_NONE) return;
  (*jni)->EnsureLocalCapacity(jni, n); /* they are local references; -Xcheck:jni counts them */
  for (jint i = 0; i < n; i++) {
    callbacks_engine_class(e, ti, jni, classes[i]);
    (*jni)->DeleteLocalRef(jni, classes[i]);
  }
  (*ti)->Deallocate(ti, (unsigned char *)classes);
}

static bool switch_events(jvmtiEnv *ti, jvmtiEventMode mode) {
  bool good = true;
  for (size_t i = 0; i < NUM_SWITCHED; i++) {
    good &= (*ti)->SetEventNotificationMode(ti, mode, switched[i], NULL) == JVMTI_ERROR_NONE;
  }
  return good;
}

struct callbacks_engine *callbacks_engine_new(struct threads *threads) {
  struct callbacks_engine *e = calloc(1, sizeof *e);
  if (e == NULL) return NULL;
  e->threads = threads;
  pthread_mutex_init(&e->adding, NULL);
  return e;
}

bool callbacks_engine_start(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni) {
  if (!switch_events(ti, JVMTI_ENABLE)) return false;
  find_loaded(e, ti, jni); /* after: a class is in the list, or its ClassPrepare comes */
  return true;
}

void callbacks_engine_stop(jvmtiEnv *ti) { switch_events(ti, JVMTI_DISABLE); }
