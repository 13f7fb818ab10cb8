#pragma once
/* The results of all analyses of one dump, computed in one pass over its lines. The memory grows
   with the numbers of distinct stacks, threads and objects, never with the number of events. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/analysis.def" /* the headers of the parts */
#include "tools/orca/model/analysis.h"
#include "tools/orca/model/filter.h"
#include "tools/orca/model/spread.h"
#include "tools/orca/model/sums.h"

BEGIN_C

struct model {
  struct dump *dump; /* the caller's */
  struct matcher matcher;
  struct stacks stacks;
  struct pass pass; /* the pairs and holders that remain at the end */

  /* The parts, each of an analysis. */
#define ANALYSIS(ID, id, type, free) type id;
#include "tools/orca/model/analysis.def"

  /* What the analyses that every view needs fill besides. */
  struct spread spread; /* the Cpu lines; emptied when the analysis of CPU time ends */
  uint64_t lost_ns;     /* CPU time of samples whose outer frames are missing (place Lost) */
  struct spending spending;
  ticks_t process_line; /* time of the last Process line; 0: none yet */
  uint64_t queued_ns;   /* sum of the Sched lines since then */

  struct stalls stalls_by_class; /* the stalls by class */
  struct sums sums;              /* of a digest, instead of the analyses; else empty */
};

/* model_read reads a dump in one pass and runs the analyses in `set` and those that they use. The
   other parts of the model stay empty. Only what matches `filter` counts; NULL matches everything.
   A pair that never ended counts up to the end of the recording. model_read returns false when
   memory ran out; call model_free either way. The dump and the texts of the filter must outlive the
   model. The model must not move, because its parts point to each other. */
bool model_read(struct model *m, struct dump *d, const struct filter *filter, analyses_t set);

/* model_start prepares the analyses in `set`, without those that they use, for a recording that may
   grow. The caller adds its own listeners to `pass`, and reads with pass_advance: the analyses take
   the lines before its listeners do, and never end. */
void model_start(struct model *m, struct dump *d, const struct filter *filter, analyses_t set);

/* How many of the calls that were shorter than the threshold are in counts and times of waits. */
enum short_coverage {
  SHORT_NONE, /* none: the agent has written no sums */
  SHORT_SOME, /* some: the sums do not go to the end, or the filter leaves some out */
  SHORT_ALL
};
enum short_coverage model_short_coverage(const struct model *m);

/* model_short_threads sets `*out` to how many virtual threads were left out of the whole recording,
   because they ended before the threshold and no line names them. Their CPU time counts for their
   carriers. False: it is not known. */
bool model_short_threads(const struct model *m, uint64_t *out);

/* model_lacks_short_calls returns whether they are not all. */
bool model_lacks_short_calls(const struct model *m);

/* model_unknown_ns returns the CPU time whose stack is unknown or incomplete. */
uint64_t model_unknown_ns(const struct model *m);

/* model_next_open walks over the pairs that never ended. Start with `*cursor` = 0. Each call fills
   `*out` with the next pair; it returns false after the last one. The pair ends with the recording
   and is clipped to the range of the filter. `*out_matches` is whether it matches the filter. */
bool model_next_open(const struct model *m, size_t *cursor, struct pair *out, bool *out_matches);

void model_free(struct model *m);

/* A replay is a further pass over the dump of a model, for what can be gathered only after the
   first: which threads matter, how long the recording is, what took long. The steps are those of
   pass.h. They are all lines, whether they match the filter of the model or not. */

/* The lines that most replays take: every event with its stack, ticks, Sample lines, and at the end
   the pairs that never ended. */
#define REPLAY_LINES                                                                       \
  (PASS_EVENTS | PASS_ALL_STACKS | PASS_SAMPLE(SAMPLE_TICK) | PASS_SAMPLE(SAMPLE_THREAD) | \
   PASS_OPEN_PAIRS)

/* replay runs one listener that takes `lines` (PASS_…). False: memory ran out, or `take` returned
   false. */
bool replay(struct model *m, unsigned lines, bool (*take)(void *arg, const struct step *step),
            void *arg);

/* The same with several listeners: replay_start, pass_add for each, replay_run. replay_run frees
   the pass. */
void replay_start(struct pass *p, struct model *m);
bool replay_run(struct pass *p, const struct model *m);

END_C
