#pragma once
/* What happens at the entry and the exit of a tracked method, whatever engine saw it: nesting, and
   the record. An engine calls these on the thread that is in the method.

     struct context *c = hook_enter(…);     always, at the entry
     if (c != NULL) hook_record(…, c, …);   the outermost of nested ones: now find its object
     hook_exit(…);                          always, however the method leaves
*/
#include <jvmti.h>

#include "agent/thread/context.h"
#include "agent/track/tracked.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the tracked method stands on the stack: on top, or below the hook of ours that it has
 * called. */
enum hook_place { HOOK_ON_TOP, HOOK_CALLED };

/* hook_enter counts the entry; not NULL when it is to be recorded. */
struct context *hook_enter(struct threads *threads, jvmtiEnv *ti, JNIEnv *jni,
                           enum hook_place place);

/* hook_record records the entry of row `t`; `object` as its `about` says, NULL for nothing. */
void hook_record(struct threads *threads, jvmtiEnv *ti, JNIEnv *jni, struct context *c,
                 const struct tracked *t, jobject object, enum hook_place place);

/* hook_exit counts the exit and records it if the entry was. Its stack is the one of the entry: the
   callers are the same, and taking it again would only make the exit late. */
void hook_exit(struct threads *threads, jvmtiEnv *ti);

#ifdef __cplusplus
}
#endif
