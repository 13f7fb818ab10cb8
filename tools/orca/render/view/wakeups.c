#include <string.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

static void put_object_name(struct builder *b, const struct model *m, const struct wakeup *row) {
  if (event_joins(row->kind)) {
    names_thread(b, &m->threads, row->object);
  } else {
    names_object(b, m->dump, row->object);
  }
}

/* The context of a waiter or a waker. */
struct wakeup_context {
  const struct model *model;
  const struct wakeup *wakeup;
};

static void put_object(const struct cell *c) {
  const struct wakeup_context *w = c->context;
  put_object_name(c->text, w->model, w->wakeup);
}

static void put_thread(const struct cell *c, uint64_t hash) {
  const struct wakeup_context *w = c->context;
  names_thread(c->text, &w->model->threads, (uint32_t)hash);
}

/* --- objects ----------------------------------------------------------------------- */

static void put_head_call(const struct cell *c) {
  const struct wakeup *row = c->row;
  builder_format(c->text, "  %s", names_call(row->kind));
}

static void put_call(const struct cell *c) {
  const struct wakeup *row = c->row;
  builder_string(c->text, names_call(row->kind));
}

static void put_name(const struct cell *c) { put_object_name(c->text, c->context, c->row); }

/* A number that exists only for calls whose waiters and signals have an order. */
static void put_ordered(const struct cell *c) {
  const struct wakeup *row = c->row;
  cell_count_if(c->table, wake_event_has_order(row->kind), *(const uint64_t *)c->member);
}

static bool is_judged(const struct wakeup *row) {
  return wake_event_has_order(row->kind) && row->judged == row->woken;
}

static void put_useless(const struct cell *c) {
  const struct wakeup *row = c->row;
  cell_count_if(c->table, is_judged(row), row->useless);
}

static void put_useless_share(const struct cell *c) {
  const struct wakeup *row = c->row;
  if (is_judged(row)) cell_share(c->table, row->useless, row->judged);
}

static void put_signals_to_one(const struct cell *c) {
  const struct wakeup *row = c->row;
  bool is_known = !event_joins(row->kind) && row->kind != EVENT_THREAD_PARK;
  cell_count_if(c->table, is_known, row->ones);
}

/* Waits that a thread without an event ended, or the thread itself. */
static void put_external(const struct cell *c) {
  const struct wakeup *row = c->row;
  cell_raw(c->table, row->waits - row->open - row->woken - row->by_itself);
}

#define ORDERED(member) \
  .align = ALIGN_RIGHT, .put = put_ordered, COLUMN_MEMBER(struct wakeup, member, uint64_t)

static const struct column object_columns[] = {
    {"on", .put = put_head_call},
    {"waits", .key = "waits", COLUMN_COUNT(struct wakeup, waits)},
    {"total", .key = "total_ns", COLUMN_TICKS(struct wakeup, total)},
    {"longest", .key = "longest_ns", COLUMN_TICKS(struct wakeup, longest)},
    {"woken", .key = "woken", COLUMN_COUNT(struct wakeup, woken)},
    {"useless", ALIGN_RIGHT, .key = "useless", .put = put_useless},
    {"", ALIGN_RIGHT, .put = put_useless_share},
    {"by itself", .key = "by_itself", COLUMN_COUNT(struct wakeup, by_itself)},
    {"one", ALIGN_RIGHT, .key = "signals_to_one", .put = put_signals_to_one},
    {"all", .key = "signals_to_all", ORDERED(alls)},
    {"unheard", .key = "unheard", ORDERED(unheard)},
    {.key = "crowds", COLUMN_RAW(struct wakeup, crowds)},
    {.key = "crowded", COLUMN_RAW(struct wakeup, crowded)},
    {.key = "judged", COLUMN_RAW(struct wakeup, judged)},
    {.key = "open", COLUMN_RAW(struct wakeup, open)},
    {.key = "external", .put = put_external},
    {.key = "call", .put = put_call},
    {.key = "object", .put = put_name}};

void view_wakeups(struct page *p, const struct model *m, size_t top) {
  size_t shown = m->wakeups.num < top ? m->wakeups.num : top;
  struct table *t = TABLE_NEW(object_columns);
  for (size_t i = 0; i < shown; i++) {
    const struct wakeup *row = &m->wakeups.rows[i];
    put_object_name(table_text(t), m, row);
    table_head(t);
    table_add(t, m, row);
    if (row->open == 0) continue;
    unit_many(table_text(t), row->open, "thread", "threads");
    builder_string(table_text(t), " STILL WAITING at the end");
    table_note(t);
  }
  page_table(p, "objects",
             "Objects waited on (useless: woken, but waited again at once; unheard: nobody waited)",
             t, m->wakeups.num - shown);
}

/* --- waiters ----------------------------------------------------------------------- */

static void put_waiter(const struct cell *c) {
  put_thread(c, ((const struct wakeup_waiter *)c->row)->thread);
}

static void put_went_back(const struct cell *c) {
  const struct wakeup_context *w = c->context;
  const struct wakeup_waiter *waiter = c->row;
  cell_count_if(c->table, wake_event_has_order(w->wakeup->kind) && waiter->unsure == 0,
                waiter->back);
}

static void put_got_through(const struct cell *c) {
  const struct wakeup_waiter *waiter = c->row;
  cell_count_if(c->table, waiter->unsure == 0, waiter->through);
}

static const struct column waiter_columns[] = {
    {"on", .shrinks = true, .key = "object", .put = put_object},
    {"thread", .shrinks = true, .key = "thread", .put = put_waiter},
    {"waits", .key = "waits", COLUMN_COUNT(struct wakeup_waiter, waits)},
    {"got through", ALIGN_RIGHT, .key = "got_through", .put = put_got_through},
    {"went back", ALIGN_RIGHT, .key = "went_back", .put = put_went_back},
    {"by itself", .key = "by_itself", COLUMN_COUNT(struct wakeup_waiter, by_itself)},
    {"total", .key = "total_ns", COLUMN_TICKS(struct wakeup_waiter, total)},
    {"longest", .key = "longest_ns", COLUMN_TICKS(struct wakeup_waiter, longest)}};

void view_waiters(struct page *p, const struct model *m, size_t top) {
  struct table *t = TABLE_NEW(waiter_columns);
  size_t num, shown = 0, all = 0;
  for (size_t i = 0; i < m->wakeups.num; i++) {
    struct wakeup_context context = {m, &m->wakeups.rows[i]};
    const struct wakeup_waiter *waiters = wakeups_waiters(&m->wakeups, context.wakeup, &num);
    all += num;
    for (size_t k = 0; k < num && shown < top; k++, shown++) table_add(t, &context, &waiters[k]);
  }
  page_table(p, "waiters", "Who got through how often, object by object", t, all - shown);
}

/* --- wakers ------------------------------------------------------------------------ */

static void put_waker(const struct cell *c) {
  put_thread(c, ((const struct tally_row *)c->row)->key >> 32);
}

static void put_woken(const struct cell *c) {
  put_thread(c, ((const struct tally_row *)c->row)->key);
}

static void put_wait_call(const struct cell *c) {
  const struct wakeup_context *w = c->context;
  builder_string(c->text, names_call(w->wakeup->kind));
}

static const struct column waker_columns[] = {
    {"woke", .shrinks = true, .key = "waker", .put = put_waker},
    {"whom", .shrinks = true, .key = "woken", .put = put_woken},
    {"times", .key = "times", COLUMN_COUNT(struct tally_row, count)},
    {"call", .key = "call", .put = put_wait_call},
    {"on", .shrinks = true, .key = "object", .put = put_object}};

void view_wakers(struct page *p, const struct model *m, size_t top) {
  struct table *t = TABLE_NEW(waker_columns);
  size_t num, shown = 0;
  for (size_t i = 0; i < m->wakeups.num; i++) {
    struct wakeup_context context = {m, &m->wakeups.rows[i]};
    const struct tally_row *by = tally_of(&m->wakeups.by, context.wakeup->id, &num);
    for (size_t k = 0; k < num && shown < top; k++, shown++) table_add(t, &context, &by[k]);
  }
  page_table(p, "wakers", "Who woke whom, object by object", t, m->wakeups.by.num - shown);
}

/* --- limits ---------------------------------------------------------------- */

static void say_text(struct builder *b, const struct style *style, const char *text) {
  style_wrap(b, style, "* ", (struct span){text, strlen(text)});
}

void view_wakeup_limits(struct builder *b, const struct model *m, const struct style *style) {
  bool unsure = false;
  for (size_t i = 0; i < m->wakeups.num; i++) {
    const struct wakeup *row = &m->wakeups.rows[i];
    unsure |= wake_event_has_order(row->kind) && row->judged < row->woken;
  }
  if (m->wakeups.known && !unsure) return;
  style_heading(b, style, "What this recording cannot tell");
  if (!m->wakeups.known) {
    say_text(b, style,
             "Events may be missing (options overflow=drop, threshold), so it is not known which "
             "thread woke which.");
  } else {
    say_text(b, style,
             "Some wake-ups are not judged: a thread that took something and came back at once "
             "looks like one that found nothing. The options monitors=all,filter=… (for "
             "Object.wait) and locks=all (for conditions) tell which were useless.");
  }
}
