#include "tools/orca/render/view/path.h"

#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

/* --- what the threads did ----------------------------------------------------------------- */

struct shown {
  const struct model *model;
  const struct trace *trace;
  ticks_t total;
};

static void put_share(const struct cell *c) {
  const struct shown *shown = c->context;
  cell_share(c->table, *(const ticks_t *)c->member, shown->total);
}

static void put_reason(const struct cell *c) {
  const struct path_row *row = c->row;
  builder_string(c->text, path_reason_words[row->reason]);
}

static void put_reason_key(const struct cell *c) {
  const struct path_row *row = c->row;
  builder_string(c->text, path_reason_keys[row->reason]);
}

static void put_place(const struct cell *c) {
  const struct shown *shown = c->context;
  const struct path_row *row = c->row;
  if (row->place != 0) names_place(c->text, shown->model->dump, row->place);
}

static void put_lock_title(struct builder *b, const struct shown *shown, uint32_t lock) {
  if (lock != 0) view_lock_title(b, shown->model, shown->trace->locks[lock - 1].object);
}

static void put_lock(const struct cell *c) {
  const struct path_row *row = c->row;
  put_lock_title(c->text, c->context, row->lock);
}

static void put_lock_object(const struct cell *c, uint32_t lock) {
  const struct shown *shown = c->context;
  if (lock == 0) return;
  const struct trace_lock *l = &shown->trace->locks[lock - 1];
  view_put_lock_object(c, shown->model->dump, lock_sorts[l->sort].key, l->object, 0, 1);
}

static void put_place_parts(const struct cell *c) {
  const struct shown *shown = c->context;
  view_put_place_object(c, shown->model->dump, ((const struct path_row *)c->row)->place);
}

static void put_lock_parts(const struct cell *c) {
  put_lock_object(c, ((const struct path_row *)c->row)->lock);
}

static const struct column path_columns[] = {
    {" share", ALIGN_RIGHT, .put = put_share, COLUMN_MEMBER(struct path_row, time, ticks_t)},
    {"time", .key = "time_ns", COLUMN_TICKS(struct path_row, time)},
    {"the thread", .shrinks = true, .put = put_reason},
    {.key = "reason", .put = put_reason_key},
    {"at", .shrinks = true, .key = "place", .put = put_place},
    {"while others wait for", .shrinks = true, .key = "lock", .put = put_lock},
    {.key = "place_parts", .is_json = true, .put = put_place_parts},
    {.key = "lock_parts", .is_json = true, .put = put_lock_parts}};

static void put_rows(struct page *p, const char *key, const char *heading,
                     const struct shown *shown, const struct path_table *table, size_t top) {
  struct table *t = TABLE_NEW(path_columns);
  size_t more = table_fill(t, shown, table->rows, sizeof *table->rows, table->num, top);
  page_table(p, key, heading, t, more);
}

/* --- by reason ---------------------------------------------------------------------------- */

/* "sleeps 49 %, runs 21 %, …": all parts of at least 1 %, the largest first. */
static void put_reasons(struct builder *b, const ticks_t times[NUM_PATH_REASONS], ticks_t total) {
  bool told[NUM_PATH_REASONS] = {false};
  size_t num = 0;
  for (;;) {
    int best = -1;
    for (int i = 0; i < NUM_PATH_REASONS; i++) {
      if (!told[i] && times[i] > 0 && (best < 0 || times[i] > times[best])) best = i;
    }
    if (best < 0 || (num > 0 && times[best] < total / 100)) return;
    told[best] = true;
    builder_format(b, "%s%s %s", num++ == 0 ? "" : "; ", UNIT_SHARE(times[best], total),
                   path_reason_words[best]);
  }
}

/* --- by lock ------------------------------------------------------------------------------ */

static void put_lock_of(const struct cell *c) {
  const struct tally_row *row = c->row;
  put_lock_title(c->text, c->context, (uint32_t)row->key);
}

static void put_parts_of(const struct cell *c) {
  put_lock_object(c, (uint32_t)((const struct tally_row *)c->row)->key);
}

static void put_lock_waited(const struct cell *c) {
  const struct shown *shown = c->context;
  const struct tally_row *row = c->row;
  cell_ticks(c->table, shown->trace->locks[row->key - 1].waited);
}

static const struct column lock_columns[] = {
    {" share", ALIGN_RIGHT, .put = put_share, COLUMN_MEMBER(struct tally_row, total, uint64_t)},
    {"on the path", .key = "path_ns", COLUMN_TICKS(struct tally_row, total)},
    {"blocked", ALIGN_RIGHT, .key = "blocked_ns", .put = put_lock_waited},
    {"lock", .shrinks = true, .key = "lock", .put = put_lock_of},
    {.key = "lock_parts", .is_json = true, .put = put_parts_of}};

static void put_locks(struct page *p, const struct shown *shown, const struct path *path,
                      size_t top) {
  struct table *t = TABLE_NEW(lock_columns);
  size_t more =
      table_fill(t, shown, path->locks.rows, sizeof *path->locks.rows, path->locks.num, top);
  page_table(p, "locks", "Locks on the path (blocked: the waits of all threads)", t, more);
}

/* --- the pages ---------------------------------------------------------------------------- */

static void put_summary(struct page *p, struct builder *text, const struct path_table *table) {
  if (!page_is_text(p)) {
    builder_free(text);
    return;
  }
  put_reasons(text, table->reasons, table->total);
  builder_char(text, '.');
  view_put_sentence(&p->out, &p->style, text);
}

void view_path(struct page *p, const struct view_path *v, size_t top) {
  const struct trace *trace = v->path->trace;
  struct shown shown = {trace->model, trace, v->path->total};
  const struct trace_thread *thread = &trace->threads[v->work.thread];
  struct builder text = {0};
  if (page_is_text(p)) style_heading(&p->out, &p->style, "Critical path");
  builder_string(&text, "What the end of ");
  names_thread(&text, &trace->model->threads, thread->hash);
  builder_format(&text,
                 " waited for, in the %s up to it: ", UNIT_TICKS(v->work.end - v->work.begin));
  put_summary(p, &text, v->table);
  put_rows(p, "path", "What the threads on the path did", &shown, v->table, top);
  put_locks(p, &shown, v->path, top);
}

static const struct {
  const char *key, *calls, *tasks;
} groups[NUM_PATH_GROUPS] = {
    [PATH_ALL_CALLS] = {"all_calls", "All calls", "All tasks"},
    [PATH_TYPICAL_CALLS] = {"typical_calls", "Typical calls", "Typical tasks"},
    [PATH_SLOWEST_CALLS] = {"slowest_calls", "The slowest calls", "The slowest tasks"}};

static void put_group(struct page *p, const struct shown *all, const struct path_group *g,
                      const char *words, const char *key, bool is_task, size_t top) {
  struct shown shown = {all->model, all->trace, g->table.total};
  struct builder text = {0};
  if (page_is_text(p)) style_heading(&p->out, &p->style, words);
  if (is_task) {
    unit_many(&text, g->calls, "task", "tasks");
  } else {
    unit_many(&text, g->calls, "call", "calls");
  }
  builder_format(&text, " of %s to %s: ", UNIT_TICKS(g->shortest), UNIT_TICKS(g->longest));
  put_summary(p, &text, &g->table);
  put_rows(p, key, "What the threads on their paths did", &shown, &g->table, top);
}

#define LEAST_IN_QUEUE 0.1 /* of the time of the slowest tasks, to be told */

/* "The slowest task spent 71 % of its time in the queue of pool-2, typical tasks 3 %." */
static void put_queue_sentence(struct page *p, const struct path_calls *calls) {
  const struct path_group *slowest = &calls->groups[PATH_SLOWEST_CALLS];
  const struct path_group *typical = &calls->groups[PATH_TYPICAL_CALLS];
  const struct trace_pool *pool = path_tasks_pool(calls, PATH_SLOWEST_CALLS);
  ticks_t queued = slowest->table.reasons[PATH_IN_QUEUE];
  struct builder text = {0};
  bool matters = calls->num > 1 && typical->table.total > 0 &&
                 (double)queued >= LEAST_IN_QUEUE * (double)slowest->table.total;
  if (!page_is_text(p) || !matters) return;
  builder_string(&text, slowest->calls == 1 ? "The slowest task" : "The slowest 1 % of the tasks");
  builder_format(&text, " spent %s of %s time in ", UNIT_SHARE(queued, slowest->table.total),
                 slowest->calls == 1 ? "its" : "their");
  if (pool != NULL) {
    builder_format(&text, "the queue of %s", pool->title);
  } else {
    builder_string(&text, "the queues of their pools");
  }
  builder_format(&text, ", typical tasks %s.",
                 UNIT_SHARE(typical->table.reasons[PATH_IN_QUEUE], typical->table.total));
  view_put_sentence(&p->out, &p->style, &text);
}

void view_path_calls(struct page *p, const struct path *path, const struct path_calls *calls,
                     bool are_tasks, size_t top) {
  struct shown shown = {path->trace->model, path->trace, path->total};
  if (are_tasks) put_queue_sentence(p, calls);
  for (int i = 0; i < NUM_PATH_GROUPS; i++) {
    put_group(p, &shown, &calls->groups[i], are_tasks ? groups[i].tasks : groups[i].calls,
              groups[i].key, are_tasks, top);
  }
  put_locks(p, &shown, path, top);
}
