#pragma once
/* An output file of a command. Text is collected in a builder and written to the file in blocks, so
   memory does not grow with the file. */
#include <stdio.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* Start with `file` set and everything else zero. output_free releases the text; the caller closes
   the file. */
struct output {
  FILE *file;
  struct builder text; /* append here */
  int error;           /* errno of the write that failed */
  const char *problem; /* why the command gave up without such an error; NULL: out of memory */
};

/* output_write_if_large writes the collected text to the file if there are at least 64 kB. Call it
   after each larger piece. False: a write failed (`error`) or memory ran out; the caller should
   stop. */
bool output_write_if_large(struct output *o);

/* output_end writes all collected text and flushes the file. False: as above. */
bool output_end(struct output *o);

void output_free(struct output *o);

END_C
