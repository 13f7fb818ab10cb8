#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/view/locks.h"

static const struct column columns[] = {
    {"blocked", ALIGN_LEFT, true, "blocked"},      {"by", ALIGN_LEFT, true, "holder"},
    {"times", ALIGN_RIGHT, false, "times"},        {"total", ALIGN_RIGHT, false, "total_ns"},
    {"longest", ALIGN_RIGHT, false, "longest_ns"}, {"most on", ALIGN_LEFT, true, "main_lock"}};

static const struct lock *find_lock(const struct locks *locks, uint64_t id) {
  for (size_t i = 0; i < locks->num; i++) {
    if (locks->rows[i].id == id) return &locks->rows[i];
  }
  return NULL;
}

static void put_main_lock(struct table *t, const struct view_locks *v,
                          const struct contention_pair *pair) {
  size_t num;
  const struct tally_row *locks = tally_of(&v->contention->pair_locks, pair->id, &num);
  const struct lock *lock = num == 0 ? NULL : find_lock(v->locks, locks[0].key);
  if (lock != NULL && lock->object != 0) {
    names_object(table_text(t), v->model->dump, lock->object);
  } else if (lock != NULL) {
    names_class(table_text(t), v->model->dump, lock->class_id);
  }
  table_next(t);
}

void view_contenders(struct page *p, const struct view_locks *v, size_t top) {
  size_t num = v->contention->num_pairs, shown = num < top ? num : top;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; i < shown; i++) {
    const struct contention_pair *pair = &v->contention->pairs[i];
    names_thread(table_text(t), &v->model->threads, pair->blocked);
    table_next(t);
    names_thread(table_text(t), &v->model->threads, pair->holder);
    table_next(t);
    cell_count(t, pair->times);
    cell_ticks(t, pair->total);
    cell_ticks(t, pair->longest);
    put_main_lock(t, v, pair);
  }
  page_table(p, "contenders", "Who was blocked by whom, where that is known", t, num - shown);
}
