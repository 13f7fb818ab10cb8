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

/* ThreadSanitizer does not know that setting a timer happens before its signal. */
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

/* The least CPU time from arming a timer to its expiry. A timer that expires at once would sample
   the agent's own code. */
#define MARGIN_NS 20000

struct cpu_timer {
  struct cpu_timer *next; /* links unused timers; under `lock` */
  struct cpu_signal *owner;
  int32_t number;  /* index into `chunks`; the signal contains it */
  int32_t tid;     /* atomic; 0: the timer is unused, and the handler ignores its signal */
  int32_t busy;    /* number of handlers that use the timer now; atomic */
  uint32_t thread; /* identity hash */
  uintptr_t java_thread, stack_low, stack_end;
  timer_t timer;
  clockid_t clock;
  /* The signal handler uses and updates these fields: */
  int64_t base_ns;   /* the thread's CPU clock when sampling began */
  int64_t last_ns;   /* the thread's CPU clock at its last capture */
  int64_t num_ticks; /* kernel ticks in an interval */
  int64_t interval;  /* number of the interval that contains the next sample, from 0 */
  uint64_t random;
};

#define CHUNK 64
#define MAX_CHUNKS 1024 /* 65,536 threads */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* A list; under lock. The memory of timers is reused and never released, since a late signal may
   still refer to any timer. */
static struct cpu_timer *unused;
static struct cpu_timer *chunks[MAX_CHUNKS]; /* arrays of CHUNK timers */
static int32_t num_chunks;                   /* atomic */
static int64_t tick_ns;                      /* length of a kernel tick */
static int64_t num_ticks;                    /* kernel ticks in an interval; atomic */

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

/* Sets the timer to a random kernel tick of interval `t->interval`. `now` is the thread's CPU
   clock. Async-signal-safe. */
static bool arm_timer(struct cpu_timer *t, int64_t now) {
  int64_t tick = t->interval * t->num_ticks + (int64_t)(next_random(t) % (uint64_t)t->num_ticks);
  int64_t due = t->base_ns + tick * tick_ns;
  if (due < now + MARGIN_NS) due = now + MARGIN_NS;
  HAND_OVER(t);
  struct itimerspec when = {.it_value = {due / (int64_t)NS_PER_S, due % (int64_t)NS_PER_S}};
  return timer_settime(t->timer, TIMER_ABSTIME, &when, NULL) == 0;
}

/* Finds the interval of the next sample. Intervals of another length are counted from now on. */
static void begin_next_interval(struct cpu_timer *t, int64_t now) {
  int64_t ticks = __atomic_load_n(&num_ticks, __ATOMIC_RELAXED);
  int64_t passed = (now - t->base_ns) / tick_ns;
  if (ticks != t->num_ticks) {
    t->base_ns += passed * tick_ns;
    t->num_ticks = ticks;
    t->interval = 0;
    return;
  }
  int64_t current = passed / ticks;
  t->interval = t->interval + 1 > current ? t->interval + 1 : current;
}

/* --- the handler ---------------------------------------------------------------------------- */

/* Copies the words from `from` to the end of the stack, and returns the number of bytes. Copies
   nothing if `from` is on another stack, for example an alternate signal stack. Sanitizers must not
   check this copy: the stack belongs to other code, and may contain red zones. */
static uint32_t copy_stack(uint8_t *to, uintptr_t from, const struct cpu_timer *t) {
  from &= ~(uintptr_t)7;
  bool is_inside = from >= t->stack_low && from < t->stack_end;
  size_t len = is_inside ? t->stack_end - from : 0;
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
  c->lr = 0;
  c->bcp = (uintptr_t)u->uc_mcontext.gregs[REG_R13];
#elif defined(__aarch64__)
  c->pc = u->uc_mcontext.pc;
  c->sp = u->uc_mcontext.sp;
  c->fp = u->uc_mcontext.regs[29];
  c->lr = u->uc_mcontext.regs[30];
  c->bcp = u->uc_mcontext.regs[22];
#else
  (void)u;
  c->pc = c->sp = c->fp = c->lr = c->bcp = 0;
#endif
}

/* Reads a field of the thread's own JavaThread, which exists while the thread runs Java code. */
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

static void take_capture(struct cpu_timer *t, const ucontext_t *context) {
  struct cpu_signal *s = t->owner;
  int64_t now = read_clock(CLOCK_THREAD_CPUTIME_ID);
  struct capture *c = captures_take(s->captures);
  if (c == NULL) {
    /* the next capture includes this CPU time */
    figure_add(&s->figures->sampler_signal_dropped, 1);
  } else {
    c->thread = t->thread;
    c->time_ns = clock_monotonic_ns();
    c->cpu_ns = now - t->last_ns;
    copy_registers(c, context);
    copy_java_thread(c, t, s->hotspot);
    c->stack_len = copy_stack(c->stack, c->sp, t);
    t->last_ns = now;
    captures_put(s->captures, c);
    figure_add(&s->figures->sampler_signal_samples, 1);
  }
  begin_next_interval(t, now);
  arm_timer(t, now);
}

static void handle_signal(int signal_number, siginfo_t *info, void *context) {
  (void)signal_number;
  int saved = errno;
  int32_t number = info->si_value.sival_int;
  bool is_timer = info->si_code == SI_TIMER && number >= 0 &&
                  number / CHUNK < __atomic_load_n(&num_chunks, __ATOMIC_ACQUIRE);
  if (!is_timer) return;
  struct cpu_timer *t = &chunks[number / CHUNK][number % CHUNK];
  __atomic_fetch_add(&t->busy, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&t->tid, __ATOMIC_SEQ_CST) == (int32_t)syscall(SYS_gettid)) {
    RECEIVE(t);
    take_capture(t, context);
  }
  __atomic_fetch_sub(&t->busy, 1, __ATOMIC_SEQ_CST);
  errno = saved;
}

/* --- the signal ----------------------------------------------------------------------------- */

static bool is_own_handler(const struct sigaction *a) {
  return (a->sa_flags & SA_SIGINFO) != 0 && a->sa_sigaction == handle_signal;
}

/* The JDK's libnet and libnio interrupt blocked threads by it (linux_close.c, NativeThread.c), and
   install their handlers at the first use. */
#define SIGNAL_OF_JDK (SIGRTMAX - 2)

/* Searches from the highest signal downwards, since glibc, the JVM and most programs use the lowest
   real-time signals. Returns 0 if none is free. */
static int find_free_signal(void) {
  for (int number = SIGRTMAX; number > SIGRTMIN; number--) {
    struct sigaction action;
    if (number == SIGNAL_OF_JDK || sigaction(number, NULL, &action) != 0) continue;
    if ((action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL) return number;
    if (is_own_handler(&action)) return number;
  }
  return 0;
}

static void set_ticks(uint64_t interval_ns) {
  struct timespec resolution;
  tick_ns = clock_getres(CLOCK_MONOTONIC_COARSE, &resolution) == 0 && resolution.tv_nsec > 0
                ? resolution.tv_nsec
                : 4000000;
  cpu_signal_set_interval(interval_ns);
}

void cpu_signal_set_interval(uint64_t interval_ns) {
  int64_t ticks = ((int64_t)interval_ns + tick_ns / 2) / tick_ns;
  __atomic_store_n(&num_ticks, ticks == 0 ? 1 : ticks, __ATOMIC_RELAXED);
}

bool cpu_signal_start(struct cpu_signal *s, const struct hotspot *h,
                      struct recording_figures *figures, uint64_t interval_ns, const char **why) {
  struct captures *captures = s->captures;
  *s = (struct cpu_signal){.hotspot = h, .captures = captures, .figures = figures};
  if (captures == NULL) s->captures = captures_new(NUM_CAPTURES);
  *why = "there is no memory for samples";
  if (s->captures == NULL) return false;
  set_ticks(interval_ns);
  __atomic_store_n(&figures->sampler_tick, (uint64_t)tick_ns, __ATOMIC_RELAXED);
  *why = "no real-time signal is free";
  struct sigaction action = {.sa_sigaction = handle_signal,
                             .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
  sigfillset(&action.sa_mask);
  s->number = find_free_signal();
  return s->number != 0 && sigaction(s->number, &action, NULL) == 0;
}

bool cpu_signal_is_installed(const struct cpu_signal *s) {
  struct sigaction action;
  return s->number != 0 && sigaction(s->number, NULL, &action) == 0 && is_own_handler(&action);
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

static struct cpu_timer *take_timer(void) {
  pthread_mutex_lock(&lock);
  if (unused == NULL) add_chunk();
  struct cpu_timer *t = unused;
  if (t != NULL) unused = t->next;
  pthread_mutex_unlock(&lock);
  return t;
}

static void return_timer(struct cpu_timer *t) {
  pthread_mutex_lock(&lock);
  t->next = unused;
  unused = t;
  pthread_mutex_unlock(&lock);
}

/* Returns the kernel's id of a thread's CPU clock: MAKE_THREAD_CPUCLOCK of posix-timers.h. */
static clockid_t get_cpu_clock(int32_t tid) { return (clockid_t)((~(uint32_t)tid << 3) | 6); }

static bool create_timer(struct cpu_signal *s, struct cpu_timer *t) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                           .sigev_signo = s->number,
                           .sigev_value = {.sival_int = t->number}};
  event._sigev_un._tid = t->tid;
  return timer_create(t->clock, &event, &t->timer) == 0;
}

struct cpu_timer *cpu_timer_new(struct cpu_signal *s, int32_t tid, uint32_t thread,
                                uintptr_t java_thread, uintptr_t stack_low, uintptr_t stack_end,
                                bool is_new) {
  struct cpu_timer *t = take_timer();
  int64_t now = t == NULL ? -1 : read_clock(get_cpu_clock(tid));
  if (now >= 0) {
    int64_t base = is_new ? 0 : now;
    t->owner = s;
    t->clock = get_cpu_clock(tid);
    t->thread = thread;
    t->java_thread = java_thread;
    t->stack_low = stack_low;
    t->stack_end = stack_end;
    t->base_ns = t->last_ns = base;
    t->num_ticks = __atomic_load_n(&num_ticks, __ATOMIC_RELAXED);
    t->interval = 0;
    t->random = (clock_monotonic_ns() ^ (uint64_t)(uint32_t)tid << 32) | 1;
    for (int i = 0; i < 8; i++) next_random(t);
    __atomic_store_n(&t->tid, tid, __ATOMIC_SEQ_CST);
    if (create_timer(s, t)) {
      if (arm_timer(t, now)) return t;
      timer_delete(t->timer);
    }
  }
  figure_add(&s->figures->sampler_signal_untimed, 1);
  if (t != NULL) {
    __atomic_store_n(&t->tid, 0, __ATOMIC_SEQ_CST);
    return_timer(t);
  }
  return NULL;
}

/* Touches no field that the handler uses: the handler may run meanwhile, and arm the timer too. */
void cpu_timer_advance(const struct cpu_timer *t) {
  int64_t length = __atomic_load_n(&num_ticks, __ATOMIC_RELAXED) * tick_ns;
  int64_t now = read_clock(t->clock), random = (int64_t)(clock_monotonic_ns() % (uint64_t)length);
  if (now < 0) return; /* the thread has ended */
  int64_t due = now + MARGIN_NS + random;
  struct itimerspec when = {.it_value = {due / (int64_t)NS_PER_S, due % (int64_t)NS_PER_S}};
  timer_settime(t->timer, TIMER_ABSTIME, &when, NULL);
}

/* A handler takes some microseconds, unless its thread has to wait for a CPU. */
#define MAX_YIELDS 1000

/* Waits until no handler uses the timer: a handler may have read `tid` before cpu_timer_free
   cleared it. Returns false if one still runs after MAX_YIELDS calls of sched_yield. */
static bool wait_for_handler(const struct cpu_timer *t) {
  for (int i = 0; i < MAX_YIELDS; i++) {
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
  int64_t now = read_clock(t->clock), unsampled_ns = now > t->last_ns ? now - t->last_ns : 0;
  timer_delete(t->timer);
  if (is_idle) return_timer(t); /* otherwise the timer is never reused */
  return unsampled_ns;
}
