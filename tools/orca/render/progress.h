#pragma once
/* How far something is that takes its time: one line on a terminal, "reading  45 %  1.2 of 2.7 GB",
   which comes after a second and goes away without a trace. */
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stays where it is from progress_start on. */
struct progress {
  int fd;
  bool shown;
  uint64_t done, total;    /* bytes */
  uint64_t started, drawn; /* nanoseconds of the monotonic clock */
};

/* progress_start begins to count; nothing is ever drawn but on a terminal. */
void progress_start(struct progress *p, int fd, uint64_t total);

/* progress_add takes more bytes, and draws now and then. */
void progress_add(struct progress *p, uint64_t bytes);

/* progress_hide takes the line away; the next progress_add may bring it back. */
void progress_hide(struct progress *p);

/* progress_write appends the line as it is drawn, for `p` as it is. */
struct builder;
void progress_write(struct builder *b, const struct progress *p);

#ifdef __cplusplus
}
#endif
