#pragma once
/* A further pass over the dump of a model, for what can be gathered only after the first: which
   threads matter, how long the recording is, what took long. The steps are those of pass.h. They
   are all lines, whether they match the filter of the model or not. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"

BEGIN_C

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
