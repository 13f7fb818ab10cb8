#include "tools/orca/render/view/locks.h"

#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"

static const struct column columns[] = {{"lock", ALIGN_LEFT, true, NULL},
                                        {"acquired", ALIGN_RIGHT, false, "acquired"},
                                        {"waited", ALIGN_RIGHT, false, "waited"},
                                        {"", ALIGN_RIGHT, false, NULL},
                                        {"failed", ALIGN_RIGHT, false, "failed"},
                                        {"blocked", ALIGN_RIGHT, false, "blocked_ns"},
                                        {"mean", ALIGN_RIGHT, false, NULL},
                                        {"p99", ALIGN_RIGHT, false, "p99_blocked_ns"},
                                        {"longest", ALIGN_RIGHT, false, "longest_blocked_ns"},
                                        {"held", ALIGN_RIGHT, false, "held_ns"},
                                        {"mean", ALIGN_RIGHT, false, NULL},
                                        {NULL, ALIGN_RIGHT, false, "longest_held_ns"},
                                        {NULL, ALIGN_RIGHT, false, "open"},
                                        {NULL, ALIGN_LEFT, false, "lock"},
                                        {NULL, ALIGN_LEFT, false, "sort"},
                                        {NULL, ALIGN_LEFT, false, "main_place"},
                                        {NULL, ALIGN_LEFT, false, "main_waiter"},
                                        {NULL, ALIGN_LEFT, false, "main_holder"},
                                        {NULL, ALIGN_LEFT, false, "caution"},
                                        {NULL, ALIGN_LEFT, false, "holder_place"},
                                        {NULL, ALIGN_LEFT, false, "holder_stack"}};
#define NUM_COLUMNS (sizeof columns / sizeof *columns)
#define NUM_HOLDER_COLUMNS 2 /* the last columns, which need the contention */

static const struct {
  const char *title, *key;
} sorts[] = {[LOCK_MONITOR] = {"  monitor", "monitor"},
             [LOCK_LOCK] = {"  lock", "lock"},
             [LOCK_READ] = {"  read side", "read"},
             [LOCK_WRITE] = {"  write side", "write"},
             [LOCK_SEMAPHORE] = {"  semaphore", "semaphore"}};

static void put_attempts(struct table *t, const struct lock *lock) {
  if (!lock->acquired_known) {
    cell_unknown(t);
    cell_count(t, lock->waited);
    cell_empty(t);
  } else {
    cell_count(t, lock->acquired);
    cell_count(t, lock->waited);
    cell_share(t, lock->waited, locks_attempts(lock));
  }
  cell_count(t, lock->failed);
}

static void put_known(struct table *t, ticks_t ticks, bool known) {
  if (known) {
    cell_ticks(t, ticks);
  } else {
    cell_unknown(t);
  }
}

static void put_times(struct table *t, ticks_t total, uint64_t num) {
  put_known(t, total, num > 0);
  put_known(t, num > 0 ? total / num : 0, num > 0);
}

/* The owners while others waited. If those are not known: all owners. */
static const struct tally *find_holders(const struct view_locks *v, const struct lock *lock) {
  return locks_names_owners(lock) ? &v->locks->owners : &v->locks->holds;
}

static bool has_holders(const struct lock *lock) {
  return locks_names_owners(lock) || lock->holds > 0;
}

/* "com.acme.Cart@0A1B2C3D", "com.acme.Cart (12 objects)". */
static void put_name(struct builder *b, const struct model *m, const struct lock *lock) {
  if (lock->object != 0) {
    names_object(b, m->dump, lock->object);
    return;
  }
  names_class(b, m->dump, lock->class_id);
  builder_string(b, " (");
  unit_many(b, lock->num_objects, "object)", "objects)");
}

/* --- holders' locations ------------------------------------------------------------------- */

void view_holder_place(struct builder *b, const struct model *m, uint64_t key) {
  uint64_t place = key & ~CONTENTION_GUESSED;
  if (place == 0) {
    builder_string(b, "not seen");
  } else {
    names_place(b, m->dump, place);
  }
  if (key != place) builder_string(b, " (its last event)");
}

static stack_id_t find_holder_stack(const struct view_locks *v, const struct lock *lock) {
  return (stack_id_t)(tally_best(&v->contention->holder_stacks, lock->id) & ~CONTENTION_GUESSED);
}

static void cell_holder(struct table *t, const struct view_locks *v, const struct lock *lock) {
  if (v->contention == NULL) return;
  view_best(t, v->model, &v->contention->holder_places, lock->id, view_holder_place);
  view_stack(table_text(t), v->model, find_holder_stack(v, lock), "; ");
  table_next(t);
}

static void note_holder(struct table *t, const struct view_locks *v, const struct lock *lock) {
  size_t num = 0;
  if (v->contention != NULL) tally_of(&v->contention->holder_places, lock->id, &num);
  if (num == 0) return;
  builder_string(table_text(t), "while others waited, its holder was at ");
  view_keys(table_text(t), v->model, &v->contention->holder_places, lock->id, view_holder_place);
  table_note(t);
  if (v->stacks) view_stack_notes(t, v->model, find_holder_stack(v, lock));
}

/* --- rows -------------------------------------------------------------------------- */

/* The columns of CSV and JSON that contain the facts of the notes. */
static void put_values(struct table *t, const struct view_locks *v, const struct lock *lock) {
  const struct model *m = v->model;
  const char *caution = view_lock_caution(m, lock);
  put_known(t, lock->longest_held, lock->holds > 0);
  cell_raw(t, lock->open);
  put_name(table_text(t), m, lock);
  table_next(t);
  cell_text(t, sorts[lock->sort].key);
  view_best(t, m, &v->locks->places, lock->id, view_place_name);
  view_best(t, m, &v->locks->threads, lock->id, view_thread_name);
  if (has_holders(lock)) {
    view_best(t, m, find_holders(v, lock), lock->id, view_thread_name);
  } else {
    cell_empty(t);
  }
  cell_text(t, caution == NULL ? "" : caution);
  cell_holder(t, v, lock);
}

static void put_numbers(struct table *t, const struct view_locks *v, const struct lock *lock) {
  cell_text(t, sorts[lock->sort].title);
  put_attempts(t, lock);
  put_times(t, lock->blocked, lock->waited);
  if (lock->waited > 0) {
    cell_ns(t, locks_quantile(v->locks, lock, 990));
  } else {
    cell_unknown(t);
  }
  put_known(t, lock->longest_blocked, lock->waited > 0);
  put_times(t, lock->held, lock->holds);
  put_values(t, v, lock);
}

/* --- notes ------------------------------------------------------------------------- */

static void put_open(struct table *t, const struct lock *lock) {
  if (lock->open == 0) return;
  unit_many(table_text(t), lock->open, "thread", "threads");
  builder_string(table_text(t), lock->sort == LOCK_MONITOR ? " STILL BLOCKED at the end"
                                                           : " STILL WAITING at the end");
  table_note(t);
}

static void put_waiters(struct table *t, const struct view_locks *v, const struct lock *lock) {
  builder_string(table_text(t), "at ");
  view_keys(table_text(t), v->model, &v->locks->places, lock->id, view_place_name);
  table_note(t);
  builder_string(table_text(t), lock->sort == LOCK_MONITOR ? "blocked: " : "waited: ");
  view_keys(table_text(t), v->model, &v->locks->threads, lock->id, view_thread_name);
  table_note(t);
}

static void put_holders(struct table *t, const struct view_locks *v, const struct lock *lock) {
  if (!has_holders(lock)) return;
  builder_string(table_text(t), "held by: ");
  view_keys(table_text(t), v->model, find_holders(v, lock), lock->id, view_thread_name);
  table_note(t);
}

static void put_caution(struct table *t, const struct model *m, const struct lock *lock) {
  const char *caution = view_lock_caution(m, lock);
  if (caution == NULL) return;
  builder_string(table_text(t), "CAUTION: ");
  builder_string(table_text(t), caution);
  table_note(t);
}

static bool has_same_name(const struct lock *a, const struct lock *b) {
  return a->object == b->object && a->class_id == b->class_id;
}

/* The read and the write side of a lock are often adjacent. They then share one head. */
static void put_lock(struct table *t, const struct view_locks *v, const struct lock *lock,
                     const struct lock *before) {
  if (before == NULL || !has_same_name(before, lock)) {
    put_name(table_text(t), v->model, lock);
    table_head(t);
  }
  put_numbers(t, v, lock);
  if (lock->waited > 0) put_waiters(t, v, lock);
  put_holders(t, v, lock);
  note_holder(t, v, lock);
  put_open(t, lock);
  put_caution(t, v->model, lock);
}

void view_locks_of(struct page *p, const struct view_locks *v, size_t top) {
  const struct locks *locks = v->locks;
  size_t shown = locks->num < top ? locks->num : top;
  struct table *t =
      table_new(columns, NUM_COLUMNS - (v->contention == NULL ? NUM_HOLDER_COLUMNS : 0));
  for (size_t i = 0; i < shown; i++) {
    put_lock(t, v, &locks->rows[i], i == 0 ? NULL : &locks->rows[i - 1]);
  }
  page_table(p, "locks",
             "Locks, worst first (waited: had to wait; failed: of those, without success)", t,
             locks->num - shown);
}

void view_locks(struct page *p, const struct model *m, size_t top) {
  view_locks_of(p, &(struct view_locks){.model = m, .locks = &m->locks}, top);
}
