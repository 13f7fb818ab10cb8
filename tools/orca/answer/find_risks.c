/* What may go wrong: orders of locks that can deadlock, code that is guarded by two monitors, locks
   on shared values. */
#include "tools/orca/answer/find.h"

#define FEW_MEETINGS 10
#define TOLD 3 /* findings of one kind */

/* --- orders of locks --------------------------------------------------------------- */

static bool is_in_deadlock(const struct model *m, uint32_t object) {
  for (size_t i = 0; i < m->deadlocks.num; i++) {
    if (m->deadlocks.links[i].wait.pair.object == object) return true;
  }
  return false;
}

/* A ring that did deadlock is found already. */
static bool has_happened(const struct model *m, const struct order_ring *ring) {
  for (size_t i = 0; i < ring->num; i++) {
    if (!is_in_deadlock(m, m->orders.links[ring->first + i].asks.object)) return false;
  }
  return true;
}

void find_order(const struct finder *f, const struct order *order, struct found_order *out) {
  *out = (struct found_order){.thread = name_thread(f, order->thread),
                              .asks_for = name_lock(f, order->asks.sort, order->asks.object),
                              .asks_at = name_stack(f, order->asks_stack),
                              .has = name_lock(f, order->has.sort, order->has.object),
                              .acquired_at = name_stack(f, order->has_stack)};
}

void find_lock_orders(const struct finder *f) {
  const struct orders *o = &f->m->orders;
  size_t told = 0;
  for (size_t i = 0; i < o->num_rings && told < TOLD; i++) {
    const struct order_ring *ring = &o->rings[i];
    struct found_lock_order out = {.group = i + 1, .threads = ring->num, .alike = ring->alike};
    if (ring->partial || has_happened(f->m, ring)) continue;
    for (size_t k = 0; k < ring->num; k++) {
      struct found_order *part = FINDINGS_PART(f->out, &out.links, order);
      if (part != NULL) find_order(f, &o->links[ring->first + k], part);
    }
    told++;
    FINDINGS_ADD(f->out, lock_order, 0, &out);
  }
}

/* --- code that is guarded by two monitors ------------------------------------------ */

void find_two_monitors(const struct finder *f) {
  size_t told = 0;
  for (size_t i = 0; i < f->m->guards.num && told < TOLD; i++) {
    const struct guard *guard = &f->m->guards.rows[i];
    if (guard->several || guard->meetings < FEW_MEETINGS) continue;
    struct found_two_monitors out = {.class_name = name_class(f, guard->class_id),
                                     .object = name_object(f, guard->own),
                                     .place = name_place(f, guard->own_place),
                                     .other_object = name_object(f, guard->other),
                                     .other_place = name_place(f, guard->other_place),
                                     .meetings = guard->meetings};
    told++;
    FINDINGS_ADD(f->out, two_monitors, 0, &out);
  }
}

/* --- locks on shared values -------------------------------------------------------- */

static uint32_t find_class_id(const struct model *m, place_t place) {
  const struct method_line *method = dump_method(m->dump, place_method(place));
  return method == NULL ? 0 : method->class_id;
}

/* Did code of two classes wait for the lock? `out`: a place in each, the first one with the longest
   blocked time. */
static bool has_two_classes(const struct model *m, const struct lock *lock, place_t out[2]) {
  size_t num;
  const struct tally_row *places = tally_of(&m->locks.places, lock->id, &num);
  for (size_t i = 0; i < num; i++) {
    out[0] = places[0].key;
    out[1] = places[i].key;
    uint32_t one = find_class_id(m, out[0]), other = find_class_id(m, out[1]);
    if (one != 0 && other != 0 && one != other) return true;
  }
  return false;
}

void find_values_as_locks(const struct finder *f) {
  const struct model *m = f->m;
  size_t told = 0;
  for (size_t i = 0; i < m->locks.num && told < TOLD; i++) {
    const struct lock *lock = &m->locks.rows[i];
    place_t places[2];
    if (lock->waited == 0 || !lock_is_value(m->dump, lock)) continue;
    if (!has_two_classes(m, lock, places)) continue;
    struct found_value_as_lock out = {
        .lock = name_lock(f, lock->sort, lock->object),
        .object = name_object(f, lock->object),
        .waited = lock->waited,
        .waited_is_least = lock_has_least_waits(lock),
        .class_name = name_class(f, find_class_id(m, places[0])),
        .place = name_place(f, places[0]),
        .other_class_name = name_class(f, find_class_id(m, places[1])),
        .other_place = name_place(f, places[1])};
    told++;
    FINDINGS_ADD(f->out, value_as_lock, 0, &out);
  }
}
