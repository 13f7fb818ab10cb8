/* The watch of owners=late: a thread of Orca's own that asks who has the monitor that another one
   has blocked on for a while, once soon, for its line, and then now and then for as long as it
   blocks, for a line of its own (MonitorOwner): who hangs shall be seen, and who has it may
   change. */

#include "agent/base/clock.h"
#include "agent/base/memory.h"
#include "agent/monitor/credit.h"
#include "agent/monitor/owners_internal.h"

#define LOOK_NS (2 * NS_PER_MS)     /* between two looks while threads begin to block */
#define GIVE_UP_NS (20 * NS_PER_MS) /* after this the line is about to be written */
#define MISSED_NS (50 * NS_PER_MS)  /* until the second question where there was no first, */
#define AGAIN_NS NS_PER_S           /* where there was; each pause is twice the one before, */
#define RARELY_NS (64 * NS_PER_S)   /* up to this */

/* The last answer of the JVM: good for all threads that blocked on the same monitor before it was
   asked. Local references. */
struct said {
  jobject monitor; /* NULL: nothing was asked yet */
  jthread owner;   /* NULL: not known */
  uint64_t at_ns;
};

/* A thread that still blocks and has been asked for, or should have been. */
struct stuck {
  struct blocked *blocked;
  uint64_t due_ns, pause_ns; /* of the next question */
  uint32_t told;             /* the owner that the files know; 0: none */
};

struct watch {
  struct owners *owners;
  jvmtiEnv *ti;
  JNIEnv *jni;
  struct credit credit;
  struct said said;
  size_t num, turn; /* turn: of which to ask next */
  struct stuck stuck[BLOCKED_SLOTS];
};

/* --- questions --------------------------------------------------------------------------- */

static void forget(struct watch *w) {
  if (w->said.monitor != NULL) (*w->jni)->DeleteLocalRef(w->jni, w->said.monitor);
  if (w->said.owner != NULL) (*w->jni)->DeleteLocalRef(w->jni, w->said.owner);
  w->said = (struct said){0};
}

static bool is_said(const struct watch *w, const struct blocked *b) {
  return w->said.monitor != NULL && blocked_on(b)->since_ns < w->said.at_ns &&
         (*w->jni)->IsSameObject(w->jni, w->said.monitor, blocked_on(b)->monitor);
}

/* False: there is no time left to ask. */
static bool ask(struct watch *w, const struct blocked *b) {
  if (is_said(w, b)) return true;
  if (!credit_has(&w->credit, clock_monotonic_ns())) return false;
  forget(w);
  w->said.monitor = (*w->jni)->NewLocalRef(w->jni, blocked_on(b)->monitor);
  if (w->said.monitor == NULL) return true; /* nobody owns what is gone */
  w->said.at_ns = clock_monotonic_ns();
  w->said.owner = owners_now(w->owners, w->ti, w->jni, w->said.monitor);
  credit_pay(&w->credit, clock_monotonic_ns() - w->said.at_ns);
  return true;
}

static uint32_t owner_since(struct watch *w, const struct blocked *b, uint64_t since_ns) {
  return owners_since(w->owners, w->ti, w->jni, w->said.owner, blocked_on(b)->hash, since_ns);
}

/* --- answers ----------------------------------------------------------------------------- */

static void put_line(struct watch *w, struct blocked *b, uint32_t owner) {
  struct recorder *r = w->owners->threads->recorder;
  struct record record = {.kind = RECORD_EVENT,
                          .event = EVENT_MONITOR_OWNER,
                          .thread = blocked_on(b)->thread,
                          .object = blocked_on(b)->hash,
                          .owner = owner,
                          .u.blocked = b};
  blocked_share(b);
  recorder_put(r, RECORDER_OWN_LANE, &record);
}

/* Has the files know what was said. Who had the monitor all along made the thread block, and stands
   in the line that says so, unless that is written; who got it later matters only to one that
   blocks for long. An answer that came too late is no answer. */
static void tell(struct watch *w, struct stuck *s) {
  struct blocked *b = s->blocked;
  uint64_t since = blocked_on(b)->since_ns;
  uint32_t all_along = owner_since(w, b, since), now = all_along;
  if (now == 0 && w->said.at_ns - since >= AGAIN_NS) now = owner_since(w, b, w->said.at_ns);
  if (now == 0 || now == s->told || blocked_is_over(b)) return;
  bool in_time = s->told == 0 && all_along != 0 && blocked_answer(b, all_along);
  if (!in_time) put_line(w, b, now);
  s->told = now;
}

static void let_go(struct watch *w, struct blocked *b) {
  (*w->jni)->DeleteWeakGlobalRef(w->jni, blocked_on(b)->monitor);
  blocked_let_go(b);
}

/* --- threads ----------------------------------------------------------------------------- */

/* Deals with one that began to block and was not looked at. False: it is not yet time to. */
static bool look_at_new(struct watch *w, struct blocked *b) {
  uint64_t now = clock_monotonic_ns(), age = now - blocked_on(b)->since_ns;
  if (blocked_is_over(b)) {
    let_go(w, b);
    return true;
  }
  if (age < OWNERS_LATE_NS) return false;
  bool asked = ask(w, b);
  if (!asked && age < GIVE_UP_NS) return false;
  if (!asked) __atomic_fetch_add(&w->owners->not_asked, 1, __ATOMIC_RELAXED);
  struct stuck s = {b, 0, asked ? AGAIN_NS : MISSED_NS, 0};
  s.due_ns = now + s.pause_ns;
  if (asked) tell(w, &s);
  w->stuck[w->num++] = s;
  return true;
}

static void drop_over(struct watch *w) {
  for (size_t i = 0; i < w->num;) {
    struct blocked *b = w->stuck[i].blocked;
    if (!blocked_is_over(b)) {
      i++;
      continue;
    }
    let_go(w, b);
    w->stuck[i] = w->stuck[--w->num];
  }
}

/* False: it is due, and there is no time left to ask. */
static bool look_again(struct watch *w, struct stuck *s) {
  uint64_t now = clock_monotonic_ns();
  if (s->due_ns > now) return true;
  if (!ask(w, s->blocked)) return false;
  tell(w, s);
  s->pause_ns = s->pause_ns < AGAIN_NS ? AGAIN_NS : s->pause_ns * 2;
  if (s->pause_ns > RARELY_NS) s->pause_ns = RARELY_NS;
  s->due_ns = now + s->pause_ns;
  return true;
}

/* In turn: where there is no time for one, the next round begins with it. */
static void look_at_stuck(struct watch *w) {
  drop_over(w);
  for (size_t left = w->num; left > 0; left--, w->turn++) {
    if (w->turn >= w->num) w->turn = 0;
    if (!look_again(w, &w->stuck[w->turn])) return;
  }
}

/* How long nothing has to be done unless some thread begins to block. */
static uint64_t idle_ns(const struct watch *w) {
  uint64_t now = clock_monotonic_ns(), until = now + 3600 * NS_PER_S;
  for (size_t i = 0; i < w->num; i++) {
    if (w->stuck[i].due_ns < until) until = w->stuck[i].due_ns;
  }
  return until > now ? until - now : 0;
}

/* Sleeps until some thread blocks or is due. The flag is raised first and the pool looked at after,
   while a thread that blocks enters the pool first and looks at the flag after: one of both sees
   the other. */
static struct blocked *wait_for_one(struct agent_thread *self, struct watch *w) {
  struct owners *o = w->owners;
  __atomic_store_n(&o->idle, true, __ATOMIC_SEQ_CST);
  struct blocked *b = blocked_watch(o->pool);
  if (b == NULL && agent_thread_sleep(self, idle_ns(w))) b = blocked_watch(o->pool);
  return b;
}

static void watch(struct agent_thread *self, struct watch *w) {
  struct blocked *b = NULL;
  do {
    if (b == NULL) b = wait_for_one(self, w);
    while (b != NULL && look_at_new(w, b)) b = blocked_watch(w->owners->pool);
    look_at_stuck(w);
    forget(w); /* it holds objects of the program */
  } while (agent_thread_sleep(self, LOOK_NS));
  for (; b != NULL; b = blocked_watch(w->owners->pool)) let_go(w, b);
  while (w->num > 0) let_go(w, w->stuck[--w->num].blocked);
}

struct watch *watch_new(struct owners *o) {
  struct watch *w = memory_new_zeroed(1, sizeof *w);
  if (w != NULL) w->owners = o;
  return w;
}

void watch_run(struct agent_thread *self, jvmtiEnv *ti, JNIEnv *jni, void *arg) {
  struct watch *w = arg;
  w->ti = ti;
  w->jni = jni;
  credit_start(&w->credit, clock_monotonic_ns());
  watch(self, w);
}
