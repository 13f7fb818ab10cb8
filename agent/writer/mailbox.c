#include "agent/writer/mailbox.h"

#include <stdio.h>
#include <stdlib.h>

#include "agent/base/clock.h"
#include "agent/base/memory.h"

/* --- answers -------------------------------------------------------------------------- */

/* Gives up one user's part of the request, and frees it after the last one. It is not called for
   the stop, which is part of the mailbox and is never freed. */
static void release_request(struct request *r) {
  if (__atomic_sub_fetch(&r->users, 1, __ATOMIC_ACQ_REL) != 0) return;
  free(r->change);
  free(r);
}

static enum request_answer get_answer(const struct request *r) {
  return __atomic_load_n(&r->answer, __ATOMIC_ACQUIRE);
}

static void put_answer(struct request *r, enum request_answer answer) {
  __atomic_store_n(&r->answer, answer, __ATOMIC_RELEASE);
  semaphore_post(&r->answered);
}

/* Also gives up the answering thread's part of the request. */
static void answer_request(struct request *r, enum request_answer answer) {
  put_answer(r, answer);
  release_request(r);
}

/* Waits for the answer, at most `limit_ns`; ANSWER_NONE if there was none. */
static enum request_answer wait_for_answer(struct request *r, uint64_t limit_ns) {
  uint64_t until = clock_monotonic_ns() + limit_ns;
  while (get_answer(r) == ANSWER_NONE) {
    if (!semaphore_wait(&r->answered, until)) break;
  }
  return get_answer(r);
}

/* --- any thread ------------------------------------------------------------------------ */

void mailbox_init(struct mailbox *m) {
  *m = (struct mailbox){.stop = {.kind = REQUEST_STOP, .answer = ANSWER_DONE}};
  m->waiting = &m->stop;
}

void mailbox_open(struct mailbox *m) {
  __atomic_store_n(&m->stop.reason, NULL, __ATOMIC_RELAXED);
  __atomic_store_n(&m->waiting, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&m->stop.answer, ANSWER_NONE, __ATOMIC_RELEASE); /* now it is open */
}

bool mailbox_is_open(const struct mailbox *m) { return get_answer(&m->stop) == ANSWER_NONE; }

bool mailbox_has_request(const struct mailbox *m) {
  const struct request *r = __atomic_load_n(&m->waiting, __ATOMIC_ACQUIRE);
  return r != NULL && r != &m->stop;
}

void mailbox_wake(struct mailbox *m) { semaphore_post(&m->wake); }

/* `c` may be NULL. The request takes it over. */
static struct request *new_request(enum request_kind kind, struct change *c) {
  struct request *r = memory_new_zeroed(1, sizeof *r);
  if (r == NULL) {
    free(c);
    return NULL;
  }
  r->kind = kind;
  r->change = c;
  r->users = 2;
  return r;
}

/* Changes what waits from `old` to `next`. Returns what waited: `old` if it did. */
static struct request *replace_waiting(struct mailbox *m, struct request *old,
                                       struct request *next) {
  __atomic_compare_exchange_n(&m->waiting, &old, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return old;
}

/* Puts the request into the mailbox and waits for the answer. Any but ANSWER_DONE and ANSWER_FAILED
   is explained in `error`, which already says what NULL means: there was no memory. The caller
   keeps its part of the request. `what`: for the user, "the snapshot". */
static enum request_answer ask(struct mailbox *m, struct request *r, const char *what,
                               uint64_t limit_ns, char *error, size_t error_size) {
  if (r == NULL) return ANSWER_NONE;
  struct request *other = replace_waiting(m, NULL, r);
  if (other != NULL) {
    snprintf(error, error_size, "%s",
             other == &m->stop ? "nothing is being recorded"
                               : "the last snapshot or change has not begun yet");
    release_request(r);
    return ANSWER_NONE;
  }
  mailbox_wake(m);
  enum request_answer answer = wait_for_answer(r, limit_ns);
  if (answer == ANSWER_ENDED) snprintf(error, error_size, "the recording ended before %s", what);
  if (answer != ANSWER_NONE) return answer;
  snprintf(error, error_size, "%s is not finished after %.0f s", what, (double)limit_ns / NS_PER_S);
  /* A change is in force elsewhere, so the writer thread has to follow, however late. */
  bool stays = r->kind == REQUEST_CHANGE;
  if (!stays && replace_waiting(m, r, NULL) == r) release_request(r);
  return ANSWER_NONE;
}

bool mailbox_ask_snapshot(struct mailbox *m, struct snapshot *s, uint64_t limit_ns) {
  struct request *r = new_request(REQUEST_SNAPSHOT, NULL);
  if (r != NULL) r->snapshot = *s;
  snprintf(s->error, sizeof s->error, "there is no memory for a snapshot");
  enum request_answer answer = ask(m, r, "the snapshot", limit_ns, s->error, sizeof s->error);
  if (answer == ANSWER_DONE || answer == ANSWER_FAILED) *s = r->snapshot;
  if (r != NULL) release_request(r);
  return answer == ANSWER_DONE;
}

bool mailbox_ask_change(struct mailbox *m, struct change *c, uint64_t limit_ns, char *error,
                        size_t error_size) {
  struct request *r = new_request(REQUEST_CHANGE, c);
  snprintf(error, error_size, "there is no memory for a change"); /* also if the writer fails */
  enum request_answer answer = ask(m, r, "the change", limit_ns, error, error_size);
  if (r != NULL) release_request(r);
  return answer == ANSWER_DONE;
}

/* What waited will not be taken any more. */
static void put_stop(struct mailbox *m) {
  struct request *other = __atomic_exchange_n(&m->waiting, &m->stop, __ATOMIC_ACQ_REL);
  if (other != NULL && other != &m->stop) answer_request(other, ANSWER_ENDED);
}

/* VMDeath may ask while another thread does; then the first reason counts. */
bool mailbox_ask_stop(struct mailbox *m, const char *reason, uint64_t limit_ns) {
  const char *none = NULL;
  if (!mailbox_is_open(m)) return true;
  __atomic_compare_exchange_n(&m->stop.reason, &none, reason, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_ACQUIRE);
  put_stop(m);
  mailbox_wake(m);
  bool is_answered = wait_for_answer(&m->stop, limit_ns) != ANSWER_NONE;
  if (is_answered) semaphore_post(&m->stop.answered); /* both may wait, and there is one answer */
  return is_answered;
}

/* --- the writer thread ------------------------------------------------------------------ */

bool mailbox_has_stop(const struct mailbox *m) {
  return __atomic_load_n(&m->waiting, __ATOMIC_ACQUIRE) == &m->stop;
}

const char *mailbox_stop_reason(const struct mailbox *m) {
  return __atomic_load_n(&m->stop.reason, __ATOMIC_ACQUIRE);
}

struct request *mailbox_take(struct mailbox *m) {
  struct request *r = __atomic_load_n(&m->waiting, __ATOMIC_ACQUIRE);
  if (r == NULL || r == &m->stop) return NULL;
  return replace_waiting(m, r, NULL) == r ? r : NULL;
}

void mailbox_answer(struct request *r, bool is_done) {
  answer_request(r, is_done ? ANSWER_DONE : ANSWER_FAILED);
}

void mailbox_wait(struct mailbox *m, uint64_t ns) {
  bool woken = semaphore_wait(&m->wake, clock_monotonic_ns() + ns);
  while (woken && semaphore_try(&m->wake)) continue;
}

void mailbox_close(struct mailbox *m) {
  put_stop(m);
  put_answer(&m->stop, ANSWER_DONE);
}
