#include "tools/orca/live/window.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/sorting.h"

/* The sums of the window, by index of live.sums. */
struct part {
  live_time_t time;
  uint64_t count;
  struct short_calls sum;
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

/* --- batches of sums ---------------------------------------------------------------------------
 */

/* Lines of a batch that ends right at the end of the window may still be missing. */
static bool is_complete(const struct window *w, const struct live *l, const struct batch *batch) {
  bool is_last = l->has_ended && w->end == l->at;
  return batch->end <= w->end && (is_last || w->end - batch->end > BATCH_GAP);
}

/* The last batch before the window tells nothing of it if calls had lines in between. */
static bool is_shown(const struct window *w, const struct live *l, const struct batch *batch) {
  if (batch->begin == BATCH_NO_BEGIN) return false;
  if (batch->end > w->begin) return true;
  struct coverage_threshold t = coverage_threshold_at(dump_coverage(l->model.dump), w->end);
  return !w->has_sums && w->end - batch->end <= LIVE_SUM_SECONDS * TICKS_PER_S && t.is_on &&
         t.begin <= batch->end;
}

static void add_batch(struct window *w, const struct batch *batch, struct part *parts) {
  if (!w->has_sums) w->sums_end = batch->end;
  w->has_sums = true;
  w->sums_begin = batch->begin;
  for (size_t i = 0; i < batch->num; i++)
    short_calls_add(&parts[batch->sums[i].sum].sum, &batch->sums[i].calls);
}

static void add_batches(struct window *w, const struct live *l, struct part *parts) {
  for (size_t i = l->batches.num; i > 0; i--) {
    const struct batch *batch = &l->batches.rows[i - 1];
    if (!is_complete(w, l, batch)) continue;
    if (!is_shown(w, l, batch)) return;
    add_batch(w, batch, parts);
  }
}

/* --- rows --------------------------------------------------------------------------------------
 */

static int compare_locks(const void *left, const void *right) {
  const struct window_lock *a = left, *b = right;
  if (a->load != b->load) return a->load > b->load ? -1 : 1;
  if (a->blocked != b->blocked) return compare_numbers(b->blocked, a->blocked);
  return compare_numbers(a->lock, b->lock);
}

static int compare_sites(const void *left, const void *right) {
  const struct window_site *a = left, *b = right;
  if (a->blocked != b->blocked) return compare_numbers(b->blocked, a->blocked);
  if (a->lock != b->lock) return compare_numbers(a->lock, b->lock);
  return compare_numbers(a->stack, b->stack);
}

static int compare_sums_by_place(const void *left, const void *right) {
  const struct window_sum *a = left, *b = right;
  if (a->lock != b->lock) return compare_numbers(a->lock, b->lock);
  return compare_numbers(a->place, b->place);
}

static int compare_sums(const void *left, const void *right) {
  const struct window_sum *a = left, *b = right;
  if (a->sum.calls.total != b->sum.calls.total)
    return compare_numbers(b->sum.calls.total, a->sum.calls.total);
  return compare_sums_by_place(left, right);
}

/* `has_some`: there is a sum of the lock. */
static enum window_sums know_sums(const struct window *w, const struct live *l,
                                  const struct lock *lock, bool has_some) {
  if (!w->has_sums) return WINDOW_SUMS_UNKNOWN;
  if (coverage_had_free_before(l->model.pass.holders.coverage, lock->sort, w->sums_end))
    return has_some ? WINDOW_SUMS_LEAST : WINDOW_SUMS_UNKNOWN;
  return w->has_several[lock->sort] && !lock->is_several ? WINDOW_SUMS_LEAST : WINDOW_SUMS_EXACT;
}

/* Stacks of sums with different callers are of one place. */
static void merge_sums(struct window *w, const struct live *l) {
  size_t num = 0;
  qsort(w->sums, w->num_sums, sizeof *w->sums, compare_sums_by_place);
  for (size_t i = 0; i < w->num_sums; i++) {
    struct window_sum row = w->sums[i], *before = num == 0 ? NULL : &w->sums[num - 1];
    bool is_same_lock = before != NULL && before->lock == row.lock;
    if (is_same_lock && before->place == row.place) {
      short_calls_add(&before->sum.calls, &row.sum.calls);
    } else {
      bool is_least =
          is_same_lock && (before->place == 0 || before->sum.known == WINDOW_SUMS_LEAST);
      row.sum.known = know_sums(w, l, &l->model.locks.rows[row.lock], true);
      if (is_least && row.sum.known == WINDOW_SUMS_EXACT) row.sum.known = WINDOW_SUMS_LEAST;
      w->sums[num++] = row;
    }
  }
  w->num_sums = num;
  qsort(w->sums, w->num_sums, sizeof *w->sums, compare_sums);
}

static double divide(ticks_t part, ticks_t time) {
  return time == 0 ? 0 : (double)part / (double)time;
}

static bool is_any(const struct part *part) {
  return part->time != 0 || part->count != 0 || part->sum.num != 0;
}

static void add_lock(struct window *w, const struct lock *lock, const struct part *part) {
  if (!is_any(part) || lock_is_signal(lock)) return;
  ticks_t blocked = (ticks_t)live_clamp_time(part->time), length = w->end - w->begin,
          sums_length = w->sums_end - w->sums_begin;
  w->locks[w->num_locks++] = (struct window_lock){
      .lock = lock->id,
      .blocked = blocked,
      .waits = part->count,
      .sum = {part->sum},
      .load = divide(blocked, length) + divide(part->sum.total, sums_length),
      .frequency = divide(part->count, length) + divide(part->sum.num, sums_length)};
  if (lock->is_several && part->sum.num > 0) w->has_several[lock->sort] = true;
}

/* `of_lock` is the part of the lock, of all its sites. */
static void add_site(struct window *w, const struct live *l, const struct live_sum *sum,
                     const struct part *part, struct part *of_lock) {
  uint32_t lock = (uint32_t)(sum->number >> 32);
  stack_id_t stack = (stack_id_t)sum->number;
  of_lock->time += part->time;
  of_lock->count += part->count;
  short_calls_add(&of_lock->sum, &part->sum);
  if (part->sum.num > 0)
    w->sums[w->num_sums++] = (struct window_sum){
        .lock = lock, .place = stacks_place(&l->model.stacks, stack), .sum = {part->sum}};
  if (part->time > 0 && !live_lock_is_signal(l, lock))
    w->sites[w->num_sites++] =
        (struct window_site){lock, stack, (ticks_t)live_clamp_time(part->time)};
}

static bool add_part(struct window *w, const struct live *l, const struct live_sum *sum,
                     const struct part *part, struct part *locks) {
  switch (sum->subject) {
    case LIVE_SITE:
      add_site(w, l, sum, part, &locks[sum->number >> 32]);
      return true;
    case LIVE_STATE:
      w->in_activity[sum->number] = (ticks_t)live_clamp_time(part->time);
      return true;
    case LIVE_STACK:
      return part->time <= 0 ||
             cpu_add(&w->cpu, 0, (uint64_t)(part->time / TICKS_PER_NS), (stack_id_t)sum->number);
    case NUM_LIVE_SUBJECTS:
      break;
  }
  return true;
}

static bool add_parts(struct window *w, const struct live *l, const struct part *parts) {
  const struct locks *locks = &l->model.locks;
  struct part *of_locks = calloc(locks->num + 1, sizeof *of_locks);
  w->locks = malloc((locks->num + 1) * sizeof *w->locks);
  w->sites = malloc((l->num_sums + 1) * sizeof *w->sites);
  w->sums = malloc((l->num_sums + 1) * sizeof *w->sums);
  bool good = of_locks != NULL && w->locks != NULL && w->sites != NULL && w->sums != NULL;
  for (size_t i = 0; good && i < l->num_sums; i++)
    good = !is_any(&parts[i]) || add_part(w, l, &l->sums[i], &parts[i], of_locks);
  for (size_t i = 0; good && i < locks->num; i++) add_lock(w, &locks->rows[i], &of_locks[i]);
  free(of_locks);
  return good;
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
  add_batches(w, l, parts);
  bool good = add_parts(w, l, parts) && cpu_rank(&w->cpu, &l->model.stacks, l->model.dump) &&
              copy_titles(&w->titles, &l->model.titles);
  free(parts);
  if (!good) return false;
  qsort(w->locks, w->num_locks, sizeof *w->locks, compare_locks);
  qsort(w->sites, w->num_sites, sizeof *w->sites, compare_sites);
  merge_sums(w, l);
  for (size_t i = 0; i < w->num_locks; i++) {
    struct window_lock *row = &w->locks[i];
    row->sum.known = know_sums(w, l, &l->model.locks.rows[row->lock], row->sum.calls.num > 0);
  }
  add_blocked(w);
  return true;
}

void window_free(struct window *w) {
  free(w->locks);
  free(w->sites);
  free(w->sums);
  cpu_free(&w->cpu);
  tally_free(&w->titles.places);
  *w = (struct window){0};
}
