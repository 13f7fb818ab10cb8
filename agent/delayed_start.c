/* The option `start`: a recording that begins when the JVM has run for a while, or when somebody
   asks for it. Until then the agent only holds what the JVM gives away at its start alone: no event
   is switched on, no class is touched, no file is made. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "agent/base/memory.h"

#define TRY_NS NS_PER_MS /* between two tries to get the lock that a stop may hold */

/* --- waiting ----------------------------------------------------------------------------- */

static bool begin_now(struct agent *a, JNIEnv *jni, const char *given, char *error,
                      size_t error_size) {
  if (!setup_open(a, given, true, error, error_size)) return false;
  carriers_expect(&a->sampler.mounted); /* virtual threads may have begun before */
  parts_start(a, jni);
  a->state = AGENT_RECORDING;
  return true;
}

static void time_has_come(struct agent *a, JNIEnv *jni) {
  char error[1000];
  if (a->state != AGENT_WAITING) return;
  a->state = AGENT_IDLE;
  if (!begin_now(a, jni, a->given, error, sizeof error)) log_line("%s; nothing is recorded", error);
}

/* Whoever has it wait no more holds the lock, and waits for this thread to end. */
static void wait_for_time(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct agent *a = arg;
  uint64_t now = clock_monotonic_ns();
  (void)ti;
  if (a->start_at_ns > now && !agent_thread_sleep(self, a->start_at_ns - now)) return;
  while (pthread_mutex_trylock(&a->control) != 0) {
    if (!agent_thread_sleep(self, TRY_NS)) return;
  }
  time_has_come(a, jni);
  pthread_mutex_unlock(&a->control);
}

bool delayed_start_wait(struct agent *a, JNIEnv *jni) {
  bool good =
      agent_thread_start(&a->starter, "Orca start", &a->threads, a->ti, jni, wait_for_time, a);
  if (!good) delayed_start_cancel(a, jni);
  return good;
}

void delayed_start_cancel(struct agent *a, JNIEnv *jni) {
  agent_thread_stop(&a->starter, NS_PER_S);
  threads_unhide_all(&a->threads, jni);
  a->state = AGENT_IDLE;
}

/* --- what is asked for ---------------------------------------------------------------------- */

static bool note_start(struct agent *a, const char *given, uint64_t after_ns, char *error,
                       size_t error_size) {
  free(a->given);
  a->given = memory_new_text(given);
  if (a->given == NULL) {
    snprintf(error, error_size, "there is no memory to start recording");
    return false;
  }
  a->start_at_ns = clock_monotonic_ns() + after_ns;
  a->state = AGENT_WAITING;
  return true;
}

bool delayed_start_load(struct agent *a, const char *given, char *error, size_t error_size) {
  struct options options;
  if (!options_parse(given, &options, error, error_size)) return false;
  if (options.start == 0) {
    if (!setup_open(a, given, false, error, error_size)) return false;
    a->state = AGENT_RECORDING;
    return true;
  }
  if (!setup_check(a, &options, false, error, error_size)) return false;
  return options.start == START_LATER || note_start(a, given, options.start, error, error_size);
}

bool delayed_start_begin(struct agent *a, JNIEnv *jni, const char *given, char *error,
                         size_t error_size) {
  struct options options;
  if (!options_parse(given, &options, error, error_size)) return false;
  if (options.start == START_LATER) {
    snprintf(error, error_size,
             "start=later is for a JVM that starts, by -agentpath; one that runs takes now or a "
             "time such as 30s");
    return false;
  }
  if (options.start == 0) return begin_now(a, jni, given, error, error_size);
  if (!setup_check(a, &options, true, error, error_size) ||
      !note_start(a, given, options.start, error, error_size)) {
    return false;
  }
  if (delayed_start_wait(a, jni)) return true;
  snprintf(error, error_size, "this JVM has no thread that could wait for the start");
  return false;
}
