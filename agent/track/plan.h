#pragma once
/* What is to be done to which class: the rows of tracked.def, and what the user chose; and what
   could not be done, with the reason. Bytes in, bytes out; any thread, several at once. */
#include "agent/track/selection.h"
#include "agent/tracked/tracked.h"

#ifdef __cplusplus
extern "C" {
#endif

struct plan;

struct plan *plan_new(void); /* NULL without memory; never freed */

/* plan_begin takes the options of a recording, which must live as long as that. Nothing is woven
   meanwhile. plan_count: locks can be counted by OrcaLocks; else their waits cannot be told from
   other acquisitions, and each is recorded. */
void plan_begin(struct plan *p, const struct options *o);
void plan_count(struct plan *p);

/* plan_wants tells whether a row is to be hooked; plan_has_class, whether a class is to be looked
   at: its name as class files spell it. */
bool plan_wants(const struct plan *p, int row);
bool plan_has_class(const struct plan *p, struct span class_name, bool is_boot);

/* plan_has_chosen: by what the user chose. */
bool plan_has_chosen(const struct plan *p, struct span class_name, bool is_boot);

/* plan_weave puts hooks into a class file: false where it stays as it is. */
bool plan_weave(struct plan *p, struct span class_name, bool is_boot, struct span class_file,
                struct builder *out);

/* plan_missing notes that a row could not be hooked. `why` must live for good. */
void plan_missing(struct plan *p, int row, const char *why);

/* plan_each_missing tells what could not be hooked: "com.acme.Cart.add(I)V: it is native". */
void plan_each_missing(struct plan *p, void (*tell)(void *arg, const char *what), void *arg);

#ifdef __cplusplus
}
#endif
