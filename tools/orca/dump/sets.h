#pragma once
/* The sets of files that a recording consists of: mostly one, PREFIX.orca and so on; with the
   option maxsize also the finished ones before it, PREFIX.0001.orca and so on. What is finished in
   the meantime keeps being found: the writer only changes its name. */
#include "tools/orca/dump/faults.h"

#ifdef __cplusplus
extern "C" {
#endif

struct set {
  unsigned number; /* of its name, 0: it has the names without a number */
  /* Lines at its beginning that say again what an earlier set says. */
  uint64_t thread_lines, sample_lines;
};

/* All zero is none; sets_free gives the memory back. */
struct sets {
  char *prefix; /* the caller's */
  struct set *sets;
  size_t num, capacity;
  unsigned first;   /* number of the first of them in the recording; 1: all are there */
  unsigned missing; /* numbers between the first and the last that are not there */
};

/* sets_find finds the sets of a prefix. Those of another recording do not count, such as an earlier
   one of the same name. False: memory ran out. */
bool sets_find(struct sets *s, char *prefix);

/* sets_path appends the path of a file of the set `at`, with a NUL behind; gives the number in its
   name, 0 for none. Of the last set it may be another the next time. */
unsigned sets_path(const struct sets *s, size_t at, enum dump_file file, struct builder *out);

/* sets_exist tells whether there is any finished set of this prefix. */
bool sets_exist(const char *prefix);

/* sets_stem is the length of the first `len` bytes of `name`, less the ".0001" behind the prefix of
   a finished set. */
size_t sets_stem(const char *name, size_t len);

void sets_free(struct sets *s);

#ifdef __cplusplus
}
#endif
