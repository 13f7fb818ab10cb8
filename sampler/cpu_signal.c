#include "sampler/cpu_signal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

/* ThreadSanitizer does not see that a timer is set before its signal comes. */
#ifdef ORCA_TSAN
void __tsan_acquire(void *);
void __tsan_release(void *);
#define HAND_OVER(timer) __tsan_release(timer)
#define RECEIVE(timer) __tsan_acquire(timer)
#else
#define HAND_OVER(timer) ((void)(timer))
#define RECEIVE(timer) ((void)(timer))
#endif

#define NUM_CAPTURES 512
#define BIRTH_NS                                                                        \
  (5 * NS_PER_MS) /* a new Java thread whose clock shows more is an older thread of the \
                     kernel's: DestroyJavaVM, or a native one that was attached */

#define MARGIN_NS                                                                     \
  20000 /* a timer that is set for a time that is over would fire at once, and in the \
           agent's own code */

struct cpu_timer {
  struct cpu_timer *next; /* of those not in use; under `lock` */
  struct cpu_signal *owner;
  int32_t number; /* its place in `chunks`; the signal carries it */
  int32_t tid;    /* atomic; 0: not in use, and the handler ignores the signal */
  int32_t busy;   /* atomic; handlers that look at it */
  uint32_t thread;
  uintptr_t java_thread, stack_low, stack_end;
  timer_t timer;
  clockid_t clock;
  /* Of the handler: */
  int64_t base_ns;  /* the thread's clock when its sampling began */
  int64_t last_ns;  /* the thread's clock at its last capture */
  int64_t interval; /* number of the interval of the next sample, from 0 */
  uint64_t random;
};

#define CHUNK 64
#define MAX_CHUNKS 1024 /* 65,536 threads */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cpu_timer *unused; /* under lock. Timers are reused, never freed: a late signal may
                                    still name one */
static struct cpu_timer *chunks[MAX_CHUNKS]; /* of CHUNK timers each */
static int32_t num_chunks;                   /* atomic */
static int64_t tick_ns, ticks;               /* of the kernel; and how many an interval has */

static int64_t read_clock(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t) != 0) return -1;
  return (int64_t)t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

/* --- when to sample ------------------------------------------------------------------------- */

static uint64_t next_random(struct cpu_timer *t) { /* xorshift64 */
  t->random ^= t->random << 13;
  t->random ^= t->random >> 7;
  t->random ^= t->random << 17;
  return t->random;
}

/* Arms the timer for a random tick of the next interval. Only async-signal-safe calls. */
static bool arm(struct cpu_timer *t, int64_t now) {
  int64_t tick = t->interval * ticks + (int64_t)(next_random(t) % (uint64_t)ticks);
  int64_t due = t->base_ns + tick * tick_ns;
  if (due < now + MARGIN_NS) due = now + MARGIN_NS;
  HAND_OVER(t);
  struct itimerspec when = {.it_value = {due / (int64_t)NS_PER_S, due % (int64_t)NS_PER_S}};
  return timer_settime(t->timer, TIMER_ABSTIME, &when, NULL) == 0;
}

static void arm_next(struct cpu_timer *t, int64_t now) {
  int64_t current = (now - t->base_ns) / (ticks * tick_ns);
  t->interval = t->interval + 1 > current ? t->interval + 1 : current;
  arm(t, now);
}

/* --- the handler ---------------------------------------------------------------------------- */

/* The words that lie between `from` and the end of the stack. No sanitizer looks into this: the
   stack belongs to other code, and may have red zones. */
static uint32_t copy_stack(uint8_t *to, uintptr_t from, const struct cpu_timer *t) {
  from &= ~(uintptr_t)7;
  bool is_inside = from >= t->stack_low && from < t->stack_end;
  size_t len = is_inside ? t->stack_end - from : 0; /* nothing of an alternate stack */
  if (len > CAPTURE_STACK_BYTES) len = CAPTURE_STACK_BYTES;
  size_t words = len / 8;
#ifdef __x86_64__
  __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
#else
  for (size_t i = 0; i < words; i++) {
    ((volatile uintptr_t *)(void *)to)[i] = ((const volatile uintptr_t *)from)[i];
  }
#endif
  return (uint32_t)(len / 8 * 8);
}

static void copy_registers(struct capture *c, const ucontext_t *u) {
#ifdef __x86_64__
  c->pc = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
  c->sp = (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
  c->fp = (uintptr_t)u->uc_mcontext.gregs[REG_RBP];
  c->bcp = (uintptr_t)u->uc_mcontext.gregs[REG_R13];
#else
  (void)u;
  c->pc = c->sp = c->fp = c->bcp = 0;
#endif
}

/* Of the thread's own JavaThread, which lives as long as the thread runs Java code. */
#define OWN_WORD(type, t, offset) (*(const volatile type *)((t)->java_thread + (offset)))

static void copy_java_thread(struct capture *c, const struct cpu_timer *t,
                             const struct hotspot *h) {
  uint64_t anchor = h->at[HOTSPOT_THREAD_ANCHOR];
  c->anchor_sp = OWN_WORD(uintptr_t, t, anchor + h->at[HOTSPOT_ANCHOR_SP]);
  c->anchor_pc = OWN_WORD(uintptr_t, t, anchor + h->at[HOTSPOT_ANCHOR_PC]);
  c->anchor_fp = OWN_WORD(uintptr_t, t, anchor + h->at[HOTSPOT_ANCHOR_FP]);
  c->state = OWN_WORD(int32_t, t, h->at[HOTSPOT_THREAD_STATE]);
  c->mounted =
      h->has[HOTSPOT_THREAD_OWNER_ID] ? OWN_WORD(uint64_t, t, h->at[HOTSPOT_THREAD_OWNER_ID]) : 0;
}

static void capture(struct cpu_timer *t, const ucontext_t *context) {
  struct cpu_signal *s = t->owner;
  int64_t now = read_clock(CLOCK_THREAD_CPUTIME_ID);
  struct capture *c = captures_take(s->captures);
  if (c == NULL) {
    __atomic_fetch_add(&s->dropped, 1, __ATOMIC_RELAXED); /* the next capture includes its time */
  } else {
    c->thread = t->thread;
    c->cpu_ns = now - t->last_ns;
    copy_registers(c, context);
    copy_java_thread(c, t, s->hotspot);
    c->stack_len = copy_stack(c->stack, c->sp, t);
    t->last_ns = now;
    captures_put(s->captures, c);
    __atomic_fetch_add(&s->samples, 1, __ATOMIC_RELAXED);
  }
  arm_next(t, now);
}

/* The timer that a signal names; NULL for a signal that is none of ours. */
static struct cpu_timer *find_timer(const siginfo_t *info) {
  int32_t number = info->si_value.sival_int;
  bool is_ours = info->si_code == SI_TIMER && number >= 0 &&
                 number / CHUNK < __atomic_load_n(&num_chunks, __ATOMIC_ACQUIRE);
  return is_ours ? &chunks[number / CHUNK][number % CHUNK] : NULL;
}

static void on_signal(int number, siginfo_t *info, void *context) {
  (void)number;
  int saved = errno;
  struct cpu_timer *t = find_timer(info);
  if (t == NULL) return;
  __atomic_fetch_add(&t->busy, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&t->tid, __ATOMIC_SEQ_CST) == (int32_t)syscall(SYS_gettid)) {
    RECEIVE(t);
    capture(t, context);
  }
  __atomic_fetch_sub(&t->busy, 1, __ATOMIC_SEQ_CST);
  errno = saved;
}

/* --- the signal ----------------------------------------------------------------------------- */

/* glibc and the JVM keep the first ones for themselves; few programs go that high. */
static int find_free_signal(void) {
  for (int number = SIGRTMAX; number > SIGRTMIN; number--) {
    struct sigaction there;
    if (sigaction(number, NULL, &there) != 0) continue;
    if ((there.sa_flags & SA_SIGINFO) == 0 && there.sa_handler == SIG_DFL) return number;
    if ((there.sa_flags & SA_SIGINFO) != 0 && there.sa_sigaction == on_signal) return number;
  }
  return 0;
}

static bool install(struct cpu_signal *s) {
  struct sigaction action = {.sa_sigaction = on_signal,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  s->number = find_free_signal();
  return s->number != 0 && sigaction(s->number, &action, NULL) == 0;
}

static void find_ticks(uint64_t interval_ns) {
  struct timespec resolution;
  tick_ns = clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) == 0 && resolution.tv_nsec > 0
                ? resolution.tv_nsec
                : 4000000;
  ticks = ((int64_t)interval_ns + tick_ns / 2) / tick_ns;
  if (ticks == 0) ticks = 1;
}

bool cpu_signal_start(struct cpu_signal *s, const struct hotspot *h, uint64_t interval_ns,
                      const char **why) {
  struct captures *captures = s->captures;
  *s = (struct cpu_signal){.hotspot = h, .captures = captures};
#ifndef __x86_64__
  *why = "stacks can be decoded on x86-64 only";
  return false;
#endif
  if (captures == NULL) s->captures = captures_new(NUM_CAPTURES);
  *why = "there is no memory for samples";
  if (s->captures == NULL) return false;
  find_ticks(interval_ns);
  *why = "no real-time signal is free";
  return install(s);
}

bool cpu_signal_is_installed(const struct cpu_signal *s) {
  struct sigaction there;
  return s->number != 0 && sigaction(s->number, NULL, &there) == 0 &&
         (there.sa_flags & SA_SIGINFO) != 0 && there.sa_sigaction == on_signal;
}

void cpu_signal_stop(struct cpu_signal *s) { s->number = 0; }

/* --- timers --------------------------------------------------------------------------------- */

/* Under the lock. */
static void add_chunk(void) {
  int32_t n = num_chunks;
  struct cpu_timer *chunk = n < MAX_CHUNKS ? memory_new_zeroed(CHUNK, sizeof *chunk) : NULL;
  if (chunk == NULL) return;
  for (int32_t i = CHUNK; i > 0; i--) {
    chunk[i - 1].number = n * CHUNK + i - 1;
    chunk[i - 1].next = unused;
    unused = &chunk[i - 1];
  }
  chunks[n] = chunk;
  __atomic_store_n(&num_chunks, n + 1, __ATOMIC_RELEASE);
}

static struct cpu_timer *take_unused(void) {
  pthread_mutex_lock(&lock);
  if (unused == NULL) add_chunk();
  struct cpu_timer *t = unused;
  if (t != NULL) unused = t->next;
  pthread_mutex_unlock(&lock);
  return t;
}

static void give_back(struct cpu_timer *t) {
  pthread_mutex_lock(&lock);
  t->next = unused;
  unused = t;
  pthread_mutex_unlock(&lock);
}

/* The CPU clock of a thread, as the kernel numbers it: posix-timers.h, MAKE_THREAD_CPUCLOCK. */
static clockid_t clock_of(int32_t tid) { return (clockid_t)((~(uint32_t)tid << 3) | 6); }

static bool make_timer(struct cpu_signal *s, struct cpu_timer *t) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                           .sigev_signo = s->number,
                           .sigev_value = {.sival_int = t->number}};
  event._sigev_un._tid = t->tid;
  return timer_create(t->clock, &event, &t->timer) == 0;
}

struct cpu_timer *cpu_timer_new(struct cpu_signal *s, int32_t tid, uint32_t thread,
                                uintptr_t java_thread, uintptr_t stack_low, uintptr_t stack_end,
                                bool is_new) {
  struct cpu_timer *t = take_unused();
  int64_t now = t == NULL ? -1 : read_clock(clock_of(tid));
  if (now >= 0) {
    int64_t base = is_new && now < (int64_t)BIRTH_NS ? 0 : now;
    t->owner = s;
    t->clock = clock_of(tid);
    t->thread = thread;
    t->java_thread = java_thread;
    t->stack_low = stack_low;
    t->stack_end = stack_end;
    t->base_ns = t->last_ns = base;
    t->interval = 0;
    t->random = (clock_monotonic_ns() ^ (uint64_t)(uint32_t)tid << 32) | 1;
    for (int i = 0; i < 8; i++) next_random(t);
    __atomic_store_n(&t->tid, tid, __ATOMIC_SEQ_CST);
    if (make_timer(s, t)) {
      if (arm(t, now)) return t;
      timer_delete(t->timer);
    }
  }
  __atomic_fetch_add(&s->untimed, 1, __ATOMIC_RELAXED);
  if (t != NULL) {
    __atomic_store_n(&t->tid, 0, __ATOMIC_SEQ_CST);
    give_back(t);
  }
  return NULL;
}

#define PATIENCE 1000 /* turns; a handler takes some microseconds, unless its thread has no CPU */

/* A handler that passed its look at `tid` is let finish. */
static bool wait_for_handler(const struct cpu_timer *t) {
  for (int i = 0; i < PATIENCE; i++) {
    if (__atomic_load_n(&t->busy, __ATOMIC_SEQ_CST) == 0) return true;
    sched_yield();
  }
  return false;
}

bool cpu_timer_is_own(const struct cpu_timer *t) {
  return __atomic_load_n(&t->tid, __ATOMIC_SEQ_CST) == (int32_t)syscall(SYS_gettid);
}

int64_t cpu_timer_free(struct cpu_timer *t) {
  __atomic_store_n(&t->tid, 0, __ATOMIC_SEQ_CST);
  bool is_idle = wait_for_handler(t);
  int64_t now = read_clock(t->clock), rest = now > t->last_ns ? now - t->last_ns : 0;
  timer_delete(t->timer);
  if (is_idle) give_back(t); /* else it is never used again */
  return rest;
}
