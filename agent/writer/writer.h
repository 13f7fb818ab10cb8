#pragma once
/* The one thread that writes: takes records from the queue, puts them in order of time, and writes
   the files. The JVM does not know it and it never calls the JVM; all signals are blocked in
   it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/writer/info.h"
#include "agent/writer/writer_input.h"

#ifdef __cplusplus
extern "C" {
#endif

struct writer;

struct writer *writer_new(void); /* NULL without memory; lives as long as the process */

/* writer_try tells whether writer_open could make the files now; nothing is left of it. When it
   could not, one sentence in `error` says why. Not during a recording. */
bool writer_try(struct writer *w, const char *prefix, char *error, size_t error_size);

/* writer_open makes the files of a recording. When that fails one sentence in `error` says why. */
bool writer_open(struct writer *w, const char *prefix, char *error, size_t error_size);

/* writer_abandon closes what writer_open opened and writer_start did not start. */
void writer_abandon(struct writer *w);

/* writer_start writes the start of .info and starts the thread; what is still in the queue from an
   earlier recording is thrown away. False without memory or thread; the files are closed then. */
bool writer_start(struct writer *w, const struct writer_source *source,
                  const struct info_start *start);

/* writer_wake makes the thread look at once. Any thread; cheap. `w` is a struct writer. */
void writer_wake(void *w);

/* writer_flush: all that was pushed before it is on disk, and .info says how far that is. Waits no
   longer than `limit_ns`; false when that was too short. One caller at a time, as with writer_stop.
 */
bool writer_flush(struct writer *w, uint64_t limit_ns);

/* writer_stop: all that was pushed before it is written, then the end of .info with this reason;
   after that writer_open may begin anew. Waits no longer than `limit_ns`; false when that was too
   short. */
bool writer_stop(struct writer *w, const char *reason, uint64_t limit_ns);

/* What the writer has written so far, and how often it woke up for it. Any thread. */
struct writer_counts {
  uint64_t events, samples, wakeups;
};
struct writer_counts writer_counts(const struct writer *w);

#ifdef __cplusplus
}
#endif
