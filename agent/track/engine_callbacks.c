#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "agent/meta/intern.h"
#include "agent/track/engine_callbacks.h"
#include "agent/track/hooks.h"
#include "agent/track/tracked_classes.h"

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
  if (e->slots[i].method == NULL) {
    e->slots[i].row = row;
    __atomic_store_n(&e->slots[i].method, method, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&e->adding);
}

/* What a walk over classes needs to know. */
struct walk {
  struct callbacks_engine *engine;
  jvmtiEnv *ti;
  JNIEnv *jni;
};

static void add_method(void *arg, jmethodID method, int row) {
  struct walk *w = arg;
  struct recorder *r = w->engine->threads->recorder;
  if (!recorder_wants(r, tracked[row].entry)) return;
  method_id(&r->meta, w->ti, w->jni, method); /* tracked methods are all defined */
  add(w->engine, method, &tracked[row]);
}

static void add_class(void *arg, jclass klass) {
  struct walk *w = arg;
  tracked_methods(w->ti, w->jni, klass, add_method, w);
}

void callbacks_engine_class(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni, jclass klass) {
  struct walk w = {e, ti, jni};
  add_class(&w, klass);
}

/* --- their calls ---------------------------------------------------------------------------- */

static jobject this_object(jvmtiEnv *ti) {
  jobject object = NULL;
  return (*ti)->GetLocalInstance(ti, NULL, 0, &object) == JVMTI_ERROR_NONE ? object : NULL;
}

void callbacks_engine_entry(struct callbacks_engine *e, jvmtiEnv *ti, JNIEnv *jni,
                            jmethodID method) {
  const struct tracked *row = row_of(e, method);
  struct context *c = row == NULL ? NULL : hook_enter(e->threads, ti, jni, HOOK_ON_TOP);
  if (c == NULL) return;
  jobject object = row->about == ABOUT_THIS ? this_object(ti) : NULL;
  hook_record(e->threads, ti, jni, c, row, object, HOOK_ON_TOP);
  if (object != NULL) (*jni)->DeleteLocalRef(jni, object);
}

void callbacks_engine_exit(struct callbacks_engine *e, jvmtiEnv *ti, jmethodID method) {
  if (row_of(e, method) != NULL) hook_exit(e->threads, ti);
}

/* --- start and stop --------------------------------------------------------------------------- */

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
  struct walk w = {e, ti, jni};
  tracked_classes(ti, jni, add_class, &w); /* after: a class is there, or its ClassPrepare comes */
  return true;
}

void callbacks_engine_stop(jvmtiEnv *ti) { switch_events(ti, JVMTI_DISABLE); }
