#pragma once
/* The files that triggers have kept: snapshots PREFIX.trigger-1, PREFIX.trigger-2 and so on, of all
   sets that the recording still has. The first one of a recording stays, as it shows how the
   trouble began, and the newest ones, PINS_MAX in all. So the disk is bounded. Writer thread only.
 */
#include <stddef.h>

#include "agent/writer/output.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PINS_MAX 4

/* All zero is empty. */
struct pins {
  unsigned last; /* N of the newest; 0: none */
  size_t num;
  struct pin {
    unsigned number, first_set, num_sets;
  } kept[PINS_MAX]; /* oldest first */
};

/* pins_add keeps the files up to now under the next name of which no file exists. A recording in
   one set keeps all its files anyway. `said` becomes the rest of a sentence for the user: "; the
   files up to now are kept as …", why they are not, or "". */
void pins_add(struct pins *p, struct output *o, char *said, size_t size);

#ifdef __cplusplus
}
#endif
