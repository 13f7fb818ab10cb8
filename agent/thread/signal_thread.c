#include "agent/thread/signal_thread.h"

#include <stdbool.h>
#include <string.h>

/* For each signal, jdk.internal.misc.Signal starts a thread of this name. The handler that
   java.lang.Terminator installs runs the shutdown hooks and ends the JVM there. */
static const struct {
  const char *thread, *reason;
} signals[] = {{"SIGTERM handler", "signal TERM"},
               {"SIGINT handler", "signal INT"},
               {"SIGHUP handler", "signal HUP"}};

const char *signal_thread_reason(jvmtiEnv *ti, JNIEnv *jni, const char *other) {
  jvmtiThreadInfo info = {0};
  const char *reason = other;
  if ((*ti)->GetThreadInfo(ti, NULL, &info) != JVMTI_ERROR_NONE) return other;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    bool is_handler = info.name != NULL && strcmp(info.name, signals[i].thread) == 0;
    if (is_handler) reason = signals[i].reason;
  }
  (*ti)->Deallocate(ti, (unsigned char *)info.name);
  if (info.thread_group != NULL) (*jni)->DeleteLocalRef(jni, info.thread_group);
  if (info.context_class_loader != NULL) (*jni)->DeleteLocalRef(jni, info.context_class_loader);
  return reason;
}
