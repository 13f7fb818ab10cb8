#pragma once
/* What the process did over time beside its Java threads: pauses of its garbage collector, and the
   CPU time of its JIT compiler and its garbage collector. A further pass over the samples; memory
   is bounded, however long the recording. */
#include "tools/orca/model/longest.h"
#include "tools/orca/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One look at the tasks: from the look before to this one. */
struct machine_spell {
  ticks_t begin, end;
  uint64_t jit_ns, gc_ns; /* CPU time */
  uint64_t process_ns;    /* of the whole process */
};

struct machine_times {
  struct machine_spell
      *spells;           /* in order of time; those next to each other are put together where */
  size_t num, max;       /* there are more than `max` */
  struct longest pauses; /* begin and end of the longest */
};

/* machine_times_read reads the samples of a model again, of the time that it was asked for. Nothing
   where the model has no process. False: memory ran out; machine_times_free either way. */
bool machine_times_read(struct machine_times *t, struct model *m, size_t max_spells,
                        size_t max_pauses);
void machine_times_free(struct machine_times *t);

#ifdef __cplusplus
}
#endif
