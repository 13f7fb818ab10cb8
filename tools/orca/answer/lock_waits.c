#include "tools/orca/answer/lock_waits.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"

struct lock_waits_group {
  struct pair pair; /* of its first thread, as the next two */
  uint32_t owner;
  struct found_link link;
  uint32_t id;          /* group of the tally */
  uint64_t num, waited; /* threads, and their time in nanoseconds */
};

static bool is_same(const struct finder *f, const struct lock_waits_group *g,
                    const struct wait_link *link, const struct found_link *found) {
  const struct pair *a = &g->pair, *b = &link->pair;
  const struct stacks *stacks = &f->m->stacks;
  return a->kind == b->kind && a->object == b->object && g->owner == link->owner &&
         g->link.holds_read == found->holds_read &&
         stacks_place(stacks, a->stack) == stacks_place(stacks, b->stack);
}

static struct lock_waits_group *find_or_add(struct lock_waits *w, const struct finder *f,
                                            const struct wait_link *link,
                                            const struct found_link *found) {
  for (size_t i = 0; i < w->num; i++) {
    if (is_same(f, &w->groups[i], link, found)) return &w->groups[i];
  }
  struct lock_waits_group *groups = grow(w->groups, w->num, &w->capacity, sizeof *groups);
  if (groups == NULL) return NULL;
  w->groups = groups;
  groups[w->num] = (struct lock_waits_group){
      .pair = link->pair, .owner = link->owner, .link = *found, .id = (uint32_t)w->num};
  return &groups[w->num++];
}

bool lock_waits_add(struct lock_waits *w, const struct finder *f, const struct wait_link *link) {
  struct found_link found;
  find_link(f, link, &found);
  struct lock_waits_group *g = find_or_add(w, f, link, &found);
  if (g == NULL) return false;
  g->num++;
  g->waited += found.waited;
  if (found.shortest < g->link.shortest) g->link.shortest = found.shortest;
  if (found.waited > g->link.waited) g->link.waited = found.waited;
  return tally_add(&w->threads, g->id, link->pair.thread, 1, 0);
}

static int compare_groups(const void *left, const void *right) {
  const struct lock_waits_group *a = left, *b = right;
  return a->waited != b->waited ? compare_numbers(b->waited, a->waited)
                                : compare_numbers(a->id, b->id);
}

/* The reason is not the lock, but what its holder does. */
static void find_holder_doing(const struct finder *f, uint32_t holder, struct found_link *link) {
  struct doing doing = find_doing(f, holder);
  link->holder_does = doing.does;
  link->holder_call = doing.call;
  link->holder_joins = doing.joins;
  link->holder_place = doing.place;
  link->holder_time = doing.time;
}

void lock_waits_find(struct lock_waits *w, const struct finder *f, size_t most,
                     struct found_rows *out) {
  tally_sort(&w->threads);
  if (w->num > 0) qsort(w->groups, w->num, sizeof *w->groups, compare_groups);
  for (size_t i = 0; i < w->num && i < most; i++) {
    const struct lock_waits_group *g = &w->groups[i];
    struct found_link *part = FINDINGS_PART(f->out, out, link);
    if (part == NULL) return;
    *part = g->link;
    part->thread = name_threads(f, &w->threads, g->id);
    part->num_threads = g->num;
    if (part->holder != NULL) find_holder_doing(f, g->owner, part);
  }
}

void lock_waits_free(struct lock_waits *w) {
  free(w->groups);
  tally_free(&w->threads);
  *w = (struct lock_waits){0};
}
