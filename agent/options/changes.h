#pragma once
/* Changes of options while a recording runs, as options.def allows them. Any thread. */
#include "agent/base/extern_c.h"
#include "agent/options/options.h"

BEGIN_C

/* options_change computes the options that follow from `now` by `words`, "key=value[,key=value…]".
   The values are parsed as those of a start. On false `error` contains one sentence: an option that
   is unknown, has a wrong value, needs another one, or cannot change while a recording runs. `now`
   and `out` must not be the same. */
bool options_change(const struct options *now, const char *words, struct options *out, char *error,
                    size_t error_size);

/* options_escalate does the same with what the trigger changes for a while. */
bool options_escalate(const struct options *now, enum trigger trigger, struct options *out,
                      char *error, size_t error_size);

/* options_check_escalations returns whether all triggers can change `o`. Otherwise `error` contains
   one sentence with the trigger. */
bool options_check_escalations(const struct options *o, char *error, size_t error_size);

/* options_compare returns the options that have another text: bit `key` for each.
   options_followed_by returns those with this follower. */
uint64_t options_compare(const struct options *a, const struct options *b);
uint64_t options_followed_by(enum option_follower follower);

/* options_copy_changing copies the options that can change. Other threads may read their fields
   meanwhile, atomically, but neither `trigger` nor a text. */
void options_copy_changing(struct options *to, const struct options *from);

END_C
