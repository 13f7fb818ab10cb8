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
  /* Both stay, once set: a thread may be inside a function of ours until the process is gone. */
  int rows[NUM_NATIVES];
  void *originals[NUM_NATIVES];
  bool marked[NUM_NATIVES]; /* by rebind_add, until bound back */
};

/* A native gets no pointer of ours. Set once, before anything is bound. */
static struct rebind *bound;

/* --- the functions that the JVM calls -------------------------------------------------------- */

/* False where there is nothing to record: compiled code may go on to call ours long after it was
   bound back. */
static bool enter(enum native n, JNIEnv *jni, jobject self) {
  if (!recorder_is_on(bound->hooks->threads->recorder)) return false;
  hook_enter(bound->hooks, jni, bound->rows[n], self, HOOK_ON_TOP);
  return true;
}

static void leave(enum native n, bool entered) {
  if (entered) hook_exit(bound->hooks, bound->rows[n], false);
}

/* `self` is the object, or the class of a static method, which no row is about. */
static jobject about(enum native n, jobject self) {
  return tracked[bound->rows[n]].about == ABOUT_THIS ? self : NULL;
}

#define NATIVE_NONE(id, class, name, descriptor, original)                   \
  static void JNICALL call_##id(JNIEnv *jni, jobject self) {                 \
    bool entered = enter(NATIVE_##id, jni, about(NATIVE_##id, self));        \
    ((void (*)(JNIEnv *, jobject))bound->originals[NATIVE_##id])(jni, self); \
    leave(NATIVE_##id, entered);                                             \
  }
#define NATIVE_LONG(id, class, name, descriptor, original)                                 \
  static void JNICALL call_##id(JNIEnv *jni, jobject self, jlong value) {                  \
    bool entered = enter(NATIVE_##id, jni, about(NATIVE_##id, self));                      \
    ((void (*)(JNIEnv *, jobject, jlong))bound->originals[NATIVE_##id])(jni, self, value); \
    leave(NATIVE_##id, entered);                                                           \
  }
#include "agent/track/natives.def"

static void *const ours[NUM_NATIVES] = {
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

static int find(const struct tracked *row) {
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
  int n = find(&tracked[row]);
  *out_reason = "it is native, and nothing is known of its function";
  if (n < 0) return false;
  r->originals[n] = dlsym(RTLD_DEFAULT, natives[n].original);
  *out_reason = "it is native, and this JVM does not show its function";
  if (r->originals[n] == NULL) return false;
  r->rows[n] = row;
  r->marked[n] = true;
  return true;
}

static bool bind_one(struct rebind *r, JNIEnv *jni, int n, bool to_ours) {
  JNINativeMethod method = {(char *)natives[n].name, (char *)natives[n].descriptor,
                            to_ours ? ours[n] : r->originals[n]};
  jclass klass = (*jni)->FindClass(jni, natives[n].class_name);
  bool good = klass != NULL && (*jni)->RegisterNatives(jni, klass, &method, 1) == JNI_OK;
  (*jni)->ExceptionClear(jni);
  if (klass != NULL) (*jni)->DeleteLocalRef(jni, klass);
  return good;
}

bool rebind_bind(struct rebind *r, JNIEnv *jni, bool to_ours) {
  bool good = true;
  for (int n = 0; n < NUM_NATIVES; n++) {
    if (r->marked[n]) good = bind_one(r, jni, n, to_ours) && good;
    if (!to_ours) r->marked[n] = false;
  }
  return good;
}
