/* A JVMTI agent whose ThreadStart callback uses 8 ms of CPU time, as a machine without a free CPU
   can make any code do. Loaded before Orca, its callback runs first. */
#include <jvmti.h>
#include <time.h>

static void JNICALL burn(jvmtiEnv *ti, JNIEnv *jni, jthread thread) {
  struct timespec t;
  (void)ti, (void)jni, (void)thread;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  } while (t.tv_sec == 0 && t.tv_nsec < 8000000);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  jvmtiEnv *ti = NULL;
  (void)options, (void)reserved;
  if ((*vm)->GetEnv(vm, (void **)&ti, JVMTI_VERSION_1_2) != JNI_OK) return JNI_ERR;
  jvmtiEventCallbacks callbacks = {.ThreadStart = burn};
  (*ti)->SetEventCallbacks(ti, &callbacks, sizeof callbacks);
  return (*ti)->SetEventNotificationMode(ti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL) ==
                 JVMTI_ERROR_NONE
             ? JNI_OK
             : JNI_ERR;
}
