#pragma once
/* What a recording says about each budget: a problem that it shows, or a number. */
#include "agent/base/extern_c.h"
#include "agent/event/meaning.h"
#include "tools/orca/budget/budget.h"

BEGIN_C

struct figure {
  enum budget_kind kind;
  char *key;           /* of a problem or a lock, see struct budget_row; "" otherwise */
  uint64_t number;     /* the count, the share in tenths of a percent, or the waits for a lock */
  uint64_t longest_ns; /* of a lock */
  char *text; /* lines about it, the first one a sentence: locks, places, threads, stacks */
  char *path; /* of its source file in a source tree; "": not known */
  uint32_t source_line; /* 0: not known */
  uint64_t total_ns;    /* of a lock, sleep or io: the blocked time */
  unsigned sorts;       /* of a lock: 1 << enum lock_sort of each sort that it has; 0: not known */
  bool may_lack;        /* of a lock, as lock_has_least_waits says. Not in digests */
};

/* Waits that a recording has only as sums of several locks that are not told apart. */
struct more_waits {
  uint64_t number, longest_ns;
};

/* The scale of a run: an idle machine has 1000. */
#define FIGURES_SCALE 1000

/* All zero, with `name` and `scale` set, is a run without figures; figures_free frees its memory.
   The texts are UTF-8 without control characters, except for newlines. */
struct figures {
  const char *name; /* of the recording, as the user gave it; the caller's */
  bool is_digest;   /* it is one, so other commands need the recording itself */
  /* How much longer everything took because threads waited for a CPU, times FIGURES_SCALE: CPU time
     and the wait for a CPU, divided by the CPU time. Limits of times are multiplied by it. */
  uint64_t scale;
  const char *unproven[NUM_BUDGET_KINDS]; /* why the recording cannot prove that the budget is kept;
                                             NULL: it can. The caller's */
  /* Each lock of the sort may have had more waits than its figure: up to so many, and so long ones.
   */
  struct more_waits more[NUM_LOCK_SORTS];
  struct figure *rows;
  size_t num, capacity;
};

/* figures_add adds a figure with copies of its texts; NULL is "". Of a second figure with the same
   kind and key, the numbers and blocked times are added, and the longer wait counts. What holds for
   one of both holds for the sum. The first text stays. It returns false when memory ran out. */
bool figures_add(struct figures *f, const struct figure *figure);

/* figures_find returns the figure of this kind and key; NULL: there is none. */
const struct figure *figures_find(const struct figures *f, enum budget_kind kind, const char *key);

/* The reason in `unproven` of a run with more lock-order inversions than the figures have. Which
   ones remain is chance, so one that is new in them need not be new in the program. */
extern const char figures_lack_orders[];

/* figures_are_complete returns whether the figures have all problems of this kind that the run
   shows. */
bool figures_are_complete(const struct figures *f, enum budget_kind kind);

/* figures_scaled returns a number or a time of a run as it would be with a scale of FIGURES_SCALE,
   rounded down. */
uint64_t figures_scaled(const struct figures *f, uint64_t value);

/* figures_more_waits returns the waits that a lock of these sorts, as in struct figure, may have
   had besides its figure. */
struct more_waits figures_more_waits(const struct figures *f, unsigned sorts);

/* figures_is_least returns whether this figure of the run is the least possible. */
bool figures_is_least(const struct figures *f, const struct figure *figure);

void figures_free(struct figures *f);

END_C
