#pragma once
/* Snapshots: the last minutes of a recording that goes on, under a prefix of their own. A recording
   in several sets ends its current set, and the snapshot is the finished sets that reach into these
   minutes. Links to their files cost no space until the recording deletes them. Of a recording
   in one set, the snapshot is a copy up to now. Writer thread only. */
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/files/output.h"

BEGIN_C

#define SNAPSHOT_ALL UINT64_MAX /* last_ns: all sets that there are */

struct snapshot {
  /* What is wanted. */
  char name[4096];  /* prefix of its files, of which none may exist */
  uint64_t last_ns; /* sets that ended earlier than this time ago are left out */
  /* What there is now. */
  unsigned first_set, num_sets; /* the number of the oldest set; 0: of a recording in one set */
  bool is_copy;                 /* of a recording in one set, which has nothing to leave out */
  uint64_t span_ns;             /* time since the beginning of the oldest set */
  char error[4600];             /* one sentence, if snapshot_make failed */
};

/* snapshot_make makes the snapshot of all records that were written up to now. On false, `error`
   says why, no file of the snapshot is left, and the recording goes on. Counts of lines in the
   .info of the snapshot are exact: each event is in it once. It can end the current set, so it must
   not be called from functions of output.h that write a record; other threads call writer_snapshot.
 */
bool snapshot_make(struct snapshot *s, struct output *o);

/* --- the files of a snapshot ---------------------------------------------------------------- */

/* The sets of a recording under a second prefix. A finished set never changes, so its files get a
   hard link each, or a copy where the file system allows no link. All links of a set exist when its
   .orca does, by which readers find a set. */
struct snapshot_files {
  const char *name; /* the second prefix */
  char path[4200];  /* the file that was in the way, or could not be made */
};

/* snapshot_files_exist returns whether there is any file of the second prefix, and sets `path`. */
bool snapshot_files_exist(struct snapshot_files *s);

/* snapshot_files_can_write returns whether files can be made in the folder of the second prefix.
   False with errno and `path`. */
bool snapshot_files_can_write(struct snapshot_files *s);

/* snapshot_files_add adds a finished set of `files`, with its number. Number 0 is the current set,
   which is copied up to its last flush. Returns false with errno and `path`; then no file of the
   set is left. */
bool snapshot_files_add(struct snapshot_files *s, const struct dump_file files[NUM_FILES],
                        unsigned number);

/* snapshot_files_remove removes what snapshot_files_add has added. */
void snapshot_files_remove(struct snapshot_files *s, unsigned number);

/* --- the files that triggers have kept ----------------------------------------------------------
 */

#define TRIGGER_FILES_MAX 4

/* Snapshots PREFIX.trigger-1, PREFIX.trigger-2 and so on. Each has all sets that the recording had
   at that moment. The first one of a recording stays, as it shows how the trouble began, and the
   newest ones, TRIGGER_FILES_MAX in all. All zero is empty. */
struct trigger_files {
  unsigned last; /* N of the newest; 0: none */
  size_t num;
  struct kept_files {
    unsigned number, first_set, num_sets;
  } kept[TRIGGER_FILES_MAX]; /* oldest first */
};

/* trigger_files_keep keeps the files up to now under the next name of which no file exists. A
   recording in one set keeps all its files anyway. `outcome` becomes the rest of a sentence for the
   user: "; the files up to now are kept as …", why they are not, or "". */
void trigger_files_keep(struct trigger_files *t, struct output *o, char *outcome, size_t size);

END_C
