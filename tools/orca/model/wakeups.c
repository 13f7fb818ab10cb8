#include "tools/orca/model/wakeups.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/model.h"

/* Only the part of a wait in the range of the
   matcher's filter counts. The matcher must outlive `w`. */
static void wakeups_start(struct wakeups *w, const struct dump *d, const struct matcher *matcher) {
  w->matcher = matcher;
  wakes_start(&w->wakes, d);
  w->known = w->wakes.in_turn;
}

/* --- rows --------------------------------------------------------------------------------- */

/* Returns NULL when memory ran out. */
static struct wakeup *find_or_add_wakeup(struct wakeups *w, enum event_kind begin,
                                         uint32_t object) {
  bool is_new;
  struct wakeup *row = rows_at(&w->ids, wait_sets_key(begin, object), &w->rows, &w->num,
                               &w->capacity, sizeof *row, &is_new);
  if (is_new) *row = (struct wakeup){.id = (uint32_t)w->num - 1, .kind = begin, .object = object};
  return row;
}

static struct wakeup_waiter *find_or_add_wakeup_waiter(struct wakeups *w, const struct wakeup *row,
                                                       uint32_t thread) {
  bool is_new;
  struct wakeup_waiter *waiter =
      rows_at(&w->waiter_ids, (uint64_t)row->id << 32 | thread, &w->waiters, &w->num_waiters,
              &w->waiters_capacity, sizeof *waiter, &is_new);
  if (is_new) *waiter = (struct wakeup_waiter){.row = row->id, .thread = thread};
  return waiter;
}

static void add_wait_time(struct wakeup *row, struct wakeup_waiter *waiter, ticks_t took) {
  row->waits++;
  row->total += took;
  if (took > row->longest) row->longest = took;
  waiter->waits++;
  waiter->total += took;
  if (took > waiter->longest) waiter->longest = took;
}

/* Returns the length of the part of a time that is in the filter's range. */
static ticks_t clip_length(const struct wakeups *w, ticks_t from, ticks_t to) {
  from = matcher_clip(w->matcher, from);
  to = matcher_clip(w->matcher, to);
  return to > from ? to - from : 0;
}

static bool count_wakeup(struct wakeups *w, struct wakeup *row, struct wakeup_waiter *waiter) {
  row->woken++;
  waiter->woken++;
  uint64_t waker = w->wake.by.thread;
  return tally_add(&w->by, row->id, waker << 32 | waiter->thread, 1, 0);
}

/* --- useless wake-ups --------------------------------------------------------------------- */

static void judge_wakeup(struct wakeups *w, struct wakeup_waiter *waiter, bool again) {
  struct wakeup *row = &w->rows[waiter->row];
  row->judged += !again || waiter->is_certain;
  row->useless += again && waiter->is_certain;
  waiter->back += again && waiter->is_certain;
  waiter->unsure += again && !waiter->is_certain;
  waiter->through += !again;
}

/* The first event of a thread after its wake-up shows whether the wake-up was useless. */
static void judge_pending(struct wakeups *w, const struct event_line *line, stack_id_t stack) {
  uint64_t known = 0;
  if (!hashmap_get(&w->judges, line->thread, &known) || known == 0) return;
  struct wakeup_waiter *waiter = &w->waiters[known - 1];
  const struct wakeup *row = &w->rows[waiter->row];
  hashmap_put(&w->judges, line->thread, 0); /* the key exists, so this needs no memory */
  judge_wakeup(w, waiter,
               !waiter->has_reason && line->kind == row->kind && line->object == row->object &&
                   stack == waiter->stack);
}

/* --- Object.wait and conditions ------------------------------------------------------------ */

static bool begin_wait(struct wakeups *w, const struct event_line *line, stack_id_t stack,
                       bool sure) {
  struct wakeup *row = find_or_add_wakeup(w, line->kind, line->object);
  struct wakeup_waiter *waiter =
      row == NULL ? NULL : find_or_add_wakeup_waiter(w, row, line->thread);
  if (waiter == NULL) return false;
  waiter->stack = stack;
  waiter->is_certain = sure;
  return true;
}

static bool end_ordered_wait(struct wakeups *w, const struct event_line *line, bool matches) {
  if (!w->wake.over) return true;
  struct wakeup *row = find_or_add_wakeup(w, wake_events[line->kind].call, line->object);
  struct wakeup_waiter *waiter =
      row == NULL ? NULL : find_or_add_wakeup_waiter(w, row, line->thread);
  if (waiter == NULL) return false;
  if (!matches) return true;
  add_wait_time(row, waiter, clip_length(w, w->wake.since, line->time));
  if (w->wake.woken) {
    waiter->has_reason = w->wake.by.kind == EVENT_THREAD_ENDED;
    return hashmap_put(&w->judges, line->thread, (uint64_t)(waiter - w->waiters) + 1) &&
           count_wakeup(w, row, waiter);
  }
  row->by_itself++;
  waiter->by_itself++;
  return true;
}

static bool count_signal(struct wakeups *w, const struct event_line *line, bool matches) {
  const struct wake_event *event = &wake_events[line->kind];
  struct wakeup *row = find_or_add_wakeup(w, event->call, line->object);
  uint64_t called = w->wake.called;
  if (row == NULL) return false;
  if (!matches) return true;
  row->ones += event->act == WAKE_ACT_ONE;
  row->alls += event->act == WAKE_ACT_ALL;
  row->unheard += called == 0;
  row->crowds += called > 1;
  row->crowded += called > 1 ? called : 0;
  return true;
}

static bool take_ordered_event(struct wakeups *w, const struct holders *holders,
                               const struct event_line *line, stack_id_t stack, bool matches) {
  enum wake_act act = wake_events[line->kind].act;
  if (!wakes_event(&w->wakes, line, 0, &w->wake)) return false;
  if (act == WAKE_ACT_WAITS)
    return begin_wait(w, line, stack, holders_releases_for_wait(holders, line));
  if (act == WAKE_ACT_ONE || act == WAKE_ACT_ALL) return count_signal(w, line, matches);
  return end_ordered_wait(w, line, matches);
}

/* --- events ------------------------------------------------------------------------------- */

bool wakeups_event(struct wakeups *w, const struct holders *holders, const struct event_line *line,
                   stack_id_t stack, bool matches) {
  if (!w->known) return true;
  judge_pending(w, line, stack);
  if (wake_event_has_order(line->kind)) return take_ordered_event(w, holders, line, stack, matches);
  if (!wakes_event(&w->wakes, line, 0, &w->wake)) return false;
  if (matches && wake_event_signals(line->kind) && wake_events[line->kind].act != WAKE_ACT_PERMIT) {
    struct wakeup *row = find_or_add_wakeup(w, wake_events[line->kind].call, line->object);
    if (row == NULL) return false;
    row->ones++;
  }
  return true;
}

/* A try often does not wait at all. */
static bool is_counted_pair(enum event_kind kind) {
  return wake_event_waits(kind) && !wake_event_has_order(kind) &&
         lock_events[kind].act != LOCK_ACT_TRIES;
}

bool wakeups_pair(struct wakeups *w, const struct pair *pair) {
  if (!w->known || !is_counted_pair(pair->kind)) return true;
  /* Most futures are waited for once, so all of them are one row. */
  uint32_t object = event_infos[pair->kind].group == GROUP_FUTURE ? 0 : pair->object;
  bool is_woken = !pair->open && w->wake.woken;
  bool by_itself = pair->failed && !is_woken;
  struct wakeup *row = find_or_add_wakeup(w, pair->kind, object);
  struct wakeup_waiter *waiter =
      row == NULL ? NULL : find_or_add_wakeup_waiter(w, row, pair->thread);
  if (waiter == NULL) return false;
  add_wait_time(row, waiter, pair->end - pair->begin);
  row->open += pair->open;
  row->by_itself += by_itself;
  waiter->by_itself += by_itself;
  if (pair->open || by_itself) return true;
  waiter->through++;
  return !is_woken || count_wakeup(w, row, waiter);
}

/* --- the end ------------------------------------------------------------------------------ */

static int compare_wakeups(const void *left, const void *right) {
  const struct wakeup *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->waits != b->waits) return compare_numbers(b->waits, a->waits);
  return compare_numbers(a->id, b->id);
}

static int compare_wakeup_waiters(const void *left, const void *right) {
  const struct wakeup_waiter *a = left, *b = right;
  if (a->row != b->row) return compare_numbers(a->row, b->row);
  if (a->through != b->through) return compare_numbers(b->through, a->through);
  return compare_numbers(a->thread, b->thread);
}

static bool count_open_waits(struct wakeups *w, struct matcher *matcher,
                             const struct stacks *stacks, ticks_t now) {
  const struct wait_slot *slot;
  for (size_t cursor = 0; (slot = wait_sets_next(&w->wakes.sets, &cursor)) != NULL;) {
    enum event_kind kind = (enum event_kind)(slot->key >> 32);
    if (!wake_event_has_order(kind)) continue;
    struct wakeup *row = find_or_add_wakeup(w, kind, (uint32_t)slot->key);
    struct wakeup_waiter *waiter =
        row == NULL ? NULL : find_or_add_wakeup_waiter(w, row, slot->thread);
    if (waiter == NULL) return false;
    struct pair pair = {.kind = kind,
                        .thread = slot->thread,
                        .object = (uint32_t)slot->key,
                        .stack = waiter->stack,
                        .begin = matcher_clip(w->matcher, slot->since),
                        .end = now};
    if (!matcher_pair(matcher, stacks, &pair)) continue;
    add_wait_time(row, waiter, clip_length(w, slot->since, now));
    row->open++;
  }
  return true;
}

/* Drops the rows and the waiters for which nothing matched the filter. */
static void drop_empty_wakeups(struct wakeups *w) {
  size_t kept = 0;
  for (size_t i = 0; i < w->num; i++) {
    const struct wakeup *row = &w->rows[i];
    if (row->waits > 0 || row->ones > 0 || row->alls > 0) w->rows[kept++] = *row;
  }
  w->num = kept;
  kept = 0;
  for (size_t i = 0; i < w->num_waiters; i++) {
    if (w->waiters[i].waits > 0) w->waiters[kept++] = w->waiters[i];
  }
  w->num_waiters = kept;
}

bool wakeups_end(struct wakeups *w, struct matcher *matcher, const struct stacks *stacks,
                 ticks_t end) {
  /* The threads that are awake count as not having gone back. */
  struct hashmap_slot slot;
  for (size_t cursor = 0; hashmap_next(&w->judges, &cursor, &slot);) {
    if (slot.value != 0) judge_wakeup(w, &w->waiters[slot.value - 1], false);
  }
  if (!count_open_waits(w, matcher, stacks, end)) return false;
  hashmap_free(&w->ids); /* their rows are about to move */
  hashmap_free(&w->waiter_ids);
  drop_empty_wakeups(w);
  if (w->num > 0) qsort(w->rows, w->num, sizeof *w->rows, compare_wakeups);
  if (w->num_waiters > 0)
    qsort(w->waiters, w->num_waiters, sizeof *w->waiters, compare_wakeup_waiters);
  tally_sort(&w->by);
  return true;
}

const struct wakeup_waiter *wakeups_waiters(const struct wakeups *w, const struct wakeup *row,
                                            size_t *out_num) {
  return rows_of(w->waiters, w->num_waiters, sizeof *w->waiters, row->id, out_num);
}

void wakeups_free(struct wakeups *w) {
  hashmap_free(&w->ids);
  hashmap_free(&w->waiter_ids);
  free(w->rows);
  free(w->waiters);
  tally_free(&w->by);
  wakes_free(&w->wakes);
  hashmap_free(&w->judges);
  *w = (struct wakeups){0};
}

/* --- the analysis ------------------------------------------------------------------------ */

static void start_wakeups(struct model *m) { wakeups_start(&m->wakeups, m->dump, &m->matcher); }

static bool take_wakeup_event(void *arg, const struct step *step) {
  struct model *m = arg;
  return wakeups_event(&m->wakeups, &m->pass.holders, step->event, step->stack, step_counts(step));
}

static bool take_wakeup_pair(void *arg, const struct step *step) {
  struct model *m = arg;
  return !step_ends_wait(step) || wakeups_pair(&m->wakeups, step->clipped_pair);
}

static bool end_wakeups(struct model *m) {
  return wakeups_end(&m->wakeups, &m->matcher, &m->stacks, m->recording.to);
}

const struct analysis analysis_wakeups = {
    .listener = {"wakeups", PASS_PAIRS, .before = take_wakeup_event, .take = take_wakeup_pair},
    .start = start_wakeups,
    .end = end_wakeups};
