#include "sampler/sampler.h"

#include <time.h>

#include "agent/base/clock.h"
#include "agent/base/log.h"
#include "sampler/round.h"
#include "sampler/schedule.h"

#define FULL_EVERY 50    /* intervals, at least, from one full tick to the next */
#define LIGHT_EVERY 5    /* intervals between light ticks while signals sample the CPU */
#define LIGHT_SHARE 0.02 /* of one CPU, at most, that light ticks take */
#define IDLE_SHARE 0.002 /* of one CPU: a process that uses less has nothing to show */

void sampler_init(struct sampler *s, struct threads *threads) {
  *s = (struct sampler){.threads = threads};
  cpu_sampler_init(&s->cpu, threads->recorder);
}

static uint64_t cpu_ns(clockid_t whose) {
  struct timespec t;
  clock_gettime(whose, &t);
  return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* CPU time of the process less that of this thread: its wake-ups alone are nothing to look at. */
static int64_t cpu_of_others(void) {
  return (int64_t)cpu_ns(CLOCK_PROCESS_CPUTIME_ID) - (int64_t)cpu_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* When which tick is due. */
struct due {
  uint64_t full_at; /* the next full one */
  uint64_t light_at;
  uint64_t seen_at; /* the end of the last one, and */
  int64_t seen_cpu; /* the CPU time of the others then */
};

static bool is_idle(const struct due *d, uint64_t now) {
  return (double)(cpu_of_others() - d->seen_cpu) < IDLE_SHARE * (double)(now - d->seen_at);
}

/* One tick, if there is something to see; returns when to look again. */
static uint64_t tick(struct sampler *s, struct round *r, struct due *d) {
  const struct options *o = &s->threads->recorder->options;
  uint64_t start = clock_monotonic_ns(), next = start + o->interval;
  uint64_t light_ns = cpu_sampler_is_on(&s->cpu) ? LIGHT_EVERY * o->interval : o->interval;
  if (start >= d->full_at) {
    uint64_t pause = round_full(r);
    __atomic_fetch_add(&s->pause_total_ns, pause, __ATOMIC_RELAXED);
    d->full_at = start + schedule_wait(FULL_EVERY * o->interval, o->budget, pause);
  } else if (start >= d->light_at && !is_idle(d, start)) {
    /* That of this thread: the time that it waits for others costs nothing. */
    uint64_t cpu = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
    round_light(r);
    cpu = cpu_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
    d->light_at = start + schedule_wait(light_ns, LIGHT_SHARE, cpu);
  } else {
    return next;
  }
  d->seen_at = clock_monotonic_ns();
  d->seen_cpu = cpu_of_others();
  return next;
}

static void run(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct sampler *s = arg;
  struct round r = {
      .threads = s->threads, .mounted = &s->mounted, .ended = &s->ended, .ti = ti, .jni = jni};
  struct due due = {0};
  uint64_t next, now;
  round_base(&r);
  if (s->machine != NULL) machine_start(s->machine, ti, jni);
  if (cpu_sampler_is_on(&s->cpu)) cpu_sampler_learn(&s->cpu, ti, jni);
  do {
    next = tick(s, &r, &due);
    if (cpu_sampler_is_on(&s->cpu)) cpu_sampler_drain(&s->cpu, ti, jni);
    if (s->machine != NULL) machine_tick(s->machine, ti, jni);
    now = clock_monotonic_ns();
  } while (agent_thread_sleep(self, next > now ? next - now : 0));
  round_light(&r); /* the CPU time up to the end */
  cpu_sampler_stop(&s->cpu, ti, jni);
  if (s->machine != NULL) machine_stop(s->machine, ti, jni);
  ended_threads_close(&s->ended);
  round_free(&r);
}

/* Where signals cannot be had, CPU time is sampled as the ticks see it. */
static void start_cpu(struct sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  if (s->threads->recorder->options.sampler != SAMPLER_SIGNAL) return;
  s->cpu.tids = s->machine == NULL ? NULL : &s->machine->tids;
  if (cpu_sampler_start(&s->cpu, s->threads, ti, jni)) return;
  log_line("sampler=signal: %s; CPU time is sampled at safepoints instead, which can be far off",
           s->cpu.fallback);
}

/* The thread of the last recording may still be at work if the disk was slow when that ended. */
bool sampler_start(struct sampler *s, jvmtiEnv *ti, JNIEnv *jni) {
  if (agent_thread_is_running(&s->thread)) return false;
  s->pause_total_ns = 0;
  cpu_sampler_reset(&s->cpu);
  if (s->threads->recorder->options.interval == 0) return true;
  if (s->machine != NULL) machine_open(s->machine);
  start_cpu(s, ti, jni);
  carriers_init(&s->mounted, ti);
  ended_threads_open(&s->ended);
  bool good = agent_thread_start(&s->thread, "Orca sampler", s->threads, ti, jni, run, s);
  if (!good) cpu_sampler_stop(&s->cpu, ti, jni);
  return good;
}

void sampler_thread_begins(struct sampler *s, JNIEnv *jni, jthread thread, uint32_t hash) {
  cpu_sampler_thread_begins(&s->cpu, jni, thread, hash);
}

/* What the thread's clock shows beyond its life is from before it was a Java thread. */
void sampler_thread_ends(struct sampler *s, jvmtiEnv *ti, uint32_t thread, uint64_t begun_ns,
                         unsigned lane) {
  jlong cpu = 0;
  cpu_sampler_thread_ends(&s->cpu, thread, lane);
  if (!ended_threads_is_open(&s->ended)) return;
  if ((*ti)->GetCurrentThreadCpuTime(ti, &cpu) != JVMTI_ERROR_NONE) return;
  int64_t most = (int64_t)(clock_monotonic_ns() - begun_ns);
  ended_threads_add(&s->ended, thread, cpu < most ? cpu : most);
}

void sampler_stop(struct sampler *s) { agent_thread_stop(&s->thread, NS_PER_S); }
