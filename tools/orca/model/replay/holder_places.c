#include "tools/orca/model/replay/holder_places.h"

#define WORST_LOCKS 3 /* that a report describes in sentences */

/* Adds up what each thread held others up, by lock. */
static bool add_holders(struct tally *holders, const struct contention *c) {
  bool good = true;
  for (size_t i = 0; good && i < c->num_pairs; i++) {
    size_t num;
    const struct tally_row *locks = tally_of(&c->pair_locks, c->pairs[i].id, &num);
    for (size_t k = 0; good && k < num; k++) {
      good = tally_add(holders, (uint32_t)locks[k].key, c->pairs[i].holder, 1, locks[k].total);
    }
  }
  tally_sort(holders);
  return good;
}

bool holder_places_take(struct model *m, struct contention *c) {
  tally_free(&m->lock_holders);
  tally_free(&m->holder_places);
  m->holder_places = c->holder_places;
  c->holder_places = (struct tally){0};
  tally_free(&m->handoffs);
  m->handoffs = c->handoffs;
  c->handoffs = (struct tally){0};
  return add_holders(&m->lock_holders, c);
}

bool holder_places_find(struct model *m) {
  /* The pass must find owners that a report names, or hand-off, and must not take long. The first
     of several waiters becomes an owner that is known. */
  const struct locks *locks = &m->locks;
  bool is_useful = false;
  for (size_t i = 0; i < locks->num && i < WORST_LOCKS; i++) {
    bool can_have_handoff = locks->rows[i].sort != LOCK_MONITOR && locks->rows[i].waited > 0;
    is_useful |=
        can_have_handoff || locks->rows[i].waited > 1 || locks_should_name_owners(&locks->rows[i]);
  }
  bool is_short = m->recording.all_events + m->recording.all_samples <= HOLDER_PLACES_LINES;
  if (!is_useful || !is_short) return true;
  struct contention c = {0};
  bool good = contention_read(&c, m, &m->locks);
  good = good && holder_places_take(m, &c);
  contention_free(&c);
  return good;
}
