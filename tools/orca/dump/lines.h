#pragma once
/* Reads a file line by line through a buffer. Memory does not grow with the size of the file. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* The longest line in bytes. Orca writes no longer one: the line table of the largest method has
   65,535 entries of 18 bytes. */
#define LINES_MAX_LENGTH ((size_t)4 << 20)

struct lines;

enum lines_result {
  LINES_LINE,     /* a line */
  LINES_TOO_LONG, /* a line of more than LINES_MAX_LENGTH bytes, which was skipped */
  LINES_END,
  LINES_FAILED, /* the rest of the file cannot be read; see lines_why */
};

/* lines_open opens a regular file. On an error it returns NULL and sets `*why` to a static text
   that completes the name of the file to a sentence: "does not exist". */
struct lines *lines_open(const char *path, const char **why);

/* lines_end_at makes the file end after this many bytes, for a file that grows. Without a call, and
   for UINT64_MAX, it ends where it ends. Returns whether that is later than before. */
bool lines_end_at(struct lines *l, uint64_t bytes);

/* lines_next gets the next line without its newline. The line is valid until the next call. Bytes
   after the last newline are not a line, see lines_is_cut. */
enum lines_result lines_next(struct lines *l, struct span *out);

/* lines_number returns the number of the last line that was read, from 1. */
uint64_t lines_number(const struct lines *l);

/* lines_is_cut returns, after LINES_END, whether the file ends without a newline. */
bool lines_is_cut(const struct lines *l);

/* lines_why returns the reason of LINES_FAILED. */
const char *lines_why(const struct lines *l);

void lines_close(struct lines *l);

END_C
