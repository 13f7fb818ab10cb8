/* Methods. A jmethodID is never used for a second method (measured on 17 and 25), so it is the key;
   the number is ours. */
#include <stdlib.h>
#include <string.h>

#include "agent/event/line.h"
#include "agent/meta/intern.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"

struct method {
  struct interned key;
  jmethodID jvm_id;
  uint32_t id;
};

struct methods {
  struct intern *known; /* grown under the lock of meta.method_box, as last_id */
  uint32_t last_id;
  uint32_t unloaded_class; /* ClassID of the stand-in for classes that are gone; atomic, 0: none */
};

INTERN_SAME static bool same_method(const void *a, const void *b) {
  return ((const struct method *)a)->jvm_id == ((const struct method *)b)->jvm_id;
}

struct methods *methods_new(void) {
  struct methods *m = calloc(1, sizeof *m);
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
  struct line_entry *entries = malloc((size_t)d->num_lines * sizeof *entries);
  for (jint i = 0; entries != NULL && i < d->num_lines; i++) {
    entries[i].location = (uint32_t)d->lines[i].start_location;
    entries[i].line = (uint32_t)d->lines[i].line_number;
  }
  return entries;
}

static void put_body(struct meta *m, uint32_t id, const struct description *d,
                     const struct line_entry *entries) {
  struct builder body = {0};
  method_body_write(&body, id, d->name, d->signature, d->class_id, entries,
                    d->num_lines > 0 && entries == NULL ? -1 : d->num_lines);
  outbox_put(&m->method_box, &body);
  builder_free(&body);
}

/* The number of the method `key` speaks of: another thread may have defined it just now. */
static uint32_t define(struct meta *m, const struct method *key, const struct description *d) {
  struct line_entry *entries = line_entries(d);
  struct method *known, *fresh = malloc(sizeof *fresh);
  outbox_lock(&m->method_box);
  known = intern_get(m->methods->known, &key->key);
  if (known == NULL && fresh != NULL) {
    *fresh = *key;
    fresh->id = ++m->methods->last_id;
    put_body(m, fresh->id, d, entries);
    intern_add(m->methods->known, &fresh->key);
    known = fresh;
    fresh = NULL;
  }
  outbox_unlock(&m->method_box);
  free(fresh);
  free(entries);
  return known == NULL ? 0 : known->id;
}

/* Stands in for a method whose class was unloaded before anybody asked. Only the sampler can be too
   late: the stacks it sees are those of other threads. */
static struct description stand_in(struct meta *m) {
  uint32_t none = 0, *class = &m->methods->unloaded_class;
  if (__atomic_load_n(class, __ATOMIC_ACQUIRE) == 0) {
    uint32_t fresh = class_define(m, 1, "L$unloaded;", "");
    __atomic_compare_exchange_n(class, &none, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }
  return (struct description){.name = (char *)"$unloaded",
                              .signature = (char *)"()V",
                              .class_id = __atomic_load_n(class, __ATOMIC_ACQUIRE),
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
  return known != NULL ? known->id : resolve(m, ti, jni, &key);
}
