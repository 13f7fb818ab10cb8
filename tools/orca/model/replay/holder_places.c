#include "tools/orca/model/replay/holder_places.h"

#define WORST_LOCKS 3 /* that a report describes in sentences */

void holder_places_take(struct model *m, struct contention *c) {
  tally_free(&m->holder_places);
  m->holder_places = c->holder_places;
  c->holder_places = (struct tally){0};
  tally_free(&m->handoffs);
  m->handoffs = c->handoffs;
  c->handoffs = (struct tally){0};
}

bool holder_places_find(struct model *m) {
  /* The pass must find owners that a report names, or hand-off, and must not take long. */
  const struct locks *locks = &m->locks;
  bool is_useful = false;
  for (size_t i = 0; i < locks->num && i < WORST_LOCKS; i++) {
    bool can_have_handoff = locks->rows[i].sort != LOCK_MONITOR && locks->rows[i].waited > 0;
    is_useful |= can_have_handoff || locks_should_name_owners(&locks->rows[i]);
  }
  bool is_short = m->recording.all_events + m->recording.all_samples <= HOLDER_PLACES_LINES;
  if (!is_useful || !is_short) return true;
  struct contention c = {0};
  bool good = contention_read(&c, m, &m->locks);
  if (good) holder_places_take(m, &c);
  contention_free(&c);
  return good;
}
