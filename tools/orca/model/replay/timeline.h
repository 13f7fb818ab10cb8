#pragma once
/* What each thread does over time: calls that block exactly, from their two events, and what lies
   between them by the samples. Where a thread changes its state more often than there is room for,
   the time is cut into steps of equal length, and a step tells how long the thread was in which
   state, not in what order. Memory goes by the bound that is set, not by events. */
#include "agent/base/hashmap.h"
#include "tools/orca/model/replay/replay.h"

#ifdef __cplusplus
extern "C" {
#endif

enum timeline_state {
#define STATE(id, name, meaning) TIMELINE_##id,
#include "tools/orca/model/replay/timeline_state.def"
  NUM_TIMELINE_STATES,
  TIMELINE_MIXED = NUM_TIMELINE_STATES, /* several states within a step */
};

/* The name of a state, and what it means. */
extern const char *const timeline_state_names[NUM_TIMELINE_STATES];
extern const char *const timeline_state_meanings[NUM_TIMELINE_STATES];

/* timeline_state_of is the state of a thread in a call that begins with this event. */
enum timeline_state timeline_state_of(enum event_kind begin);

/* The same of any pair of a group. */
enum timeline_state timeline_state_of_group(enum event_group group);

struct timeline_span {
  ticks_t begin, end;
  enum timeline_state state;
  uint32_t detail; /* what it is about, index of `calls` plus one, 0: no call; of MIXED the index of
                      its times by state in `mixes` */
};

/* A call that blocks, as told by its first event. */
struct timeline_call {
  enum event_kind kind;
  uint32_t object, owner;
  stack_id_t stack;
};

struct timeline_mix {
  ticks_t times[NUM_TIMELINE_STATES];
};

/* Calls of one thread that are under way, one inside of the other. */
#define TIMELINE_NESTED 8

struct timeline_row {
  uint32_t thread;
  struct timeline_span *spans; /* in order of time, without overlap */
  size_t num, capacity;
  ticks_t step; /* length of a step; 0: everything is exact */
  struct timeline_mix sum;

  /* Where it stands while lines are taken. */
  bool lives, ended;
  ticks_t at;                     /* what was before is in the spans */
  ticks_t event;                  /* its last one */
  ticks_t heard;                  /* its last event or sample */
  enum timeline_state seen;       /* by the samples */
  bool works;                     /* a sample saw it at work inside of its innermost call */
  struct timeline_mix mix;        /* of the step that is not over */
  uint32_t open[TIMELINE_NESTED]; /* as `detail` */
  struct timeline_call nested[TIMELINE_NESTED];
  unsigned num_nested;
};

/* All zero is empty; timeline_free gives the memory back. */
struct timeline {
  struct hashmap ids;        /* thread -> row plus one */
  struct timeline_row *rows; /* in the order of struct threads */
  size_t num;
  size_t left_out; /* threads without a row */
  ticks_t start, end;
  bool lossy, cpu_known;
  ticks_t tick, tick_before; /* when the sampler began its last round, and the one before */
  struct hashmap call_ids;
  struct timeline_call *calls;
  size_t num_calls, calls_capacity;
  struct timeline_mix *mixes;
  size_t num_mixes, mixes_capacity;
};

/* timeline_start makes room for the first `max_threads` threads of a model that was read, and some
   `max_spans` spans in all, within the time that the model was asked for. False: memory ran out. */
bool timeline_start(struct timeline *t, const struct model *m, size_t max_threads,
                    size_t max_spans);

/* timeline_take takes a step of a replay. False: memory ran out. */
bool timeline_take(struct timeline *t, const struct step *step);

/* timeline_end closes what is open when the recording ends. False: memory ran out. */
bool timeline_end(struct timeline *t);

void timeline_free(struct timeline *t);

#ifdef __cplusplus
}
#endif
