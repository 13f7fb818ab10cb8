#pragma once
/* Functions of output.c and output_lines.c that other modules of the writer call. */
#include "agent/base/extern_c.h"
#include "agent/writer/output.h"

BEGIN_C

/* output_write_record makes the line of a record and releases what the record owns. */
void output_write_record(struct output *o, const struct record *r);

/* output_write_definitions writes the definitions that `box` contains now. */
void output_write_definitions(struct output *o, enum file file, struct outbox *box);

/* output_begin_next_set ends the current set and begins the next one. `is_early`: for a snapshot,
   so the option keep counts the set together with the one after it. If it returns false, the
   current set goes on as if nothing had happened, or the recording has failed. */
bool output_begin_next_set(struct output *o, bool is_early);

/* output_write_end collects the lines of the end of .info, with this reason. */
void output_write_end(struct output *o, const char *reason);

/* output_start_set writes the start of the next set. Time 0 dates the repeated lines immediately
   after the last line of the set before. The counts of the set include them, the totals of the
   recording do not. `time_ns`: from output_find_next_start. */
void output_start_set(struct output *o, uint64_t time_ns);

/* output_find_next_start returns the time at which the next set begins: that of the last event, or
   of the last sample if this set contains no events. */
uint64_t output_find_next_start(const struct output *o);

/* output_count_losses counts the lines of the set that will never be on disk as dropped. */
void output_count_losses(struct output *o);

/* output_look_for_files looks once a second whether somebody has deleted a file. Without several
   sets, that ends the recording. Otherwise the set is lost, and the next one begins when it can. */
void output_look_for_files(struct output *o, uint64_t now_ns);

/* output_lose_set drops the current set and its files, and counts their lines as dropped. The next
   set begins when it can. */
void output_lose_set(struct output *o);

/* output_replace_lost_set tries to begin the next set after the current one was lost. */
void output_replace_lost_set(struct output *o);

/* output_fail ends the recording because a file cannot be written. The reason is in errno. */
void output_fail(struct output *o, const struct dump_file *f);

END_C
