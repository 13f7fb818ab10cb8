#pragma once
/* The events of a dump, each with what those before it make of it: how long what it ends took, who
   woke its thread, what the thread did and does. In one pass; memory goes by threads, objects and
   what is under way. */
#include "tools/orca/model/pass.h"
#include "tools/orca/model/replay/timeline.h"
#include "tools/orca/model/state/wakes.h"
#include "tools/orca/model/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a thread does, besides the states of a call. */
enum { STORY_NONE = NUM_TIMELINE_STATES, STORY_NEW, STORY_ENDED, NUM_STORY_STATES };

/* "running", "blocked", "new", "ended"; NULL of STORY_NONE. */
const char *story_state_name(unsigned state);

struct story_event {
  const struct event_line *line;
  bool ends_pair; /* and its beginning is known: */
  ticks_t took;
  uint32_t owner;         /* of what the thread asks for, as holders_owner; 0: not known */
  uint32_t woken_by;      /* the thread that ended the wait of this one; 0: not known */
  uint32_t method;        /* of MethodEntry and MethodExit */
  unsigned before, after; /* what the thread did and does; STORY_NONE: the event changes nothing */
};

struct story_thread;

/* All zero is empty; story_free gives the memory back. */
struct story {
  struct dump *dump; /* the caller's */
  struct matcher matcher;
  struct threads threads; /* their names */
  struct stacks stacks;
  struct pass pass;
  struct wakes wakes;
  struct hashmap calls;  /* thread and stack of a call of a method -> when it began */
  struct hashmap states; /* thread -> row plus one */
  struct story_thread *rows;
  size_t num, capacity;
  uint64_t num_events, num_shown;
  bool (*take)(void *arg, const struct story_event *e); /* of story_tell */
  void *take_arg;
  bool is_over; /* no later event is wanted */
};

/* story_start prepares a story of what matches `filter`, NULL: everything. The story must not move
   in memory until story_free. */
void story_start(struct story *s, struct dump *d, const struct filter *filter);

/* story_tell reads all events up to the end of what is asked for, and hands those that are asked
   for to `take`, which gives false to end it. False: memory ran out. */
bool story_tell(struct story *s, bool (*take)(void *arg, const struct story_event *e), void *arg);

void story_free(struct story *s);

#ifdef __cplusplus
}
#endif
