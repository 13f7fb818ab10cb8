#pragma once
/* The files of one recording, and all that belongs to them: the sets, the definitions, the state
   that the next set repeats. Records become lines (lines.h); this module writes the lines to disk,
   and begins the next set of files when the current one is large or old enough. If the disk is
   full, it deletes old sets, or waits until there is room; obstacle.h has what else it waits for.
   The first file that cannot be written for another reason ends the recording. A deleted file ends
   it too, or with several sets only its set. Writer thread only, except for output_init,
   output_try, output_open and output_start, which are called before that thread starts. */
#include <stdbool.h>
#include <stddef.h>

#include "agent/base/clock.h"
#include "agent/base/extern_c.h"
#include "agent/files/carryover.h"
#include "agent/files/definitions.h"
#include "agent/files/dump_file.h"
#include "agent/files/info.h"
#include "agent/files/rotation.h"
#include "agent/files/short_lines.h"
#include "agent/files/writer_input.h"
#include "agent/options/options.h"
#include "agent/record/record.h"

BEGIN_C

#define OUTPUT_COUNT_NS NS_PER_S /* least time between two lines_write_counts */

/* Lines of the current set. Each event is a line; `records` counts the lines of .samples that
   records caused, so without those of stacks. */
struct set_lines {
  uint64_t events, samples, records;
};

struct output {
  const struct writer_input *input;
  /* Adds lines with the statistics of the writer to the end of .info. Never NULL. */
  void (*write_statistics)(void *statistics_arg, struct builder *info);
  void *statistics_arg;
  /* Called while a file takes no line. Waits for `pause_ns`; returns whether to try again. NULL:
   * no.
   */
  bool (*wait_for_room)(void *statistics_arg, uint64_t pause_ns);
  struct dump_file files[NUM_FILES]; /* of the current set */
  struct rotation rotation;
  struct definitions definitions;
  struct carryover carryover;    /* what the next set repeats */
  struct living_classes *living; /* taken from the input, not applied yet; NULL: none */
  struct short_lines short_lines;
  uint64_t last_stack_id;   /* last number of a stack in .samples, counted through all recordings */
  uint64_t first_stack_id;  /* its value when this set began: greater numbers are in this set */
  uint64_t events, samples; /* of all sets, not repeated; atomic, since other threads read them */
  struct set_lines lines;   /* made for this set */
  struct set_lines on_disk; /* those of them that are in the files */
  struct set_lines repeated;       /* those of them that repeat the state before the set */
  ticks_t complete[NUM_FILES];     /* up to this time the lines of .orca and .samples are on disk */
  uint64_t start_ns;               /* of the recording */
  uint64_t dropped;                /* dropped records that .info contains */
  uint64_t losses_checked_ns;      /* time of the last output_write_losses */
  uint64_t flushed_ns, counted_ns; /* times of the last output_flush and lines_write_counts */
  uint64_t looked_ns;              /* when the places of the files were last looked at */
  bool may_have_counts;            /* counts may have changed since `counted_ns` */
  uint64_t failed_ns;              /* up to here the files are complete, if `failed` */
  bool failed;
  unsigned reported; /* bit i: enum obstacle i has been reported on stderr */
};

void output_init(struct output *o);

/* output_try returns whether output_open could make the files now, and leaves none behind. If one
   of the two returns false, `error` contains one sentence with the reason. With a `run`,
   output_open also fails if an earlier JVM of the same run has written this prefix (see
   set_files.h).
 */
bool output_try(struct output *o, const char *prefix, char *error, size_t error_size);
bool output_open(struct output *o, const char *prefix, const char *run, char *error,
                 size_t error_size);

/* output_close closes the files and discards lines that were not flushed. */
void output_close(struct output *o);

/* output_start begins a recording in the open files and writes the start of .info. False with errno
   if it cannot be written, ENOMEM without memory. output_end must be called in both cases: it frees
   the memory and closes the files. */
bool output_start(struct output *o, const struct writer_input *input,
                  const struct info_start *start);
void output_end(struct output *o);

/* output_put writes a record and releases what it owns. It drops the record, and counts that, after
   a failure, or when there is no room for it because the next set cannot begin. */
void output_put(struct output *o, const struct record *r);

/* output_write_losses writes the number of records that were dropped since the last call. */
void output_write_losses(struct output *o, uint64_t now_ns);

/* output_change sets the options that the .info of later sets shows. Returns false without memory;
   then they show the options of before. */
bool output_change(struct output *o, const struct options *options);

/* output_trigger writes to .info that a trigger fired, for the reason `why`. */
void output_trigger(struct output *o, enum trigger trigger, const char *why);

/* output_waiting_bytes returns the size of the lines that are not on disk yet. */
size_t output_waiting_bytes(const struct output *o);

/* output_flush writes these lines to disk, definitions before the lines that use them. */
void output_flush(struct output *o);

/* output_tend begins the next set if the current one is old enough, and deletes sets that are too
   old. output_next_due returns the time at which it has something to do, if no record is written
   until then; UINT64_MAX: never. */
void output_tend(struct output *o, uint64_t now_ns);
uint64_t output_next_due(const struct output *o);

/* output_forget_unloaded drops what is not needed any more because its class was unloaded. All
   records up to `written_ns` have been put. */
void output_forget_unloaded(struct output *o, uint64_t written_ns);

/* output_begin_next_set ends the current set and begins the next one. `is_early`: for a snapshot,
   so the option keep counts the set together with the one after it. If it returns false, the
   current set goes on as if nothing had happened, or the recording has failed. */
bool output_begin_next_set(struct output *o, bool is_early);

/* output_write_end collects the lines of the end of .info, with this reason. */
void output_write_end(struct output *o, const char *reason);

/* output_fail ends the recording because a file cannot be written. The reason is in errno. */
void output_fail(struct output *o, const struct dump_file *f);

/* output_finish writes everything to disk, and the statistics and `reason` to .info. */
void output_finish(struct output *o, const char *reason);

END_C
