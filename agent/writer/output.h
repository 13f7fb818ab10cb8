#pragma once
/* The files of the recording at hand: records become lines of them, lines go to the disk, and where
   a recording comes in sets of files one set follows the other. The first file that takes no more
   ends the recording. Writer thread only, but for opening, which comes before it. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/clock.h"
#include "agent/record/record.h"
#include "agent/writer/dump_file.h"
#include "agent/writer/info.h"
#include "agent/writer/rotation.h"
#include "agent/writer/writer_input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define OUTPUT_COUNT_NS NS_PER_S /* between two looks at what is only counted */

struct output {
  const struct writer_source *source;
  void (*figures)(void *figures_arg, struct builder *info); /* adds keys to the end of .info */
  void *figures_arg;
  struct dump_file files[NUM_FILES];
  struct rotation rotation;
  uint64_t last_stack_id;   /* given to a stack in .samples; goes on through all recordings, */
  uint64_t first_stack_id;  /* so that one from before this set is told by its number */
  uint64_t events, samples; /* written; atomic: others read them */
  uint64_t events_before, samples_before; /* the set being written */
  uint64_t dropped, intact_ns; /* losses that .info tells, and the time up to which it tells all */
  uint64_t flushed_ns, counted_ns;
  bool counting; /* may counts have changed since `counted_ns`, or do they change all the time? */
  bool failed;
};

void output_init(struct output *o);

/* output_try tells whether output_open could make the files now; nothing is left of it. Where
   either cannot, one sentence in `error` says why. */
bool output_try(struct output *o, const char *prefix, char *error, size_t error_size);
bool output_open(struct output *o, const char *prefix, char *error, size_t error_size);

/* output_close closes the files as they are. */
void output_close(struct output *o);

/* output_start begins a recording in open files with the start of .info. False where that cannot be
   written, or without memory. output_end is right even then: it gives back and closes. */
bool output_start(struct output *o, const struct writer_source *source,
                  const struct info_start *start);
void output_end(struct output *o);

/* output_put writes a record, with which what it owns goes. */
void output_put(struct output *o, const struct record *r);

/* output_counts looks at what is only counted; output_losses at what was dropped up to now. */
void output_counts(struct output *o);
void output_losses(struct output *o, uint64_t now_ns);

/* output_waiting is how many bytes of lines no file has yet. */
size_t output_waiting(const struct output *o);

/* output_flush writes them, what defines before what uses it. */
void output_flush(struct output *o);

/* output_finish writes all, and into .info how far that is and for what reason. */
void output_finish(struct output *o, const char *reason);

#ifdef __cplusplus
}
#endif
