#pragma once
/* Snapshots: the last minutes of a recording that goes on, under a prefix of their own. A recording
   in several sets ends its current set, and the snapshot is the finished sets that reach into these
   minutes. Links to their files cost no space until the recording deletes them. Of a recording
   in one set, the snapshot is a copy up to now. Writer thread only. */
#include "agent/base/extern_c.h"
#include "agent/writer/output.h"

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

END_C
