#pragma once
/* Decides which methods of a class are woven, and how: the rows of tracked.def, and what the user
   selected. It needs no JVM. After
   plan_begin and plan_enable_counting, any thread may call it, and several at the same time. Only
   plan_change may run at the same time as the others. */
#include "agent/base/extern_c.h"
#include "agent/record/missing_hooks.h"
#include "agent/track/selection.h"
#include "agent/tracked/tracked.h"

BEGIN_C

struct plan;

/* plan_new returns NULL if memory runs out. A plan is never freed. It adds the methods that could
   not be hooked to `missing`, which must live as long. */
struct plan *plan_new(struct missing_hooks *missing);

/* plan_begin sets the options of a recording. No class may be woven during the call.
   plan_enable_counting tells that OrcaLocks can count acquisitions. Without it, contended
   acquisitions cannot be distinguished, so every acquisition is recorded. */
void plan_begin(struct plan *p, const struct options *o);
void plan_enable_counting(struct plan *p);

/* plan_change sets other options during a recording. plan_options returns those that are set; they
   are valid until the next plan_change. plan_has_changed tells whether a class may
   have to be woven in another way than before the last plan_change. One thread at a time. */
void plan_change(struct plan *p, const struct options *o);
const struct options *plan_options(const struct plan *p);
bool plan_has_changed(const struct plan *p, struct span class_name, bool is_boot);

/* plan_wants_row tells whether a row is to be hooked. plan_wants_class tells whether a class may
   contain methods to hook. `class_name` is spelled as in class files: "java/lang/Object".
   `is_boot`: the boot loader loads the class. */
bool plan_wants_row(const struct plan *p, int row);
bool plan_wants_class(const struct plan *p, struct span class_name, bool is_boot);

/* plan_is_class_selected tells whether the user selected the class or methods of it. */
bool plan_is_class_selected(const struct plan *p, struct span class_name, bool is_boot);

/* plan_weave weaves a class file and appends the new one to `out`. Returns false, with nothing
   appended, if the class stays unchanged. */
bool plan_weave(struct plan *p, struct span class_name, bool is_boot, struct span class_file,
                struct builder *out);

/* plan_set_missing records that a row could not be hooked. */
void plan_set_missing(struct plan *p, int row, const char *reason);

END_C
