#pragma once
/* The sets of files that a recording consists of. Mostly there is one set, PREFIX.orca and so on.
   With the option maxsize there are also finished sets before it, PREFIX.0001.orca and so on. A set
   that is finished while it is read is still found, because the writer only renames its files. */
#include "agent/base/extern_c.h"
#include "agent/base/text.h"
#include "tools/orca/dump/faults.h"

BEGIN_C

struct set {
  unsigned number; /* in the names of its files, 0: the names have no number */
  /* The number of lines at the start of .orca and .samples that repeat lines of an earlier set. */
  uint64_t thread_lines, sample_lines;
};

/* All zero is no sets; free it with sets_free. */
struct sets {
  char *prefix; /* owned by the caller */
  struct set *sets;
  size_t num, capacity;
  unsigned first;    /* number of the first set found; 1: no older set was deleted */
  unsigned missing;  /* how many numbers between the first and the last set have no files */
  int64_t pid;       /* of the recorded process */
  ticks_t recording; /* when the recording began; both are 0 if .info does not tell */

  /* Where the files of the last set end, in bytes, even if they grow later. Without these ends a
     reader that reads definitions first would find uses of later ones. */
  uint64_t ends[NUM_DUMP_FILES];
};

/* sets_find finds the sets of a prefix, in order. It ignores sets of other recordings, for example
   an earlier one with the same prefix. Returns false if memory ran out. */
bool sets_find(struct sets *s, char *prefix);

/* sets_refresh adds the sets that began since sets_find, and moves `ends` to the present.
   `*out_replaced` receives whether the files of the prefix are of another recording by now; then
   nothing changes. Returns false if memory ran out. */
bool sets_refresh(struct sets *s, bool *out_replaced);

/* sets_path appends the path of a file of the set with index `at`, and a NUL. Returns the number in
   the name, 0 for none. The path of the last set changes when the writer finishes the set. */
unsigned sets_path(const struct sets *s, size_t at, enum dump_file file, struct builder *out);

/* sets_end returns where the file of the set with index `at` ends; UINT64_MAX: the set is complete.
 */
uint64_t sets_end(const struct sets *s, size_t at, enum dump_file file);

/* sets_exist returns whether there is any finished set of this prefix. */
bool sets_exist(const char *prefix);

/* sets_stem_len returns the length of `name`, which has `len` bytes, without the ".0001" of a
   finished set at its end. */
size_t sets_stem_len(const char *name, size_t len);

void sets_free(struct sets *s);

END_C
