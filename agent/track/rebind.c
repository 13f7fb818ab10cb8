#include "agent/track/rebind.h"

#include <dlfcn.h>
#include <string.h>

#include "agent/base/memory.h"
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

/* Handles the entry of the native. Returns false if nothing is recorded: compiled code may call
   Orca's function long after the method was bound back, and a change of the option events leaves it
   bound. */
static bool enter_native(enum native n, JNIEnv *jni, jobject self) {
  enum event_kind entry = tracked[bound->rows[n]].entry;
  if (!recorder_wants(bound->hooks->threads->recorder, entry)) return false;
  if (hook_leaves_out(bound->hooks, bound->rows[n], self)) return false;
  hook_enter(bound->hooks, jni, bound->rows[n], self, HOOK_ON_TOP);
  return true;
}

static void exit_native(enum native n, JNIEnv *jni, bool is_entered) {
  if (is_entered) hook_exit(bound->hooks, jni, bound->rows[n], false, HOOK_ON_TOP);
}

/* Returns the object of the call. For a static method `self` is the class, which is never the
   object. */
static jobject get_object(enum native n, jobject self) {
  return tracked[bound->rows[n]].about == ABOUT_THIS ? self : NULL;
}

#define NATIVE_NONE(id, class, name, descriptor, original)                           \
  static void JNICALL call_##id(JNIEnv *jni, jobject self) {                         \
    bool is_entered = enter_native(NATIVE_##id, jni, get_object(NATIVE_##id, self)); \
    ((void (*)(JNIEnv *, jobject))bound->originals[NATIVE_##id])(jni, self);         \
    exit_native(NATIVE_##id, jni, is_entered);                                       \
  }
#define NATIVE_LONG(id, class, name, descriptor, original)                                 \
  static void JNICALL call_##id(JNIEnv *jni, jobject self, jlong value) {                  \
    bool is_entered = enter_native(NATIVE_##id, jni, get_object(NATIVE_##id, self));       \
    ((void (*)(JNIEnv *, jobject, jlong))bound->originals[NATIVE_##id])(jni, self, value); \
    exit_native(NATIVE_##id, jni, is_entered);                                             \
  }
#include "agent/track/natives.def"

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

bool rebind_bind(struct rebind *r, JNIEnv *jni, bool to_orca) {
  bool good = true;
  r->has_new = false;
  for (int n = 0; n < NUM_NATIVES; n++) {
    if (!r->is_marked[n]) continue;
    JNINativeMethod method = {(char *)natives[n].name, (char *)natives[n].descriptor,
                              to_orca ? orca_functions[n] : r->originals[n]};
    jclass klass = (*jni)->FindClass(jni, natives[n].class_name);
    if (klass == NULL || (*jni)->RegisterNatives(jni, klass, &method, 1) != JNI_OK) good = false;
    (*jni)->ExceptionClear(jni);
    if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
    if (!to_orca) r->is_marked[n] = false;
  }
  return good;
}
