#pragma once
/* The events of a dump, each with facts from the events before it: the duration of the pair that it
   ends, the thread that woke its thread, and the state of its thread before and after. This takes
   one pass. Memory grows with the threads, objects and open calls. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/pass.h"
#include "tools/orca/model/replay/timeline.h"
#include "tools/orca/model/state/wakes.h"
#include "tools/orca/model/threads.h"

BEGIN_C

/* States of a thread in addition to enum activity. ACQUIRES: in an acquisition whose lock may be
   free, because the recording contains free acquisitions too. */
enum { STORY_NONE = NUM_ACTIVITIES, STORY_NEW, STORY_ENDED, STORY_ACQUIRES, NUM_STORY_STATES };

/* story_state_name returns "running", "blocked", "new", "ended", "acquiring", …; NULL for
   STORY_NONE. */
const char *story_state_name(unsigned state);

struct story_event {
  const struct event_line *line;
  bool ends_pair;           /* ends a pair or a method call whose beginning is known */
  ticks_t took;             /* the duration of that */
  uint32_t owner;           /* holders_owner; 0: unknown */
  uint32_t woken_by;        /* the thread whose signal ended the wait; 0: unknown */
  uint32_t started_by;      /* the thread that started the thread, or queued the task; 0: unknown */
  struct wake_signal cause; /* that signal, start or queueing; time 0: unknown */
  uint32_t method;          /* of MethodEntry and MethodExit: MethodID */
  unsigned before, after;   /* states of the thread; STORY_NONE: the event cannot change them */
};

struct story_thread;

/* All zero is empty; story_free frees the memory. */
struct story {
  struct dump *dump; /* the caller's */
  struct matcher matcher;
  struct threads threads; /* their names up to now; of a thread without one, the first name */
  struct stacks stacks;
  struct pass pass;
  struct wakes wakes;
  struct hashmap calls;  /* thread and stack of a method call -> when it began */
  struct hashmap states; /* thread -> row plus one */
  struct story_thread *rows;
  size_t num, capacity;
  uint64_t num_events;                                  /* that were read */
  uint64_t num_shown;                                   /* of them: match the filter */
  bool (*take)(void *arg, const struct story_event *e); /* of story_tell */
  void *take_arg;
  bool has_names; /* the names of later threads were read too */
  bool is_over;   /* no later event is wanted */
};

/* story_start prepares the pass; `filter` NULL: every event matches. The dump and the texts of the
   filter must outlive the story, which must not move in memory. */
void story_start(struct story *s, struct dump *d, const struct filter *filter);

/* story_tell reads the events up to the end of the filter's time range, and hands those that match
   to `take`. If `take` returns false, story_tell stops. Everything that the event points to lives
   until `take` returns. Returns false when memory ran out. */
bool story_tell(struct story *s, bool (*take)(void *to, const struct story_event *e), void *to);

void story_free(struct story *s);

END_C
