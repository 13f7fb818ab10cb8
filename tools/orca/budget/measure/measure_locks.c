/* Times that threads waited for locks, and what the holders did meanwhile. */
#include "tools/orca/budget/measure/measure_internal.h"

/* A shorter time is no proof: it may be of one sample, or begin after the holder released the lock,
   while the thread that it woke did not run yet. */
#define LEAST_HELD_TICKS (TICKS_PER_S / 100)

/* --- lines about a lock --------------------------------------------------------------------- */

/* "held by: audit 99 %, …" */
static void put_holder_names(struct measuring *w, const struct lock *lock) {
  const struct model *m = w->model;
  size_t num;
  tally_of(&w->contention.lock_holders, lock->id, &num);
  if (num == 0) return;
  builder_format(&w->text, "\nheld by%s: ", view_lock_limit(lock));
  view_put_keys(&w->text, m, &w->contention.lock_holders, lock->id, view_thread_name);
}

/* The names, and the stack of the holder that others waited for longest. */
static void put_holders(struct measuring *w, const struct lock *lock) {
  size_t num_stacks;
  put_holder_names(w, lock);
  const struct tally_row *stacks = tally_of(&w->contention.holder_stacks, lock->id, &num_stacks);
  for (size_t i = 0; i < num_stacks; i++) {
    stack_id_t stack = (stack_id_t)(stacks[i].key & ~CONTENTION_GUESSED);
    if (stack == 0) continue;
    measure_put_stack(w, "the holder was at", stack);
    return;
  }
}

static void put_lock(struct measuring *w, const struct lock *lock) {
  const struct model *m = w->model;
  size_t num;
  tally_of(&m->locks.threads, lock->id, &num);
  builder_string(&w->text, "\nlock: ");
  if (lock->is_several) {
    builder_string(&w->text, SHORT_SEVERAL_NAME);
  } else {
    view_lock_title(&w->text, m, lock->object);
  }
  if (num == 0) return;
  builder_format(&w->text, "\nwaited%s: ", view_lock_limit(lock));
  view_put_keys(&w->text, m, &m->locks.threads, lock->id, view_thread_name);
}

/* --- waits ---------------------------------------------------------------------------------- */

/* The waits at one place of one lock. Locks with the same key add up. */
static bool add_place(struct measuring *w, const struct lock *lock, const struct tally_row *place) {
  struct figure figure = {.kind = BUDGET_LOCK,
                          .number = place->count,
                          .longest_ns = place->largest / TICKS_PER_NS,
                          .total_ns = place->total / TICKS_PER_NS,
                          .sorts = 1u << lock->sort,
                          .may_lack = lock_has_least_waits(lock)};
  key_lock(&w->key, w->model->dump, lock->object, place->key);
  builder_format(&w->text, "Threads waited %s", UNIT_TICKS(place->total));
  view_put_at(&w->text, w->model, place->key);
  put_lock(w, lock);
  put_holders(w, lock);
  return measure_add(w, &figure, place->key);
}

/* Waits of several locks prove nothing about one of them, but each of this sort may have had them.
 */
static void measure_several(struct measuring *w, const struct lock *lock) {
  uint64_t longest_ns = lock->longest_blocked / TICKS_PER_NS;
  struct more_waits *more = &w->out->more[lock->sort];
  more->number += lock->waited;
  if (longest_ns > more->longest_ns) more->longest_ns = longest_ns;
}

static bool measure_waits(struct measuring *w, const struct lock *lock) {
  size_t num;
  const struct tally_row *places = tally_of(&w->model->locks.places, lock->id, &num);
  for (size_t i = 0; i < num; i++) {
    if (!add_place(w, lock, &places[i])) return false;
  }
  return true;
}

/* --- holders that sleep --------------------------------------------------------------------- */

static bool add_held(struct measuring *w, const struct lock *lock, enum budget_kind kind,
                     stack_id_t stack, ticks_t time) {
  place_t place = stacks_place(&w->model->stacks, stack);
  key_lock(&w->key, w->model->dump, lock->object, place);
  builder_format(&w->text, "The holder was in %s", kind == BUDGET_SLEEP ? "a sleep" : "I/O");
  view_put_at(&w->text, w->model, place);
  builder_format(&w->text, " while others waited for %s", UNIT_TICKS(time));
  put_lock(w, lock);
  put_holder_names(w, lock);
  measure_put_stack(w, "the holder was at", stack);
  struct figure figure = {.kind = kind, .number = 1, .total_ns = time / TICKS_PER_NS};
  return measure_add(w, &figure, place);
}

/* Only certain times count: a thread that has released the lock may sleep before the next one runs.
   A sleep is known from its events, or from a sample; I/O only from samples. */
static bool measure_held(struct measuring *w, const struct lock *lock) {
  size_t num;
  const struct tally_row *rows = tally_of(&w->contention.certain_stacks, lock->id, &num);
  for (size_t i = 0; i < num; i++) {
    if (rows[i].total < LEAST_HELD_TICKS) continue;
    stack_id_t stack = (stack_id_t)rows[i].key;
    enum activity activity = stacks_activity(&w->model->stacks, stack);
    bool is_sleep = activity == ACTIVITY_SLEEPS;
    if (!is_sleep && activity != ACTIVITY_IO) continue;
    if (!add_held(w, lock, is_sleep ? BUDGET_SLEEP : BUDGET_IO, stack, rows[i].total)) return false;
  }
  return true;
}

/* --- all ------------------------------------------------------------------------------------ */

/* The share of the blocked time in the lifetimes of all threads, as the report has it. */
static bool measure_share(struct measuring *w) {
  ticks_t lived = 0, blocked = locks_blocked(&w->model->locks);
  const struct threads *threads = &w->model->threads;
  for (size_t i = 0; i < threads->num; i++) lived += threads->rows[i].last - threads->rows[i].first;
  if (lived == 0) return true;
  double share = 1000.0 * (double)blocked / (double)lived;
  struct figure figure = {.kind = BUDGET_BLOCKED,
                          .number = share >= 1000 ? 1000 : (uint64_t)(share + 0.5)};
  builder_format(&w->text, "Threads were blocked for %s of %s", UNIT_TICKS(blocked),
                 UNIT_TICKS(lived));
  for (size_t i = 0; i < w->model->locks.num; i++) {
    const struct lock *lock = &w->model->locks.rows[i];
    if (lock_is_signal(lock)) continue;
    put_lock(w, lock); /* the first one has the longest blocked time */
    put_holders(w, lock);
    break;
  }
  return measure_add(w, &figure, 0);
}

bool measure_locks(struct measuring *w) {
  for (size_t i = 0; i < w->model->locks.num; i++) {
    const struct lock *lock = &w->model->locks.rows[i];
    if (lock_is_signal(lock)) continue;
    if (lock->is_several) {
      measure_several(w, lock);
    } else if (!measure_waits(w, lock) || !measure_held(w, lock)) {
      return false;
    }
  }
  return measure_share(w);
}
