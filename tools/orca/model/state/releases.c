#include "tools/orca/model/state/releases.h"

static uint64_t make_release_key(enum lock_sort sort, uint32_t object) {
  return (uint64_t)sort << 32 | object;
}

bool releases_event(struct releases *r, const struct event_line *line) {
  const struct lock_event *what = &lock_events[line->kind];
  return what->act != LOCK_ACT_LEFT ||
         hashmap_put(&r->times, make_release_key(what->sort, line->object), line->time);
}

static bool was_released_since(const struct releases *r, enum lock_sort sort, uint32_t object,
                               ticks_t time) {
  uint64_t last = 0;
  hashmap_get(&r->times, make_release_key(sort, object), &last);
  return last > time;
}

bool releases_had_to_wait(const struct releases *r, const struct holders *holders,
                          const struct pair *pair) {
  if (!lock_event_asks(pair->kind) || pair->open || pair->failed) return true;
  enum lock_sort sort = lock_events[pair->kind].sort;
  if (sort == LOCK_MONITOR || !coverage_may_have_free(holders->coverage, sort, pair->begin))
    return true;
  if (sort != LOCK_SEMAPHORE && pair->owner != 0) return true;
  /* A reader waits for a writer; a writer waits for readers and writers. */
  if (sort != LOCK_READ_SIDE && was_released_since(r, sort, pair->object, pair->begin)) return true;
  return lock_sort_is_side(sort) &&
         was_released_since(r, sort == LOCK_READ_SIDE ? LOCK_WRITE_SIDE : LOCK_READ_SIDE,
                            pair->object, pair->begin);
}

void releases_free(struct releases *r) {
  hashmap_free(&r->times);
  *r = (struct releases){0};
}
