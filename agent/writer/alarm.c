#include "agent/writer/alarm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

/* --- calls that block ------------------------------------------------------------------------ */

static bool is_blocking(enum event_kind begin) {
  enum event_group group = event_infos[begin].group;
  return group == GROUP_MONITOR || group == GROUP_LOCK;
}

/* Returns the open call of a thread, NULL without one. */
static struct alarm_call *find_call(const struct alarm *a, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&a->by_thread, thread, &at);
  return at == 0 ? NULL : &a->calls[at - 1];
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
  a->calls[a->num_calls++] = (struct alarm_call){.thread = thread, .depth = 1, .since_ns = time_ns};
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
  if (hashmap_size(&a->by_thread) > 2 * a->num_calls + 1024) hashmap_drop_zeros(&a->by_thread);
}

/* An event of a blocked thread other than the begin or the end of a call that blocks shows that an
   end was lost (overflow=drop). */
void alarm_follow(struct alarm *a, const struct record *event) {
  enum event_kind kind = (enum event_kind)event->event;
  if (a->options->trigger.on[TRIGGER_METHOD])
    long_calls_follow(&a->long_calls, event, a->options->trigger.method_ns, a->threads);
  if (event_has(kind, TRAIT_NEWS)) return;
  struct alarm_call *call = find_call(a, event->thread);
  bool is_end = event_is_end(kind);
  bool is_begin = event_infos[kind].role == ROLE_BEGIN;
  if (!(is_end || is_begin) || !is_blocking(is_end ? event_begin(kind) : kind)) {
    if (call != NULL && kind != EVENT_THREAD_STARTED) close_call(a, call, event->time_ns);
  } else if (is_begin && call == NULL) {
    open_call(a, event->thread, event->time_ns);
  } else if (is_begin) {
    call->depth++;
  } else if (call != NULL && --call->depth == 0) {
    close_call(a, call, event->time_ns);
  }
}

void alarm_forget(struct alarm *a) {
  hashmap_free(&a->by_thread);
  a->num_calls = 0;
  a->num_looks = 0; /* the sums of the calls are gone */
  long_calls_forget(&a->long_calls);
}

/* --- shares ---------------------------------------------------------------------------------- */

static uint64_t sum_blocked(const struct alarm *a, uint64_t now_ns) {
  uint64_t sum = a->ended_blocked_ns + a->unseen_ns;
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

static bool is_resting(const struct alarm *a, uint64_t now_ns) {
  return a->fired_ns != 0 && now_ns - a->fired_ns < a->options->rest;
}

static bool check_signal(struct alarm *a, char *why, size_t size) {
  if (!a->has_signal) return false;
  a->has_signal = false;
  snprintf(why, size, "the process received the signal");
  return true;
}

static bool is_in_calls_since(const struct alarm *a, const uint32_t *threads, size_t num,
                              uint64_t before_ns) {
  for (size_t i = 0; i < num; i++) {
    const struct alarm_call *call = find_call(a, threads[i]);
    if (call == NULL || call->in_ring || call->since_ns > before_ns) return false;
  }
  return true;
}

static bool check_deadlock(struct alarm *a, uint64_t known_ns, char *why, size_t size) {
  size_t num = a->num_ring;
  if (num == 0 || known_ns < a->answered_ns) return false;
  a->num_ring = 0;
  a->searched_ns = 0; /* there may be a ring among the others, too */
  if (!is_in_calls_since(a, a->ring, num, a->asked_ns)) return false;
  for (size_t i = 0; i < num; i++) {
    struct alarm_call *call = find_call(a, a->ring[i]);
    call->has_fired = call->in_ring = true;
  }
  snprintf(why, size, "%zu threads block each other in a ring", num);
  return true;
}

/* The end of a call may not have been followed yet, so this judges by what is known. */
static bool check_blocked(struct alarm *a, uint64_t known_ns, char *why, size_t size) {
  uint64_t longest_ns = 0, limit_ns = a->options->trigger.blocked_ns;
  size_t num = 0;
  for (size_t i = 0; i < a->num_calls; i++) {
    struct alarm_call *call = &a->calls[i];
    if (call->has_fired || known_ns < call->since_ns + limit_ns) continue;
    if (known_ns - call->since_ns > longest_ns) longest_ns = known_ns - call->since_ns;
    call->has_fired = true;
    num++;
  }
  double seconds = (double)longest_ns / (double)NS_PER_S;
  if (num == 1) snprintf(why, size, "a thread has been blocked for %.1f s", seconds);
  if (num > 1) snprintf(why, size, "%zu threads have been blocked for up to %.1f s", num, seconds);
  return num > 0;
}

/* A call that ended during the rest does not fire after it. */
static bool check_method(struct alarm *a, uint64_t now_ns, uint64_t known_ns) {
  if (!a->options->trigger.on[TRIGGER_METHOD]) return false;
  bool rests = is_resting(a, now_ns);
  if (rests) long_calls_skip(&a->long_calls);
  return !rests && long_calls_report(&a->long_calls, known_ns, a->options->trigger.method_ns,
                                     a->threads, &a->reported);
}

static bool check_contention(const struct alarm *a, const struct alarm_look *from,
                             const struct alarm_look *to, char *why, size_t size) {
  double blocked =
      to->blocked_ns > from->blocked_ns ? (double)(to->blocked_ns - from->blocked_ns) : 0;
  double worked = blocked + (double)(to->cpu_ns - from->cpu_ns);
  if (blocked < (double)(to->time_ns - from->time_ns) / 2) return false;
  if (blocked <= a->options->trigger.contention * worked) return false;
  snprintf(why, size, "threads were blocked for %.0f %% of the time in which they had work",
           100 * blocked / worked);
  return true;
}

static bool check_cpu(const struct alarm *a, const struct alarm_look *from,
                      const struct alarm_look *to, char *why, size_t size) {
  double used = (double)(to->cpu_ns - from->cpu_ns) / (double)(to->time_ns - from->time_ns);
  if (a->cpus <= 0 || used <= a->options->trigger.cpu * a->cpus) return false;
  snprintf(why, size, "the process used %.1f of %g CPUs", used, a->cpus);
  return true;
}

/* Returns whether a share fires. One that stays high has fired already. */
static bool check_share(struct alarm *a, enum trigger trigger, const struct alarm_look *from,
                        const struct alarm_look *to, char *why, size_t size) {
  if (!a->options->trigger.on[trigger] || from == NULL) return false;
  bool is_high = trigger == TRIGGER_CPU ? check_cpu(a, from, to, why, size)
                                        : check_contention(a, from, to, why, size);
  bool fires = is_high && !a->has_fired[trigger] && !is_resting(a, to->time_ns);
  a->has_fired[trigger] = is_high && (a->has_fired[trigger] || fires);
  if (fires) a->fired_ns = to->time_ns;
  return fires;
}

static enum trigger find_trigger(struct alarm *a, const struct alarm_look *to, uint64_t known_ns,
                                 char *why, size_t size) {
  const struct alarm_look *from = find_window(a, to->time_ns);
  if (check_signal(a, why, size)) return TRIGGER_SIGNAL; /* first: see alarm_look about cpu_ns */
  if (check_deadlock(a, known_ns, why, size)) return TRIGGER_DEADLOCK;
  if (a->options->trigger.on[TRIGGER_BLOCKED] && !is_resting(a, to->time_ns) &&
      check_blocked(a, known_ns, why, size)) {
    a->fired_ns = to->time_ns;
    return TRIGGER_BLOCKED;
  }
  if (check_method(a, to->time_ns, known_ns)) {
    a->fired_ns = to->time_ns;
    return TRIGGER_METHOD;
  }
  if (check_share(a, TRIGGER_CONTENTION, from, to, why, size)) return TRIGGER_CONTENTION;
  return check_share(a, TRIGGER_CPU, from, to, why, size) ? TRIGGER_CPU : NUM_TRIGGERS;
}

void alarm_signal(struct alarm *a) { a->has_signal = true; }

bool alarm_is_due(const struct alarm *a, uint64_t now_ns) {
  const struct alarm_look *last = &a->looks[(a->num_looks - 1) % ALARM_LOOKS];
  return a->num_looks == 0 || now_ns - last->time_ns >= ALARM_LOOK_NS;
}

enum trigger alarm_look(struct alarm *a, uint64_t now_ns, uint64_t known_ns, uint64_t cpu_ns,
                        char *why, size_t size) {
  bool is_early = !alarm_is_due(a, now_ns);
  if (is_early && !a->has_signal) return NUM_TRIGGERS;
  struct alarm_look now = {now_ns, cpu_ns, sum_blocked(a, known_ns)};
  enum trigger found = find_trigger(a, &now, known_ns, why, size);
  if (!is_early) a->looks[a->num_looks++ % ALARM_LOOKS] = now;
  return found;
}

bool alarm_wants_look(const struct alarm *a) {
  return a->num_calls > 0 || long_calls_wait(&a->long_calls);
}

/* --- deadlocks -------------------------------------------------------------------------------- */

size_t alarm_suspects(struct alarm *a, uint64_t now_ns, uint32_t *out) {
  uint64_t newest = 0, before = now_ns - ALARM_LOOK_NS;
  size_t num = 0;
  if (!a->options->trigger.on[TRIGGER_DEADLOCK] || a->num_ring > 0 || now_ns < a->next_search_ns)
    return 0;
  for (size_t i = 0; i < a->num_calls; i++) {
    const struct alarm_call *call = &a->calls[i];
    if (call->since_ns > before || call->in_ring) continue;
    if (call->since_ns > newest) newest = call->since_ns;
    if (num < SUSPECTS_MAX) out[num++] = call->thread;
  }
  if (newest <= a->searched_ns) return 0;
  a->searched_ns = newest;
  return num;
}

void alarm_answer(struct alarm *a, const uint32_t *ring, size_t num, uint64_t asked_ns,
                  uint64_t now_ns) {
  a->num_ring = num;
  if (num > 0) memcpy(a->ring, ring, num * sizeof *ring);
  a->asked_ns = asked_ns;
  a->answered_ns = now_ns;
  a->next_search_ns = now_ns + ALARM_SEARCH_COST * (now_ns - asked_ns);
}

void alarm_free(struct alarm *a) {
  hashmap_free(&a->by_thread);
  free(a->calls);
  long_calls_free(&a->long_calls);
  *a = (struct alarm){0};
}
