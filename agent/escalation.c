/* The thread that changes options for a while when a trigger has fired
   (trigger=cpu>90%:locks=all,for=30s). The writer notes that it fired, but may not call the JVM. */
#include <stdio.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"

static void say_begin(const struct agent *a, enum trigger trigger) {
  const struct escalation *e = &a->set_options.trigger.escalations[trigger];
  log_line("trigger %s: for %g s from now on %s", trigger_names[trigger],
           (double)e->for_ns / NS_PER_S, e->words);
}

static void begin_escalation(struct agent *a, JNIEnv *jni, enum trigger trigger) {
  char error[1000];
  if (settings_escalate(a, jni, trigger, true, error, sizeof error)) {
    say_begin(a, trigger);
  } else {
    log_line("trigger %s: its options are not in force: %s", trigger_names[trigger], error);
  }
}

static void end_escalation(struct agent *a, JNIEnv *jni, enum trigger trigger) {
  char error[1000];
  if (settings_escalate(a, jni, trigger, false, error, sizeof error)) {
    log_line("trigger %s: its time is over; the options are as before", trigger_names[trigger]);
  } else {
    log_line("trigger %s: its time is over, but its options stay in force: %s",
             trigger_names[trigger], error);
    a->escalations[trigger].until_ns = clock_monotonic_ns() + NS_PER_S; /* then try again */
  }
}

/* A trigger that fires while its options are in force extends their time. */
static void follow_trigger(struct agent *a, JNIEnv *jni, enum trigger trigger, bool has_fired) {
  uint64_t now = clock_monotonic_ns(), for_ns = a->set_options.trigger.escalations[trigger].for_ns;
  bool is_on = a->escalations[trigger].is_on;
  if (has_fired && for_ns > 0) {
    a->escalations[trigger].until_ns = now + for_ns;
    if (!is_on) begin_escalation(a, jni, trigger);
  } else if (is_on && now >= a->escalations[trigger].until_ns) {
    end_escalation(a, jni, trigger);
  }
}

/* Returns when the first time is over; UINT64_MAX: no trigger is on. */
static uint64_t find_next_end(const struct agent *a) {
  uint64_t next = clock_monotonic_ns() + 3600 * NS_PER_S;
  for (int i = 0; i < NUM_TRIGGERS; i++) {
    bool is_next = a->escalations[i].is_on && a->escalations[i].until_ns < next;
    if (is_next) next = a->escalations[i].until_ns;
  }
  return next;
}

static void run_escalations(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct agent *a = arg;
  uint64_t next_ns = clock_monotonic_ns();
  (void)ti;
  while (agent_thread_sleep(self, 0)) {
    uint32_t fired = firings_wait(&a->firings, next_ns);
    if (!control_lock(a, self)) return;
    for (int i = 0; i < NUM_TRIGGERS && a->state == AGENT_RECORDING; i++) {
      follow_trigger(a, jni, (enum trigger)i, (fired >> i & 1) != 0);
    }
    next_ns = find_next_end(a);
    semaphore_post(&a->control);
  }
}

bool escalation_start(struct agent *a, JNIEnv *jni) {
  if (a->escalator.ready && agent_thread_is_running(&a->escalator)) return true;
  firings_reset(&a->firings);
  return agent_thread_start(&a->escalator, "Orca escalation", &a->threads, a->ti, jni,
                            run_escalations, a);
}

void escalation_stop(struct agent *a) {
  firings_end(&a->firings);
  agent_thread_stop(&a->escalator, NS_PER_S);
}
