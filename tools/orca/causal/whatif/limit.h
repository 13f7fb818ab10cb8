#pragma once
/* What limits the speed: the part of the program whose time the time of the whole depends on most.
 */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/simulation.h"

BEGIN_C

enum limit_kind {
#define LIMIT(id, key, words) LIMIT_##id,
#include "tools/orca/causal/whatif/limit.def"
  NUM_LIMIT_KINDS
};
extern const char *const limit_keys[NUM_LIMIT_KINDS];
extern const char *const limit_words[NUM_LIMIT_KINDS];

/* limit_of_key returns the kind with a key; LIMIT_NONE for any other text, and for NULL. */
enum limit_kind limit_of_key(const char *key);

/* What the time depends on most. */
struct limit {
  enum limit_kind kind;
  double elasticity; /* if it took 1 % less, the time would take that many percent less */
  uint32_t lock;     /* LIMIT_LOCK: hash */
  uint32_t group;    /* LIMIT_METHOD, LIMIT_SLEEP: row of the script */
  place_t place;     /* the hottest method of the threads, or where they sleep most; 0: not known */
};

/* limit_find simulates each candidate a little shorter, on top of `changes`: the holds of the locks
   that threads wait for most, the work of each group of threads outside of locks, the CPUs.
   `now` is the result with `changes` alone. `max_time` is as for simulation_run. Returns false when
   memory ran out. */
bool limit_find(struct limit *out, const struct script *s, const struct changes *changes,
                const struct simulation *now, double max_time);

END_C
