#pragma once
/* A file as lines, read in large pieces; memory does not grow with the file. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A longer line is nothing that Orca writes: the largest method has 65,535 entries of 18 bytes. */
#define LINES_LONGEST ((size_t)4 << 20)

struct lines;

enum lines_got {
  LINES_LINE,     /* a line */
  LINES_TOO_LONG, /* a line over LINES_LONGEST, which is skipped */
  LINES_END,
  LINES_FAILED, /* the rest cannot be read: lines_why */
};

/* lines_open begins to read a regular file. NULL, and the reason in `*why`, which is never freed
   and fits behind the name of the file, where that cannot be. */
struct lines *lines_open(const char *path, const char **why);

/* lines_next gives the next line without its newline; it lives until the next call. What stands
   behind the last newline is no line, see lines_cut. */
enum lines_got lines_next(struct lines *l, struct span *out);

/* The number of the line given last, from 1. */
uint64_t lines_number(const struct lines *l);

/* lines_cut tells, at the end, whether the file ends without a newline. */
bool lines_cut(const struct lines *l);

/* lines_why is the reason of LINES_FAILED. */
const char *lines_why(const struct lines *l);

void lines_close(struct lines *l);

#ifdef __cplusplus
}
#endif
