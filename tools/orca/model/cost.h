#pragma once
/* What recording itself cost: an estimate of the CPU time that the hooks took in the threads of the
   program, and the places that made the most events. The agent measures the
   time of one event in 251, by a clock that also runs while the thread has no CPU. If it measured
   too few, the estimate uses the numbers of events, stacks and frames, and the times below, which
   are those of docs/performance.md. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/state/stacks.h"

BEGIN_C

/* Nanoseconds of CPU time in the thread that makes an event. */
#define COST_LINE_NS 50     /* to hand in an event whose stack is known: the end of a call */
#define COST_STACK_NS 250   /* to hand in an event with a stack, without its frames */
#define COST_FRAME_NS 120   /* a frame of that stack that the JVM walks */
#define COST_CACHED_NS 8    /* a frame of a stack that is found by its addresses */
#define COST_SAMPLE_NS 2000 /* a CPU sample by signal */
#define COST_WAKE_NS 80     /* a wake-up that the option threshold left out */
#define COST_YOUNG_NS 280   /* a pair that it left out without a record */

/* The events of one kind with one stack. */
struct cost_row {
  enum event_kind kind;
  stack_id_t stack;
  uint64_t count;
};

/* A struct of zeros is empty; cost_free frees its memory. */
struct cost {
  struct hashmap ids; /* stack and kind -> row plus one */
  struct cost_row *rows;
  size_t num, capacity;

  /* After the last event. */
  uint64_t events, walks, frames; /* of the recording; `walks`: events whose stack was taken */
  struct tally sites; /* by kind: place; the row with the most events first. The end of a call
                         counts for its begin */
};

void cost_free(struct cost *c);

/* cost_frame_ns returns what a frame of a recorded stack cost, in nanoseconds; 0 if that was not
   measured: with engine=callbacks. */
double cost_frame_ns(const struct dump *d);

/* cost_scale returns the measured time of all events divided by their time by the constants above;
   1 if the agent timed too few. It is more than 1 on a slower or busy machine. */
double cost_scale(const struct cost *c, const struct dump *d);

/* cost_left_out returns how many pairs the option threshold left out. cost_young returns how many
   of them took no stack; those of the others were taken. */
uint64_t cost_left_out(const struct dump *d);
uint64_t cost_young(const struct dump *d);

/* cost_wakes returns how many wake-ups the option threshold left out. */
uint64_t cost_wakes(const struct dump *d);

/* cost_thread_ns estimates the CPU time of recording in the threads of the program. `samples` are
   CPU samples. It returns false with engine=callbacks, whose main cost is that the JVM interprets
   the program. */
bool cost_thread_ns(const struct cost *c, const struct dump *d, uint64_t samples, uint64_t *out_ns);

/* A place that made many events. */
struct cost_site {
  enum event_kind kind; /* of a pair: its begin */
  place_t place;
  uint64_t count;
};

/* cost_site gets a site; number 0 made the most events. It returns false after the last one. */
bool cost_site(const struct cost *c, size_t number, struct cost_site *out);

END_C
