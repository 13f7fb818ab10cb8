/* Findings: lock-order inversions, locks on shared values, code that is guarded by two monitors. */
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/finding.h"

#define FEW_MEETINGS 10
#define SHOWN 3 /* findings of one sort */

/* --- orders of locks --------------------------------------------------------------- */

static bool is_in_deadlock(const struct model *m, uint32_t object) {
  for (size_t i = 0; i < m->deadlocks.num; i++) {
    if (m->deadlocks.links[i].wait.pair.object == object) return true;
  }
  return false;
}

/* A ring that did deadlock is in the report already. */
static bool has_happened(const struct model *m, const struct order_ring *ring) {
  for (size_t i = 0; i < ring->num; i++) {
    if (!is_in_deadlock(m, m->orders.links[ring->first + i].asks.object)) return false;
  }
  return true;
}

void view_put_order(struct builder *b, const struct model *m, const struct order *order) {
  names_thread(b, &m->threads, order->thread);
  builder_string(b, " asks for ");
  view_the_lock(b, m, order->asks.object);
  view_put_at(b, m, stacks_place(&m->stacks, order->asks_stack));
  builder_string(b, " while it holds ");
  view_the_lock(b, m, order->has.object);
  if (order->has_stack == 0) return;
  builder_string(b, ", acquired");
  view_put_at(b, m, stacks_place(&m->stacks, order->has_stack));
}

static void say_orders(struct builder *b, const struct model *m, const struct style *style) {
  size_t shown = 0;
  for (size_t i = 0; i < m->orders.num_rings && shown < SHOWN; i++) {
    const struct order_ring *ring = &m->orders.rings[i];
    struct builder s = {0};
    if (ring->partial || has_happened(m, ring)) continue;
    builder_string(&s, "These locks are taken in an order that can deadlock: ");
    for (size_t k = 0; k < ring->num; k++) {
      if (k > 0) builder_string(&s, "; ");
      view_put_order(&s, m, &m->orders.links[ring->first + k]);
    }
    builder_char(&s, '.');
    if (ring->alike > 0) {
      builder_string(&s, " The same is true of ");
      unit_many(&s, ring->alike, "other group of locks", "other groups of locks");
      builder_string(&s, " at the same lines.");
    }
    view_finding(style, "lock_order");
    view_figure(style, "group", i + 1);
    view_figure(style, "threads", ring->num);
    view_figure(style, "alike", ring->alike);
    view_put_sentence(b, style, &s);
    shown++;
  }
}

/* --- locks on shared values -------------------------------------------------------- */

/* Equal values of these classes are often the same object. */
static bool is_value(struct span signature) {
  static const char *const values[] = {
      "Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Long;",     "Ljava/lang/Short;",
      "Ljava/lang/Byte;",   "Ljava/lang/Boolean;", "Ljava/lang/Character;"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (span_is(signature, values[i])) return true;
  }
  return false;
}

static struct span find_class_signature(const struct model *m, const struct lock *lock) {
  const struct dump_object *o = dump_objects(m->dump, lock->object);
  const struct class_line *c = o == NULL ? NULL : dump_class(m->dump, o->line.class_id);
  return c == NULL ? (struct span){0} : c->signature;
}

bool view_lock_is_value(const struct model *m, const struct lock *lock) {
  return lock->sort == LOCK_MONITOR && is_value(find_class_signature(m, lock));
}

const char *view_lock_caution(const struct model *m, const struct lock *lock) {
  if (lock->sort != LOCK_MONITOR) return NULL;
  if (view_lock_is_value(m, lock)) return "any code with an equal value may lock the same object";
  if (span_is(find_class_signature(m, lock), "Ljava/lang/Class;"))
    return "any code can lock a class";
  return NULL;
}

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

static void say_values(struct builder *b, const struct model *m, const struct style *style) {
  size_t shown = 0;
  for (size_t i = 0; i < m->locks.num && shown < SHOWN; i++) {
    const struct lock *lock = &m->locks.rows[i];
    place_t places[2];
    struct builder s = {0};
    if (lock->waited == 0 || !view_lock_is_value(m, lock)) continue;
    if (!has_two_classes(m, lock, places)) continue;
    names_object(&s, m->dump, lock->object);
    builder_string(&s, " is locked by code of ");
    names_class(&s, m->dump, find_class_id(m, places[0]));
    builder_string(&s, " (at ");
    view_place_name(&s, m, places[0]);
    builder_string(&s, ") and of ");
    names_class(&s, m->dump, find_class_id(m, places[1]));
    builder_string(&s, " (at ");
    view_place_name(&s, m, places[1]);
    builder_string(&s,
                   "): literals of the same value are one object, so classes that have nothing to "
                   "do with each other share one lock.");
    view_finding(style, "value_as_lock");
    view_figure_lock(style, "lock", m, lock);
    view_figure_waited(style, lock);
    view_put_sentence(b, style, &s);
    shown++;
  }
}

/* --- code that is guarded by two monitors ------------------------------------------ */

static void say_guards(struct builder *b, const struct model *m, const struct style *style) {
  size_t shown = 0;
  for (size_t i = 0; i < m->guards.num && shown < SHOWN; i++) {
    const struct guard *guard = &m->guards.rows[i];
    struct builder s = {0};
    if (guard->several || guard->meetings < FEW_MEETINGS) continue;
    builder_string(&s, "Code of ");
    names_class(&s, m->dump, guard->class_id);
    builder_string(&s, " is guarded by two monitors, ");
    names_object(&s, m->dump, guard->own);
    view_put_at(&s, m, guard->own_place);
    builder_string(&s, " and ");
    names_object(&s, m->dump, guard->other);
    view_put_at(&s, m, guard->other_place);
    builder_string(&s, ": ");
    unit_many(&s, guard->meetings, "time", "times");
    builder_string(&s,
                   " a thread entered one while another thread was inside the other. If they "
                   "guard the same data, one of them is the wrong monitor.");
    view_finding(style, "two_monitors");
    view_figure_place(style, "place", m, guard->own_place);
    view_figure_place(style, "other_place", m, guard->other_place);
    view_figure(style, "meetings", guard->meetings);
    view_put_sentence(b, style, &s);
    shown++;
  }
}

void view_sharing(struct builder *b, const struct model *m, const struct style *style) {
  say_orders(b, m, style);
  say_guards(b, m, style);
  say_values(b, m, style);
}
