#include "tools/orca/causal/bounds_gain.h"

#include <stdio.h>

#include "tools/orca/causal/whatif/edit.h"

#define LEAST_ON_PATH 0.1

static void take(struct bounds_gain *gain, const struct whatif *w, const struct prediction *p) {
  *gain = (struct bounds_gain){.known = true,
                               .least = p->least_gain,
                               .most = p->most_gain,
                               .work = (ticks_t)(w->recorded + 0.5),
                               .time = (ticks_t)(p->time + 0.5),
                               .limit = (int)p->next.kind,
                               .next_lock = p->next.lock,
                               .place = p->next.place,
                               .shares_cpus = capacity_is_shared(&w->script.capacity)};
}

/* Fills `gain` unless the edit is of several pools or the simulation refuses. */
static bool predict(struct whatif *w, enum edit_kind kind, const char *text,
                    struct bounds_gain *gain) {
  struct edited edited = {0};
  struct edit edit;
  struct prediction prediction;
  struct builder why = {0};
  const char *problem;
  bool good = edit_parse(&edit, kind, text, &problem) && edited_start(&edited, &w->script);
  enum edit_result result = good ? edited_add(&edited, &w->script, &edit, &why) : EDIT_NO_MEMORY;
  if (result == EDIT_DONE && edit.num_pools < 2) {
    good = whatif_predict(w, &edited.changes, true, &prediction);
    if (good && prediction.refusal == REFUSAL_NONE) take(gain, w, &prediction);
  }
  builder_free(&why);
  edited_free(&edited);
  edit_free(&edit);
  return good;
}

static bool predict_without(struct whatif *w, const struct lock *lock, struct bounds_gain *gain) {
  char text[16];
  snprintf(text, sizeof text, "%08X", lock->object);
  if (!predict(w, EDIT_DROP, text, gain)) return false;
  gain->lock_id = lock->id;
  return true;
}

static bool predict_larger(struct whatif *w, struct bounds_pool *pool) {
  struct builder text = {0};
  builder_format(&text, "%s=2x", pool->title);
  builder_char(&text, '\0');
  bool good = !text.failed && predict(w, EDIT_POOL, text.data, &pool->gain);
  builder_free(&text);
  return good;
}

bool bounds_gain_find(struct model *m) {
  struct bounds *b = &m->bounds;
  const struct lock *lock =
      m->locks.num == 0 ? NULL : &m->locks.rows[0]; /* bounds_find ranks them */
  uint64_t lines = m->recording.all_events + m->recording.all_samples;
  if (lines > BOUNDS_GAIN_LINES) return true;
  ticks_t on_path = !b->known || lock == NULL ? 0 : bounds_lock_time(&b->locks, lock->id);
  bool has_lock = on_path > 0 && (double)on_path >= LEAST_ON_PATH * (double)b->work;
  if (!has_lock && !b->pool.known) return true;
  struct whatif w = {0};
  bool good = whatif_start(&w, m, NULL);
  bool is_refused = w.refusal != REFUSAL_NONE;
  if (good && has_lock && !is_refused) good = predict_without(&w, lock, &b->gain);
  if (good && b->pool.known && !is_refused) good = predict_larger(&w, &b->pool);
  whatif_free(&w);
  return good;
}
