#pragma once
/* The lines of the dump files: a struct for each kind of line, with its writer and its reader. The
   agent writes with these functions and the `orca` program reads with them. The lines of .info are
   in info.h. docs/format.md describes the format.

   A writer appends a line with its '\n' to a builder. A reader takes a line without '\n' and
   returns NULL, or the fault that makes the line invalid. The spans in its result point into the
   line. All functions may be called from any thread. */
#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"
#include "agent/base/text.h"
#include "agent/event/event.h"

BEGIN_C

/* Why a line is invalid; NULL: it is valid. A constant text that fits after "FILE:LINE: ", for
   example "the stack's depth is not the number of its frames". */
typedef const char *fault_t;

/* A line of .orca. event_infos[kind].shape says which fields it has; the others are zero. */
struct event_line {
  ticks_t time;
  enum event_kind kind;
  uint32_t thread, object, owner; /* identity hashes; owner 0: not known */
  uint32_t executor;              /* identity hash; 0: not known; TaskCompletes: the future */
  uint32_t class_id;              /* MethodExit: of the exception; 0: the method returned */
  int64_t cpu_ns;                 /* CPU time of the call; -1: not measured */
  struct pool_size size;          /* PoolSize */
  struct missing_parties parties; /* LatchLacks, PhaserLacks */
  struct span stack;              /* "depth;method;location;…"; "0": none */
  struct span name;               /* escaped by text_name */
  uint64_t digest; /* of the stack, set by the tools' stream (dump/stream.h); else 0 */
};

void event_line_write(struct builder *b, const struct event_line *line);
fault_t event_line_read(struct span text, struct event_line *out);

/* event_line_read in two steps, for a reader that has already checked most stacks: event_line_split
   reads all fields, but does not check the stack; event_line_check checks the stack. */
fault_t event_line_split(struct span text, struct event_line *out);
fault_t event_line_check(const struct event_line *line);

/* One frame of a stack, whose frames go from the innermost to the outermost. A last frame with
   METHOD_CUT and location 0 is a mark: the stack was cut there, and further callers are unknown. */
#define LOCATION_NATIVE 0xFFFFFFFFu
#define METHOD_CUT 0
struct frame {
  uint32_t method, location; /* MethodID; bytecode index, or LOCATION_NATIVE */
};

/* stack_write appends the text of a stack: "depth;method;location;…". */
void stack_write(struct builder *b, const struct frame *frames, size_t num_frames);

/* stack_check returns the fault of the text of a stack, or NULL and the number of frames. */
fault_t stack_check(struct span stack, size_t *out_depth);

/* stack_frames returns the part of a valid stack after the depth. stack_next takes the next frame
   from it. Returns false at the end. */
struct span stack_frames(struct span stack);
bool stack_next(struct span *rest, struct frame *out);

/* A line of .classtable. */
struct class_line {
  ticks_t time;
  uint32_t class_id;
  struct span signature, source;
};

fault_t class_line_read(struct span text, struct class_line *out);

/* is_platform_type returns whether a signature is that of a class of the JDK: java., javax., jdk.,
   sun. or com.sun. An array says nothing about the program: true, whatever its elements. What the
   agent cuts off a stack, and what the reader calls a place of the program, depend on the same
   rule. */
bool is_platform_type(struct span signature);

/* A line of .methods. `lines` is "entries;location;line;…". */
struct method_line {
  ticks_t time;
  uint32_t method_id, class_id;
  struct span name, signature, lines;
};

/* The code from this location up to the next entry's comes from this source line. */
struct line_entry {
  uint32_t location, line;
};

fault_t method_line_read(struct span text, struct method_line *out);

/* lines_check returns the fault of a line table, or NULL and the number of entries, which is 0 when
   the method has no table. */
fault_t lines_check(struct span lines, size_t *out_entries);

/* lines_find returns the source line of a location, 0 when it is unknown. It accepts pairs of
   location and line in either order, because the dump of the 2014 example has them reversed. */
uint32_t lines_find(struct span lines, uint32_t location);

/* A line of .objects. */
struct object_line {
  ticks_t time;
  uint32_t hash, class_id;
};

fault_t object_line_read(struct span text, struct object_line *out);

/* These append the bodies of the three lines above: the text after "timestamp,", with the '\n'.
   Producers make the bodies; the writer adds the timestamp. The names are in modified UTF-8.
   `num_entries` < 0: the method has no line table. */
void class_body_write(struct builder *b, uint32_t class_id, const char *signature,
                      const char *source);
void method_body_write(struct builder *b, uint32_t method_id, const char *name,
                       const char *signature, uint32_t class_id, const struct line_entry *entries,
                       int num_entries);
void object_body_write(struct builder *b, uint32_t hash, uint32_t class_id);

/* A line of .counts. There are two kinds:
   - A number of events of this kind and object up to `time`: since the last such line (`is_more`),
     or in total since the start of the set of files, as earlier agents wrote it. It includes events
     without a line in .orca.
   - A sum of short calls: those that the option `threshold` left out of .orca, since the last such
     line of the same event, object and stack. */
struct count_line {
  ticks_t time;
  enum event_kind kind; /* of short calls: their begin event */
  uint32_t object;      /* of short calls: 0: none, or several */
  int64_t count;
  bool is_more;  /* `count` is to be added to the counts before. False for short calls */
  bool is_short; /* the next fields are set */
  int64_t total_ns, longest_ns;
  struct span stack; /* the callers of the innermost frame of the program may be cut off; 0 frames:
                        several stacks, or not known */
};

void count_line_write(struct builder *b, const struct count_line *line);
fault_t count_line_read(struct span text, struct count_line *out);

/* A line of .samples. Times are in nanoseconds. The times of CPU, PROCESS, TASK and SCHED cover the
   time since the previous line of the same kind and the same thread. */
enum sample_kind {
  SAMPLE_TICK,
  SAMPLE_STACK,
  SAMPLE_THREAD,
  SAMPLE_CPU,
  SAMPLE_PROCESS,
  SAMPLE_TASK,
  SAMPLE_SCHED,
  SAMPLE_PAUSE,
  NUM_SAMPLE_KINDS
};

struct sample_line {
  ticks_t time;
  enum sample_kind kind;
  int64_t number;           /* TICK */
  int64_t pause_ns;         /* TICK, PAUSE: safepoint pause; a PAUSE ends at `time` */
  int64_t threads;          /* TICK: threads that were looked at */
  uint64_t stack_id;        /* STACK, THREAD, CPU (0: no stack) */
  struct span stack;        /* STACK */
  uint32_t thread;          /* THREAD, CPU, SCHED */
  enum thread_state state;  /* THREAD */
  int64_t cpu_ns;           /* THREAD (-1: not known), CPU, PROCESS, TASK */
  enum cpu_place place;     /* CPU */
  int64_t throttled_ns;     /* PROCESS: throttled by the cgroup; -1: not known */
  int64_t tid;              /* TASK: id of the kernel thread */
  enum task_kind task_kind; /* TASK */
  int64_t wait_ns;          /* TASK (-1: not known), SCHED: time on the run queue */
  struct span name;         /* TASK: escaped by text_name */
};

void sample_line_write(struct builder *b, const struct sample_line *line);
fault_t sample_line_read(struct span text, struct sample_line *out);

END_C
