#pragma once
/* A dump: the files PREFIX.orca, .methods, … that one run left behind. Opening it loads what
   explains the rest (classes, methods, objects, `.info`); events and samples are streamed.

     struct dump *d = dump_open(argv[1], &why);
     struct stream *s = dump_stream(d, DUMP_EVENTS);
     for (struct event_line e; stream_event(s, &e);) …
     stream_close(s);
     dump_close(d);

   A dump belongs to one thread. Nothing here prints or exits. */
#include "tools/orca/dump/faults.h"
#include "tools/orca/dump/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

struct dump;

/* dump_open takes the prefix of a dump or the name of one of its files. NULL where there is none:
   `*why` is then a line for a person, without a newline, such as "no dump at foo: foo.orca does
   not exist (found there: bar, baz)". Only PREFIX.orca must exist (or that of a
   finished set, PREFIX.0001.orca); what else is missing or broken stands among the faults. The
   caller frees `why`. */
struct dump *dump_open(const char *name, struct builder *why);
void dump_close(struct dump *d);

/* dump_sets are the sets that the dump is read from: one, but with the option maxsize. The prefix
   of a finished set, PREFIX.0001, opens that one alone. */
const struct sets *dump_sets(const struct dump *d);

/* dump_prefix is as the user gave it, less the name of a file: "out/run". */
const char *dump_prefix(const struct dump *d);

/* dump_stream reads one of the files, see stream.h. NULL is a fine stream: no lines. Close it
   before the dump. Reading a file again counts its faults anew. */
struct stream *dump_stream(struct dump *d, enum dump_file file);

/* dump_watch has all that is read from now on told; the first reading of events, samples and counts
   reads dump_bytes in all. */
void dump_watch(struct dump *d, struct watch watch);
uint64_t dump_bytes(const struct dump *d);

/* dump_faults are the faults of all that was read so far. */
struct faults *dump_faults(struct dump *d);

/* --- what explains an id: NULL where no line does; lives as long as the dump ------------------ */

/* The first line of .classtable, of .methods, with this id. */
const struct class_line *dump_class(const struct dump *d, uint32_t class_id);
const struct method_line *dump_method(const struct dump *d, uint32_t method_id);

/* dump_source_line is the line in the source where a frame stands, 0 where it is not known. */
uint32_t dump_source_line(const struct dump *d, struct frame frame);

/* The objects of a hash: mostly one, but several may share it. The
   first of the file comes first, the rest in no order. */
struct dump_object {
  struct object_line line;
  struct dump_object *next;
};
const struct dump_object *dump_objects(const struct dump *d, uint32_t hash);

/* Each walks over the ids that have a line, in no order: start with `*cursor` = 0. */
bool dump_next_class(const struct dump *d, size_t *cursor, uint32_t *out_class_id);
bool dump_next_method(const struct dump *d, size_t *cursor, uint32_t *out_method_id);
bool dump_next_object(const struct dump *d, size_t *cursor, uint32_t *out_hash);

/* dump_info gives the last value of a key of .info as it is spelled there; false: no such key. Of
   several sets: that of the last, but of start.monotonic and start.utc that of the first. */
bool dump_info(const struct dump *d, const char *key, struct span *out_value);

/* dump_option gives the value of one option of the run, from `options` of .info. */
bool dump_option(const struct dump *d, const char *key, struct span *out_value);

/* dump_is_lossy tells whether events were dropped, so that pairs may lack a half; true where nobody
   knows, as the keys of the end are missing and the option overflow lets the agent drop. */
bool dump_is_lossy(const struct dump *d);

/* dump_threshold gives the option `threshold` as it was given, "10ms"; false where it is 0: every
   pair was recorded. */
bool dump_threshold(const struct dump *d, struct span *out_value);

/* dump_depth is the option `depth`: a stack of so many frames may have had more. SIZE_MAX where it
   is not known. */
size_t dump_depth(const struct dump *d);

#ifdef __cplusplus
}
#endif
