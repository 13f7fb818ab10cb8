#include "tools/orca/causal/bounds_gain.h"

#include <stdio.h>

#include "tools/orca/causal/whatif/edit.h"

#define LEAST_ON_PATH 0.1

static void take(struct bounds_gain *gain, const struct whatif *w, const struct lock *lock,
                 const struct prediction *p) {
  *gain = (struct bounds_gain){.known = true,
                               .lock_id = lock->id,
                               .least = p->least_gain,
                               .most = p->most_gain,
                               .work = (ticks_t)(w->recorded + 0.5),
                               .time = (ticks_t)(p->time + 0.5),
                               .limit = (int)p->next.kind,
                               .next_lock = p->next.lock,
                               .place = p->next.place,
                               .shares_cpus = capacity_is_shared(&w->script.capacity)};
}

static bool predict(struct whatif *w, const struct lock *lock, struct bounds_gain *gain) {
  struct edited edited = {0};
  struct edit edit;
  struct prediction prediction;
  struct builder why = {0};
  const char *problem;
  char text[16];
  snprintf(text, sizeof text, "%08X", lock->object);
  bool good = edit_parse(&edit, EDIT_DROP, text, &problem) && edited_start(&edited, &w->script);
  enum edit_result result = good ? edited_add(&edited, &w->script, &edit, &why) : EDIT_NO_MEMORY;
  if (result == EDIT_DONE) {
    good = whatif_predict(w, &edited.changes, true, &prediction);
    if (good && prediction.refusal == REFUSAL_NONE) take(gain, w, lock, &prediction);
  }
  builder_free(&why);
  edited_free(&edited);
  edit_free(&edit);
  return good;
}

bool bounds_gain_find(struct model *m) {
  const struct bounds *b = &m->bounds;
  const struct lock *lock =
      m->locks.num == 0 ? NULL : &m->locks.rows[0]; /* bounds_find ranks them */
  uint64_t lines = m->recording.all_events + m->recording.all_samples;
  if (!b->known || lock == NULL || lines > BOUNDS_GAIN_LINES) return true;
  ticks_t on_path = bounds_lock_time(&b->locks, lock->id);
  if ((double)on_path < LEAST_ON_PATH * (double)b->work) return true;
  struct whatif w = {0};
  bool good = whatif_start(&w, m, NULL);
  if (good && w.refusal == REFUSAL_NONE) good = predict(&w, lock, &m->bounds.gain);
  whatif_free(&w);
  return good;
}
