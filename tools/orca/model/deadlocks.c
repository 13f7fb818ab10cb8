#include "tools/orca/model/deadlocks.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/model.h"

static bool add_link(struct deadlocks *d, const struct wait_link *wait, bool is_timed) {
  void *grown = grow(d->links, d->num, &d->capacity, sizeof *d->links);
  if (grown == NULL) return false;
  d->links = grown;
  d->links[d->num++] = (struct deadlock_link){d->num_rings, *wait, is_timed};
  return true;
}

/* Threads that all wait for one semaphore, whose permits they have, are no ring: a permit can come
   from elsewhere, and no order of locks is wrong. */
static bool is_one_semaphore(const struct wait_for *w, const struct waiter *first) {
  const struct waiter *waiter = first;
  size_t owner;
  do {
    const struct pair *pair = &waiter->pair;
    if (lock_events[pair->kind].sort != LOCK_SEMAPHORE || pair->object != first->pair.object)
      return false;
    waiter = wait_for_blocker(w, waiter, &owner);
  } while (waiter != first);
  return true;
}

/* --- rings through pools -------------------------------------------------------------------- */

/* Whether a thread of the ring waits for a task in the queue of a pool. */
static bool has_pool(const struct wait_for *w, const struct waiter *first) {
  const struct waiter *waiter = first;
  size_t owner = 0;
  bool has = false;
  do {
    waiter = wait_for_blocker(w, waiter, &owner);
    has |= w->owners[owner].executor != 0;
  } while (waiter != first);
  return has;
}

/* Adds a stuck thread that is in no ring. */
static bool add_thread(struct deadlocks *d, const struct wait_for *w, uint32_t thread) {
  size_t owner = 0;
  const struct waiter *waiter = wait_for_find(w, thread);
  bool is_told = waiter == NULL || deadlocks_has_thread(d, thread) ||
                 wait_for_blocker(w, waiter, &owner) == NULL;
  return is_told || add_link(d, &w->owners[owner], waiter->is_timed);
}

/* Any worker of a pool could take a task, so all of them belong to the ring, with what they wait
   for. */
static bool add_workers(struct deadlocks *d, const struct wait_for *w, size_t first) {
  bool good = true;
  for (size_t i = first; good && i < d->num; i++) {
    const struct waiter *waiter = wait_for_find(w, d->links[i].wait.pair.thread);
    for (size_t j = 0; good && j < waiter->num_owners; j++) {
      good = add_thread(d, w, w->owners[waiter->first_owner + j].owner);
    }
  }
  return good;
}

/* --- all rings ------------------------------------------------------------------------------ */

static bool add_deadlock(struct deadlocks *d, const struct wait_for *w, const struct waiter *first,
                         bool with_pools) {
  const struct waiter *waiter = first;
  size_t owner = 0, first_link = d->num;
  if (has_pool(w, first) != with_pools || is_one_semaphore(w, first)) return true;
  do {
    const struct waiter *next = wait_for_blocker(w, waiter, &owner);
    if (!add_link(d, &w->owners[owner], waiter->is_timed)) return false;
    waiter = next;
  } while (waiter != first);
  if (with_pools && !add_workers(d, w, first_link)) return false;
  d->num_rings++;
  return true;
}

/* From each stuck waiter it walks to the next waiter until it reaches one that was reached before.
   If the same walk reached that one, it is on a new ring. */
static bool find_rings(struct deadlocks *d, const struct wait_for *w, size_t *walks,
                       bool with_pools) {
  size_t owner;
  for (size_t number = 1; number <= w->num; number++) {
    const struct waiter *waiter = &w->waiters[number - 1];
    if (waiter->can_end || deadlocks_has_thread(d, waiter->pair.thread)) continue;
    while (waiter != NULL && walks[waiter - w->waiters] == 0) {
      walks[waiter - w->waiters] = number;
      waiter = wait_for_blocker(w, waiter, &owner);
    }
    bool is_new = waiter != NULL && walks[waiter - w->waiters] == number &&
                  !deadlocks_has_thread(d, waiter->pair.thread);
    if (is_new && !add_deadlock(d, w, waiter, with_pools)) return false;
  }
  return true;
}

/* The rings through pools come last: the other threads that they take in are in none of the first.
 */
static bool find(struct deadlocks *out, const struct wait_sources *s, bool limits_end) {
  struct wait_for w = {0};
  bool good = wait_edges_add(&w, s);
  for (int with_pools = 0; good && with_pools <= 1; with_pools++) {
    size_t *walks = calloc(w.num + 1, sizeof *walks);
    wait_for_solve(&w, true, limits_end);
    good = walks != NULL && find_rings(out, &w, walks, with_pools);
    free(walks);
  }
  wait_for_free(&w);
  return good;
}

/* Drops each ring for which `matches` returns true for none of its links. The links of a ring are
   consecutive. */
static void deadlocks_keep(struct deadlocks *d,
                           bool (*matches)(void *arg, const struct deadlock_link *link),
                           void *arg) {
  size_t kept = 0, rings = 0, len;
  for (size_t first = 0; first < d->num; first += len) {
    bool keep = false;
    len = 1;
    while (first + len < d->num && d->links[first + len].ring == d->links[first].ring) len++;
    for (size_t i = first; i < first + len; i++) keep |= matches(arg, &d->links[i]);
    if (!keep) continue;
    for (size_t i = first; i < first + len; i++) {
      d->links[kept] = d->links[i];
      d->links[kept++].ring = rings;
    }
    rings++;
  }
  d->num = kept;
  d->num_rings = rings;
}

bool deadlocks_find(struct deadlocks *out, const struct wait_sources *s) {
  return find(out, s, true);
}

static bool is_timed(void *unused, const struct deadlock_link *link) {
  (void)unused;
  return link->is_timed;
}

bool deadlocks_find_timed(struct deadlocks *out, const struct wait_sources *s) {
  if (!find(out, s, false)) return false;
  deadlocks_keep(out, is_timed, NULL);
  return true;
}

bool deadlocks_has_thread(const struct deadlocks *d, uint32_t thread) {
  for (size_t i = 0; i < d->num; i++) {
    if (d->links[i].wait.pair.thread == thread) return true;
  }
  return false;
}

bool deadlocks_are_classes(const struct deadlocks *d, size_t ring) {
  for (size_t i = 0; i < d->num; i++) {
    if (d->links[i].ring == ring && d->links[i].wait.pair.kind != EVENT_CLASS_INIT_WAIT)
      return false;
  }
  return true;
}

void deadlocks_free(struct deadlocks *d) {
  free(d->links);
  *d = (struct deadlocks){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

/* A deadlock matches if one of its pairs does. */
static bool does_link_match(void *arg, const struct deadlock_link *link) {
  struct model *m = arg;
  struct pair clipped = link->wait.pair;
  clipped.end = m->recording.to;
  return matcher_pair(&m->matcher, &m->stacks, &clipped);
}

static void clip(struct model *m, struct deadlocks *d) {
  for (size_t i = 0; i < d->num; i++) {
    d->links[i].wait.pair.begin = matcher_clip(&m->matcher, d->links[i].wait.pair.begin);
  }
  deadlocks_keep(d, does_link_match, m);
}

/* Searches the pairs and holders that remain at the end. */
static bool end_deadlocks(struct model *m) {
  struct wait_sources sources = wait_edges_sources(m);
  if (!deadlocks_find(&m->deadlocks, &sources)) return false;
  clip(m, &m->deadlocks);
  return true;
}

static bool end_timed_rings(struct model *m) {
  struct wait_sources sources = wait_edges_sources(m);
  if (!deadlocks_find_timed(&m->timed_rings, &sources)) return false;
  clip(m, &m->timed_rings);
  return true;
}

const struct analysis analysis_deadlocks = {.listener = {.name = "deadlocks", .lines = PASS_EVENTS},
                                            .uses = ANALYSES(TITLES) | ANALYSES(THREADS) |
                                                    ANALYSES(CLASS_INITS) | ANALYSES(POOLS) |
                                                    ANALYSES(HANG),
                                            .end = end_deadlocks};

const struct analysis analysis_timed_rings = {
    .listener = {.name = "rings with a time limit", .lines = PASS_EVENTS},
    .uses = ANALYSES(TITLES) | ANALYSES(THREADS) | ANALYSES(CLASS_INITS) | ANALYSES(POOLS),
    .end = end_timed_rings};
