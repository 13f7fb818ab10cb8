#include "sampler/states.h"

#include <stddef.h>

/* The first row with all of its bits set decides. A suspended thread also keeps the bits of its
   other state, so SUSPENDED comes before all states of a living thread. A more specific state comes
   before a more general one. */
static const struct {
  jint bits;
  enum thread_state state;
} rows[] = {
    {JVMTI_THREAD_STATE_TERMINATED, STATE_TERMINATED},
    {JVMTI_THREAD_STATE_SUSPENDED, STATE_SUSPENDED},
    {JVMTI_THREAD_STATE_SLEEPING, STATE_SLEEPING},
    {JVMTI_THREAD_STATE_PARKED | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT, STATE_TIMED_PARKED},
    {JVMTI_THREAD_STATE_PARKED, STATE_PARKED},
    {JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER, STATE_BLOCKED},
    {JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT, STATE_TIMED_WAITING},
    {JVMTI_THREAD_STATE_WAITING, STATE_WAITING},
    {JVMTI_THREAD_STATE_RUNNABLE | JVMTI_THREAD_STATE_IN_NATIVE, STATE_NATIVE},
};

enum thread_state convert_jvmti_state(jint jvmti_state) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if ((jvmti_state & rows[i].bits) == rows[i].bits) return rows[i].state;
  }
  return STATE_RUNNABLE;
}
