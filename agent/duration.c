/* The option `duration`: a recording that ends by itself. It ends on the thread `timer`, which also
   waits for the option `start`. No part of a recording runs on this thread, so it can stop all of
   them. The sweeper and the escalation are parts, which would have to wait for their own end. */
#include "agent/agent.h"
#include "agent/base/clock.h"

/* --- the thread ------------------------------------------------------------------------------ */

/* After it has ended a recording, the thread of that recording may still be on its way out. */
bool timer_start(struct agent *a, JNIEnv *jni,
                 void (*run)(struct agent_thread *, jvmtiEnv *, JNIEnv *, void *)) {
  timer_stop(a);
  return agent_thread_start(&a->timer, "Orca timer", &a->threads, a->ti, jni, run, a);
}

void timer_stop(struct agent *a) { agent_thread_stop(&a->timer, NS_PER_S); }

/* --- the end --------------------------------------------------------------------------------- */

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

void duration_wait(struct agent *a, struct agent_thread *self, JNIEnv *jni) {
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
  duration_wait(arg, self, jni);
}

bool duration_start(struct agent *a, JNIEnv *jni) { return timer_start(a, jni, wait_for_end); }
