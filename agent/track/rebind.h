#pragma once
/* Tracked methods that are native: binds them to functions of Orca, which call the hooks and then
   the JVM's original function (natives.def). */
#include <jvmti.h>
#include <stdbool.h>

#include "agent/base/extern_c.h"
#include "agent/track/hooks.h"

BEGIN_C

struct rebind;

/* rebind_new returns NULL if memory runs out. Call it once in the process. `hooks` must never be
   freed. */
struct rebind *rebind_new(const struct hooks *hooks);

/* rebind_add marks a native method for binding; `row` is its row of tracked.def. Returns false,
   with a static string in `*out_reason`, if the JVM's function for it is unknown. Call it before
   rebind_bind. */
bool rebind_add(struct rebind *r, int row, const char **out_reason);

/* rebind_has_new returns whether methods are marked that the last rebind_bind has not bound. */
bool rebind_has_new(const struct rebind *r);

/* rebind_bind binds all marked methods: to Orca's functions if `to_orca`, else back to the JVM's.
   Calls that begin later reach Orca's functions, also if compiled code for them is made right now
   (unless the JVM refuses a look at the stacks).
   Call it below a Java frame of a boot class (OrcaBoot), because the JVM would otherwise print a
   warning to stdout. Leaves no pending exception. Returns false if a method could not be bound. */
bool rebind_bind(struct rebind *r, JNIEnv *jni, bool to_orca);

END_C
