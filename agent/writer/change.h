#pragma once
/* A change of options while a recording runs, on its way to the writer: what the writer must do in
   another way, and the rows of .info that tell a reader from when on what held. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/options/options.h"

BEGIN_C

/* Times are clock_monotonic_ns. Before `begin_ns` the old values held, after `end_ns` the new ones.
   In between the hooks changed. */
struct change {
  struct options options; /* in force from now on */
  uint64_t keys;          /* bit k: option k has changed */
  uint64_t begin_ns, end_ns;
  char cause[32]; /* "set", the name of a trigger, or "end" */
};

/* change_new makes a change of the options that differ between `before` and `after`. NULL without
   memory, or if none differs. The caller frees it. */
struct change *change_new(const struct options *before, const struct options *after,
                          const char *cause);

/* change_has returns whether the option has changed. */
bool change_has(const struct change *c, enum option_key key);

/* change_put_rows appends the rows of .info. `now_ns`: when the writer follows the options of
   FOLLOWER_WRITER. */
void change_put_rows(const struct change *c, struct builder *info, uint64_t now_ns);

END_C
