#pragma once
/* Stalls: where threads are blocked or wait. All pairs of one kind on one object are one stall,
   such as "blocked on the monitor 0A1B2C3D" or "in Object.wait of 0A1B2C3D". Their counts, times
   and places include short calls, which have no lines (short_calls.h). What is known of single
   pairs does not: threads, owners, failures. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/short_calls.h"
#include "tools/orca/model/state/pairs.h"

BEGIN_C

struct stall {
  uint32_t id;          /* the group of this stall in the tallies */
  enum event_kind kind; /* of the pair's begin event */
  uint32_t object;      /* 0: no object, or several (stalls_by_class, is_several) */
  bool is_several;      /* has sums of short calls that have lost their object, or had none */
  bool count_is_least;  /* more of its short calls may be in the row with is_several */
  uint32_t class_id;    /* 0: not known, or no object */
  uint64_t num_objects;
  uint64_t count;        /* pairs, open ones included */
  uint64_t open;         /* of `count`: had not ended when the recording did */
  uint64_t failed;       /* of `count`: timed out or were interrupted */
  uint64_t known_owners; /* of `count`: pairs whose owner is known */
  uint64_t signals;      /* events that wake waiters: a notify, a release of a semaphore, … */
  ticks_t total, longest;
  uint64_t long_calls;            /* of `count`: took at least the threshold */
  struct short_calls short_calls; /* of `count` and `total` */
};

/* A struct of zeros is empty; stalls_free frees its memory. */
struct stalls {
  ticks_t threshold;  /* the caller sets it; 0: none */
  struct hashmap ids; /* kind and object -> row plus one, until the rows are sorted */
  struct stall *rows;
  size_t num, capacity;
  struct tally threads; /* by stall: hash of the waiting thread */
  struct tally owners;  /* by stall: hash of the owner */
  struct tally places;  /* by stall: place_t of the waiting thread */
};

/* stalls_by_class fills the empty `*out` with the rows of `s` summed up by kind and class, for
   pools of many similar objects. A row with is_several stays apart from objects of an unknown
   class, and objects that were only signalled stay apart from those that threads waited for. Call
   it before `s` and `*out` are sorted. It returns false when memory ran out. */
bool stalls_by_class(const struct stalls *s, struct stalls *out);

void stalls_free(struct stalls *s);

END_C
