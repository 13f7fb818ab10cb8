#pragma once
/* What a command makes that is a file: text collected in a builder and handed on to the file now
   and then, so that memory does not grow with it. */
#include <stdio.h>

#include "agent/base/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With `file` set and all else zero it is empty; output_free gives the memory back, not the file.
 */
struct output {
  FILE *file;
  struct builder text; /* append here */
  int error;           /* errno of the write that failed */
};

/* output_pass_on hands the text on once there is much of it: call it now and then. False: a write
   failed (`error`) or memory ran out, and the rest need not be made. */
bool output_pass_on(struct output *o);

/* output_end hands all of it on, to the file itself. False as above. */
bool output_end(struct output *o);

void output_free(struct output *o);

#ifdef __cplusplus
}
#endif
