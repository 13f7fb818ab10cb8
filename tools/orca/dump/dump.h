#pragma once
/* A dump: the files PREFIX.orca, PREFIX.methods, … of one recording. dump_open loads the tables
   that explain ids (classes, methods, objects) and `.info`. Events and samples are streamed.

     struct dump *d = dump_open(argv[1], &why);
     struct stream *s = dump_stream(d, DUMP_EVENTS);
     for (struct event_line e; stream_event(s, &e);) …
     stream_close(s);
     dump_close(d);

   Only one thread may use a dump. No function here prints or exits. */
#include "agent/base/extern_c.h"
#include "agent/event/info.h"
#include "tools/orca/dump/coverage.h"
#include "tools/orca/dump/faults.h"
#include "tools/orca/dump/stream.h"

BEGIN_C

struct dump;

/* dump_open opens a dump by its prefix or by the name of one of its files. Only PREFIX.orca must
   exist, or PREFIX.0001.orca of a finished set. Other missing or broken files are recorded in
   dump_faults. Without a dump it returns NULL and appends a message for the user to `*why`, without
   a newline: "no recording at foo: foo.orca does not exist (found there: bar, baz)".
   The caller frees `*why`. */
struct dump *dump_open(const char *name, struct builder *why);
void dump_close(struct dump *d);

enum dump_growth {
  DUMP_GROWS,
  DUMP_HAS_ENDED,   /* .info says so: nothing more will come */
  DUMP_IS_REPLACED, /* the files of the prefix are of another recording by now */
  DUMP_NO_MEMORY
};

/* dump_refresh takes over what the writer has added since the last call: new sets, and new lines of
   the tables and of .info. After it, streams that were at their end return the new lines. To know
   the ids of all lines that it gets, a reader calls this after it has decided how far to read. */
enum dump_growth dump_refresh(struct dump *d);

/* dump_open_pack opens the dump with the prefix `path`, which was unpacked from the file `pack`.
   `prefix` is what dump_prefix returns: the name of that file without its suffix. */
struct dump *dump_open_pack(const char *path, const char *pack, const char *prefix,
                            struct builder *why);

/* dump_sets returns the sets of files that the dump consists of. Only a recording with the option
   maxsize has more than one. The prefix of a finished set, PREFIX.0001, opens only that set. */
const struct sets *dump_sets(const struct dump *d);

/* dump_prefix returns the prefix as the user gave it, without the suffix of a file: "out/run". */
const char *dump_prefix(const struct dump *d);

/* dump_pack returns the file from which the dump was unpacked, NULL for other dumps. */
const char *dump_pack(const struct dump *d);

/* dump_stream starts reading one of the files, see stream.h. It may return NULL, which the stream
   functions take as a file without lines. Close the stream before the dump. Reading a file again
   counts its faults from zero. */
struct stream *dump_stream(struct dump *d, enum dump_file file);

/* dump_set_read_callback sets the callback of all streams that dump_stream opens from now on. */
void dump_set_read_callback(struct dump *d, struct read_callback callback);

/* dump_bytes returns the total size of .orca, .samples and .counts of all sets: the number of bytes
   that reading each of them once reports to the callback. */
uint64_t dump_bytes(const struct dump *d);

/* dump_size returns the total size of all files of all sets, in bytes. */
uint64_t dump_size(const struct dump *d);

/* dump_faults returns the faults found in everything that was read so far. */
struct faults *dump_faults(struct dump *d);

/* --- explanations of ids: NULL for an id without a line; they live as long as the dump -------- */

/* The first line of .classtable or .methods with this id. */
const struct class_line *dump_class(const struct dump *d, uint32_t class_id);
const struct method_line *dump_method(const struct dump *d, uint32_t method_id);

/* dump_alike_method returns the first method of .methods that is like this one: same name,
   parameters and lines, in a class of the same origin (origin.h). Else `method_id`. Views sum up
   such methods: a program can have one in each of a thousand hidden classes. dump_alike_classes
   returns in how many classes a method and those like it are. */
uint32_t dump_alike_method(const struct dump *d, uint32_t method_id);
uint64_t dump_alike_classes(const struct dump *d, uint32_t method_id);

/* dump_source_line returns the line in the source file of a frame, 0 if it is unknown. */
uint32_t dump_source_line(const struct dump *d, struct frame frame);

/* dump_objects returns the objects with this identity hash. Mostly there is one, but several
   objects may share a hash. The object of the first line in the file comes first, the rest in no
   order. */
struct dump_object {
  struct object_line line;
  struct dump_object *next;
};
const struct dump_object *dump_objects(const struct dump *d, uint32_t hash);

/* dump_represented returns the class that an object of java.lang.Class represents: its ClassID is
   the identity hash of the object. NULL for an object of another class, and if that class is not
   known. */
const struct class_line *dump_represented(const struct dump *d, const struct dump_object *object);

/* These iterate over the ids that have a line, in no order. Start with `*cursor` = 0. */
bool dump_next_class(const struct dump *d, size_t *cursor, uint32_t *out_class_id);
bool dump_next_method(const struct dump *d, size_t *cursor, uint32_t *out_method_id);
bool dump_next_object(const struct dump *d, size_t *cursor, uint32_t *out_hash);

/* dump_info gets the last value of a key of .info, with its escapes. Returns false if there is no
   such key. With several sets, start.monotonic, start.utc and options come from the first set and
   all other keys from the last set. */
bool dump_info(const struct dump *d, enum info_key key, struct span *out_value);

/* dump_info_count returns the value of such a key as a number; 0 if there is none. */
uint64_t dump_info_count(const struct dump *d, enum info_key key);

/* dump_utc_ns returns when a moment of the recording was, in nanoseconds since 1970; 0 if .info
   does not tell. */
uint64_t dump_utc_ns(const struct dump *d, ticks_t at);

/* dump_coverage returns what the lines of the dump contain: its options, and what was lost. The
   pointer stays valid as long as the dump, and dump_refresh renews what it points to. */
const struct coverage *dump_coverage(const struct dump *d);

END_C
