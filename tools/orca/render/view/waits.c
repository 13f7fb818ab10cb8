#include "tools/orca/model/state/wake_event.h"
#include "tools/orca/render/cells.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

static const struct column columns[] = {{"call", ALIGN_LEFT, false, "call"},
                                        {NULL, ALIGN_LEFT, false, "event"},
                                        {"on", ALIGN_LEFT, true, "object"},
                                        {"times", ALIGN_RIGHT, false, "count"},
                                        {"total", ALIGN_RIGHT, false, "total_ns"},
                                        {"mean", ALIGN_RIGHT, false, NULL},
                                        {"longest", ALIGN_RIGHT, false, "longest_ns"},
                                        {"woken", ALIGN_RIGHT, false, "woken"},
                                        {NULL, ALIGN_RIGHT, false, "in_vain"},
                                        {NULL, ALIGN_RIGHT, false, "open"},
                                        {NULL, ALIGN_LEFT, false, "main_place"}};

/* What the program calls, for each event that begins a pair. */
static const char *const call_names[NUM_EVENTS] = {
#define EVENT(id, name, group, shape, role, lock, wake, call) call,
#include "agent/event/event.def"
};

const char *view_call_name(enum event_kind kind) {
  return call_names[kind] != NULL ? call_names[kind] : event_infos[kind].name;
}

static void put_further_count(struct builder *b, uint64_t n, const char *what) {
  if (n == 0) return;
  builder_string(b, "; ");
  unit_count(b, n);
  builder_string(b, what);
}

static void put_note(struct table *t, const struct model *m, const struct stall *s) {
  if (s->count == 0) return; /* signals without a waiter */
  builder_string(table_text(t), "at ");
  view_keys(table_text(t), m, &m->stalls_by_class.places, s->id, view_place_name);
  put_further_count(table_text(t), s->failed, " without success");
  put_further_count(table_text(t), s->open, " not finished at the end");
  table_note(t);
}

static void put_stall(struct table *t, const struct model *m, const struct stall *s) {
  cell_text(t, view_call_name(s->kind));
  cell_text(t, event_infos[s->kind].name);
  view_stall_object(table_text(t), m, s);
  table_next(t);
  cell_count(t, s->count);
  cell_ticks(t, s->total);
  cell_ticks(t, s->count == 0 ? 0 : s->total / s->count);
  cell_ticks(t, s->longest);
  if (wake_event_has_signals(s->kind)) {
    cell_count(t, s->signals);
  } else {
    cell_empty(t);
  }
  cell_raw(t, s->failed);
  cell_raw(t, s->open);
  view_best(t, m, &m->stalls_by_class.places, s->id, view_place_name);
  put_note(t, m, s);
}

void view_waits(struct page *p, const struct model *m, size_t top) {
  const struct stalls *stalls = &m->stalls_by_class;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  size_t num = 0;
  for (size_t i = 0; i < stalls->num; i++) {
    if (lock_event_asks(stalls->rows[i].kind)) continue;
    if (num++ < top) put_stall(t, m, &stalls->rows[i]);
  }
  page_table(p, "waits", "Waits, sleeps, joins (woken: calls of notify, signal and similar)", t,
             num > top ? num - top : 0);
}
