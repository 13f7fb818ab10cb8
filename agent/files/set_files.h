#pragma once
/* The file names of a recording that consists of several sets of files. The set being written has
   the names of every recording: PREFIX.orca and so on. Finished sets are named PREFIX.0001.orca,
   PREFIX.0002.orca and so on. So a reader that follows a recording always finds the current set
   under the same name, and a finished set never changes its name again. The files of the next set
   are made first, empty, as PREFIX.next.orca and so on. Writer thread only. */
#include <stddef.h>

#include "agent/base/extern_c.h"
#include "agent/files/dump_file.h"

BEGIN_C

/* set_files_make_next makes the files of the next set under their temporary names, all or none.
   Returns NUM_FILES, or the file that could not be made, with errno and its path in `next`. */
enum file set_files_make_next(struct dump_file next[NUM_FILES],
                              const struct dump_file files[NUM_FILES]);

/* set_files_drop_next deletes and closes the files of set_files_make_next. */
void set_files_drop_next(struct dump_file next[NUM_FILES]);

/* set_files_are_in_place returns whether all files are at their paths: nobody has deleted or moved
   them. */
bool set_files_are_in_place(const struct dump_file files[NUM_FILES]);

/* set_files_switch renames `files` to those of finished set `number`, and `next` to the names that
   `files` had. Number 0: `files` have these names no more, so only `next` is renamed. If a file
   cannot be renamed, it takes all names back and returns that file, with errno; then nothing has
   changed. Returns NUM_FILES on success. */
enum file set_files_switch(const struct dump_file files[NUM_FILES],
                           const struct dump_file next[NUM_FILES], unsigned number);

/* set_files_take_over closes `files`, which must have been flushed, and replaces them by `next`,
   which are not open then. Lines that were collected since go to the next set, and its times
   continue. */
void set_files_take_over(struct dump_file files[NUM_FILES], struct dump_file next[NUM_FILES]);

/* set_files_path writes the path of a file of a finished set to `out`, or for number 0 that of the
   set without a number. False with errno if `size` is too small. */
bool set_files_path(const char *prefix, unsigned number, enum file file, char *out, size_t size);

/* set_files_prefix copies the prefix of the open files. */
void set_files_prefix(const struct dump_file files[NUM_FILES], char *out, size_t size);

/* set_files_visit calls `visit` with the path of each file of a finished set of `prefix`, until it
   returns false. */
void set_files_visit(const char *prefix, bool (*visit)(void *arg, const char *path), void *arg);

/* set_files_delete deletes a finished set, .orca first, by which readers find a set. It ignores
   files that it cannot delete. */
void set_files_delete(const struct dump_file files[NUM_FILES], unsigned number);

/* set_files_clear deletes what an earlier recording with this prefix has left: finished sets, and
   empty files of a next set. It leaves files of other users. */
void set_files_clear(const struct dump_file files[NUM_FILES]);

/* --- which JVM may write a prefix ------------------------------------------------------------- */

/* Each recording holds a lock on PREFIX.info while it is written. The JVMs of one `orca run` also
   get the same prefix, at the same time or one after another. They find each other's recordings by
   the key `run` of .info.

   set_files_claim opens and locks PREFIX.info and does not change it. With a `run`, it fails if
   PREFIX is already a recording of that run, finished or not. False with errno; EWOULDBLOCK if
   another JVM has the prefix. dump_file_close must be called in both cases. */
bool set_files_claim(struct dump_file *info, const char *prefix, const char *run);

END_C
