#pragma once
/* A further pass over events and samples, both in one order of time, for what can only be gathered
   once the whole is known: which threads matter, how long the recording is, what took long. */
#include "tools/model/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One line, of either file. What it points to lives until the step is done. */
struct replay_step {
  ticks_t time;
  const struct event_line *event;   /* NULL: it is a sample */
  const struct sample_line *sample; /* NULL: it is an event; a tick or a thread */
  stack_id_t stack;                 /* of either; 0: none */
  uint32_t owner;                   /* of the BEGIN of a pair: holders_owner */
  const struct pair *pair;          /* that the event ended; NULL: none */
  enum activity activity;           /* of the sample */
};

/* replay reads the dump of a model again and hands each event, each tick of the sampler and each
   sample of a thread to `take`, which gives false where memory runs out. Pairs that never end are
   those of the model. False: memory ran out. */
bool replay(struct model *m, bool (*take)(void *to, const struct replay_step *step), void *to);

#ifdef __cplusplus
}
#endif
