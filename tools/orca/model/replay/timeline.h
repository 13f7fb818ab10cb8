#pragma once
/* The state of each thread over time. Calls that block are exact, from their two events; the state
   between them is that of the samples. If a thread changes its state more often than there is room
   for, its time is divided into steps of equal length. A step contains the time in each state, but
   not their order. Memory depends on the bounds of timeline_start, not on the number of events. */
#include "agent/base/hashmap.h"
#include "tools/orca/model/replay/replay.h"

#ifdef __cplusplus
extern "C" {
#endif

enum timeline_state {
#define STATE(id, name, meaning) TIMELINE_##id,
#include "tools/orca/model/replay/timeline_state.def"
  NUM_TIMELINE_STATES,
  TIMELINE_MIXED = NUM_TIMELINE_STATES, /* a step with several states */
};

/* For the user: the name and the meaning of each state. */
extern const char *const timeline_state_names[NUM_TIMELINE_STATES];
extern const char *const timeline_state_meanings[NUM_TIMELINE_STATES];

/* timeline_state_of returns the state of a thread in a call that begins with this event. */
enum timeline_state timeline_state_of(enum event_kind begin);

/* timeline_state_of_group returns the state of a thread in any pair of this group. */
enum timeline_state timeline_state_of_group(enum event_group group);

struct timeline_span {
  ticks_t begin, end;
  enum timeline_state state;
  uint32_t detail; /* index of the thread's call in `calls`, plus one; 0: no call. If `state` is
                      MIXED: index of the times of its states in `mixes` */
};

/* A call that blocks: the fields of its BEGIN. */
struct timeline_call {
  enum event_kind kind;
  uint32_t object, owner;
  stack_id_t stack;
};

struct timeline_mix {
  ticks_t times[NUM_TIMELINE_STATES];
};

/* Nested calls of one thread that have not ended. */
#define TIMELINE_NESTED 8

struct timeline_row {
  uint32_t thread;
  struct timeline_span *spans; /* in order of time, without overlap */
  size_t num, capacity;
  ticks_t step;            /* length of a step; 0: every span is exact */
  struct timeline_mix sum; /* of all spans */

  /* The state during the replay. */
  bool lives, ended;
  ticks_t at;                     /* the time before is in the spans */
  ticks_t event;                  /* time of its last event */
  ticks_t heard;                  /* time of its last event or sample */
  enum timeline_state seen;       /* by its last sample */
  bool works;                     /* a sample showed that it runs inside of its innermost call */
  struct timeline_mix mix;        /* of the step that has not ended */
  uint32_t open[TIMELINE_NESTED]; /* the `detail` of each call in `nested` */
  struct timeline_call nested[TIMELINE_NESTED]; /* calls that have not ended; innermost last */
  unsigned num_nested;
};

/* All zero is empty; timeline_free frees the memory. */
struct timeline {
  struct hashmap ids;        /* thread -> row plus one */
  struct timeline_row *rows; /* in the order of struct threads */
  size_t num;
  size_t left_out; /* threads without a row */
  ticks_t start, end;
  bool lossy, cpu_known;
  ticks_t tick, tick_before; /* when the last tick and the tick before it began */
  struct hashmap call_ids;   /* hash of a call -> index plus one */
  struct timeline_call *calls;
  size_t num_calls, calls_capacity;
  struct timeline_mix *mixes;
  size_t num_mixes, mixes_capacity;
};

/* timeline_start makes rows for the first `max_threads` threads of a complete model, within the
   time range of its filter. It chooses the steps so that all rows have about `max_spans` spans
   together. Returns false when memory ran out. */
bool timeline_start(struct timeline *t, const struct model *m, size_t max_threads,
                    size_t max_spans);

/* timeline_take takes a step of a replay of REPLAY_LINES. Returns false when memory ran out. */
bool timeline_take(struct timeline *t, const struct step *step);

/* timeline_end adds the spans up to the end of the recording. Returns false when memory ran out. */
bool timeline_end(struct timeline *t);

void timeline_free(struct timeline *t);

#ifdef __cplusplus
}
#endif
