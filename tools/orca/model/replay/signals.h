#pragma once
/* The calls that could have ended the waits of a program that hangs, or long waits that have not
   ended: the notify of an object, the release of a semaphore. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* What happened to the object of a wait up to the moment of the hang. */
struct signals_row {
  enum event_kind call; /* the BEGIN of the wait */
  uint32_t object;      /* of a thread that is parked: the thread */
  uint64_t num;         /* calls that end such waits */
  uint64_t num_others;  /* of them: by threads that still live and do not wait for it themselves */
  uint64_t num_ended;   /* of them: by threads that have ended */
  bool is_mixed;        /* some of them wake one thread, others all */
  enum event_kind last; /* the last of them, its thread, stack and time */
  uint32_t thread;
  stack_id_t stack;
  ticks_t time;
  uint64_t acquired, released; /* of a semaphore */
  bool is_met;  /* threads met at it before: each of them ended waits of the others */
  bool went_on; /* such a wait ended after the moment */
  struct missing_parties parties; /* as the last line tells; `missing` 0: not known */
  ticks_t parties_time;
};

/* All zero is empty; signals_free frees the memory. */
struct signals {
  const struct model *model; /* the caller's */
  struct hashmap ids;
  ticks_t last_calls[NUM_EVENTS]; /* by call: the last such signal, of whatever object; 0: none */
  struct signals_row *rows;       /* of these waits */
  size_t num, capacity;
  /* By row: the threads that ended such waits before, or came to the barrier, or took from the
     queue into which others want to put, and the other way round. Count: how often, also in vain;
     total: without failed attempts. */
  struct tally parties;
};

#define SIGNALS_LINES (PASS_EVENTS | PASS_ALL_STACKS)

/* signals_start prepares for a complete model, signals_take takes each step of a replay of
   SIGNALS_LINES. Both return false when memory ran out. signals_end follows the last one. */
bool signals_start(struct signals *s, const struct model *m);
bool signals_take(struct signals *s, const struct step *step);
void signals_end(struct signals *s);

/* signals_are_all returns whether the row has all signals of its object that have lines. If the
   wait began before the recording, its object can be a part of the one that signals name. */
bool signals_are_all(const struct signals *s, const struct signals_row *row,
                     const struct pair *pair);

/* signals_have_parties returns whether the parties of the row are missing still: no signal that may
   be of its object came after them. */
bool signals_have_parties(const struct signals *s, const struct signals_row *row,
                          const struct pair *pair);

/* signals_find returns the row of a wait; NULL: it is no such wait, or has no object. */
const struct signals_row *signals_find(const struct signals *s, const struct pair *pair);

/* signals_parties returns the threads of a row, as keys, and sets `*out_num` to their number. */
const struct tally_row *signals_parties(const struct signals *s, const struct signals_row *row,
                                        size_t *out_num);

/* signals_group returns the group of a row in `parties`. */
uint32_t signals_group(const struct signals *s, const struct signals_row *row);

void signals_free(struct signals *s);

END_C
