/* Methods. A jmethodID is never used for a second method (measured on 17 and 25), so it is the key;
   the number is ours. */
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/intern.h"

struct method {
  struct interned key;
  jmethodID jvm_id;
  uint32_t id;
  uint32_t recording; /* in which it was last defined; atomic */
};

struct methods {
  struct intern *known; /* grown under the lock of meta.method_box, as last_id */
  uint32_t last_id;
  uint32_t unloaded_class; /* ClassID of the stand-in for classes that are gone, 0: none yet; */
  uint32_t unloaded_in;    /* and the recording it was defined in; atomic */
};

INTERN_SAME static bool same_method(const void *a, const void *b) {
  return ((const struct method *)a)->jvm_id == ((const struct method *)b)->jvm_id;
}

struct methods *methods_new(void) {
  struct methods *m = memory_new_zeroed(1, sizeof *m);
  if (m == NULL) return NULL;
  m->known = intern_new(same_method);
  if (m->known != NULL) return m;
  free(m);
  return NULL;
}

/* What the JVM says of a method. Strings and table are the JVM's, to be given back. */
struct description {
  char *name, *signature;
  uint32_t class_id;
  jvmtiLineNumberEntry *lines;
  jint num_lines; /* -1: there is no table */
};

static bool describe(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jmethodID method,
                     struct description *d) {
  jclass klass = NULL;
  *d = (struct description){.num_lines = -1};
  if ((*ti)->GetMethodDeclaringClass(ti, method, &klass) != JVMTI_ERROR_NONE) return false;
  d->class_id = class_id(m, ti, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  if ((*ti)->GetMethodName(ti, method, &d->name, &d->signature, NULL) != JVMTI_ERROR_NONE) {
    d->name = d->signature = NULL;
    return false;
  }
  if ((*ti)->GetLineNumberTable(ti, method, &d->num_lines, &d->lines) != JVMTI_ERROR_NONE) {
    d->lines = NULL;
    d->num_lines = -1;
  }
  return true;
}

static void description_free(jvmtiEnv *ti, struct description *d) {
  (*ti)->Deallocate(ti, (unsigned char *)d->name);
  (*ti)->Deallocate(ti, (unsigned char *)d->signature);
  (*ti)->Deallocate(ti, (unsigned char *)d->lines);
}

static struct line_entry *line_entries(const struct description *d) {
  if (d->num_lines <= 0) return NULL;
  struct line_entry *entries = memory_new((size_t)d->num_lines * sizeof *entries);
  for (jint i = 0; entries != NULL && i < d->num_lines; i++) {
    entries[i].location = (uint32_t)d->lines[i].start_location;
    entries[i].line = (uint32_t)d->lines[i].line_number;
  }
  return entries;
}

static bool put_body(struct meta *m, uint32_t id, const struct description *d,
                     const struct line_entry *entries) {
  struct builder body = {0};
  method_body_write(&body, id, d->name, d->signature, d->class_id, entries,
                    d->num_lines > 0 && entries == NULL ? -1 : d->num_lines);
  bool good = outbox_put(&m->method_box, &body);
  builder_free(&body);
  return good;
}

/* The method that `key` speaks of, made if need be. Under the lock. */
static struct method *find_or_make(struct methods *m, const struct method *key) {
  struct method *known = intern_get(m->known, &key->key);
  if (known != NULL) return known;
  known = memory_new(sizeof *known);
  if (known == NULL) return NULL;
  *known = *key;
  known->id = ++m->last_id;
  if (intern_add(m->known, &known->key)) return known;
  free(known);
  return NULL;
}

/* Defines a method, unless another thread has just done so; its number, or 0 without memory. The
   line is published before anybody can take the method for defined. */
static uint32_t define(struct meta *m, const struct method *key, const struct description *d) {
  struct line_entry *entries = line_entries(d);
  uint32_t now = meta_recording(m);
  outbox_lock(&m->method_box);
  struct method *method = d->class_id == 0 ? NULL : find_or_make(m->methods, key);
  bool good = method != NULL && method->recording == now;
  if (method != NULL && !good) {
    good = put_body(m, method->id, d, entries); /* else the next that names it tries again */
    if (good) __atomic_store_n(&method->recording, now, __ATOMIC_RELEASE);
  }
  outbox_unlock(&m->method_box);
  free(entries);
  return good ? method->id : 0;
}

/* Stands in for a method whose class was unloaded before anybody asked. Only the sampler can be too
   late, since the stacks it sees are those of other threads; so one thread does this. */
static struct description stand_in(struct meta *m) {
  struct methods *methods = m->methods;
  uint32_t now = meta_recording(m);
  if (__atomic_exchange_n(&methods->unloaded_in, now, __ATOMIC_ACQ_REL) != now) {
    bool good = class_define(m, &methods->unloaded_class, 1, "L$unloaded;", "");
    if (!good) __atomic_store_n(&methods->unloaded_in, 0, __ATOMIC_RELEASE);
  }
  return (struct description){.name = (char *)"$unloaded",
                              .signature = (char *)"()V",
                              .class_id = methods->unloaded_class,
                              .num_lines = -1};
}

static uint32_t resolve(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, const struct method *key) {
  struct description d;
  uint32_t id;
  if (describe(m, ti, jni, key->jvm_id, &d)) {
    id = define(m, key, &d);
  } else {
    struct description gone = stand_in(m);
    __atomic_fetch_add(&m->methods_unloaded, 1, __ATOMIC_RELAXED);
    id = define(m, key, &gone);
  }
  description_free(ti, &d);
  return id;
}

uint32_t method_id(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  struct method key = {.key.hash = hash_word((uintptr_t)method), .jvm_id = method};
  struct method *known = intern_get(m->methods->known, &key.key);
  bool defined =
      known != NULL && __atomic_load_n(&known->recording, __ATOMIC_ACQUIRE) == meta_recording(m);
  return defined ? known->id : resolve(m, ti, jni, &key);
}
