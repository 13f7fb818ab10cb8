#pragma once
/* A further pass over events and samples, both in one order of time, for what can only be gathered
   once the whole is known: which threads matter, how long the recording is, what took long. */
#include "tools/orca/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line, of either file, or at the end a pair that never ended. What it points to lives until
   the step is done. */
struct replay_step {
  ticks_t time;
  const struct event_line *event;   /* NULL: it is none */
  const struct sample_line *sample; /* NULL: it is none; a tick or a thread */
  bool meant;                       /* by what the model was asked for, but for its time */
  stack_id_t stack;                 /* of either; 0: none */
  uint32_t owner;                   /* of the BEGIN of a pair and of MonitorOwner: holders_owner */
  const struct pair *pair;          /* that the event ended, or that never did; NULL: none */
  const struct pair *told;          /* still open, of which the event is first to tell the owner */
  enum activity activity;           /* of the sample */
};

/* replay reads the dump of a model again and hands each event, each tick of the sampler and each
   sample of a thread to `take`, then each pair that had not ended when the recording did, with that
   as its end. All of them, whatever the model was asked for, and no time is clipped: an earlier or
   later one may make part of what is asked for. `take` gives false where memory runs out. False:
   memory ran out. */
bool replay(struct model *m, bool (*take)(void *to, const struct replay_step *step), void *to);

#ifdef __cplusplus
}
#endif
