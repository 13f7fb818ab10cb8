#pragma once
/* Two runs side by side: what cost more in the second than in the first, by the second of run, as
   runs differ in length. First add, then end, then ask.

   Two runs of the same program differ too. A row has changed only where its two rates differ by
   more than a share of the larger one, and by more than DIFF_DEVIATIONS times what chance makes of
   so few samples or events: time that was seen in n samples is uncertain by one part in the root of
   n; time that is the sum of n waits, which differ widely in length, by the root of 2 times that.
 */
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/place.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DIFF_DEVIATIONS 3

enum diff_basis { DIFF_SAMPLES, DIFF_EVENTS, DIFF_EXACT }; /* exact: chance has no part in it */

/* The share of the larger rate by which two have to differ, in percent. */
extern const unsigned diff_least_percent[];

enum diff_verdict { DIFF_SAME, DIFF_MORE, DIFF_LESS, DIFF_NEW, DIFF_GONE };

/* What a row is in one of the runs. */
struct diff_side {
  ticks_t time;
  double count;  /* samples or events that the time was seen in; of samples an estimate */
  uint32_t id;   /* a number of that run, as whoever adds has it; where there is no time: 0 */
  place_t place; /* where most of the time is spent */
  ticks_t most;  /* there */
};

struct diff_row {
  unsigned kind; /* of whoever adds */
  struct diff_side sides[2];
  double rates[2]; /* ns in each second of run */
  enum diff_verdict verdict;
};

/* All zero but `basis` and `lengths` is empty; diff_free gives the memory back. */
struct diff {
  enum diff_basis basis;
  ticks_t lengths[2]; /* how long the runs lasted; 0: then rates are 0 */
  struct hashmap ids; /* digest of the key -> row plus one, until diff_end */
  struct diff_row *rows;
  size_t num, capacity;
  double more, less; /* rates that rose, that fell, summed up over all rows */
};

/* diff_add adds to the row of a key, which is text that names the same thing in both runs. `side`
   is 0 or 1. False: memory ran out. */
bool diff_add(struct diff *d, struct span key, unsigned kind, int side,
              const struct diff_side *what);

/* diff_end ends the adding: what has changed comes first, then the largest difference. */
void diff_end(struct diff *d);

/* diff_judge fills in the rates and the verdict of a row that stands for itself. */
void diff_judge(struct diff_row *row, enum diff_basis basis, const ticks_t lengths[2]);

/* How much more the second run has, in ns in each second of run; less: negative. */
static inline double diff_change(const struct diff_row *row) {
  return row->rates[1] - row->rates[0];
}

/* diff_named is the run that tells the name of a row: the second where it has any time. */
static inline int diff_named(const struct diff_row *row) { return row->sides[1].time > 0 ? 1 : 0; }

void diff_free(struct diff *d);

#ifdef __cplusplus
}
#endif
