#pragma once
/* The recording as the operations of its threads: what a thread did to synchronize with others, how
   long it ran in between, and what ended each of its waits. The critical path (path.h) and the
   simulation (simulation.h) are computed from it.

   The memory grows with the number of events, unlike that of the model: an operation takes
   sizeof(struct trace_op) bytes. So there is a maximal number of operations. */
#include "agent/base/extern_c.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/state/wakes.h"

BEGIN_C

enum trace_kind {
  TRACE_STARTED,       /* the thread begins; with `older`: it ran already. The first operation of
                          each thread */
  TRACE_ENDED,         /* the thread ends; with `open`: the recording ends */
  TRACE_ACQUIRE,       /* of a monitor or a lock */
  TRACE_RELEASE,       /* the same */
  TRACE_TAKE_PERMIT,   /* of a semaphore */
  TRACE_RETURN_PERMIT, /* the same; other threads may do that, too */
  TRACE_INSERT,        /* into a queue */
  TRACE_REMOVE,        /* from a queue */
  TRACE_MEET,          /* at a barrier */
  TRACE_SLEEP,
  TRACE_AWAIT,  /* any other wait: for a notify, a latch, a future, the end of a thread, … */
  TRACE_SIGNAL, /* a point that can end waits: notify, unpark, countDown, start, submit, … */
  TRACE_ENTRY,  /* of a method of the option track */
  TRACE_EXIT,   /* the same */
};

/* What ended the wait of an operation. */
enum trace_cause {
  TRACE_NOTHING,  /* it did not wait */
  TRACE_TIME,     /* time: it slept, or its time ran out; also an interrupt */
  TRACE_BY_OP,    /* an operation of another thread: `cause_op` */
  TRACE_BY_OWNER, /* the release of a lock by `cause_thread`; the release has no line */
  TRACE_EXTERNAL  /* not known */
};

/* Operations of a thread are in the order of their beginnings. Points end when they begin. A signal
   inside of another operation, such as the unpark inside of a put, follows that operation. */
struct trace_op {
  ticks_t since; /* end of the operation before: from then to `begin` the thread ran, or did
                    something that has no events, such as I/O */
  ticks_t begin, end;
  ticks_t cpu;    /* CPU time of the thread from `since` to `begin` */
  ticks_t queued; /* in the same time: ready to run, but on no CPU, as far as it is known */
  uint32_t thread;
  uint32_t before, next; /* of the same thread: operation plus one; 0: none */
  uint32_t object;       /* its hash */
  uint32_t lock;         /* of an acquisition, a release, a permit: its row plus one; else 0 */
  stack_id_t stack;
  uint32_t cause_op;      /* with TRACE_BY_OP: the operation, plus one. It ended the wait when the
                             operation began. Of an acquisition of a free lock: the release before
                             it, of a TaskTaken: its TaskQueued; 0: not known */
  stack_id_t cause_stack; /* with TRACE_BY_OWNER: the owner's stack from the frame that acquired the
                             lock; 0: not known */
  uint32_t cause_thread;  /* with TRACE_BY_OP and TRACE_BY_OWNER: row of the thread plus one */
  unsigned kind : 8;      /* enum trace_kind */
  unsigned event : 8;     /* enum event_kind of the line with which it begins */
  unsigned cause : 8;     /* enum trace_cause */
  unsigned failed : 1;    /* it got nothing: timed out, refused, interrupted */
  unsigned open : 1;      /* it had not ended when the recording ended */
  unsigned older : 1;     /* it began before the recording */
  unsigned runs : 1;      /* code of the program ran inside, with operations of its own: the time of
                             this one counts as running, `end` is `begin` */
  unsigned is_read : 1;   /* an acquisition or a release of the read side of a lock */
};

struct trace_thread {
  uint32_t hash;
  uint32_t first, last; /* operation plus one; 0: none */
  size_t num_ops;
  ticks_t begin, end; /* of its life within the recording */
  bool ended;         /* there is a TRACE_ENDED */
  ticks_t cpu;        /* of its life */
};

/* A lock or a semaphore. Both sides of a lock for reading and writing are one lock. */
struct trace_lock {
  enum lock_sort sort; /* LOCK_LOCK for both sides */
  uint32_t object;
  bool has_releases; /* its releases have lines */
  uint64_t waits;    /* acquisitions that had to wait, and their time */
  ticks_t waited;
};

/* Where a thread used CPU time, or was seen without a CPU in no recorded call. */
struct trace_sample {
  ticks_t time;
  ticks_t cpu; /* 0: it had no CPU */
  uint32_t thread;
  stack_id_t stack;
};

/* A pause in which the JVM stopped all threads, for a garbage collection. */
struct trace_pause {
  ticks_t begin, end;
  ticks_t cut; /* by trace_cut_pauses: the length of this pause and of those before it */
};

#define TRACE_MAX_OPS UINT32_C(30000000)

struct trace_thread_state;
struct trace_lock_state;

/* All zero is empty; trace_free frees the memory. */
struct trace {
  struct model *model;  /* the caller's */
  struct trace_op *ops; /* in the order of their beginnings */
  size_t num_ops, ops_capacity;
  struct hashmap thread_rows; /* hash -> row plus one */
  struct trace_thread *threads;
  size_t num_threads, threads_capacity;
  struct hashmap lock_rows; /* sort and object -> row plus one */
  struct trace_lock *locks;
  size_t num_locks, locks_capacity;
  struct trace_sample *samples; /* by time */
  size_t num_samples, samples_capacity;
  struct trace_pause *pauses; /* by time */
  size_t num_pauses, pauses_capacity;
  ticks_t begin, end; /* of the recording */
  size_t max_ops;     /* at most TRACE_MAX_OPS */
  bool is_too_long;   /* there are more operations than `max_ops`; the trace is incomplete */
  bool is_lossy;      /* lines may be missing */
  double cpus;        /* CPUs that the process could use; 0: not known */
  uint64_t external;  /* waits whose end has no known cause, and their time */
  ticks_t external_time;

  /* While reading. */
  struct wakes wakes;
  struct trace_thread_state *thread_states;
  size_t thread_states_capacity;
  struct trace_lock_state *lock_states;
  size_t lock_states_capacity;
};

/* The lines of a replay that trace_take takes. */
#define TRACE_LINES                                                               \
  (PASS_EVENTS | PASS_ALL_STACKS | PASS_OPEN_PAIRS | PASS_SAMPLE(SAMPLE_THREAD) | \
   PASS_SAMPLE(SAMPLE_CPU) | PASS_SAMPLE(SAMPLE_SCHED) | PASS_SAMPLE(SAMPLE_PAUSE))

/* trace_read reads the whole recording of a complete model, whatever its filter is, into an empty
   struct. It stops with `is_too_long` if there are more operations than `max_ops`. Returns false
   when memory ran out; call trace_free either way. */
bool trace_read(struct trace *t, struct model *m, size_t max_ops);

/* The same for a caller that replays the recording itself: trace_take takes each step of
   TRACE_LINES; it ignores those after `is_too_long`. */
void trace_start(struct trace *t, struct model *m, size_t max_ops);
bool trace_take(struct trace *t, const struct step *step);
bool trace_finish(struct trace *t);

/* trace_find_thread returns the row of a thread plus one; 0: it has no operation. */
uint32_t trace_find_thread(const struct trace *t, uint32_t hash);

/* trace_cut_pauses removes the pauses from all times of the trace, so that only the time remains in
   which threads could run. trace_paused returns how long the JVM paused before a time of the trace
   that was cut. */
void trace_cut_pauses(struct trace *t);
ticks_t trace_paused(const struct trace *t, ticks_t time);

/* trace_waits_in returns whether threads wait in calls of this method. An edit cannot make
   Thread.sleep faster, though it may use CPU time. */
bool trace_waits_in(const struct trace *t, uint32_t method);

/* trace_first_sample returns the number of the first sample after a time, or `num_samples`. */
size_t trace_first_sample(const struct trace *t, ticks_t time);

/* trace_polls returns whether a thread lets time pass while others work:
   - It spent much of its life in waits that end by time, again and again at one place: it looks
     whether other threads have done something. No event tells which.
   - One such wait took most of its life: the program runs for a fixed time. */
bool trace_polls(const struct trace *t, const struct trace_thread *thread);

/* trace_serves returns whether a thread spent most of its life, within the filter's range, in calls
   that wait for work or for requests (idle_method.def), as the main of a server does. */
bool trace_serves(const struct trace *t, const struct trace_thread *thread);

/* trace_ends_with returns whether the end of this thread explains the end of the program:
   - At most a tenth of the recording follows its end. If more follows, other threads went on with
     the work, as in a service whose main only starts them.
   - It does not poll or serve. Otherwise its past is not the cause of its end. */
bool trace_ends_with(const struct trace *t, const struct trace_thread *thread);

/* trace_waited returns the length of the wait of an operation; 0 if it did not wait. */
static inline ticks_t trace_waited(const struct trace_op *op) {
  return op->cause == TRACE_NOTHING ? 0 : op->end - op->begin;
}

/* trace_can_wait tells whether operations of this kind can wait. */
static inline bool trace_can_wait(enum trace_kind kind) {
  return kind == TRACE_ACQUIRE || kind == TRACE_TAKE_PERMIT ||
         (kind >= TRACE_INSERT && kind <= TRACE_AWAIT);
}

void trace_free(struct trace *t);

END_C
