#include <pthread.h>
#include <stdint.h>

#include "agent/base/memory.h"
#include "agent/record/intern.h"
#include "agent/track/engine_callbacks.h"
#include "agent/track/hooks.h"
#include "agent/track/tracked_classes.h"

#define NUM_SLOTS 1024 /* a power of two, several times the rows of tracked.def */

/* A tracked method in this JVM. `method` is written after `row` and read before it, so a thread
   that sees the method sees its row. Slots are never emptied. */
struct slot {
  jmethodID method; /* atomic */
  int row;
};

struct callbacks_engine {
  const struct hooks *hooks;
  pthread_mutex_t add_lock; /* serializes add_slot */
  struct slot slots[NUM_SLOTS];
};

static const jvmtiEvent events[] = {JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_METHOD_ENTRY,
                                    JVMTI_EVENT_METHOD_EXIT};
#define NUM_EVENTS (sizeof events / sizeof *events)

/* --- the table of methods -------------------------------------------------------------------- */

static size_t find_first_slot(jmethodID method) { return hash_word((uintptr_t)method) % NUM_SLOTS; }

/* Returns the row of a tracked method, or -1. */
static int find_row(const struct callbacks_engine *e, jmethodID method) {
  for (size_t i = find_first_slot(method);; i = (i + 1) % NUM_SLOTS) {
    jmethodID found = __atomic_load_n(&e->slots[i].method, __ATOMIC_ACQUIRE);
    if (found == method) return e->slots[i].row;
    if (found == NULL) return -1;
  }
}

static void add_slot(struct callbacks_engine *e, jmethodID method, int row) {
  size_t i = find_first_slot(method);
  pthread_mutex_lock(&e->add_lock);
  while (e->slots[i].method != NULL && e->slots[i].method != method) i = (i + 1) % NUM_SLOTS;
  if (e->slots[i].method == NULL) {
    e->slots[i].row = row;
    __atomic_store_n(&e->slots[i].method, method, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&e->add_lock);
}

/* The argument of the functions that visit classes and methods. */
struct visit {
  struct callbacks_engine *engine;
  JNIEnv *jni;
};

/* Each tracked method is defined in .meta, whether it is called or not. */
static void add_method(void *arg, jmethodID method, int row) {
  struct visit *v = arg;
  const struct hooks *h = v->engine->hooks;
  struct recorder *r = h->threads->recorder;
  if (tracked_way(&tracked[row], &r->options) == WAY_NONE) return;
  method_id(&r->meta, h->ti, v->jni, method);
  add_slot(v->engine, method, row);
}

static void add_class(void *arg, jclass klass) {
  struct visit *v = arg;
  visit_tracked_methods(v->engine->hooks->ti, v->jni, klass, add_method, v);
}

void callbacks_engine_add_class(struct callbacks_engine *e, JNIEnv *jni, jclass klass) {
  struct visit v = {e, jni};
  add_class(&v, klass);
}

/* --- calls of tracked methods ---------------------------------------------------------------- */

/* Returns a local reference to the object of the call, or NULL. */
static jobject get_object(jvmtiEnv *ti, const struct tracked *t) {
  jobject object = NULL;
  jvmtiError error = JVMTI_ERROR_NONE;
  if (t->about == ABOUT_FIRST || t->about == ABOUT_ARGUMENT || t->about == ABOUT_TASK) {
    error = (*ti)->GetLocalObject(ti, NULL, 0, t->about == ABOUT_FIRST ? 0 : 1, &object);
  } else if (t->about != ABOUT_NOTHING) {
    error = (*ti)->GetLocalInstance(ti, NULL, 0, &object);
  }
  return error == JVMTI_ERROR_NONE ? object : NULL;
}

static void enter_queued(const struct hooks *h, JNIEnv *jni, int row, jobject task) {
  jobject executor = NULL;
  (*h->ti)->GetLocalInstance(h->ti, NULL, 0, &executor);
  hook_queued(h, jni, row, task, executor, HOOK_ON_TOP);
  if (executor != NULL) (*jni)->DeleteLocalRef(jni, executor);
}

void callbacks_engine_entry(struct callbacks_engine *e, JNIEnv *jni, jmethodID method) {
  int row = find_row(e, method);
  if (row < 0 || tracked[row].exit == ENDS_MADE || tracked[row].exit == ENDS_RETURNED) return;
  jobject object = get_object(e->hooks->ti, &tracked[row]);
  if (tracked[row].about == ABOUT_TASK) {
    enter_queued(e->hooks, jni, row, object);
  } else {
    hook_enter(e->hooks, jni, row, object, HOOK_ON_TOP);
  }
  if (object != NULL) (*jni)->DeleteLocalRef(jni, object);
}

/* Does the returned value mean failure? */
static bool is_failure(const struct tracked *t, jvalue value) {
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
    case ENDS_RETURNED:
    case ENDS_COVER:
    case ENDS_HIDDEN:
    case ENDS_PAIR:
      break;
  }
  return false;
}

void callbacks_engine_exit(struct callbacks_engine *e, JNIEnv *jni, jmethodID method, bool thrown,
                           jvalue value) {
  int row = find_row(e, method);
  if (row < 0) return;
  const struct tracked *t = &tracked[row];
  const struct hooks *h = e->hooks;
  if (t->exit == ENDS_RETURNED) {
    if (!thrown) hook_returned(h, jni, row, value.l, HOOK_ON_TOP);
    return;
  }
  if (t->exit != ENDS_MADE) {
    hook_exit(h, jni, row, thrown || is_failure(t, value), HOOK_ON_TOP);
    return;
  }
  /* The constructor of a ReentrantReadWriteLock. */
  struct recorder *r = h->threads->recorder;
  jobject lock = recorder_is_on(r) ? get_object(h->ti, t) : NULL;
  if (lock == NULL) return;
  lock_fields_note_constructed(h->lock_fields, &r->meta, h->ti, jni, lock);
  (*jni)->DeleteLocalRef(jni, lock);
}

/* --- start and stop -------------------------------------------------------------------------- */

static bool switch_events(jvmtiEnv *ti, jvmtiEventMode mode) {
  bool good = true;
  for (size_t i = 0; i < NUM_EVENTS; i++) {
    good &= (*ti)->SetEventNotificationMode(ti, mode, events[i], NULL) == JVMTI_ERROR_NONE;
  }
  return good;
}

struct callbacks_engine *callbacks_engine_new(const struct hooks *hooks) {
  struct callbacks_engine *e = memory_new_zeroed(1, sizeof *e);
  if (e == NULL) return NULL;
  e->hooks = hooks;
  pthread_mutex_init(&e->add_lock, NULL);
  return e;
}

bool callbacks_engine_start(struct callbacks_engine *e, JNIEnv *jni) {
  if (!switch_events(e->hooks->ti, JVMTI_ENABLE)) return false;
  struct visit v = {e, jni};
  /* After the events are on, so that each class is visited here or by its ClassPrepare. */
  visit_tracked_classes(e->hooks->ti, jni, add_class, &v);
  return true;
}

void callbacks_engine_stop(struct callbacks_engine *e) {
  switch_events(e->hooks->ti, JVMTI_DISABLE);
}
