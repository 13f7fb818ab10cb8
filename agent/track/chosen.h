#pragma once
/* What the user chose by the options track, monitors and filter: which methods of which classes get
   hooks that are no row of tracked.def. Knows no JVM. */
#include "agent/classfile/weave.h"
#include "agent/options/options.h"
#include "agent/options/patterns.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CHOSEN_ID (-1) /* what hooks of such methods are given */

struct chosen {
  struct patterns methods; /* none: of no method calls are recorded */
  struct patterns monitors;
};

/* chosen_read takes the options in force, which must live as long as `out`. */
void chosen_read(struct chosen *out, const struct options *o);

/* chosen_has_class: does the class need a look? `name` as class files spell it, "com/acme/Cart".
   What the boot loader loads (`is_boot`) is left alone, unless a pattern names it: java.util.*. */
bool chosen_has_class(const struct chosen *c, struct span name, bool is_boot);

/* chosen_method adds to `hooking` what was chosen for the method; false: nothing. */
bool chosen_method(const struct chosen *c, const struct weave_method *method,
                   struct weave_hooking *hooking);

#ifdef __cplusplus
}
#endif
