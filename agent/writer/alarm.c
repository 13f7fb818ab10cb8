#include "agent/writer/alarm.h"

#include <stdio.h>
#include <stdlib.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

/* --- calls that block ------------------------------------------------------------------------ */

static bool blocks(enum event_kind begin) {
  enum event_group group = event_infos[begin].group;
  return group == GROUP_MONITOR || group == GROUP_LOCK || group == GROUP_SEMAPHORE;
}

/* Returns the open call of a thread, NULL without one. */
static struct alarm_call *find_call(const struct alarm *a, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&a->by_thread, thread, &at);
  return at == 0 ? NULL : &a->calls[at - 1];
}

/* A hashmap cannot remove keys, so a new one gets those of the open calls. */
static void shrink_map(struct alarm *a) {
  struct hashmap map = {0};
  bool good = true;
  if (hashmap_size(&a->by_thread) <= 2 * a->num_calls + 1024) return;
  for (size_t i = 0; i < a->num_calls; i++) {
    good = good && hashmap_put(&map, a->calls[i].thread, i + 1);
  }
  struct hashmap old = a->by_thread;
  if (good) a->by_thread = map;
  hashmap_free(good ? &old : &map);
}

/* Without memory the call is not watched. */
static void open_call(struct alarm *a, uint32_t thread, uint64_t time_ns) {
  if (a->num_calls == a->capacity) {
    size_t capacity = a->capacity == 0 ? 64 : 2 * a->capacity;
    struct alarm_call *calls = memory_resize(a->calls, capacity * sizeof *calls);
    if (calls == NULL) return;
    a->calls = calls;
    a->capacity = capacity;
  }
  uint64_t *at = hashmap_at(&a->by_thread, thread);
  if (at == NULL) return;
  a->calls[a->num_calls++] = (struct alarm_call){thread, 1, time_ns};
  *at = a->num_calls;
}

static void close_call(struct alarm *a, struct alarm_call *call, uint64_t time_ns) {
  if (time_ns > call->since_ns) a->ended_blocked_ns += time_ns - call->since_ns;
  hashmap_put(&a->by_thread, call->thread, 0);
  struct alarm_call *last = &a->calls[--a->num_calls];
  if (call != last) {
    *call = *last;
    hashmap_put(&a->by_thread, call->thread, (uint64_t)(call - a->calls) + 1);
  }
  shrink_map(a);
}

/* An event of a blocked thread other than the begin or the end of a call that blocks shows that an
   end was lost (overflow=drop). */
void alarm_follow(struct alarm *a, const struct record *event) {
  enum event_kind kind = (enum event_kind)event->event;
  if (event_is_about_thread(kind)) return;
  struct alarm_call *call = find_call(a, event->thread);
  bool is_end = event_is_end(kind);
  bool is_begin = event_infos[kind].role == ROLE_BEGIN;
  if (!(is_end || is_begin) || !blocks(is_end ? event_begin(kind) : kind)) {
    if (call != NULL && kind != EVENT_THREAD_STARTED) close_call(a, call, event->time_ns);
  } else if (is_begin && call == NULL) {
    open_call(a, event->thread, event->time_ns);
  } else if (is_begin) {
    call->depth++;
  } else if (call != NULL && --call->depth == 0) {
    close_call(a, call, event->time_ns);
  }
}

/* --- shares ---------------------------------------------------------------------------------- */

static uint64_t sum_blocked(const struct alarm *a, uint64_t now_ns) {
  uint64_t sum = a->ended_blocked_ns;
  for (size_t i = 0; i < a->num_calls; i++) {
    if (now_ns > a->calls[i].since_ns) sum += now_ns - a->calls[i].since_ns;
  }
  return sum;
}

/* Returns the newest look that is at least ALARM_WINDOW_NS old; NULL: there is none. */
static const struct alarm_look *find_window(const struct alarm *a, uint64_t now_ns) {
  unsigned kept = a->num_looks < ALARM_LOOKS ? a->num_looks : ALARM_LOOKS;
  for (unsigned back = 1; back <= kept; back++) {
    const struct alarm_look *look = &a->looks[(a->num_looks - back) % ALARM_LOOKS];
    if (now_ns - look->time_ns >= ALARM_WINDOW_NS) return look;
  }
  return NULL;
}

/* --- triggers --------------------------------------------------------------------------------- */

static bool rests(const struct alarm *a, uint64_t now_ns) {
  return a->fired_ns != 0 && now_ns - a->fired_ns < a->rest_ns;
}

static bool check_signal(struct alarm *a, char *why, size_t size) {
  if (!a->has_signal) return false;
  a->has_signal = false;
  snprintf(why, size, "the process received the signal");
  return true;
}

static bool check_blocked(const struct alarm *a, uint64_t now_ns, char *why, size_t size) {
  const struct alarm_call *longest = NULL;
  for (size_t i = 0; i < a->num_calls; i++) {
    if (longest == NULL || a->calls[i].since_ns < longest->since_ns) longest = &a->calls[i];
  }
  if (longest == NULL || now_ns < longest->since_ns + a->triggers.blocked_ns) return false;
  snprintf(why, size, "thread %08X has been blocked for %.1f s", longest->thread,
           (double)(now_ns - longest->since_ns) / (double)NS_PER_S);
  return true;
}

static bool check_contention(const struct alarm *a, const struct alarm_look *from,
                             const struct alarm_look *to, char *why, size_t size) {
  double blocked = (double)(to->blocked_ns - from->blocked_ns);
  double worked = blocked + (double)(to->cpu_ns - from->cpu_ns);
  if (worked <= 0 || blocked <= a->triggers.contention * worked) return false;
  snprintf(why, size, "threads were blocked for %.0f %% of the time in which they had work",
           100 * blocked / worked);
  return true;
}

static bool check_cpu(const struct alarm *a, const struct alarm_look *from,
                      const struct alarm_look *to, char *why, size_t size) {
  double used = (double)(to->cpu_ns - from->cpu_ns) / (double)(to->time_ns - from->time_ns);
  if (a->cpus <= 0 || used <= a->triggers.cpu * a->cpus) return false;
  snprintf(why, size, "the process used %.1f of %g CPUs", used, a->cpus);
  return true;
}

static enum trigger find_trigger(struct alarm *a, const struct alarm_look *from,
                                 const struct alarm_look *to, char *why, size_t size) {
  const struct triggers *t = &a->triggers;
  if (check_signal(a, why, size)) return TRIGGER_SIGNAL;
  if (rests(a, to->time_ns)) return NUM_TRIGGERS;
  if (t->on[TRIGGER_BLOCKED] && check_blocked(a, to->time_ns, why, size)) return TRIGGER_BLOCKED;
  if (from == NULL) return NUM_TRIGGERS;
  if (t->on[TRIGGER_CONTENTION] && check_contention(a, from, to, why, size))
    return TRIGGER_CONTENTION;
  return t->on[TRIGGER_CPU] && check_cpu(a, from, to, why, size) ? TRIGGER_CPU : NUM_TRIGGERS;
}

void alarm_signal(struct alarm *a) { a->has_signal = true; }

enum trigger alarm_look(struct alarm *a, uint64_t now_ns, uint64_t cpu_ns, char *why, size_t size) {
  const struct alarm_look *last = &a->looks[(a->num_looks - 1) % ALARM_LOOKS];
  bool is_early = a->num_looks > 0 && now_ns - last->time_ns < ALARM_LOOK_NS;
  if (is_early && !a->has_signal) return NUM_TRIGGERS;
  struct alarm_look now = {now_ns, sum_blocked(a, now_ns), cpu_ns};
  enum trigger found = find_trigger(a, find_window(a, now_ns), &now, why, size);
  if (!is_early) a->looks[a->num_looks++ % ALARM_LOOKS] = now;
  if (found != NUM_TRIGGERS) a->fired_ns = now_ns;
  return found;
}

bool alarm_wants_look(const struct alarm *a) { return a->num_calls > 0; }

/* --- deadlocks -------------------------------------------------------------------------------- */

size_t alarm_suspects(struct alarm *a, uint64_t now_ns, uint32_t *out) {
  uint64_t newest = 0, before = now_ns - ALARM_LOOK_NS;
  size_t num = 0;
  if (!a->triggers.on[TRIGGER_DEADLOCK] || rests(a, now_ns)) return 0;
  for (size_t i = 0; i < a->num_calls; i++) {
    const struct alarm_call *call = &a->calls[i];
    if (call->since_ns > before) continue;
    if (call->since_ns > newest) newest = call->since_ns;
    if (num < SUSPECTS_MAX) out[num++] = call->thread;
  }
  if (newest <= a->searched_ns) return 0;
  a->searched_ns = newest;
  return num;
}

enum trigger alarm_confirm(struct alarm *a, const uint32_t *ring, size_t num, uint64_t asked_ns,
                           uint64_t now_ns, char *why, size_t size) {
  for (size_t i = 0; i < num; i++) {
    const struct alarm_call *call = find_call(a, ring[i]);
    if (call == NULL || call->since_ns > asked_ns) return NUM_TRIGGERS;
  }
  if (num == 0 || rests(a, now_ns)) return NUM_TRIGGERS;
  a->fired_ns = now_ns;
  snprintf(why, size, "%zu threads block each other in a ring", num);
  return TRIGGER_DEADLOCK;
}

void alarm_free(struct alarm *a) {
  hashmap_free(&a->by_thread);
  free(a->calls);
  *a = (struct alarm){0};
}
