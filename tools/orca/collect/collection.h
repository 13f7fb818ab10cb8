#pragma once
/* What the recordings of many tests say together. The memory grows with the numbers of tests and of
   different locks and problems, not with the number of recordings or events. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/budget/figures.h"
#include "tools/orca/collect/build_events.h"
#include "tools/orca/model/model.h"

BEGIN_C

/* The kinds of rows. Problems have the numbers of their budgets; a problem is found in a number of
   recordings. Of a sleep and of I/O, total and longest are blocked time: of all recordings, and of
   the one with the most. */
enum {
  COLLECTED_LOCK = BUDGET_LOCK,      /* number: waits; total: blocked time; longest: a wait */
  COLLECTED_HOLD = NUM_BUDGET_KINDS, /* a critical section. number: holds; longest: a hold */
  COLLECTED_OPTIONS,                 /* the key is the options of number recordings */
  COLLECTED_UNPROVEN,                /* the key is what number recordings do not contain */
};

#define COLLECTED_TESTS 20 /* tests that a row keeps */

struct collected_row {
  int kind;
  char *key; /* as in budgets: class and method, without lines and hashes */
  uint64_t number, total_ns, longest_ns;
  bool is_least; /* of a lock: it may have had more waits, as lock_has_least_waits says */
  char *text; /* about the longest, else about the first problem; lines, the first one a sentence */
  char *recording;              /* in which that is, as a command takes it */
  size_t worst_test, last_test; /* of that recording; that was added last */
  uint64_t num_tests;
  size_t tests[COLLECTED_TESTS]; /* the first of them: indices of the tests of the build */
  size_t next;                   /* the next row with the same hash, plus one */
};

enum collected_state {
  COLLECTED_RECORDED,
  COLLECTED_UNREADABLE, /* there are recordings, and none could be read */
  COLLECTED_NONE,       /* the test left no recording */
  COLLECTED_ELSEWHERE,  /* its outputs are not on this machine */
  COLLECTED_NOT_RUN,
  NUM_COLLECTED_STATES
};

/* What became of the test with the same index of the build. */
struct collected_test {
  const char *label;
  uint64_t recordings, unreadable;
  uint64_t elsewhere; /* outputs that are not on this machine */
  uint64_t waits, blocked_ns, lost;
};

/* All zero before collection_start; collection_free frees its memory. */
struct collection {
  const struct build_events *build;
  struct collected_test *tests;
  struct collected_row *rows; /* after collection_end: by kind, the worst first */
  size_t num, capacity;
  struct hashmap ids; /* hash of kind and key -> row plus one */
  uint64_t recordings, unreadable, lost;
};

/* collection_start prepares an empty collection. The build must outlive it. False: out of memory.
 */
bool collection_start(struct collection *c, const struct build_events *build);

/* collection_add adds a recording of a test, from its complete model without a filter. `name` is
   what a command takes as its prefix. Add the recordings of a test one after the other. False: out
   of memory. */
bool collection_add(struct collection *c, size_t test, const char *name, struct model *m);

/* collection_end sorts the rows. */
void collection_end(struct collection *c);

/* After collection_end: the rows of a kind. NULL: there are none. */
const struct collected_row *collection_of(const struct collection *c, int kind, size_t *out_num);

enum collected_state collected_state(const struct collection *c, size_t test);

void collection_free(struct collection *c);

END_C
