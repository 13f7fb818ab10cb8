#pragma once
/* One file of a dump, read from its start to its end, a line at a time: of any size in little
   memory. Of a recording in several sets it is the file of each, one behind the other, as if the
   recording had never been cut. A broken line is counted among the faults and skipped. */
#include "agent/event/line.h"
#include "tools/orca/dump/faults.h"
#include "tools/orca/dump/sets.h"

#ifdef __cplusplus
extern "C" {
#endif

struct stream;

/* Who is told how many bytes were read since the last time; 0: the stream is closed. */
struct watch {
  void (*read)(void *arg, uint64_t bytes); /* NULL: nobody */
  void *arg;
};

/* stream_open begins to read a file and drops its faults of an earlier reading. NULL where it
   cannot be read (a fault says why, unless a dump may lack it); every function below takes NULL as
   a file without lines. The faults must outlive it. */
struct stream *stream_open(const char *path, enum dump_file file, struct faults *faults);
void stream_close(struct stream *s);

/* stream_watch has a stream tell as it reads; the watch must outlive it. */
void stream_watch(struct stream *s, const struct watch *watch);
/* stream_open_sets does so with the file of all these sets, from the set `at` on. They must outlive
   it too. */
struct stream *stream_open_sets(const struct sets *sets, size_t at, enum dump_file file,
                                struct faults *faults);

/* The next good line of a file of this kind; false at the end. Spans live until the next call. */
bool stream_event(struct stream *s, struct event_line *out);
bool stream_sample(struct stream *s, struct sample_line *out);
bool stream_class(struct stream *s, struct class_line *out);
bool stream_method(struct stream *s, struct method_line *out);
bool stream_object(struct stream *s, struct object_line *out);
bool stream_count(struct stream *s, struct count_line *out);
bool stream_info(struct stream *s, struct span *out_key, struct span *out_value);

/* stream_line is the number, from 1, of the line that was handed out last, in its file; at the end:
   how many whole lines that has, broken ones too. */
uint64_t stream_line(const struct stream *s);

/* stream_lines is how many whole lines were read up to now, of all sets. */
uint64_t stream_lines(const struct stream *s);

/* stream_left_out is how many events, or samples of threads, were left out up to now as they say
   again what the set before them says. */
uint64_t stream_left_out(const struct stream *s);

/* stream_set counts the sets from 0: that of the line that was handed out last. */
size_t stream_set(const struct stream *s);

/* stream_again: the line says again what an earlier set says, which is not there. */
bool stream_again(const struct stream *s);

enum dump_file stream_file(const struct stream *s); /* not of NULL */

/* stream_cut tells, at the end, whether the last line has no newline: a killed JVM. Such a line is
   not handed out and is no fault. Of several files: whether one of them is such. */
bool stream_cut(const struct stream *s);

#ifdef __cplusplus
}
#endif
