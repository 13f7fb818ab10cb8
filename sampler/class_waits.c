#include "sampler/class_waits.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/memory.h"
#include "agent/classfile/class_use.h"
#include "agent/jvm/class_pool.h"
#include "agent/jvm/jvm.h"

/* A program seldom initializes more than some classes at a time. */
#define MAX_BEGUN 64
#define MAX_SUPERS 256 /* classes and interfaces above one class */

void class_waits_open(struct class_waits *w, jvmtiEnv *ti, JNIEnv *jni) {
  w->is_open = class_states_open(&w->states, ti, jni);
}

void class_waits_close(struct class_waits *w, JNIEnv *jni) {
  if (w->is_open) class_states_close(&w->states, jni);
  w->is_open = false;
}

/* --- the instruction ------------------------------------------------------------------------- */

/* What the thread does in its innermost frame. */
struct act {
  enum class_use use; /* USE_NONE: a native method that initializes a class that is not known */
  char *signature;    /* of the class, malloc'ed; NULL with USE_NONE */
};

/* Native methods that run no code of Java, except to load or to initialize a class. */
static const struct {
  const char *signature, *name;
} initializing[] = {
    {"Ljdk/internal/misc/Unsafe;", "ensureClassInitialized0"},
    {"Lsun/misc/Unsafe;", "ensureClassInitialized"},
    {"Ljava/lang/Class;", "forName0"},
    {"Ljdk/internal/reflect/NativeConstructorAccessorImpl;", "newInstance0"},
    {"Ljdk/internal/reflect/NativeMethodAccessorImpl;", "invoke0"},
    {"Ljdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor;", "newInstance0"},
    {"Ljdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor;", "invoke0"},
};

static bool is_initializing(const char *signature, const char *name) {
  for (size_t i = 0; i < sizeof initializing / sizeof *initializing; i++) {
    if (strcmp(initializing[i].signature, signature) == 0 &&
        strcmp(initializing[i].name, name) == 0)
      return true;
  }
  return false;
}

static bool read_native(jvmtiEnv *ti, jmethodID method, jclass klass) {
  char *signature = NULL, *name = NULL;
  (*ti)->GetClassSignature(ti, klass, &signature, NULL);
  (*ti)->GetMethodName(ti, method, &name, NULL, NULL);
  bool good = signature != NULL && name != NULL && is_initializing(signature, name);
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*ti)->Deallocate(ti, (unsigned char *)name);
  return good;
}

static char *make_signature(struct span name) {
  if (name.len == 0 || name.data[0] == '[') return NULL;
  char *signature = memory_new(name.len + 3);
  if (signature == NULL) return NULL;
  signature[0] = 'L';
  memcpy(signature + 1, name.data, name.len);
  memcpy(signature + 1 + name.len, ";", 2);
  return signature;
}

static bool read_use(jvmtiEnv *ti, struct span code, jlocation location, jclass klass,
                     struct act *out) {
  struct class_pool pool;
  struct span name = {NULL, 0};
  if (!class_pool_read(&pool, ti, klass)) return false;
  out->use = class_use_at(code, (uint32_t)location, &pool.pool, &name);
  if (out->use != USE_NONE) out->signature = make_signature(name);
  class_pool_free(&pool);
  return out->signature != NULL;
}

/* The pool of an old version of a method is not known. */
static bool read_java(jvmtiEnv *ti, const jvmtiFrameInfo *frame, jclass klass, struct act *out) {
  jboolean is_obsolete = JNI_TRUE;
  unsigned char *code = NULL;
  jint len = 0;
  (*ti)->IsMethodObsolete(ti, frame->method, &is_obsolete);
  if (is_obsolete || (*ti)->GetBytecodes(ti, frame->method, &len, &code) != JVMTI_ERROR_NONE)
    return false;
  struct span text = {(const char *)code, (size_t)len};
  bool good = read_use(ti, text, frame->location, klass, out);
  (*ti)->Deallocate(ti, code);
  return good;
}

static bool read_act(jvmtiEnv *ti, JNIEnv *jni, jthread thread, struct act *out) {
  jvmtiFrameInfo frame;
  jint num = 0;
  jclass klass = NULL;
  *out = (struct act){USE_NONE, NULL};
  if ((*ti)->GetStackTrace(ti, thread, 0, 1, &frame, &num) != JVMTI_ERROR_NONE || num < 1 ||
      (*ti)->GetMethodDeclaringClass(ti, frame.method, &klass) != JVMTI_ERROR_NONE)
    return false;
  bool good =
      frame.location < 0 ? read_native(ti, frame.method, klass) : read_java(ti, &frame, klass, out);
  (*jni)->DeleteLocalRef(jni, klass);
  return good;
}

/* --- classes that are being initialized ------------------------------------------------------ */

struct begun {
  jclass klass;          /* a local reference */
  uintptr_t initializer; /* its JavaThread */
};

struct search {
  const struct class_waits *waits;
  jvmtiEnv *ti;
  JNIEnv *jni;
  uintptr_t self; /* the JavaThread that waits */
  struct act act;
  struct begun begun[MAX_BEGUN];
  size_t num_begun;
  jclass named;      /* the class of `act`, if it is not initialized; a local reference, or NULL */
  bool is_ambiguous; /* there are several classes of this name, or too many in `begun` */
};

static bool has_signature(const struct search *s, jclass klass) {
  char *signature = NULL;
  if (s->act.signature == NULL) return false;
  (*s->ti)->GetClassSignature(s->ti, klass, &signature, NULL);
  bool is_same = signature != NULL && strcmp(signature, s->act.signature) == 0;
  (*s->ti)->Deallocate(s->ti, (unsigned char *)signature);
  return is_same;
}

/* Looks at a loaded class. Other ones than these can be waited for by nobody. */
static void take_class(struct search *s, jclass klass) {
  jint status = 0;
  const jint others = JVMTI_CLASS_STATUS_INITIALIZED | JVMTI_CLASS_STATUS_ERROR |
                      JVMTI_CLASS_STATUS_ARRAY | JVMTI_CLASS_STATUS_PRIMITIVE;
  if ((*s->ti)->GetClassStatus(s->ti, klass, &status) != JVMTI_ERROR_NONE || (status & others) != 0)
    return;
  uintptr_t thread = class_states_find_initializer(&s->waits->states, s->jni, klass);
  if (thread != 0 && s->num_begun < MAX_BEGUN) {
    s->begun[s->num_begun++] = (struct begun){(*s->jni)->NewLocalRef(s->jni, klass), thread};
  } else if (thread != 0) {
    s->is_ambiguous = true;
  }
  if (!has_signature(s, klass)) return;
  s->is_ambiguous |= s->named != NULL;
  if (s->named == NULL) s->named = (*s->jni)->NewLocalRef(s->jni, klass);
}

static void take_classes(struct search *s) {
  jint num = 0;
  jclass *classes = NULL;
  if ((*s->ti)->GetLoadedClasses(s->ti, &num, &classes) != JVMTI_ERROR_NONE) return;
  jvm_reserve_references(s->jni, num + MAX_BEGUN + MAX_SUPERS);
  for (jint i = 0; i < num; i++) {
    take_class(s, classes[i]);
    (*s->jni)->DeleteLocalRef(s->jni, classes[i]);
  }
  (*s->ti)->Deallocate(s->ti, (unsigned char *)classes);
}

static const struct begun *find_begun(const struct search *s, jclass klass) {
  for (size_t i = 0; i < s->num_begun; i++) {
    if ((*s->jni)->IsSameObject(s->jni, s->begun[i].klass, klass)) return &s->begun[i];
  }
  return NULL;
}

/* --- the class that is waited for ------------------------------------------------------------ */

/* The JVM initializes the superclass and then the interfaces, before the class itself. `left` is
   the number of classes that it may still look at. */
static const struct begun *find_awaited(const struct search *s, jclass klass, size_t *left);

static const struct begun *find_awaited_interface(const struct search *s, jclass klass,
                                                  size_t *left) {
  jint num = 0;
  jclass *interfaces = NULL;
  const struct begun *found = NULL;
  if ((*s->ti)->GetImplementedInterfaces(s->ti, klass, &num, &interfaces) != JVMTI_ERROR_NONE)
    return NULL;
  for (jint i = 0; i < num; i++) {
    if (found == NULL) found = find_awaited(s, interfaces[i], left);
    (*s->jni)->DeleteLocalRef(s->jni, interfaces[i]);
  }
  (*s->ti)->Deallocate(s->ti, (unsigned char *)interfaces);
  return found;
}

static const struct begun *find_awaited(const struct search *s, jclass klass, size_t *left) {
  const struct begun *begun = find_begun(s, klass);
  if (begun != NULL && begun->initializer != s->self) return begun;
  if ((*left)-- == 0) {
    *left = 0;
    return NULL;
  }
  jclass super = (*s->jni)->GetSuperclass(s->jni, klass);
  const struct begun *found = super == NULL ? NULL : find_awaited(s, super, left);
  if (super != NULL) (*s->jni)->DeleteLocalRef(s->jni, super);
  return found != NULL ? found : find_awaited_interface(s, klass, left);
}

/* For a native method: the only class that another thread initializes. */
static const struct begun *find_only(const struct search *s) {
  const struct begun *found = NULL;
  for (size_t i = 0; i < s->num_begun; i++) {
    if (s->begun[i].initializer == s->self) continue;
    if (found != NULL) return NULL;
    found = &s->begun[i];
  }
  return found;
}

/* `new` begins with the class itself, and then that is in `begun`. */
static const struct begun *find_class(const struct search *s) {
  size_t left = MAX_SUPERS;
  if (s->is_ambiguous) return NULL;
  if (s->act.use == USE_NONE) return find_only(s);
  if (s->named == NULL || (s->act.use == USE_CREATES && find_begun(s, s->named) == NULL))
    return NULL;
  return find_awaited(s, s->named, &left);
}

/* --- threads --------------------------------------------------------------------------------- */

static jthread find_thread(const struct search *s, uintptr_t java_thread) {
  jint num = 0;
  jthread *threads = NULL, found = NULL;
  if ((*s->ti)->GetAllThreads(s->ti, &num, &threads) != JVMTI_ERROR_NONE) return NULL;
  jvm_reserve_references(s->jni, num);
  for (jint i = 0; i < num; i++) {
    bool is_wanted = found == NULL && hotspot_read_thread(&s->waits->states.hotspot, s->jni,
                                                          threads[i]) == java_thread;
    if (is_wanted) {
      found = threads[i];
    } else {
      (*s->jni)->DeleteLocalRef(s->jni, threads[i]);
    }
  }
  (*s->ti)->Deallocate(s->ti, (unsigned char *)threads);
  return found;
}

static void close_search(struct search *s) {
  for (size_t i = 0; i < s->num_begun; i++) (*s->jni)->DeleteLocalRef(s->jni, s->begun[i].klass);
  if (s->named != NULL) (*s->jni)->DeleteLocalRef(s->jni, s->named);
  free(s->act.signature);
}

bool class_waits_find(const struct class_waits *w, jvmtiEnv *ti, JNIEnv *jni, jthread thread,
                      jthread platform, struct class_wait *out) {
  struct search s = {.waits = w, .ti = ti, .jni = jni};
  const struct begun *found = NULL;
  *out = (struct class_wait){NULL, NULL};
  if (!w->is_open) return false;
  s.self = hotspot_read_thread(&w->states.hotspot, jni, platform);
  if (s.self == 0 || !hotspot_is_blocked(&w->states.hotspot, s.self)) return false;
  if (read_act(ti, jni, thread, &s.act)) {
    take_classes(&s);
    found = find_class(&s);
  }
  if (found != NULL) out->initializer = find_thread(&s, found->initializer);
  if (out->initializer != NULL) out->klass = (*jni)->NewLocalRef(jni, found->klass);
  close_search(&s);
  return out->klass != NULL;
}
