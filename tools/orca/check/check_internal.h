#pragma once
/* Declarations shared by the parts of the checker; only for check*.c. */
#include "agent/base/extern_c.h"
#include "agent/base/hashmap.h"
#include "tools/orca/check/check.h"
#include "tools/orca/dump/arena.h"
#include "tools/orca/dump/digest.h"

BEGIN_C

struct check {
  struct dump *dump;
  struct check_totals *totals;
  struct arena memory;
  size_t depth;                          /* the option depth, in frames */
  struct hashmap threads;                /* hash of a thread -> its struct thread */
  struct hashmap stacks;                 /* checked stacks, by digest and kind of user */
  struct open_pair *free_pairs;          /* for reuse */
  uint64_t num_repeated[NUM_DUMP_FILES]; /* stream_num_repeated */
  bool has_threshold;       /* some of the time, so that begin events may be recorded later */
  bool has_first_set;       /* otherwise threads may be inside of calls when the dump starts */
  bool has_gap;             /* a set between the first and the last is missing */
  bool failed;              /* memory ran out */
  uint64_t num_short_calls; /* in all lines of .counts */
};

/* A pair whose end event has not been read yet. */
struct open_pair {
  struct open_pair *outer;
  enum event_kind begin;
  uint32_t object;
  uint32_t method; /* top frame of the stack; 0: no stack */
  uint64_t stack;  /* digest of its text */
};

/* The state of a thread, or of all threads that share a hash. */
struct thread {
  uint32_t hash;
  unsigned num_living;
  bool is_start_known; /* its ThreadStarted is in this dump, so all its begin events are too */
  bool has_ended;
  bool is_announced; /* by a ThreadStarted, also one that repeats a line of an earlier set */
  bool is_shared;    /* two living threads had this hash, so their events cannot be told apart */
  uint64_t name;     /* digest */

  struct open_pair *calls, *monitors, *methods; /* innermost first */
  bool has_open_call;    /* the next line is the begin event of an OpenCall */
  uint32_t open_monitor; /* on which it was blocked when the recording began; 0: none */
  bool is_blocked;
  uint32_t monitor; /* that it is blocked on */

  /* The last sample. */
  bool is_sampled;
  enum thread_state state;
  uint64_t stack_id;
};

/* check_get_thread returns the state of a thread, and creates it if needed. If memory ran out, it
   returns NULL and sets `failed`. */
struct thread *check_get_thread(struct check *c, uint32_t hash);

/* The text for the %s of a rule. */
struct subject {
  char text[160];
};
struct subject subject_none(void);
struct subject subject_from_hash(uint32_t hash);
struct subject subject_from_number(uint64_t n);
struct subject subject_from_text(const char *text);

/* check_add_fault counts a broken rule at the last line of the stream; check_add_file_fault counts
   one that belongs to the file as a whole. */
void check_add_fault(struct check *c, const struct stream *s, enum rule rule,
                     struct subject subject);
void check_add_file_fault(struct check *c, enum dump_file file, enum rule rule,
                          struct subject subject);

/* check_time checks the order of timestamps. `*least` is the earliest valid timestamp of the next
   line, 0 at the start of a file. */
void check_time(struct check *c, const struct stream *s, ticks_t *least, ticks_t time);

/* check_insert inserts a key into a set. Returns false if the set contained it, or if memory ran
   out. */
bool check_insert(struct check *c, struct hashmap *set, uint64_t key);

/* check_stack checks that every method of a valid stack is known. It does so once for each stack
   and `kind`, and returns true that first time. */
bool check_stack(struct check *c, const struct stream *s, struct span stack, uint64_t digest,
                 unsigned kind);

/* check_top_frame checks that the frame on top of a valid stack is a method whose calls are events
   of this kind. The events of monitors and of the option track occur in any method. */
void check_top_frame(struct check *c, const struct stream *s, enum event_kind kind,
                     struct span stack);

/* These check that pairs nest: calls of tracked methods, monitors, methods of the option track.
   Each ignores events of other kinds. check_open_pairs is for a thread that ends. */
void check_call(struct check *c, const struct stream *s, const struct event_line *e,
                struct thread *t);
void check_monitor(struct check *c, const struct stream *s, const struct event_line *e,
                   struct thread *t);
void check_method(struct check *c, const struct stream *s, const struct event_line *e,
                  struct thread *t);
void check_open_pairs(struct check *c, const struct stream *s, struct thread *t);

/* check_add_thread_fault is check_add_fault for an event that contradicts earlier events of the
   thread. It does nothing if events were dropped or if threads share the hash. */
void check_add_thread_fault(struct check *c, const struct stream *s, const struct thread *t,
                            enum rule rule, struct subject subject);

/* check_add_end_fault is check_add_thread_fault for an end event without its begin event. It counts
   no fault if the begin event may be in a missing set. */
void check_add_end_fault(struct check *c, const struct stream *s, const struct thread *t,
                         enum rule rule, struct subject subject);

/* Each of these checks one file. */
void check_events(struct check *c, struct stream *s);
void check_counts(struct check *c, struct stream *s);
void check_samples(struct check *c, struct stream *s);
void check_info(struct check *c, struct stream *s);

END_C
