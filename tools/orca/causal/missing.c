#include "tools/orca/causal/missing.h"

#include "tools/orca/model/base/tally.h"

static bool add_waits(const struct trace *t, struct tally *objects) {
  for (size_t i = 0; i < t->num_ops; i++) {
    const struct trace_op *op = &t->ops[i];
    if (op->cause != TRACE_EXTERNAL || op->open) continue;
    if (!tally_add(objects, op->event, op->object, 1, op->end - op->begin)) return false;
  }
  return true;
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

bool missing_find(const struct trace *t, struct missing_row rows[MISSING_ROWS], size_t *out_num) {
  struct tally objects = {0};
  bool good = add_waits(t, &objects);
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
    const char *key, *option;
  } rows[] = {{GROUP_LOCK, "locks", "locks=all"},
              {GROUP_CONDITION, "locks", "locks=all"},
              {GROUP_MONITOR, "monitors", "monitors=all"},
              {GROUP_WAIT, "monitors", "monitors=all"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct span value;
    if (rows[i].group != event_infos[event].group) continue;
    bool is_recorded = dump_option(t->model->dump, rows[i].key, &value) && span_is(value, "all");
    return is_recorded ? NULL : rows[i].option;
  }
  return NULL;
}
