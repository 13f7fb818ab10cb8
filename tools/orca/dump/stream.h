#pragma once
/* Reads one file of a dump line by line, with memory that does not grow with the file. With several
   sets, a stream reads the file of one set after the other, as if the recording had only one set.
   It skips broken lines and counts them as faults. Only one thread may use a stream. */
#include "agent/base/extern_c.h"
#include "agent/event/line.h"
#include "tools/orca/dump/faults.h"
#include "tools/orca/dump/sets.h"

BEGIN_C

struct stream;

/* Gets the number of bytes that were read since the last call; 0: the stream was closed. */
struct read_callback {
  void (*on_read)(void *arg, uint64_t bytes); /* NULL: no callback */
  void *arg;
};

/* stream_open starts reading a file and removes the faults of an earlier reading. Returns NULL if
   the file cannot be read, and adds a fault unless the file is optional and does not exist. All
   functions below take NULL as a file without lines. `faults` must outlive the stream. */
struct stream *stream_open(const char *path, enum dump_file file, struct faults *faults);

/* stream_open_sets does the same for the file of all sets from index `at` on. `sets` and `faults`
   must outlive the stream. */
struct stream *stream_open_sets(const struct sets *sets, size_t at, enum dump_file file,
                                struct faults *faults);
void stream_close(struct stream *s);

/* stream_set_read_callback sets the callback, which must outlive the stream. */
void stream_set_read_callback(struct stream *s, const struct read_callback *callback);

/* The next valid line of a file of this kind. They return false at the end. Spans are valid until
   the next call. */
bool stream_event(struct stream *s, struct event_line *out);
bool stream_sample(struct stream *s, struct sample_line *out);
bool stream_class(struct stream *s, struct class_line *out);
bool stream_method(struct stream *s, struct method_line *out);
bool stream_object(struct stream *s, struct object_line *out);
bool stream_count(struct stream *s, struct count_line *out);
bool stream_info(struct stream *s, struct span *out_key, struct span *out_value);

/* stream_line returns the number of the last line within its file, from 1. At the end that is the
   number of complete lines of the file, including broken ones. */
uint64_t stream_line(const struct stream *s);

/* stream_lines returns the number of complete lines read so far in all sets. */
uint64_t stream_lines(const struct stream *s);

/* stream_num_repeated returns how many events, or samples of threads, were skipped so far because
   they repeat a line of an earlier set. */
uint64_t stream_num_repeated(const struct stream *s);

/* stream_set returns the index of the set of the last line. */
size_t stream_set(const struct stream *s);

/* stream_is_repeated returns whether the last line repeats a line of an earlier set. Such a line is
   returned only in the first set of the stream, whose earlier sets are not read. */
bool stream_is_repeated(const struct stream *s);

enum dump_file stream_file(const struct stream *s); /* not for NULL */

/* stream_cut returns, at the end, whether the last line of a file has no newline, because the JVM
   was killed. That line is not returned and is not a fault. With several sets: whether this holds
   for any of the files. */
bool stream_cut(const struct stream *s);

END_C
