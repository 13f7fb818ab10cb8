#include "tools/orca/render/cells.h"

#include "tools/orca/render/unit.h"

void cell_count(struct table *t, uint64_t n) {
  unit_count(table_text(t), n);
  table_number(t, n);
}

void cell_ns(struct table *t, uint64_t ns) {
  unit_time(table_text(t), ns);
  table_number(t, ns);
}

void cell_ticks(struct table *t, ticks_t ticks) {
  unit_ticks(table_text(t), ticks);
  table_number(t, (ticks + TICKS_PER_NS / 2) / TICKS_PER_NS);
}

void cell_share(struct table *t, uint64_t part, uint64_t whole) {
  unit_share(table_text(t), part, whole);
  table_unknown(t);
}

void cell_hash(struct table *t, uint32_t hash) {
  text_hash(table_text(t), hash);
  table_next(t);
}

void cell_text(struct table *t, const char *text) {
  builder_string(table_text(t), text);
  table_next(t);
}

void cell_raw(struct table *t, uint64_t n) { table_number(t, n); }

void cell_unknown(struct table *t) {
  builder_char(table_text(t), '-');
  table_unknown(t);
}

void cell_empty(struct table *t) { table_unknown(t); }
