#pragma once
/* Budgets: what the locks of a program may cost. A budget is a row of a text file (budget_text.h).
   This file knows the rows, not how they are spelled. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

enum budget_kind {
#define KIND(id, word, form, command, title, advice) BUDGET_##id,
#include "tools/orca/budget/kind.def"
  NUM_BUDGET_KINDS
};

enum budget_form {
  FORM_NEVER, /* no row: nothing is allowed */
  FORM_KNOWN, /* each row is the key of a problem that is known, so it does not break the budget */
  FORM_COUNT, /* one row with a number */
  FORM_SHARE, /* one row with a share, in tenths of a percent */
  FORM_LOCK,  /* each row has the key of a lock, a number of waits, and the longest wait */
};

struct budget_kind_info {
  const char *word, *command, *title, *advice; /* see kind.def */
  enum budget_form form;
};

extern const struct budget_kind_info budget_kinds[NUM_BUDGET_KINDS];

/* budget_is_time returns whether a budget is broken only if each run breaks it. */
static inline bool budget_is_time(enum budget_kind kind) {
  return kind == BUDGET_BLOCKED || kind == BUDGET_LOCK;
}

/* The key of the row for all locks without a row of their own. */
#define BUDGET_ANY_LOCK "*"

struct budget_row {
  enum budget_kind kind;
  char *key;           /* "" for FORM_COUNT and FORM_SHARE */
  uint64_t number;     /* the count, the share, or the waits for a lock */
  uint64_t longest_ns; /* of FORM_LOCK */
  char *comment;       /* the lines of comments above the row, each with its '\n'; "" if none */
};

/* All zero is an empty budget; budget_free frees its memory. */
struct budget {
  char *header; /* comments at the top that are followed by an empty line, with it; NULL: none */
  char *footer; /* comments after the last row; NULL: none */
  struct budget_row *rows;
  size_t num, capacity;
};

/* budget_find returns the row of this kind and key; NULL: there is none. */
const struct budget_row *budget_find(const struct budget *b, enum budget_kind kind,
                                     const char *key);

/* budget_of_lock returns the row for the lock with this key: its own, or that of BUDGET_ANY_LOCK;
   NULL: there is neither. */
const struct budget_row *budget_of_lock(const struct budget *b, const char *key);

/* budget_add adds a copy of a row, also of its texts; a `comment` of NULL is "". It returns false
   when memory ran out. */
bool budget_add(struct budget *b, const struct budget_row *row);

/* budget_sort sorts the rows by kind and key, as kind.def orders the kinds. */
void budget_sort(struct budget *b);

void budget_free(struct budget *b);

END_C
