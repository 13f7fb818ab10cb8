#pragma once
/* The kinds of events and their properties, and the named values of samples: generated from
   event.def, state.def, cpu_place.def and task_kind.def. An event in the agent is a struct record
   (record.h); an event in a file is a struct event_line (line.h). All tables are constant. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

enum event_group {
#define GROUP(id, ...) GROUP_##id,
#include "agent/event/event.def"
  NUM_GROUPS
};

enum event_kind {
#define EVENT(id, ...) EVENT_##id,
#include "agent/event/event.def"
  NUM_EVENTS
};

/* Which fields a line has after the event's name: see event.def. */
enum event_shape {
  SHAPE_T,
  SHAPE_TN,
  SHAPE_TOZ,
  SHAPE_TL,
  SHAPE_TON,
  SHAPE_TS,
  SHAPE_TOS,
  SHAPE_TOWS,
  SHAPE_TKCS,
  SHAPE_TKWS,
  SHAPE_TOPS
};

/* An END is the row after its BEGIN. A FAIL, if the pair has one, is the row after the END. A LEAVE
   is the row after its ENTER. event_is_of_pair uses the order. */
enum event_role { ROLE_POINT, ROLE_ENTER, ROLE_LEAVE, ROLE_BEGIN, ROLE_END, ROLE_FAIL };

/* Bits. */
enum event_trait {
  NO_TRAIT = 0,
  TRAIT_NAMES_THREAD = 1 << 0, /* its object is a thread; a BEGIN waits for the end of that one */
  TRAIT_NAMES_TASK = 1 << 1,   /* its object is a task */
  /* It hands over a task or starts a thread. A service does so for each request, so with the option
     `threshold` there may be a sum of such events instead of their lines. */
  TRAIT_HANDS_OVER = 1 << 2,
  /* The option `threshold` leaves out nearly all of them (ThreadStarted: of virtual threads), so
     the writer defines the objects of the others. */
  TRAIT_OFTEN = 1 << 3,
  TRAIT_NEWS = 1 << 4,    /* other threads record it about its thread */
  TRAIT_INSERTS = 1 << 5, /* a pair that puts something into a queue */
  TRAIT_REMOVES = 1 << 6, /* a pair that takes something from a queue */
  TRAIT_STACK = 1 << 7    /* of no pair, but the views show where it happened */
};

struct event_info {
  const char *name;
  size_t name_len;
  enum event_group group;
  enum event_shape shape;
  enum event_role role;
  unsigned traits; /* enum event_trait */
};

extern const struct event_info event_infos[NUM_EVENTS];

static inline bool event_has(enum event_kind kind, enum event_trait trait) {
  return (event_infos[kind].traits & trait) != 0;
}

struct group_info {
  const char *name;
  const char *holds; /* the calls and events in it, for the user: "Thread.sleep" */
};

extern const struct group_info group_infos[NUM_GROUPS];

enum thread_state {
#define STATE(id, name) STATE_##id,
#include "agent/event/state.def"
  NUM_STATES
};

extern const char *const thread_state_names[NUM_STATES];

enum cpu_place {
#define CPU_PLACE(id, name, meaning) CPU_PLACE_##id,
#include "agent/event/cpu_place.def"
  NUM_CPU_PLACES
};

extern const char *const cpu_place_names[NUM_CPU_PLACES];

enum task_kind {
#define TASK_KIND(id, name, meaning) TASK_KIND_##id,
#include "agent/event/task_kind.def"
  NUM_TASK_KINDS
};

struct task_kind_info {
  const char *name;
  const char *meaning; /* for the user: "JIT compiler" */
};

extern const struct task_kind_info task_kind_infos[NUM_TASK_KINDS];

/* event_end returns the kind that ends the pair of `begin`, a BEGIN: its FAIL if `failed` is true
   and the pair has one, else its END. */
enum event_kind event_end(enum event_kind begin, bool failed);

/* event_begin returns the BEGIN of the pair of `end`, an END or a FAIL. */
enum event_kind event_begin(enum event_kind end);

/* event_is_end returns whether `kind` ends a pair. */
static inline bool event_is_end(enum event_kind kind) {
  return event_infos[kind].role == ROLE_END || event_infos[kind].role == ROLE_FAIL;
}

static inline bool event_is_of_pair(enum event_kind kind) {
  return event_infos[kind].role >= ROLE_BEGIN;
}

/* event_begins_span returns whether `kind` begins something that takes time and has an end of its
   own: a pair, a call of a tracked method, or the time for which a task is queued. The option
   `threshold` is about these. */
static inline bool event_begins_span(enum event_kind kind) {
  return event_infos[kind].role == ROLE_BEGIN || event_infos[kind].role == ROLE_ENTER;
}

/* event_ends_span returns whether `kind` ends what `*out_begin` begins. */
static inline bool event_ends_span(enum event_kind kind, enum event_kind *out_begin) {
  bool leaves = event_infos[kind].role == ROLE_LEAVE;
  if (leaves) *out_begin = (enum event_kind)(kind - 1);
  if (event_is_end(kind)) *out_begin = event_begin(kind);
  return leaves || event_is_end(kind);
}

/* event_joins returns whether a pair that begins with `kind` waits for the end of its object, a
   thread. */
static inline bool event_joins(enum event_kind kind) {
  return event_infos[kind].role == ROLE_BEGIN && event_has(kind, TRAIT_NAMES_THREAD);
}

/* These look up a name. They return false, and leave `*out` unchanged, when nothing has it. */
bool event_find(struct span name, enum event_kind *out);
bool state_find(struct span name, enum thread_state *out);
bool cpu_place_find(struct span name, enum cpu_place *out);
bool task_kind_find(struct span name, enum task_kind *out);
bool group_find(struct span name, enum event_group *out);

/* groups_parse parses a value of the option `events`, such as "all-park" or "monitor+lock", into a
   set with a bit for each group. False if a word names no group. */
bool groups_parse(struct span text, uint32_t *out);

/* How many threads a ThreadPoolExecutor has. It starts one for a task up to `core`, and up to
   `maximum` for a task that does not fit into its queue. */
#define POOL_ENDLESS INT32_MAX
struct pool_size {
  int32_t core, maximum;
  int32_t capacity; /* tasks that the queue can hold; POOL_ENDLESS; -1: not known */
};

/* Calls of other threads that a thread waits for. */
struct missing_parties {
  int32_t missing;
  int32_t of; /* with those that came; -1: not known */
};

/* Which fields a shape has. */
static inline bool shape_has_object(enum event_shape s) {
  return s == SHAPE_TOS || s == SHAPE_TOWS || s == SHAPE_TOPS || s == SHAPE_TOZ || s == SHAPE_TON;
}
static inline bool shape_has_size(enum event_shape s) { return s == SHAPE_TOZ; }
static inline bool shape_has_parties(enum event_shape s) { return s == SHAPE_TL; }
static inline bool shape_has_executor(enum event_shape s) { return s == SHAPE_TOPS; }
static inline bool shape_has_owner(enum event_shape s) {
  return s == SHAPE_TOWS || s == SHAPE_TKWS;
}
static inline bool shape_has_stack(enum event_shape s) { return s >= SHAPE_TS; }
static inline bool shape_has_name(enum event_shape s) { return s == SHAPE_TN || s == SHAPE_TON; }
static inline bool shape_has_outcome(enum event_shape s) { return s == SHAPE_TKCS; }
static inline bool shape_has_class(enum event_shape s) {
  return s == SHAPE_TKCS || s == SHAPE_TKWS;
}

END_C
