#pragma once
/* Parts of JVMTI and JNI that are newer than version 17: virtual threads (JVMTI 21, JNI 21). With
   them one build, made with the headers of any JDK, works in every JVM. The numbers come from the
   specifications. */
#include <jvmti.h>
#include <stdbool.h>
#include <string.h>

#define COMPAT_EVENT_VIRTUAL_THREAD_START ((jvmtiEvent)87)
#define COMPAT_EVENT_VIRTUAL_THREAD_END ((jvmtiEvent)88)

/* jvmtiEventCallbacks with one pointer for each event up to VirtualThreadEnd. The pointer of an
   event has the index `event - JVMTI_MIN_EVENT_TYPE_VAL`. SetEventCallbacks takes the size of the
   struct, and an older JVM ignores the pointers after the end of its own struct. */
union compat_callbacks {
  jvmtiEventCallbacks named;
  void (*by_event[88 - JVMTI_MIN_EVENT_TYPE_VAL + 1])(void);
};

/* Returns the version of the JDK, such as 17; 1 for JDK 8, and 0 if the JVM does not tell. */
static inline int compat_version(jvmtiEnv *ti) {
  jint version = 0;
  (*ti)->GetVersionNumber(ti, &version);
  return (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
}

/* Set and get can_support_virtual_threads, which is bit 44 of the capabilities. */
static inline void compat_want_virtual_threads(jvmtiCapabilities *c) {
  ((unsigned char *)c)[44 / 8] |= 1u << 44 % 8;
}

static inline bool compat_has_virtual_threads(const jvmtiCapabilities *c) {
  return (((const unsigned char *)c)[44 / 8] & 1u << 44 % 8) != 0;
}

/* Calls IsVirtualThread, which is function 234 of JNI 21. Returns false in an older JVM. */
static inline bool compat_is_virtual(JNIEnv *jni, jobject thread) {
  jboolean(JNICALL * is_virtual)(JNIEnv *, jobject);
  if ((*jni)->GetVersion(jni) < 0x00150000) return false;
  memcpy(&is_virtual, (const char *)*jni + 234 * sizeof is_virtual, sizeof is_virtual);
  return is_virtual(jni, thread) != JNI_FALSE;
}
