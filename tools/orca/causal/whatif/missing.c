#include "tools/orca/causal/whatif/missing.h"

#include "tools/orca/model/base/tally.h"

static bool find_known_queues(const struct script *s, struct hashmap *known) {
  for (size_t i = 0; i < s->num_queues; i++) {
    if (s->queues[i].is_known && !hashmap_put(known, s->queues[i].object, 1)) return false;
  }
  return true;
}

/* The script knows when the waits for a known queue and for a barrier end. */
static bool is_missing(const struct trace_op *op, const struct hashmap *known) {
  uint64_t value;
  bool is_queue = op->kind == TRACE_INSERT || op->kind == TRACE_REMOVE;
  if (op->cause != TRACE_EXTERNAL || op->open || op->kind == TRACE_MEET) return false;
  return !is_queue || !hashmap_get(known, op->object, &value);
}

static bool add_waits(const struct script *s, struct tally *objects) {
  struct hashmap known = {0};
  bool good = find_known_queues(s, &known);
  for (size_t i = 0; good && i < s->trace->num_ops; i++) {
    const struct trace_op *op = &s->trace->ops[i];
    if (is_missing(op, &known)) {
      good = tally_add(objects, op->event, op->object, 1, op->end - op->begin);
    }
  }
  hashmap_free(&known);
  return good;
}

static void insert_row(struct missing_row rows[MISSING_ROWS], size_t *num,
                       const struct missing_row *row) {
  size_t at = *num;
  if (at == MISSING_ROWS && row->time <= rows[at - 1].time) return;
  if (at == MISSING_ROWS) at--;
  for (; at > 0 && rows[at - 1].time < row->time; at--) rows[at] = rows[at - 1];
  rows[at] = *row;
  if (*num < MISSING_ROWS) ++*num;
}

bool missing_find(const struct script *s, struct missing_row rows[MISSING_ROWS], size_t *out_num) {
  struct tally objects = {0};
  bool good = add_waits(s, &objects);
  *out_num = 0;
  tally_sort(&objects);
  for (uint32_t event = 0; good && event < NUM_EVENTS; event++) {
    size_t num = 0;
    const struct tally_row *of_event = tally_of(&objects, event, &num);
    struct missing_row row = {.event = (enum event_kind)event};
    for (size_t i = 0; i < num; i++) {
      row.waits += of_event[i].count;
      row.time += of_event[i].total;
    }
    if (num == 0) continue;
    row.object = (uint32_t)of_event[0].key;
    insert_row(rows, out_num, &row);
  }
  tally_free(&objects);
  return good;
}

const char *missing_option(const struct trace *t, enum event_kind event) {
  static const struct {
    enum event_group group;
    enum lock_sort sort;
  } rows[] = {{GROUP_LOCK, LOCK_LOCK},
              {GROUP_CONDITION, LOCK_LOCK},
              {GROUP_MONITOR, LOCK_MONITOR},
              {GROUP_WAIT, LOCK_MONITOR}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].group != event_infos[event].group) continue;
    bool is_recorded = coverage_has_uses(dump_coverage(t->model->dump), rows[i].sort);
    return is_recorded ? NULL : coverage_uses_option(rows[i].sort);
  }
  return NULL;
}
