#include "tools/orca/causal/whatif/gain.h"

#include <string.h>

#define SAME 0.03   /* a middle that differs by less is no gain */
#define DOUBT 0.12  /* with a wider range, "no gain" would say too much */
#define NARROW 0.15 /* a range below that has two decimals */

const char *const limit_keys[NUM_LIMIT_KINDS] = {
#define LIMIT(id, key, words) key,
#include "tools/orca/causal/whatif/limit.def"
};

const char *const limit_words[NUM_LIMIT_KINDS] = {
#define LIMIT(id, key, words) words,
#include "tools/orca/causal/whatif/limit.def"
};

bool gain_is_none(const struct gain *g) {
  return g->middle < 1 + SAME && g->middle > 1 - SAME && g->least > 1 - DOUBT &&
         g->most < 1 + DOUBT;
}

void gain_write(struct builder *b, const struct gain *g) {
  bool is_doubtful = g->least < 1 && g->most > 1;
  int decimals = g->most - g->least < NARROW || is_doubtful ? 2 : 1;
  builder_format(b, "%.*f to %.*f times as fast%s", decimals, g->least, decimals, g->most,
                 is_doubtful ? ", so perhaps no gain" : "");
}

enum limit_kind limit_of_key(const char *key) {
  for (int i = 0; key != NULL && i < NUM_LIMIT_KINDS; i++) {
    if (strcmp(key, limit_keys[i]) == 0) return (enum limit_kind)i;
  }
  return LIMIT_NONE;
}
