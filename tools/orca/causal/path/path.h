#pragma once
/* The critical path: what the end of a piece of work waited for. It is found backward. While the
   thread runs, the path is in this thread. At a wait it goes to the thread that ended the wait:
   - A message (a notify, an unpark, a put, an end of a thread, …): the past of the sender is the
     cause, so the path stays with the sender.
   - A turn (a monitor, a lock, a permit that its users return): the path is with the owner for as
     long as the wait took, and then goes on in the thread that waited.
   So the pieces of a path have no gaps, and their times add up to the time of the work. Making a
   piece shorter makes the work shorter, until another path becomes the longest. What is not on the
   path can only make the work longer. */
#include "agent/base/extern_c.h"
#include "tools/orca/causal/trace/trace.h"
#include "tools/orca/model/base/tally.h"

BEGIN_C

/* What the thread did in a piece: PATH(id, key, words). */
enum path_reason {
#define PATH(id, key, words) PATH_##id,
#include "tools/orca/causal/path/path_reason.def"
  NUM_PATH_REASONS
};

extern const char *const path_reason_keys[NUM_PATH_REASONS];
extern const char *const path_reason_words[NUM_PATH_REASONS];

/* Between two times a thread was on the path. */
struct path_piece {
  ticks_t begin, end;
  uint32_t thread; /* row in the trace */
  uint32_t lock;   /* row of the lock plus one whose owner the thread is while others of the path
                      wait for it; the innermost one. 0: none */
  uint32_t op;     /* the operation in which it was, or that follows, plus one */
  enum path_reason reason;
  stack_id_t stack; /* where; 0: not known */
};

/* A lock of a piece that has several: its time counts for each of them. */
struct path_nested {
  size_t piece;
  uint32_t lock; /* row plus one */
};

/* The work whose end the path explains: a thread between two times. */
struct path_work {
  uint32_t thread; /* row in the trace */
  ticks_t begin, end;
  ticks_t queued; /* before `begin` it was in a queue since this time; 0: it was in none */
};

/* All zero is empty; path_free frees the memory. One struct can take several paths. */
struct path {
  bool stops_at_idle; /* a thread that waits for work (idle_method.def) is PATH_IDLE, whoever ends
                         that. Set it after path_start */
  const struct trace *trace; /* the caller's */
  struct path_piece *pieces; /* of the last path, backward: the latest first */
  size_t num_pieces, capacity;
  struct path_nested *nested; /* of the last path, by piece */
  size_t num_nested, nested_capacity;
  ticks_t times[NUM_PATH_REASONS]; /* of all paths */
  ticks_t total;                   /* the sum of `times` */
  struct tally locks;   /* group 0, by row of the lock plus one: time on account of its owners, and
                           of its hand-over */
  uint32_t *at;         /* by thread: the operation (plus one) where the last search ended */
  unsigned char *turns; /* by lock: whether it is a turn */
};

/* path_start prepares for paths through a trace. Returns false when memory ran out. */
bool path_start(struct path *p, const struct trace *t);

/* path_find finds the path of a piece of work, fills `pieces` with it, and adds it to the sums.
   Returns false when memory ran out. */
bool path_find(struct path *p, const struct path_work *work);

/* path_main_work returns the work of the whole recording: that of the thread main, up to its end.
   If the program did not end with main (trace_ends_with), of the thread that ran the most. Returns
   false if the trace has no thread that ran. */
bool path_main_work(const struct trace *t, struct path_work *out);

/* path_is_of_main returns whether it is the work of a thread main up to its end, with which the
   program ended. */
bool path_is_of_main(const struct trace *t, const struct path_work *work);

void path_free(struct path *p);

END_C
