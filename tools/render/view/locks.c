#include "tools/model/names.h"
#include "tools/render/cells.h"
#include "tools/render/unit.h"
#include "tools/render/view/view.h"

static const struct column columns[] = {{"lock", ALIGN_LEFT, true, NULL},
                                        {"acquired", ALIGN_RIGHT, false, "acquired"},
                                        {"waited", ALIGN_RIGHT, false, "waited"},
                                        {"", ALIGN_RIGHT, false, NULL},
                                        {"failed", ALIGN_RIGHT, false, "failed"},
                                        {"blocked", ALIGN_RIGHT, false, "blocked_ns"},
                                        {"mean", ALIGN_RIGHT, false, NULL},
                                        {"longest", ALIGN_RIGHT, false, "longest_blocked_ns"},
                                        {"held", ALIGN_RIGHT, false, "held_ns"},
                                        {"mean", ALIGN_RIGHT, false, NULL},
                                        {NULL, ALIGN_RIGHT, false, "longest_held_ns"},
                                        {NULL, ALIGN_RIGHT, false, "open"},
                                        {NULL, ALIGN_LEFT, false, "lock"},
                                        {NULL, ALIGN_LEFT, false, "sort"},
                                        {NULL, ALIGN_LEFT, false, "main_place"},
                                        {NULL, ALIGN_LEFT, false, "main_waiter"},
                                        {NULL, ALIGN_LEFT, false, "main_holder"}};

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

/* A sum of times, and their mean. */
static void put_times(struct table *t, ticks_t total, uint64_t num) {
  put_known(t, total, num > 0);
  put_known(t, num > 0 ? total / num : 0, num > 0);
}

/* Those who had it while others waited; where nobody did or that is not known, those who had it. */
static const struct tally *holders_of(const struct model *m, const struct lock *lock) {
  return locks_names_owners(lock) ? &m->locks.owners : &m->locks.holds;
}

static bool knows_holders(const struct lock *lock) {
  return locks_names_owners(lock) || lock->holds > 0;
}

/* What the notes say, for a program. */
static void put_values(struct table *t, const struct model *m, const struct lock *lock) {
  put_known(t, lock->longest_held, lock->holds > 0);
  cell_raw(t, lock->open);
  names_object(table_text(t), m->dump, lock->object);
  table_next(t);
  cell_text(t, sorts[lock->sort].key);
  view_best(t, m, &m->locks.places, lock->id, view_place_name);
  view_best(t, m, &m->locks.threads, lock->id, view_thread_name);
  if (knows_holders(lock)) {
    view_best(t, m, holders_of(m, lock), lock->id, view_thread_name);
  } else {
    cell_empty(t);
  }
}

static void put_numbers(struct table *t, const struct model *m, const struct lock *lock) {
  cell_text(t, sorts[lock->sort].title);
  put_attempts(t, lock);
  put_times(t, lock->blocked, lock->waited);
  put_known(t, lock->longest_blocked, lock->waited > 0);
  put_times(t, lock->held, lock->holds);
  put_values(t, m, lock);
}

static void put_open(struct table *t, const struct lock *lock) {
  if (lock->open == 0) return;
  unit_many(table_text(t), lock->open, "thread", "threads");
  builder_string(table_text(t), lock->sort == LOCK_MONITOR ? " STILL BLOCKED at the end"
                                                           : " STILL WAITING at the end");
  table_note(t);
}

static void put_waiters(struct table *t, const struct model *m, const struct lock *lock) {
  builder_string(table_text(t), "at ");
  view_keys(table_text(t), m, &m->locks.places, lock->id, view_place_name);
  table_note(t);
  builder_string(table_text(t), lock->sort == LOCK_MONITOR ? "blocked: " : "waited: ");
  view_keys(table_text(t), m, &m->locks.threads, lock->id, view_thread_name);
  table_note(t);
}

static void put_holders(struct table *t, const struct model *m, const struct lock *lock) {
  if (!knows_holders(lock)) return;
  builder_string(table_text(t), "held by: ");
  view_keys(table_text(t), m, holders_of(m, lock), lock->id, view_thread_name);
  table_note(t);
}

/* Both sides of a lock often stand together, and then under one name. */
static void put_lock(struct table *t, const struct model *m, const struct lock *lock,
                     const struct lock *before) {
  if (before == NULL || before->object != lock->object) {
    names_object(table_text(t), m->dump, lock->object);
    table_head(t);
  }
  put_numbers(t, m, lock);
  if (lock->waited > 0) put_waiters(t, m, lock);
  put_holders(t, m, lock);
  put_open(t, lock);
}

void view_locks(struct page *p, const struct model *m, size_t top) {
  const struct locks *locks = &m->locks;
  size_t shown = locks->num < top ? locks->num : top;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++) {
    put_lock(t, m, &locks->rows[i], i == 0 ? NULL : &locks->rows[i - 1]);
  }
  page_table(p, "locks", "Locks, worst first (waited: found it taken; failed: of those, in vain)",
             t, locks->num - shown);
}
