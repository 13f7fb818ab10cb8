#pragma once
/* What a recording says: the model, what takes a second pass (who held the locks meanwhile, the
   critical path, what changes would gain), and the findings about all of it. Reports, the page for
   a browser and the first screen of `orca run` read it. */
#include "agent/base/extern_c.h"
#include "tools/orca/answer/finding.h"
#include "tools/orca/causal/bounds.h"
#include "tools/orca/model/replay/contention.h"
#include "tools/orca/model/replay/past_waits.h"
#include "tools/orca/model/replay/signals.h"

BEGIN_C

/* All zero is empty; answer_free frees the memory. It must not move, because its parts point to
   each other. */
struct answer {
  struct model *model; /* the caller's */
  struct contention contention;
  struct signals signals;   /* only of a program with waits that last */
  struct past_waits past;   /* the same */
  struct bounds bounds;     /* of the whole recording; unknown with a filter */
  struct findings findings; /* in their order; none if the contention is not of the model's locks */
  struct trace trace;       /* until answer_end */
  bool has_contention, has_signals, has_trace;
};

/* A recording with more lines is not worth another pass only for the holders that findings name. */
#define ANSWER_LINES 3000000

/* answer_read reads the recording of a complete model once more. `locks`: the contention is of
   these, the locks of the model or locks_by_class of them; NULL: of the model's, if findings need
   it. Returns false when memory ran out; call answer_free either way. */
bool answer_read(struct answer *a, struct model *m, const struct locks *locks);

/* answer_read_stopped finds only the threads that do not go on. It takes less time: it does without
   the holders of locks and the critical path. */
bool answer_read_stopped(struct answer *a, struct model *m);

/* The same as answer_read for a caller that replays the recording itself (model.h): answer_start
   adds listeners to the pass, after replay_start; answer_end follows replay_run. Both return false
   when memory ran out. */
bool answer_start(struct answer *a, struct model *m, const struct locks *locks, struct pass *p);
bool answer_end(struct answer *a);

void answer_free(struct answer *a);

END_C
