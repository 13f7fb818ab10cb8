#include <pthread.h>
#include <stdint.h>

#include "agent/base/memory.h"
#include "agent/record/intern.h"
#include "agent/track/engine_callbacks.h"
#include "agent/track/hooks.h"
#include "agent/track/tracked_classes.h"

#define NUM_SLOTS 1024 /* a power of two, several times the rows of tracked.def */

/* A tracked method in this JVM. `method` is set last and read first, so that a thread that sees it
   sees its row. Slots are never emptied. */
struct slot {
  jmethodID method; /* atomic */
  int row;
};

struct callbacks_engine {
  const struct hooks *hooks;
  pthread_mutex_t adding;
  struct slot slots[NUM_SLOTS];
};

static const jvmtiEvent switched[] = {JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_METHOD_ENTRY,
                                      JVMTI_EVENT_METHOD_EXIT};
#define NUM_SWITCHED (sizeof switched / sizeof *switched)

/* --- which methods --------------------------------------------------------------------------- */

static size_t first_slot(jmethodID method) { return hash_word((uintptr_t)method) % NUM_SLOTS; }

static int row_of(const struct callbacks_engine *e, jmethodID method) {
  for (size_t i = first_slot(method);; i = (i + 1) % NUM_SLOTS) {
    jmethodID there = __atomic_load_n(&e->slots[i].method, __ATOMIC_ACQUIRE);
    if (there == method) return e->slots[i].row;
    if (there == NULL) return -1;
  }
}

static void add(struct callbacks_engine *e, jmethodID method, int row) {
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
  JNIEnv *jni;
};

/* Tracked methods are all defined. */
static void add_method(void *arg, jmethodID method, int row) {
  struct walk *w = arg;
  const struct hooks *h = w->engine->hooks;
  struct recorder *r = h->threads->recorder;
  if (tracked_way(&tracked[row], &r->options) == WAY_NONE) return;
  method_id(&r->meta, h->ti, w->jni, method);
  add(w->engine, method, row);
}

static void add_class(void *arg, jclass klass) {
  struct walk *w = arg;
  tracked_methods(w->engine->hooks->ti, w->jni, klass, add_method, w);
}

void callbacks_engine_class(struct callbacks_engine *e, JNIEnv *jni, jclass klass) {
  struct walk w = {e, jni};
  add_class(&w, klass);
}

/* --- their calls ----------------------------------------------------------------------------- */

/* A local reference to what a call is about. */
static jobject about(jvmtiEnv *ti, const struct tracked *t) {
  jobject object = NULL;
  jvmtiError error = JVMTI_ERROR_NONE;
  if (t->about == ABOUT_FIRST) {
    error = (*ti)->GetLocalObject(ti, NULL, 0, 0, &object);
  } else if (t->about != ABOUT_NOTHING) {
    error = (*ti)->GetLocalInstance(ti, NULL, 0, &object);
  }
  return error == JVMTI_ERROR_NONE ? object : NULL;
}

void callbacks_engine_entry(struct callbacks_engine *e, JNIEnv *jni, jmethodID method) {
  int row = row_of(e, method);
  if (row < 0 || tracked[row].exit == ENDS_MADE) return;
  jobject object = about(e->hooks->ti, &tracked[row]);
  hook_enter(e->hooks, jni, row, object, HOOK_ON_TOP);
  if (object != NULL) (*jni)->DeleteLocalRef(jni, object);
}

static bool has_failed(const struct tracked *t, jvalue value) {
  switch (t->exit) {
    case ENDS_TRUE:
      return !value.z;
    case ENDS_POSITIVE:
      return value.j <= 0;
    case ENDS_NONZERO:
      return value.j == 0;
    case ENDS_NONNULL:
      return value.l == NULL;
    case ENDS_MADE:
    case ENDS_SINGLE:
    case ENDS_DEEP:
    case ENDS_PAIR:
      break;
  }
  return false;
}

static void made(const struct hooks *h, JNIEnv *jni, const struct tracked *t) {
  struct recorder *r = h->threads->recorder;
  jobject lock = recorder_is_on(r) ? about(h->ti, t) : NULL;
  if (lock == NULL) return;
  lock_fields_made(h->lock_fields, &r->meta, h->ti, jni, lock);
  (*jni)->DeleteLocalRef(jni, lock);
}

void callbacks_engine_exit(struct callbacks_engine *e, JNIEnv *jni, jmethodID method, bool thrown,
                           jvalue value) {
  int row = row_of(e, method);
  if (row < 0) return;
  const struct tracked *t = &tracked[row];
  if (t->exit == ENDS_MADE) {
    made(e->hooks, jni, t);
  } else {
    hook_exit(e->hooks, row, thrown || has_failed(t, value));
  }
}

/* --- start and stop -------------------------------------------------------------------------- */

static bool switch_events(jvmtiEnv *ti, jvmtiEventMode mode) {
  bool good = true;
  for (size_t i = 0; i < NUM_SWITCHED; i++) {
    good &= (*ti)->SetEventNotificationMode(ti, mode, switched[i], NULL) == JVMTI_ERROR_NONE;
  }
  return good;
}

struct callbacks_engine *callbacks_engine_new(const struct hooks *hooks) {
  struct callbacks_engine *e = memory_new_zeroed(1, sizeof *e);
  if (e == NULL) return NULL;
  e->hooks = hooks;
  pthread_mutex_init(&e->adding, NULL);
  return e;
}

bool callbacks_engine_start(struct callbacks_engine *e, JNIEnv *jni) {
  if (!switch_events(e->hooks->ti, JVMTI_ENABLE)) return false;
  struct walk w = {e, jni};
  /* After: a class is there, or its ClassPrepare comes. */
  tracked_classes(e->hooks->ti, jni, add_class, &w);
  return true;
}

void callbacks_engine_stop(struct callbacks_engine *e) {
  switch_events(e->hooks->ti, JVMTI_DISABLE);
}
