#include "tools/orca/model/wakeups.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/model.h"

#define MOMENT                                                                       \
  (TICKS_PER_S / 1000) /* a loop that checks its condition and waits again is faster \
                        */

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

/* A thread that waits on the object or signals it holds its lock. */
static void note_lock_thread(struct wakeup *row, uint32_t thread) {
  row->turns += row->last_thread != thread;
  row->last_thread = thread;
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

static void count_judgement(struct wakeup *row, const struct wake_judgement *judgement) {
  row->judged += judgement->judged;
  row->sure += judgement->sure;
  row->useless += judgement->useless;
}

static void judge_wakeup(struct wakeups *w, struct wakeup_waiter *waiter, bool back) {
  struct wake_judgement judgement;
  if (waiter->matches) {
    waiter->back += back;
    waiter->through += !back;
  }
  wake_judge_report(&w->judge, waiter->mark, back, waiter->is_certain, &judgement);
  count_judgement(&w->rows[waiter->row], &judgement);
}

/* The first event of a thread after its wake-up shows whether the wake-up was useless. */
static void judge_pending(struct wakeups *w, const struct event_line *line, stack_id_t stack) {
  uint64_t known = wake_judge_take_thread(&w->judge, line->thread);
  if (known == 0) return;
  struct wakeup_waiter *waiter = &w->waiters[known - 1];
  const struct wakeup *row = &w->rows[waiter->row];
  bool is_same_wait =
      line->kind == row->kind && line->object == row->object && stack == waiter->stack;
  bool is_soon = row->turns == waiter->turns && line->time - waiter->woken_at < MOMENT;
  judge_wakeup(w, waiter, is_same_wait && (waiter->is_certain || is_soon));
}

/* --- Object.wait and conditions ------------------------------------------------------------ */

static bool begin_wait(struct wakeups *w, const struct event_line *line, stack_id_t stack,
                       bool sure) {
  struct wakeup *row = find_or_add_wakeup(w, line->kind, line->object);
  struct wakeup_waiter *waiter =
      row == NULL ? NULL : find_or_add_wakeup_waiter(w, row, line->thread);
  if (waiter == NULL) return false;
  note_lock_thread(row, line->thread);
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
  note_lock_thread(row, line->thread);
  waiter->matches = matches;
  if (matches) add_wait_time(row, waiter, clip_length(w, w->wake.since, line->time));
  if (w->wake.woken) {
    waiter->mark = w->wake.by.mark;
    waiter->woken_at = line->time;
    waiter->turns = row->turns;
    return wake_judge_put_thread(&w->judge, waiter->thread, (uint64_t)(waiter - w->waiters) + 1) &&
           (!matches || count_wakeup(w, row, waiter));
  }
  /* A signal may have chosen the thread when its wait had already timed out. */
  struct wake_judgement judgement = {0};
  if (w->wake.by.mark != 0) wake_judge_exclude_thread(&w->judge, w->wake.by.mark, &judgement);
  count_judgement(row, &judgement);
  row->by_itself += matches;
  waiter->by_itself += matches;
  return true;
}

static bool count_signal(struct wakeups *w, const struct event_line *line, bool matches) {
  const struct wake_event *event = &wake_events[line->kind];
  struct wakeup *row = find_or_add_wakeup(w, event->call, line->object);
  uint64_t called = w->wake.called;
  if (row == NULL) return false;
  note_lock_thread(row, line->thread);
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
  bool is_signal = act == WAKE_ACT_ONE || act == WAKE_ACT_ALL;
  size_t mark = is_signal ? wake_judge_next_mark(&w->judge) : 0;
  if (is_signal && mark == 0) return false;
  if (!wakes_event(&w->wakes, line, mark, &w->wake)) return false;
  if (act == WAKE_ACT_WAITS)
    return begin_wait(w, line, stack, holders_releases_for_wait(holders, line));
  if (!is_signal) return end_ordered_wait(w, line, matches);
  wake_judge_add_signal(&w->judge, w->wake.called, matches);
  return count_signal(w, line, matches);
}

/* --- events ------------------------------------------------------------------------------- */

static bool is_monitor_use(enum event_kind kind) {
  return kind == EVENT_MONITOR_CONTENDED_ENTERED || kind == EVENT_MONITOR_ENTERED ||
         kind == EVENT_MONITOR_EXIT;
}

/* The JVM may notify those that wait on the object of a thread that ended. They have a reason to
   wake, so no such wake-up is useless. */
static bool take_end(struct wakeups *w, const struct event_line *line) {
  size_t mark = wake_judge_next_mark(&w->judge);
  if (mark == 0 || !wakes_event(&w->wakes, line, mark, &w->wake)) return false;
  wake_judge_add_signal(&w->judge, w->wake.called, false);
  return true;
}

bool wakeups_event(struct wakeups *w, const struct holders *holders, const struct event_line *line,
                   stack_id_t stack, bool matches) {
  if (!w->known) return true;
  judge_pending(w, line, stack);
  if (wake_event_has_order(line->kind)) return take_ordered_event(w, holders, line, stack, matches);
  if (line->kind == EVENT_THREAD_ENDED) return take_end(w, line);
  if (!wakes_event(&w->wakes, line, 0, &w->wake)) return false;
  if (is_monitor_use(line->kind)) {
    uint64_t at = 0;
    hashmap_get(&w->ids, wait_sets_key(EVENT_OBJECT_WAIT, line->object), &at);
    if (at != 0) note_lock_thread(&w->rows[at - 1], line->thread);
  } else if (matches && wake_event_signals(line->kind) &&
             wake_events[line->kind].act != WAKE_ACT_PERMIT) {
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
  for (size_t cursor = 0; hashmap_next(&w->judge.pending, &cursor, &slot);) {
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
  wake_judge_free(&w->judge);
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
