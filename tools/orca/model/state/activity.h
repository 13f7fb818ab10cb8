#pragma once
/* The states of a thread, for all views. A call that blocks or waits is known from its events. For
   the time outside of such calls a sample tells the state. The JVM reports a thread as runnable
   while it waits inside a system call (epoll, read). Only its stack shows that it waits. */
#include "agent/base/extern_c.h"
#include "agent/event/event.h"
#include "tools/orca/dump/dump.h"

BEGIN_C

enum activity {
#define ACTIVITY(id, name, meaning) ACTIVITY_##id,
#include "tools/orca/model/state/activity.def"
  NUM_ACTIVITIES
};

/* For the user: the name and the meaning of each state. */
extern const char *const activity_names[NUM_ACTIVITIES];
extern const char *const activity_meanings[NUM_ACTIVITIES];

/* activity_of_group returns the state of a thread in a call of this group, such as BLOCKED. An
   acquisition that finds its lock free is not BLOCKED: see releases_had_to_wait. */
enum activity activity_of_group(enum event_group group);

/* activity_of_call is activity_of_group of the call that begins with this event. */
enum activity activity_of_call(enum event_kind begin);

/* activity_can_run_inside returns whether the JDK runs code of the program inside such a call, in
   the same thread. Such code is a task that another task joins, the action of a barrier, or the
   tasks of a pool that is closed. */
bool activity_can_run_inside(enum event_kind begin);

/* activity_of_top returns what a runnable thread does if its innermost frame is in `method` (a
   MethodID): IO, WAITS, PARKED or SLEEPS in the native methods that are known to wait, else RUNS.
 */
enum activity activity_of_top(const struct dump *d, uint32_t method);

/* activity_of_sample returns the state that a Sample line shows. If the thread is runnable or in
   native code, the result depends on `top`: activity_of_top of its innermost frame, or HIDDEN for
   the empty stack. If the thread used no CPU time (`cpu_ns` is 0; -1 is unknown), RUNS becomes
   RUNNABLE, or NO_CALL in native code, which may wait for anything. Any other state determines the
   result alone. */
enum activity activity_of_sample(enum thread_state state, enum activity top, int64_t cpu_ns);

END_C
