#pragma once
/* The edits of a recording that a user asks for, as texts, and as changes for the simulation. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "tools/orca/causal/whatif/simulation.h"

BEGIN_C

enum edit_kind {
#define EDIT(id, key, value, parts, amount, form, words, help) EDIT_##id,
#include "tools/orca/causal/whatif/edit.def"
  NUM_EDIT_KINDS
};

/* What the text of an edit names. */
enum edit_parts { NAMES_LOCK = 1, NAMES_METHOD = 2, MAY_NAME_METHOD = 4, NAMES_POOL = 8 };

/* A row of edit.def. */
struct edit_info {
  const char *key;
  unsigned parts;
  char amount;
  const char *form, *words;
};
extern const struct edit_info edit_infos[NUM_EDIT_KINDS];

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

/* edit_parse reads the text of an edit. Returns false if it does not have the form of its kind.
   Call edit_free either way. */
bool edit_parse(struct edit *e, enum edit_kind kind, const char *text);
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
