#pragma once
/* The user's filter, and the matcher that applies it to one dump.

   - A pair has the thread and the object of its begin event, and that event's stack.
   - The name of a begin event or of an end event selects the whole pair.
   - Times are clipped to the range of the filter. A pair, or the time between two samples, that
     crosses the edge of the range counts with its part inside.
   - Samples have no object and are not events. A filter with lock or event patterns leaves them
     out. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "agent/event/meaning.h"
#include "tools/orca/model/state/pairs.h"
#include "tools/orca/model/virtual_names.h"

BEGIN_C

#define FILTER_PATTERNS 16
#define FILTER_NO_END UINT64_MAX

/* Shell patterns (fnmatch), or names as views show them. A value has to match one of them; without
   patterns every value matches. The texts are the caller's. */
struct filter_patterns {
  const char *texts[FILTER_PATTERNS];
  size_t num;
};

/* A filter of zeros with `to` = FILTER_NO_END matches everything. */
struct filter {
  struct filter_patterns threads; /* a thread's name, or its hash */
  struct filter_patterns locks;   /* class, class@hash, hash or title of the event's object */
  struct filter_patterns events;  /* the name of an event, or of its group */
  struct filter_patterns classes; /* the class of a method in the stack */
  ticks_t from, to;               /* the range, both ends included; clock of the files */
};

/* filter_is_active returns whether the filter can leave anything out. */
bool filter_is_active(const struct filter *f);

/* filter_has_patterns returns whether the filter can leave anything out for another reason than its
   time. */
bool filter_has_patterns(const struct filter *f);

/* filter_has_samples returns whether samples can match: false with lock or event patterns. */
bool filter_has_samples(const struct filter *f);

/* These three return whether one pattern matches a thread, the object with this hash, or a class.
   `name` is the name of the thread; NULL if it is not known. They return false when memory ran out.
 */
bool filter_matches_thread(const char *pattern, uint32_t hash, const char *name);
bool filter_matches_object(const char *pattern, const struct dump *d, uint32_t hash);
bool filter_matches_class(const char *pattern, const struct dump *d, uint32_t class_id);

/* An answer that the matcher remembers. */
enum { MATCHER_UNKNOWN, MATCHER_NO, MATCHER_YES };

/* Applies a filter to the lines of one dump. It remembers its answer for each thread, object, class
   and stack. */
struct matcher {
  struct filter filter;
  const struct dump *dump;
  bool active;                              /* filter_is_active */
  bool failed;                              /* memory ran out, and answers may be wrong */
  bool kinds[NUM_EVENTS];                   /* the events whose names match; both ends of a pair */
  struct hashmap threads, objects, classes; /* hash or ClassID -> MATCHER_… */
  struct virtual_names virtual_names;       /* of matcher_read_name */
  bool has_names;                           /* matcher_read_name got all events */
  unsigned char *stacks;                    /* stack_id_t -> MATCHER_… */
  size_t stacks_capacity;
  bool leaves_out_short; /* it has left out sums of short calls that may be of what it asks for, but
                            have no object or no stack */
};

/* matcher_start prepares a matcher; `f` NULL matches everything. The filter's texts and the dump
   must outlive it. matcher_free frees its memory. */
void matcher_start(struct matcher *m, const struct filter *f, const struct dump *d);
void matcher_free(struct matcher *m);

/* matcher_clip returns the time within the filter's range that is nearest to `time`. */
ticks_t matcher_clip(const struct matcher *m, ticks_t time);

/* matcher_has_time returns whether `time` is in the filter's range. */
bool matcher_has_time(const struct matcher *m, ticks_t time);

/* matcher_clip_pair clips both ends of a pair. It returns whether any of the pair's time is in the
   filter's range; without an active filter always true. */
bool matcher_clip_pair(const struct matcher *m, struct pair *pair);

/* matcher_read_name takes a ThreadStart or ThreadStarted event, so that matcher_thread knows the
   names of threads. read_names in pass.c calls it once for each of these events, in order, and then
   sets `has_names`. `place` is that of a ThreadStart. */
void matcher_read_name(struct matcher *m, const struct event_line *line, place_t place);

/* matcher_event returns whether an event matches the filter, apart from its time. `stack` is only
   used if matcher_needs_stacks. */
bool matcher_event(struct matcher *m, const struct stacks *stacks, const struct event_line *line,
                   stack_id_t stack);

/* matcher_needs_stacks returns whether the filter has class patterns. */
bool matcher_needs_stacks(const struct matcher *m);

/* matcher_pair returns whether a pair matches whose times are clipped. A pair without any time left
   does not match. */
bool matcher_pair(struct matcher *m, const struct stacks *stacks, const struct pair *pair);

/* matcher_hold returns whether a lock matches that a thread holds; `stack` is matched with the
   class patterns. The event patterns have to select acquisitions of this sort of lock. */
bool matcher_hold(struct matcher *m, const struct stacks *stacks, enum lock_sort sort,
                  uint32_t object, uint32_t thread, stack_id_t stack);

/* matcher_count returns whether a count of .counts matches. It has no thread, no stack, and no
   range of time, so it matches only if the filter has none of these. */
bool matcher_count(struct matcher *m, const struct count_line *line);

/* matcher_short_calls returns whether a sum of short calls matches, apart from its time. It has no
   thread, so it does not match a filter with thread patterns. If the sum has several objects or
   stacks, it does not match a filter with patterns for these. */
bool matcher_short_calls(struct matcher *m, const struct stacks *stacks,
                         const struct count_line *line, stack_id_t stack);

/* matcher_has_all_short_calls returns whether the filter leaves out no sum of short calls, and no
   part of one. A sum has no threads, few frames, and only the time at which it was written. */
bool matcher_has_all_short_calls(const struct matcher *m);

/* These two return whether a thread or a stack matches. */
bool matcher_thread(struct matcher *m, uint32_t thread);
bool matcher_stack(struct matcher *m, const struct stacks *stacks, stack_id_t stack);

/* matcher_has_idle_threads returns whether the filter has only thread patterns and a range, or
   nothing. Then a thread matches even if none of its events and samples is in the range. */
bool matcher_has_idle_threads(const struct matcher *m);

END_C
