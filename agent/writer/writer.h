#pragma once
/* The writer thread: takes records from the queue, sorts them by time and writes the files. It
   never calls the JVM, the JVM does not know it, and it blocks all signals. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/base/extern_c.h"
#include "agent/files/info.h"
#include "agent/files/snapshot.h"
#include "agent/files/writer_input.h"
#include "agent/record/table_size.h"
#include "agent/writer/change.h"
#include "agent/writer/load.h"

BEGIN_C

struct writer;

/* writer_new makes a writer without files and without a thread. It is never freed. NULL without
   memory. */
struct writer *writer_new(void);

/* writer_try returns whether writer_open could make the files now, and leaves none behind. If not,
   it writes one sentence with the reason to `error`. Must not be called during a recording. */
bool writer_try(struct writer *w, const char *prefix, char *error, size_t error_size);

/* writer_open makes the files of a recording. `run` is NULL or the run that the recording belongs
   to: files that another JVM of the same run has written are not overwritten. If it returns false,
   `error` contains one sentence with the reason. */
bool writer_open(struct writer *w, const char *prefix, const char *run, char *error,
                 size_t error_size);

/* writer_abandon closes the files of writer_open if writer_start is not going to be called. */
void writer_abandon(struct writer *w);

/* writer_start writes the start of .info and starts the writer thread. It discards records that an
   earlier recording left in the queue. On false it has closed the files, and errno says why:
   ENOMEM, EAGAIN without a thread, or why the files cannot be written. */
bool writer_start(struct writer *w, const struct writer_input *input,
                  const struct info_start *start);

/* writer_wake wakes the writer thread. `w` is a struct writer. Any thread; cheap. */
void writer_wake(void *w);

/* writer_snapshot makes a snapshot of all records pushed before the call. All of them are also in
   the files of the recording then. Waits at most `limit_ns`; if that was too short, the snapshot
   may still be made later. On false, `s->error` says why. Only one thread at a time may be in
   writer_snapshot or writer_change. */
bool writer_snapshot(struct writer *w, struct snapshot *s, uint64_t limit_ns);

/* writer_change makes the writer follow a change, and writes the rows of the change into .info. All
   records pushed before the call are written as before. It takes over `c`. Waits at most
   `limit_ns`; if that was too short, the writer still follows later, unless the recording ends. On
   false `error` contains one sentence. The threads are those of writer_snapshot.
   writer_is_behind returns whether it has not begun with the last one: then it takes no other. */
bool writer_is_behind(const struct writer *w);
bool writer_change(struct writer *w, struct change *c, uint64_t limit_ns, char *error,
                   size_t error_size);

/* writer_stop writes all records pushed before the call and the end of .info with `reason`, then
   ends the writer thread. After that, writer_open may be called again. Waits at most `limit_ns`;
   false if that was too short. `reason` must stay valid until the thread ends. Any thread, also
   while others are in writer_snapshot, writer_change or writer_stop. */
bool writer_stop(struct writer *w, const char *reason, uint64_t limit_ns);

/* writer_size returns the size of a table after the last round of the writer thread. */
struct table_size writer_size(const struct writer *w, enum writer_table table);

/* What the writer has written in this recording, and how often it woke up. */
struct writer_counts {
  uint64_t events, samples, wakeups;
};

/* writer_counts returns the counts up to now. Any thread. */
struct writer_counts writer_counts(const struct writer *w);

/* writer_load returns the load now. Any thread. */
struct writer_load writer_load(struct writer *w);

END_C
