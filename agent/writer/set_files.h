#pragma once
/* The file names of a recording that consists of several sets of files. The set being written has
   the names of every recording: PREFIX.orca and so on. Finished sets are named PREFIX.0001.orca,
   PREFIX.0002.orca and so on. So a reader that follows a recording always finds the current set
   under the same name, and a finished set never changes its name again. Writer thread only. */
#include <stddef.h>

#include "agent/writer/dump_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* set_files_rotate renames the open files to those of finished set `number` and opens the files of
   the next set in their place. The open files must have been flushed. Returns NUM_FILES, or on
   failure the file that caused it, with errno; then the same files stay open. */
enum file set_files_rotate(struct dump_file files[NUM_FILES], unsigned number);

/* set_files_visit calls `visit` with the path of each file of a finished set of `prefix`, until it
   returns false. */
void set_files_visit(const char *prefix, bool (*visit)(void *arg, const char *path), void *arg);

/* set_files_delete deletes a finished set. It ignores files that it cannot delete. */
void set_files_delete(const struct dump_file files[NUM_FILES], unsigned number);

/* set_files_clear deletes all finished sets with this prefix: those of an earlier recording. */
void set_files_clear(const struct dump_file files[NUM_FILES]);

#ifdef __cplusplus
}
#endif
