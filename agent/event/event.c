#include "agent/event/event.h"

#include <stddef.h>

const struct event_info event_infos[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role) {name, GROUP_##group, SHAPE_##shape, ROLE_##role},
#include "agent/event/event.def"
};

const struct group_info group_infos[NUM_GROUPS] = {
#define GROUP(id, name, holds) {name, holds},
#include "agent/event/event.def"
};

const char *const thread_state_names[NUM_STATES] = {
#define STATE(id, name) name,
#include "agent/event/state.def"
};

bool event_find(struct span name, enum event_kind *out) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    if (!span_is(name, event_infos[kind].name)) continue;
    *out = (enum event_kind)kind;
    return true;
  }
  return false;
}

bool state_find(struct span name, enum thread_state *out) {
  for (int state = 0; state < NUM_STATES; state++) {
    if (!span_is(name, thread_state_names[state])) continue;
    *out = (enum thread_state)state;
    return true;
  }
  return false;
}

bool group_find(struct span name, enum event_group *out) {
  for (int group = 0; group < NUM_GROUPS; group++) {
    if (!span_is(name, group_infos[group].name)) continue;
    *out = (enum event_group)group;
    return true;
  }
  return false;
}
