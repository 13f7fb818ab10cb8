#pragma once
/* What JVMTI got after version 17, so that one build serves all JVMs, whichever headers it was made
   with: virtual threads (JVMTI 21, JNI 21). Numbers and places are those of the specification. */
#include <jvmti.h>
#include <stdbool.h>
#include <string.h>

#define COMPAT_EVENT_VIRTUAL_THREAD_START ((jvmtiEvent)87)
#define COMPAT_EVENT_VIRTUAL_THREAD_END ((jvmtiEvent)88)

/* jvmtiEventCallbacks is one pointer for each event from JVMTI_MIN_EVENT_TYPE_VAL on;
   SetEventCallbacks takes its size, and an older JVM leaves alone what lies behind its own. */
union compat_callbacks {
  jvmtiEventCallbacks named;
  void (*by_event[88 - JVMTI_MIN_EVENT_TYPE_VAL + 1])(void);
};

/* can_support_virtual_threads is bit 44 of the capabilities. */
static inline void compat_want_virtual_threads(jvmtiCapabilities *c) {
  ((unsigned char *)c)[44 / 8] |= 1u << 44 % 8;
}

static inline bool compat_has_virtual_threads(const jvmtiCapabilities *c) {
  return (((const unsigned char *)c)[44 / 8] & 1u << 44 % 8) != 0;
}

/* IsVirtualThread is function 234 of JNI 21. */
static inline bool compat_is_virtual(JNIEnv *jni, jobject thread) {
  jboolean(JNICALL * is_virtual)(JNIEnv *, jobject);
  if ((*jni)->GetVersion(jni) < 0x00150000) return false;
  memcpy(&is_virtual, (const char *)*jni + 234 * sizeof is_virtual, sizeof is_virtual);
  return is_virtual(jni, thread) != JNI_FALSE;
}
