/* The sentence about a program that hangs. */
#include <string.h>

#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/say.h"

static const char *choose(const struct found_wait *f, const char *one, const char *many) {
  return f->num_threads == 1 ? one : many;
}

static void put_length(struct builder *b, const struct found_wait *f) {
  if (f->since_before) {
    builder_string(b, " since before the recording");
  } else if (f->longest > f->shortest + f->shortest / 10) {
    builder_format(b, " for %s to %s", UNIT_TIME(f->shortest), UNIT_TIME(f->longest));
  } else {
    bool are_equal = strcmp(UNIT_TIME(f->shortest), UNIT_TIME(f->longest)) == 0;
    builder_format(b, " for %s%s", are_equal ? "" : "at least ", UNIT_TIME(f->shortest));
  }
}

static const char *find_article(const char *noun) {
  return strchr("AEIO", noun[0]) != NULL || strncmp(noun, "Un", 2) == 0 ? "an" : "a";
}

static void put_exception(struct builder *b, const struct found_failure *f) {
  const char *exception = f->exception == NULL ? "exception" : f->exception;
  builder_format(b, "%s %s", f->exception == NULL ? "an" : find_article(exception), exception);
  if (f->thrower != NULL) builder_format(b, " at %s", f->thrower);
}

void say_failure(struct builder *b, const struct found_failure *f) {
  builder_string(b, ", by ");
  put_exception(b, f);
}

void say_failures(struct builder *b, const struct found_rows *failures) {
  const struct found_failure *rows = failures->rows;
  if (failures->num == 0) return;
  builder_string(b, failures->num == 1 ? " In the recording, an exception ended "
                                       : " In the recording, exceptions ended ");
  for (size_t i = 0; i < failures->num; i++) {
    if (i > 0) builder_string(b, i + 1 == failures->num ? " and " : ", ");
    builder_format(b, "%s%s %s ago (", rows[i].of_task ? "a task of " : "", rows[i].thread,
                   UNIT_TIME(rows[i].age));
    put_exception(b, &rows[i]);
    builder_char(b, ')');
  }
  builder_char(b, '.');
}

static void put_party_doing(struct builder *b, const struct found_party *f) {
  if (f->waits_too) {
    builder_string(b, " is one of them");
  } else if (f->all_wait) {
    builder_string(b, " all wait now");
  } else if (f->does != NULL) {
    bool are_several = f->num_threads > 1 && f->pool == NULL; /* "each of the workers has" */
    say_doing(b, &(struct said_doing){f->does, f->call, f->joins, &f->place, f->time,
                                      f->time_is_least, are_several});
    if (f->failure.num == 0) return;
    builder_string(b, ", since its task ended by ");
    put_exception(b, f->failure.rows);
  } else {
    builder_string(b, " lives");
  }
}

static bool has_ended_party(const struct found_wait *f) {
  const struct found_party *parties = f->parties.rows;
  for (size_t i = 0; i < f->parties.num; i++) {
    if (parties[i].ended > 0) return true;
  }
  return false;
}

/* "604 ms before it began to wait", "4.10 s ago" */
static void put_signal_time(struct builder *b, const struct found_wait *f) {
  if (f->signal_before > 0) {
    builder_format(b, " %s before %s began to wait", UNIT_TIME(f->signal_before),
                   choose(f, "it", "the first of them"));
  } else {
    builder_format(b, " %s ago", UNIT_TIME(f->signal_age));
  }
}

/* "; writer-1, which made all 24 calls of notifyAll, the last at Pool.put (Pool.java:9) 4.10 s ago,
   has waited for 4.00 s in Object.wait at Group.await (Group.java:7)" */
static void put_only_signaller(struct builder *b, const struct found_wait *f) {
  const struct found_party *party = f->parties.rows;
  builder_format(b, "; %s, which made all %s calls of %s, the last", party->threads,
                 UNIT_COUNT(f->signals), f->signal);
  say_at(b, &f->signalled_at);
  put_signal_time(b, f);
  builder_char(b, ',');
  put_party_doing(b, party);
}

/* "; the only notifyAll, by main at Gate.open (Gate.java:7), came 604 ms before it began to wait",
   "; all 24 calls of signal came from threads that wait now, the last by a at Pool.put
   (Pool.java:9), 4.10 s ago" */
static void put_signals(struct builder *b, const struct found_wait *f) {
  if (!f->signals_are_known || (f->signals > 0 && f->signal == NULL)) return;
  if (f->signals == 0) {
    builder_string(b, "; nobody did in the recording");
    return;
  }
  if (f->only_one) {
    put_only_signaller(b, f);
    return;
  }
  if (f->only_they) {
    builder_format(b, "; all %s calls of %s came from threads that wait now%s, the last by %s",
                   UNIT_COUNT(f->signals), f->signal, has_ended_party(f) ? " or have ended" : "",
                   f->signaller);
  } else if (f->signals == 1) {
    builder_format(b, "; the only %s, by %s", f->signal, f->signaller);
  } else {
    builder_format(b, "; the last of %s calls of %s, by %s", UNIT_COUNT(f->signals), f->signal,
                   f->signaller);
  }
  say_at(b, &f->signalled_at);
  builder_string(b, f->only_they ? "," : f->signal_before > 0 ? ", came" : ", was");
  put_signal_time(b, f);
}

/* " (it lacks 1 more call; 2 came from a and b)", " (at least 1 party has not arrived)": others may
   have registered at a phaser since then. */
static void put_missing(struct builder *b, const struct found_wait *f) {
  if (f->missing == 0) return;
  if (f->missing_of > 0) {
    builder_string(b, " (at least ");
    unit_many(b, f->missing, "party has", "parties have");
    builder_string(b, " not arrived)");
    return;
  }
  builder_string(b, " (it lacks ");
  unit_many(b, f->missing, "more call", "more calls");
  if (f->counted_by != NULL)
    builder_format(b, "; %s came from %s", UNIT_COUNT(f->signals), f->counted_by);
  builder_char(b, ')');
}

/* "; 3 permits were acquired at A.b (A.java:7) and not released, by a, b and c (183 acquired, 180
   released)" */
static void put_kept(struct builder *b, const struct found_wait *f) {
  builder_string(b, "; ");
  unit_many(b, f->kept, "permit was", "permits were");
  builder_string(b, " acquired");
  say_at(b, &f->kept_at);
  builder_format(b, " and not released, by %s (%s acquired, %s released)", f->keepers,
                 UNIT_COUNT(f->acquired), UNIT_COUNT(f->released));
}

/* "; 47 earlier waits there took at most 12.3 ms" */
static void put_earlier(struct builder *b, const struct found_wait *f) {
  if (f->earlier == 0) return;
  builder_string(b, "; ");
  unit_many(b, f->earlier, "earlier wait", "earlier waits");
  builder_format(b, " there took %s%s", f->earlier == 1 ? "" : "at most ",
                 UNIT_TIME(f->earlier_longest));
}

/* "; main waits for the end of their pool at A.b (A.java:7)" */
static void put_awaiters(struct builder *b, const struct found_wait *f) {
  if (f->awaiters == NULL) return;
  builder_format(b, "; %s %s for the end of %s pool", f->awaiters,
                 f->num_awaiters == 1 ? "waits" : "wait", choose(f, "its", "their"));
  say_at(b, &f->awaits_at);
}

/* "; no worker has taken the task that it waits for", "; no worker has taken the 2 tasks that
   some of them wait for" */
static void put_untaken(struct builder *b, const struct found_wait *f) {
  if (f->untaken == 0) return;
  builder_string(b, "; no worker has taken the ");
  if (f->num_threads == 1) {
    builder_string(b, "task that it waits for");
  } else if (f->untaken == f->num_threads) {
    builder_string(b, "tasks that they wait for");
  } else {
    unit_many(b, f->untaken, "task", "tasks");
    builder_string(b, " that some of them wait for");
  }
}

/* "; no worker has taken the task that it queued 69.2 µs before: pool-1-thread-1 is the only worker
   of that pool" */
static void put_queued_task(struct builder *b, const struct found_wait *f) {
  builder_format(b, "; no worker has taken the task that it queued %s before: %s %s of that pool",
                 UNIT_TIME(f->queued_before), f->workers,
                 f->num_workers == 1 ? "is the only worker" : "are all workers");
}

/* " (this is the only worker of its pool; no worker has taken 4 tasks that were queued in it)" */
static void put_queued(struct builder *b, const struct found_wait *f) {
  bool is_only = f->pool_workers == 1;
  builder_format(b, " (%s of %s pool; no worker has taken ",
                 is_only ? "this is the only worker" : "these are all workers",
                 is_only ? "its" : "their");
  unit_many(b, f->pool_queued, "task that was", "tasks that were");
  builder_string(b, " queued in it)");
}

/* " (it alone called take on java.util.concurrent.LinkedBlockingQueue@0A1B2C3D, 3 times after 4
   calls of put; drainTo and poll are not recorded)" */
static void put_own_queue(struct builder *b, const struct found_wait *f) {
  builder_format(b,
                 " (it alone called take on %s, %s times after %s calls of put; drainTo and poll "
                 "are not recorded)",
                 f->queue, UNIT_COUNT(f->queue_taken), UNIT_COUNT(f->queue_put));
}

/* "; each of the 3 workers of ForkJoinPool.commonPool", "; all 3 workers of it are in tasks: a" */
static void put_pool(struct builder *b, const struct found_party *f) {
  if (f->pool_workers == 1) {
    builder_format(b, "; the only worker of %s", f->pool);
  } else if (f->is_alike) {
    builder_format(b, "; each of the %s workers of %s", UNIT_COUNT(f->pool_workers), f->pool);
  } else {
    builder_format(b, "; all %s workers of %s are in tasks: %s", UNIT_COUNT(f->pool_workers),
                   f->pool, f->threads);
  }
}

/* "; worker-3, which came to it 12 times, ended 4.90 s ago, by a NullPointerException at A.b
   (A.java:7)" */
void say_party(struct builder *b, const struct found_party *f) {
  if (f->pool != NULL) {
    put_pool(b, f);
  } else {
    builder_format(b, "; %s, which %s ", f->threads, f->did);
    if (f->times == 1) {
      builder_string(b, "once,");
    } else {
      builder_format(b, "%s times,", UNIT_COUNT(f->times));
    }
  }
  if (f->ended > 0) {
    builder_format(b, " ended %s%s ago", f->num_threads == 1 ? "" : "at least ",
                   UNIT_TIME(f->ended));
    if (f->failure.num > 0) say_failure(b, f->failure.rows);
  } else {
    put_party_doing(b, f);
  }
}

/* They are about the threads that wait, not about those that are named last. */
static void put_notes(struct builder *b, const struct found_wait *f) {
  if (f->queue != NULL) put_own_queue(b, f);
  if (f->pool_queued == 0) {
    say_pool_note(b, f->pool_workers);
  } else {
    put_queued(b, f);
  }
}

void say_wait(struct builder *b, const struct found_wait *f) {
  builder_format(b, "%s %s", f->threads, choose(f, "has ", "have "));
  builder_string(b, f->call == NULL ? "been parked" : "waited");
  if (f->call != NULL) builder_format(b, " in %s", f->call);
  say_at(b, &f->place);
  put_length(b, f);
  bool has_others = f->parties.num > 0;
  if (has_others) put_notes(b, f);
  if (f->joins != NULL) builder_format(b, ", for the end of %s", f->joins);
  if (f->holder != NULL) {
    builder_format(b, ", for a lock of %s", f->holder);
    say_ended(b, f->holder_ended, &f->holder_failure);
    if (f->acquired_at.text != NULL) {
      builder_string(b, ", acquired");
      say_at(b, &f->acquired_at);
    }
  } else if (f->own_task != NULL) {
    builder_format(b, ", %sfor the task that it %s itself", choose(f, "", "each "), f->own_task);
  } else if (f->needs != NULL) {
    builder_format(b, f->may_end ? ", for another thread to %s" : ", and no living thread can %s",
                   f->needs);
  }
  put_missing(b, f);
  if (f->kept > 0) {
    put_kept(b, f);
  } else if (f->needs != NULL && f->holder == NULL) {
    put_signals(b, f);
  }
  put_untaken(b, f);
  if (f->workers != NULL) put_queued_task(b, f);
  const struct found_party *parties = f->parties.rows;
  for (size_t i = f->only_one ? 1 : 0; i < f->parties.num; i++) say_party(b, &parties[i]);
  put_earlier(b, f);
  put_awaiters(b, f);
  if (!has_others) put_notes(b, f);
}

void say_hang(struct builder *b, const struct found_hang *f) {
  const struct found_wait *waits = f->waits.rows;
  uint64_t more = f->threads;
  if (f->is_part) {
    builder_string(b, "HANG: ");
    unit_many(b, f->threads, "thread cannot", "threads cannot");
    builder_string(b, " go on. ");
  } else {
    builder_format(b, "HANG: for the last %s no thread of the program could go on%s. ",
                   UNIT_TIME(f->still),
                   f->has_limit ? " before the time limit of a wait is over" : "");
  }
  for (size_t i = 0; i < f->waits.num; i++) {
    if (i > 0) builder_string(b, ". ");
    say_wait(b, &waits[i]);
    more -= waits[i].num_threads;
  }
  if (more > 0) {
    builder_string(b, "; and ");
    unit_many(b, more, "more thread", "more threads");
    builder_string(b, more == 1 ? " waits elsewhere" : " wait elsewhere");
  }
  builder_char(b, '.');
  say_failures(b, &f->failures);
}
