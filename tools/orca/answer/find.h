#pragma once
/* Finders: each looks at one part of a model, and adds what it finds. They share names of threads,
   places, locks and calls for the rows. Without memory, a finder sets `failed` of the findings. */
#include "agent/base/extern_c.h"
#include "tools/orca/answer/answer.h"

BEGIN_C

struct finder {
  const struct answer *answer; /* except for its findings */
  const struct model *m;       /* of the answer */
  struct findings *out;
};

/* answer.c has their order. */
void find_deadlocks(const struct finder *f);
void find_hang(const struct finder *f);
void find_carriers(const struct finder *f);
void find_busy_carriers(const struct finder *f);
void find_class_inits(const struct finder *f);
void find_stuck(const struct finder *f);
void find_standstill(const struct finder *f);
void find_rests(const struct finder *f);
void find_io(const struct finder *f);
void find_stood(const struct finder *f);
void find_locks(const struct finder *f);
void find_path(const struct finder *f);
void find_pools(const struct finder *f);
void find_queues(const struct finder *f);
void find_task_time(const struct finder *f); /* after find_pools */
void find_child(const struct finder *f);
void find_main(const struct finder *f); /* before find_rests */
void find_polls(const struct finder *f);
void find_spin(const struct finder *f);
void find_cpu(const struct finder *f); /* after find_spin */
void find_growth(const struct finder *f);
void find_process(const struct finder *f);
void find_known_methods(const struct finder *f);
void find_joins(const struct finder *f);
void find_lock_orders(const struct finder *f);
void find_two_monitors(const struct finder *f);
void find_values_as_locks(const struct finder *f);
void find_wakeups(const struct finder *f);
void find_pinned(const struct finder *f);
void find_periods(const struct finder *f);
void find_many_events(const struct finder *f);
void find_unasked(const struct finder *f);

/* --- what finders share --------------------------------------------------------------------- */

static inline uint64_t found_ns(ticks_t ticks) { return (ticks + TICKS_PER_NS / 2) / TICKS_PER_NS; }

/* Names for a row. Without a text: 0 was given. */
struct named_place name_place(const struct finder *f, place_t place);
struct named_place name_stack(const struct finder *f, stack_id_t stack);
struct named_lock name_lock(const struct finder *f, enum lock_sort sort, uint32_t object);
struct named_lock name_lock_of(const struct finder *f, uint32_t object); /* of its main sort */
const char *name_thread(const struct finder *f, uint32_t hash);
const char *name_object(const struct finder *f, uint32_t object);
const char *name_class(const struct finder *f, uint32_t class_id);
const char *name_method(const struct finder *f, uint32_t method);
const char *name_info(const struct finder *f, enum info_key key);

/* name_threshold returns the option: "10ms"; the longest one if it has changed. */
const char *name_threshold(const struct finder *f);

/* name_shares adds the largest rows of a group, whose keys are places. It returns the whole, of
   which each has a part. */
#define SHARES_NAMED 3
uint64_t name_shares(const struct finder *f, const struct tally *tally, uint32_t group,
                     struct found_rows *out);

/* name_threads returns the threads that make up most of a group, as the subject of a sentence:
   "main", "threads, mostly worker-1…4,", "threads, mostly elf-2, main and 5 more,". The keys of the
   group must be threads, and the group must not be empty. count_threads returns their number. */
const char *name_threads(const struct finder *f, const struct tally *threads, uint32_t group);
size_t count_threads(const struct tally *threads, uint32_t group);

/* A call is an enum event_kind, or one of these. */
#define CALL_NONE (-1)
#define CALL_IO (-2)         /* a native call */
#define CALL_OF_PROGRAM (-3) /* the method of the JDK that the program called */

/* name_call returns "BlockingQueue.take", "ProcessImpl.waitFor" if the program called this method
   of the JDK, or "a socket read (Net.poll)"; NULL for sleep and park, and if it is not known. */
const char *name_call(const struct finder *f, int call, stack_id_t stack);

/* find_called returns the method of the JDK that the program called on a stack; 0: there is none.
 */
uint32_t find_called(const struct model *m, stack_id_t stack);

/* name_called returns the call of a sampled stack: "a socket read (Net.poll)", or the method of the
   JDK that the program called: "HashMap.put". NULL: the program itself ran. */
const char *name_called(const struct finder *f, stack_id_t stack);

/* waits_for_child returns whether a stack is in Process.waitFor. */
bool waits_for_child(const struct model *m, stack_id_t stack);

/* find_rest returns what the threads of a row of the spending did. */
struct found_rest find_rest(const struct finder *f, const struct spending_row *row);

/* count_polls returns the number of calls of a row if they are many and short, and end by their
   time; else 0. */
uint64_t count_polls(const struct model *m, const struct spending_row *row);

/* name_caller returns the place of the program that called the place of a stack in which a thread
   waits; nothing if there is none. */
struct named_place name_caller(const struct finder *f, stack_id_t stack);

/* compare_calls orders calls by how much they say: first I/O, last a thread that joins others,
   because what these do is the reason. */
int compare_calls(int left, int right);

/* name_work returns what a thread waits for on a stack, as the fields of a `rest`; all NULL: it may
   run, or that is not known. */
struct named_work {
  const char *does, *call;
};
struct named_work name_work(const struct finder *f, stack_id_t stack);

/* find_caller finds the method of the program that called the place of a stack:
   - the innermost one in which threads waited for the lock of the `places`;
   - else the next one, if the thread waits: a method that waits is often a helper.
   False if the place itself is such a method, or there is no caller. */
struct lock_places {
  const struct tally *places; /* of struct locks */
  uint32_t ids[2];            /* of the lock, or of both sides of it */
  size_t num_ids;
};
struct found_caller {
  place_t place;
  uint32_t called; /* the method of the JDK that it called; 0: it called the program */
};
bool find_caller(const struct finder *f, stack_id_t stack, const struct lock_places *places,
                 struct found_caller *out);

/* find_own_queue sets the queue from which only this thread took elements, and fewer than were put
   into it, as an event loop does. Nothing, if not all such calls have lines. */
void find_own_queue(const struct finder *f, uint32_t thread, struct found_wait *out);

/* count_pool_workers returns the number of threads of a group if they are all workers of a
   ThreadPoolExecutor, and the call waits for results of tasks or for I/O: then tasks that are
   queued in this pool may wait for ever. Else 0. */
uint64_t count_pool_workers(const struct finder *f, const struct tally *threads, uint32_t group,
                            int call);

/* find_cpu_wait returns for how long the threads of a row of the spending waited for a CPU in the
   whole recording; 0 if it is not known. Such time can look like I/O, or like standing. */
ticks_t find_cpu_wait(const struct model *m, uint32_t row_id);

/* find_caused_wait returns for how long Java threads waited for a CPU because of a part of the CPU
   time of the process. It is 0 where other programs took the CPUs. */
ticks_t find_caused_wait(const struct model *m, uint64_t cpu_ns);

/* is_spin_method returns whether a method is in spin_method.def. */
bool is_spin_method(const struct dump *d, uint32_t method);

/* What a thread does when the recording ends, and for how long it has done so. */
struct doing {
  const char *does; /* "sleeps", "waits", "joins", "parked", "io"; "runs": when it was last seen;
                       NULL: not known */
  const char *call;
  const char *joins; /* the thread */
  struct named_place place;
  uint64_t time;
  bool is_idle;       /* it waits for work from outside, as in accept */
  bool time_is_least; /* it began before the recording */
};

struct doing find_doing(const struct finder *f, uint32_t thread);

/* These fill a part. Texts of other views use them, too. */
void find_link(const struct finder *f, const struct wait_link *link, struct found_link *out);
void find_order(const struct finder *f, const struct order *order, struct found_order *out);
void find_period(const struct finder *f, const struct period *p, struct found_period *out);
void find_gain(const struct finder *f, const struct bounds_gain *gain, struct found_rows *out);

/* find_waited returns for how long an open pair has lasted at the end of the recording. */
ticks_t find_waited(const struct model *m, const struct pair *pair);

/* find_ended returns how long ago the holder of a lock of this sort ended, in nanoseconds; 0: it
   lives, or cannot have kept the lock, as the JVM gives back the monitors of a thread that ends. */
uint64_t find_ended(const struct finder *f, enum lock_sort sort, uint32_t holder);

/* name_rest returns the word of a rest for what its threads do: WAITS, SLEEPS, PARKED or IO. */
const char *name_rest(enum activity activity);

/* has_waiting_work returns whether find_pools or find_queues found work that waited for most of the
   quiet time, in a pool or for a queue: then the program was not idle. */
bool has_waiting_work(const struct finder *f);

/* answer_is_quiet returns whether no thread did anything for most of the recording.
   answer_still_time returns for how long nothing had moved when the recording ended; 0: not for
   long, or because of a deadlock. Both are about all threads, so with patterns the answer is no. */
bool answer_is_quiet(const struct model *m);
ticks_t answer_still_time(const struct model *m);

/* answer_locks_matter returns true if threads were blocked for at least 1 % of the recording, and
   if one of these is true as well:
   - it is at least 1 % of the time in which threads worked (spending_worked)
   - one lock blocked one thread for more than 5 % of the recording
   - locks are more than 5 % of the critical path */
bool answer_locks_matter(const struct answer *a);

END_C
