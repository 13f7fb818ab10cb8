/* Finds the rings of orders.h by depth-first search. A path starts at the lock of the ring that has
   the smallest key, so each ring is found from one start only. */
#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/locks.h"
#include "tools/orca/model/orders.h"

#define LONGEST 6
#define MOST_STEPS 2000000 /* of the search for rings of one length */
#define MOST_RINGS 1000
#define MOST_VARIANTS 1000
#define MOST_ROUNDS 20 /* of drop_dead_ends */

struct search {
  struct orders *orders;
  const struct stacks *stacks;
  struct matcher *matcher;
  const struct order *path[LONGEST];
  size_t num;
  size_t length;  /* of the rings that it searches for; short ones first */
  uint64_t steps; /* so far, at most MOST_STEPS */
};

static uint64_t make_order_key(struct order_lock lock) { return lock_key(lock.sort, lock.object); }

/* --- the orders --------------------------------------------------------------------------- */

static int compare_orders(const void *left, const void *right) {
  const struct order *a = left, *b = right;
  uint64_t has_a = make_order_key(a->has), has_b = make_order_key(b->has);
  if (has_a != has_b) return compare_numbers(has_a, has_b);
  uint64_t asks_a = make_order_key(a->asks), asks_b = make_order_key(b->asks);
  return asks_a != asks_b ? compare_numbers(asks_a, asks_b) : compare_numbers(a->first, b->first);
}

/* Returns the first order whose `has` has at least this key. */
static const struct order *find_first_order(const struct orders *o, uint64_t key) {
  size_t low = 0, high = o->num;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (make_order_key(o->rows[middle].has) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return o->rows + low;
}

/* Drops the orders that cannot be in a ring, because no thread asked for a lock while it held their
   `asks`. Returns how many it dropped. After that, others may be dead ends. */
static size_t drop_dead_ends(struct orders *o, bool *is_kept) {
  size_t num = o->num, kept = 0;
  for (size_t i = 0; i < num; i++) {
    uint64_t key = make_order_key(o->rows[i].asks);
    const struct order *next = find_first_order(o, key);
    is_kept[i] = next < o->rows + num && make_order_key(next->has) == key;
  }
  for (size_t i = 0; i < num; i++) {
    if (is_kept[i]) o->rows[kept++] = o->rows[i];
  }
  o->num = kept;
  return num - kept;
}

/* Drops the orders of locks whose holders are not known, then those that cannot be in a ring. */
static bool prune_orders(struct orders *o, const struct holders *holders) {
  size_t kept = 0;
  for (size_t i = 0; i < o->num; i++) {
    struct order_lock has = o->rows[i].has;
    if (holders_are_known(holders, has.sort, has.object)) o->rows[kept++] = o->rows[i];
  }
  o->num = kept;
  if (o->num == 0) return true;
  qsort(o->rows, o->num, sizeof *o->rows, compare_orders);
  bool *is_kept = malloc(o->num * sizeof *is_kept);
  if (is_kept == NULL) return false;
  for (int round = 0; round < MOST_ROUNDS && drop_dead_ends(o, is_kept) > 0; round++) continue;
  free(is_kept);
  return true;
}

/* --- one ring ---------------------------------------------------------------------- */

/* Two threads can hold the locks at the same time. */
static bool can_share(struct order_lock a, struct order_lock b) {
  return make_order_key(a) != make_order_key(b) ||
         (a.sort == LOCK_READ_SIDE && b.sort == LOCK_READ_SIDE);
}

/* Finds the i-th lock that the thread of an order held: `has`, then the gates. Returns false after
   the last one. */
static bool find_held_lock(const struct orders *o, const struct order *order, size_t i,
                           struct order_lock *out) {
  if (i > order->num_gates) return false;
  *out = i == 0 ? order->has : o->gates[order->gates + i - 1];
  return true;
}

/* Both threads can be in the situations of their orders at the same time. */
static bool can_overlap(const struct orders *o, const struct order *a, const struct order *b) {
  struct order_lock of_a, of_b;
  if (a->thread == b->thread) return false;
  for (size_t i = 0; find_held_lock(o, a, i, &of_a); i++) {
    for (size_t k = 0; find_held_lock(o, b, k, &of_b); k++) {
      if (!can_share(of_a, of_b)) return false;
    }
  }
  return true;
}

/* The thread of `owner` holds the lock that the thread of `waiter` asks for, and keeps it out. */
static bool blocks(const struct order *owner, const struct order *waiter) {
  return make_order_key(owner->has) == make_order_key(waiter->asks) &&
         !can_share(owner->has, waiter->asks);
}

static bool can_extend_path(const struct search *s, const struct order *order) {
  for (size_t i = 0; i < s->num; i++) {
    if (!can_overlap(s->orders, s->path[i], order)) return false;
  }
  return s->num == 0 || blocks(order, s->path[s->num - 1]);
}

/* Rings with the same locks are one ring. An odd hash is one of locks, an even one of places. */
static uint64_t hash_ring_locks(const struct search *s) {
  uint64_t hash = 0;
  for (size_t i = 0; i < s->num; i++) {
    hash = (hash ^ make_order_key(s->path[i]->has)) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 31;
  }
  return hash | 1;
}

/* Rings with the same places are alike. The hash does not depend on the link that comes first. */
static uint64_t hash_ring_places(const struct search *s) {
  uint64_t sum = s->num;
  for (size_t i = 0; i < s->num; i++) {
    uint64_t hash = stacks_place(s->stacks, s->path[i]->has_stack) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= stacks_place(s->stacks, s->path[i]->asks_stack) + (hash >> 31);
    sum += hash * UINT64_C(0xBF58476D1CE4E5B9);
  }
  return sum & ~UINT64_C(1);
}

static bool does_ring_match(const struct search *s) {
  for (size_t i = 0; i < s->num; i++) {
    const struct order *order = s->path[i];
    if (matcher_hold(s->matcher, s->stacks, order->asks.sort, order->asks.object, order->thread,
                     order->asks_stack)) {
      return true;
    }
  }
  return false;
}

/* Adds links as a ring at the end of `*rings`. */
static bool append_ring(struct orders *o, const struct order *links, size_t num_links,
                        struct order_ring **rings, size_t *num, size_t *capacity) {
  void *grown = grow(*rings, *num, capacity, sizeof **rings);
  if (grown == NULL) return false;
  *rings = grown;
  struct order_ring *ring = &(*rings)[(*num)++];
  *ring = (struct order_ring){.first = o->num_links, .num = num_links};
  for (size_t i = 0; i < num_links; i++) {
    grown = grow(o->links, o->num_links, &o->links_capacity, sizeof *o->links);
    if (grown == NULL) return false;
    o->links = grown;
    o->links[o->num_links++] = links[i];
    ring->partial |= links[i].partial;
  }
  return true;
}

/* Adds the path as a new ring, and sets `*at` to its number. */
static bool add_new_ring(struct search *s, uint64_t *at) {
  struct orders *o = s->orders;
  struct order links[LONGEST];
  for (size_t i = 0; i < s->num; i++) links[i] = *s->path[i];
  *at = o->num_rings + 1;
  return append_ring(o, links, s->num, &o->rings, &o->num_rings, &o->rings_capacity);
}

/* --- its variants ------------------------------------------------------------------ */

/* The same for each link that comes first. */
static uint64_t hash_variant(const struct search *s, const struct order *links) {
  uint64_t least = UINT64_MAX;
  for (size_t first = 0; first < s->num; first++) {
    uint64_t hash = s->num;
    for (size_t i = 0; i < s->num; i++) {
      const struct order *link = &links[(first + i) % s->num];
      uint32_t method = place_method(stacks_place(s->stacks, link->asks_stack));
      hash = (hash ^ ((uint64_t)link->asks_class << 32 | method)) * UINT64_C(0x9E3779B97F4A7C15);
      hash ^= hash >> 29;
    }
    if (hash < least) least = hash;
  }
  return least;
}

static bool add_variant(struct search *s, const struct order *links) {
  struct orders *o = s->orders;
  uint64_t hash = hash_variant(s, links), found;
  if (hashmap_get(&o->variant_ids, hash, &found)) return true;
  if (o->num_variants == MOST_VARIANTS) {
    o->lacks_variants = true;
    return true;
  }
  uint64_t *known = hashmap_at(&o->variant_ids, hash);
  if (known == NULL) return false;
  *known = 1;
  return append_ring(o, links, s->num, &o->variants, &o->num_variants, &o->variants_capacity);
}

/* Returns whether the search may take one more step. Otherwise it leaves out what follows. */
static bool take_search_step(struct search *s) {
  if (s->steps == MOST_STEPS) {
    s->orders->lacks_variants = true;
    return false;
  }
  s->steps++;
  return true;
}

/* Adds the path with each choice of the methods that ask for its locks. `links` has the choice for
   the first `num` of them. Once one variant was left out, a search for more is of no use. */
static bool add_variants(struct search *s, struct order *links, size_t num) {
  const struct orders *o = s->orders;
  bool is_full = o->num_variants == MOST_VARIANTS && o->lacks_variants;
  if (is_full || !take_search_step(s)) return true;
  if (num == s->num) return add_variant(s, links);
  links[num] = *s->path[num];
  if (!add_variants(s, links, num + 1)) return false;
  for (size_t at = s->path[num]->sites; at != 0; at = o->sites[at - 1].next) {
    links[num].has_stack = o->sites[at - 1].has_stack;
    links[num].asks_stack = o->sites[at - 1].asks_stack;
    if (!add_variants(s, links, num + 1)) return false;
  }
  return true;
}

static bool add_or_count_ring(struct search *s) {
  struct orders *o = s->orders;
  struct order links[LONGEST];
  if (!does_ring_match(s)) return true;
  if (!add_variants(s, links, 0)) return false;
  uint64_t *at = hashmap_at(&o->ring_ids, hash_ring_locks(s));
  if (at == NULL || *at != 0) return at != NULL;
  *at = 1;
  if ((at = hashmap_at(&o->ring_ids, hash_ring_places(s))) == NULL) return false;
  if (*at == 0) return o->num_rings == MOST_RINGS || add_new_ring(s, at);
  o->rings[*at - 1].alike++;
  return true;
}

/* --- the search ------------------------------------------------------------ */

static bool search_orders(struct search *s, uint64_t key);

/* Adds the path if it is a ring, else searches on from its end. */
static bool continue_path(struct search *s) {
  const struct order *last = s->path[s->num - 1];
  uint64_t start = make_order_key(s->path[0]->has), key = make_order_key(last->asks);
  if (key == start) return s->num < s->length || !blocks(s->path[0], last) || add_or_count_ring(s);
  return key < start || s->num == s->length || search_orders(s, key);
}

/* Extends the path by each order whose thread held the lock with this key. */
static bool search_orders(struct search *s, uint64_t key) {
  const struct order *next = find_first_order(s->orders, key),
                     *end = s->orders->rows + s->orders->num;
  for (; next < end && make_order_key(next->has) == key && take_search_step(s); next++) {
    if (!can_extend_path(s, next)) continue;
    s->path[s->num++] = next;
    bool good = continue_path(s);
    s->num--;
    if (!good) return false;
  }
  return true;
}

bool orders_end(struct orders *o, const struct holders *holders, const struct stacks *stacks,
                struct matcher *matcher) {
  struct search s = {.orders = o, .stacks = stacks, .matcher = matcher};
  hashmap_free(&o->ids); /* its row numbers are about to change */
  hashmap_free(&o->site_ids);
  if (!prune_orders(o, holders)) return false;
  for (size_t i = 0; matcher->dump != NULL && i < o->num; i++) {
    o->rows[i].asks_class = locks_class(matcher->dump, o->rows[i].asks.object);
  }
  for (s.length = 2; s.length <= LONGEST; s.length++) {
    s.steps = 0;
    for (size_t i = 0; i < o->num; i++) {
      s.path[0] = &o->rows[i];
      s.num = 1;
      if (!continue_path(&s)) return false;
    }
  }
  return true;
}
