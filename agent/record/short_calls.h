#pragma once
/* Short calls: those that the option `threshold` leaves out of .orca. The threads add them up, and
   the writer takes the sums from time to time. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/event/event.h"

BEGIN_C

/* --- sums ------------------------------------------------------------------------------------- */

/* Sums of short calls: how many, how long in total, and the longest, by kind, object and stack. The
   table has a fixed size and loses no call. When it has no room for a row, the row with the fewest
   calls loses its object, and then its stack. It is added to the other rows without these. One
   thread at a time. */

struct stack;

/* What a row is about. */
struct short_key {
  struct stack *stack;  /* a shared one; NULL: not known, or several */
  uint32_t object;      /* 0: none, or several */
  uint32_t class_id;    /* of the object, which may not be defined in the files yet; 0: it is */
  enum event_kind kind; /* begin event */
};

struct short_sum {
  struct short_key key;
  uint64_t calls; /* 0: the row is free */
  uint64_t total_ns, longest_ns;
};

/* The rows of one of the two parts are in sets of SHORT_WAYS. */
#define SHORT_WAYS 8

struct short_sums {
  struct short_sum *rows;                 /* by kind, object and stack, then by kind and stack */
  uint32_t num_object_sets, num_all_sets; /* powers of two, and their sum */
  struct short_sum kinds[NUM_EVENTS];     /* by kind alone */
};

/* short_sums_bytes returns the memory that `rows` of such a table needs. */
static inline size_t short_sums_bytes(uint32_t object_sets, uint32_t stack_sets) {
  return (size_t)(object_sets + stack_sets) * SHORT_WAYS * sizeof(struct short_sum);
}

/* short_sums_init makes an empty table in `rows`, zeroed memory of short_sums_bytes, which stays
   the caller's. The numbers of sets are powers of two. */
void short_sums_init(struct short_sums *s, struct short_sum *rows, uint32_t object_sets,
                     uint32_t stack_sets);

/* short_sums_add adds calls. */
void short_sums_add(struct short_sums *s, const struct short_sum *sum);

/* short_sums_keep_objects leaves the object to at most `most` rows, those with the longest total
   times. The others lose it. Without memory it does nothing. */
void short_sums_keep_objects(struct short_sums *s, size_t most);

/* short_sums_take hands each row to `take` and frees it. */
void short_sums_take(struct short_sums *s, void (*take)(void *arg, struct short_sum *sum),
                     void *arg);

/* --- the calls of all threads ----------------------------------------------------------------- */

/* The sums on their way to the writer. A thread adds its calls to one of several tables, so that
   threads on different CPUs rarely write the same memory. If another thread uses that table at this
   moment, it takes the next one, so it hardly ever waits. */
struct short_calls;

/* short_calls_new makes empty tables, of which the system provides only what is touched. NULL
   without memory. Never freed. */
struct short_calls *short_calls_new(void);

/* short_calls_add adds one call that took `ns`, of the recording with this number. Without effect
   once sums of a later recording were added or taken. `thread`: a number that few threads have in
   common. Any thread. */
void short_calls_add(struct short_calls *c, uint32_t thread, uint32_t recording,
                     const struct short_key *key, uint64_t ns);

/* short_calls_take hands all sums of the recording to `take` and frees them, and forgets those of
   earlier ones. It waits at most a second, for threads that are stopped in the middle of an
   addition; the next call comes to their tables. One thread at a time. */
void short_calls_take(struct short_calls *c, uint32_t recording,
                      void (*take)(void *arg, struct short_sum *sum), void *arg);

END_C
