#include "tools/orca/answer/lock_waits.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"

#define SHORTER_PART 10

struct lock_waits_group {
  struct pair pair; /* of its first thread, as the next two */
  uint32_t owner;
  struct found_link link;
  size_t num_older;
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
  g->num_older += link->pair.is_older;
  g->link.holder_is_first &= found.holder_is_first;
  g->waited += found.waited;
  g->link.waited_is_least |= found.waited_is_least;
  if (found.shortest < g->link.shortest) g->link.shortest = found.shortest;
  if (found.waited > g->link.waited) g->link.waited = found.waited;
  return tally_add(&w->threads, g->id, link->pair.thread, 1, 0);
}

/* Those that are stuck come first. */
static int compare_groups(const void *left, const void *right) {
  const struct lock_waits_group *a = left, *b = right;
  bool stays = a->link.holder_stays;
  if (stays != b->link.holder_stays) return stays ? -1 : 1;
  return a->waited != b->waited ? compare_numbers(b->waited, a->waited)
                                : compare_numbers(a->id, b->id);
}

/* A holder that has done one thing for nearly as long cannot have released the lock meanwhile. */
static bool is_one_call(const struct found_link *link, const struct doing *doing) {
  bool is_call = doing->does != NULL && strcmp(doing->does, "runs") != 0;
  return is_call && doing->time + doing->time / SHORTER_PART >= link->waited;
}

/* Nor can one that has ended. One that accepts connections is not stuck. */
static bool holder_stays(const struct found_link *link, const struct doing *doing) {
  bool stays = link->holder_stays || link->holder_ended > 0 || is_one_call(link, doing);
  return stays && link->holder_got == 0 && !doing->is_idle;
}

/* The reason is not the lock, but what its holder does. */
static void find_holder_doing(const struct finder *f, uint32_t holder, struct found_link *link) {
  struct doing doing = find_doing(f, holder);
  link->holder_does = doing.does;
  link->holder_call = doing.call;
  link->holder_joins = doing.joins;
  link->holder_place = doing.place;
  link->holder_time = doing.time;
  link->holder_time_is_least = doing.time_is_least;
  link->holder_stays = holder_stays(link, &doing);
}

/* Only if all acquisitions and releases have lines. */
static const struct hold *find_hold(const struct model *m, const struct lock_waits_group *g,
                                    enum lock_sort sort) {
  const struct holders *h = &m->pass.holders;
  bool is_known = g->owner != 0 && coverage_has_releases(h->coverage, sort) &&
                  holders_are_known(h, sort, g->pair.object);
  return is_known ? holders_find(h, sort, g->pair.object, g->owner) : NULL;
}

static void end_group(const struct finder *f, struct lock_waits_group *g) {
  const struct holders *holders = &f->m->pass.holders;
  enum lock_sort sort = lock_events[g->pair.kind].sort;
  const struct hold *hold = find_hold(f->m, g, sort);
  ticks_t got = hold != NULL ? hold->since : holders_acquired(holders, &g->pair);
  ticks_t to = f->m->recording.to;
  uint64_t ago = got == 0 || got > to ? 0 : found_ns(to - got);
  struct found_link *link = &g->link;
  link->since_before = g->num_older == g->num;
  link->is_behind_writer = link->holder_reads && sort == LOCK_READ_SIDE;
  if (ago < link->waited) link->holder_got = ago;
  link->holder_stays = hold != NULL && ago >= link->waited;
  if (link->holder != NULL) find_holder_doing(f, g->owner, link);
}

void lock_waits_find(struct lock_waits *w, const struct finder *f, size_t most,
                     struct found_rows *out) {
  tally_sort(&w->threads);
  for (size_t i = 0; i < w->num; i++) end_group(f, &w->groups[i]);
  if (w->num > 0) qsort(w->groups, w->num, sizeof *w->groups, compare_groups);
  for (size_t i = 0; i < w->num && i < most; i++) {
    const struct lock_waits_group *g = &w->groups[i];
    struct found_link *part = FINDINGS_PART(f->out, out, link);
    if (part == NULL) return;
    *part = g->link;
    part->thread = name_threads(f, &w->threads, g->id);
    part->num_threads = g->num;
  }
}

void lock_waits_free(struct lock_waits *w) {
  free(w->groups);
  tally_free(&w->threads);
  *w = (struct lock_waits){0};
}
