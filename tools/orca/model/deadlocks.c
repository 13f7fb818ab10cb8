#include "tools/orca/model/deadlocks.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"

/* A thread that waits, and who keeps it out. */
struct waiter {
  struct pair pair;
  size_t first_owner, num_owners;
  bool is_stuck;
  size_t
      walk; /* a walk leaves its number on each waiter it meets; who meets its own is on a ring */
};

struct owner {
  uint32_t thread;
  stack_id_t stack;
  ticks_t since;
};

struct search {
  const struct dump *dump;
  const struct stacks *stacks;
  struct hashmap waiting; /* thread -> index of its waiter plus one */
  struct waiter *waiters;
  size_t num, capacity;
  struct owner *owners;
  size_t num_owners, owners_capacity;
};

/* --- who waits for whom --------------------------------------------------------------- */

static bool add_owner(struct search *s, struct waiter *w, struct owner owner) {
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
  if (pair->kind == EVENT_THREAD_JOIN) return add_owner(s, w, (struct owner){pair->object, 0, 0});
  while ((hold = holders_next(holders, pair->kind, pair->object, pair->thread, hold)) != NULL) {
    if (!add_owner(s, w, (struct owner){hold->thread, hold->stack, hold->since})) return false;
  }
  return w->num_owners > 0 || pair->last_owner == 0 ||
         add_owner(s, w, (struct owner){pair->last_owner, 0, 0});
}

/* join() and join(0) are for ever; what the stack does not show is taken to be. */
static bool has_time_limit(const struct pair *pair, const struct dump *d,
                           const struct stacks *stacks) {
  size_t depth;
  const struct frame *frames = stacks_frames(stacks, pair->stack, &depth);
  const struct method_line *method = depth == 0 ? NULL : dump_method(d, frames[0].method);
  return method != NULL && !span_is(method->signature, "()V");
}

bool deadlocks_waits(const struct pair *pair, const struct dump *d, const struct stacks *stacks) {
  if (pair->kind == EVENT_THREAD_JOIN) return !has_time_limit(pair, d, stacks);
  return lock_events[pair->kind].act == LOCK_ACT_WAITS;
}

/* The place of a thread among those who wait. It may be in several calls: it is the last that it
   waits in. NULL where memory runs out. */
static struct waiter *place_of(struct search *s, const struct pair *pair) {
  bool is_new;
  struct waiter *w =
      rows_at(&s->waiting, pair->thread, &s->waiters, &s->num, &s->capacity, sizeof *w, &is_new);
  if (is_new) w->pair = *pair;
  return w;
}

static bool collect(struct search *s, const struct pairs *pairs, const struct holders *holders) {
  struct pair pair;
  for (size_t cursor = 0; pairs_next_open(pairs, &cursor, &pair);) {
    if (!deadlocks_waits(&pair, s->dump, s->stacks)) continue;
    struct waiter *w = place_of(s, &pair);
    if (w == NULL) return false;
    if (pair.begin > w->pair.begin) w->pair = pair;
  }
  for (size_t i = 0; i < s->num; i++) {
    if (!add_owners(s, &s->waiters[i], holders)) return false;
    s->waiters[i].is_stuck = s->waiters[i].num_owners > 0;
  }
  return true;
}

/* --- who is stuck ------------------------------------------------------------------------ */

/* The waiter that an owner is, if it is stuck. */
static struct waiter *stuck_owner(const struct search *s, size_t owner) {
  uint64_t at = 0;
  hashmap_get(&s->waiting, s->owners[owner].thread, &at);
  return at != 0 && s->waiters[at - 1].is_stuck ? &s->waiters[at - 1] : NULL;
}

/* One holder of a semaphore who goes on will do; a writer needs every reader to. */
static bool stays_stuck(const struct search *s, const struct waiter *w) {
  size_t num_stuck = 0;
  for (size_t i = 0; i < w->num_owners; i++) {
    num_stuck += stuck_owner(s, w->first_owner + i) != NULL;
  }
  bool needs_one = lock_events[w->pair.kind].sort == LOCK_SEMAPHORE;
  return needs_one ? num_stuck == w->num_owners : num_stuck > 0;
}

/* Whoever waits for one who is not stuck will go on some time; then others may. */
static void free_who_can_go_on(struct search *s) {
  bool changed;
  do {
    changed = false;
    for (size_t i = 0; i < s->num; i++) {
      struct waiter *w = &s->waiters[i];
      if (!w->is_stuck || stays_stuck(s, w)) continue;
      w->is_stuck = false;
      changed = true;
    }
  } while (changed);
}

/* --- rings ---------------------------------------------------------------------------------- */

/* The owner that a stuck one waits for and that is stuck as well. */
static size_t stuck_for(const struct search *s, const struct waiter *w) {
  size_t owner = w->first_owner;
  while (stuck_owner(s, owner) == NULL) owner++;
  return owner;
}

static struct waiter *next_of(const struct search *s, const struct waiter *w) {
  return stuck_owner(s, stuck_for(s, w));
}

static bool add_ring(struct deadlocks *d, const struct search *s, const struct waiter *first) {
  const struct waiter *w = first;
  do {
    void *grown = grow(d->links, d->num, &d->capacity, sizeof *d->links);
    if (grown == NULL) return false;
    d->links = grown;
    const struct owner *owner = &s->owners[stuck_for(s, w)];
    d->links[d->num++] =
        (struct deadlock_link){d->num_rings, w->pair, owner->thread, owner->stack, owner->since};
    w = next_of(s, w);
  } while (w != first);
  d->num_rings++;
  return true;
}

static bool find_rings(struct deadlocks *d, struct search *s) {
  for (size_t number = 1; number <= s->num; number++) {
    struct waiter *w = &s->waiters[number - 1];
    if (!w->is_stuck) continue;
    for (; w->walk == 0; w = next_of(s, w)) w->walk = number;
    if (w->walk == number && !add_ring(d, s, w)) return false;
  }
  return true;
}

bool deadlocks_find(struct deadlocks *out, const struct pairs *pairs, const struct holders *holders,
                    const struct dump *d, const struct stacks *stacks) {
  struct search s = {.dump = d, .stacks = stacks};
  bool good = collect(&s, pairs, holders);
  if (good) free_who_can_go_on(&s);
  good = good && find_rings(out, &s);
  hashmap_free(&s.waiting);
  free(s.waiters);
  free(s.owners);
  return good;
}

/* The links of a ring stand together. */
static size_t ring_length(const struct deadlocks *d, size_t first) {
  size_t n = 1;
  while (first + n < d->num && d->links[first + n].ring == d->links[first].ring) n++;
  return n;
}

void deadlocks_keep(struct deadlocks *d, bool (*wanted)(void *arg, const struct pair *pair),
                    void *arg) {
  size_t kept = 0, rings = 0, len;
  for (size_t first = 0; first < d->num; first += len) {
    bool keep = false;
    len = ring_length(d, first);
    for (size_t i = first; i < first + len; i++) keep |= wanted(arg, &d->links[i].pair);
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
