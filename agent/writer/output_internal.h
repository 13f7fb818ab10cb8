#pragma once
/* Functions of output.c and output_lines.c that other modules of the writer call. */
#include "agent/writer/output.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/* output_fail ends the recording because a file cannot be written. The reason is in errno. */
void output_fail(struct output *o, const struct dump_file *f);

#ifdef __cplusplus
}
#endif
