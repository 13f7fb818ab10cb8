#include "agent/monitor/class_lock.h"

#include <string.h>

#define JVMTI_26 0x301A0000

#define GETSTATIC 0xB2
#define PUTSTATIC 0xB3
#define INVOKESTATIC 0xB8
#define NEW 0xBB

static bool is_new_jvm(jvmtiEnv *ti) {
  jint version = 0;
  return (*ti)->GetVersionNumber(ti, &version) == JVMTI_ERROR_NONE && version >= JVMTI_26;
}

static bool is_empty_int_array(jvmtiEnv *ti, JNIEnv *jni, jobject object) {
  char *signature = NULL;
  jclass klass = (*jni)->GetObjectClass(jni, object);
  (*ti)->GetClassSignature(ti, klass, &signature, NULL);
  bool is_array = signature != NULL && strcmp(signature, "[I") == 0;
  (*ti)->Deallocate(ti, (unsigned char *)signature);
  (*jni)->DeleteLocalRef(jni, klass);
  return is_array && (*jni)->GetArrayLength(jni, object) == 0;
}

/* The bytecodes in which a virtual thread unmounts while it waits for the initialization of a
   class. Anywhere else it is pinned, and gets its end event. */
static bool initializes_class(unsigned char opcode) {
  return opcode == NEW || opcode == GETSTATIC || opcode == PUTSTATIC || opcode == INVOKESTATIC;
}

static bool is_initializing_class(jvmtiEnv *ti) {
  jvmtiFrameInfo top;
  jint n = 0, len = 0;
  unsigned char *code = NULL;
  if ((*ti)->GetStackTrace(ti, NULL, 0, 1, &top, &n) != JVMTI_ERROR_NONE || n != 1) return false;
  if (top.location < 0) return false;
  if ((*ti)->GetBytecodes(ti, top.method, &len, &code) != JVMTI_ERROR_NONE) return false;
  bool is_initializing = top.location < len && initializes_class(code[top.location]);
  (*ti)->Deallocate(ti, code);
  return is_initializing;
}

bool class_lock_may_hide_end(jvmtiEnv *ti, JNIEnv *jni, jobject monitor) {
  return is_new_jvm(ti) && is_empty_int_array(ti, jni, monitor) && is_initializing_class(ti);
}
