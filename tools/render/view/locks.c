#include "tools/render/unit.h"
#include "tools/render/view/view.h"

static const struct column columns[] = {{"lock", ALIGN_LEFT, true},
                                        {"blocked", ALIGN_RIGHT, false},
                                        {"total", ALIGN_RIGHT, false},
                                        {"mean", ALIGN_RIGHT, false},
                                        {"longest", ALIGN_RIGHT, false}};

static void put_ticks(struct table *t, ticks_t ticks) {
  unit_ticks(table_text(t), ticks);
  table_next(t);
}

static void put_open(struct builder *b, const struct stall *s) {
  if (s->open == 0) return;
  unit_many(b, s->open, "thread", "threads");
  builder_string(b, " STILL BLOCKED at the end; ");
}

static void put_notes(struct table *t, const struct model *m, const struct stall *s) {
  builder_string(table_text(t), "at ");
  view_keys(table_text(t), m, &m->stalls.places, s->id, view_place_name);
  table_note(t);
  put_open(table_text(t), s);
  builder_string(table_text(t), "blocked: ");
  view_keys(table_text(t), m, &m->stalls.threads, s->id, view_thread_name);
  table_note(t);
  if (s->known_owners == 0) return;
  builder_string(table_text(t), "held by: ");
  view_keys(table_text(t), m, &m->stalls.owners, s->id, view_thread_name);
  table_note(t);
}

static void put_lock(struct table *t, const struct model *m, const struct stall *s) {
  view_stall_object(table_text(t), m, s);
  table_next(t);
  unit_count(table_text(t), s->count);
  table_next(t);
  put_ticks(t, s->total);
  put_ticks(t, s->total / s->count);
  put_ticks(t, s->longest);
  put_notes(t, m, s);
}

void view_locks(struct builder *b, const struct model *m, const struct style *style, size_t top) {
  struct table *t = table_new(columns, sizeof columns / sizeof *columns);
  size_t num = 0;
  for (size_t i = 0; i < m->stalls.num; i++) {
    const struct stall *s = &m->stalls.rows[i];
    if (s->kind != EVENT_MONITOR_CONTENDED_ENTER) continue;
    if (num++ < top) put_lock(t, m, s);
  }
  if (num == 0) {
    table_free(t);
  } else {
    view_table(b, style, "Monitors by the time that threads were blocked on them", t,
               num > top ? num - top : 0);
  }
}
