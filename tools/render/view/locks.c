#include "tools/model/names.h"
#include "tools/render/unit.h"
#include "tools/render/view/view.h"

static const struct column columns[] = {
    {"lock", ALIGN_LEFT, true},   {"acquired", ALIGN_RIGHT, false}, {"waited", ALIGN_RIGHT, false},
    {"", ALIGN_RIGHT, false},     {"failed", ALIGN_RIGHT, false},   {"blocked", ALIGN_RIGHT, false},
    {"mean", ALIGN_RIGHT, false}, {"longest", ALIGN_RIGHT, false},  {"held", ALIGN_RIGHT, false},
    {"mean", ALIGN_RIGHT, false}};

static const char *const sorts[] = {[LOCK_MONITOR] = "  monitor",
                                    [LOCK_LOCK] = "  lock",
                                    [LOCK_READ] = "  read side",
                                    [LOCK_WRITE] = "  write side",
                                    [LOCK_SEMAPHORE] = "  semaphore"};

static void put_unknown(struct table *t) {
  builder_char(table_text(t), '-');
  table_next(t);
}

static void put_count(struct table *t, uint64_t n) {
  unit_count(table_text(t), n);
  table_next(t);
}

static void put_ticks(struct table *t, ticks_t ticks) {
  unit_ticks(table_text(t), ticks);
  table_next(t);
}

/* A sum of times, and their mean. */
static void put_times(struct table *t, ticks_t total, uint64_t num) {
  if (num == 0) {
    put_unknown(t);
    put_unknown(t);
  } else {
    put_ticks(t, total);
    put_ticks(t, total / num);
  }
}

static void put_attempts(struct table *t, const struct lock *lock) {
  if (!lock->acquired_known) {
    put_unknown(t);
    put_count(t, lock->waited);
    table_next(t);
  } else {
    put_count(t, lock->acquired);
    put_count(t, lock->waited);
    unit_share(table_text(t), lock->waited, locks_attempts(lock));
    table_next(t);
  }
  put_count(t, lock->failed);
}

static void put_numbers(struct table *t, const struct lock *lock) {
  builder_string(table_text(t), sorts[lock->sort]);
  table_next(t);
  put_attempts(t, lock);
  put_times(t, lock->blocked, lock->waited);
  if (lock->waited == 0) {
    put_unknown(t);
  } else {
    put_ticks(t, lock->longest_blocked);
  }
  put_times(t, lock->held, lock->holds);
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

/* Those who had it while others waited; where nobody did or that is not known, those who had it. */
static void put_holders(struct table *t, const struct model *m, const struct lock *lock) {
  bool owners = locks_names_owners(lock);
  if (!owners && lock->holds == 0) return;
  builder_string(table_text(t), "held by: ");
  view_keys(table_text(t), m, owners ? &m->locks.owners : &m->locks.holds, lock->id,
            view_thread_name);
  table_note(t);
}

/* Both sides of a lock often stand together, and then under one name. */
static void put_lock(struct table *t, const struct model *m, const struct lock *lock,
                     const struct lock *before) {
  if (before == NULL || before->object != lock->object) {
    names_object(table_text(t), m->dump, lock->object);
    table_head(t);
  }
  put_numbers(t, lock);
  if (lock->waited > 0) put_waiters(t, m, lock);
  put_holders(t, m, lock);
  put_open(t, lock);
}

void view_locks(struct builder *b, const struct model *m, const struct style *style, size_t top) {
  const struct locks *locks = &m->locks;
  size_t shown = locks->num < top ? locks->num : top;
  if (locks->num == 0) return;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++) {
    put_lock(t, m, &locks->rows[i], i == 0 ? NULL : &locks->rows[i - 1]);
  }
  view_table(b, style, "Locks, worst first (waited: found it taken; failed: of those, in vain)", t,
             locks->num - shown);
}
