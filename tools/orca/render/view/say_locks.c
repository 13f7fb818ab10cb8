/* The words about locks. */
#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/say.h"

/* --- a lock that threads waited for ---------------------------------------------------------- */

/* "Lock com.acme.Cart@0A1B2C3D", "Monitor in Cart.add:12 (Object@0A1B2C3D)", "Read side of the lock
   in Cart.add:12 (ReentrantReadWriteLock@0A1B2C3D)", "10 monitors at Cart.load (Cart.java:7), of
   the class com.acme.Entry". */
static void put_subject(struct builder *b, const struct found_lock *f) {
  const struct named_lock *lock = &f->lock;
  size_t start = b->len;
  if (lock->objects > 1) {
    builder_format(b, "%s %s", UNIT_COUNT(lock->objects), lock_sorts[lock->sort].many);
    say_at(b, &f->place);
    if (lock->class_name != NULL) builder_format(b, ", of the class %s", lock->class_name);
    return;
  }
  if (lock->is_several) {
    builder_format(b, "Several %s, not told apart", lock_sorts[lock->sort].many);
    return;
  }
  bool is_side = lock->sort == LOCK_READ_SIDE || lock->sort == LOCK_WRITE_SIDE;
  if (!lock->is_described) {
    builder_string(b, lock_sorts[lock->sort].start);
    if (lock->is_class) builder_string(b, "on ");
  } else if (is_side) {
    builder_string(b, lock->sort == LOCK_READ_SIDE ? "Read side of the " : "Write side of the ");
  }
  builder_string(b, lock->text == NULL ? "not known" : lock->text);
  char *first = b->failed ? NULL : b->data + start;
  if (first != NULL && *first >= 'a' && *first <= 'z') *first = (char)(*first - 'a' + 'A');
}

/* "worker-1…4 were blocked 7 of 90 times", "threads, mostly main, waited at least 7 times" */
static void put_waits(struct builder *b, const struct found_lock *f) {
  builder_string(b, f->waiters == NULL ? "threads" : f->waiters);
  if (f->lock.sort == LOCK_MONITOR) {
    builder_string(b, f->num_waiters == 1 ? " was blocked " : " were blocked ");
  } else {
    builder_string(b, " waited ");
  }
  if (f->waited_is_least) builder_string(b, "at least ");
  if (f->attempts > 0) {
    builder_format(b, "%s of %s%s times", UNIT_COUNT(f->waited),
                   f->attempts_is_least ? "at least " : "", UNIT_COUNT(f->attempts));
  } else {
    unit_many(b, f->waited, "time", "times");
  }
  builder_format(b, " for %s%s", f->blocked_is_least ? "at least " : "", UNIT_TIME(f->blocked));
}

/* " in total (longest 2.00 s; 4 times for 10ms or longer, 2.88 s)" */
static void put_longest(struct builder *b, const struct found_lock *f) {
  if (f->waited < 2) return;
  builder_format(b, " in total (longest %s%s", f->longest_is_least ? "at least " : "",
                 UNIT_TIME(f->longest_blocked));
  if (f->threshold != NULL) {
    builder_string(b, "; ");
    if (f->long_waits == 0) {
      builder_string(b, "never");
    } else {
      unit_many(b, f->long_waits, "time", "times");
    }
    builder_format(b, " for %s or longer", f->threshold);
    if (f->long_waits > 0) builder_format(b, ", %s", UNIT_TIME(f->long_blocked));
  }
  builder_char(b, ')');
}

/* " at A.b (A.java:7)", ", 62 % of it at A.b (A.java:7)". Not again if the subject names it. */
static void put_place(struct builder *b, const struct found_lock *f) {
  bool is_only = f->place_blocked >= f->blocked;
  if (f->place.text == NULL || (f->place_is_named && is_only)) return;
  if (!is_only) builder_format(b, ", %s of it", UNIT_SHARE(f->place_blocked, f->blocked));
  if (f->place_is_named) {
    builder_string(b, " there");
  } else {
    say_at(b, &f->place);
  }
}

static void put_first_owner(struct builder *b, const struct found_lock *f) {
  if (f->owner_is_unknown) {
    const char *who = f->lock.objects > 1 ? "their owners are" : "its owner is";
    builder_format(b, "; %s%s not known", f->owner_known == 0 ? "" : "mostly ", who);
    return;
  }
  if (f->upgrader != NULL) {
    builder_format(b, "; %s held the read side itself meanwhile", f->upgrader);
    return;
  }
  if (f->first_owner == NULL) return;
  builder_format(b, "; when threads began to wait, %s held %sby %s",
                 f->lock.objects > 1 ? "they were" : "it was", f->first_owners == 1 ? "" : "most ",
                 f->first_owner);
  if (f->first_owner_waits == f->waited) return;
  builder_format(b, " (%s of the %s times that %s owner is known)",
                 UNIT_COUNT(f->first_owner_waits), UNIT_COUNT(f->owner_known),
                 f->lock.objects > 1 ? "their" : "its");
}

static bool does(const struct found_lock *f, const char *what) {
  return f->holder_does != NULL && strcmp(f->holder_does, what) == 0;
}

/* "asleep ", "in a socket read (Net.poll) ", "waiting in CountDownLatch.await " */
static void put_holder_work(struct builder *b, const struct found_lock *f) {
  if (does(f, "sleeps")) builder_string(b, "asleep ");
  if (does(f, "waits")) builder_string(b, "waiting ");
  if (does(f, "parked")) builder_string(b, f->holder_call == NULL ? "parked " : "waiting ");
  if (does(f, "io") && f->holder_call == NULL) builder_string(b, "in I/O ");
  if (f->holder_call != NULL) builder_format(b, "in %s ", f->holder_call);
}

/* ", mostly asleep at A.pause (A.java:7), called by A.b (A.java:5)": the holders' location while
   others waited. */
static void put_holder_place(struct builder *b, const struct found_lock *f) {
  if (f->holder_place.text == NULL) return;
  if (f->holder_samples > 0) {
    builder_string(b, f->holder_samples < f->holder_all_samples ? ", mostly" : ",");
    if (f->holder_call != NULL) builder_format(b, " in %s", f->holder_call);
    say_at(b, &f->holder_place);
    builder_format(b, " (by %s of %s samples)", UNIT_COUNT(f->holder_samples),
                   UNIT_COUNT(f->holder_all_samples));
    return;
  }
  builder_format(b, ", %s%s", f->holder_place_is_only ? "" : "mostly ",
                 f->holder_place_is_last_seen ? "last seen " : "");
  put_holder_work(b, f);
  builder_format(b, "at %s", f->holder_place.text);
  if (f->caller_place.text == NULL) return;
  builder_format(b, ", called by %s", f->caller_place.text);
  if (f->caller_calls != NULL) builder_format(b, " through %s", f->caller_calls);
}

/* "Where that is known" if short waits have no owners:
   "; it was held by audit, at A.b (A.java:7)"
   "; it was held most by audit, for 6.80 s of this time, mostly at A.b (A.java:7)"
   "; it was held longest, as far as that is known, by audit, for 680 ms of this time"
   "; it was held by 40 threads in turn, mostly at A.b (A.java:7)" */
static void put_holder(struct builder *b, const struct found_lock *f) {
  const char *where = f->threshold != NULL ? "; where that is known," : ";";
  const char *it = f->lock.objects > 1 ? "they were" : "it was";
  if (f->holders == 0) {
    put_first_owner(b, f);
    return;
  }
  if (f->holder == NULL) {
    builder_format(b, "%s %s held by %s threads in turn", where, it, UNIT_COUNT(f->holders));
  } else {
    bool is_most =
        f->holder_blocked == 0 || f->holder_blocked > f->blocked / 2 || f->threshold != NULL;
    builder_format(b, "%s %s held %sby %s", where, it,
                   f->holders == 1 ? ""
                   : is_most       ? "most "
                                   : "longest, as far as that is known, ",
                   f->holder);
  }
  if (f->holder != NULL && f->holder_reads) builder_string(b, " as a reader");
  if (f->holder != NULL && f->holder_blocked > 0) {
    builder_format(b, ", for %s of this time", UNIT_TIME(f->holder_blocked));
  }
  put_holder_place(b, f);
}

/* "; all 66 calls of release came from refill at A.b (A.java:7)" */
static void put_releasers(struct builder *b, const struct found_lock *f) {
  if (f->releases == 0) return;
  if (f->releases == 1) {
    builder_string(b, "; the only call");
  } else if (f->releases == 2) {
    builder_string(b, "; both calls");
  } else {
    builder_format(b, "; all %s calls", UNIT_COUNT(f->releases));
  }
  builder_format(b, " of release came from %s", f->releasers);
  if (f->release_place.text != NULL) say_at(b, &f->release_place);
}

/* " That is 66 % of all time that threads waited for locks, 7.4 % of all thread time, and 89 % of
   the time of this thread." Only the parts that are known. */
static void put_shares(struct builder *b, const struct found_lock *f) {
  const char *waiters =
                 f->num_waiters == 1 ? "the time of this thread" : "the time of these threads",
             *blocked = f->all_blocked_may_lack ? "all recorded time that threads waited for locks"
                                                : "all time that threads waited for locks";
  const struct {
    uint64_t whole;
    const char *what;
  } shares[] = {
      {f->all_blocked, blocked}, {f->lived, "all thread time"}, {f->waiters_lived, waiters}};
  size_t num = 0, told = 0;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) num += shares[i].whole > 0;
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
    if (shares[i].whole == 0) continue;
    if (told == 0) builder_format(b, " That is %s", f->blocked_is_least ? "at least " : "");
    if (told > 0) builder_string(b, told + 1 < num ? ", " : ", and ");
    builder_format(b, "%s of %s", UNIT_SHARE(f->blocked, shares[i].whole), shares[i].what);
    told++;
  }
  if (told > 0) builder_char(b, '.');
}

/* The part of the blocked time after a release. */
static void put_handoff(struct builder *b, const struct found_lock *f) {
  if (f->handoff == 0) return;
  builder_format(
      b,
      " %s%s of the time (%s) was hand-off: %s, but the thread that got it next did not run yet.",
      f->threshold != NULL ? "At least " : "", UNIT_TIME(f->handoff),
      UNIT_SHARE(f->handoff, f->blocked),
      f->lock.sort == LOCK_SEMAPHORE ? "a permit was free" : "the lock was released");
}

/* " For its write side, editor waited 7 times for 6.25 s in total (longest 903 ms) at A.b
   (A.java:7)." */
static void put_other_side(struct builder *b, const struct found_lock *f) {
  if (f->other_side.num == 0) return;
  const struct found_lock_side *side = f->other_side.rows;
  struct found_lock waits = {.waiters = side->waiters,
                             .num_waiters = side->num_waiters,
                             .waited = side->waited,
                             .waited_is_least = side->waited_is_least,
                             .blocked = side->blocked,
                             .blocked_is_least = side->blocked_is_least,
                             .longest_blocked = side->longest_blocked,
                             .longest_is_least = side->longest_is_least,
                             .place = side->place,
                             .place_blocked = side->place_is_only ? side->blocked : 0};
  waits.lock.sort = f->lock.sort;
  builder_format(b, " For its %s side, ", side->is_write ? "write" : "read");
  put_waits(b, &waits);
  put_longest(b, &waits);
  if (side->place.text != NULL) {
    if (!side->place_is_only) {
      builder_string(b, ", mostly (");
      unit_many(b, side->place_waits, "time", "times");
      builder_char(b, ')');
    }
    say_at(b, &side->place);
  }
  if (side->holder != NULL) {
    builder_format(b, "; meanwhile it was held most by %s", side->holder);
    if (side->holder_place.text != NULL) say_at(b, &side->holder_place);
  }
  builder_char(b, '.');
}

/* A wait that has not ended is on no path, so a small part of it does not tell what it costs. */
#define LEAST_ON_PATH 0.05
#define LITTLE_ON_PATH 0.03

static void put_path(struct builder *b, const struct found_lock *f) {
  double part = f->whole_path == 0 ? 0 : (double)f->path / (double)f->whole_path;
  bool are_several = f->lock.objects > 1;
  const char *it = are_several ? "them" : "it", *it_is = are_several ? "they are" : "it is";
  if (f->still_waiting > 0 && part <= LEAST_ON_PATH) return;
  if (f->path == 0) {
    builder_format(b, " To remove %s may gain nothing: %s not on the critical path.", it, it_is);
  } else if (part < LITTLE_ON_PATH && f->gain.num == 0) {
    builder_format(b, " To remove %s may gain nothing: %s only %s of the critical path.", it, it_is,
                   UNIT_SHARE(f->path, f->whole_path));
  } else {
    builder_format(b, " %s %s of the critical path", are_several ? "They are" : "It is",
                   UNIT_SHARE(f->path, f->whole_path));
    say_gain_of(b, &f->gain, "without it");
    builder_char(b, '.');
  }
}

void say_lock(struct builder *b, const struct found_lock *f) {
  put_subject(b, f);
  builder_string(b, ": ");
  put_waits(b, f);
  put_longest(b, f);
  put_place(b, f);
  put_holder(b, f);
  put_releasers(b, f);
  builder_char(b, '.');
  if (!f->path_is_known) put_shares(b, f);
  put_handoff(b, f);
  if (f->mean_hold > 0) {
    builder_format(b, " On average a thread held %s for %s.",
                   f->lock.objects > 1 ? "one of them" : "it", UNIT_TIME(f->mean_hold));
  }
  put_other_side(b, f);
  if (f->path_is_known) {
    put_path(b, f);
  } else {
    say_only_gain(b, &f->gain, f->lock.objects > 1 ? "without them" : "without it");
  }
  if (f->still_waiting == 0) return;
  builder_format(b, " %s %s still %s it when the recording ended.", UNIT_COUNT(f->still_waiting),
                 f->still_waiting == 1 ? "thread was" : "threads were",
                 f->lock.sort == LOCK_MONITOR ? "blocked on" : "waiting for");
}

/* --- no lock -------------------------------------------------------------------------------- */

static void put_little_time(struct builder *b, const struct found_no_lock *f) {
  builder_format(b, "Threads hardly waited for locks: %s in total", UNIT_TIME(f->blocked));
  if (f->threshold != NULL) {
    builder_format(b, "; waits shorter than %s can be missing", f->threshold);
  }
  builder_char(b, '.');
}

void say_no_lock(struct builder *b, const struct found_no_lock *f) {
  const char *when = f->changed ? " all the time" : "";
  if (f->blocked > 0) {
    put_little_time(b, f);
    return;
  }
  if (!f->has_monitors && !f->has_locks) {
    builder_format(b, "Monitors and locks were not recorded%s.", when);
    return;
  }
  builder_string(
      b, f->has_locks ? "No thread waited for a lock" : "No thread was blocked on a monitor");
  if (f->threshold != NULL) builder_format(b, " for %s or longer", f->threshold);
  if (!f->has_monitors || !f->has_locks) {
    builder_format(b, "; %s were not recorded%s", f->has_monitors ? "other locks" : "monitors",
                   when);
  } else if (f->has_signals) {
    builder_string(b, ", only for signals by Semaphore.release (see orca locks)");
  }
  builder_char(b, '.');
}

/* --- deadlocks ------------------------------------------------------------------------------- */

void say_doing(struct builder *b, const struct said_doing *doing) {
  const char *does = doing->does;
  bool sleeps = strcmp(does, "sleeps") == 0, is_parked = strcmp(does, "parked") == 0;
  bool is_io = strcmp(does, "io") == 0, is_idle = strcmp(does, "idle") == 0;
  if (strcmp(does, "runs") == 0) {
    builder_string(b, doing->are_several ? " were last seen running" : " was last seen running");
    say_at(b, doing->place);
    return;
  }
  builder_format(b, " %s %s for %s%s", doing->are_several ? "have" : "has",
                 is_idle              ? "waited for work"
                 : sleeps             ? "slept"
                 : is_parked || is_io ? "been"
                                      : "waited",
                 doing->time_is_least ? "at least " : "", UNIT_TIME(doing->time));
  if (is_parked) builder_string(b, " parked");
  if (doing->joins != NULL) {
    builder_format(b, " for the end of %s", doing->joins);
  } else if (doing->call != NULL) {
    builder_format(b, " in %s", doing->call);
  }
  if (!is_idle) say_at(b, doing->place);
}

void say_ended(struct builder *b, uint64_t ago, const struct found_rows *failure) {
  if (ago == 0) return;
  builder_format(b, ", which ended %s ago without releasing it", UNIT_TIME(ago));
  if (failure->num > 0) say_failure(b, failure->rows);
}

static void put_link_holder(struct builder *b, const struct found_link *f, const char *held_by) {
  bool is_known = f->acquired_in != NULL || f->acquired_at.text != NULL;
  if (f->holder == NULL || f->class_name != NULL || f->task != NULL) return;
  builder_format(b, "%s %s%s", held_by, f->holder, f->holder_reads ? " as a reader" : "");
  say_ended(b, f->holder_ended, &f->holder_failure);
  if (f->holder_is_unseen) {
    builder_string(b, ", of which the recording has no line: it may have ended before");
  }
  if (f->acquired_in != NULL) {
    builder_format(b, ", which acquired it in %s", f->acquired_in);
    if (f->called_at.text != NULL) say_at(b, &f->called_at);
  } else if (is_known) {
    builder_string(b, ", which acquired it");
    say_at(b, &f->acquired_at);
  }
  if (f->holder_got > 0) {
    builder_format(b, "%s got it %s ago", is_known ? " and" : ", which", UNIT_TIME(f->holder_got));
  }
  if (f->holder_does == NULL) return;
  builder_string(b, is_known || f->holder_got > 0 ? " and" : ", which");
  say_doing(b,
            &(struct said_doing){f->holder_does, f->holder_call, f->holder_joins, &f->holder_place,
                                 f->holder_time, f->holder_time_is_least, false});
}

/* " waits for ", " wait for " */
static void put_asks(struct builder *b, const struct found_link *f) {
  const char *asks = lock_sorts[f->lock.sort].asks, *end = strchr(asks + 1, ' ');
  bool is_one = f->num_threads < 2;
  builder_format(b, "%.*s%s", (int)(end - asks) - !is_one, asks, end);
}

/* ", all 4 threads of a pool," */
static void put_part_of_pool(struct builder *b, const struct found_link *f) {
  if (f->num_workers == 1) {
    builder_string(b, ", the only thread of a pool,");
  } else if (f->num_threads == 2 && f->num_workers == 2) {
    builder_string(b, ", both threads of a pool,");
  } else if (f->num_threads == f->num_workers) {
    builder_format(b, ", all %s threads of a pool,", UNIT_COUNT(f->num_workers));
  } else if (f->num_threads == 1) {
    builder_format(b, ", one of the %s threads of a pool,", UNIT_COUNT(f->num_workers));
  } else {
    builder_format(b, ", %s of the %s threads of a pool,", UNIT_COUNT(f->num_threads),
                   UNIT_COUNT(f->num_workers));
  }
}

/* "main waits in FutureTask.get at A.b (A.java:7) for a task that is queued in the pool of w-1" */
static void put_task_wait(struct builder *b, const struct found_link *f) {
  bool is_one = f->num_threads < 2;
  builder_string(b, f->thread);
  if (f->is_own_pool) put_part_of_pool(b, f);
  builder_format(b, " %s in %s", is_one ? "waits" : "wait", f->call);
  say_at(b, &f->place);
  if (f->holder != NULL) {
    bool is_itself = strcmp(f->holder, f->thread) == 0;
    builder_format(b, " for the task that %s", is_itself ? "it runs itself" : f->holder);
    if (!is_itself) builder_string(b, " runs");
    return;
  }
  builder_string(b, is_one ? " for a task that is queued in " : " for tasks that are queued in ");
  if (f->is_own_pool) {
    builder_string(b, "this same pool");
  } else {
    builder_format(b, "the pool of %s", f->pool);
  }
}

/* Who waits for what, and where. */
static void put_link_wait(struct builder *b, const struct found_link *f) {
  if (f->task != NULL) {
    put_task_wait(b, f);
    return;
  }
  builder_string(b, f->thread);
  if (f->joins != NULL) {
    builder_format(b, " joins %s", f->joins);
  } else if (f->class_name != NULL) {
    builder_format(b, " waits until %s has initialized %s,", f->holder, f->class_name);
  } else {
    put_asks(b, f);
    say_the_lock(b, &f->lock);
  }
  if (f->call != NULL) builder_format(b, " in %s", f->call);
  say_at(b, &f->place);
  if (f->holds_read) {
    builder_string(b, ", though it holds the read side itself");
    if (f->own_read_at.text != NULL) {
      builder_string(b, ", which it acquired");
      say_at(b, &f->own_read_at);
    }
  }
}

void say_link(struct builder *b, const struct found_link *f) {
  put_link_wait(b, f);
  put_link_holder(b, f, ", held by");
}

void say_deadlock(struct builder *b, const struct found_deadlock *f) {
  const struct found_link *links = f->links.rows;
  for (size_t i = 0; i < f->links.num; i++) {
    builder_string(b, i == 0 ? "DEADLOCK: " : "; ");
    say_link(b, &links[i]);
  }
  if (f->num_others > 0) {
    builder_format(b, ". %s %s for %s, too", f->others, f->num_others == 1 ? "waits" : "wait",
                   f->threads == 1 ? "it" : "them");
  }
  builder_char(b, '.');
  if (f->interruptible != NULL) {
    builder_format(b, " An interrupt would end the wait of %s.", f->interruptible);
  }
}

/* ", for 2.00 s", ", for 1.20 s to 2.00 s", ", for at least 1.20 s", ", since before the recording"
 */
static void put_waited(struct builder *b, const struct found_link *f) {
  if (f->since_before) {
    builder_string(b, ", since before the recording");
    return;
  }
  bool are_equal = strcmp(UNIT_TIME(f->shortest), UNIT_TIME(f->waited)) == 0;
  builder_format(b, ", for %s", f->waited_is_least ? "at least " : "");
  if (!are_equal && !f->waited_is_least) builder_format(b, "%s to ", UNIT_TIME(f->shortest));
  builder_string(b, UNIT_TIME(f->waited_is_least ? f->shortest : f->waited));
}

void say_timed_ring(struct builder *b, const struct found_timed_ring *f) {
  const struct found_link *links = f->links.rows;
  for (size_t i = 0; i < f->links.num; i++) {
    builder_string(b, i == 0 ? "Ring until a time limit ends: " : "; ");
    say_link(b, &links[i]);
    put_waited(b, &links[i]);
  }
  builder_format(b, ". %s go on before the time limit of %s is over.",
                 f->links.num == 1 ? "It cannot" : "None of them can", f->limited);
}

/* A lock that changes hands, or whose holder accepts connections: nothing is stuck. */
static const char *choose_title(const struct found_link *f) {
  return f->holder_stays ? "Stuck when the recording ended: "
                         : "Waiting when the recording ended: ";
}

static void put_stuck_link(struct builder *b, const struct found_link *f) {
  bool is_same = f->holder_is_first && f->holder_got == 0 && f->holder_ended == 0;
  put_link_wait(b, f);
  put_waited(b, f);
  if (f->is_behind_writer) builder_string(b, ", behind a writer");
  put_link_holder(b, f, is_same ? "; it is still held by" : "; it is held by");
}

static void put_links(struct builder *b, const struct found_rows *rows, bool has_title) {
  const struct found_link *links = rows->rows;
  for (size_t i = 0; i < rows->num; i++) {
    bool is_other = i == 0 || links[i].holder_stays != links[i - 1].holder_stays;
    bool begins = is_other && (!has_title || i == 0);
    if (begins && (has_title || i > 0)) builder_string(b, ". ");
    if (begins && !has_title) builder_string(b, choose_title(&links[i]));
    if (!begins) builder_string(b, "; ");
    put_stuck_link(b, &links[i]);
  }
}

void say_stuck(struct builder *b, const struct found_stuck *f) {
  const struct found_link *links = f->links.rows;
  const struct found_wait *waits = f->waits.rows;
  if (f->waits.num > 0) {
    builder_string(b, "STUCK: ");
    unit_many(b, f->threads, "thread has", "threads have");
    builder_string(b, " waited for long, and still did when the recording ended");
  }
  for (size_t i = 0; i < f->waits.num; i++) {
    builder_string(b, ". ");
    say_wait(b, &waits[i]);
  }
  put_links(b, &f->links, f->waits.num > 0);
  uint64_t told = 0;
  for (size_t i = 0; i < f->links.num; i++) told += links[i].num_threads;
  for (size_t i = 0; i < f->waits.num; i++) told += waits[i].num_threads;
  if (f->threads > told) {
    builder_string(b, "; and ");
    unit_many(b, f->threads - told, "more thread", "more threads");
  }
  builder_char(b, '.');
  if (f->idle != NULL) {
    builder_format(b, " %s %s waited for work since before the recording, too.", f->idle,
                   f->num_idle == 1 ? "has" : "have");
  }
  say_failures(b, &f->failures);
}

static void put_unbegun(struct builder *b, uint64_t unbegun, uint64_t longest) {
  unit_many(b, unbegun, "thread was", "threads were");
  builder_format(b, " started and %s not begun, the first %s ago", unbegun == 1 ? "has" : "have",
                 UNIT_TIME(longest));
}

void say_no_carrier(struct builder *b, const struct found_no_carrier *f) {
  bool is_one = f->num_pinned == 1;
  builder_string(b, "Virtual threads get no carrier: ");
  put_unbegun(b, f->unbegun, f->longest);
  builder_format(b, ". %s %s pinned", f->pinned, is_one ? "is" : "are");
  say_at(b, &f->place);
  if (f->initializer != NULL)
    builder_format(b, ", in static initializers such as %s", f->initializer);
  builder_format(b, ", and %s a carrier%s", is_one ? "keeps" : "keep", is_one ? "" : " each");
  if (f->owner != NULL) {
    builder_format(b, "; %s waits for ", is_one ? "it" : "one of them");
    say_the_lock(b, &f->lock);
    builder_format(b, ", held by %s, which has left its carrier and needs one to go on", f->owner);
  }
  if (f->starter != NULL) {
    builder_format(b, "; %s itself started %s,", is_one ? "it" : f->starter,
                   f->unbegun == 1 ? "the one that has not begun" : "one of those");
    say_at(b, &f->started_at);
  }
  if (f->class_waiters != NULL) {
    bool waits = f->num_class_waiters == 1;
    builder_format(b, ". %s, which wait%s", f->class_waiters, waits ? "s" : "");
    say_at(b, &f->class_place);
    builder_format(b, " for the initialization of %s, %s", f->class_name,
                   waits ? "keeps one, too" : "keep one each, too");
  }
  builder_char(b, '.');
}

void say_busy_carriers(struct builder *b, const struct found_busy_carriers *f) {
  bool is_one = f->num_threads == 1;
  builder_format(b, "Virtual threads get no carrier: %s %s run for the last %s", f->threads,
                 is_one ? "has" : "have", UNIT_TIME(f->time));
  if (f->place.text != NULL) builder_format(b, ", mostly at %s", f->place.text);
  builder_format(b, ", without waiting, and %s %s.",
                 is_one ? "keeps the only carrier," : "keep all carriers,", f->carriers);
  builder_char(b, ' ');
  put_unbegun(b, f->unbegun, f->longest);
  builder_char(b, '.');
}

/* --- what may go wrong ----------------------------------------------------------------------- */

void say_order(struct builder *b, const struct found_order *f) {
  builder_format(b, "%s asks for ", f->thread);
  say_the_lock(b, &f->asks_for);
  say_at(b, &f->asks_at);
  builder_string(b, " while it holds ");
  say_the_lock(b, &f->has);
  if (f->acquired_at.text == NULL) return;
  builder_string(b, ", acquired");
  say_at(b, &f->acquired_at);
}

void say_lock_order(struct builder *b, const struct found_lock_order *f) {
  const struct found_order *links = f->links.rows;
  builder_string(b, "These locks are taken in an order that can deadlock: ");
  for (size_t i = 0; i < f->links.num; i++) {
    if (i > 0) builder_string(b, "; ");
    say_order(b, &links[i]);
  }
  builder_char(b, '.');
  if (f->alike == 0) return;
  builder_string(b, " The same is true of ");
  unit_many(b, f->alike, "other group of locks", "other groups of locks");
  builder_string(b, " at the same lines.");
}

void say_two_monitors(struct builder *b, const struct found_two_monitors *f) {
  builder_format(b, "Code of %s is guarded by two monitors, %s", f->class_name, f->object);
  say_at(b, &f->place);
  builder_format(b, " and %s", f->other_object);
  say_at(b, &f->other_place);
  builder_string(b, ": ");
  unit_many(b, f->meetings, "time", "times");
  builder_string(b,
                 " a thread entered one while another thread was inside the other. If they guard "
                 "the same data, one of them is the wrong monitor.");
}

void say_value_as_lock(struct builder *b, const struct found_value_as_lock *f) {
  builder_format(b, "%s is locked by code of %s (at %s) and of %s (at %s)", f->object,
                 f->class_name, f->place.text, f->other_class_name, f->other_place.text);
  builder_string(b,
                 ": literals of the same value are one object, so classes that have nothing to do "
                 "with each other share one lock.");
}
