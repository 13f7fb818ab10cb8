#pragma once
/* One file of a dump. Whole lines are collected in memory and written in large blocks. If a write
   fails, the file is cut back to its last whole line, and the other lines stay collected. Only the
   user of the process may read the files. They are never opened through a symbolic link, and a file
   is only replaced if it is a regular file of this user without further names. Writer thread only,
   except for opening, which happens before that thread starts. */
#include <stdbool.h>
#include <stdint.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/base/text.h"

BEGIN_C

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
  bool is_torn;           /* the file may have more bytes, which could not be cut off; they are
                             cut off before the next line is written */
  struct builder lines;   /* whole lines that are not in the file yet */
  ticks_t last_line_time; /* in tenths of a nanosecond */
  bool is_atomic;         /* the file takes all lines of a flush or none */
  const char *refusal;    /* why a file that exists was not opened, "is a symbolic link"; static.
                             NULL: it was opened, or errno said why not */
  char path[4200];
};

#define DUMP_FILE_MODE 0600

/* dump_file_open makes PREFIX + suffix, empty, and locks it with flock, so that two processes
   cannot write one dump. False with errno; EWOULDBLOCK if another process holds the lock, EPERM
   with `refusal` if the file that exists may not be replaced. dump_file_close must be called in
   both cases. */
bool dump_file_open(struct dump_file *f, const char *prefix, const char *suffix);

/* dump_file_make does the same, but fails with EEXIST if there is a file of this name. */
bool dump_file_make(struct dump_file *f, const char *prefix, const char *suffix);

/* dump_file_lock is dump_file_open, but does not empty the file. Without `create`, the file must
   exist. dump_file_clear empties it. */
bool dump_file_lock(struct dump_file *f, const char *prefix, const char *suffix, bool create);
void dump_file_clear(struct dump_file *f);

/* dump_file_try returns whether dump_file_open would succeed now, without leaving a file behind or
   changing an existing one. False with the errno and the `refusal` of dump_file_open. Sets
   `f->path`. */
bool dump_file_try(struct dump_file *f, const char *prefix, const char *suffix);

/* dump_file_next_time returns the time of the next line, in tenths of a nanosecond: `time_ns`, or
   one tenth after the last line if that is later. */
ticks_t dump_file_next_time(struct dump_file *f, uint64_t time_ns);

/* dump_file_flush writes the collected lines. False with errno if the file does not take all of
   them; the others stay collected. ENOMEM: lines are missing, since there was no memory for them.
 */
bool dump_file_flush(struct dump_file *f);

/* dump_file_cut cuts the file back to its first `size` bytes, a number of whole lines. Collected
   lines stay. If the device does not take that now, it happens before the next line is written.
   False with errno if the file cannot be cut at all. */
bool dump_file_cut(struct dump_file *f, uint64_t size);

/* dump_file_find_place returns whether the open file is at its path, or was moved to another one,
   or was deleted. */
enum dump_place { DUMP_IN_PLACE, DUMP_MOVED, DUMP_DELETED };
enum dump_place dump_file_find_place(const struct dump_file *f);

/* dump_file_close closes the file and discards lines that were not flushed. */
void dump_file_close(struct dump_file *f);

END_C
