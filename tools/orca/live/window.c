#include "tools/orca/live/window.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/sorting.h"

/* The sums of the window, by index of live.sums. */
struct part {
  live_time_t time;
  uint64_t count;
};

static void add_second(struct window *w, const struct live_second *s, struct part *parts) {
  w->events += s->events;
  w->process_ns += s->process_ns;
  w->pause_ns += s->pause_ns;
  for (size_t i = 0; i < s->num_changes; i++) {
    parts[s->changes[i].sum].time += s->changes[i].time;
    parts[s->changes[i].sum].count += s->changes[i].count;
  }
}

/* --- rows --------------------------------------------------------------------------------------
 */

static int compare_locks(const void *left, const void *right) {
  const struct window_lock *a = left, *b = right;
  if (a->blocked != b->blocked) return compare_numbers(b->blocked, a->blocked);
  return compare_numbers(a->lock, b->lock);
}

static int compare_sites(const void *left, const void *right) {
  const struct window_site *a = left, *b = right;
  if (a->blocked != b->blocked) return compare_numbers(b->blocked, a->blocked);
  if (a->lock != b->lock) return compare_numbers(a->lock, b->lock);
  return compare_numbers(a->stack, b->stack);
}

static bool add_part(struct window *w, const struct live *l, const struct live_sum *sum,
                     struct part part) {
  switch (sum->subject) {
    case LIVE_LOCK:
      if (live_lock_is_signal(l, (uint32_t)sum->number)) return true;
      w->locks[w->num_locks++] =
          (struct window_lock){.lock = (uint32_t)sum->number,
                               .blocked = (ticks_t)live_clamp_time(part.time),
                               .waits = part.count};
      return true;
    case LIVE_SITE:
      if (part.time <= 0 || live_lock_is_signal(l, (uint32_t)(sum->number >> 32))) return true;
      w->sites[w->num_sites++] =
          (struct window_site){(uint32_t)(sum->number >> 32), (stack_id_t)sum->number,
                               (ticks_t)live_clamp_time(part.time)};
      return true;
    case LIVE_STATE:
      w->in_activity[sum->number] = (ticks_t)live_clamp_time(part.time);
      return true;
    case LIVE_STACK:
      return part.time <= 0 ||
             cpu_add(&w->cpu, 0, (uint64_t)(part.time / TICKS_PER_NS), (stack_id_t)sum->number);
    case NUM_LIVE_SUBJECTS:
      break;
  }
  return true;
}

static bool add_parts(struct window *w, const struct live *l, const struct part *parts) {
  w->locks = malloc((l->num_sums + 1) * sizeof *w->locks);
  w->sites = malloc((l->num_sums + 1) * sizeof *w->sites);
  if (w->locks == NULL || w->sites == NULL) return false;
  for (size_t i = 0; i < l->num_sums; i++) {
    bool is_any = parts[i].time != 0 || parts[i].count != 0;
    if (is_any && !add_part(w, l, &l->sums[i], parts[i])) return false;
  }
  return true;
}

/* The threads that are blocked on each lock, and its owner. */
static void add_blocked(struct window *w) {
  for (size_t i = 0; i < w->last->num_blocked; i++) {
    const struct live_blocked *b = &w->last->blocked[i];
    size_t at = 0;
    while (at < w->num_locks && w->locks[at].lock != b->lock) at++;
    if (at == w->num_locks) continue;
    struct window_lock *row = &w->locks[at];
    row->threads++;
    if (row->owner != 0 || b->owner == 0) continue;
    row->owner = b->owner;
    row->owner_activity = b->owner_activity;
    row->owner_stack = b->owner_stack;
  }
}

/* Titles need sorted places, and the live recording goes on adding to them. */
static bool copy_titles(struct titles *out, const struct titles *titles) {
  const struct tally *places = &titles->places;
  out->objects = titles->objects;
  if (places->num == 0) return true;
  out->places.rows = malloc(places->num * sizeof *places->rows);
  if (out->places.rows == NULL) return false;
  memcpy(out->places.rows, places->rows, places->num * sizeof *places->rows);
  out->places.num = places->num;
  titles_end(out);
  return true;
}

bool window_read(struct window *w, const struct live *l, uint64_t last, uint64_t num) {
  *w = (struct window){.last = live_second(l, last)};
  struct part *parts = calloc(l->num_sums + 1, sizeof *parts);
  if (parts == NULL) return false;
  w->begin = w->end = w->last->end;
  for (uint64_t i = 0; i < num && i <= last && live_second(l, last - i) != NULL; i++) {
    const struct live_second *s = live_second(l, last - i);
    w->begin = s->end - s->length;
    add_second(w, s, parts);
  }
  bool good = add_parts(w, l, parts) && cpu_rank(&w->cpu, &l->stacks, l->dump) &&
              copy_titles(&w->titles, &l->titles);
  free(parts);
  if (!good) return false;
  qsort(w->locks, w->num_locks, sizeof *w->locks, compare_locks);
  qsort(w->sites, w->num_sites, sizeof *w->sites, compare_sites);
  add_blocked(w);
  return true;
}

void window_free(struct window *w) {
  free(w->locks);
  free(w->sites);
  cpu_free(&w->cpu);
  tally_free(&w->titles.places);
  *w = (struct window){0};
}
