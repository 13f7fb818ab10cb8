#include "tools/orca/causal/path/path.h"
#include "tools/orca/html/data.h"

static void put_reasons(struct data *d) {
  json_key(d->j, "reasons");
  json_begin_array(d->j);
  for (int i = 0; i < NUM_PATH_REASONS; i++) json_text(d->j, path_reason_words[i]);
  json_end_array(d->j);
}

void data_path(struct data *d) {
  const struct bounds *b = &d->g->answer.bounds;
  json_key(d->j, "path");
  if (!b->known || b->num_stretches == 0) {
    json_null(d->j);
    return;
  }
  json_begin_object(d->j);
  put_reasons(d);
  json_key(d->j, "stretches");
  json_begin_array(d->j);
  for (size_t i = 0; i < b->num_stretches; i++) {
    const struct bounds_stretch *s = &b->stretches[i];
    data_time(d, s->begin);
    data_ticks(d, s->end - s->begin);
    data_thread(d, s->thread);
    json_integer(d->j, s->reason);
    data_object(d, s->lock);
    data_stack(d, s->stack);
  }
  json_end_array(d->j);
  json_key(d->j, "work");
  data_ticks(d, b->work);
  json_end_object(d->j);
}
