#include "tools/orca/model/orders.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/model.h"

#define MOST_ROWS ((size_t)1 << 20)
#define MOST_SITES ((size_t)1 << 20)
#define MOST_HELD 16 /* a thread that holds more locks than this gives no orders */

static void orders_start(struct orders *o, const struct dump *d, const struct stacks *stacks) {
  o->exact_monitors = coverage_has_owners(dump_coverage(d));
  o->stacks = stacks;
}

/* --- rows --------------------------------------------------------------------------------- */

static uint64_t mix_hash(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}

static uint64_t mix_order_lock(uint64_t hash, struct order_lock lock) {
  return mix_hash(hash, (uint64_t)lock.sort << 32 | lock.object);
}

/* Orders with the same locks, thread and gates are one row. */
static uint64_t hash_order(const struct order *order, const struct order_lock *gates) {
  uint64_t hash =
      mix_hash(mix_order_lock(mix_order_lock(1, order->has), order->asks), order->thread);
  for (size_t i = 0; i < order->num_gates; i++) hash = mix_order_lock(hash, gates[i]);
  return mix_hash(hash, order->partial);
}

static uint32_t find_method(const struct orders *o, stack_id_t stack) {
  return stack == 0 ? 0 : place_method(stacks_place(o->stacks, stack));
}

/* Adds the method in which the thread asked for the lock, if it is a new one of this row. */
static bool add_site(struct orders *o, size_t at, const struct order *order) {
  uint32_t method = find_method(o, order->asks_stack);
  uint64_t key = (uint64_t)at << 32 | method, found;
  if (method == find_method(o, o->rows[at].asks_stack) || hashmap_get(&o->site_ids, key, &found)) {
    return true;
  }
  if (o->num_sites == MOST_SITES) {
    o->lacks_variants = true;
    return true;
  }
  uint64_t *known = hashmap_at(&o->site_ids, key);
  if (known == NULL) return false;
  *known = 1;
  void *grown = grow(o->sites, o->num_sites, &o->sites_capacity, sizeof *o->sites);
  if (grown == NULL) return false;
  o->sites = grown;
  o->sites[o->num_sites++] =
      (struct order_site){order->has_stack, order->asks_stack, o->rows[at].sites};
  o->rows[at].sites = o->num_sites;
  return true;
}

/* `order.times` is 0 if another event of the same acquisition was counted. The row is added anyway:
   the thread may hold other locks by now. */
static bool add_order(struct orders *o, struct order order, const struct order_lock *gates) {
  uint64_t hash = hash_order(&order, gates), at = 0;
  if (hashmap_get(&o->ids, hash, &at)) {
    o->rows[at - 1].times += order.times;
    return add_site(o, at - 1, &order);
  }
  order.times = 1;
  if (o->num == MOST_ROWS) {
    o->left_out++;
    o->lacks_variants = true;
    return true;
  }
  order.gates = o->num_gates;
  void *grown = grow(o->rows, o->num, &o->capacity, sizeof *o->rows);
  if (grown == NULL) return false;
  o->rows = grown;
  o->rows[o->num++] = order;
  for (size_t i = 0; i < order.num_gates; i++) {
    grown = grow(o->gates, o->num_gates, &o->gates_capacity, sizeof *o->gates);
    if (grown == NULL) return false;
    o->gates = grown;
    o->gates[o->num_gates++] = gates[i];
  }
  return hashmap_put(&o->ids, hash, o->num);
}

/* --- held locks ----------------------------------------------------------------------- */

static bool is_same_lock(struct order_lock a, struct order_lock b) {
  bool sides = lock_sort_is_side(a.sort) && lock_sort_is_side(b.sort);
  return a.object == b.object && (a.sort == b.sort || sides);
}

static struct order_lock make_order_lock(const struct hold *hold) {
  return (struct order_lock){(enum lock_sort)hold->sort, (uint32_t)hold->lock};
}

/* Fills `out` with the locks that the thread holds, newest first, and returns their number. Returns
   MOST_HELD + 1 if there are too many, or if the thread already holds the lock that it asks for. */
static size_t collect_held(const struct holders *h, uint32_t thread, struct order_lock asks,
                           const struct hold **out) {
  size_t num = 0;
  const struct hold *hold = holds_of_thread(&h->holds, thread);
  for (; hold != NULL; hold = holds_next_of_thread(&h->holds, hold)) {
    if (hold->away || hold->sort == LOCK_SEMAPHORE) continue;
    if (num == MOST_HELD || is_same_lock(make_order_lock(hold), asks)) return MOST_HELD + 1;
    out[num++] = hold;
  }
  return num;
}

/* An acquisition that had to wait has two events that show the same orders: WAITS and GOT. Sets
   `*out_counted` to whether this is the second one. Returns false when memory ran out. */
static bool follow_acquisition(struct orders *o, const struct event_line *line, bool *out_counted) {
  const struct lock_event *event = &lock_events[line->kind];
  uint64_t lock = lock_key(event->sort, line->object), *asked = hashmap_at(&o->asked, line->thread);
  if (asked == NULL) return false;
  bool waits = event->act == LOCK_ACT_WAITS;
  *out_counted = !waits && *asked == lock;
  *asked = waits ? lock : 0;
  return true;
}

static bool add_held_orders(struct orders *o, const struct holders *h,
                            const struct event_line *line, stack_id_t stack) {
  const struct hold *held[MOST_HELD];
  struct order_lock asks = {lock_events[line->kind].sort, line->object};
  bool is_counted;
  if (!follow_acquisition(o, line, &is_counted)) return false;
  size_t num = collect_held(h, line->thread, asks, held);
  if (num > MOST_HELD) return true;
  for (size_t i = 0; i < num; i++) {
    struct order_lock gates[MOST_HELD];
    size_t num_gates = 0;
    for (size_t other = 0; other < num; other++) {
      if (other != i) gates[num_gates++] = make_order_lock(held[other]);
    }
    struct order order = {.has = make_order_lock(held[i]),
                          .asks = asks,
                          .thread = line->thread,
                          .has_stack = held[i]->stack,
                          .asks_stack = stack,
                          .first = line->time,
                          .times = is_counted ? 0 : 1,
                          .num_gates = num_gates};
    if (!add_order(o, order, gates)) return false;
  }
  return true;
}

/* --- owners that are blocked ------------------------------------------------------------- */

static bool find_blocked_pair(const struct pairs *pairs, uint32_t thread, struct pair *out) {
  for (size_t i = 0; i < lock_askers.num; i++) {
    const struct lock_event *asks = &lock_events[lock_askers.kinds[i]];
    bool is_endless = asks->act == LOCK_ACT_WAITS && asks->sort != LOCK_SEMAPHORE;
    if (is_endless && pairs_find(pairs, thread, lock_askers.kinds[i], out)) return true;
  }
  return false;
}

/* Adds the order of the owner that the event names. An owner of a read-write lock is its writer,
   because events never name readers. */
static bool add_owner_order(struct orders *o, const struct pairs *pairs,
                            const struct event_line *line) {
  enum lock_sort sort = lock_events[line->kind].sort;
  struct pair pair;
  if (line->owner == 0 || line->owner == line->thread) return true;
  if (sort == LOCK_SEMAPHORE || (sort == LOCK_MONITOR && !o->exact_monitors)) return true;
  if (!find_blocked_pair(pairs, line->owner, &pair)) return true;
  struct order order = {.has = {sort == LOCK_READ_SIDE ? LOCK_WRITE_SIDE : sort, line->object},
                        .asks = {lock_events[pair.kind].sort, pair.object},
                        .thread = line->owner,
                        .asks_stack = pair.stack,
                        .first = line->time,
                        .times = 1,
                        .partial = true};
  return is_same_lock(order.has, order.asks) || add_order(o, order, NULL);
}

bool orders_event(struct orders *o, const struct holders *holders, const struct pairs *pairs,
                  const struct event_line *line, stack_id_t stack) {
  const struct lock_event *event = &lock_events[line->kind];
  bool waits = event->act == LOCK_ACT_WAITS, got = event->act == LOCK_ACT_GOT;
  bool tried =
      got && event_is_end(line->kind) && lock_events[event_begin(line->kind)].act == LOCK_ACT_TRIES;
  if ((!waits && !got) || tried || coverage_is_lossy(holders->coverage) ||
      event->sort == LOCK_SEMAPHORE)
    return true;
  return add_held_orders(o, holders, line, stack) && (!waits || add_owner_order(o, pairs, line));
}

void orders_free(struct orders *o) {
  hashmap_free(&o->ids);
  hashmap_free(&o->asked);
  hashmap_free(&o->ring_ids);
  hashmap_free(&o->site_ids);
  hashmap_free(&o->variant_ids);
  free(o->rows);
  free(o->gates);
  free(o->sites);
  free(o->variants);
  free(o->links);
  free(o->rings);
  *o = (struct orders){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

static void start_orders(struct model *m) { orders_start(&m->orders, m->dump, &m->stacks); }

static bool is_order_event(enum event_kind kind) {
  enum lock_act act = lock_events[kind].act;
  return act == LOCK_ACT_WAITS || act == LOCK_ACT_GOT;
}

static bool take_order_event(void *arg, const struct step *step) {
  struct model *m = arg;
  return orders_event(&m->orders, &m->pass.holders, &m->pass.pairs, step->event, step->stack);
}

static bool end_orders(struct model *m) {
  return orders_end(&m->orders, &m->pass.holders, &m->stacks, &m->matcher);
}

const struct analysis analysis_orders = {
    .listener = {"orders", PASS_EVENTS, is_order_event, .before = take_order_event},
    .uses = ANALYSES(TITLES),
    .start = start_orders,
    .end = end_orders};
