#include "tools/orca/html/data.h"

static void put_states(struct data *d) {
  json_key(d->j, "states");
  json_begin_array(d->j);
  for (int state = 0; state < NUM_ACTIVITIES; state++) {
    json_begin_array(d->j);
    json_text(d->j, activity_names[state]);
    json_text(d->j, activity_meanings[state]);
    json_end_array(d->j);
  }
  json_end_array(d->j);
}

static void put_state_times(struct data *d, const struct timeline_mix *mix) {
  for (int state = 0; state < NUM_ACTIVITIES; state++) data_ticks(d, mix->times[state]);
}

static void put_timeline_row(struct data *d, const struct timeline_row *row) {
  json_begin_object(d->j);
  json_key(d->j, "thread");
  data_thread(d, row->thread);
  json_key(d->j, "sums");
  json_begin_array(d->j);
  put_state_times(d, &row->sum);
  json_end_array(d->j);
  json_key(d->j, "step");
  data_ticks(d, row->step);
  json_key(d->j, "spans");
  json_begin_array(d->j);
  /* Both ends are rounded to nanoseconds, so that adjacent spans are adjacent on the page. */
  ticks_t before = d->g->timeline.start / TICKS_PER_NS;
  for (size_t i = 0; i < row->num; i++) {
    const struct timeline_span *span = &row->spans[i];
    ticks_t begin = span->begin / TICKS_PER_NS, end = span->end / TICKS_PER_NS;
    json_unsigned(d->j, begin - before);
    json_unsigned(d->j, end - begin);
    json_unsigned(d->j, span->state);
    json_unsigned(d->j, span->detail);
    before = end;
  }
  json_end_array(d->j);
  json_end_object(d->j);
}

static void put_call(struct data *d, const struct life_call *call) {
  json_unsigned(d->j, call->kind);
  data_object(d, call->object);
  data_thread(d, call->owner);
  data_stack(d, call->stack);
}

static void put_arrow(struct data *d, const struct pair *pair) {
  data_thread(d, pair->thread);
  data_thread(d, pair->owner);
  data_time(d, pair->begin);
  data_ticks(d, pair->end - pair->begin);
  data_object(d, pair->object);
  data_stack(d, pair->stack);
}

void data_timeline(struct data *d) {
  const struct timeline *t = &d->g->timeline;
  const struct longest *arrows = &d->g->arrows;
  json_key(d->j, "timeline");
  json_begin_object(d->j);
  put_states(d);
  json_key(d->j, "rows");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num; i++) put_timeline_row(d, &t->rows[i]);
  json_end_array(d->j);
  json_key(d->j, "calls");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num_calls; i++) put_call(d, &t->calls[i]);
  json_end_array(d->j);
  json_key(d->j, "mixes");
  json_begin_array(d->j);
  for (size_t i = 0; i < t->num_mixes; i++) put_state_times(d, &t->mixes[i]);
  json_end_array(d->j);
  json_key(d->j, "arrows");
  json_begin_array(d->j);
  for (size_t i = 0; i < arrows->num; i++) put_arrow(d, &arrows->rows[i]);
  json_end_array(d->j);
  json_unsigned_member(d->j, "arrowsLeft", arrows->seen - arrows->num);
  json_unsigned_member(d->j, "left", t->left_out);
  json_end_object(d->j);
}
