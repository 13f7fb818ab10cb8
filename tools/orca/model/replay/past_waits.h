#pragma once
/* The earlier waits at the places where threads have waited for long when the recording ends: how
   often such a wait ended, how long it took, whose waits these were, and which threads ended them.
 */
#include "agent/base/extern_c.h"
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/state/wakes.h"

BEGIN_C

/* The waits in one call at one place. */
struct past_waits_row {
  enum event_kind call;
  place_t place;
  uint64_t num;     /* waits that ended, without those that failed */
  ticks_t longest;  /* of them */
  uint64_t num_now; /* that have not ended */
};

/* All zero is empty; past_waits_free frees the memory. */
struct past_waits {
  const struct model *model; /* the caller's */
  struct hashmap ids;        /* call and place -> row plus one */
  struct past_waits_row *rows;
  size_t num, capacity;
  struct tally threads; /* by row: whose waits ended */
  struct tally enders;  /* by row: the threads that certainly ended them */
  struct wakes wakes;
  struct hashmap tasks; /* thread -> number of tasks of pools that it took */
};

#define PAST_WAITS_LINES (PASS_EVENTS | PASS_ALL_STACKS)

/* past_waits_start prepares for a complete model, past_waits_take takes each step of a replay of
   PAST_WAITS_LINES. Both return false when memory ran out. past_waits_end follows the last one. */
bool past_waits_start(struct past_waits *p, const struct model *m);
bool past_waits_take(struct past_waits *p, const struct step *step);
void past_waits_end(struct past_waits *p);

/* past_waits_find returns the row of a wait that lasts (hang_lasts); NULL: it does not last. */
const struct past_waits_row *past_waits_find(const struct past_waits *p, const struct pair *pair);

/* past_waits_threads returns the threads of a row, as keys, and sets `*out_num` to their number. */
const struct tally_row *past_waits_threads(const struct past_waits *p,
                                           const struct past_waits_row *row, size_t *out_num);

/* past_waits_enders returns the threads that ended waits of a row, as keys, with how many they
   ended. It sets `*out_num` to their number. Of the other waits of the row it is not known. */
const struct tally_row *past_waits_enders(const struct past_waits *p,
                                          const struct past_waits_row *row, size_t *out_num);

/* past_waits_tasks returns how many tasks of pools a thread took in the recording. */
uint64_t past_waits_tasks(const struct past_waits *p, uint32_t thread);

void past_waits_free(struct past_waits *p);

END_C
