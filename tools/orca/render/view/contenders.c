#include "tools/orca/model/names.h"
#include "tools/orca/render/view/locks.h"

static const struct lock *find_lock(const struct locks *locks, uint64_t id) {
  for (size_t i = 0; i < locks->num; i++) {
    if (locks->rows[i].id == id) return &locks->rows[i];
  }
  return NULL;
}

static void put_thread(const struct cell *c) {
  const struct view_locks *v = c->context;
  names_thread(c->text, &v->model->threads, *(const uint32_t *)c->member);
}

static const struct lock *find_main_lock(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct contention_pair *pair = c->row;
  size_t num;
  const struct tally_row *locks = tally_of(&v->contention->pair_locks, pair->id, &num);
  return num == 0 ? NULL : find_lock(v->locks, locks[0].key);
}

static void put_main_lock(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = find_main_lock(c);
  if (lock != NULL && lock->object != 0) {
    names_object(c->text, v->model->dump, lock->object);
  } else if (lock != NULL) {
    names_class(c->text, v->model->dump, lock->class_id);
  }
}

static void put_main_title(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = find_main_lock(c);
  if (lock != NULL && lock->object != 0) {
    view_lock_title(c->text, v->model, lock->object);
  } else {
    put_main_lock(c);
  }
}

static void put_main_lock_parts(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = find_main_lock(c);
  if (lock == NULL) return;
  view_put_lock_object(c, v->model->dump, lock_sorts[lock->sort].key, lock->object, lock->class_id,
                       lock->num_objects);
}

#define THREAD(member) \
  .shrinks = true, .put = put_thread, COLUMN_MEMBER(struct contention_pair, member, uint32_t)

static const struct column columns[] = {
    {"blocked", .key = "blocked", THREAD(blocked)},
    {"by", .key = "holder", THREAD(holder)},
    {"times", .key = "times", COLUMN_COUNT(struct contention_pair, times)},
    {"total", .key = "total_ns", COLUMN_TICKS(struct contention_pair, total)},
    {"longest", .key = "longest_ns", COLUMN_TICKS(struct contention_pair, longest)},
    {"most on", .shrinks = true, .put = put_main_title},
    {.key = "main_lock", .put = put_main_lock},
    {.key = "main_title", .put = put_main_title},
    {.key = "main_lock_parts", .is_json = true, .put = put_main_lock_parts}};

void view_contenders(struct page *p, const struct view_locks *v, size_t top) {
  const struct contention *contention = v->contention;
  struct table *t = TABLE_NEW(columns);
  size_t more =
      table_fill(t, v, contention->pairs, sizeof *contention->pairs, contention->num_pairs, top);
  page_table(p, "contenders",
             "Who was blocked by whom, where that is known (times: each wait once, for the "
             "holder of its longest part)",
             t, more);
}
