#include "tools/model/deadlocks.h"

#include <stdlib.h>

#include "tools/model/grow.h"

/* Who blocks, and how far the search went: a walk leaves its number on each thread it meets, so a
   walk that meets its own number has found a ring. */
struct search {
  struct hashmap blocked; /* thread -> index of its pair plus one */
  struct pair *pairs;
  size_t *walks;
  size_t num, capacity;
};

static bool collect(struct search *s, const struct pairs *pairs) {
  struct pair pair;
  for (size_t cursor = 0; pairs_next_open(pairs, &cursor, &pair);) {
    if (pair.kind != EVENT_MONITOR_CONTENDED_ENTER || pair.owner == 0) continue;
    void *grown = grow(s->pairs, s->num, &s->capacity, sizeof *s->pairs);
    if (grown == NULL) return false;
    s->pairs = grown;
    s->pairs[s->num++] = pair;
    if (!hashmap_put(&s->blocked, pair.thread, s->num)) return false;
  }
  s->walks = calloc(s->num + 1, sizeof *s->walks);
  return s->walks != NULL;
}

/* The index plus one of the pair of whoever holds what pair `at` blocks on; 0: it runs, or who it
   is is not known. */
static size_t next_of(const struct search *s, size_t at) {
  uint64_t next = 0;
  hashmap_get(&s->blocked, s->pairs[at - 1].owner, &next);
  return next;
}

/* Walks from `at` to a place on a new ring, 0 where there is none. */
static size_t walk(struct search *s, size_t at) {
  size_t number = at;
  for (; at != 0 && s->walks[at] == 0; at = next_of(s, at)) s->walks[at] = number;
  return at != 0 && s->walks[at] == number ? at : 0;
}

static bool add_ring(struct deadlocks *d, const struct search *s, size_t first) {
  size_t at = first;
  do {
    void *grown = grow(d->links, d->num, &d->capacity, sizeof *d->links);
    if (grown == NULL) return false;
    d->links = grown;
    d->links[d->num++] = (struct deadlock_link){d->num_rings, s->pairs[at - 1]};
    at = next_of(s, at);
  } while (at != first);
  d->num_rings++;
  return true;
}

static bool find_rings(struct deadlocks *d, struct search *s) {
  for (size_t at = 1; at <= s->num; at++) {
    size_t on_ring = walk(s, at);
    if (on_ring != 0 && !add_ring(d, s, on_ring)) return false;
  }
  return true;
}

bool deadlocks_find(struct deadlocks *out, const struct pairs *pairs) {
  struct search s = {0};
  bool good = collect(&s, pairs) && find_rings(out, &s);
  hashmap_free(&s.blocked);
  free(s.pairs);
  free(s.walks);
  return good;
}

void deadlocks_free(struct deadlocks *d) {
  free(d->links);
  *d = (struct deadlocks){0};
}
