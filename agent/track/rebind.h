#pragma once
/* Tracked methods that are native: bound to functions of ours, which tell the hooks and call what
   the JVM had there (natives.def). */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/track/hooks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rebind;

/* rebind_new: NULL without memory. One for the process; `hooks` must be for good. */
struct rebind *rebind_new(const struct hooks *hooks);

/* rebind_add marks a native method for binding; `row` is its row of tracked.def. False, with a
   reason, when the function the JVM has for it is not known. Before rebind_bind. */
bool rebind_add(struct rebind *r, int row, const char **out_reason);

/* rebind_bind binds all that are marked to our functions, or back to the JVM's. Has to be called
   from a Java frame of a boot class (OrcaBoot): else the JVM warns on stdout. Leaves no exception.
 */
bool rebind_bind(struct rebind *r, JNIEnv *jni, bool to_ours);

#ifdef __cplusplus
}
#endif
