#pragma once
/* What a change gains, by simulation, and what limits the speed then. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* The new speed, as a multiple of the old one: 2 is twice as fast. */
struct gain {
  double least, middle, most;
};

/* gain_is_none returns whether the speed stays the same, and no gain is likely to be missed. Two
   runs of a program differ by as much. */
bool gain_is_none(const struct gain *g);

/* gain_write appends "1.9 to 2.2 times as fast"; ", so perhaps no gain" follows if that is so. */
void gain_write(struct builder *b, const struct gain *g);

enum limit_kind {
#define LIMIT(id, key, words) LIMIT_##id,
#include "tools/orca/causal/whatif/limit.def"
  NUM_LIMIT_KINDS
};
extern const char *const limit_keys[NUM_LIMIT_KINDS];
extern const char *const limit_words[NUM_LIMIT_KINDS];

/* limit_of_key returns the kind with a key; LIMIT_NONE for any other text, and for NULL. */
enum limit_kind limit_of_key(const char *key);

END_C
