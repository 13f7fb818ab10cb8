#pragma once
/* The user's selection with the options track, monitors and filter: hooks for methods that are not
   rows of tracked.def. It needs no JVM. Any thread may read a selection. */
#include "agent/base/extern_c.h"
#include "agent/classfile/weave.h"
#include "agent/options/options.h"
#include "agent/options/patterns.h"

BEGIN_C

#define SELECTED_ID (-1) /* the id that the hooks of selected methods get */

/* Empty patterns select nothing. */
struct selection {
  struct patterns methods;  /* methods whose calls are recorded */
  struct patterns monitors; /* classes whose monitor events are recorded */
};

/* selection_read reads the options of a recording. Their texts must outlive `out`. */
void selection_read(struct selection *out, const struct options *o);

/* selection_differs returns whether these options select in different ways. */
bool selection_differs(const struct options *a, const struct options *b);

/* selection_has_class tells whether methods of the class may be selected. `name` is spelled as in
   class files: "com/acme/Cart". A class of the boot loader (`is_boot`) is selected only if a
   pattern spells out the first part of its name, such as java.util.*. */
bool selection_has_class(const struct selection *s, struct span name, bool is_boot);

/* selection_get_hooking sets the selected hooks of the method in `hooking`. Returns false if no
   hook is selected. */
bool selection_get_hooking(const struct selection *s, const struct weave_method *method,
                           struct weave_hooking *hooking);

END_C
