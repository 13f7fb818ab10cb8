#pragma once
/* Which part of a dump a person asks for, and whether an event, a pair or a sample is of it.

   A pair belongs to its thread, its object, and the stack of its beginning; an event that begins
   or ends a pair is asked for by the name of either. Times are clipped to what is asked for: a pair
   or a spell of a thread that reaches over the edge counts with what lies within. Samples have no
   object and are no events: where either is asked for, they are left out. */
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/lock_event.h"
#include "tools/orca/model/state/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FILTER_PATTERNS 16
#define FILTER_NO_END UINT64_MAX

/* Patterns of the shell, one of which has to fit; none: all do. */
struct filter_patterns {
  const char *texts[FILTER_PATTERNS];
  size_t num;
};

/* All zero but `to` lets everything through. */
struct filter {
  struct filter_patterns threads; /* name, or hash */
  struct filter_patterns locks;   /* class, class@hash, or hash of an event's object */
  struct filter_patterns events;  /* name, or group */
  struct filter_patterns classes; /* a class in the stack */
  ticks_t from, to;               /* as the files have them; FILTER_NO_END */
};

/* filter_is_active tells whether anything is left out. */
bool filter_is_active(const struct filter *f);

/* filter_has_samples: false where what is asked for can only be events. */
bool filter_has_samples(const struct filter *f);

/* Each tells whether one pattern means a thread (its name may be NULL), an object of this hash, a
   class. */
bool filter_means_thread(const char *pattern, uint32_t hash, const char *name);
bool filter_means_object(const char *pattern, const struct dump *d, uint32_t hash);
bool filter_means_class(const char *pattern, const struct dump *d, uint32_t class_id);

enum { MATCHER_UNKNOWN, MATCHER_NO, MATCHER_YES };

/* What is known of one dump while it is read. Every answer is kept by thread, object, class and
   stack. */
struct matcher {
  struct filter filter;
  const struct dump *dump;
  bool active, failed; /* failed: memory ran out, answers are wrong */
  bool kinds[NUM_EVENTS];
  struct hashmap threads, objects, classes; /* hash or ClassID -> MATCHER_… */
  unsigned char *stacks;                    /* by stack id */
  size_t stacks_capacity;
};

/* matcher_start takes what is asked for; NULL: everything. matcher_free gives the memory back. */
void matcher_start(struct matcher *m, const struct filter *f, const struct dump *d);
void matcher_free(struct matcher *m);

/* matcher_clip moves a time to the nearest one that is asked for. */
ticks_t matcher_clip(const struct matcher *m, ticks_t time);

/* matcher_has_time tells whether that is the time itself. */
bool matcher_has_time(const struct matcher *m, ticks_t time);

/* matcher_clip_pair does so with both ends of a pair, and tells whether anything of it is left. */
bool matcher_clip_pair(const struct matcher *m, struct pair *pair);

/* matcher_event takes the events in their order, as those that name threads count, and tells
   whether one is asked for but for its time. The stack need only be known where
   matcher_needs_stacks. */
bool matcher_event(struct matcher *m, const struct stacks *stacks, const struct event_line *line,
                   stack_id_t stack);
bool matcher_needs_stacks(const struct matcher *m);

/* matcher_pair tells the same of a pair whose times are clipped: some of it has to be left. */
bool matcher_pair(struct matcher *m, const struct stacks *stacks, const struct pair *pair);

/* matcher_hold tells the same of a lock that a thread got, with this stack. */
bool matcher_hold(struct matcher *m, const struct stacks *stacks, enum lock_sort sort,
                  uint32_t object, uint32_t thread, stack_id_t stack);

/* matcher_count tells whether a count of .counts is what is asked for: it knows no threads, times
   and stacks. */
bool matcher_count(struct matcher *m, const struct count_line *line);

/* matcher_thread and matcher_stack: is this thread asked for, this stack? */
bool matcher_thread(struct matcher *m, uint32_t thread);
bool matcher_stack(struct matcher *m, const struct stacks *stacks, stack_id_t stack);

/* matcher_is_about_threads: nothing is asked for but threads and times. Then a thread that did
   nothing is asked for too. */
bool matcher_is_about_threads(const struct matcher *m);

#ifdef __cplusplus
}
#endif
