#include "tools/render/unit.h"
#include "tools/render/view/view.h"

static const struct column columns[] = {
    {"call", ALIGN_LEFT, false},   {"on", ALIGN_LEFT, true},     {"times", ALIGN_RIGHT, false},
    {"total", ALIGN_RIGHT, false}, {"mean", ALIGN_RIGHT, false}, {"longest", ALIGN_RIGHT, false},
    {"woken", ALIGN_RIGHT, false}};

/* What the program calls. */
static const char *call_of(enum event_kind kind) {
  switch (kind) {
    case EVENT_OBJECT_WAIT:
      return "Object.wait";
    case EVENT_THREAD_JOIN:
      return "Thread.join";
    case EVENT_THREAD_SLEEP:
      return "Thread.sleep";
    case EVENT_SEMAPHORE_ACQUIRE:
      return "Semaphore.acquire";
    default:
      return event_infos[kind].name;
  }
}

static bool is_woken(enum event_kind kind) {
  return kind == EVENT_OBJECT_WAIT || kind == EVENT_SEMAPHORE_ACQUIRE;
}

static void put_ticks(struct table *t, ticks_t ticks) {
  unit_ticks(table_text(t), ticks);
  table_next(t);
}

static void put_note(struct table *t, const struct model *m, const struct stall *s) {
  if (s->count == 0) return; /* notified, but nobody waited */
  builder_string(table_text(t), "at ");
  view_keys(table_text(t), m, &m->stalls_by_class.places, s->id, view_place_name);
  if (s->open > 0) {
    builder_string(table_text(t), "; ");
    unit_count(table_text(t), s->open);
    builder_string(table_text(t), " not over at the end");
  }
  table_note(t);
}

static void put_stall(struct table *t, const struct model *m, const struct stall *s) {
  builder_string(table_text(t), call_of(s->kind));
  table_next(t);
  view_stall_object(table_text(t), m, s);
  table_next(t);
  unit_count(table_text(t), s->count);
  table_next(t);
  put_ticks(t, s->total);
  put_ticks(t, s->count == 0 ? 0 : s->total / s->count);
  put_ticks(t, s->longest);
  if (is_woken(s->kind)) unit_count(table_text(t), s->signals);
  table_next(t);
  put_note(t, m, s);
}

void view_waits(struct builder *b, const struct model *m, const struct style *style, size_t top) {
  const struct stalls *stalls = &m->stalls_by_class;
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  size_t num = 0;
  for (size_t i = 0; i < stalls->num; i++) {
    if (stalls->rows[i].kind == EVENT_MONITOR_CONTENDED_ENTER) continue;
    if (num++ < top) put_stall(t, m, &stalls->rows[i]);
  }
  if (num == 0) {
    table_free(t);
  } else {
    view_table(b, style, "Waits, sleeps, joins (woken: times that notify or release was called)", t,
               num > top ? num - top : 0);
  }
}
