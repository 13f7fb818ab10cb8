#pragma once
/* The edits of a recording that a user asks for, as texts, and as changes for the simulation. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/simulation.h"

BEGIN_C

enum edit_kind {
  EDIT_DROP,    /* LOCK: there is no such lock */
  EDIT_SHRINK,  /* LOCK=50%: its holds take that part less */
  EDIT_SPLIT,   /* LOCK=16: as many locks instead of one */
  EDIT_READERS, /* LOCK or LOCK:METHOD: these acquisitions are reads */
  EDIT_UNFAIR,  /* LOCK: a thread may overtake waiters */
  EDIT_OUTSIDE, /* LOCK:METHOD: calls of the method move to after the release */
  EDIT_FASTER,  /* METHOD=30%: the method takes that part less */
  EDIT_CPUS,    /* 8 */
  EDIT_POOL,    /* POOL=2x or POOL=8: so many times the threads, or so many */
  NUM_EDIT_KINDS
};

#define EDITS_OF_KIND 16

/* The texts are the caller's. */
struct edit_texts {
  const char *texts[EDITS_OF_KIND];
  size_t num;
};

struct edit {
  enum edit_kind kind;
  const char *text;    /* as the user wrote it; the caller's */
  char *lock, *method; /* patterns; NULL: none */
  char *pool;          /* pattern; NULL: none */
  double amount;       /* a part of 1, a number, or a factor */
  bool is_factor;
  uint32_t object;   /* hash of the first lock that matches */
  size_t num_locks;  /* that match */
  size_t num_pools;  /* the same */
  uint32_t pool_row; /* of the first pool that matches */
  uint32_t threads;  /* that it has after the edit */
};

/* edit_parse reads the text of an edit. Returns false if it is wrong; `*problem` is then the form
   that it must have. Call edit_free either way. */
bool edit_parse(struct edit *e, enum edit_kind kind, const char *text, const char **problem);
void edit_free(struct edit *e);

/* The changes that edits amount to, and the arrays that they use. All zero is empty;
   edited_free frees the memory. */
struct edited {
  struct changes changes;
  struct lock_change *locks;
  float *site_less, *stack_less, *site_moved, *stack_moved, **stacks_read;
  size_t num_stacks_read;
  uint32_t *pool_threads;
};

enum edit_result { EDIT_DONE, EDIT_NO_MATCH, EDIT_NO_MEMORY };

/* edited_start makes room for changes of a script. Returns false when memory ran out. */
bool edited_start(struct edited *d, const struct script *s);

/* edited_add adds an edit. With EDIT_NO_MATCH it appends to `why` what does not exist, and similar
   names. */
enum edit_result edited_add(struct edited *d, const struct script *s, struct edit *e,
                            struct builder *why);

void edited_free(struct edited *d);

END_C
