#pragma once
/* Where threads stand still: all pairs of one kind on one object are one stall, such as "blocked
   on the monitor 0A1B2C3D" or "waiting in Object.wait of …". First add, then sort, then ask. */
#include "tools/orca/model/base/tally.h"
#include "tools/orca/model/state/pairs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stall {
  uint32_t id;          /* the group of this stall in the tallies */
  enum event_kind kind; /* of the pair's BEGIN */
  uint32_t object;      /* 0: no object, or several (stalls_by_class) */
  uint32_t class_id;    /* 0: not known, or no object */
  uint64_t num_objects;
  uint64_t count;  /* pairs, the open ones too */
  uint64_t open;   /* of them: not over when the recording ended */
  uint64_t failed; /* of them: came to nothing, as it took too long or was interrupted */
  uint64_t known_owners;
  uint64_t signals; /* what wakes: notify of a wait's object, release of a semaphore */
  ticks_t total, longest;
};

/* All zero is empty; stalls_free gives the memory back. */
struct stalls {
  struct hashmap ids; /* kind and object -> row plus one */
  struct stall *rows;
  size_t num, capacity;
  struct tally threads, owners, places; /* by stall: hash, hash, place_t */
};

/* stalls_add counts a pair; `place` is where its thread stands. False: memory ran out. */
bool stalls_add(struct stalls *s, const struct dump *d, const struct pair *pair, place_t place);

/* stalls_signal counts a notify, a release and their like; other events are nothing to it. `open`
   are the pairs so far: they tell what an unparked thread waits for. False: no memory. */
bool stalls_signal(struct stalls *s, const struct dump *d, const struct event_line *line,
                   const struct pairs *open);

/* stalls_by_class puts into the empty `*out` what `s` has by object, by class: for pools of a
   thousand alike objects. Before stalls_sort of either. False: memory ran out. */
bool stalls_by_class(const struct stalls *s, struct stalls *out);

/* stalls_sort ends the adding: largest total first, and the tallies can be asked. */
void stalls_sort(struct stalls *s);

void stalls_free(struct stalls *s);

#ifdef __cplusplus
}
#endif
