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

/* Appends the time of day of a moment in UTC. */
static void put_time(struct builder *b, const struct dump *d, ticks_t at) {
  uint64_t utc_ns = dump_utc_ns(d, at);
  time_t seconds = (time_t)(utc_ns / 1000000000);
  struct tm tm;
  if (utc_ns == 0 || gmtime_r(&seconds, &tm) == NULL) return;
  builder_format(b, "%02d:%02d:%02d UTC, ", tm.tm_hour, tm.tm_min, tm.tm_sec);
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
  double cpus = process_cpus(v->live->dump);
  put_time(b, v->live->dump, w->end);
  builder_format(b, "the last %s\n%.2f CPUs busy", UNIT_TICKS(window_length(w)), get_cpus(w));
  if (cpus > 0) builder_format(b, " of %.3g", cpus);
  builder_format(b, "; pauses for GC %s; %s events a second\n",
                 UNIT_SHARE(w->pause_ns * TICKS_PER_NS, window_length(w)), UNIT_COUNT(get_rate(w)));
  put_states(b, w->last);
}

/* Calls of other seconds than those in which their sums come. */
static void put_short_calls(struct builder *b, const struct view_top *v) {
  struct span threshold;
  if (v->live->short_calls.num == 0 || !dump_threshold(v->live->dump, &threshold)) return;
  builder_string(b, "waits");
  view_put_shorter(b, v->live->dump);
  builder_string(b, " are not shown here; orca locks and orca waits have their sums\n");
}

/* "DEADLOCK: a waits for Cart@1, which b owns; b waits for …" */
static void put_deadlocks(struct builder *b, const struct view_top *v, const struct deadlocks *d) {
  for (size_t i = 0; i < d->num; i++) {
    const struct wait_link *link = &d->links[i].wait;
    bool is_first = i == 0 || d->links[i - 1].ring != d->links[i].ring;
    bool is_last = i + 1 == d->num || d->links[i + 1].ring != d->links[i].ring;
    builder_string(b, is_first ? "DEADLOCK: " : "; ");
    names_thread(b, &v->live->threads, link->pair.thread);
    builder_string(b, " waits for ");
    if (link->pair.kind == EVENT_THREAD_JOIN) {
      builder_string(b, "the end of ");
      names_thread(b, &v->live->threads, link->owner);
    } else {
      titles_write(b, &v->window->titles, v->live->dump, link->pair.object);
      builder_string(b, " of ");
      names_thread(b, &v->live->threads, link->owner);
    }
    if (is_last) builder_char(b, '\n');
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
}

bool view_top_head(struct page *p, const struct view_top *v) {
  struct deadlocks d = {0};
  bool good = !v->is_now || live_deadlocks(v->live, &d);
  if (page_is_text(p)) {
    put_head(&p->out, v);
    put_short_calls(&p->out, v);
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
  place_t place = stacks_place(&v->live->stacks, stack);
  names_thread(b, &v->live->threads, owner);
  builder_format(b, ", %s", activity_names[activity]);
  if (place == 0) return;
  builder_string(b, " at ");
  names_short_place(b, v->live->dump, place);
}

static void put_title(struct builder *b, const struct view_top *v, uint32_t lock) {
  titles_write(b, &v->window->titles, v->live->dump, v->live->locks[lock].object);
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
  cell_hash(c->table, v->live->locks[((const struct window_lock *)c->row)->lock].object);
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
    {"  blocked", .key = "blocked_ns", COLUMN_TICKS(struct window_lock, blocked)},
    {"threads", ALIGN_RIGHT, .put = put_lock_threads},
    {"waits", .key = "waits", COLUMN_COUNT(struct window_lock, waits)},
    {"now", .key = "threads_now", COLUMN_COUNT(struct window_lock, threads)},
    {"lock", .shrinks = true, .key = "lock", .put = put_lock_title},
    {NULL, .key = "hash", .put = put_lock_hash},
    {"owner now", .shrinks = true, .key = "owner", .put = put_lock_owner}};

static int compare_by_count(const void *left, const void *right) {
  const struct window_lock *a = left, *b = right;
  if (a->waits != b->waits) return compare_numbers(b->waits, a->waits);
  return compare_numbers(b->blocked, a->blocked);
}

void view_top_locks(struct page *p, const struct view_top *v) {
  struct window *w = v->window;
  struct table *t = TABLE_NEW(lock_columns);
  if (v->sort == TOP_BY_COUNT && w->num_locks > 0)
    qsort(w->locks, w->num_locks, sizeof *w->locks, compare_by_count);
  size_t more = table_fill(t, v, w->locks, sizeof *w->locks, w->num_locks, v->rows);
  page_table(p, "locks", "Locks: blocked time of all threads, and how many were blocked on average",
             t, more);
}

/* --- methods ---------------------------------------------------------------------------------- */

static void put_method_share(const struct cell *c) {
  const struct view_top *v = c->context;
  cell_share(c->table, ((const struct cpu_method *)c->row)->self_ns, v->window->cpu.total_ns);
}

static void put_method_name(const struct cell *c) {
  const struct view_top *v = c->context;
  names_full_method(c->text, v->live->dump, ((const struct cpu_method *)c->row)->method);
}

static void put_method_place(const struct cell *c) {
  const struct view_top *v = c->context;
  const struct cpu_method *row = c->row;
  place_t place = row->caller != 0 ? row->caller : row->place;
  if (place != 0 && !pseudo_is(place_method(place)))
    names_short_place(c->text, v->live->dump, place);
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
  names_thread(c->text, &v->live->threads, ((const struct live_blocked *)c->row)->thread);
}

static void put_blocked_lock(const struct cell *c) {
  put_title(c->text, c->context, ((const struct live_blocked *)c->row)->lock);
}

static void put_blocked_place(const struct cell *c) {
  const struct view_top *v = c->context;
  place_t place = stacks_place(&v->live->stacks, ((const struct live_blocked *)c->row)->stack);
  if (place != 0) names_short_place(c->text, v->live->dump, place);
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

static void put_blocked(struct page *p, const struct view_top *v, int64_t lock) {
  const struct live_second *s = v->window->last;
  struct table *t = TABLE_NEW(blocked_columns);
  size_t num = 0, more = 0;
  for (size_t i = 0; i < s->num_blocked; i++) {
    if (lock >= 0 && s->blocked[i].lock != (uint32_t)lock) continue;
    if (live_lock_is_signal(v->live, s->blocked[i].lock)) continue;
    if (num++ < v->rows) {
      table_add(t, v, &s->blocked[i]);
    } else {
      more++;
    }
  }
  page_table(p, "blocked", "Threads that are blocked now", t, more);
}

void view_top_blocked(struct page *p, const struct view_top *v) { put_blocked(p, v, -1); }

/* --- one lock, one thread --------------------------------------------------------------------- */

static void put_site_place(const struct cell *c) {
  const struct view_top *v = c->context;
  place_t place = stacks_place(&v->live->stacks, ((const struct window_site *)c->row)->stack);
  if (place != 0) names_place(c->text, v->live->dump, place);
}

static const struct column site_columns[] = {
    {"  blocked", .key = "blocked_ns", COLUMN_TICKS(struct window_site, blocked)},
    {"at", .shrinks = true, .key = "place", .put = put_site_place}};

void view_top_lock(struct page *p, const struct view_top *v, uint32_t lock) {
  struct table *t = TABLE_NEW(site_columns);
  size_t num = 0, more = 0;
  if (page_is_text(p)) {
    builder_char(&p->out, '\n');
    put_title(&p->out, v, lock);
    builder_char(&p->out, '\n');
  }
  for (size_t i = 0; i < v->window->num_sites; i++) {
    if (v->window->sites[i].lock != lock) continue;
    if (num++ < v->rows) {
      table_add(t, v, &v->window->sites[i]);
    } else {
      more++;
    }
  }
  page_table(p, "sites", "Where threads were blocked on it", t, more);
  put_blocked(p, v, lock);
}

static void put_frames(struct page *p, const struct view_top *v, stack_id_t stack) {
  size_t depth;
  const struct frame *frames = stacks_frames(&v->live->stacks, stack, &depth);
  for (size_t i = 0; i < depth && i < v->rows; i++) {
    builder_string(&p->out, "    ");
    names_place(&p->out, v->live->dump, place_of_frame(v->live->dump, frames[i]));
    builder_char(&p->out, '\n');
  }
}

void view_top_thread(struct page *p, const struct view_top *v, uint32_t thread) {
  const struct thread *row = threads_find(&v->live->threads, thread);
  builder_char(&p->out, '\n');
  names_thread(&p->out, &v->live->threads, thread);
  if (row == NULL || !row->life.lives) {
    builder_string(&p->out, " has ended\n");
    return;
  }
  const struct live_thread *now = &v->live->now[row - v->live->threads.rows];
  ticks_t at = v->live->at;
  builder_format(&p->out, ": %s for %s\n", activity_names[now->activity],
                 UNIT_TICKS(at > now->since ? at - now->since : 0));
  put_frames(p, v, now->stack);
}
