#pragma once
/* All that a dump says, computed in one pass over its events and one over its samples. Memory goes
   by distinct stacks, threads and objects, never by events. */
#include "tools/orca/model/analysis.h"
#include "tools/orca/model/calls.h"
#include "tools/orca/model/cpu.h"
#include "tools/orca/model/deadlocks.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/guards.h"
#include "tools/orca/model/locks.h"
#include "tools/orca/model/orders.h"
#include "tools/orca/model/process.h"
#include "tools/orca/model/profile.h"
#include "tools/orca/model/recording.h"
#include "tools/orca/model/spread.h"
#include "tools/orca/model/stalls.h"
#include "tools/orca/model/threads.h"
#include "tools/orca/model/wakeups.h"

#ifdef __cplusplus
extern "C" {
#endif

struct model {
  struct dump *dump; /* the caller's */
  struct matcher matcher;
  struct recording recording;
  struct stacks stacks;
  struct threads threads;
  struct pass pass;              /* the pairs and holders that remain at the end */
  struct stalls stalls;          /* by object */
  struct stalls stalls_by_class; /* the same by class */
  struct locks locks;
  struct calls calls;
  struct spread spread; /* the Cpu lines; nothing where the sampler works at safepoints */
  uint64_t lost_ns;     /* of them: of samples whose callers are not known (place Lost) */
  struct cpu cpu;
  struct process process; /* empty where only some threads, stacks, locks or events are asked for;
                             then the waits for a CPU are those of the threads */
  struct profile profile; /* sorted */
  struct deadlocks deadlocks;
  struct orders orders;
  struct guards guards;
  struct wakeups wakeups;
  struct tally holder_places; /* by lock, as in struct contention; only behind holder_places_find */
  struct tally pinned; /* group 0, by place_t: virtual threads that had to block on their carrier */
};

/* model_read reads a dump in one pass, and of it what matches `filter` (NULL: everything), for the
   analyses in `set` and those that they use. The other parts of the model stay empty. A pair that
   never ended counts up to the end of the recording. False: memory ran out; call model_free either
   way. The dump and the texts of the filter must outlive the model. */
bool model_read(struct model *m, struct dump *d, const struct filter *filter, analyses_t set);

/* model_unknown_ns is the part of the CPU time whose stack is not known, or not all of it. */
uint64_t model_unknown_ns(const struct model *m);

/* model_next_open walks over the pairs that had not ended when the recording did, which is taken as
   their end, and clips them to the range of the filter. `*out_matches`: it matches the filter.
   Start with `*cursor` = 0; false after the last pair. */
bool model_next_open(const struct model *m, size_t *cursor, struct pair *out, bool *out_matches);

void model_free(struct model *m);

#ifdef __cplusplus
}
#endif
