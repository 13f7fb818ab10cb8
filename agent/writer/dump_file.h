#pragma once
/* One file of a dump. Whole lines are collected in memory and written in large blocks. If a write
   fails, the file is cut back to its last whole line. Writer thread only, except for opening, which
   happens before that thread starts. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

enum file {
#define DUMP_FILE(id, suffix, line, need) FILE_##id,
#include "agent/event/file.def"
  NUM_FILES
};
extern const char *const file_suffixes[NUM_FILES];

/* The order in which files are made, flushed and renamed: definitions come before the lines that
   use them, and .info is the last file. */
extern const enum file file_order[NUM_FILES];

struct dump_file {
  int fd;
  uint64_t size;          /* bytes in the file */
  struct builder lines;   /* whole lines that are not in the file yet */
  ticks_t last_line_time; /* in tenths of a nanosecond */
  char path[4200];
};

/* dump_file_open makes PREFIX + suffix, empty, and locks it with flock, so that two processes
   cannot write one dump. False with errno; EWOULDBLOCK if another process holds the lock.
   dump_file_close must be called in both cases. */
bool dump_file_open(struct dump_file *f, const char *prefix, const char *suffix);

/* dump_file_lock does the same, but does not empty the file. Without `create`, the file must exist.
   dump_file_clear empties it. */
bool dump_file_lock(struct dump_file *f, const char *prefix, const char *suffix, bool create);
void dump_file_clear(struct dump_file *f);

/* dump_file_try returns whether dump_file_open would succeed now, without leaving a file behind or
   changing an existing one. False with the errno of dump_file_open. Sets `f->path`. */
bool dump_file_try(struct dump_file *f, const char *prefix, const char *suffix);

/* dump_file_next_time returns the time of the next line, in tenths of a nanosecond: `time_ns`, or
   one tenth after the last line if that is later. */
ticks_t dump_file_next_time(struct dump_file *f, uint64_t time_ns);

/* dump_file_flush writes the collected lines. False with errno if the file does not take all of
   them; the rest of them is lost then. */
bool dump_file_flush(struct dump_file *f);

/* dump_file_close closes the file and discards lines that were not flushed. */
void dump_file_close(struct dump_file *f);

#ifdef __cplusplus
}
#endif
