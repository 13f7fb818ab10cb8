#pragma once
/* One file of a dump: whole lines are collected and go to it in large writes that end where a line
   ends. What cannot be written is undone up to the last whole line. Writer thread only, but for
   opening, which comes before it. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In the order in which they are flushed: what defines comes before what uses it. */
enum file { CLASSTABLE, METHODS, OBJECTS, SAMPLES, COUNTS, ORCA, INFO, NUM_FILES };
extern const char *const file_suffixes[NUM_FILES];

struct dump_file {
  int fd;
  uint64_t size;        /* bytes that stand in the file for good */
  struct builder lines; /* whole lines that wait to be written */
  ticks_t last;         /* time of the last line */
  char path[4200];
};

/* dump_file_open makes PREFIX + suffix, empty, and locks it (flock), so that two processes do not
   write into one dump. False with errno, EWOULDBLOCK where another holds the lock; dump_file_close
   is right even then. */
bool dump_file_open(struct dump_file *f, const char *prefix, const char *suffix);

/* dump_file_try tells whether dump_file_open would make it now, and leaves everything as it is.
   False with errno, as there. `f` keeps the path. */
bool dump_file_try(struct dump_file *f, const char *prefix, const char *suffix);
/* dump_file_time gives the time of the next line: that of `time_ns`, or if that is not later than
   the last line the next tenth of a nanosecond after it. */
ticks_t dump_file_time(struct dump_file *f, uint64_t time_ns);

/* dump_file_flush writes what waits. False with errno when the file does not take it all. */
bool dump_file_flush(struct dump_file *f);

/* dump_file_close closes without writing. */
void dump_file_close(struct dump_file *f);

#ifdef __cplusplus
}
#endif
