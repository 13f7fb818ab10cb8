/* The option `start`: a recording that begins after a time, or at `orca attach`. Until then the
   agent only has the capabilities that the JVM grants at its start. It enables no further JVMTI
   event, weaves no class and makes no file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"

/* --- waiting ----------------------------------------------------------------------------- */

static bool begin_recording(struct agent *a, JNIEnv *jni, const char *options, char *error,
                            size_t error_size) {
  if (!setup_open(a, options, true, error, error_size)) return false;
  carriers_note_virtual_thread(&a->sampler.carriers); /* virtual threads may already run */
  a->begins_live = true;
  parts_start(a, jni);
  a->state = AGENT_RECORDING;
  return true;
}

/* The thread stays for the end of the recording, if that has a time too. */
static void wait_for_time(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct agent *a = arg;
  uint64_t now = clock_monotonic_ns();
  (void)ti;
  if (a->start_at_ns > now && !agent_thread_sleep(self, a->start_at_ns - now)) return;
  if (!control_lock(a, self)) return;
  if (a->state == AGENT_WAITING) {
    char error[1000];
    a->state = AGENT_IDLE;
    if (!begin_recording(a, jni, a->start_options, error, sizeof error)) {
      log_line("%s; nothing is recorded", error);
    }
  }
  semaphore_post(&a->control);
  duration_wait(a, self, jni);
}

bool delayed_start_wait(struct agent *a, JNIEnv *jni) {
  bool good = timer_start(a, jni, wait_for_time);
  if (!good) delayed_start_cancel(a, jni);
  return good;
}

void delayed_start_cancel(struct agent *a, JNIEnv *jni) {
  timer_stop(a);
  threads_forget_ended(&a->threads, jni);
  a->state = AGENT_IDLE;
}

/* --- requests ------------------------------------------------------------------------------- */

static bool schedule_start(struct agent *a, const char *options, uint64_t delay_ns, char *error,
                           size_t error_size) {
  free(a->start_options);
  a->start_options = memory_new_text(options);
  if (a->start_options == NULL) {
    snprintf(error, error_size, "there is no memory to start recording");
    return false;
  }
  a->start_at_ns = clock_monotonic_ns() + delay_ns;
  a->state = AGENT_WAITING;
  return true;
}

bool delayed_start_load(struct agent *a, const char *text, char *error, size_t error_size) {
  struct options options;
  if (!options_parse(text, &options, error, error_size)) return false;
  if (options.start == 0) {
    if (!setup_open(a, text, false, error, error_size)) return false;
    a->state = AGENT_RECORDING;
    return true;
  }
  if (!setup_check(a, &options, false, error, error_size)) return false;
  return options.start == START_LATER || schedule_start(a, text, options.start, error, error_size);
}

bool delayed_start_begin(struct agent *a, JNIEnv *jni, const char *text, char *error,
                         size_t error_size) {
  struct options options;
  if (!options_parse(text, &options, error, error_size)) return false;
  if (options.start == START_LATER) {
    snprintf(error, error_size,
             "start=later is for a JVM that starts with -agentpath; a running JVM takes start=now "
             "or a time such as start=30s");
    return false;
  }
  a->run = NULL;
  a->has_ended_by_duration = false; /* from here on, a->prefix may be that of the new recording */
  if (options.start == 0 && options.duration > 0 && !duration_start(a, jni)) {
    snprintf(error, error_size, "this JVM gives Orca no thread to wait for the end");
    return false;
  }
  if (options.start == 0) return begin_recording(a, jni, text, error, error_size);
  if (!setup_check(a, &options, true, error, error_size) ||
      !schedule_start(a, text, options.start, error, error_size)) {
    return false;
  }
  if (delayed_start_wait(a, jni)) return true;
  snprintf(error, error_size, "this JVM gives Orca no thread to wait for the start");
  return false;
}
