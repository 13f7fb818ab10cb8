#include "agent/event/event.h"

#include <stddef.h>
#include <string.h>

const struct event_info event_infos[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, wake, traits, call) \
  {name, sizeof name - 1, GROUP_##group, SHAPE_##shape, ROLE_##role, traits},
#include "agent/event/event.def"
};

const struct group_info group_infos[NUM_GROUPS] = {
#define GROUP(id, name, state, holds) {name, holds},
#include "agent/event/event.def"
};

const char *const thread_state_names[NUM_STATES] = {
#define STATE(id, name) name,
#include "agent/event/state.def"
};

const char *const cpu_place_names[NUM_CPU_PLACES] = {
#define CPU_PLACE(id, name, meaning) name,
#include "agent/event/cpu_place.def"
};

const struct task_kind_info task_kind_infos[NUM_TASK_KINDS] = {
#define TASK_KIND(id, name, meaning) {name, meaning},
#include "agent/event/task_kind.def"
};

/* --- names of events ------------------------------------------------------------------------- */

/* A reader looks up the name of each line of a file. The names are in a hash table with open
   addressing, which compares a name by its first and last eight bytes. */

#define NUM_SLOTS 256
#define SHORTEST 8 /* the length of the shortest name of an event */

/* The first and the last eight bytes of a name; they overlap in a name of less than 16. */
struct ends {
  uint64_t first, last;
};

static struct {
  uint8_t kind; /* event_kind plus one; 0: the slot is empty */
  struct ends ends;
} slots[NUM_SLOTS];
_Static_assert(NUM_EVENTS < NUM_SLOTS / 2, "the slots are too few");

static struct ends read_ends(struct span name) {
  struct ends e;
  memcpy(&e.first, name.data, sizeof e.first);
  memcpy(&e.last, name.data + name.len - sizeof e.last, sizeof e.last);
  return e;
}

/* Names with the same ends get the same hash, and so neighbouring slots. */
static unsigned hash_ends(struct ends e) {
  return (unsigned)((e.first * 0x9E3779B97F4A7C15u ^ e.last * 0xC2B2AE3D27D4EB4Fu) >> 56);
}

__attribute__((constructor)) static void fill_slots(void) {
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    struct ends e = read_ends((struct span){event_infos[kind].name, event_infos[kind].name_len});
    unsigned slot = hash_ends(e);
    while (slots[slot].kind != 0) slot = (slot + 1) % NUM_SLOTS;
    slots[slot].kind = (uint8_t)(kind + 1);
    slots[slot].ends = e;
  }
}

bool event_find(struct span name, enum event_kind *out) {
  if (name.len < SHORTEST) return false;
  struct ends e = read_ends(name);
  unsigned slot = hash_ends(e);
  for (; slots[slot].kind != 0; slot = (slot + 1) % NUM_SLOTS) {
    enum event_kind kind = (enum event_kind)(slots[slot].kind - 1);
    bool same_ends = slots[slot].ends.first == e.first && slots[slot].ends.last == e.last;
    if (!same_ends || name.len != event_infos[kind].name_len) continue;
    /* The ends are all of a short name. */
    if (name.len > sizeof e && memcmp(name.data, event_infos[kind].name, name.len) != 0) continue;
    *out = kind;
    return true;
  }
  return false;
}

/* --- pairs ----------------------------------------------------------------------------------- */

enum event_kind event_end(enum event_kind begin, bool failed) {
  int end = (int)begin + 1;
  bool has_fail = end + 1 < NUM_EVENTS && event_infos[end + 1].role == ROLE_FAIL;
  return (enum event_kind)(failed && has_fail ? end + 1 : end);
}

enum event_kind event_begin(enum event_kind end) {
  return (enum event_kind)(end - (event_infos[end].role == ROLE_FAIL ? 2 : 1));
}

/* --- names of states, places, kinds of tasks, and groups ------------------------------------- */

bool state_find(struct span name, enum thread_state *out) {
  for (int state = 0; state < NUM_STATES; state++) {
    if (!span_is(name, thread_state_names[state])) continue;
    *out = (enum thread_state)state;
    return true;
  }
  return false;
}

bool cpu_place_find(struct span name, enum cpu_place *out) {
  for (int place = 0; place < NUM_CPU_PLACES; place++) {
    if (!span_is(name, cpu_place_names[place])) continue;
    *out = (enum cpu_place)place;
    return true;
  }
  return false;
}

bool task_kind_find(struct span name, enum task_kind *out) {
  for (int kind = 0; kind < NUM_TASK_KINDS; kind++) {
    if (!span_is(name, task_kind_infos[kind].name)) continue;
    *out = (enum task_kind)kind;
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

bool groups_parse(struct span text, uint32_t *out) {
  char sign = '+';
  *out = 0;
  for (;;) {
    size_t len = 0;
    while (len < text.len && text.data[len] != '+' && text.data[len] != '-') len++;
    struct span word = {text.data, len};
    uint32_t groups = 0;
    enum event_group group;
    if (span_is(word, "all")) {
      groups = (1u << NUM_GROUPS) - 1;
    } else if (group_find(word, &group)) {
      groups = 1u << group;
    } else if (!span_is(word, "none")) {
      return false;
    }
    *out = sign == '+' ? *out | groups : *out & ~groups;
    if (len == text.len) return true;
    sign = text.data[len];
    text = (struct span){text.data + len + 1, text.len - len - 1};
  }
}
