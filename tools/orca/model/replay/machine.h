#pragma once
/* What the process did over time besides its Java threads: the pauses of its garbage collector, and
   the CPU time of its JIT compiler and garbage collector. This is another pass over the samples.
   Memory is bounded, however long the recording is. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* The time between two Process lines, and the CPU time used in it. */
struct machine_spell {
  ticks_t begin, end;
  uint64_t jit_ns, gc_ns;
  uint64_t process_ns; /* of the whole process */
};

struct machine_times {
  struct machine_spell *spells; /* in order of time; neighbors are merged to keep the maximum */
  size_t num, max;
  struct longest pauses; /* begin and end of the longest ones */
};

/* machine_times_read reads the samples of the dump again, within the time range of the model's
   filter. `max_spells` is at least 2. The result is empty if the recording has no figures of the
   process. Returns false when memory ran out. Call machine_times_free in either case. */
bool machine_times_read(struct machine_times *t, struct model *m, size_t max_spells,
                        size_t max_pauses);
void machine_times_free(struct machine_times *t);

END_C
