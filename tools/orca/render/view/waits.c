#include "agent/event/meaning.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

static void put_call(const struct cell *c) {
  const struct stall *s = c->row;
  builder_string(c->text, names_call(s->kind));
}

static void put_event(const struct cell *c) {
  const struct stall *s = c->row;
  builder_string(c->text, event_infos[s->kind].name);
}

/* Only a park can have no object. */
void view_put_several_objects(struct builder *b, enum event_kind kind) {
  builder_string(b, SHORT_SEVERAL_NAME);
  if (kind == EVENT_THREAD_PARK) builder_string(b, ", or none");
}

static void put_object(const struct cell *c) {
  const struct stall *s = c->row;
  if (s->is_several) {
    view_put_several_objects(c->text, s->kind);
  } else {
    view_stall_object(c->text, c->context, s);
  }
}

static void put_count(const struct cell *c) {
  const struct stall *s = c->row;
  view_put_least_mark(c->text, s->count_is_least);
  cell_count(c->table, s->count);
}

static void put_total(const struct cell *c) {
  const struct stall *s = c->row;
  view_put_least_mark(c->text, s->count_is_least);
  cell_ticks(c->table, s->total);
}

/* Two least numbers have no mean. */
static void put_mean(const struct cell *c) {
  const struct stall *s = c->row;
  cell_ticks_if(c->table, !s->count_is_least, s->count == 0 ? 0 : s->total / s->count);
}

/* The calls that the row may lack were shorter than the threshold. */
static void put_longest(const struct cell *c) {
  const struct model *m = c->context;
  const struct stall *s = c->row;
  view_put_least_mark(c->text, s->count_is_least && s->longest < m->stalls.threshold);
  cell_ticks(c->table, s->longest);
}

/* Signals of short waits have no lines. */
static void put_signals(const struct cell *c) {
  const struct stall *s = c->row;
  if (wake_event_has_signals(s->kind) && s->short_calls.num == 0) {
    cell_count(c->table, s->signals);
  } else {
    cell_empty(c->table);
  }
}

static void put_main_place(const struct cell *c) {
  const struct model *m = c->context;
  const struct stall *s = c->row;
  view_put_largest(c->table, m, &m->stalls_by_class.places, s->id, view_place_name);
}

static void put_main_place_parts(const struct cell *c) {
  const struct model *m = c->context;
  const struct stall *s = c->row;
  view_put_place_object(c, m->dump, tally_best(&m->stalls_by_class.places, s->id));
}

static void put_object_parts(const struct cell *c) {
  const struct model *m = c->context;
  const struct stall *s = c->row;
  if (s->class_id == 0 && s->object == 0) return;
  view_put_lock_object(c, m->dump, NULL, s->object, s->class_id, s->num_objects);
}

static const struct column columns[] = {
    {"call", .key = "call", .put = put_call},
    {.key = "event", .put = put_event},
    {"on", .shrinks = true, .key = "object", .put = put_object},
    {"times", ALIGN_RIGHT, .key = "count", .put = put_count},
    {"total", ALIGN_RIGHT, .key = "total_ns", .put = put_total},
    {"mean", ALIGN_RIGHT, .put = put_mean},
    {"longest", ALIGN_RIGHT, .key = "longest_ns", .put = put_longest},
    {"woken", ALIGN_RIGHT, .key = "woken", .put = put_signals},
    {.key = "in_vain", COLUMN_RAW(struct stall, failed)},
    {.key = "open", COLUMN_RAW(struct stall, open)},
    {.key = "main_place", .put = put_main_place},
    {.key = "object_parts", .is_json = true, .put = put_object_parts},
    {.key = "main_place_parts", .is_json = true, .put = put_main_place_parts}};

static void put_is_least(const struct cell *c) {
  const struct stall *s = c->row;
  builder_string(c->text, s->count_is_least ? "yes" : "no");
}

/* Only for recordings with sums of short calls. */
static const struct column short_columns[] = {
    {.key = "long_count", COLUMN_RAW(struct stall, long_calls)},
    {.key = "count_is_least", .put = put_is_least}};

static void put_note(struct table *t, const struct model *m, const struct stall *s) {
  struct builder *b = table_text(t);
  builder_string(b, "at ");
  view_put_keys(b, m, &m->stalls_by_class.places, s->id, view_place_name);
  if (s->short_calls.num > 0) {
    builder_format(b, "; %s took", s->long_calls == 0 ? "none" : UNIT_COUNT(s->long_calls));
    view_put_or_longer(b, m->dump);
  }
  if (s->failed > 0) {
    builder_format(b, "; %s%s without success", s->short_calls.num > 0 ? "at least " : "",
                   UNIT_COUNT(s->failed));
  }
  if (s->open > 0) builder_format(b, "; %s not finished at the end", UNIT_COUNT(s->open));
  table_note(t);
  if (!s->count_is_least) return;
  builder_string(b, "there may be more, among those of several objects");
  table_note(t);
}

void view_waits(struct page *p, const struct model *m, size_t top) {
  const struct stalls *stalls = &m->stalls_by_class;
  const struct column_part parts[] = {COLUMN_PART(columns, true),
                                      COLUMN_PART(short_columns, m->recording.short_calls.num > 0)};
  struct column chosen[(sizeof columns + sizeof short_columns) / sizeof *columns];
  struct table *t = table_new(chosen, column_parts_join(chosen, parts, 2));
  size_t num = 0;
  for (size_t i = 0; i < stalls->num; i++) {
    const struct stall *s = &stalls->rows[i];
    if (lock_event_asks(s->kind)) continue;
    if (num++ >= top) continue;
    table_add(t, m, s);
    if (s->count > 0) put_note(t, m, s); /* otherwise there are only signals, without a waiter */
  }
  page_table(p, "waits", "Waits, sleeps, joins (woken: calls of notify, signal and similar)", t,
             num > top ? num - top : 0);
}

/* --- tasks in queues ------------------------------------------------------------------------- */

static const struct column task_columns[] = {
    {.key = "count", COLUMN_RAW(struct queued_tasks, num)},
    {.key = "total_ns", COLUMN_TICKS(struct queued_tasks, total)},
    {.key = "longest_ns", COLUMN_TICKS(struct queued_tasks, longest)},
    {.key = "long_count", COLUMN_RAW(struct queued_tasks, long_num)},
    {.key = "long_total_ns", COLUMN_TICKS(struct queued_tasks, long_total)}};

/* "Tasks were in queues of executors 1,234 times for 97.1 s in total (longest 1.20 s; 12 times for
   10ms or longer, 2.88 s)." */
static void put_task_sentence(struct builder *b, const struct model *m) {
  const struct queued_tasks *q = &m->queued_tasks;
  builder_string(b, "Tasks were in queues of executors ");
  unit_many(b, q->num, "time", "times");
  builder_format(b, " for %s in total (", UNIT_TICKS(q->total));
  builder_format(b, "longest %s; ", UNIT_TICKS(q->longest));
  view_put_long_times(b, m->dump, q->long_num, q->long_total);
  builder_string(b, ").");
}

void view_queued_tasks(struct page *p, const struct model *m) {
  if (m->queued_tasks.short_calls.num == 0) return;
  if (!page_is_text(p)) {
    struct table *t = TABLE_NEW(task_columns);
    table_add(t, m, &m->queued_tasks);
    page_table(p, "queued_tasks", "", t, 0);
    return;
  }
  struct builder s = {0};
  put_task_sentence(&s, m);
  view_put_paragraph(p, &s);
}
