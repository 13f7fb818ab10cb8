#pragma once
/* The files of a recording that comes in sets: the set being written has the names that every
   recording has, PREFIX.orca and so on; one that is finished is PREFIX.0001.orca, PREFIX.0002.orca
   and so on. So whoever follows a recording always finds it under the same name, and what is
   finished never changes its name again. Writer thread only. */
#include <stddef.h>

#include "agent/writer/dump_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* set_files_turn gives the open files, which must have been flushed, the names of the finished set
   of this number and opens the next ones in their place. NUM_FILES, or the file that it failed for,
   with errno: then the open files are those that were open. */
enum file set_files_turn(struct dump_file files[NUM_FILES], unsigned number);

/* set_files_delete deletes a finished set. One that cannot be deleted stays. */
void set_files_delete(const struct dump_file files[NUM_FILES], unsigned number);

/* set_files_clear deletes all finished sets of this prefix: those of an earlier recording. */
void set_files_clear(const struct dump_file files[NUM_FILES]);

#ifdef __cplusplus
}
#endif
