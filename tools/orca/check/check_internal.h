#pragma once
/* What the parts of the checker share; only for check*.c. */
#include "agent/base/hashmap.h"
#include "tools/orca/check/check.h"
#include "tools/orca/dump/arena.h"
#include "tools/orca/dump/digest.h"

#ifdef __cplusplus
extern "C" {
#endif

struct check {
  struct dump *dump;
  struct check_totals *totals;
  struct arena memory;
  size_t depth;                      /* frames that are kept of a stack */
  struct hashmap threads;            /* hash of a thread: its struct thread */
  struct hashmap stacks;             /* stacks that were looked at, by a hash of their text */
  struct inside *spare;              /* to be used again */
  uint64_t left_out[NUM_DUMP_FILES]; /* stream_num_repeated */
  bool whole;  /* the first set is there; else what lives at its start is in something */
  bool gap;    /* some set in between is not there */
  bool failed; /* memory ran out */
};

/* Something that a thread began and has not ended. */
struct inside {
  struct inside *outer;
  enum event_kind entry;
  uint32_t object;
  uint32_t method; /* on top of its stack; 0: no stack */
  uint64_t stack;  /* a hash of its text */
};

/* What is known of a thread, or of the threads that share a hash. */
struct thread {
  uint32_t hash;
  unsigned living;
  bool started; /* here, so that all it is inside of stands here too */
  bool ended;
  bool shared; /* two of this hash at once: nobody can tell their lines apart */
  uint64_t name;

  struct inside *calls, *monitors, *methods; /* what it is inside of, innermost first */
  bool is_blocked;
  uint32_t monitor;

  bool is_sampled; /* and its last sample was: */
  enum thread_state state;
  uint64_t stack_id;
};

/* check_thread gives the state of a thread, new or not; NULL, and `failed`, without memory. */
struct thread *check_thread(struct check *c, uint32_t hash);

/* Something to stand for the %s of a rule. */
struct subject {
  char text[160];
};
struct subject of_nothing(void);
struct subject of_hash(uint32_t hash);
struct subject of_number(uint64_t n);
struct subject of_text(const char *text);

/* check_broken counts a broken rule at the line that the stream gave last; check_broken_file one
   that no single line breaks. */
void check_broken(struct check *c, const struct stream *s, enum rule rule, struct subject what);
void check_broken_file(struct check *c, enum dump_file file, enum rule rule, struct subject what);

/* check_time looks at the order of lines. `*least` is 0 at the start of a file. */
void check_time(struct check *c, const struct stream *s, ticks_t *least, ticks_t time);

/* check_new puts a key into a set; false where it stood there already. */
bool check_new(struct check *c, struct hashmap *set, uint64_t key);

/* check_stack looks at a stack that is spelled right, once for each `kind` of user: every method
   must be known. True the first time. */
bool check_stack(struct check *c, const struct stream *s, struct span stack, uint64_t digest,
                 unsigned kind);

/* check_call and its like look at what a thread is inside of: the calls of tracked methods, the
   monitors it has, the methods of the option track. Each knows its own events and lets the others
   be; check_left is for a thread that ends. */
void check_call(struct check *c, const struct stream *s, const struct event_line *e,
                struct thread *t);
void check_monitor(struct check *c, const struct stream *s, const struct event_line *e,
                   struct thread *t);
void check_method(struct check *c, const struct stream *s, const struct event_line *e,
                  struct thread *t);
void check_left(struct check *c, const struct stream *s, struct thread *t);

/* check_accuse is check_broken for what a thread may not do. Where events were dropped, or two
   threads share a hash, such things say nothing. */
void check_accuse(struct check *c, const struct stream *s, const struct thread *t, enum rule rule,
                  struct subject what);

/* check_accuse_end is check_accuse for an end without its beginning, which may stand in a set that
   is not there. */
void check_accuse_end(struct check *c, const struct stream *s, const struct thread *t,
                      enum rule rule, struct subject what);

/* The larger parts: each reads one file. */
void check_events(struct check *c, struct stream *s);
void check_counts(struct check *c, struct stream *s);
void check_samples(struct check *c, struct stream *s);
void check_info(struct check *c, struct stream *s);

#ifdef __cplusplus
}
#endif
