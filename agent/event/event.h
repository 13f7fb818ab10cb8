#pragma once
/* The kinds of event that Orca knows and what can be said about each: the expansion of event.def
   and state.def. No record and no text here; see record.h (in the agent) and line.h (in a file). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

enum event_group {
#define GROUP(id, name, holds) GROUP_##id,
#include "agent/event/event.def"
  NUM_GROUPS
};

enum event_kind {
#define EVENT(id, name, group, shape, role) EVENT_##id,
#include "agent/event/event.def"
  NUM_EVENTS
};

/* The fields behind the timestamp. */
enum event_shape { SHAPE_T, SHAPE_TN, SHAPE_TS, SHAPE_TOS, SHAPE_TOWS, SHAPE_TKCS };

/* An END stands in the row behind its BEGIN, and a FAIL, where there is one, behind the END. */
enum event_role { ROLE_POINT, ROLE_BEGIN, ROLE_END, ROLE_FAIL };

struct event_info {
  const char *name;
  size_t name_len;
  enum event_group group;
  enum event_shape shape;
  enum event_role role;
};

extern const struct event_info event_infos[NUM_EVENTS];

struct group_info {
  const char *name;
  const char *holds; /* for a person: "Thread.sleep" */
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
  const char *meaning; /* for a person: "JIT compiler" */
};

extern const struct task_kind_info task_kind_infos[NUM_TASK_KINDS];

/* event_end is how a pair ends that this kind begins; where there is no FAIL, with its END. */
enum event_kind event_end(enum event_kind begin, bool failed);

/* event_begin is the BEGIN of the pair that an END or a FAIL ends. */
enum event_kind event_begin(enum event_kind end);

static inline bool event_ends(enum event_kind kind) {
  return event_infos[kind].role == ROLE_END || event_infos[kind].role == ROLE_FAIL;
}

/* event_find and the others look a name up; false where there is no such name. */
bool event_find(struct span name, enum event_kind *out);
bool state_find(struct span name, enum thread_state *out);
bool cpu_place_find(struct span name, enum cpu_place *out);
bool task_kind_find(struct span name, enum task_kind *out);

/* group_find, for the option `events`. */
bool group_find(struct span name, enum event_group *out);

/* What stands behind the shape, by field. */
static inline bool shape_has_object(enum event_shape s) {
  return s == SHAPE_TOS || s == SHAPE_TOWS;
}
static inline bool shape_has_owner(enum event_shape s) { return s == SHAPE_TOWS; }
static inline bool shape_has_stack(enum event_shape s) { return s >= SHAPE_TS; }
static inline bool shape_has_name(enum event_shape s) { return s == SHAPE_TN; }
static inline bool shape_has_outcome(enum event_shape s) { return s == SHAPE_TKCS; }

#ifdef __cplusplus
}
#endif
