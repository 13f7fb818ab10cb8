/* When a recording begins and ends: at once, after a time or at `orca attach`, and by itself (the
   options `start` and `duration`). One thread, `timer`, waits for both. No part of a recording runs
   on this thread, so it can stop all of them. The sweeper and the escalation are parts, which would
   have to wait for their own end.

   Before the start the agent only has the capabilities that the JVM grants at its start. It enables
   no further JVMTI event, weaves no class and makes no file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"

/* --- the thread ------------------------------------------------------------------------------- */

/* After it has ended a recording, the thread of that recording may still be on its way out. */
static bool start_timer(struct agent *a, JNIEnv *jni,
                        void (*run)(struct agent_thread *, jvmtiEnv *, JNIEnv *, void *)) {
  schedule_stop(a);
  return agent_thread_start(&a->timer, "Orca timer", &a->threads, a->ti, jni, run, a);
}

void schedule_stop(struct agent *a) { agent_thread_stop(&a->timer, NS_PER_S); }

/* --- the end ---------------------------------------------------------------------------------- */

/* Another recording may be on, if a debugger has suspended this thread while the first one was
   stopped. */
static bool is_over(const struct agent *a) {
  return a->state == AGENT_RECORDING && a->end_at_ns != 0 && clock_monotonic_ns() >= a->end_at_ns;
}

static void end_recording(struct agent *a, JNIEnv *jni) {
  parts_stop(a, jni, "duration", false);
  a->state = AGENT_IDLE;
  a->has_ended_by_duration = true;
}

/* Returns when the recording ends by itself. False if it does not, or if this thread shall end. */
static bool find_end(struct agent *a, struct agent_thread *self, uint64_t *out) {
  if (!control_lock(a, self)) return false;
  *out = a->state == AGENT_RECORDING ? a->end_at_ns : 0;
  semaphore_post(&a->control);
  return *out != 0;
}

/* Waits until end_at_ns and then ends the recording, unless schedule_stop or the end of the JVM
   comes first. Returns at once if the recording has no such end. Only the thread `timer`, without
   `control`. */
static void wait_and_end(struct agent *a, struct agent_thread *self, JNIEnv *jni) {
  uint64_t at;
  if (!find_end(a, self, &at)) return;
  uint64_t now = clock_monotonic_ns();
  if (at > now && !agent_thread_sleep(self, at - now)) return;
  if (!control_lock(a, self)) return;
  if (is_over(a)) end_recording(a, jni);
  semaphore_post(&a->control);
}

static void wait_for_end(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  (void)ti;
  wait_and_end(arg, self, jni);
}

bool schedule_end(struct agent *a, JNIEnv *jni) { return start_timer(a, jni, wait_for_end); }

/* --- the start: waiting ----------------------------------------------------------------------- */

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
  wait_and_end(a, self, jni);
}

bool schedule_wait(struct agent *a, JNIEnv *jni) {
  bool good = start_timer(a, jni, wait_for_time);
  if (!good) schedule_cancel(a, jni);
  return good;
}

void schedule_cancel(struct agent *a, JNIEnv *jni) {
  schedule_stop(a);
  threads_forget_ended(&a->threads, jni);
  a->state = AGENT_IDLE;
}

/* --- the start: requests ---------------------------------------------------------------------- */

static bool keep_start(struct agent *a, const char *options, uint64_t delay_ns, char *error,
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

bool schedule_load(struct agent *a, const char *text, char *error, size_t error_size) {
  struct options options;
  if (!options_parse(text, &options, error, error_size)) return false;
  if (options.start == 0) {
    if (!setup_open(a, text, false, error, error_size)) return false;
    a->state = AGENT_RECORDING;
    return true;
  }
  if (!setup_check(a, &options, false, error, error_size)) return false;
  return options.start == START_LATER || keep_start(a, text, options.start, error, error_size);
}

bool schedule_begin(struct agent *a, JNIEnv *jni, const char *text, char *error,
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
  if (options.start == 0 && options.duration > 0 && !schedule_end(a, jni)) {
    snprintf(error, error_size, "this JVM gives Orca no thread to wait for the end");
    return false;
  }
  if (options.start == 0) return begin_recording(a, jni, text, error, error_size);
  if (!setup_check(a, &options, true, error, error_size) ||
      !keep_start(a, text, options.start, error, error_size)) {
    return false;
  }
  if (schedule_wait(a, jni)) return true;
  snprintf(error, error_size, "this JVM gives Orca no thread to wait for the start");
  return false;
}
