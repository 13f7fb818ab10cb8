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

struct selection {
  struct patterns methods; /* none: of no method calls are recorded */
  struct patterns monitors;
};

/* selection_read takes the options in force, which must live as long as `out`. */
void selection_read(struct selection *out, const struct options *o);

/* selection_has_class: does the class need a look? `name` as class files spell it, "com/acme/Cart".
   What the boot loader loads (`is_boot`) is left alone, unless a pattern names it: java.util.*. */
bool selection_has_class(const struct selection *c, struct span name, bool is_boot);

/* selection_method adds to `hooking` what was chosen for the method; false: nothing. */
bool selection_method(const struct selection *c, const struct weave_method *method,
                      struct weave_hooking *hooking);

#ifdef __cplusplus
}
#endif
