#pragma once
/* What happens at the entry and the exit of a tracked method, whatever engine saw it: nesting, and
   the record. An engine calls these on the thread that is in the method, hook_enter and then,
   however the method leaves, hook_exit. */
#include <jvmti.h>

#include "agent/lock/lock_counts.h"
#include "agent/lock/lock_fields.h"
#include "agent/thread/context.h"
#include "agent/tracked/tracked.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the hooks work on. */
struct hooks {
  struct threads *threads;
  jvmtiEnv *ti;
  struct lock_fields *lock_fields;
  struct lock_counts *lock_counts;
};

/* Where the tracked method stands on the stack: on top, or below the hook of ours that it has
   called. */
enum hook_place { HOOK_ON_TOP, HOOK_CALLED };

/* hook_enter: a call of row `row` of tracked.def begins. `object` is as its `about` says, NULL for
   nothing. It is recorded, unless the JDK itself has called it inside of another tracked call. */
void hook_enter(const struct hooks *h, JNIEnv *jni, int row, jobject object, enum hook_place place);

/* hook_exit: a call of this row leaves; `failed`, and came to nothing. Recorded if the entry was.
   Its stack is the one of the entry: the callers are the same, and taking it again would only make
   the exit late. */
void hook_exit(const struct hooks *h, int row, bool failed);

/* hook_method_enter: a method of the option `track` begins; it is below the hook of ours that it
   has called. Its calls are recorded whoever makes them. */
void hook_method_enter(const struct hooks *h, JNIEnv *jni);

/* hook_method_exit: it leaves; `thrown` by this exception, or NULL. */
void hook_method_exit(const struct hooks *h, JNIEnv *jni, jobject thrown);

/* hook_thread_end: the current thread, whose context this is, ends. Calls whose exit was missed
   have left unseen. Before context_end. */
void hook_thread_end(const struct hooks *h, struct context *c);

/* hook_monitor: code that the option `monitors` chose is about to enter a monitor, has it, or is
   about to leave it: `kind` is one of the three events. */
void hook_monitor(const struct hooks *h, JNIEnv *jni, jobject monitor, enum event_kind kind);

#ifdef __cplusplus
}
#endif
