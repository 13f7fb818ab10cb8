/* Deadlocks, lock orders, locks on values, and signals that nobody waits for. */
#include <string.h>

#include "tools/orca/answer/find.h"
#include "tools/orca/budget/measure/measure_internal.h"
#include "tools/orca/render/view/say.h"

static void put_link(struct measuring *w, const struct wait_link *wait) {
  struct findings names = {0};
  struct found_link link;
  find_link(&(struct finder){NULL, w->model, &names}, wait, &link);
  if (!names.failed) say_link(&w->text, &link);
  w->text.failed |= names.failed;
  findings_free(&names);
}

static void put_order(struct measuring *w, const struct order *order) {
  struct findings names = {0};
  struct found_order found;
  find_order(&(struct finder){NULL, w->model, &names}, order, &found);
  if (!names.failed) say_order(&w->text, &found);
  w->text.failed |= names.failed;
  findings_free(&names);
}

static void key_wait(struct measuring *w, const struct pair *pair) {
  place_t place = stacks_place(&w->model->stacks, pair->stack);
  if (pair->kind == EVENT_CLASS_INIT_WAIT) {
    key_class(&w->key, w->model->dump, pair->object);
  } else {
    key_lock(&w->key, w->model->dump, pair->object, place);
  }
}

/* Returns the link of the ring whose key is first in the alphabet: the ring has the same key in
   each run then. */
static size_t find_first_link(struct measuring *w, size_t ring) {
  const struct deadlocks *d = &w->model->deadlocks;
  struct builder least = {0};
  size_t first = d->num;
  for (size_t i = 0; i < d->num; i++) {
    if (d->links[i].ring != ring) continue;
    key_wait(w, &d->links[i].wait.pair);
    builder_char(&w->key, '\0');
    if (!w->key.failed && (first == d->num || strcmp(w->key.data, least.data) < 0)) {
      least.len = 0;
      builder_bytes(&least, w->key.data, w->key.len);
      first = i;
    }
    w->key.len = 0;
    w->key.failed |= least.failed;
    if (w->key.failed) break;
  }
  builder_free(&least);
  return first;
}

static bool add_deadlock(struct measuring *w, size_t ring) {
  const struct deadlocks *d = &w->model->deadlocks;
  place_t place = 0;
  size_t first = find_first_link(w, ring);
  for (size_t k = 0; k < d->num; k++) {
    size_t i = (first + k) % d->num;
    const struct wait_link *wait = &d->links[i].wait;
    if (d->links[i].ring != ring) continue;
    if (w->key.len > 0) {
      builder_string(&w->key, " > ");
      builder_string(&w->text, "; ");
    } else {
      place = stacks_place(&w->model->stacks, wait->pair.stack);
    }
    key_wait(w, &wait->pair);
    put_link(w, wait);
  }
  for (size_t k = 0; k < d->num; k++) {
    size_t i = (first + k) % d->num;
    if (d->links[i].ring != ring) continue;
    measure_put_stack(w, "a thread waits at", d->links[i].wait.pair.stack);
    const struct wait_link *wait = &d->links[i].wait;
    measure_put_stack(
        w,
        wait->owner_stack_is_later
            ? "its owner acquired the lock in the first of these methods; later it was at"
            : "its owner acquired the lock at",
        wait->owner_stack);
  }
  return measure_add(w, &(struct figure){.kind = BUDGET_DEADLOCK, .number = 1}, place);
}

/* A ring whose gates are not known is no proof: another lock may keep the threads apart. */
static bool add_ring(struct measuring *w, const struct order_ring *ring) {
  const struct order *links = &w->model->orders.links[ring->first];
  if (ring->partial) return true;
  key_ring(&w->key, w->model, ring);
  for (size_t i = 0; i < ring->num; i++) {
    if (i > 0) builder_string(&w->text, "; ");
    put_order(w, &links[i]);
  }
  for (size_t i = 0; i < ring->num; i++) {
    measure_put_stack(w, "a thread asks for its second lock at", links[i].asks_stack);
    measure_put_stack(w, "and acquired its first lock at", links[i].has_stack);
  }
  place_t place = stacks_place(&w->model->stacks, links[0].asks_stack);
  return measure_add(w, &(struct figure){.kind = BUDGET_ORDER, .number = 1}, place);
}

static bool add_value(struct measuring *w, const struct lock *lock, place_t place) {
  const struct model *m = w->model;
  key_lock(&w->key, m->dump, lock->object, place);
  names_object(&w->text, m->dump, lock->object);
  builder_string(&w->text, " is a lock");
  if (place != 0) view_put_at(&w->text, m, place);
  if (lock->waited > lock->short_waits.num) {
    builder_format(&w->text, "\nblocked%s: ", view_lock_limit(lock));
    view_put_keys(&w->text, m, &m->locks.threads, lock->id, view_thread_name);
  }
  return measure_add(w, &(struct figure){.kind = BUDGET_VALUE, .number = 1}, place);
}

/* Each method that uses the lock is a problem of its own: which one waits longest is chance. */
static bool measure_value(struct measuring *w, const struct lock *lock) {
  const struct model *m = w->model;
  size_t num_waits, num_uses;
  const struct tally_row *waits = tally_of(&m->locks.places, lock->id, &num_waits);
  const struct tally_row *uses = tally_of(&m->titles.places, lock->object, &num_uses);
  for (size_t i = 0; i < num_waits; i++) {
    if (!add_value(w, lock, waits[i].key)) return false;
  }
  for (size_t i = 0; i < num_uses; i++) {
    if (!add_value(w, lock, uses[i].key)) return false;
  }
  return num_waits + num_uses > 0 || add_value(w, lock, 0);
}

static bool measure_unheard(struct measuring *w) {
  const struct wakeups *wakeups = &w->model->wakeups;
  const struct wakeup *most = NULL;
  struct figure figure = {.kind = BUDGET_UNHEARD};
  for (size_t i = 0; i < wakeups->num; i++) {
    const struct wakeup *row = &wakeups->rows[i];
    figure.number += row->unheard;
    if (row->unheard > 0 && (most == NULL || row->unheard > most->unheard)) most = row;
  }
  if (most == NULL) return true;
  builder_string(&w->text, "Nobody waited on ");
  names_object(&w->text, w->model->dump, most->object);
  builder_string(&w->text, " at ");
  unit_many(&w->text, most->unheard, "signal", "signals");
  return measure_add(w, &figure, 0);
}

bool measure_problems(struct measuring *w) {
  const struct model *m = w->model;
  bool good = true;
  for (size_t ring = 0; good && ring < m->deadlocks.num_rings; ring++) good = add_deadlock(w, ring);
  for (size_t i = 0; good && i < m->orders.num_variants; i++) {
    good = add_ring(w, &m->orders.variants[i]);
  }
  for (size_t i = 0; good && i < m->locks.num; i++) {
    if (lock_is_value(m->dump, &m->locks.rows[i])) good = measure_value(w, &m->locks.rows[i]);
  }
  return good && measure_unheard(w);
}
