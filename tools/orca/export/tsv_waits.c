/* The table of waits: a row for each pair of events, in the order in which the pairs ended. Open
   pairs are the last rows. */
#include "tools/orca/export/tsv.h"
#include "tools/orca/model/names.h"
#include "tools/orca/model/replay/replay.h"

static void put_object(struct tsv *t, const struct pair *pair) {
  const struct dump *d = t->job->dump;
  bool is_lock = lock_event_asks(pair->kind);
  if (pair->object != 0) names_object(&t->text, d, pair->object);
  tsv_put_text(t);
  uint32_t class_id = pair->object == 0 ? 0 : locks_class(d, pair->object);
  if (class_id != 0) names_class(&t->text, d, class_id);
  tsv_put_text(t);
  if (is_lock) titles_write_name(&t->text, &t->job->model->titles, d, pair->object);
  tsv_put_text(t);
}

static bool write_pair(void *arg, const struct step *step) {
  struct tsv *t = arg;
  const struct pair *pair = step->clipped_pair;
  if (step->pair == NULL || !step->pair_counts) return true;
  tsv_begin_row(t);
  tsv_put_time(t, pair->begin);
  tsv_put_ticks(t, pair->end - pair->begin);
  tsv_put_string(t, event_infos[pair->kind].name);
  if (lock_event_asks(pair->kind)) {
    tsv_put_sort(t, lock_events[pair->kind].sort);
  } else {
    tsv_put_string(t, "");
  }
  tsv_put_number(t, step->had_to_wait);
  tsv_put_number(t, pair->failed);
  tsv_put_number(t, pair->open);
  tsv_put_thread(t, pair->thread);
  tsv_put_hash(t, pair->thread);
  put_object(t, pair);
  tsv_put_thread(t, pair->owner);
  tsv_put_hash(t, pair->owner);
  tsv_put_place(t, stacks_place(&t->job->model->stacks, pair->stack));
  tsv_put_stack(t, pair->stack);
  return tsv_end_row(t);
}

bool tsv_write_waits(struct tsv *t) {
  return replay(t->job->model, PASS_EVENTS | PASS_OPEN_PAIRS, write_pair, t);
}
