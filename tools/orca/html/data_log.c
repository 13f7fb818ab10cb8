#include "tools/orca/html/data.h"
#include "tools/orca/model/names.h"

static void put_rows(struct data *d) {
  const struct excerpt *log = &d->g->log;
  ticks_t before = d->g->timeline.start / TICKS_PER_NS;
  json_key(d->j, "rows");
  json_begin_array(d->j);
  for (size_t i = 0; i < log->num; i++) {
    const struct excerpt_row *row = &log->rows[i];
    ticks_t time = row->time / TICKS_PER_NS;
    json_integer(d->j, (int64_t)(time - before));
    data_thread(d, row->thread);
    json_unsigned(d->j, row->kind);
    data_object(d, row->object);
    data_thread(d, row->owner);
    data_stack(d, row->stack);
    json_integer(d->j, row->has_took ? (int64_t)(row->took / TICKS_PER_NS) : -1);
    before = time;
  }
  json_end_array(d->j);
}

void data_log(struct data *d) {
  const struct excerpt *log = &d->g->log;
  json_key(d->j, "log");
  json_begin_object(d->j);
  put_rows(d);
  json_unsigned_member(d->j, "events", log->events);
  json_key(d->j, "whole");
  json_boolean(d->j, log->whole);
  json_key(d->j, "least");
  data_ticks(d, log->least);
  json_key(d->j, "lives");
  json_boolean(d->j, log->lives);
  json_key(d->j, "moments");
  json_boolean(d->j, log->num_moments > 0);
  json_end_object(d->j);
  json_key(d->j, "events");
  json_begin_array(d->j);
  for (int kind = 0; kind < NUM_EVENTS; kind++) {
    const struct event_info *info = &event_infos[kind];
    json_begin_array(d->j);
    json_text(d->j, info->name);
    json_text(d->j, group_infos[info->group].name);
    json_text(d->j, info->role == ROLE_BEGIN ? names_call((enum event_kind)kind) : "");
    json_end_array(d->j);
  }
  json_end_array(d->j);
}
