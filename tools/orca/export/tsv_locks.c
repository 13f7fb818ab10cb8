/* The table of locks: the rows of `orca locks --all`, in the same order. */
#include "tools/orca/export/tsv.h"
#include "tools/orca/model/names.h"
#include "tools/orca/model/replay/contention.h"

/* Several locks that are not told apart have only a name. */
static void put_names(struct tsv *t, const struct lock *lock) {
  const struct dump *d = t->job->dump;
  const struct titles *titles = &t->job->model->titles;
  uint32_t class_id = locks_class(d, lock->object);
  if (lock->is_several) {
    for (int column = 0; column < 4; column++) {
      if (column == 2) builder_string(&t->text, SHORT_SEVERAL_NAME);
      tsv_put_text(t);
    }
    return;
  }
  names_object(&t->text, d, lock->object);
  tsv_put_text(t);
  titles_write(&t->text, titles, d, lock->object);
  tsv_put_text(t);
  titles_write_name(&t->text, titles, d, lock->object);
  tsv_put_text(t);
  if (class_id != 0) names_class(&t->text, d, class_id);
  tsv_put_text(t);
}

static void put_figures(struct tsv *t, const struct lock *lock) {
  const struct locks *locks = &t->job->model->locks;
  tsv_put_sort(t, lock->sort);
  tsv_put_number(t, lock_is_signal(lock));
  tsv_put_maybe(t, lock->acquired_known, lock->acquired);
  tsv_put_number(t, lock->waited);
  tsv_put_number(t, lock->failed);
  tsv_put_number(t, lock->open);
  tsv_put_ticks(t, lock->blocked);
  tsv_put_number(t, lock->waited > 0 ? locks_quantile(locks, lock, 990, NULL) : 0);
  tsv_put_ticks(t, lock->longest_blocked);
  tsv_put_number(t, lock->holds);
  tsv_put_maybe(t, lock->holds > 0, tsv_round(lock->held));
  tsv_put_maybe(t, lock->holds > 0, tsv_round(lock->longest_held));
}

/* The owners while others waited. If those are not known: all owners. 0: not known. */
static uint32_t find_holder(const struct locks *locks, const struct lock *lock) {
  if (locks_should_name_owners(lock)) return (uint32_t)tally_best(&locks->owners, lock->id);
  return lock->holds > 0 ? (uint32_t)tally_best(&locks->holds, lock->id) : 0;
}

static bool write_lock(struct tsv *t, const struct lock *lock, const struct contention *c) {
  const struct locks *locks = &t->job->model->locks;
  tsv_begin_row(t);
  tsv_put_time(t, t->job->model->recording.from);
  put_names(t, lock);
  put_figures(t, lock);
  tsv_put_ticks(t, contention_time(&c->handoffs, lock->id));
  tsv_put_place(t, tally_best(&locks->places, lock->id));
  tsv_put_thread(t, (uint32_t)tally_best(&locks->threads, lock->id));
  tsv_put_thread(t, find_holder(locks, lock));
  tsv_put_place(t, tally_best(&c->holder_places, lock->id) & ~CONTENTION_GUESSED);
  tsv_put_number(t, lock_has_least_waits(lock));
  return tsv_end_row(t);
}

bool tsv_write_locks(struct tsv *t) {
  struct model *m = t->job->model;
  struct contention contention = {0};
  bool is_good = contention_read(&contention, m, &m->locks);
  for (size_t i = 0; is_good && i < m->locks.num; i++) {
    is_good = write_lock(t, &m->locks.rows[i], &contention);
  }
  contention_free(&contention);
  return is_good;
}
