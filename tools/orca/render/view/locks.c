#include "tools/orca/render/view/locks.h"

#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"

#define SIGNAL_TITLE "signal" /* a semaphore that lock_is_signal */

/* The owners while others waited. If those are not known: all owners. */
static const struct tally *find_holders(const struct view_locks *v, const struct lock *lock) {
  return locks_should_name_owners(lock) ? &v->locks->owners : &v->locks->holds;
}

static bool has_holders(const struct lock *lock) {
  return locks_should_name_owners(lock) || lock->holds > 0;
}

const char *view_lock_limit(const struct lock *lock) {
  return lock->short_waits.num > 0 ? ", as far as known" : "";
}

/* "com.acme.Cart@0A1B2C3D", "com.acme.Cart (12 objects)". `put_object` writes the name of one. */
static void put_name(struct builder *b, const struct model *m, const struct lock *lock,
                     void (*put_object)(struct builder *, const struct model *, uint32_t)) {
  if (lock->object != 0) {
    put_object(b, m, lock->object);
    return;
  }
  if (lock->is_several) {
    builder_string(b, SHORT_SEVERAL_NAME);
    return;
  }
  names_class(b, m->dump, lock->class_id);
  builder_string(b, " (");
  unit_many(b, lock->num_objects, "object)", "objects)");
}

static void put_class_and_hash(struct builder *b, const struct model *m, uint32_t object) {
  names_object(b, m->dump, object);
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

void view_put_handoff_reason(struct builder *b, const struct lock *lock) {
  builder_string(b, lock->sort == LOCK_SEMAPHORE ? "a permit was free" : "the lock was released");
  builder_string(b, ", but the thread that got it next did not run yet");
}

/* The part of the blocked time after a release, if it is at least one percent. */
static void add_handoff_note(struct table *t, const struct view_locks *v, const struct lock *lock) {
  ticks_t handoff = contention_time(&v->contention->handoffs, lock->id);
  if (handoff == 0 || handoff < lock->blocked / 100) return;
  builder_format(table_text(t), "hand-off: %s%s (%s) of the blocked time: ",
                 lock->short_waits.num > 0 ? "at least " : "", UNIT_TICKS(handoff),
                 UNIT_SHARE(handoff, lock->blocked));
  view_put_handoff_reason(table_text(t), lock);
  table_note(t);
}

static void add_holder_note(struct table *t, const struct view_locks *v, const struct lock *lock) {
  size_t num = 0;
  if (!v->holders) return;
  tally_of(&v->contention->holder_places, lock->id, &num);
  if (num == 0) return;
  builder_format(table_text(t), "while others waited%s, its holder was at ", view_lock_limit(lock));
  view_put_keys(table_text(t), v->model, &v->contention->holder_places, lock->id,
                view_holder_place);
  table_note(t);
  if (v->stacks) view_stack_notes(t, v->model, find_holder_stack(v, lock));
}

static bool has_path(const struct view_locks *v) {
  return v->bounds != NULL && bounds_has_path(v->bounds);
}

static void add_path_note(struct table *t, const struct view_locks *v, const struct lock *lock) {
  const struct bounds *bounds = v->bounds;
  if (!has_path(v) || lock->waited == 0) return;
  ticks_t time = bounds_lock_time(&bounds->locks, lock->id);
  /* Both sides of a lock are one lock of the path: that of the side with more blocked time. */
  if (time == 0 && lock_sort_is_side(lock->sort)) return;
  if (time == 0) {
    builder_string(table_text(t), "not on the critical path");
  } else {
    builder_format(table_text(t), "on the critical path for %s (%s)", UNIT_TICKS(time),
                   UNIT_SHARE(time, bounds->work));
  }
  table_note(t);
}

/* --- cells ------------------------------------------------------------------------- */

static void put_sort_title(const struct cell *c) {
  const struct lock *lock = c->row;
  builder_format(c->text, "  %s",
                 lock_is_signal(lock) ? SIGNAL_TITLE : lock_sorts[lock->sort].title);
}

static void put_sort_key(const struct cell *c) {
  const struct lock *lock = c->row;
  builder_string(c->text, lock_sorts[lock->sort].key);
}

static void put_acquired(const struct cell *c) {
  const struct lock *lock = c->row;
  cell_count_if(c->table, lock->acquired_known, lock->acquired);
}

static void put_least_mark(const struct cell *c) {
  view_put_least_mark(c->text, lock_has_least_waits(c->row));
}

static void put_waited(const struct cell *c) {
  const struct lock *lock = c->row;
  put_least_mark(c);
  cell_count(c->table, lock->waited);
}

/* Nothing if neither the waits nor the attempts are all known. Without sums of short calls the
   waits are only those of the threshold: the share is no bound. */
static void put_waited_share(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  bool has_sums = v->model->recording.short_calls.num > 0;
  if (!lock->acquired_known || (lock_has_least_waits(lock) && lock->acquired_is_least)) return;
  put_least_mark(c);
  if (lock->acquired_is_least && has_sums) builder_string(c->text, "≤ ");
  cell_share(c->table, lock->waited, locks_attempts(lock));
}

/* How many of the short attempts failed is not known; a monitor always lets a thread in. */
static void put_failed(const struct cell *c) {
  const struct lock *lock = c->row;
  view_put_least_mark(c->text, lock->short_waits.num > 0 && lock->sort != LOCK_MONITOR);
  cell_count(c->table, lock->failed);
}

static void put_total_blocked(const struct cell *c) {
  const struct lock *lock = c->row;
  view_put_least_mark(c->text, lock->waited > 0 && lock_has_least_time(lock));
  cell_ticks_if(c->table, lock->waited > 0, lock->blocked);
}

/* Unknown if no thread waited for the lock. */
static void put_blocked(const struct cell *c) {
  const struct lock *lock = c->row;
  cell_ticks_if(c->table, lock->waited > 0, *(const ticks_t *)c->member);
}

static void put_longest_blocked(const struct cell *c) {
  const struct view_locks *v = c->context;
  view_put_least_mark(c->text, locks_has_least_longest(v->locks, c->row));
  put_blocked(c);
}

/* Two least numbers have no mean. */
static void put_mean_blocked(const struct cell *c) {
  const struct lock *lock = c->row;
  bool is_known = lock->waited > 0 && !lock_has_least_waits(lock);
  view_put_least_mark(c->text, is_known && lock->older > 0);
  cell_ticks_if(c->table, is_known, is_known ? lock->blocked / lock->waited : 0);
}

static void put_p99_blocked(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  bool is_known = lock->waited > 0, is_bound = false;
  uint64_t ns = is_known ? locks_quantile(v->locks, lock, 990, &is_bound) : 0;
  if (is_bound) builder_string(c->text, "≤ ");
  view_put_least_mark(c->text, !is_bound && lock->older > 0);
  cell_ns_if(c->table, is_known, ns);
}

/* Unknown if no hold was recorded. */
static void put_held(const struct cell *c) {
  const struct lock *lock = c->row;
  cell_ticks_if(c->table, lock->holds > 0, *(const ticks_t *)c->member);
}

static void put_mean_held(const struct cell *c) {
  const struct lock *lock = c->row;
  cell_ticks_if(c->table, lock->holds > 0, lock->holds > 0 ? lock->held / lock->holds : 0);
}

static void put_lock_name(const struct cell *c) {
  const struct view_locks *v = c->context;
  put_name(c->text, v->model, c->row, put_class_and_hash);
}

static void put_lock_title(const struct cell *c) {
  const struct view_locks *v = c->context;
  put_name(c->text, v->model, c->row, view_lock_title);
}

static void put_main_place(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  view_put_largest(c->table, v->model, &v->locks->places, lock->id, view_place_name);
}

static void put_main_waiter(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  view_put_largest(c->table, v->model, &v->locks->threads, lock->id, view_thread_name);
}

static void put_main_holder(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  if (has_holders(lock)) {
    view_put_largest(c->table, v->model, find_holders(v, lock), lock->id, view_thread_name);
  } else {
    cell_empty(c->table);
  }
}

static void put_caution(const struct cell *c) {
  const struct view_locks *v = c->context;
  const char *caution = lock_caution(v->model->dump, c->row);
  if (caution != NULL) builder_string(c->text, caution);
}

static void put_waited_is_least(const struct cell *c) {
  builder_string(c->text, lock_has_least_waits(c->row) ? "yes" : "no");
}

static void put_holder_place(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  view_put_largest(c->table, v->model, &v->contention->holder_places, lock->id, view_holder_place);
}

static void put_holder_stack(const struct cell *c) {
  const struct view_locks *v = c->context;
  view_stack(c->text, v->model, find_holder_stack(v, c->row), "; ");
}

static void put_handoff(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  cell_ticks_if(c->table, lock->waited > 0, contention_time(&v->contention->handoffs, lock->id));
}

static void put_held_by_others(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  cell_ticks_if(c->table, lock->waited > 0, contention_time(&v->contention->held, lock->id));
}

static void put_path(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  bool is_known = has_path(v);
  cell_ticks_if(c->table, is_known, is_known ? bounds_lock_time(&v->bounds->locks, lock->id) : 0);
}

static void put_lock_object(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  view_put_lock_object(c, v->model->dump, lock_sorts[lock->sort].key, lock->object, lock->class_id,
                       lock->num_objects);
}

static void put_main_place_object(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  view_put_place_object(c, v->model->dump, tally_best(&v->locks->places, lock->id));
}

static void put_holder_place_object(const struct cell *c) {
  const struct view_locks *v = c->context;
  const struct lock *lock = c->row;
  place_t place = tally_best(&v->contention->holder_places, lock->id);
  view_put_place_object(c, v->model->dump, place & ~CONTENTION_GUESSED);
}

static void put_holder_stack_objects(const struct cell *c) {
  const struct view_locks *v = c->context;
  view_put_stack_objects(c, v->model, find_holder_stack(v, c->row));
}

#define BLOCKED(member) \
  .align = ALIGN_RIGHT, .put = put_blocked, COLUMN_MEMBER(struct lock, member, ticks_t)
#define HELD(member) \
  .align = ALIGN_RIGHT, .put = put_held, COLUMN_MEMBER(struct lock, member, ticks_t)

static const struct column columns[] = {
    {"lock", .shrinks = true, .put = put_sort_title},
    {"acquired", ALIGN_RIGHT, .key = "acquired", .put = put_acquired},
    {"waited", ALIGN_RIGHT, .key = "waited", .put = put_waited},
    {"", ALIGN_RIGHT, .put = put_waited_share},
    {"failed", ALIGN_RIGHT, .key = "failed", .put = put_failed},
    {"blocked", ALIGN_RIGHT, .key = "blocked_ns", .put = put_total_blocked},
    {"mean", ALIGN_RIGHT, .put = put_mean_blocked},
    {"p99", ALIGN_RIGHT, .key = "p99_blocked_ns", .put = put_p99_blocked},
    {"longest", ALIGN_RIGHT, .key = "longest_blocked_ns", .put = put_longest_blocked,
     COLUMN_MEMBER(struct lock, longest_blocked, ticks_t)},
    {"held", .key = "held_ns", HELD(held)},
    {"mean", ALIGN_RIGHT, .put = put_mean_held},
    {.key = "longest_held_ns", HELD(longest_held)},
    {.key = "open", COLUMN_RAW(struct lock, open)},
    {.key = "lock", .put = put_lock_name},
    {.key = "sort", .put = put_sort_key},
    {.key = "main_place", .put = put_main_place},
    {.key = "main_waiter", .put = put_main_waiter},
    {.key = "main_holder", .put = put_main_holder},
    {.key = "caution", .put = put_caution},
    {.key = "title", .put = put_lock_title},
    {.key = "path_ns", .put = put_path},
    {.key = "lock_parts", .is_json = true, .put = put_lock_object},
    {.key = "main_place_parts", .is_json = true, .put = put_main_place_object}};

/* These need the contention. */
static const struct column holder_columns[] = {
    {.key = "holder_place", .put = put_holder_place},
    {.key = "holder_stack", .put = put_holder_stack},
    {.key = "handoff_ns", .put = put_handoff},
    {.key = "held_by_others_ns", .put = put_held_by_others},
    {.key = "holder_place_parts", .is_json = true, .put = put_holder_place_object},
    {.key = "holder_stack_parts", .is_json = true, .put = put_holder_stack_objects}};

/* Only for recordings with sums of short calls. */
static const struct column short_columns[] = {
    {.key = "long_waits", COLUMN_RAW(struct lock, long_waits)},
    {.key = "long_blocked_ns", BLOCKED(long_blocked)},
    {.key = "short_calls", COLUMN_RAW(struct lock, short_others.num)},
    {.key = "short_calls_ns", COLUMN_TICKS(struct lock, short_others.total)},
    {.key = "waited_is_least", .put = put_waited_is_least}};

#define MOST_COLUMNS \
  ((sizeof columns + sizeof holder_columns + sizeof short_columns) / sizeof *columns)

/* Copies the columns that a table has into `out`. Returns their number. */
static size_t choose_columns(const struct view_locks *v, struct column *out) {
  const struct column_part parts[] = {
      COLUMN_PART(columns, true), COLUMN_PART(holder_columns, v->holders),
      COLUMN_PART(short_columns, v->model->recording.short_calls.num > 0)};
  return column_parts_join(out, parts, sizeof parts / sizeof *parts);
}

/* --- notes ------------------------------------------------------------------------- */

/* "4 of the waits took 10ms or longer, 2.88 s together" */
static void add_long_note(struct table *t, const struct view_locks *v, const struct lock *lock) {
  struct builder *b = table_text(t);
  if (lock->short_waits.num == 0) return;
  if (lock->long_waits == 0) {
    builder_string(b, "none");
  } else {
    unit_count(b, lock->long_waits);
  }
  builder_string(b, " of the waits took");
  view_put_or_longer(b, v->model->dump);
  if (lock->long_waits > 0) builder_format(b, ", %s together", UNIT_TICKS(lock->long_blocked));
  table_note(t);
}

static void add_waiter_notes(struct table *t, const struct view_locks *v, const struct lock *lock) {
  size_t num;
  builder_string(table_text(t), "at ");
  view_put_keys(table_text(t), v->model, &v->locks->places, lock->id, view_place_name);
  table_note(t);
  add_long_note(t, v, lock);
  if (lock->waited_is_least) {
    builder_string(table_text(t), "there may be more, among those of several objects");
    table_note(t);
  }
  tally_of(&v->locks->threads, lock->id, &num);
  if (num == 0) return;
  builder_format(table_text(t), "%s%s: ", lock->sort == LOCK_MONITOR ? "blocked" : "waited",
                 view_lock_limit(lock));
  view_put_keys(table_text(t), v->model, &v->locks->threads, lock->id, view_thread_name);
  table_note(t);
}

/* Short calls that may have found the lock free. */
static void add_short_note(struct table *t, const struct view_locks *v, const struct lock *lock) {
  struct builder *b = table_text(t);
  const struct short_calls *calls = &lock->short_others;
  if (calls->num == 0) return;
  unit_many(b, calls->num, "call", "calls");
  view_put_shorter(b, v->model->dump);
  builder_format(b, ", %s together: it is not known which of them had to wait",
                 UNIT_TICKS(calls->total));
  table_note(t);
}

/* Often owners are known for some waits only. */
static const char *find_owner_limit(const struct lock *lock) {
  bool is_part = locks_should_name_owners(lock) && lock->known_owners * 2 < lock->waited;
  return is_part ? ", as far as known" : view_lock_limit(lock);
}

/* The read and the write side of a lock are often adjacent. They then share one head. */
static void add_lock(struct table *t, const struct view_locks *v, const struct lock *lock,
                     const struct lock *before) {
  if (before == NULL || before->object != lock->object || before->class_id != lock->class_id) {
    put_name(table_text(t), v->model, lock, view_lock_title);
    table_head(t);
  }
  table_add(t, v, lock);
  if (lock->waited > 0) add_waiter_notes(t, v, lock);
  add_short_note(t, v, lock);
  if (has_holders(lock)) {
    builder_format(table_text(t), "held by%s: ", find_owner_limit(lock));
    view_put_keys(table_text(t), v->model, find_holders(v, lock), lock->id, view_thread_name);
    table_note(t);
  }
  add_path_note(t, v, lock);
  add_holder_note(t, v, lock);
  add_handoff_note(t, v, lock);
  if (lock->open > 0) {
    unit_many(table_text(t), lock->open, "thread", "threads");
    builder_string(table_text(t), lock->sort == LOCK_MONITOR ? " STILL BLOCKED at the end"
                                                             : " STILL WAITING at the end");
    table_note(t);
  }
  const char *caution = lock_caution(v->model->dump, lock);
  if (caution == NULL) return;
  builder_string(table_text(t), "CAUTION: ");
  builder_string(table_text(t), caution);
  table_note(t);
}

static bool is_quiet(const struct lock *lock) {
  return lock->waited == 0 && lock->short_others.num == 0;
}

/* The locks that are left out of the text, because no thread waited for them. They are the last
   rows. CSV and JSON have all locks. */
static size_t count_quiet(const struct page *p, const struct view_locks *v) {
  size_t num = 0, all = v->locks->num;
  if (v->all || !page_is_text(p)) return 0;
  while (num < all && is_quiet(&v->locks->rows[all - 1 - num])) num++;
  return num;
}

/* `shows_others`: the table above has other locks. */
static void put_quiet_note(struct page *p, size_t quiet, bool shows_others) {
  struct builder note = {0};
  if (quiet == 0) return;
  builder_string(&note, "No thread waited for ");
  if (shows_others) {
    unit_many(&note, quiet, "more lock", "more locks");
  } else {
    unit_many(&note, quiet, "lock", "locks");
  }
  builder_string(&note,
                 quiet == 1 ? " (orca locks --all shows it)." : " (orca locks --all shows them).");
  view_put_paragraph(p, &note);
}

/* Says which acquisitions the column `acquired` of the first `shown` locks may lack. */
static void put_counts_note(struct page *p, const struct view_locks *v, size_t shown) {
  const char *note =
      coverage_has_short_pairs(dump_coverage(v->model->dump))
          ? "acquired: at least so often. The table of lock counts was full at times."
          : "acquired: at least so often. With a threshold, acquisitions before the "
            "first wait for a lock need not be counted.";
  bool is_least = false;
  for (size_t i = 0; i < shown; i++) is_least |= v->locks->rows[i].acquired_is_least;
  if (!is_least || !page_is_text(p)) return;
  builder_char(&p->out, '\n');
  style_wrap(&p->out, &p->style, "", (struct span){note, strlen(note)});
}

void view_locks_of(struct page *p, const struct view_locks *v, size_t top) {
  const struct locks *locks = v->locks;
  size_t quiet = count_quiet(p, v), num = locks->num - quiet;
  size_t shown = num < top ? num : top;
  struct column chosen[MOST_COLUMNS];
  struct table *t = table_new(chosen, choose_columns(v, chosen));
  for (size_t i = 0; i < shown; i++) {
    add_lock(t, v, &locks->rows[i], i == 0 ? NULL : &locks->rows[i - 1]);
  }
  page_table(p, "locks",
             "Locks, worst first (waited: had to wait; failed: of those, without success)", t,
             num - shown);
  put_counts_note(p, v, shown);
  put_quiet_note(p, quiet, shown > 0);
}
