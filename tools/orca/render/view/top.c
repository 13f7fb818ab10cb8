#include "tools/orca/render/view/top.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"
#include "tools/orca/model/process.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

/* --- the head ------------------------------------------------------------------------------- */

/* Appends the time of day of a moment in UTC, between two texts; nothing if it is not known. */
static void put_time(struct builder *b, const char *before, const struct dump *d, ticks_t at,
                     const char *after) {
  uint64_t utc_ns = dump_utc_ns(d, at);
  time_t seconds = (time_t)(utc_ns / 1000000000);
  struct tm tm;
  if (utc_ns == 0 || gmtime_r(&seconds, &tm) == NULL) return;
  builder_format(b, "%s%02d:%02d:%02d%s", before, tm.tm_hour, tm.tm_min, tm.tm_sec, after);
}

static uint64_t count_threads(const struct live_second *s) {
  uint64_t num = 0;
  for (int i = 0; i < NUM_ACTIVITIES; i++) num += s->threads[i];
  return num;
}

static void put_states(struct builder *b, const struct live_second *s) {
  const char *before = ": ";
  unit_many(b, count_threads(s), "thread", "threads");
  for (int i = 0; i < NUM_ACTIVITIES; i++) {
    if (s->threads[i] == 0) continue;
    builder_format(b, "%s%" PRIu64 " %s", before, s->threads[i], activity_names[i]);
    before = ", ";
  }
  builder_char(b, '\n');
}

static ticks_t window_length(const struct window *w) { return w->end - w->begin; }

static double get_cpus(const struct window *w) {
  double length = (double)window_length(w) / (double)TICKS_PER_NS;
  return length > 0 ? (double)w->process_ns / length : 0;
}

static uint64_t get_rate(const struct window *w) {
  ticks_t length = window_length(w);
  return length == 0 ? 0 : (uint64_t)((double)w->events * 1e9 * TICKS_PER_NS / (double)length);
}

static void put_head(struct builder *b, const struct view_top *v) {
  const struct window *w = v->window;
  double cpus = process_cpus(v->live->model.dump);
  put_time(b, "", v->live->model.dump, w->end, " UTC, ");
  builder_format(b, "the last %s\n%.2f CPUs busy", UNIT_TICKS(window_length(w)), get_cpus(w));
  if (cpus > 0) builder_format(b, " of %.3g", cpus);
  builder_format(b, "; pauses for GC %s; %s events a second\n",
                 UNIT_SHARE(w->pause_ns * TICKS_PER_NS, window_length(w)), UNIT_COUNT(get_rate(w)));
  put_states(b, w->last);
}

/* Some waits, or other calls, have no lines. Without any sums, the agent may be of a version that
   writes none. */
static bool has_sums(const struct view_top *v) {
  return v->live->model.recording.short_calls.num > 0;
}

/* "shorter than 10ms". If the threshold has changed, longer ones may have no lines either. */
static void put_limit(struct builder *b, const struct view_top *v) {
  if (coverage_threshold_changed(dump_coverage(v->live->model.dump))) {
    builder_string(b, " below the threshold");
  } else {
    view_put_shorter(b, v->live->model.dump);
  }
}

/* "60.0 s up to 11:37:40" */
static void put_sums_time(struct builder *b, const struct view_top *v) {
  const struct window *w = v->window;
  builder_format(b, "%s", UNIT_TICKS(w->sums_end - w->sums_begin));
  put_time(b, " up to ", v->live->model.dump, w->sums_end, "");
}

/* One line of at most 80 columns. */
static void put_short_waits(struct builder *b, const struct view_top *v) {
  bool are_shown = v->window->has_sums && has_sums(v);
  if (!are_shown &&
      !coverage_threshold_at(dump_coverage(v->live->model.dump), v->window->end).is_on)
    return;
  builder_string(b, "lock waits");
  put_limit(b, v);
  if (are_shown) {
    builder_string(b, " are in short: sums of ");
    put_sums_time(b, v);
  } else {
    builder_string(b, " are not shown: no sums of this time");
  }
  builder_char(b, '\n');
}

/* "DEADLOCK: a waits for Cart@1, which b owns; b waits for …" */
static void put_deadlocks(struct builder *b, const struct view_top *v, const struct deadlocks *d) {
  for (size_t i = 0; i < d->num; i++) {
    const struct wait_link *link = &d->links[i].wait;
    bool is_first = i == 0 || d->links[i - 1].ring != d->links[i].ring;
    bool is_last = i + 1 == d->num || d->links[i + 1].ring != d->links[i].ring;
    builder_string(b, is_first ? "DEADLOCK: " : "; ");
    names_thread(b, &v->live->model.threads, link->pair.thread);
    builder_string(b, " waits for ");
    if (event_joins(link->pair.kind)) {
      builder_string(b, "the end of ");
      names_thread(b, &v->live->model.threads, link->owner);
    } else {
      titles_write(b, &v->window->titles, v->live->model.dump, link->pair.object);
      builder_string(b, " of ");
      names_thread(b, &v->live->model.threads, link->owner);
    }
    if (is_last) builder_char(b, '\n');
  }
}

static void put_sums_members(struct json *j, const struct window *w) {
  if (w->has_sums) {
    json_unsigned_member(j, "short_begin_ns", w->sums_begin / TICKS_PER_NS);
    json_unsigned_member(j, "short_end_ns", w->sums_end / TICKS_PER_NS);
  } else {
    json_key(j, "short_begin_ns");
    json_null(j);
    json_key(j, "short_end_ns");
    json_null(j);
  }
}

static void put_head_members(struct json *j, const struct view_top *v, const struct deadlocks *d) {
  const struct window *w = v->window;
  json_unsigned_member(j, "seconds_end_ns", w->end / TICKS_PER_NS);
  json_unsigned_member(j, "window_ns", window_length(w) / TICKS_PER_NS);
  json_unsigned_member(j, "process_cpu_ns", w->process_ns);
  json_unsigned_member(j, "gc_pause_ns", w->pause_ns);
  json_unsigned_member(j, "events", w->events);
  json_key(j, "threads");
  json_begin_object(j);
  for (int i = 0; i < NUM_ACTIVITIES; i++)
    json_unsigned_member(j, activity_names[i], w->last->threads[i]);
  json_end_object(j);
  json_unsigned_member(j, "deadlocks", d->num_rings);
  if (has_sums(v)) put_sums_members(j, w);
}

bool view_top_head(struct page *p, const struct view_top *v) {
  struct deadlocks d = {0};
  bool good = !v->is_now || live_deadlocks(v->live, &d);
  if (page_is_text(p)) {
    put_head(&p->out, v);
    put_short_waits(&p->out, v);
    put_deadlocks(&p->out, v, &d);
  }
  if (page_is_json(p)) put_head_members(&p->json, v, &d);
  deadlocks_free(&d);
  return good;
}

/* --- owners ----------------------------------------------------------------------------------- */

/* "worker-2, sleeping at Ledger.post:44". */
static void put_owner(struct builder *b, const struct view_top *v, uint32_t owner,
                      enum activity activity, stack_id_t stack) {
  place_t place = stacks_place(&v->live->model.stacks, stack);
  names_thread(b, &v->live->model.threads, owner);
  builder_format(b, ", %s", activity_names[activity]);
  if (place == 0) return;
  builder_string(b, " at ");
  names_short_place(b, v->live->model.dump, place);
}

static void put_title(struct builder *b, const struct view_top *v, uint32_t lock) {
  const struct lock *row = &v->live->model.locks.rows[lock];
  if (row->is_several) {
    builder_format(b, "%s (%s)", SHORT_SEVERAL_NAME, lock_sorts[row->sort].key);
  } else {
    titles_write(b, &v->window->titles, v->live->model.dump, row->object);
  }
}

/* --- locks ------------------------------------------------------------------------------------ */

static void put_lock_threads(const struct cell *c) {
  const struct view_top *v = c->context;
  const struct window_lock *row = c->row;
  ticks_t length = window_length(v->window);
  builder_format(c->text, "%.1f", length == 0 ? 0 : (double)row->blocked / (double)length);
}

static void put_lock_title(const struct cell *c) {
  put_title(c->text, c->context, ((const struct window_lock *)c->row)->lock);
}

static void put_lock_hash(const struct cell *c) {
  const struct view_top *v = c->context;
  cell_hash(c->table, v->live->model.locks.rows[((const struct window_lock *)c->row)->lock].object);
}

static void put_lock_owner(const struct cell *c) {
  const struct window_lock *row = c->row;
  if (row->owner == 0) {
    cell_empty(c->table);
    return;
  }
  put_owner(c->text, c->context, row->owner, row->owner_activity, row->owner_stack);
}

static const struct column lock_columns[] = {
    {"  blocked", .key = "blocked_ns", COLUMN_TICKS(struct window_lock, blocked)}};
static const struct column lock_threads_columns[] = {
    {"threads", ALIGN_RIGHT, .put = put_lock_threads}};
static const struct column lock_wait_columns[] = {
    {"waits", .key = "waits", COLUMN_COUNT(struct window_lock, waits)},
    {"now", .key = "threads_now", COLUMN_COUNT(struct window_lock, threads)}};
static const struct column lock_title_columns[] = {
    {"lock", .shrinks = true, .key = "lock", .put = put_lock_title},
    {NULL, .key = "hash", .put = put_lock_hash}};
static const struct column lock_owner_columns[] = {
    {"owner now", .shrinks = true, .key = "owner", .put = put_lock_owner}};

/* --- waits that are shorter than the threshold ------------------------------------------------ */

static void put_sum_count(const struct cell *c) {
  const struct window_short *sum = c->member;
  view_put_least_mark(c->text, sum->known == WINDOW_SUMS_LEAST);
  cell_count_if(c->table, sum->known != WINDOW_SUMS_UNKNOWN, sum->calls.num);
}

/* `time` of waits; without any, the text is empty. */
static void put_sum_time(const struct cell *c, ticks_t time) {
  const struct window_short *sum = c->member;
  if (sum->known == WINDOW_SUMS_UNKNOWN) {
    cell_empty(c->table);
  } else if (sum->calls.num == 0) {
    table_number(c->table, 0);
  } else {
    view_put_least_mark(c->text, sum->known == WINDOW_SUMS_LEAST);
    cell_ticks(c->table, time);
  }
}

static void put_sum_total(const struct cell *c) {
  put_sum_time(c, ((const struct window_short *)c->member)->calls.total);
}

static void put_sum_longest(const struct cell *c) {
  put_sum_time(c, ((const struct window_short *)c->member)->calls.longest);
}

static void put_sum_is_least(const struct cell *c) {
  enum window_sums known = ((const struct window_short *)c->member)->known;
  if (known == WINDOW_SUMS_UNKNOWN) {
    table_unknown(c->table);
  } else {
    builder_string(c->text, known == WINDOW_SUMS_LEAST ? "yes" : "no");
  }
}

/* `title` is that of the first column. */
#define SUM_MEMBER(row) COLUMN_MEMBER(row, sum, struct window_short)
#define SUM_COLUMNS(title, row)                                                                   \
  {title, ALIGN_RIGHT, .key = "short_waits", .put = put_sum_count, SUM_MEMBER(row)},              \
      {"total", ALIGN_RIGHT, .key = "short_blocked_ns", .put = put_sum_total, SUM_MEMBER(row)}, { \
    "longest", ALIGN_RIGHT, .key = "short_longest_ns", .put = put_sum_longest, SUM_MEMBER(row)    \
  }

/* Only for recordings with sums. */
static const struct column lock_sum_columns[] = {
    SUM_COLUMNS("short", struct window_lock),
    {.key = "short_is_least", .put = put_sum_is_least, SUM_MEMBER(struct window_lock)}};

/* --- the table of locks ----------------------------------------------------------------------- */

#define NUM_LOCK_COLUMNS                                                               \
  ((sizeof lock_columns + sizeof lock_threads_columns + sizeof lock_wait_columns +     \
    sizeof lock_sum_columns + sizeof lock_title_columns + sizeof lock_owner_columns) / \
   sizeof *lock_columns)

/* Beside the sums, a narrow terminal has no room for the mean number of threads and for the owners.
   The former is the blocked time divided by that of the window. The latter are also in the table of
   blocked threads. */
#define WIDE 100

static bool has_room(const struct page *p, const struct view_top *v) {
  bool is_wide = !page_is_text(p) || p->has_whole_names || p->style.width >= WIDE;
  return is_wide || !has_sums(v);
}

static struct table *make_lock_table(struct column columns[NUM_LOCK_COLUMNS], bool has_sums,
                                     bool has_room) {
  const struct column_part parts[] = {
      COLUMN_PART(lock_columns, true),       COLUMN_PART(lock_threads_columns, has_room),
      COLUMN_PART(lock_wait_columns, true),  COLUMN_PART(lock_sum_columns, has_sums),
      COLUMN_PART(lock_title_columns, true), COLUMN_PART(lock_owner_columns, has_room)};
  return table_new(columns, column_parts_join(columns, parts, sizeof parts / sizeof *parts));
}

static int compare_by_count(const void *left, const void *right) {
  const struct window_lock *a = left, *b = right;
  if (a->frequency != b->frequency) return a->frequency > b->frequency ? -1 : 1;
  if (a->load != b->load) return a->load > b->load ? -1 : 1;
  return compare_numbers(b->blocked, a->blocked);
}

void view_top_locks(struct page *p, const struct view_top *v) {
  struct column columns[NUM_LOCK_COLUMNS];
  struct window *w = v->window;
  bool is_whole = has_room(p, v);
  struct table *t = make_lock_table(columns, has_sums(v), is_whole);
  if (v->sort == TOP_BY_COUNT && w->num_locks > 0)
    qsort(w->locks, w->num_locks, sizeof *w->locks, compare_by_count);
  size_t more = table_fill(t, v, w->locks, sizeof *w->locks, w->num_locks, v->rows);
  page_table(p, "locks",
             is_whole ? "Locks: blocked time of all threads, and how many were blocked on average"
                      : "Locks: blocked time of all threads",
             t, more);
}

/* --- methods ---------------------------------------------------------------------------------- */

static void put_method_share(const struct cell *c) {
  const struct view_top *v = c->context;
  cell_share(c->table, ((const struct cpu_method *)c->row)->self_ns, v->window->cpu.total_ns);
}

static void put_method_name(const struct cell *c) {
  const struct view_top *v = c->context;
  names_full_method(c->text, v->live->model.dump, ((const struct cpu_method *)c->row)->method);
}

static void put_method_place(const struct cell *c) {
  const struct view_top *v = c->context;
  const struct cpu_method *row = c->row;
  place_t place = row->caller != 0 ? row->caller : row->place;
  if (place != 0 && !pseudo_is(place_method(place)))
    names_short_place(c->text, v->live->model.dump, place);
}

static const struct column method_columns[] = {
    {"  cpu", .key = "cpu_ns", COLUMN_NS(struct cpu_method, self_ns)},
    {"", ALIGN_RIGHT, .put = put_method_share},
    {"method", .shrinks = true, .key = "method", .put = put_method_name},
    {"at", .shrinks = true, .key = "place", .put = put_method_place}};

void view_top_methods(struct page *p, const struct view_top *v) {
  const struct cpu *cpu = &v->window->cpu;
  struct table *t = TABLE_NEW(method_columns);
  size_t num = 0; /* those with time of their own come first */
  while (num < cpu->num_methods && cpu->methods[num].self_ns > 0) num++;
  size_t more = table_fill(t, v, cpu->methods, sizeof *cpu->methods, num, v->rows);
  page_table(p, "methods", "Methods: CPU time of their own", t, more);
}

/* --- blocked threads -------------------------------------------------------------------------- */

static void put_blocked_time(const struct cell *c) {
  const struct view_top *v = c->context;
  const struct live_blocked *b = c->row;
  cell_ticks(c->table, v->window->end > b->since ? v->window->end - b->since : 0);
}

static void put_blocked_thread(const struct cell *c) {
  const struct view_top *v = c->context;
  names_thread(c->text, &v->live->model.threads, ((const struct live_blocked *)c->row)->thread);
}

static void put_blocked_lock(const struct cell *c) {
  put_title(c->text, c->context, ((const struct live_blocked *)c->row)->lock);
}

static void put_blocked_place(const struct cell *c) {
  const struct view_top *v = c->context;
  place_t place =
      stacks_place(&v->live->model.stacks, ((const struct live_blocked *)c->row)->stack);
  if (place != 0) names_short_place(c->text, v->live->model.dump, place);
}

static void put_blocked_owner(const struct cell *c) {
  const struct live_blocked *b = c->row;
  if (b->owner == 0) {
    cell_empty(c->table);
    return;
  }
  put_owner(c->text, c->context, b->owner, b->owner_activity, b->owner_stack);
}

static const struct column blocked_columns[] = {
    {"  for", ALIGN_RIGHT, .key = "blocked_ns", .put = put_blocked_time},
    {"thread", .shrinks = true, .key = "thread", .put = put_blocked_thread},
    {"at", .shrinks = true, .key = "place", .put = put_blocked_place},
    {"lock", .shrinks = true, .key = "lock", .put = put_blocked_lock},
    {"owner now", .shrinks = true, .key = "owner", .put = put_blocked_owner}};

/* Returns how many of `num` rows have no room. */
static size_t count_more(const struct view_top *v, size_t num) {
  return num > v->rows ? num - v->rows : 0;
}

static void put_blocked(struct page *p, const struct view_top *v, int64_t lock) {
  const struct live_second *s = v->window->last;
  struct table *t = TABLE_NEW(blocked_columns);
  size_t num = 0;
  for (size_t i = 0; i < s->num_blocked; i++) {
    if (lock >= 0 && s->blocked[i].lock != (uint32_t)lock) continue;
    if (live_lock_is_signal(v->live, s->blocked[i].lock)) continue;
    if (num++ < v->rows) table_add(t, v, &s->blocked[i]);
  }
  page_table(p, "blocked", "Threads that are blocked now", t, count_more(v, num));
}

void view_top_blocked(struct page *p, const struct view_top *v) { put_blocked(p, v, -1); }

/* --- one lock, one thread --------------------------------------------------------------------- */

static void put_site_place(const struct cell *c) {
  const struct view_top *v = c->context;
  place_t place = stacks_place(&v->live->model.stacks, ((const struct window_site *)c->row)->stack);
  if (place != 0) names_place(c->text, v->live->model.dump, place);
}

static const struct column site_columns[] = {
    {"  blocked", .key = "blocked_ns", COLUMN_TICKS(struct window_site, blocked)},
    {"at", .shrinks = true, .key = "place", .put = put_site_place}};

static void put_sum_place(const struct cell *c) {
  const struct view_top *v = c->context;
  place_t place = ((const struct window_sum *)c->row)->place;
  if (place == 0) {
    builder_string(c->text, "several places, or not known");
  } else {
    names_place(c->text, v->live->model.dump, place);
  }
}

static const struct column sum_columns[] = {
    SUM_COLUMNS("  short", struct window_sum),
    {"at", .shrinks = true, .key = "place", .put = put_sum_place}};

static void put_place_sums(struct page *p, const struct view_top *v, uint32_t lock) {
  struct table *t = TABLE_NEW(sum_columns);
  struct builder heading = {0};
  size_t num = 0;
  for (size_t i = 0; i < v->window->num_sums; i++) {
    const struct window_sum *row = &v->window->sums[i];
    if (row->lock == lock && num++ < v->rows) table_add(t, v, row);
  }
  builder_string(&heading, "Waits");
  put_limit(&heading, v);
  if (v->window->has_sums) {
    builder_string(&heading, ", in the ");
    put_sums_time(&heading, v);
  }
  builder_char(&heading, '\0');
  p->out.failed |= heading.failed;
  page_table(p, "short_sites", heading.failed ? "" : heading.data, t, count_more(v, num));
  builder_free(&heading);
}

void view_top_lock(struct page *p, const struct view_top *v, uint32_t lock) {
  struct table *t = TABLE_NEW(site_columns);
  size_t num = 0;
  if (page_is_text(p)) {
    builder_char(&p->out, '\n');
    put_title(&p->out, v, lock);
    builder_char(&p->out, '\n');
  }
  for (size_t i = 0; i < v->window->num_sites; i++) {
    const struct window_site *row = &v->window->sites[i];
    if (row->lock == lock && num++ < v->rows) table_add(t, v, row);
  }
  page_table(p, "sites", "Where threads were blocked on it", t, count_more(v, num));
  if (has_sums(v)) put_place_sums(p, v, lock);
  put_blocked(p, v, lock);
}

static void put_frames(struct page *p, const struct view_top *v, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&v->live->model.stacks, stack, &depth);
  for (size_t i = 0; i < depth && i < v->rows; i++) {
    builder_string(&p->out, "    ");
    names_place(&p->out, v->live->model.dump, place_of_frame(v->live->model.dump, frames[i]));
    builder_char(&p->out, '\n');
  }
}

void view_top_thread(struct page *p, const struct view_top *v, uint32_t thread) {
  const struct thread *row = threads_find(&v->live->model.threads, thread);
  builder_char(&p->out, '\n');
  names_thread(&p->out, &v->live->model.threads, thread);
  if (row == NULL || !row->life.lives) {
    builder_string(&p->out, " has ended\n");
    return;
  }
  const struct live_thread *now = &v->live->now[row - v->live->model.threads.rows];
  ticks_t at = v->live->at;
  builder_format(&p->out, ": %s for %s\n", activity_names[now->activity],
                 UNIT_TICKS(at > now->since ? at - now->since : 0));
  put_frames(p, v, now->stack);
}
