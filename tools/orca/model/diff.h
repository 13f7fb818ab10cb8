#pragma once
/* Two runs side by side: which rows cost more in the second run than in the first. Runs differ in
   length, so rows are compared by rate: nanoseconds for each second of the run.

   Two runs of the same program also differ by chance. A row counts as changed only if both hold:
   - Its rates differ by more than a share of the larger rate (diff_least_percent).
   - They differ by more than DIFF_DEVIATIONS standard deviations. A time that was seen in n samples
     has a relative deviation of 1 / sqrt(n). A time that is the sum of n waits has sqrt(2 / n),
     because waits differ widely in length.

   Call diff_add for all values of both runs, then diff_end, then read the rows. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/model/state/place.h"

BEGIN_C

#define DIFF_DEVIATIONS 3

/* The least change that is worth words, in ns for each second of run: 1 % of a CPU, or of a
   thread's time. */
#define DIFF_LEAST_CHANGE 1e7

/* What the times of a diff are made of. DIFF_EXACT: measured times without a random error. */
enum diff_basis { DIFF_SAMPLES, DIFF_EVENTS, DIFF_EXACT };

/* The share of the larger rate that a change has to exceed, in percent, by enum diff_basis. */
extern const unsigned diff_least_percent[];

enum diff_verdict { DIFF_SAME, DIFF_MORE, DIFF_LESS, DIFF_NEW, DIFF_GONE };

/* The values of a row in one run. */
struct diff_side {
  ticks_t time;
  double count;  /* number of samples or events that make up the time; of samples an estimate */
  uint32_t id;   /* an id of that run, chosen by the caller; 0 without any time */
  place_t place; /* where most of the time was spent */
  ticks_t most;  /* the time at `place`; set by diff_add */
  /* So much more can belong to the row: ns for each second of run. The caller sets it after
     diff_end. */
  double more;
};

struct diff_row {
  unsigned kind; /* chosen by the caller */
  struct diff_side sides[2];
  double rates[2]; /* ns for each second of run */
  enum diff_verdict verdict;
  /* It is not known whether the row has changed: time that is told of another row can be of this
     one. The caller sets it after diff_end. Always false with DIFF_SAME. */
  bool is_open;
};

/* A struct of zeros with `basis` and `lengths` is empty; diff_free frees its memory. */
struct diff {
  enum diff_basis basis;
  ticks_t lengths[2]; /* of the runs; 0: all rates of the run are 0 */
  /* A run may lack rows that have at most this time: a row that only the other run has is then
     compared with it. Zeros: no row is missing. */
  struct {
    ticks_t time;
    double count;
  } most_cut[2];
  struct hashmap ids; /* digest of the key -> row plus one, until diff_end */
  struct diff_row *rows;
  size_t num, capacity;
  double more, less; /* sums of the rates' rises and falls over all rows */
};

/* diff_add adds values to the row of a key. The key is a text that names the same thing in both
   runs; it is copied as a digest. `side` is 0 or 1. It returns false when memory ran out. */
bool diff_add(struct diff *d, struct span key, unsigned kind, int side,
              const struct diff_side *values);

/* diff_end judges all rows and sorts them: changed rows first, then by the size of the change. */
void diff_end(struct diff *d);

/* diff_judge sets the rates and the verdict of a row that is not part of a diff. */
void diff_judge(struct diff_row *row, enum diff_basis basis, const ticks_t lengths[2]);

/* diff_change returns by how much the second rate is larger, in ns for each second of run. It is
   negative if the rate fell. */
static inline double diff_change(const struct diff_row *row) {
  return row->rates[1] - row->rates[0];
}

/* diff_choose_name_side returns the run whose dump has the names of a row: the second if the row
   has any time in it, else the first. */
static inline int diff_choose_name_side(const struct diff_row *row) {
  return row->sides[1].time > 0 ? 1 : 0;
}

void diff_free(struct diff *d);

END_C
