/* Methods. The JVM never reuses a jmethodID for another method (measured on JDK 17 and 25), so it
   is the key. MethodIDs are Orca's own numbers. */
#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/classfile/clock_loop.h"
#include "agent/event/line.h"
#include "agent/jvm/class_pool.h"
#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "agent/record/intern.h"
#include "agent/record/readers.h"

struct method {
  struct interned key;
  jmethodID jvm_id;
  uint32_t id;
  uint32_t recording; /* in which the method was last defined; atomic */
  uint32_t class_id;
  struct method *next; /* in the list `removed` */
};

struct methods {
  struct intern *known;        /* changes under the lock of meta.method_box */
  size_t num;                  /* in `known`; atomic */
  struct readers readers;      /* of `known` and its methods */
  struct method *removed;      /* not freed yet, because a reader may use them; sweeper only */
  uint32_t waiting;            /* for these readers; sweeper only */
  uint32_t last_id;            /* under the same lock */
  uint32_t stand_in_class;     /* ClassID of the stand-in for unloaded classes; 0: none yet */
  uint32_t stand_in_recording; /* in which that class was last defined; atomic */
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

/* The properties of a method. Strings and table were allocated by the JVM. */
struct description {
  char *name, *signature;
  uint32_t class_id;
  jvmtiLineNumberEntry *lines;
  jint num_lines; /* -1: the method has no line table */
  bool has_clock_loop;
  struct clock_loop clock_loop;
};

/* --- loops that a time ends ------------------------------------------------------------------- */

/* The class of a method that may have such a loop. */
struct clock_class {
  jvmtiEnv *ti;
  jclass klass;
  struct class_pool pool;
};

static bool is_method(jvmtiEnv *ti, jmethodID method, struct span name, struct span descriptor) {
  char *its_name = NULL, *its_descriptor = NULL;
  if ((*ti)->GetMethodName(ti, method, &its_name, &its_descriptor, NULL) != JVMTI_ERROR_NONE)
    return false;
  bool is_same = span_is(name, its_name) && span_is(descriptor, its_descriptor);
  (*ti)->Deallocate(ti, (unsigned char *)its_name);
  (*ti)->Deallocate(ti, (unsigned char *)its_descriptor);
  return is_same;
}

static enum clock_helper read_helper(const struct clock_class *c, jmethodID method,
                                     struct span descriptor) {
  unsigned char *code = NULL;
  jint len = 0;
  if ((*c->ti)->GetBytecodes(c->ti, method, &len, &code) != JVMTI_ERROR_NONE)
    return CLOCK_HELPER_NONE;
  struct span text = {(const char *)code, (size_t)len};
  enum clock_helper helper = clock_helper_of(text, descriptor, &c->pool.pool);
  (*c->ti)->Deallocate(c->ti, code);
  return helper;
}

/* Only methods that return a time, or whether it is a time, need a look. */
static enum clock_helper ask_helper(void *arg, struct span name, struct span descriptor) {
  const struct clock_class *c = arg;
  jmethodID *methods = NULL;
  jint num = 0;
  char type = descriptor.len == 0 ? 0 : descriptor.data[descriptor.len - 1];
  enum clock_helper helper = CLOCK_HELPER_NONE;
  if ((type != 'Z' && type != 'J') ||
      (*c->ti)->GetClassMethods(c->ti, c->klass, &num, &methods) != JVMTI_ERROR_NONE)
    return CLOCK_HELPER_NONE;
  for (jint i = 0; i < num; i++) {
    if (!is_method(c->ti, methods[i], name, descriptor)) continue;
    helper = read_helper(c, methods[i], descriptor);
    break;
  }
  (*c->ti)->Deallocate(c->ti, (unsigned char *)methods);
  return helper;
}

/* `signature`: of the class, "Lcom/acme/Shop;". */
static bool read_clock_loop_of(struct clock_class *c, struct span signature, struct span code,
                               struct clock_loop *out) {
  if (!class_pool_read(&c->pool, c->ti, c->klass)) return false;
  struct span name = {signature.data + 1, signature.len - 2};
  struct clock_helpers helpers = {name, ask_helper, c};
  bool good = clock_loop_find(code, &c->pool.pool, &helpers, out);
  class_pool_free(&c->pool);
  return good;
}

static bool read_clock_loop(jvmtiEnv *ti, jmethodID method, jclass klass, struct span code,
                            struct clock_loop *out) {
  jboolean is_obsolete = JNI_TRUE;
  struct clock_class c = {.ti = ti, .klass = klass};
  char *text = NULL;
  if (!clock_loop_may_be(code) ||
      (*ti)->GetClassSignature(ti, klass, &text, NULL) != JVMTI_ERROR_NONE)
    return false;
  struct span signature = {text, strlen(text)};
  (*ti)->IsMethodObsolete(ti, method, &is_obsolete);
  bool good = !is_obsolete && signature.len > 2 && !is_platform_type(signature) &&
              read_clock_loop_of(&c, signature, code, out);
  (*ti)->Deallocate(ti, (unsigned char *)text);
  return good;
}

/* The JDK has such loops in its waits; these have events. */
static void find_clock_loop(jvmtiEnv *ti, jmethodID method, jclass klass, struct description *d) {
  unsigned char *code = NULL;
  jint len = 0;
  if ((*ti)->GetBytecodes(ti, method, &len, &code) != JVMTI_ERROR_NONE) return;
  struct span text = {(const char *)code, (size_t)len};
  d->has_clock_loop = read_clock_loop(ti, method, klass, text, &d->clock_loop);
  (*ti)->Deallocate(ti, code);
}

/* --- definitions ------------------------------------------------------------------------------ */

/* Fills in the description from the JVM. False if the JVM does not know the method any more. */
static bool describe_method(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jmethodID method,
                            struct description *d) {
  jclass klass = NULL;
  *d = (struct description){.num_lines = -1};
  if ((*ti)->GetMethodDeclaringClass(ti, method, &klass) != JVMTI_ERROR_NONE) return false;
  d->class_id = class_id(m, ti, klass);
  find_clock_loop(ti, method, klass, d);
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

/* Returns the method that is equal to `key`; a new one if there is none. NULL without memory. Under
   the lock of meta.method_box. */
static struct method *find_or_add_method(struct methods *m, const struct method *key) {
  struct method *known = intern_get(m->known, &key->key);
  if (known != NULL) return known;
  known = memory_new(sizeof *known);
  if (known == NULL) return NULL;
  *known = *key;
  known->id = ++m->last_id;
  if (intern_add(m->known, &known->key)) {
    __atomic_fetch_add(&m->num, 1, __ATOMIC_RELAXED);
    return known;
  }
  free(known);
  return NULL;
}

/* Defines a method, unless another thread has done so in the meantime. Returns its MethodID, or 0
   without memory. The line is published before `recording` shows that the method is defined. */
static uint32_t define_if_new(struct meta *m, struct method *key, const struct description *d) {
  struct line_entry *entries =
      d->num_lines > 0 ? memory_new((size_t)d->num_lines * sizeof *entries) : NULL;
  for (jint i = 0; entries != NULL && i < d->num_lines; i++) {
    entries[i].location = (uint32_t)d->lines[i].start_location;
    entries[i].line = (uint32_t)d->lines[i].line_number;
  }
  uint32_t now = meta_recording(m);
  key->class_id = d->class_id;
  outbox_lock(&m->method_box);
  struct method *method = d->class_id == 0 ? NULL : find_or_add_method(m->methods, key);
  bool good = method != NULL && method->recording == now;
  if (method != NULL && !good) {
    struct builder body = {0};
    method_body_write(&body, method->id, d->name, d->signature, d->class_id, entries,
                      d->num_lines > 0 && entries == NULL ? -1 : d->num_lines);
    good = outbox_put(&m->method_box, method->id, d->class_id, &body);
    builder_free(&body);
    const struct clock_loop *loop = &d->clock_loop;
    if (good && d->has_clock_loop)
      clock_loops_add(&m->figures->clock_loops, method->id, loop->from, loop->to);
    /* Otherwise the next use of the method tries again. */
    if (good) __atomic_store_n(&method->recording, now, __ATOMIC_RELEASE);
  }
  outbox_unlock(&m->method_box);
  free(entries);
  return good ? method->id : 0;
}

/* Describes the stand-in for a method whose class was unloaded before the method was defined. It
   need not handle two callers at once, since only the sampler's thread can find such a method. The
   others take the stack of the current thread, whose classes cannot be unloaded. */
static struct description describe_stand_in(struct meta *m) {
  struct methods *methods = m->methods;
  uint32_t now = meta_recording(m);
  if (__atomic_exchange_n(&methods->stand_in_recording, now, __ATOMIC_ACQ_REL) != now) {
    bool good = class_define(m, &methods->stand_in_class, 1, "L$unloaded;", "");
    if (!good) __atomic_store_n(&methods->stand_in_recording, 0, __ATOMIC_RELEASE);
  }
  return (struct description){.name = (char *)"$unloaded",
                              .signature = (char *)"()V",
                              .class_id = methods->stand_in_class,
                              .num_lines = -1};
}

/* Returns the MethodID of a method that is defined in this recording, else 0. */
static uint32_t find_defined(struct meta *m, const struct method *key) {
  uint64_t *entered = readers_enter(&m->methods->readers);
  const struct method *known = intern_get(m->methods->known, &key->key);
  bool good =
      known != NULL && __atomic_load_n(&known->recording, __ATOMIC_ACQUIRE) == meta_recording(m);
  uint32_t id = good ? known->id : 0;
  readers_leave(entered);
  return id;
}

uint32_t method_id(struct meta *m, jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  struct method key = {.key.hash = hash_word((uintptr_t)method), .jvm_id = method};
  uint32_t id = find_defined(m, &key);
  if (id != 0) return id;
  struct description d;
  if (describe_method(m, ti, jni, method, &d)) {
    id = define_if_new(m, &key, &d);
  } else {
    struct description stand_in = describe_stand_in(m);
    figure_add(&m->figures->methods_unloaded, 1);
    id = define_if_new(m, &key, &stand_in);
  }
  (*ti)->Deallocate(ti, (unsigned char *)d.name);
  (*ti)->Deallocate(ti, (unsigned char *)d.signature);
  (*ti)->Deallocate(ti, (unsigned char *)d.lines);
  return id;
}

/* --- methods of unloaded classes -------------------------------------------------------------- */

size_t methods_count(const struct methods *m) { return __atomic_load_n(&m->num, __ATOMIC_RELAXED); }

void methods_find_living(struct meta *m, struct living_classes *out) {
  outbox_lock(&m->method_box);
  out->last_method = m->methods->last_id;
  outbox_unlock(&m->method_box);
  out->stand_in = __atomic_load_n(&m->methods->stand_in_class, __ATOMIC_RELAXED);
}

static void free_removed(struct methods *m) {
  if (!readers_have_left(&m->readers, &m->waiting)) return;
  for (struct method *gone = m->removed, *next; gone != NULL; gone = next) {
    next = gone->next;
    free(gone);
  }
  m->removed = NULL;
}

struct drop {
  struct methods *methods;
  const struct living_classes *living;
  size_t num_removed;
};

static void remove_if_unloaded(void *arg, struct interned *entry) {
  struct drop *d = arg;
  struct method *method = (struct method *)entry;
  if (method->id > d->living->last_method ||
      living_classes_has_methods(d->living, method->class_id)) {
    return;
  }
  intern_remove(d->methods->known, entry);
  method->next = d->methods->removed;
  d->methods->removed = method;
  __atomic_fetch_sub(&d->methods->num, 1, __ATOMIC_RELAXED);
  d->num_removed++;
}

bool methods_drop_unloaded(struct meta *m, const struct living_classes *l) {
  struct drop drop = {.methods = m->methods, .living = l};
  outbox_lock(&m->method_box);
  intern_visit(m->methods->known, remove_if_unloaded, &drop);
  outbox_unlock(&m->method_box);
  m->methods->waiting = READERS_ALL;
  free_removed(m->methods); /* if a reader is late, the next sweep frees them */
  return drop.num_removed > 0;
}

struct table_size methods_size(const struct methods *m) {
  size_t num = methods_count(m);
  return (struct table_size){num, sizeof *m + num * sizeof(struct method) + intern_bytes(m->known)};
}
