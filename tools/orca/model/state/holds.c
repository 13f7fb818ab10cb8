#include "tools/orca/model/state/holds.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

static struct hold *get_hold(const struct holds *h, uint64_t at) {
  return at == 0 ? NULL : &h->slots[at - 1];
}

static struct hold *find_newest_hold(const struct holds *h, const struct hashmap *map,
                                     uint64_t key) {
  uint64_t at = 0;
  hashmap_get(map, key, &at);
  return get_hold(h, at);
}

struct hold *holds_of_lock(const struct holds *h, uint64_t lock) {
  return find_newest_hold(h, &h->locks, lock);
}

struct hold *holds_of_thread(const struct holds *h, uint32_t thread) {
  return find_newest_hold(h, &h->threads, thread);
}

struct hold *holds_next_of_lock(const struct holds *h, const struct hold *hold) {
  return get_hold(h, hold->next_of_lock);
}

struct hold *holds_next_of_thread(const struct holds *h, const struct hold *hold) {
  return get_hold(h, hold->next_of_thread);
}

static bool is_hold_of(const struct hold *hold, uint64_t lock, unsigned sort, uint32_t thread) {
  return hold->lock == lock && hold->sort == sort && hold->thread == thread;
}

/* Either the thread has few locks or the lock has few holders. Walk both lists at the same time, so
   the search ends with the shorter one. */
struct hold *holds_find(const struct holds *h, uint64_t lock, unsigned sort, uint32_t thread) {
  struct hold *a = holds_of_thread(h, thread), *b = a == NULL ? NULL : holds_of_lock(h, lock);
  while (a != NULL && b != NULL) {
    if (is_hold_of(a, lock, sort, thread)) return a;
    if (is_hold_of(b, lock, sort, thread)) return b;
    a = holds_next_of_thread(h, a);
    b = holds_next_of_lock(h, b);
  }
  return NULL;
}

/* Returns a free slot plus one, 0 when memory ran out. */
static size_t take_hold_slot(struct holds *h) {
  size_t at = h->spare;
  if (at == 0) return rows_add(&h->slots, &h->num, &h->capacity, sizeof *h->slots);
  h->spare = h->slots[at - 1].next_of_lock;
  return at;
}

bool holds_acquire(struct holds *h, uint64_t lock, unsigned sort, uint32_t thread, ticks_t now,
                   stack_id_t stack) {
  struct hold *hold = holds_find(h, lock, sort, thread);
  if (hold != NULL) {
    hold->times++;
    return true;
  }
  uint64_t *of_lock = hashmap_at(&h->locks, lock), *of_thread = hashmap_at(&h->threads, thread);
  size_t at = of_lock == NULL || of_thread == NULL ? 0 : take_hold_slot(h);
  if (at == 0) return false;
  h->slots[at - 1] = (struct hold){.lock = lock,
                                   .thread = thread,
                                   .sort = sort,
                                   .times = 1,
                                   .since = now,
                                   .stack = stack,
                                   .next_of_lock = *of_lock,
                                   .next_of_thread = *of_thread};
  *of_lock = *of_thread = at;
  return true;
}

ticks_t holds_time(const struct hold *hold, ticks_t now) {
  bool is_held = !hold->away && now > hold->since;
  return hold->earlier_time + (is_held ? now - hold->since : 0);
}

void holds_pause(struct hold *hold, ticks_t now) {
  hold->earlier_time = holds_time(hold, now);
  hold->away = true;
}

void holds_resume(struct hold *hold, ticks_t now) {
  hold->since = now;
  hold->away = false;
}

struct hold *holds_next(const struct holds *h, size_t *cursor) {
  while (*cursor < h->num) {
    struct hold *hold = &h->slots[(*cursor)++];
    if (hold->times > 0) return hold;
  }
  return NULL;
}

static void unlink_from_lock(struct holds *h, const struct hold *hold, uint64_t at) {
  uint64_t *newest_at = hashmap_at(&h->locks, hold->lock);
  struct hold *newer = get_hold(h, *newest_at);
  if (*newest_at == at) {
    *newest_at = hold->next_of_lock;
    return;
  }
  while (newer->next_of_lock != at) newer = get_hold(h, newer->next_of_lock);
  newer->next_of_lock = hold->next_of_lock;
}

static void unlink_from_thread(struct holds *h, const struct hold *hold, uint64_t at) {
  uint64_t *newest_at = hashmap_at(&h->threads, hold->thread);
  struct hold *newer = get_hold(h, *newest_at);
  if (*newest_at == at) {
    *newest_at = hold->next_of_thread;
    return;
  }
  while (newer->next_of_thread != at) newer = get_hold(h, newer->next_of_thread);
  newer->next_of_thread = hold->next_of_thread;
}

ticks_t holds_release(struct holds *h, struct hold *hold, ticks_t now) {
  uint64_t at = (uint64_t)(hold - h->slots) + 1;
  ticks_t time = holds_time(hold, now);
  unlink_from_lock(h, hold, at);
  unlink_from_thread(h, hold, at);
  *hold = (struct hold){.next_of_lock = h->spare};
  h->spare = at;
  return time;
}

void holds_free(struct holds *h) {
  hashmap_free(&h->locks);
  hashmap_free(&h->threads);
  free(h->slots);
  *h = (struct holds){0};
}
