#pragma once
/* The lines of the dump files (FORMAT of README.md), each kind of line as a struct with its writer
   and, right beside it, its reader. The agent writes with these and the `orca` program reads with
   them, so the two cannot drift apart. Lines are without their '\n' for a reader; a writer ends
   each with one. A reader's spans point into the line it was given. */
#include "agent/base/bytes.h"
#include "agent/base/text.h"
#include "agent/event/event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a line was refused; NULL is "it was not". A short text such as "the stack's depth is not the
   number of its frames", made to stand behind "FILE:LINE: ". Never freed. */
typedef const char *fault_t;

/* A line of .orca. Which fields count is said by event_infos[kind].shape; the others are zero. */
struct event_line {
  ticks_t time;
  enum event_kind kind;
  uint32_t thread, object, owner;
  uint32_t thrown;   /* ClassID, 0: returned */
  int64_t cpu_ns;    /* -1: not measured */
  struct span stack; /* "depth;method;location;…", "0" */
  struct span name;  /* as text_name spells it */
  uint64_t digest;   /* of the stack, where a stream of the tools gives it; else 0 */
};

void event_line_write(struct builder *b, const struct event_line *line);
fault_t event_line_read(struct span text, struct event_line *out);

/* The same in two steps, for a reader that has met most stacks before: event_line_split reads all
   but the stack, which is what is left of the line; event_line_check tells whether it is right. */
fault_t event_line_split(struct span text, struct event_line *out);
fault_t event_line_check(const struct event_line *line);

/* One frame of a stack: innermost first. A last frame of METHOD_CUT, at location 0, is none: the
   stack was cut there, and the frames that called the one before it are not known. */
#define LOCATION_NATIVE 0xFFFFFFFFu
#define METHOD_CUT 0
struct frame {
  uint32_t method, location;
};

void stack_write(struct builder *b, const struct frame *frames, size_t num_frames);

/* stack_check tells whether `stack` is spelled right and gives its depth. */
fault_t stack_check(struct span stack, size_t *out_depth);

/* stack_next takes the next frame off a checked stack; start with `*rest` = what stands behind the
   depth (stack_frames). False at the end. */
struct span stack_frames(struct span stack);
bool stack_next(struct span *rest, struct frame *out);

/* A line of .classtable. */
struct class_line {
  ticks_t time;
  uint32_t class_id;
  struct span signature, source;
};

fault_t class_line_read(struct span text, struct class_line *out);

/* A line of .methods. `lines` is "entries;location;line;…". */
struct method_line {
  ticks_t time;
  uint32_t method_id, class_id;
  struct span name, signature, lines;
};

/* Start of a piece of a method, and its line in the source. */
struct line_entry {
  uint32_t location, line;
};

fault_t method_line_read(struct span text, struct method_line *out);

/* lines_check: spelled right, its count true; `*out_entries` is 0 where the table is missing. */
fault_t lines_check(struct span lines, size_t *out_entries);

/* lines_find gives the source line of a location, 0 where it is not known. Takes either order of
   the pair, as the 2014 example has it the other way round. */
uint32_t lines_find(struct span lines, uint32_t location);

/* A line of .objects. */
struct object_line {
  ticks_t time;
  uint32_t hash, class_id;
};

fault_t object_line_read(struct span text, struct object_line *out);

/* The bodies of the three, behind "timestamp,": ready-made at the producer, with the '\n'. The
   names are modified UTF-8 from the JVM. `num_entries` < 0: the JVM has no line table. */
void class_body_write(struct builder *b, uint32_t class_id, const char *signature,
                      const char *source);
void method_body_write(struct builder *b, uint32_t method_id, const char *name,
                       const char *signature, uint32_t class_id, const struct line_entry *entries,
                       int num_entries);
void object_body_write(struct builder *b, uint32_t hash, uint32_t class_id);

/* A line of .counts: up to this time, so many of these events happened to the object in all,
   whether they have a line of their own in .orca or not. */
struct count_line {
  ticks_t time;
  enum event_kind kind;
  uint32_t object;
  int64_t count;
};

void count_line_write(struct builder *b, const struct count_line *line);
fault_t count_line_read(struct span text, struct count_line *out);

/* A line of .samples. Times are nanoseconds; those of CPU, PROCESS, TASK and SCHED are what was
   used since the previous line of the same kind and the same thread. */
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
  int64_t pause_ns;         /* TICK, PAUSE (which ends at `time`) */
  int64_t threads;          /* TICK */
  uint64_t stack_id;        /* STACK, THREAD, CPU (0: no stack) */
  struct span stack;        /* STACK */
  uint32_t thread;          /* THREAD, CPU, SCHED */
  enum thread_state state;  /* THREAD */
  int64_t cpu_ns;           /* THREAD (-1: not known), CPU, PROCESS, TASK */
  enum cpu_place place;     /* CPU */
  int64_t throttled_ns;     /* PROCESS: time that the cgroup kept it from running; -1: not known */
  int64_t tid;              /* TASK: the kernel's number of the thread */
  enum task_kind task_kind; /* TASK */
  int64_t wait_ns;          /* TASK (-1: not known), SCHED: time on the run queue */
  struct span name;         /* TASK: as text_name spells it */
};

void sample_line_write(struct builder *b, const struct sample_line *line);
fault_t sample_line_read(struct span text, struct sample_line *out);

/* A line of .info: key=value. Control characters and backslashes of the value are escaped as in a
   name, commas are not. */
void info_line_write(struct builder *b, const char *key, const char *value);
fault_t info_line_read(struct span text, struct span *out_key, struct span *out_value);

#ifdef __cplusplus
}
#endif
