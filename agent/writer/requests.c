#include "agent/writer/requests.h"

#include <stdio.h>
#include <stdlib.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

enum { STOP = 1, NEXT_REQUEST = 2 };

void requests_init(struct requests *r) {
  *r = (struct requests){0};
  semaphore_init(&r->wake, 0);
  semaphore_init(&r->done, 0);
}

void requests_begin(struct requests *r) {
  r->last = r->last_answer = 0;
  r->running = true;
}

void requests_cancel(struct requests *r) { r->running = false; }

bool requests_are_served(const struct requests *r) {
  return __atomic_load_n(&r->running, __ATOMIC_ACQUIRE);
}

void requests_wake(struct requests *r) { semaphore_post(&r->wake); }

/* --- flush and stop ------------------------------------------------------------------- */

/* A stop is answered when the thread has cleared `running`, its last access to the recording. So
   the next recording can begin at once. */
static bool is_answered(const struct requests *r, unsigned request) {
  bool has_number = __atomic_load_n(&r->last_answer, __ATOMIC_ACQUIRE) == request;
  return !requests_are_served(r) || (has_number && (request & STOP) == 0);
}

/* Sends a flush request, or a stop request if `stop` is STOP, and waits for its answer. False if
   there was none within `limit_ns`. */
static bool send_request(struct requests *r, unsigned stop, uint64_t limit_ns) {
  uint64_t until = clock_monotonic_ns() + limit_ns;
  unsigned request = (r->last + NEXT_REQUEST) | stop;
  __atomic_store_n(&r->last, request, __ATOMIC_RELEASE);
  requests_wake(r);
  while (!is_answered(r, request)) {
    if (!semaphore_wait(&r->done, until)) break;
  }
  return is_answered(r, request);
}

bool requests_flush(struct requests *r, uint64_t limit_ns) {
  return requests_are_served(r) && send_request(r, 0, limit_ns);
}

bool requests_stop(struct requests *r, const char *reason, uint64_t limit_ns) {
  if (!requests_are_served(r)) return true;
  r->reason = reason;
  return send_request(r, STOP, limit_ns);
}

/* --- snapshots and changes ------------------------------------------------------------ */

static void release_wish(struct wish *wish) {
  if (__atomic_sub_fetch(&wish->users, 1, __ATOMIC_ACQ_REL) != 0) return;
  free(wish->change);
  free(wish);
}

/* `c` may be NULL. The wish takes it over. */
static struct wish *new_wish(struct change *c) {
  struct wish *wish = memory_new_zeroed(1, sizeof *wish);
  if (wish == NULL) {
    free(c);
    return NULL;
  }
  wish->change = c;
  wish->users = 2;
  return wish;
}

/* Waits until the wish is fulfilled, at most `limit_ns`. */
static bool wait_for_wish(struct requests *r, const struct wish *wish, uint64_t limit_ns) {
  uint64_t until = clock_monotonic_ns() + limit_ns;
  requests_wake(r);
  while (!__atomic_load_n(&wish->is_done, __ATOMIC_ACQUIRE) && requests_are_served(r)) {
    if (!semaphore_wait(&r->done, until)) break;
  }
  semaphore_post(&r->done); /* VMDeath may wait too, and this thread may have taken its wake */
  return __atomic_load_n(&wish->is_done, __ATOMIC_ACQUIRE);
}

/* Hands a wish to the writer thread and waits for it. False, with the reason in `error`, if it was
   not done. The caller releases the wish. `what`: for the user, "the snapshot". */
static bool make_wish(struct requests *r, struct wish *wish, const char *what, uint64_t limit_ns,
                      char *error, size_t error_size) {
  struct wish *none = NULL, *mine = wish;
  if (!__atomic_compare_exchange_n(&r->wish, &none, wish, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    snprintf(error, error_size, "the last snapshot or change has not begun yet");
    release_wish(wish);
    return false;
  }
  bool is_done = wait_for_wish(r, wish, limit_ns);
  if (!is_done && requests_are_served(r)) {
    snprintf(error, error_size, "%s is not finished after %.0f s", what,
             (double)limit_ns / NS_PER_S);
  } else if (!is_done) {
    snprintf(error, error_size, "the recording ended before %s", what);
  }
  bool is_withdrawn =
      __atomic_compare_exchange_n(&r->wish, &mine, NULL, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  if (is_withdrawn) release_wish(wish);
  return is_done;
}

bool requests_snapshot(struct requests *r, struct snapshot *s, uint64_t limit_ns) {
  bool is_served = requests_are_served(r);
  struct wish *wish = is_served ? new_wish(NULL) : NULL;
  snprintf(s->error, sizeof s->error, "%s",
           is_served ? "there is no memory for a snapshot" : "nothing is being recorded");
  if (wish == NULL) return false;
  wish->snapshot = *s;
  bool good = make_wish(r, wish, "the snapshot", limit_ns, s->error, sizeof s->error);
  if (good) *s = wish->snapshot;
  good = good && wish->is_good;
  release_wish(wish);
  return good;
}

bool requests_change(struct requests *r, struct change *c, uint64_t limit_ns, char *error,
                     size_t error_size) {
  struct wish *wish = new_wish(c);
  snprintf(error, error_size, "there is no memory for a change");
  if (wish == NULL) return false;
  bool good = make_wish(r, wish, "the change", limit_ns, error, error_size) && wish->is_good;
  release_wish(wish);
  return good;
}

/* --- the writer thread ------------------------------------------------------------------ */

bool requests_want_stop(const struct requests *r) {
  return (__atomic_load_n(&r->last, __ATOMIC_ACQUIRE) & STOP) != 0;
}

unsigned requests_take_flush(const struct requests *r) {
  unsigned request = __atomic_load_n(&r->last, __ATOMIC_ACQUIRE);
  return request == r->last_answer || (request & STOP) != 0 ? 0 : request;
}

void requests_answer_flush(struct requests *r, unsigned request) {
  __atomic_store_n(&r->last_answer, request, __ATOMIC_RELEASE);
  semaphore_post(&r->done);
}

void requests_answer_stop(struct requests *r) {
  __atomic_store_n(&r->running, false, __ATOMIC_RELEASE);
  semaphore_post(&r->done);
}

struct wish *requests_take_wish(struct requests *r) {
  return __atomic_exchange_n(&r->wish, NULL, __ATOMIC_ACQ_REL);
}

void requests_answer_wish(struct requests *r, struct wish *wish, bool is_good) {
  wish->is_good = is_good;
  __atomic_store_n(&wish->is_done, true, __ATOMIC_RELEASE);
  release_wish(wish);
  semaphore_post(&r->done);
}

void requests_wait(struct requests *r, uint64_t ns) {
  bool woken = semaphore_wait(&r->wake, clock_monotonic_ns() + ns);
  while (woken && semaphore_try(&r->wake)) continue;
}
