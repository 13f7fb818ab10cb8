#pragma once
/* Who has which lock, as the events say it: a thread got it and did not leave it since. */
#include "tools/orca/model/state/holds.h"
#include "tools/orca/model/state/lock_event.h"
#include "tools/orca/model/state/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is empty; holders_free gives the memory back. */
struct holders {
  struct holds holds;
  struct hashmap unsure; /* locks whose holds say nothing: others than their holders release them */
  bool all;              /* the option locks=all: every acquisition and release has a line */
  bool long_only;        /* the option threshold: no, only acquisitions that took long have one */
  bool lossy;            /* dump_is_lossy: whoever seems to have a lock may have left it */
};

/* holders_start takes what is known of the dump as a whole. */
void holders_start(struct holders *h, const struct dump *d);

/* holders_has_all tells whether every acquisition and release of this sort has a line, if any. */
bool holders_has_all(const struct holders *h, enum lock_sort sort);

/* holders_event takes the events in their order. Where the thread left the lock for good
   `*out_left` is true and `*out_time` how long it had it. False: memory ran out. */
bool holders_event(struct holders *h, const struct dump *d, const struct event_line *line,
                   stack_id_t stack, bool *out_left, ticks_t *out_time);

/* holders_next walks over those who keep a thread from what it asks for by a pair of this kind;
   start with NULL. NULL at the end. */
const struct hold *holders_next(const struct holders *h, enum event_kind begin, uint32_t object,
                                uint32_t thread, const struct hold *before);

/* holders_owner is the owner that the BEGIN of a pair, or a MonitorOwner, names; where a BEGIN
   names none, the one thread that keeps it out; else 0. A thread that gets what it has already is
   kept out by nobody. */
uint32_t holders_owner(const struct holders *h, const struct event_line *line);

/* holders_find is what a thread has of a lock, NULL where it has nothing or that is not known. */
const struct hold *holders_find(const struct holders *h, enum lock_sort sort, uint32_t object,
                                uint32_t thread);

/* holders_gives_away tells whether a thread that begins to wait is known to have the lock for it:
   then it is recorded too when it leaves the lock. Before holders_event. */
bool holders_gives_away(const struct holders *h, const struct event_line *line);

/* holders_are_known: false where nothing can be said of who had this lock. */
bool holders_are_known(const struct holders *h, enum lock_sort sort, uint32_t object);

void holders_free(struct holders *h);

#ifdef __cplusplus
}
#endif
