#include "sampler/sampler.h"

#include <time.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "sampler/missing_parties.h"
#include "sampler/round.h"

#define FULL_EVERY 50    /* full ticks are at least this many intervals apart */
#define LIGHT_EVERY 5    /* the same for light ticks while signals sample the CPU; otherwise 1 */
#define IDLE_SHARE 0.002 /* a process that uses less than this share of one CPU is idle */
/* Light ticks use at most this share of one CPU; half of it while signals sample the CPU. */
#define LIGHT_SHARE 0.02
#define BUSY 0.5                    /* CPUs; a process that uses less gets a part of the budget */
#define IDLE_WAIT_NS (5 * NS_PER_S) /* what little use of the CPU can add up to */
#define LOAD_NS NS_PER_S /* the least time over which the CPU use of the process is measured */

void sampler_init(struct sampler *s, struct threads *threads) {
  *s = (struct sampler){.threads = threads};
  cpu_sampler_init(&s->cpu, threads->recorder);
}

static uint64_t read_interval(const struct sampler *s) {
  return __atomic_load_n(&s->threads->recorder->options.interval, __ATOMIC_RELAXED);
}

static double read_budget(const struct sampler *s) {
  double budget;
  __atomic_load(&s->threads->recorder->options.budget, &budget, __ATOMIC_RELAXED);
  return budget;
}

static uint64_t read_cpu_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Returns the CPU time of all threads except this one, in nanoseconds. The wake-ups of this thread
   alone do not make the process busy. */
static int64_t read_other_cpu(void) {
  return (int64_t)read_cpu_clock(CLOCK_PROCESS_CPUTIME_ID) -
         (int64_t)read_cpu_clock(CLOCK_THREAD_CPUTIME_ID);
}

/* A tick: when it began (clock_monotonic_ns), and what it cost. All zero: there was none. */
struct tick {
  uint64_t start_ns, cost_ns;
};

/* The CPU use of the process, without the sampler's thread. */
struct load {
  uint64_t since_ns;
  int64_t cpu_ns; /* read_other_cpu at that time */
  double used;    /* in the last LOAD_NS or longer before it: 1.0 is one CPU */
};

/* The last ticks. When the next ones are due depends on options that can change. */
struct due {
  struct tick full, light;
  uint64_t last_end_ns;
  int64_t last_cpu_ns; /* read_other_cpu at that time */
  struct load load;
};

static void measure_load(struct load *l, uint64_t now) {
  if (now - l->since_ns < LOAD_NS) return;
  int64_t cpu = read_other_cpu();
  l->used = (double)(cpu - l->cpu_ns) / (double)(now - l->since_ns);
  l->since_ns = now;
  l->cpu_ns = cpu;
}

static bool is_process_idle(const struct due *d, uint64_t now) {
  return (double)(read_other_cpu() - d->last_cpu_ns) < IDLE_SHARE * (double)(now - d->last_end_ns);
}

uint64_t sampler_wait(uint64_t interval_ns, double budget, double used, uint64_t cost_ns) {
  double wait_ns = (double)interval_ns, busy_ns = (double)cost_ns / budget;
  double idle_ns = used > 0 ? busy_ns * BUSY / used : IDLE_WAIT_NS;
  if (idle_ns > IDLE_WAIT_NS) idle_ns = IDLE_WAIT_NS;
  if (idle_ns > wait_ns && cost_ns > 0) wait_ns = idle_ns;
  return (uint64_t)(busy_ns > wait_ns ? busy_ns : wait_ns);
}

static bool is_due(const struct tick *last, uint64_t now, uint64_t interval_ns, double share,
                   double used) {
  return last->start_ns == 0 ||
         now >= last->start_ns + sampler_wait(interval_ns, share, used, last->cost_ns);
}

static void note_pause(struct recording_figures *f, uint64_t pause) {
  uint64_t longest = figure_get(&f->sampler_pause_longest);
  figure_add(&f->sampler_pauses, 1);
  figure_add(&f->sampler_pause_total, pause);
  if (pause > longest) figure_add(&f->sampler_pause_longest, pause - longest);
}

/* What counts is the pause, in which nobody runs, or the CPU time, if that is longer. */
static void make_full_tick(struct sampler *s, struct round *r, uint64_t start, struct tick *out) {
  uint64_t cpu = read_cpu_clock(CLOCK_THREAD_CPUTIME_ID);
  uint64_t pause = round_make_full_tick(r);
  cpu = read_cpu_clock(CLOCK_THREAD_CPUTIME_ID) - cpu;
  note_pause(&s->threads->recorder->figures, pause);
  *out = (struct tick){start, pause > cpu ? pause : cpu};
}

/* Only CPU time counts: waiting for other threads costs nothing. */
static void make_light_tick(struct round *r, uint64_t start, struct tick *out) {
  uint64_t cpu = read_cpu_clock(CLOCK_THREAD_CPUTIME_ID);
  round_make_light_tick(r);
  *out = (struct tick){start, read_cpu_clock(CLOCK_THREAD_CPUTIME_ID) - cpu};
}

/* Makes a tick if one is due. A light tick is skipped while the process is idle, unless
   it asks what a thread waits for. Returns when to
   call this function again. */
static uint64_t make_tick(struct sampler *s, struct round *r, struct due *d) {
  uint64_t interval = read_interval(s);
  uint64_t start = clock_monotonic_ns(), next = start + interval;
  bool has_signals = cpu_sampler_is_on(&s->cpu);
  uint64_t light_interval = has_signals ? LIGHT_EVERY * interval : interval;
  double light_share = has_signals ? LIGHT_SHARE / 2 : LIGHT_SHARE;
  double light_used = has_signals ? d->load.used : 1; /* else they are all that tells CPU time */
  if (is_due(&d->full, start, FULL_EVERY * interval, read_budget(s), d->load.used)) {
    make_full_tick(s, r, start, &d->full);
  } else if (is_due(&d->light, start, light_interval, light_share, light_used) &&
             (!is_process_idle(d, start) || round_wants_tick(r))) {
    make_light_tick(r, start, &d->light);
  } else {
    return next;
  }
  d->last_end_ns = clock_monotonic_ns();
  d->last_cpu_ns = read_other_cpu();
  return next;
}

static void follow_interval(struct sampler *s) {
  uint64_t interval = read_interval(s);
  if (interval == s->interval_ns) return;
  cpu_sampler_set_interval(&s->cpu, interval);
  s->interval_ns = interval;
}

static void run_sampler(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct sampler *s = arg;
  struct round r = {
      .threads = s->threads, .carriers = &s->carriers, .ended = &s->ended, .ti = ti, .jni = jni};
  struct due due = {.load = {clock_monotonic_ns(), read_other_cpu(), /* not known yet */ 1.0}};
  uint64_t next, now;
  round_take_base(&r);
  class_waits_open(&r.class_waits, ti, jni);
  r.blocker = missing_parties_find_field(jni);
  if (s->machine != NULL) machine_start(s->machine, ti, jni);
  if (cpu_sampler_is_on(&s->cpu)) cpu_sampler_request_code(&s->cpu, ti, jni);
  do {
    follow_interval(s);
    next = make_tick(s, &r, &due);
    if (cpu_sampler_is_on(&s->cpu)) cpu_sampler_drain(&s->cpu, ti, jni);
    if (s->machine != NULL) machine_tick(s->machine, ti, jni);
    now = clock_monotonic_ns();
    measure_load(&due.load, now);
  } while (agent_thread_sleep(self, next > now ? next - now : 0));
  round_make_last_tick(&r); /* records the CPU time up to the end */
  cpu_sampler_stop(&s->cpu, ti, jni);
  if (s->machine != NULL) machine_stop(s->machine, ti, jni);
  ended_threads_close(&s->ended);
  round_free(&r);
}

/* If signals cannot be used, the Sample lines of the ticks provide the CPU time. */
static void start_cpu_sampler(struct sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  const char *why;
  if (s->threads->recorder->options.sampler != SAMPLER_SIGNAL) return;
  s->cpu.tids = s->machine == NULL ? NULL : &s->machine->tids;
  if (cpu_sampler_start(&s->cpu, s->threads, ti, jni, &why)) return;
  struct recording_figures *figures = &s->threads->recorder->figures;
  figure_set_text(&figures->sampler, "safepoint");
  figure_set_text(&figures->sampler_fallback, why);
  log_line("sampler=signal: %s; CPU time is sampled at safepoints instead, which can be far off",
           why);
}

/* The thread of the last recording may still run if the disk was slow when that recording ended. */
bool sampler_start(struct sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  if (agent_thread_is_running(&s->thread)) return false;
  if (s->threads->recorder->options.interval == 0) return true;
  s->interval_ns = read_interval(s);
  if (s->machine != NULL) machine_open(s->machine);
  origin_init(&s->origin, jni);
  start_cpu_sampler(s, ti, jni);
  carriers_init(&s->carriers, ti);
  ended_threads_open(&s->ended, meta_recording(&s->threads->recorder->meta));
  bool good = agent_thread_start(&s->thread, "Orca sampler", s->threads, ti, jni, run_sampler, s);
  if (!good) cpu_sampler_stop(&s->cpu, ti, jni);
  return good;
}

void sampler_change(struct sampler *s) {
  if (s->thread.ready) agent_thread_wake(&s->thread);
}

/* All CPU time of the current kernel thread belongs to its Java thread. */
static __thread bool is_java_only;

void sampler_thread_begins(struct sampler *s, JNIEnv *jni, jthread thread, uint32_t hash) {
  is_java_only = origin_is_java(&s->origin, jni, thread);
  cpu_sampler_thread_begins(&s->cpu, jni, thread, hash, is_java_only);
}

/* CPU time that exceeds the life of the Java thread is from before it became a Java thread, unless
   the kernel thread was made for it. */
void sampler_thread_ends(struct sampler *s, jvmtiEnv *ti, const struct context *c) {
  jlong cpu = 0;
  cpu_sampler_thread_ends(&s->cpu, c->thread, c->lane);
  if (!ended_threads_wants(&s->ended, c->recording)) return;
  if ((*ti)->GetCurrentThreadCpuTime(ti, &cpu) != JVMTI_ERROR_NONE) return;
  int64_t max_cpu = (int64_t)(clock_monotonic_ns() - c->begun_ns);
  ended_threads_add(&s->ended, c->recording, c->thread,
                    is_java_only || cpu < max_cpu ? cpu : max_cpu);
}

void sampler_stop(struct sampler *s) { agent_thread_stop(&s->thread, NS_PER_S); }
