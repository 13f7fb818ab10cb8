#include "agent/track/rebind.h"

#include <dlfcn.h>
#include <string.h>

#include "agent/base/hook_mark.h"
#include "agent/base/memory.h"
#include "agent/jvm/jvm.h"
#include "agent/tracked/tracked.h"

enum native {
#define NATIVE_NONE(id, class, name, descriptor, original) NATIVE_##id,
#define NATIVE_LONG(id, class, name, descriptor, original) NATIVE_##id,
#include "agent/track/natives.def"
  NUM_NATIVES
};

static const struct {
  const char *class_name, *name, *descriptor, *original;
} natives[NUM_NATIVES] = {
#define NATIVE_NONE(id, class, name, descriptor, original) {class, name, descriptor, original},
#define NATIVE_LONG(id, class, name, descriptor, original) {class, name, descriptor, original},
#include "agent/track/natives.def"
};

struct rebind {
  const struct hooks *hooks;
  /* Once set, these two are never cleared: a thread may be inside a function of Orca until the
     process ends. */
  int rows[NUM_NATIVES];
  void *originals[NUM_NATIVES];
  bool is_marked[NUM_NATIVES]; /* from rebind_add until the method is bound back */
  bool has_new;                /* some are marked since the last rebind_bind */
};

/* Static, since a native function gets no pointer of Orca's as an argument. Set once, before any
   method is bound. */
static struct rebind *bound;

/* --- the functions that the JVM calls -------------------------------------------------------- */

/* Handles the entry of the native. Returns false if its event is not recorded. Compiled code may
   call Orca's function long after the method was bound back. A native is bound with its class, also
   if its own event is not wanted. */
static bool enter_native(enum native n, JNIEnv *jni, jobject self) {
  enum event_kind entry = tracked[bound->rows[n]].entry;
  struct hook_mark mark;
  if (!recorder_wants(bound->hooks->threads->recorder, entry)) return false;
  hook_mark_set(&mark);
  bool is_entered = !hook_leaves_out(bound->hooks, bound->rows[n], self);
  if (is_entered) hook_enter(bound->hooks, jni, bound->rows[n], self, HOOK_ON_TOP);
  hook_mark_clear(&mark);
  return is_entered;
}

static void exit_native(enum native n, JNIEnv *jni, bool is_entered) {
  struct hook_mark mark;
  if (!is_entered) return;
  hook_mark_set(&mark);
  hook_exit(bound->hooks, jni, bound->rows[n], false, HOOK_ON_TOP);
  hook_mark_clear(&mark);
}

/* Returns the object of the call. For a static method `self` is the class, which is never the
   object. */
static jobject get_object(enum native n, jobject self) {
  return tracked[bound->rows[n]].about == ABOUT_THIS ? self : NULL;
}

/* Two functions per native, which do the same: see bind_to_orca. */
#define NATIVE_NONE(id, class, name, descriptor, original)                           \
  static void JNICALL call_##id(JNIEnv *jni, jobject self) {                         \
    bool is_entered = enter_native(NATIVE_##id, jni, get_object(NATIVE_##id, self)); \
    ((void (*)(JNIEnv *, jobject))bound->originals[NATIVE_##id])(jni, self);         \
    exit_native(NATIVE_##id, jni, is_entered);                                       \
  }                                                                                  \
  static void JNICALL first_call_##id(JNIEnv *jni, jobject self) { call_##id(jni, self); }
#define NATIVE_LONG(id, class, name, descriptor, original)                                 \
  static void JNICALL call_##id(JNIEnv *jni, jobject self, jlong value) {                  \
    bool is_entered = enter_native(NATIVE_##id, jni, get_object(NATIVE_##id, self));       \
    ((void (*)(JNIEnv *, jobject, jlong))bound->originals[NATIVE_##id])(jni, self, value); \
    exit_native(NATIVE_##id, jni, is_entered);                                             \
  }                                                                                        \
  static void JNICALL first_call_##id(JNIEnv *jni, jobject self, jlong value) {            \
    call_##id(jni, self, value);                                                           \
  }
#include "agent/track/natives.def"

static void *const first_functions[NUM_NATIVES] = {
#define NATIVE_NONE(id, class, name, descriptor, original) (void *)first_call_##id,
#define NATIVE_LONG(id, class, name, descriptor, original) (void *)first_call_##id,
#include "agent/track/natives.def"
};

static void *const orca_functions[NUM_NATIVES] = {
#define NATIVE_NONE(id, class, name, descriptor, original) (void *)call_##id,
#define NATIVE_LONG(id, class, name, descriptor, original) (void *)call_##id,
#include "agent/track/natives.def"
};

/* --- binding --------------------------------------------------------------------------------- */

struct rebind *rebind_new(const struct hooks *hooks) {
  struct rebind *r = memory_new_zeroed(1, sizeof *r);
  if (r == NULL) return NULL;
  r->hooks = hooks;
  return bound = r;
}

static int find_native(const struct tracked *row) {
  for (int n = 0; n < NUM_NATIVES; n++) {
    if (strcmp(natives[n].class_name, row->class_name) == 0 &&
        strcmp(natives[n].name, row->name) == 0 &&
        strcmp(natives[n].descriptor, row->descriptor) == 0) {
      return n;
    }
  }
  return -1;
}

bool rebind_add(struct rebind *r, int row, const char **out_reason) {
  int n = find_native(&tracked[row]);
  *out_reason = "it is native, and Orca does not know its function";
  if (n < 0) return false;
  r->originals[n] = dlsym(RTLD_DEFAULT, natives[n].original);
  *out_reason = "it is native, and this JVM does not export its function";
  if (r->originals[n] == NULL) return false;
  r->has_new |= !r->is_marked[n];
  r->rows[n] = row;
  r->is_marked[n] = true;
  return true;
}

bool rebind_has_new(const struct rebind *r) { return r->has_new; }

static bool has_marked(const struct rebind *r) {
  for (int n = 0; n < NUM_NATIVES; n++) {
    if (r->is_marked[n]) return true;
  }
  return false;
}

static bool bind_marked(const struct rebind *r, JNIEnv *jni, void *const *functions) {
  bool good = true;
  for (int n = 0; n < NUM_NATIVES; n++) {
    if (!r->is_marked[n]) continue;
    JNINativeMethod method = {(char *)natives[n].name, (char *)natives[n].descriptor, functions[n]};
    jclass klass = (*jni)->FindClass(jni, natives[n].class_name);
    if (klass == NULL || (*jni)->RegisterNatives(jni, klass, &method, 1) != JNI_OK) good = false;
    (*jni)->ExceptionClear(jni);
    if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
  }
  return good;
}

/* All threads pass a safepoint: the JVM stops them there to look at their stacks, of which nobody
   wants a frame. */
static void pass_safepoint(const struct rebind *r, JNIEnv *jni) {
  jvmtiEnv *ti = r->hooks->ti;
  jvmtiStackInfo *infos = NULL;
  jint n = 0;
  if ((*ti)->GetAllStackTraces(ti, 0, &infos, &n) != JVMTI_ERROR_NONE) return;
  jvm_reserve_references(jni, n);
  for (jint i = 0; i < n; i++) (*jni)->DeleteLocalRef(jni, infos[i].thread);
  (*ti)->Deallocate(ti, (unsigned char *)infos);
}

/* A thread that makes the compiled wrapper of a native while RegisterNatives runs may install it
   afterwards, with the function that was bound before. It passes no safepoint in between. So such
   wrappers are installed after the next safepoint, and RegisterNatives with another function drops
   them. */
static bool bind_to_orca(struct rebind *r, JNIEnv *jni) {
  bool good = bind_marked(r, jni, first_functions);
  if (has_marked(r)) pass_safepoint(r, jni);
  return bind_marked(r, jni, orca_functions) && good;
}

bool rebind_bind(struct rebind *r, JNIEnv *jni, bool to_orca) {
  r->has_new = false;
  if (to_orca) return bind_to_orca(r, jni);
  bool good = bind_marked(r, jni, r->originals);
  memset(r->is_marked, 0, sizeof r->is_marked);
  return good;
}
