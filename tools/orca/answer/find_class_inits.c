/* Threads that waited for the initialization of a class when the recording ended. */
#include <string.h>

#include "tools/orca/answer/find.h"

#define STUCK_TICKS TICKS_PER_S
#define OTHERS_SHOWN 3
#define PLACES_SHOWN 3

/* --- rings ---------------------------------------------------------------------------------- */

/* Returns whether the thread is in a static initializer. If it is in none, it initializes the
   superclass or an interface of each class whose initialization it has begun. Also true if that is
   not known. */
static bool is_in_initializer(const struct model *m, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    const struct method_line *method = dump_method(m->dump, frames[i].method);
    if (method == NULL || span_is(method->name, "<clinit>")) return true;
  }
  return depth == 0;
}

/* `initializes`: ClassID; 0: not known. */
static void add_link(const struct finder *f, const struct class_init *wait, uint32_t initializes,
                     struct found_rows *rows) {
  struct found_class_link *link = FINDINGS_PART(f->out, rows, class_link);
  if (link == NULL) return;
  *link = (struct found_class_link){
      .thread = name_thread(f, wait->thread),
      .initializes = initializes == 0 ? NULL : name_class(f, initializes),
      .class_name = name_class(f, wait->class_id),
      .is_super = initializes != 0 && !is_in_initializer(f->m, wait->stack),
      .place = name_stack(f, wait->stack),
      .waited = found_ns(wait->end - wait->begin)};
}

/* Returns whether the wait is not on the ring, but leads to the thread of it. */
static bool leads_to(const struct class_inits *c, const struct class_init *wait, uint32_t thread) {
  for (size_t left = c->num_threads; wait != NULL && left > 0; left--) {
    if (wait->initializer == thread) return true;
    wait = class_inits_find(c, wait->initializer);
  }
  return false;
}

static void add_others(const struct finder *f, uint32_t first, struct found_class_deadlock *row) {
  const struct class_inits *c = &f->m->class_inits;
  for (size_t i = 0; i < c->num; i++) {
    const struct class_init *wait = &c->waits[i];
    if (!wait->is_open || class_inits_is_in_ring(c, wait->thread) || !leads_to(c, wait, first))
      continue;
    if (row->num_others++ < OTHERS_SHOWN) add_link(f, wait, 0, &row->others);
  }
}

/* Adds the ring whose first row this is. */
static void add_ring(const struct finder *f, const struct class_init *first) {
  const struct class_inits *c = &f->m->class_inits;
  const struct class_init *wait = first, *before = first;
  struct found_class_deadlock row = {0};
  ticks_t weight = 0;
  bool matches = false;
  while (before->initializer != first->thread) before = class_inits_find(c, before->initializer);
  do {
    if (wait < first) return; /* the ring was added with that row */
    add_link(f, wait, before->class_id, &row.links);
    row.threads++;
    weight += wait->end - wait->begin;
    matches |= wait->matches;
    before = wait;
    wait = class_inits_find(c, wait->initializer);
  } while (wait != first);
  add_others(f, first->thread, &row);
  if (matches) FINDINGS_ADD(f->out, class_deadlock, weight, &row);
}

/* --- waits for a thread that may go on ------------------------------------------------------- */

/* What the initializer does; if it is in no call, where the last sample saw it. */
static void find_initializer(const struct finder *f, uint32_t thread,
                             struct found_class_wait *out) {
  struct doing doing = find_doing(f, thread);
  stack_id_t seen = class_inits_stack(&f->m->class_inits, thread);
  out->initializer = name_thread(f, thread);
  bool is_call = doing.does != NULL && strcmp(doing.does, "runs") != 0;
  out->initializer_place = is_call ? doing.place : name_stack(f, seen);
  out->does = is_call ? doing.does : NULL;
  out->joins = doing.joins;
  out->call = doing.call;
}

static bool is_same_wait(const struct class_init *a, const struct class_init *b) {
  return a->class_id == b->class_id && a->initializer == b->initializer;
}

/* Returns the first wait for the same class, with `at_its_place` the first one at the same place.
 */
static const struct class_init *find_first(const struct finder *f, const struct class_init *wait,
                                           bool at_its_place) {
  place_t place = stacks_place(&f->m->stacks, wait->stack);
  const struct class_init *first = f->m->class_inits.waits;
  while (!first->is_open || !is_same_wait(first, wait) ||
         (at_its_place && stacks_place(&f->m->stacks, first->stack) != place)) {
    first++; /* `wait` itself is the last one to try */
  }
  return first;
}

/* The group of the threads that wait at the place of `wait`. */
static uint32_t find_group(const struct finder *f, const struct class_init *wait) {
  return (uint32_t)(find_first(f, wait, true) - f->m->class_inits.waits);
}

static void add_waiters(const struct finder *f, const struct class_init *wait,
                        const struct tally *threads, struct found_rows *rows) {
  uint32_t group = find_group(f, wait);
  struct found_class_waiters *waiters =
      rows->num < PLACES_SHOWN ? FINDINGS_PART(f->out, rows, class_waiters) : NULL;
  if (waiters == NULL) return;
  *waiters = (struct found_class_waiters){.threads = name_threads(f, threads, group),
                                          .num_threads = count_threads(threads, group),
                                          .place = name_stack(f, wait->stack)};
}

/* Adds the waits for the same class, of which this is the first one. */
static void add_group(const struct finder *f, const struct class_init *first) {
  const struct class_inits *c = &f->m->class_inits;
  const struct class_init *end = c->waits + c->num;
  struct tally threads = {0};
  struct found_class_wait row = {.class_name = name_class(f, first->class_id)};
  ticks_t longest = 0, total = 0;
  bool matches = false, good = true;
  for (const struct class_init *wait = first; good && wait < end; wait++) {
    if (!wait->is_open || !is_same_wait(wait, first)) continue;
    ticks_t time = wait->end - wait->begin;
    good = tally_add(&threads, find_group(f, wait), wait->thread, 1, 0); /* all are named */
    row.num_threads++;
    total += time;
    if (time > longest) {
      longest = time;
      row.longest_is_least = class_init_is_least(wait);
    }
    matches |= wait->matches;
  }
  tally_sort(&threads);
  f->out->failed |= !good;
  if (good && matches && longest >= STUCK_TICKS) {
    for (const struct class_init *wait = first; wait < end; wait++) {
      if (wait->is_open && is_same_wait(wait, first) && find_first(f, wait, true) == wait)
        add_waiters(f, wait, &threads, &row.waiters);
    }
    row.longest = found_ns(longest);
    find_initializer(f, first->initializer, &row);
    FINDINGS_ADD(f->out, class_wait, total, &row);
  }
  tally_free(&threads);
}

/* Whether one of the threads that wait for the class is in a ring of another kind, which the others
   wait for, too. */
static bool is_told(const struct finder *f, const struct class_init *wait) {
  const struct class_inits *c = &f->m->class_inits;
  for (size_t i = 0; i < c->num; i++) {
    const struct class_init *other = &c->waits[i];
    if (other->is_open && is_same_wait(other, wait) &&
        deadlocks_has_thread(&f->m->deadlocks, other->thread) &&
        !class_inits_is_in_ring(c, other->thread))
      return true;
  }
  return false;
}

void find_class_inits(const struct finder *f) {
  const struct class_inits *c = &f->m->class_inits;
  for (size_t i = 0; i < c->num; i++) {
    const struct class_init *wait = &c->waits[i];
    if (!wait->is_open || is_told(f, wait)) continue;
    if (class_inits_is_in_ring(c, wait->thread)) {
      add_ring(f, wait);
    } else if (!class_inits_leads(c, wait->thread) && find_first(f, wait, false) == wait) {
      add_group(f, wait);
    }
  }
}
