#include "tools/orca/model/deadlocks.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"

/* A waiting thread and the owners of what it waits for. */
struct waiter {
  struct pair pair;
  size_t first_owner, num_owners;
  bool is_stuck;
  size_t walk; /* number of the first walk of find_deadlocks that reached this waiter; 0: none */
};

struct search {
  const struct dump *dump;
  const struct stacks *stacks;
  struct hashmap ids; /* thread -> index of its waiter plus one */
  struct waiter *waiters;
  size_t num, capacity;
  struct wait_link *owners; /* for each owner of a waiter: the wait for this owner */
  size_t num_owners, owners_capacity;
};

/* --- waiters and owners --------------------------------------------------------------- */

static bool add_owner(struct search *s, struct waiter *w, struct wait_link owner) {
  void *grown = grow(s->owners, s->num_owners, &s->owners_capacity, sizeof *s->owners);
  if (grown == NULL) return false;
  s->owners = grown;
  s->owners[s->num_owners++] = owner;
  w->num_owners++;
  return true;
}

static bool add_owners(struct search *s, struct waiter *w, const struct holders *holders) {
  const struct pair *pair = &w->pair;
  const struct hold *hold = NULL;
  w->first_owner = s->num_owners;
  if (event_joins(pair->kind) && pair->object == 0) return true; /* not known */
  if (event_joins(pair->kind)) {
    return add_owner(s, w, (struct wait_link){.pair = *pair, .owner = pair->object});
  }
  while ((hold = holders_next(holders, pair->kind, pair->object, pair->thread, hold)) != NULL) {
    struct wait_link link = {.pair = *pair,
                             .owner = hold->thread,
                             .owner_stack = hold->stack,
                             .owner_since = hold->since};
    if (!add_owner(s, w, link)) return false;
  }
  struct wait_link link = {.pair = *pair};
  holders_set_owner(holders, &link, holders_owner_now(holders, pair));
  return w->num_owners > 0 || link.owner == 0 || add_owner(s, w, link);
}

/* join() has no time limit; its signature is ()V. A call of join(0) counts as one with a limit,
   because the stack does not show the argument. Without a stack a join counts as endless. */
static bool is_endless_wait(const struct pair *pair, const struct dump *d,
                            const struct stacks *stacks) {
  if (!event_joins(pair->kind)) return lock_events[pair->kind].act == LOCK_ACT_WAITS;
  size_t depth;
  const struct frame *frames = stacks_frames(stacks, pair->stack, &depth);
  const struct method_line *method = depth == 0 ? NULL : dump_method(d, frames[0].method);
  return method == NULL || span_is(method->signature, "()V");
}

/* Of the open pairs of a thread only the one that began last counts. */
static bool collect_waiters(struct search *s, const struct pairs *pairs,
                            const struct holders *holders) {
  struct pair pair;
  for (size_t cursor = 0; pairs_next_open(pairs, &cursor, &pair);) {
    if (!is_endless_wait(&pair, s->dump, s->stacks)) continue;
    bool is_new;
    struct waiter *w =
        rows_at(&s->ids, pair.thread, &s->waiters, &s->num, &s->capacity, sizeof *w, &is_new);
    if (w == NULL) return false;
    if (is_new || pair.begin > w->pair.begin) w->pair = pair;
  }
  for (size_t i = 0; i < s->num; i++) {
    if (!add_owners(s, &s->waiters[i], holders)) return false;
    s->waiters[i].is_stuck = s->waiters[i].num_owners > 0;
  }
  return true;
}

/* --- stuck threads ----------------------------------------------------------------------- */

/* Returns the waiter of an owner's thread if that thread is stuck, else NULL. */
static struct waiter *find_stuck_waiter(const struct search *s, size_t owner) {
  uint64_t at = 0;
  hashmap_get(&s->ids, s->owners[owner].owner, &at);
  return at != 0 && s->waiters[at - 1].is_stuck ? &s->waiters[at - 1] : NULL;
}

/* A semaphore needs only one holder that can run on and release it. A writer needs every reader to
   release the lock, so one stuck reader keeps it stuck. */
static bool is_still_stuck(const struct search *s, const struct waiter *w) {
  size_t num_stuck = 0;
  for (size_t i = 0; i < w->num_owners; i++) {
    num_stuck += find_stuck_waiter(s, w->first_owner + i) != NULL;
  }
  bool needs_one = lock_events[w->pair.kind].sort == LOCK_SEMAPHORE;
  return needs_one ? num_stuck == w->num_owners : num_stuck > 0;
}

/* Unmarks the waiters that can run on because their owners can. Repeats until nothing changes. */
static void unmark_unstuck(struct search *s) {
  bool changed;
  do {
    changed = false;
    for (size_t i = 0; i < s->num; i++) {
      struct waiter *w = &s->waiters[i];
      if (!w->is_stuck || is_still_stuck(s, w)) continue;
      w->is_stuck = false;
      changed = true;
    }
  } while (changed);
}

/* --- rings ---------------------------------------------------------------------------------- */

/* Returns the index of the first stuck owner of a stuck waiter. */
static size_t find_stuck_owner(const struct search *s, const struct waiter *w) {
  size_t owner = w->first_owner;
  while (find_stuck_waiter(s, owner) == NULL) owner++;
  return owner;
}

static struct waiter *find_next_waiter(const struct search *s, const struct waiter *w) {
  return find_stuck_waiter(s, find_stuck_owner(s, w));
}

static bool add_deadlock(struct deadlocks *d, const struct search *s, const struct waiter *first) {
  const struct waiter *w = first;
  do {
    void *grown = grow(d->links, d->num, &d->capacity, sizeof *d->links);
    if (grown == NULL) return false;
    d->links = grown;
    d->links[d->num++] = (struct deadlock_link){d->num_rings, s->owners[find_stuck_owner(s, w)]};
    w = find_next_waiter(s, w);
  } while (w != first);
  d->num_rings++;
  return true;
}

/* From each stuck waiter it walks to the next waiter until it reaches one that was reached before.
   If the same walk reached that one, it is on a new ring. */
static bool find_deadlocks(struct deadlocks *d, struct search *s) {
  for (size_t number = 1; number <= s->num; number++) {
    struct waiter *w = &s->waiters[number - 1];
    if (!w->is_stuck) continue;
    for (; w->walk == 0; w = find_next_waiter(s, w)) w->walk = number;
    if (w->walk == number && !add_deadlock(d, s, w)) return false;
  }
  return true;
}

bool deadlocks_find(struct deadlocks *out, const struct pairs *pairs, const struct holders *holders,
                    const struct dump *d, const struct stacks *stacks) {
  struct search s = {.dump = d, .stacks = stacks};
  bool good = collect_waiters(&s, pairs, holders);
  if (good) unmark_unstuck(&s);
  good = good && find_deadlocks(out, &s);
  hashmap_free(&s.ids);
  free(s.waiters);
  free(s.owners);
  return good;
}

/* Drops each ring for which `matches` returns true for none of its pairs. The links of a ring are
   consecutive. */
static void deadlocks_keep(struct deadlocks *d, bool (*matches)(void *arg, const struct pair *pair),
                           void *arg) {
  size_t kept = 0, rings = 0, len;
  for (size_t first = 0; first < d->num; first += len) {
    bool keep = false;
    len = 1;
    while (first + len < d->num && d->links[first + len].ring == d->links[first].ring) len++;
    for (size_t i = first; i < first + len; i++) keep |= matches(arg, &d->links[i].wait.pair);
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

void deadlocks_free(struct deadlocks *d) {
  free(d->links);
  *d = (struct deadlocks){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

/* A deadlock matches if one of its pairs does. */
static bool does_link_match(void *arg, const struct pair *pair) {
  struct model *m = arg;
  struct pair clipped = *pair;
  clipped.end = m->recording.to;
  return matcher_pair(&m->matcher, &m->stacks, &clipped);
}

/* Searches the pairs and holders that remain at the end. */
static bool end_deadlocks(struct model *m) {
  struct deadlocks *d = &m->deadlocks;
  if (!deadlocks_find(d, &m->pass.pairs, &m->pass.holders, m->dump, &m->stacks)) return false;
  for (size_t i = 0; i < d->num; i++) {
    d->links[i].wait.pair.begin = matcher_clip(&m->matcher, d->links[i].wait.pair.begin);
  }
  deadlocks_keep(d, does_link_match, m);
  return true;
}

const struct analysis analysis_deadlocks = {.listener = {.name = "deadlocks", .lines = PASS_EVENTS},
                                            .uses = ANALYSES(TITLES),
                                            .end = end_deadlocks};
