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

void cell_count_if(struct table *t, bool is_known, uint64_t n) {
  if (is_known) {
    cell_count(t, n);
  } else {
    cell_unknown(t);
  }
}

void cell_ns_if(struct table *t, bool is_known, uint64_t ns) {
  if (is_known) {
    cell_ns(t, ns);
  } else {
    cell_unknown(t);
  }
}

void cell_ticks_if(struct table *t, bool is_known, ticks_t ticks) {
  if (is_known) {
    cell_ticks(t, ticks);
  } else {
    cell_unknown(t);
  }
}

void column_count(const struct cell *c) { cell_count(c->table, *(const uint64_t *)c->member); }

void column_ns(const struct cell *c) { cell_ns(c->table, *(const uint64_t *)c->member); }

void column_ticks(const struct cell *c) { cell_ticks(c->table, *(const ticks_t *)c->member); }

void column_raw(const struct cell *c) { cell_raw(c->table, *(const uint64_t *)c->member); }

void column_hash(const struct cell *c) { cell_hash(c->table, *(const uint32_t *)c->member); }

void column_text(const struct cell *c) { cell_text(c->table, *(const char *const *)c->member); }
