/* The words about what threads do with their time. */
#include <string.h>

#include "tools/orca/causal/path/path.h"
#include "tools/orca/causal/whatif/whatif.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/say.h"

/* --- what a change gains --------------------------------------------------------------------- */

static void put_limit(struct builder *b, const struct found_gain *f) {
  enum limit_kind limit = limit_of_key(f->limit);
  const char *place = f->limit_place.text;
  if (limit == LIMIT_NONE) return;
  if (limit == LIMIT_CPU && !f->shares_cpus) {
    builder_string(b, "; then its CPUs are full");
    if (place != NULL) builder_format(b, ", most of them in %s", place);
    return;
  }
  builder_string(b, "; then the limit is ");
  if (limit == LIMIT_LOCK) {
    say_the_lock(b, &f->limit_lock);
  } else {
    builder_string(b, limit_words[limit]);
    if (limit == LIMIT_CPU) builder_string(b, ", which others use too");
  }
  if (place != NULL && limit != LIMIT_CPU) say_at(b, &f->limit_place);
}

void say_gain(struct builder *b, const struct found_gain *f) {
  struct gain gain = {f->least, f->middle, f->most};
  builder_string(b, f->of_run ? "the run would " : "its threads would ");
  if (gain_is_none(&gain)) {
    builder_string(b, "not be faster");
  } else {
    builder_string(b, "be ");
    gain_write(b, &gain);
    if (f->of_run) {
      builder_format(b, " (%s to ", UNIT_TIME(f->recorded));
      builder_format(b, "%s)", UNIT_TIME(f->predicted));
    }
  }
  put_limit(b, f);
}

void say_gain_of(struct builder *b, const struct found_rows *gains, const char *change) {
  if (gains->num == 0) return;
  builder_format(b, ": by simulation, %s ", change);
  say_gain(b, gains->rows);
}

void say_only_gain(struct builder *b, const struct found_rows *gains, const char *change) {
  if (gains->num == 0) return;
  builder_format(b, " By simulation, %s ", change);
  say_gain(b, gains->rows);
  builder_char(b, '.');
}

/* --- the critical path ----------------------------------------------------------------------- */

static const char *find_words(const char *reason) {
  int i = 0;
  while (i + 1 < NUM_PATH_REASONS && strcmp(path_reason_keys[i], reason) != 0) i++;
  return path_reason_words[i];
}

void say_path(struct builder *b, const struct found_path *f) {
  builder_format(b, "By the critical path, the run took %s of its time because a thread %s",
                 UNIT_SHARE(f->path, f->whole_path), find_words(f->does));
  say_at(b, &f->place);
  if (f->other_place.text != NULL) builder_format(b, " and %s", f->other_place.text);
  builder_char(b, '.');
}

/* --- CPU time -------------------------------------------------------------------------------- */

#define NEARLY_ALL_PERCENT 90
#define FEW_SAMPLES 100 /* below it, shares are wrong by 10 % and more */

static void put_outside_java(struct builder *b, const struct found_cpu *f) {
  const struct {
    uint64_t ns;
    const char *where;
  } parts[] = {{f->native, "native code"}, {f->jvm, "the JVM"}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (parts[i].ns == 0) continue;
    builder_format(b, ", %s of it in %s", UNIT_SHARE(parts[i].ns, f->self), parts[i].where);
  }
}

/* Unknown stacks or few samples make the shares uncertain. */
static void put_doubts(struct builder *b, const struct found_cpu *f) {
  if (f->unknown > 0) {
    builder_format(b,
                   " The stack of %s of that time, or its outer part, is not known: it was lost or "
                   "not sampled.",
                   UNIT_SHARE(f->unknown, f->cpu));
  }
  if (f->samples >= FEW_SAMPLES) return;
  builder_string(b, " These shares are rough: only ");
  unit_many(b, f->samples, "sample", "samples");
  builder_string(b, " found a running thread.");
}

/* "spin: 49 % of the Java threads' CPU time is spent in Thread.yield, called by Ring.await
   (Ring.java:13)" */
void say_spin(struct builder *b, const struct found_spin *f) {
  const char *whose = f->is_java ? "Java threads' " : "";
  builder_format(b, "%s spin%s: ", f->threads, f->num_threads == 1 ? "s" : "");
  if (f->in_method * 100 >= f->time * NEARLY_ALL_PERCENT) {
    builder_format(b, "%s of the %sCPU time is spent in %s, called by %s",
                   UNIT_SHARE(f->time, f->cpu), whose, f->method, f->caller.text);
  } else {
    builder_format(b, "%s of the %sCPU time is spent in %s, ", UNIT_SHARE(f->time, f->cpu), whose,
                   f->caller.text);
    builder_format(b, "%s of it in %s", UNIT_SHARE(f->in_method, f->time), f->method);
  }
  builder_format(b, ". %s without sleeping.", f->num_threads == 1 ? "It waits" : "They wait");
  if (f->starved == NULL) return;
  builder_format(b, " Meanwhile %s waited %s for a CPU", f->starved, UNIT_TIME(f->starved_wait));
  builder_format(b, ", and ran %s.", UNIT_TIME(f->starved_cpu));
}

/* "A.b (A.java:7)", and ", in 208 classes" of one origin */
static void put_hot_place(struct builder *b, const struct named_place *place, uint64_t classes) {
  builder_format(b, "%s", place->text);
  if (classes > 0) builder_format(b, ", in %s classes of this name", UNIT_COUNT(classes));
}

/* " 19 % are spent in A.b (A.java:7), called by C.d (C.java:3), and 14 % in A.e (A.java:9)." */
static void put_other_methods(struct builder *b, const struct found_cpu *f) {
  const struct found_hot *rows = f->others.rows;
  for (size_t i = 0; i < f->others.num; i++) {
    const struct found_hot *row = &rows[i];
    builder_format(b, "%s%s ", i == 0 ? " " : ", and ", UNIT_SHARE(row->self, f->cpu));
    builder_string(b, i == 0 ? "is spent in " : "in ");
    put_hot_place(b, &row->place, row->classes);
    if (row->caller.text != NULL) builder_format(b, ", called by %s", row->caller.text);
  }
  if (f->others.num > 0) builder_char(b, '.');
}

#define MOSTLY "threads, mostly "

/* ", by worker-1…4", ", mostly by main and worker-2" */
static void put_users(struct builder *b, const struct found_cpu *f) {
  const char *users = f->threads;
  if (users == NULL) return;
  bool is_most = strncmp(users, MOSTLY, sizeof MOSTLY - 1) == 0;
  if (is_most) users += sizeof MOSTLY - 1;
  builder_format(b, ", %sby %.*s", is_most ? "mostly " : "", (int)(strlen(users) - is_most), users);
}

/* " at A.b (A.java:7)" */
static void put_user_place(struct builder *b, const struct found_cpu *f) {
  if (f->user_called_at.text == NULL) return;
  builder_format(b, "%s at %s", f->user_has_one_caller ? "" : ", mostly", f->user_called_at.text);
  if (!f->user_has_one_caller) builder_char(b, ',');
}

/* If the CPU time of the JVM's own threads is known, the shares do not include it. A class that
   calls the method nearly always comes first, if it is more. The threads stand before the caller:
   some of them may come from another one. */
void say_cpu(struct builder *b, const struct found_cpu *f) {
  const char *whose = f->is_java ? "Java threads' " : "";
  bool is_of_user = f->user != NULL && f->user_total > f->self + f->self / 10;
  if (is_of_user) {
    builder_format(b, "%s of the %sCPU time is spent in %s", UNIT_SHARE(f->user_total, f->cpu),
                   whose, f->user);
    put_user_place(b, f);
    builder_string(b, " and what it calls");
    put_users(b, f);
    builder_format(b, ": %s in ", UNIT_SHARE(f->self, f->cpu));
  } else {
    builder_format(b, "%s of the %sCPU time is spent in ", UNIT_SHARE(f->self, f->cpu), whose);
  }
  put_hot_place(b, &f->place, f->classes);
  put_outside_java(b, f);
  if (f->total > f->self && (f->total - f->self) * 100 >= f->cpu) {
    builder_format(b, ", %s including what it calls", UNIT_SHARE(f->total, f->cpu));
  }
  if (!is_of_user) put_users(b, f);
  if (f->user != NULL && !is_of_user) builder_format(b, ", called by %s", f->user);
  if (f->caller.text != NULL) builder_format(b, "; it is called most by %s", f->caller.text);
  if (f->caller_total > 0) {
    builder_format(b, ", which takes %s including what it calls",
                   UNIT_SHARE(f->caller_total, f->cpu));
  }
  builder_char(b, '.');
  if (f->has_shared_buckets) {
    builder_string(b, " Many keys share a bucket there: their hash codes are equal or similar.");
  }
  if (f->busy > 0) {
    builder_format(b,
                   " These calls return without waiting, again and again: the thread was on a CPU, "
                   "or waited for one, for %s of its life.",
                   UNIT_SHARE(f->busy, f->lived));
  }
  put_other_methods(b, f);
  put_doubts(b, f);
  if (f->path == 0) {
    say_only_gain(b, &f->gain,
                  f->others.num == 0 ? "if it were twice as fast,"
                                     : "if the first of them were twice as fast,");
    return;
  }
  builder_format(b, " %s is %s of the critical path",
                 f->others.num == 0 ? "It" : "The first of them",
                 UNIT_SHARE(f->path, f->whole_path));
  if (f->path_wait >= f->whole_path / 100) {
    builder_format(b, ", with its wait for a CPU %s",
                   UNIT_SHARE(f->path + f->path_wait, f->whole_path));
  }
  say_gain_of(b, &f->gain, "if it were twice as fast,");
  builder_char(b, '.');
}

void say_no_cpu(struct builder *b, const struct found_no_cpu *f) {
  if (f->samples > 0) {
    builder_format(b, "The Java threads used %s of CPU time: ", UNIT_TIME(f->cpu));
    unit_many(b, f->samples, "sample is", "samples are");
    builder_string(b, " too few for a profile.");
  } else {
    builder_string(b, !f->was_sampled
                          ? "No samples were taken, so the use of CPU time is not known."
                      : !f->cpu_is_known ? "The JVM did not report the CPU time of its threads."
                                         : "No sample found a running thread.");
  }
}

/* --- threads that become more and more ------------------------------------------------------- */

void say_growth(struct builder *b, const struct found_growth *f) {
  uint64_t ended = f->started > f->alive ? f->started - f->alive : 0;
  builder_format(b, "The number of threads grows: %s threads ", UNIT_COUNT(f->started));
  if (f->name != NULL) builder_format(b, "%s ", f->name);
  builder_string(b, "were started");
  say_at(b, &f->place);
  builder_format(b, " within %s, and ", UNIT_TIME(f->span));
  if (ended == 0) {
    builder_string(b, "none");
  } else {
    builder_format(b, "only %s", UNIT_COUNT(ended));
  }
  builder_string(b, " of them ended");
  if (f->call != NULL) {
    builder_format(b, "; they wait in %s", f->call);
  } else if (f->sleeps || f->parked) {
    builder_string(b, f->sleeps ? "; they sleep" : "; they are parked");
  }
  builder_char(b, '.');
}

/* --- the process ----------------------------------------------------------------------------- */

static void put_owner(struct builder *b, const char *what, uint64_t ns, uint64_t all) {
  builder_format(b, "%s used %s of the CPU time of the process (%s of %s).", what,
                 UNIT_SHARE(ns, all), UNIT_TIME(ns), UNIT_TIME(all));
}

void say_jit(struct builder *b, const struct found_jit *f) {
  put_owner(b, "The JIT compiler", f->cpu, f->process_cpu);
  if (f->method == NULL) return;
  builder_format(
      b, " %s ran in at least %s classes of one origin: the JIT compiler compiles each on its own.",
      f->method, UNIT_COUNT(f->classes));
  if (f->defined_at.text == NULL) return;
  builder_format(b, " Most CPU time to define classes is spent at %s.", f->defined_at.text);
}

void say_gc(struct builder *b, const struct found_gc *f) {
  put_owner(b, "The garbage collector", f->cpu, f->process_cpu);
}

void say_gc_pauses(struct builder *b, const struct found_gc_pauses *f) {
  builder_string(b, "The garbage collector stopped the program ");
  unit_many(b, f->pauses, "time", "times");
  builder_format(b, " for %s in total: %s of the time (longest %s).", UNIT_TIME(f->pause),
                 UNIT_SHARE(f->pause, f->recorded), UNIT_TIME(f->longest_pause));
  if (f->jvm_cpu > 0) {
    builder_format(
        b,
        " Java threads used %s of CPU time in the JVM, mostly called at %s: it may allocate "
        "memory there.",
        UNIT_TIME(f->jvm_cpu), f->jvm_called_at.text);
  }
  if (f->calls == 0) return;
  builder_format(b, " %s called System.gc ", f->callers);
  unit_many(b, f->calls, "time", "times");
  if (f->place.text != NULL) builder_char(b, ' ');
  if (f->place.text != NULL && !f->place_is_only) builder_string(b, "mostly ");
  if (f->place.text != NULL) builder_format(b, "at %s", f->place.text);
  if (f->called != NULL && strcmp(f->called, "System.gc") != 0) {
    builder_format(b, " in %s", f->called);
  }
  builder_string(b, ": each call can stop it for a collection of the whole heap.");
}

static void put_cpus(struct builder *b, const struct found_cpu_wait *f) {
  if (f->quota != NULL) {
    builder_format(b, "; its quota is %s CPUs", f->quota);
  } else if (f->allowed != NULL) {
    builder_format(b, "; it may use %s CPU%s", f->allowed, strcmp(f->allowed, "1") == 0 ? "" : "s");
  }
}

/* The time that Java threads waited for a CPU, as a part of the time that they ran or waited. */
void say_cpu_wait(struct builder *b, const struct found_cpu_wait *f) {
  bool is_starved = f->is_full || f->is_crowded;
  builder_format(b, "%s waited %s of %s for a CPU (%s)",
                 is_starved ? "The program was starved: its threads" : "The program's threads",
                 UNIT_TIME(f->wait), UNIT_TIME(f->wait_or_run),
                 UNIT_SHARE(f->wait, f->wait_or_run));
  if (f->is_crowded) {
    builder_format(b, ": on average %.1f of them ran or were ready to run", f->ready);
  }
  if (is_starved) put_cpus(b, f);
  if (!f->is_full && f->is_crowded) {
    builder_format(b, ", and it used %.2f on average", f->busy);
  } else if (!f->is_full && f->busy_is_known) {
    builder_format(b,
                   ", though it used only %.2f CPUs on average: at these moments other threads "
                   "used the CPUs, of this program, of the JVM or of other programs",
                   f->busy);
  }
  builder_char(b, '.');
}

/* The kernel adds up the time of all CPUs, so it can exceed the length of the recording. */
void say_throttled(struct builder *b, const struct found_throttled *f) {
  builder_string(b, "The program was throttled by its cgroup ");
  if (f->throttled <= f->recorded) {
    builder_format(b, "%s of the time (", UNIT_SHARE(f->throttled, f->recorded));
  } else {
    builder_format(b, "for %s, summed over CPUs (", UNIT_TIME(f->throttled));
  }
  if (f->quota != NULL) builder_format(b, "quota %s CPUs, ", f->quota);
  builder_format(b, "%s of %s).", UNIT_TIME(f->throttled), UNIT_TIME(f->recorded));
}

/* --- threads that rest or stand -------------------------------------------------------------- */

static bool does(const struct found_rest *f, const char *what) {
  return f->does != NULL && strcmp(f->does, what) == 0;
}

void say_pool_note(struct builder *b, uint64_t workers) {
  if (workers == 0) return;
  builder_format(b, " (%s of %s pool: a task that is queued in it cannot run)",
                 workers == 1 ? "this is the only worker" : "these are all workers",
                 workers == 1 ? "its" : "their");
}

static void put_where(struct builder *b, const struct found_rest *f) {
  if (f->call != NULL) builder_format(b, " in %s", f->call);
  if (f->place.text != NULL) say_at(b, &f->place);
  if (f->caller.text != NULL) builder_format(b, ", called by %s", f->caller.text);
}

/* "waited 60 times for 100 ms on average in BlockingQueue.poll, 6.00 s in total, at A.b (A.java:7),
   called by C.d (C.java:3)" */
static void put_calls(struct builder *b, const struct found_rest *f) {
  unit_many(b, f->calls, "time", "times");
  builder_format(b, " for %s on average", UNIT_TIME(f->total / f->calls));
  if (f->call != NULL) builder_format(b, " in %s", f->call);
  builder_format(b, ", %s in total,", UNIT_TIME(f->total));
  say_at(b, &f->place);
  if (f->caller.text != NULL) builder_format(b, ", called by %s", f->caller.text);
}

/* "main slept 2.98 s at Idle.rest (Idle.java:15)" */
void say_rest(struct builder *b, const struct found_rest *f) {
  bool are_several = f->num_threads > 1;
  const char *parked = are_several ? "were parked" : "was parked";
  builder_format(b, "%s %s ", f->threads,
                 does(f, "sleeps")   ? "slept"
                 : does(f, "parked") ? parked
                                     : "waited");
  if (f->calls > 0) {
    put_calls(b, f);
  } else {
    builder_format(b, "%s%s%s", f->total_is_least ? "at least " : "", UNIT_TIME(f->total),
                   are_several ? " in total" : "");
    put_where(b, f);
  }
  say_pool_note(b, f->pool_workers);
}

/* ": it slept 4.40 s at A.b (A.java:7), called by C.d (C.java:3)"; the threads have been named. */
static void put_task_work(struct builder *b, const struct found_rows *work) {
  const struct found_rest *rest = work->rows;
  if (work->num == 0) return;
  struct found_rest again = *rest;
  again.threads = rest->num_threads == 1 ? "it" : "they";
  builder_string(b, ": ");
  say_rest(b, &again);
}

void say_timer(struct builder *b, const struct found_timer *f) {
  const char *pool = "a ScheduledThreadPoolExecutor", *timer = "a Timer";
  builder_format(b, "%s, the only thread of %s, was in tasks", f->thread,
                 f->is_executor ? pool : timer);
  builder_format(b, " for %s of %s", UNIT_TIME(f->busy), UNIT_TIME(f->lived));
  put_task_work(b, &f->work);
  builder_format(b, ". Meanwhile no other task of this %s can run.",
                 f->is_executor ? "executor" : "timer");
}

void say_busy_workers(struct builder *b, const struct found_busy_workers *f) {
  const struct found_rest *waits = f->waits.rows;
  bool is_one = f->threads == 1;
  if (is_one) {
    builder_format(b, "The only worker of %s was", f->name);
  } else {
    builder_format(b, "The %s workers of %s were", UNIT_COUNT(f->threads), f->name);
  }
  builder_format(b, " in tasks for %s of %s time", UNIT_SHARE(f->busy, f->lived),
                 is_one ? "its" : "their");
  put_task_work(b, &f->work);
  builder_format(b, ". Meanwhile %s can run no other task of this pool", is_one ? "it" : "they");
  if (f->waits.num > 0) {
    builder_string(b, "; ");
    say_rest(b, waits);
  }
  builder_char(b, '.');
}

/* "selector ran tasks for 5.85 s that a pool did not accept, because …, at A.b (A.java:7): selector
   slept …" */
void say_caller_runs(struct builder *b, const struct found_caller_runs *f) {
  builder_format(b, "%s ran tasks for %s%s that a pool did not accept", f->threads,
                 UNIT_TIME(f->busy), f->num_threads > 1 ? " in total" : "");
  builder_string(b, ", because its threads and its queue were full (CallerRunsPolicy),");
  say_at(b, &f->submitted_at);
  put_task_work(b, &f->work);
  builder_char(b, '.');
}

/* "main ended 350 ms after the start of the recording, but …" */
void say_main_end(struct builder *b, const struct found_main_end *f) {
  builder_string(b, "main ended ");
  if (f->time > 0) {
    builder_format(b, "%s after the start of", UNIT_TIME(f->time));
  } else {
    builder_string(b, "before");
  }
  builder_format(b,
                 " the recording, but the JVM goes on until all threads have ended that are no "
                 "daemons. %s %s not shut down.",
                 f->threads,
                 f->num_threads == 1 ? "waits for tasks of a pool that was"
                                     : "wait for tasks of pools that were");
  if (f->others == NULL) return;
  builder_format(b, " %s %s alive, too.", f->others, f->num_others == 1 ? "was" : "were");
}

void say_child(struct builder *b, const struct found_child *f) {
  const struct found_rest *waits = f->waits.rows;
  if (f->waits.num == 0) return;
  say_rest(b, waits);
  builder_string(b, waits->num_threads == 1 ? " for a child process" : " for child processes");
  if (f->open > 0) builder_string(b, ", which had not ended when the recording did");
  builder_char(b, '.');
  if (f->others.num > 0) {
    builder_string(b, " Meanwhile ");
    say_rest(b, f->others.rows);
    builder_char(b, '.');
  }
  if (f->open > 0) {
    builder_string(b, " A child process cannot go on while the pipe of its output is full.");
  }
}

void say_poll(struct builder *b, const struct found_poll *f) {
  if (f->rests.num == 0) return;
  say_rest(b, f->rests.rows);
  builder_char(b, '.');
}

static void put_parties(struct builder *b, const struct found_rest *f) {
  const struct found_party *parties = f->parties.rows;
  for (size_t i = 0; i < f->parties.num; i++) say_party(b, &parties[i]);
}

static void put_rests(struct builder *b, const struct found_idle *f) {
  const struct found_rows *rests = &f->rests;
  const struct found_rest *rows = rests->rows;
  builder_format(b, "%s for %s of %s",
                 f->is_awaited ? "No thread of the program ran, was blocked or in I/O"
                               : "The program was idle",
                 UNIT_TIME(f->time), UNIT_TIME(f->recorded));
  if (rests->num == 0) builder_string(b, ": its threads waited for work");
  for (size_t i = 0; i < rests->num; i++) {
    builder_string(b, i == 0 ? ": " : "; ");
    say_rest(b, &rows[i]);
    put_parties(b, &rows[i]);
  }
  builder_char(b, '.');
}

void say_idle(struct builder *b, const struct found_idle *f) { put_rests(b, f); }

void say_pause(struct builder *b, const struct found_pause *f) {
  struct found_idle idle = {f->time, f->recorded, f->is_awaited, f->rests};
  put_rests(b, &idle);
}

/* " for 2.98 s", " for at least 2.98 s", " for 1.50 s to 2.98 s" */
static void put_lengths(struct builder *b, const struct found_rest *f) {
  if (f->longest > f->shortest + f->shortest / 10) {
    builder_format(b, " for %s to %s", UNIT_TIME(f->shortest), UNIT_TIME(f->longest));
  } else {
    bool are_equal = strcmp(UNIT_TIME(f->shortest), UNIT_TIME(f->longest)) == 0;
    builder_format(b, " for %s%s", f->is_least || !are_equal ? "at least " : "",
                   UNIT_TIME(f->shortest));
  }
}

/* "main has waited in Future.get at A.b (A.java:7) for 2.98 s" */
static void put_open_calls(struct builder *b, const struct found_rest *f) {
  builder_format(b, "%s %s %s", f->threads, f->num_threads == 1 ? "has" : "have",
                 does(f, "io")       ? "been"
                 : does(f, "parked") ? "been parked"
                                     : "waited");
  put_where(b, f);
  if (f->since_before) {
    builder_string(b, " since before the recording");
  } else {
    put_lengths(b, f);
  }
  say_pool_note(b, f->pool_workers);
}

void say_standstill(struct builder *b, const struct found_standstill *f) {
  const struct found_rest *calls = f->calls.rows;
  builder_format(b, "Nothing moved in the program for the last %s", UNIT_TIME(f->still));
  for (size_t i = 0; i < f->calls.num; i++) {
    builder_string(b, i == 0 ? ": " : "; ");
    put_open_calls(b, &calls[i]);
  }
  builder_char(b, '.');
}

/* " When the recording ended, pool-1-thread-1…8 had been in one such call for at least 29.8 s." */
static void put_standing(struct builder *b, const struct found_io *f) {
  const struct found_rest *rest = f->standing.rows;
  if (f->standing.num == 0) return;
  builder_format(b, " When the recording ended, %s had been in one such call for at least %s",
                 rest->threads, UNIT_TIME(rest->shortest));
  say_pool_note(b, rest->pool_workers);
  builder_char(b, '.');
}

void say_io(struct builder *b, const struct found_io *f) {
  const struct found_rest *calls = f->calls.rows;
  if (f->calls.num == 0) return;
  builder_string(b, "I/O: ");
  say_rest(b, calls);
  builder_format(b,
                 ". That is %s%s of the time in which threads ran, were ready to run, blocked or "
                 "in I/O.",
                 calls->total_is_least ? "at least " : "", UNIT_SHARE(calls->total, f->worked));
  if (f->lock_blocked > 0) {
    builder_format(b, " There %s held ", f->lock_holder);
    say_the_lock(b, &f->lock);
    builder_format(b, ", for which %s waited %s.", f->lock_waiters, UNIT_TIME(f->lock_blocked));
  }
  put_standing(b, f);
}

/* "request-2…4 waited for 8.70 s in total at P until request-1 had initialized Config, whose static
   initializer was at Q for 2.9 s" */
static void put_class_wait(struct builder *b, const struct found_stood *f) {
  builder_format(b, "%s waited for %s%s%s", f->threads, f->time_is_least ? "at least " : "",
                 UNIT_TIME(f->time), f->num_threads > 1 ? " in total" : "");
  say_at(b, &f->place);
  builder_format(b, " until %s had initialized %s", f->initializer, f->class_name);
  if (f->initializer_place.text != NULL) {
    builder_string(b, ", whose static initializer was");
    say_at(b, &f->initializer_place);
    builder_format(b, " for %s", UNIT_TIME(f->initialized));
  }
  builder_char(b, '.');
}

void say_stood(struct builder *b, const struct found_stood *f) {
  if (f->waited_for_class) {
    put_class_wait(b, f);
    return;
  }
  builder_format(b, "%s stood for %s%s", f->threads, UNIT_TIME(f->time),
                 f->num_threads > 1 ? " in total" : "");
  if (f->place.text != NULL) say_at(b, &f->place);
  builder_string(b, ", without using a CPU or waiting for one");
  if (f->initializer != NULL) {
    builder_format(b, ". Meanwhile %s was in the static initializer of %s", f->initializer,
                   f->class_name);
    if (f->initializer_place.text != NULL) say_at(b, &f->initializer_place);
    builder_format(b, " for %s: a thread that needs the class waits for that",
                   UNIT_TIME(f->initialized));
  }
  builder_char(b, '.');
}

/* --- calls that take time -------------------------------------------------------------------- */

void say_known_method(struct builder *b, const struct found_known_method *f) {
  builder_format(b, "Known: %s threads %s %s (%s of all %s) in %s: %s. To do: %s. See %s",
                 UNIT_COUNT(f->threads), f->is_cpu ? "used" : "waited", UNIT_TIME(f->time),
                 UNIT_SHARE(f->time, f->whole), f->is_cpu ? "CPU time of Java threads" : "waits",
                 f->method, f->why, f->advice, f->source);
}

void say_joins(struct builder *b, const struct found_joins *f) {
  builder_format(b, "%s threads spent %s in Thread.join (", UNIT_COUNT(f->threads),
                 UNIT_TIME(f->total));
  unit_many(b, f->calls, "time", "times");
  builder_string(b, "), at ");
  say_shares(b, &f->places, f->more_places, f->whole);
  builder_string(b, ": a thread that starts others and joins them could do part of their work.");
}

/* --- thread pools ------------------------------------------------------------------------------
 */

/* What more threads gain while others use the CPUs is not known: they take CPU time from others. */
static void put_larger(struct builder *b, const struct found_pool *f) {
  if (f->takes_from_others) {
    builder_string(b,
                   ", but the CPUs are full, also with work of others: what twice as many threads "
                   "would gain is not known");
  } else {
    say_gain_of(b, &f->gain,
                f->has_io ? "with twice as many threads, if their I/O took no longer then,"
                          : "with twice as many threads");
  }
}

/* " On average a task waited 3.02 s, the longest 5.97 s. 46 tasks that were queued at A.b
   (A.java:7) waited 435 ms on average, the longest 896 ms." */
static void put_task_waits(struct builder *b, const struct found_pool *f) {
  const struct found_task_group *groups = f->groups.rows;
  builder_format(b, " On average a task waited %s in it, the longest %s",
                 UNIT_TIME(f->queued / f->tasks), UNIT_TIME(f->longest_queued));
  for (size_t i = 0; i < f->groups.num && groups[i].tasks > 0; i++) {
    builder_string(b, i == 0 ? ": " : "; ");
    unit_many(b, groups[i].tasks, "task", "tasks");
    if (groups[i].place.text != NULL) builder_format(b, " of %s", groups[i].place.text);
    builder_format(b, " %s", UNIT_TIME(groups[i].queued / groups[i].tasks));
    builder_format(b, ", the longest %s", UNIT_TIME(groups[i].longest));
  }
  builder_char(b, '.');
}

/* What the threads were busy with. A task that sleeps or is in I/O may still hold a lock. */
static void put_work(struct builder *b, const struct found_pool *f) {
  const struct found_rest *work = f->work.rows;
  for (size_t i = 0; i < f->work.num; i++) {
    bool can_more = does(&work[i], "sleeps") || does(&work[i], "io");
    builder_string(b, f->threads == 1 ? " Its thread " : " Its threads ");
    say_rest(b, &work[i]);
    builder_format(b, ", %s of the time in which %s busy.", UNIT_SHARE(work[i].total, f->busy),
                   work[i].num_threads == 1 ? "it was" : "they were");
    if (!can_more || f->gain.num > 0) continue;
    builder_string(b,
                   " More threads would run more tasks at once, unless these need the same lock.");
  }
}

void say_pool(struct builder *b, const struct found_pool *f) {
  builder_format(b, "Tasks spent %s of their time in the queue of %s, ",
                 UNIT_SHARE(f->queued, f->queued + f->ran), f->name);
  if (f->threads == 1) {
    builder_string(b, "whose only thread was busy");
  } else {
    builder_format(b, "whose %s threads were all busy", UNIT_COUNT(f->threads));
  }
  builder_format(b, " for %s of the time in which tasks were in it.",
                 UNIT_SHARE(f->full, f->waiting));
  if (f->path > 0) {
    builder_format(b, " The critical path waited for this queue for %s of its time",
                   UNIT_SHARE(f->path, f->whole_path));
    put_larger(b, f);
    builder_char(b, '.');
  }
  if (!f->is_crowded || f->tasks == 0) return;
  put_task_waits(b, f);
  put_work(b, f);
}

/* --- full queues ----------------------------------------------------------------------------- */

static const char *find_taker_words(const char *does, bool is_one) {
  if (strcmp(does, "sleeps") == 0) return "slept";
  if (strcmp(does, "waits") == 0) return "waited";
  if (strcmp(does, "parked") == 0) return is_one ? "was parked" : "were parked";
  return is_one ? "was" : "were";
}

/* " was in a file sync at A.b (A.java:7) for 93 % of its time, by samples." */
static void put_taker_work(struct builder *b, const struct found_full_queue *f) {
  bool is_one = f->num_takers == 1;
  builder_format(b, " %s", find_taker_words(f->does, is_one));
  if (f->call != NULL) builder_format(b, " in %s", f->call);
  say_at(b, &f->taker_place);
  builder_format(b, " for %s of %s time, by samples.", UNIT_SHARE(f->time, f->sampled),
                 is_one ? "its" : "their");
}

/* " wal-appender, which took from it, was in a file sync …" */
static void put_takers(struct builder *b, const struct found_full_queue *f) {
  if (f->time == 0) {
    builder_format(b, " %s took from it.", f->takers);
    return;
  }
  builder_format(b, " %s, which took from it,", f->takers);
  put_taker_work(b, f);
}

/* Whether the queue grew depends on calls that have no lines. */
void say_backlog(struct builder *b, const struct found_backlog *f) {
  bool is_one = f->num_takers == 1;
  builder_format(b, "%s put %s elements into %s", f->putters, UNIT_COUNT(f->put), f->queue);
  say_at(b, &f->place);
  builder_format(b, ", but %s got only %s of them by take or by poll with a time limit, ",
                 f->takers, UNIT_COUNT(f->taken));
  builder_format(b, "and hardly waited for one (%s in total). ", UNIT_TIME(f->waited));
  builder_format(b, "Unless other calls removed elements, such as drainTo, the queue grew by %s.",
                 UNIT_COUNT(f->put - f->taken));
  if (f->time == 0) return;
  struct found_full_queue takers = {.num_takers = f->num_takers,
                                    .does = f->does,
                                    .call = f->call,
                                    .taker_place = f->taker_place,
                                    .time = f->time,
                                    .sampled = f->sampled};
  builder_string(b, is_one ? " The thread that took" : " The threads that took");
  put_taker_work(b, &takers);
}

void say_full_queue(struct builder *b, const struct found_full_queue *f) {
  const struct found_rest *waits = f->waits.rows;
  if (f->waits.num == 0) return;
  say_rest(b, waits);
  builder_format(b, " for %s %s.", f->has_no_room ? "room in" : "a thread that takes from",
                 f->queue);
  put_takers(b, f);
}
