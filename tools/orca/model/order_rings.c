/* The rings of orders.h: a search in depth, from the lock of a ring with the smallest key. */
#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/orders.h"

#define LONGEST 6
#define MOST_STEPS 2000000 /* for each length */
#define MOST_RINGS 1000
#define MOST_ROUNDS 20

struct search {
  struct orders *orders;
  const struct stacks *stacks;
  struct matcher *matcher;
  const struct order *path[LONGEST];
  size_t num;
  size_t length;  /* of the rings that are looked for; the short ones come first, */
  uint64_t steps; /* as the search ends some time */
};

/* Both sides of a lock are one. */
static uint64_t key_of(struct order_lock lock) {
  return (uint64_t)(lock.sort == LOCK_READ ? LOCK_WRITE : lock.sort) << 32 | lock.object;
}

/* --- the orders --------------------------------------------------------------------------- */

static int by_locks(const void *left, const void *right) {
  const struct order *a = left, *b = right;
  uint64_t has_a = key_of(a->has), has_b = key_of(b->has);
  if (has_a != has_b) return compare_numbers(has_a, has_b);
  uint64_t asks_a = key_of(a->asks), asks_b = key_of(b->asks);
  return asks_a != asks_b ? compare_numbers(asks_a, asks_b) : compare_numbers(a->first, b->first);
}

/* The first order whose `has` is not below a key. */
static const struct order *first_from(const struct orders *o, uint64_t key) {
  size_t low = 0, high = o->num;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (key_of(o->rows[middle].has) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return o->rows + low;
}

static bool leads_on(const struct orders *o, const struct order *order) {
  uint64_t key = key_of(order->asks);
  const struct order *next = first_from(o, key);
  return next < o->rows + o->num && key_of(next->has) == key;
}

/* Drops the orders of locks of which nothing is known. */
static void drop_unsure(struct orders *o, const struct holders *holders) {
  size_t kept = 0;
  for (size_t i = 0; i < o->num; i++) {
    struct order_lock has = o->rows[i].has;
    if (holders_are_known(holders, has.sort, has.object)) o->rows[kept++] = o->rows[i];
  }
  o->num = kept;
}

/* Drops those that are in no ring, as nobody who had what they ask for asked for more; then others
   are such. Gives how many. */
static size_t drop_ends(struct orders *o, bool *stays) {
  size_t num = o->num, kept = 0;
  for (size_t i = 0; i < num; i++) stays[i] = leads_on(o, &o->rows[i]);
  for (size_t i = 0; i < num; i++) {
    if (stays[i]) o->rows[kept++] = o->rows[i];
  }
  o->num = kept;
  return num - kept;
}

static bool thin(struct orders *o, const struct holders *holders) {
  drop_unsure(o, holders);
  if (o->num == 0) return true;
  qsort(o->rows, o->num, sizeof *o->rows, by_locks);
  bool *stays = malloc(o->num * sizeof *stays);
  if (stays == NULL) return false;
  for (int round = 0; round < MOST_ROUNDS && drop_ends(o, stays) > 0; round++) continue;
  free(stays);
  return true;
}

/* --- one ring ---------------------------------------------------------------------- */

static bool both_may_have(struct order_lock a, struct order_lock b) {
  return key_of(a) != key_of(b) || (a.sort == LOCK_READ && b.sort == LOCK_READ);
}

/* What an order's thread has: from 0 on; false at the end. */
static bool held(const struct orders *o, const struct order *order, size_t i,
                 struct order_lock *out) {
  if (i > order->num_gates) return false;
  *out = i == 0 ? order->has : o->gates[order->gates + i - 1];
  return true;
}

static bool can_meet(const struct orders *o, const struct order *a, const struct order *b) {
  struct order_lock of_a, of_b;
  if (a->thread == b->thread) return false;
  for (size_t i = 0; held(o, a, i, &of_a); i++) {
    for (size_t k = 0; held(o, b, k, &of_b); k++) {
      if (!both_may_have(of_a, of_b)) return false;
    }
  }
  return true;
}

static bool keeps_out(const struct order *owner, const struct order *asks) {
  return key_of(owner->has) == key_of(asks->asks) && !both_may_have(owner->has, asks->asks);
}

static bool fits(const struct search *s, const struct order *order) {
  for (size_t i = 0; i < s->num; i++) {
    if (!can_meet(s->orders, s->path[i], order)) return false;
  }
  return s->num == 0 || keeps_out(order, s->path[s->num - 1]);
}

/* By these the rings that were found are known. Those of the same locks are one; those of other
   locks at the same places are alike, whichever link they begin with. */
static uint64_t locks_of(const struct search *s) {
  uint64_t hash = 0;
  for (size_t i = 0; i < s->num; i++) {
    hash = (hash ^ key_of(s->path[i]->has)) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 31;
  }
  return hash | 1;
}

static uint64_t places_of(const struct search *s) {
  uint64_t sum = s->num;
  for (size_t i = 0; i < s->num; i++) {
    uint64_t hash = stacks_place(s->stacks, s->path[i]->has_stack) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= stacks_place(s->stacks, s->path[i]->asks_stack) + (hash >> 31);
    sum += hash * UINT64_C(0xBF58476D1CE4E5B9);
  }
  return sum & ~UINT64_C(1);
}

static bool is_asked(const struct search *s) {
  for (size_t i = 0; i < s->num; i++) {
    const struct order *order = s->path[i];
    if (matcher_hold(s->matcher, s->stacks, order->asks.sort, order->asks.object, order->thread,
                     order->asks_stack)) {
      return true;
    }
  }
  return false;
}

static bool add_links(struct search *s, struct order_ring *ring) {
  struct orders *o = s->orders;
  *ring = (struct order_ring){.first = o->num_links, .num = s->num};
  for (size_t i = 0; i < s->num; i++) {
    void *grown = grow(o->links, o->num_links, &o->links_capacity, sizeof *o->links);
    if (grown == NULL) return false;
    o->links = grown;
    o->links[o->num_links++] = *s->path[i];
    ring->partial |= s->path[i]->partial;
  }
  return true;
}

/* Gives a ring of its own to what is like no other one. */
static bool add_new(struct search *s, uint64_t *at) {
  struct orders *o = s->orders;
  void *grown = grow(o->rings, o->num_rings, &o->rings_capacity, sizeof *o->rings);
  if (grown == NULL) return false;
  o->rings = grown;
  *at = ++o->num_rings;
  return add_links(s, &o->rings[o->num_rings - 1]);
}

static bool add_ring(struct search *s) {
  struct orders *o = s->orders;
  if (!is_asked(s)) return true;
  uint64_t *at = hashmap_at(&o->ring_ids, locks_of(s));
  if (at == NULL || *at != 0) return at != NULL;
  *at = 1;
  if ((at = hashmap_at(&o->ring_ids, places_of(s))) == NULL) return false;
  if (*at == 0) return o->num_rings == MOST_RINGS || add_new(s, at);
  o->rings[*at - 1].alike++;
  return true;
}

/* --- the search ------------------------------------------------------------ */

static bool follow(struct search *s, uint64_t key);

/* From the end of the path on. */
static bool go_on(struct search *s) {
  const struct order *last = s->path[s->num - 1];
  uint64_t start = key_of(s->path[0]->has), key = key_of(last->asks);
  if (key == start) return s->num < s->length || !keeps_out(s->path[0], last) || add_ring(s);
  return key < start || s->num == s->length || follow(s, key);
}

/* Tries the orders of those who have this lock. */
static bool follow(struct search *s, uint64_t key) {
  const struct order *next = first_from(s->orders, key), *end = s->orders->rows + s->orders->num;
  for (; next < end && key_of(next->has) == key && s->steps < MOST_STEPS; next++) {
    s->steps++;
    if (!fits(s, next)) continue;
    s->path[s->num++] = next;
    bool good = go_on(s);
    s->num--;
    if (!good) return false;
  }
  return true;
}

/* All rings of one length. */
static bool find(struct search *s) {
  for (size_t i = 0; i < s->orders->num; i++) {
    s->path[0] = &s->orders->rows[i];
    s->num = 1;
    if (!go_on(s)) return false;
  }
  return true;
}

bool orders_end(struct orders *o, const struct holders *holders, const struct stacks *stacks,
                struct matcher *matcher) {
  struct search s = {.orders = o, .stacks = stacks, .matcher = matcher};
  hashmap_free(&o->ids); /* its rows are about to move */
  if (!thin(o, holders)) return false;
  for (s.length = 2; s.length <= LONGEST; s.length++) {
    s.steps = 0;
    if (!find(&s)) return false;
  }
  return true;
}
