/* Deadlocks, lock orders, locks on values, and signals that nobody waits for. */
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

/* A deadlock: what its threads wait for, as the ring goes. */
struct wait_ring {
  const struct model *model;
  const struct deadlock_link *links;
  size_t num;
};

static struct wait_ring find_wait_ring(const struct model *m, size_t number) {
  const struct deadlocks *d = &m->deadlocks;
  size_t first = 0, end;
  while (d->links[first].ring != number) first++;
  for (end = first; end < d->num && d->links[end].ring == number; end++) continue;
  return (struct wait_ring){m, d->links + first, end - first};
}

static void key_wait(struct builder *b, const void *arg, size_t link) {
  const struct wait_ring *ring = arg;
  const struct model *m = ring->model;
  const struct pair *pair = &ring->links[link].wait.pair;
  if (pair->kind == EVENT_CLASS_INIT_WAIT) {
    key_class(b, m->dump, pair->object);
  } else {
    key_lock(b, m->dump, pair->object, stacks_place(&m->stacks, pair->stack));
  }
}

static bool add_deadlock(struct measuring *w, size_t number) {
  struct wait_ring ring = find_wait_ring(w->model, number);
  size_t first = key_ring(&w->key, &(struct key_links){ring.num, key_wait, &ring});
  for (size_t i = 0; i < ring.num; i++) {
    if (i > 0) builder_string(&w->text, "; ");
    put_link(w, &ring.links[(first + i) % ring.num].wait);
  }
  for (size_t i = 0; i < ring.num; i++) {
    const struct wait_link *wait = &ring.links[(first + i) % ring.num].wait;
    measure_put_stack(w, "a thread waits at", wait->pair.stack);
    measure_put_stack(
        w,
        wait->owner_stack_is_later
            ? "its owner acquired the lock in the first of these methods; later it was at"
            : "its owner acquired the lock at",
        wait->owner_stack);
  }
  place_t place = stacks_place(&w->model->stacks, ring.links[first].wait.pair.stack);
  return measure_add(w, &(struct figure){.kind = BUDGET_DEADLOCK, .number = 1}, place);
}

/* A ring whose gates are not known is no proof: another lock may keep the threads apart. */
static bool add_ring(struct measuring *w, const struct order_ring *ring) {
  const struct order *links = &w->model->orders.links[ring->first];
  if (ring->partial) return true;
  key_order_ring(&w->key, w->model, ring);
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
