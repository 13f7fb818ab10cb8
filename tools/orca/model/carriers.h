#pragma once
/* Virtual threads and their carriers: which ones were started and have not begun, and when a thread
   had to block on its carrier, which no other virtual thread can use meanwhile. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/pass.h"

BEGIN_C

/* A struct of zeros is empty; carriers_free frees its memory. */
struct carriers {
  struct hashmap unbegun;  /* virtual thread -> when it was started; 0: it has begun */
  struct hashmap starters; /* virtual thread -> the thread that started it */
  struct hashmap pinned;   /* virtual thread -> its last ThreadPinned */
  ticks_t begun;           /* when a virtual thread began last */
};

/* carriers_count_unbegun returns how many virtual threads were started up to a time and have not
   begun, and in `*out_first` when the first of them was started. */
size_t carriers_count_unbegun(const struct carriers *c, ticks_t until, ticks_t *out_first);

/* carriers_unbegun_of returns one of those that a thread started; 0: there is none. */
uint32_t carriers_unbegun_of(const struct carriers *c, ticks_t until, uint32_t starter);

/* carriers_is_pinned returns whether a thread had to block on its carrier in this open call. */
bool carriers_is_pinned(const struct carriers *c, const struct pair *call);

void carriers_free(struct carriers *c);

END_C
