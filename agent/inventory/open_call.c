#include "agent/inventory/open_call.h"

#include "agent/jvm/jvm.h"

/* What a method is: the row of tracked.def, or one of these. The cache stores UNCACHED more. */
enum { METHOD_OF_JDK = -1, METHOD_OF_PROGRAM = -2, UNCACHED = 3 };

/* Returns whether calls of the row have a begin and an end event in this recording. */
static bool is_recorded_pair(const struct tracked *t, const struct options *o) {
  enum tracked_way way = tracked_way(t, o);
  return tracked_is_pair(t) && (way == WAY_RECORD || way == WAY_TRY);
}

static int find_row(const struct options *o, jvmtiEnv *ti, jmethodID method, jclass klass) {
  char *signature = NULL, *name = NULL, *descriptor = NULL;
  int row = METHOD_OF_JDK;
  (*ti)->GetClassSignature(ti, klass, &signature, NULL);
  if (signature != NULL && tracked_has_class(signature)) {
    (*ti)->GetMethodName(ti, method, &name, &descriptor, NULL);
    if (name != NULL && descriptor != NULL) row = tracked_find(signature, name, descriptor);
  }
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*ti)->Deallocate(ti, (unsigned char *)name);
  (*ti)->Deallocate(ti, (unsigned char *)descriptor);
  return row >= 0 && is_recorded_pair(&tracked[row], o) ? row : METHOD_OF_JDK;
}

static int look_at_method(const struct options *o, jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  jclass klass = NULL;
  if ((*ti)->GetMethodDeclaringClass(ti, method, &klass) != JVMTI_ERROR_NONE) return METHOD_OF_JDK;
  bool is_program = jvm_is_program_class(ti, jni, klass);
  int result = is_program ? METHOD_OF_PROGRAM : find_row(o, ti, method, klass);
  (*jni)->DeleteLocalRef(jni, klass);
  return result;
}

static int classify_method(struct open_calls *o, jvmtiEnv *ti, JNIEnv *jni, jmethodID method) {
  uint64_t *cached = hashmap_at(&o->methods, (uint64_t)(uintptr_t)method);
  if (cached == NULL) return look_at_method(o->options, ti, jni, method);
  if (*cached == 0) {
    int row = look_at_method(o->options, ti, jni, method);
    *cached = (uint64_t)(unsigned)(row + UNCACHED);
  }
  return (int)*cached - UNCACHED;
}

int open_calls_find(struct open_calls *o, jvmtiEnv *ti, JNIEnv *jni, const jvmtiFrameInfo *frames,
                    int num_frames, struct open_call out[OPEN_CALLS_MAX]) {
  int num = 0;
  bool by_program = true; /* code of the program is between this frame and the last call */
  for (int i = num_frames - 1; i >= 0 && num < OPEN_CALLS_MAX; i--) {
    int row = classify_method(o, ti, jni, frames[i].method);
    if (row == METHOD_OF_PROGRAM) by_program = true;
    if (row < 0 || !by_program) continue;
    out[num++] = (struct open_call){tracked[row].entry, i};
    by_program = false;
  }
  return num;
}

void open_calls_free(struct open_calls *o) { hashmap_free(&o->methods); }
