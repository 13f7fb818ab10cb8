#include <string.h>

#include "tools/orca/model/names.h"
#include "tools/orca/model/state/wake_event.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

static void put_object_name(struct builder *b, const struct model *m, const struct wakeup *row) {
  if (row->kind == EVENT_THREAD_JOIN) {
    names_thread(b, &m->threads, row->object);
  } else {
    names_object(b, m->dump, row->object);
  }
}

static void cell_object(struct table *t, const struct model *m, const struct wakeup *row) {
  put_object_name(table_text(t), m, row);
  table_next(t);
}

/* A number that exists only for some calls. */
static void put_known(struct table *t, uint64_t n, bool known) {
  if (known) {
    cell_count(t, n);
  } else {
    cell_unknown(t);
  }
}

/* --- objects ----------------------------------------------------------------------- */

static const struct column object_columns[] = {{"on", ALIGN_LEFT, false, NULL},
                                               {"waits", ALIGN_RIGHT, false, "waits"},
                                               {"total", ALIGN_RIGHT, false, "total_ns"},
                                               {"longest", ALIGN_RIGHT, false, "longest_ns"},
                                               {"woken", ALIGN_RIGHT, false, "woken"},
                                               {"useless", ALIGN_RIGHT, false, "useless"},
                                               {"", ALIGN_RIGHT, false, NULL},
                                               {"by itself", ALIGN_RIGHT, false, "by_itself"},
                                               {"one", ALIGN_RIGHT, false, "signals_to_one"},
                                               {"all", ALIGN_RIGHT, false, "signals_to_all"},
                                               {"unheard", ALIGN_RIGHT, false, "unheard"},
                                               {NULL, ALIGN_RIGHT, false, "crowds"},
                                               {NULL, ALIGN_RIGHT, false, "crowded"},
                                               {NULL, ALIGN_RIGHT, false, "judged"},
                                               {NULL, ALIGN_RIGHT, false, "open"},
                                               {NULL, ALIGN_RIGHT, false, "certain"},
                                               {NULL, ALIGN_LEFT, false, "call"},
                                               {NULL, ALIGN_LEFT, false, "object"}};

static void put_signals(struct table *t, const struct wakeup *row) {
  bool ordered = wake_event_has_order(row->kind);
  cell_count(t, row->woken);
  put_known(t, row->useless, ordered);
  if (ordered) {
    cell_share(t, row->useless, row->judged);
  } else {
    cell_empty(t);
  }
  cell_count(t, row->by_itself);
  put_known(t, row->ones, row->kind != EVENT_THREAD_JOIN && row->kind != EVENT_THREAD_PARK);
  put_known(t, row->alls, ordered);
  put_known(t, row->unheard, ordered);
  cell_raw(t, row->crowds);
  cell_raw(t, row->crowded);
  cell_raw(t, row->judged);
  cell_raw(t, row->open);
  cell_raw(t, row->sure);
  cell_text(t, view_call_name(row->kind));
}

static void put_open(struct table *t, const struct wakeup *row) {
  if (row->open == 0) return;
  unit_many(table_text(t), row->open, "thread", "threads");
  builder_string(table_text(t), " STILL WAITING at the end");
  table_note(t);
}

static void put_row(struct table *t, const struct model *m, const struct wakeup *row) {
  put_object_name(table_text(t), m, row);
  table_head(t);
  builder_string(table_text(t), "  ");
  cell_text(t, view_call_name(row->kind));
  cell_count(t, row->waits);
  cell_ticks(t, row->total);
  cell_ticks(t, row->longest);
  put_signals(t, row);
  cell_object(t, m, row);
  put_open(t, row);
}

void view_wakeups(struct page *p, const struct model *m, size_t top) {
  size_t shown = m->wakeups.num < top ? m->wakeups.num : top;
  struct table *t = table_new(object_columns, sizeof object_columns / sizeof *object_columns);
  for (size_t i = 0; i < shown; i++) put_row(t, m, &m->wakeups.rows[i]);
  page_table(p, "objects",
             "Objects waited on (useless: woken, but waited again at once; unheard: nobody waited)",
             t, m->wakeups.num - shown);
}

/* --- waiters ----------------------------------------------------------------------- */

static const struct column waiter_columns[] = {{"on", ALIGN_LEFT, true, "object"},
                                               {"thread", ALIGN_LEFT, true, "thread"},
                                               {"waits", ALIGN_RIGHT, false, "waits"},
                                               {"got through", ALIGN_RIGHT, false, "got_through"},
                                               {"went back", ALIGN_RIGHT, false, "went_back"},
                                               {"by itself", ALIGN_RIGHT, false, "by_itself"},
                                               {"total", ALIGN_RIGHT, false, "total_ns"},
                                               {"longest", ALIGN_RIGHT, false, "longest_ns"}};

static void put_waiter(struct table *t, const struct model *m, const struct wakeup *row,
                       const struct wakeup_waiter *waiter) {
  cell_object(t, m, row);
  names_thread(table_text(t), &m->threads, waiter->thread);
  table_next(t);
  cell_count(t, waiter->waits);
  cell_count(t, waiter->through);
  put_known(t, waiter->back, wake_event_has_order(row->kind));
  cell_count(t, waiter->by_itself);
  cell_ticks(t, waiter->total);
  cell_ticks(t, waiter->longest);
}

void view_waiters(struct page *p, const struct model *m, size_t top) {
  struct table *t = table_new(waiter_columns, sizeof waiter_columns / sizeof *waiter_columns);
  size_t num, shown = 0, all = 0;
  for (size_t i = 0; i < m->wakeups.num; i++) {
    const struct wakeup *row = &m->wakeups.rows[i];
    const struct wakeup_waiter *waiters = wakeups_waiters(&m->wakeups, row, &num);
    all += num;
    for (size_t k = 0; k < num && shown < top; k++, shown++) put_waiter(t, m, row, &waiters[k]);
  }
  page_table(p, "waiters", "Who got through how often, object by object", t, all - shown);
}

/* --- wakers ------------------------------------------------------------------------ */

static const struct column waker_columns[] = {{"woke", ALIGN_LEFT, true, "waker"},
                                              {"whom", ALIGN_LEFT, true, "woken"},
                                              {"times", ALIGN_RIGHT, false, "times"},
                                              {"call", ALIGN_LEFT, false, "call"},
                                              {"on", ALIGN_LEFT, true, "object"}};

void view_wakers(struct page *p, const struct model *m, size_t top) {
  struct table *t = table_new(waker_columns, sizeof waker_columns / sizeof *waker_columns);
  size_t num, shown = 0;
  for (size_t i = 0; i < m->wakeups.num; i++) {
    const struct wakeup *row = &m->wakeups.rows[i];
    const struct tally_row *by = tally_of(&m->wakeups.by, row->id, &num);
    for (size_t k = 0; k < num && shown < top; k++, shown++) {
      names_thread(table_text(t), &m->threads, (uint32_t)(by[k].key >> 32));
      table_next(t);
      names_thread(table_text(t), &m->threads, (uint32_t)by[k].key);
      table_next(t);
      cell_count(t, by[k].count);
      cell_text(t, view_call_name(row->kind));
      cell_object(t, m, row);
    }
  }
  page_table(p, "wakers", "Who woke whom, object by object", t, m->wakeups.by.num - shown);
}

/* --- limits ---------------------------------------------------------------- */

static void say_text(struct builder *b, const struct style *style, const char *text) {
  style_wrap(b, style, "* ", (struct span){text, strlen(text)});
}

void view_wakeup_limits(struct builder *b, const struct model *m, const struct style *style) {
  bool guessed = false;
  for (size_t i = 0; i < m->wakeups.num; i++) {
    const struct wakeup *row = &m->wakeups.rows[i];
    guessed |= wake_event_has_order(row->kind) && row->sure < row->judged;
  }
  if (m->wakeups.known && !guessed) return;
  style_heading(b, style, "What this recording cannot tell");
  if (!m->wakeups.known) {
    say_text(b, style,
             "Events may be missing (options overflow=drop, threshold), so it is not known which "
             "thread woke which.");
  } else {
    say_text(b, style,
             "There may be more useless wake-ups: a thread that took something and came back at "
             "once looks like one that found nothing. The options monitors=all,filter=… (for "
             "Object.wait) and locks=all (for conditions) make the numbers exact.");
  }
}
