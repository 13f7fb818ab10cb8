#pragma once
/* Handles the entry and the exit of a tracked method: tracks nested calls and writes the records.
   It does not depend on the engine. An engine calls these functions on the thread that runs the
   method. It calls hook_enter at the entry and hook_exit at the exit, also if an exception leaves
   the method. */
#include <jvmti.h>

#include "agent/base/extern_c.h"
#include "agent/lock/counted_locks.h"
#include "agent/thread/context.h"
#include "agent/track/pool_sizes.h"
#include "agent/track/task_futures.h"
#include "agent/track/young_watch.h"
#include "agent/tracked/tracked.h"

BEGIN_C

/* The objects that the hooks use. */
struct hooks {
  struct threads *threads;
  jvmtiEnv *ti;
  struct lock_fields *lock_fields;
  struct lock_counts *lock_counts;
  struct young_watch *young; /* NULL: no call is young */
  struct pool_sizes *pool_sizes;
  struct task_futures *task_futures;
};

/* The place of the tracked method's frame: the top of the stack, or below the frame of Orca's Java
   hook, which the method has called. */
enum hook_place { HOOK_ON_TOP, HOOK_CALLED };

/* hook_leaves_out returns whether the call of a row is left out, and counts it then. With a
   threshold, a call is left out if it only wakes threads, and none is in a call that it can wake
   (agent/record/waiters.h). These are most events of many programs. hook_enter asks it, too. */
bool hook_leaves_out(const struct hooks *h, int row, jobject object);

/* hook_enter handles the entry of a call of row `row` of tracked.def. `object` is the object that
   the row's `about` selects, or NULL. The call is not recorded if code of the JDK made it inside
   another tracked call, unless the row is DEEP or COVER. */
void hook_enter(const struct hooks *h, JNIEnv *jni, int row, jobject object, enum hook_place place);

/* hook_queued handles the entry of a call of a TASK row: `executor`, whose method is called, gets
   the task. The size of a pool is recorded with its first task in a set of files. Without a
   threshold, so is the CompletableFuture that the task completes. */
void hook_queued(const struct hooks *h, JNIEnv *jni, int row, jobject task, jobject executor,
                 enum hook_place place);

/* hook_returned handles the exit of a call of a RETURNED row, which has no hook at the entry.
   `object` is the returned object or NULL. */
void hook_returned(const struct hooks *h, JNIEnv *jni, int row, jobject object,
                   enum hook_place place);

/* hook_exit handles the exit of a call of this row. `failed`: an exception left it, or its result
   means failure. The exit is recorded if the entry was. It is recorded with the stack of the
   entry: the callers are the same, and taking the stack again would delay the exit. If the call was
   young until now (agent/thread/young.h) and took long, the entry is recorded too. */
void hook_exit(const struct hooks *h, JNIEnv *jni, int row, bool failed, enum hook_place place);

/* hook_method_enter handles the entry of a method that the option `track` selects. Its frame is
   below the frame of Orca's Java hook. Each call is recorded, whatever code made it. */
void hook_method_enter(const struct hooks *h, JNIEnv *jni);

/* hook_method_exit handles its exit. `thrown` is the exception that left the method, or NULL. */
void hook_method_exit(const struct hooks *h, JNIEnv *jni, jobject thrown);

/* hook_thread_end handles the end of the current thread, whose context is `c`. It records the exits
   of the calls whose exits were missed, as failed. Call it before context_end. */
void hook_thread_end(const struct hooks *h, struct context *c);

/* hook_monitor records a monitor event of code that the option `monitors` selects. `kind` is
   EVENT_MONITOR_ENTER, EVENT_MONITOR_ENTERED or EVENT_MONITOR_EXIT. */
void hook_monitor(const struct hooks *h, JNIEnv *jni, jobject monitor, enum event_kind kind);

END_C
