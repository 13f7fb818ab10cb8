#include "tools/orca/model/wakeups.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/state/wake_event.h"

#define MOMENT (TICKS_PER_S / 1000) /* a loop that looks and waits again takes less */

void wakeups_start(struct wakeups *w, const struct dump *d, const struct matcher *matcher) {
  w->matcher = matcher;
  wakes_start(&w->wakes, d);
  w->known = w->wakes.in_turn;
}

/* --- rows --------------------------------------------------------------------------------- */

static struct wakeup *known_row(const struct wakeups *w, enum event_kind begin, uint32_t object) {
  uint64_t at = 0;
  hashmap_get(&w->ids, wait_sets_key(begin, object), &at);
  return at == 0 ? NULL : &w->rows[at - 1];
}

/* NULL where memory runs out. */
static struct wakeup *row_of(struct wakeups *w, enum event_kind begin, uint32_t object) {
  bool is_new;
  struct wakeup *row = rows_at(&w->ids, wait_sets_key(begin, object), &w->rows, &w->num,
                               &w->capacity, sizeof *row, &is_new);
  if (is_new) *row = (struct wakeup){.id = (uint32_t)w->num - 1, .kind = begin, .object = object};
  return row;
}

static struct wakeup_waiter *waiter_of(struct wakeups *w, const struct wakeup *row,
                                       uint32_t thread) {
  bool is_new;
  struct wakeup_waiter *waiter =
      rows_at(&w->waiter_ids, (uint64_t)row->id << 32 | thread, &w->waiters, &w->num_waiters,
              &w->waiters_capacity, sizeof *waiter, &is_new);
  if (is_new) *waiter = (struct wakeup_waiter){.row = row->id, .thread = thread};
  return waiter;
}

static void count_time(struct wakeup *row, struct wakeup_waiter *waiter, ticks_t took) {
  row->waits++;
  row->total += took;
  if (took > row->longest) row->longest = took;
  waiter->waits++;
  waiter->total += took;
  if (took > waiter->longest) waiter->longest = took;
}

/* Whoever does something with the object has its lock. */
static void has_it(struct wakeup *row, uint32_t thread) {
  row->turns += row->last_thread != thread;
  row->last_thread = thread;
}

/* The part of a time that is asked for. */
static ticks_t within(const struct wakeups *w, ticks_t from, ticks_t to) {
  from = matcher_clip(w->matcher, from);
  to = matcher_clip(w->matcher, to);
  return to > from ? to - from : 0;
}

static bool count_wake(struct wakeups *w, struct wakeup *row, struct wakeup_waiter *waiter) {
  row->woken++;
  waiter->woken++;
  uint64_t waker = w->wake.by.thread;
  return tally_add(&w->by, row->id, waker << 32 | waiter->thread, 1, 0);
}

/* --- what they were woken for ------------------------------------------------------------- */

static bool goes_back(const struct wakeup *row, const struct wakeup_waiter *waiter,
                      const struct event_line *line, stack_id_t stack) {
  if (line->kind != row->kind || line->object != row->object || stack != waiter->stack) {
    return false;
  }
  return waiter->sure || (row->turns == waiter->turns && line->time - waiter->woke < MOMENT);
}

static void count_judgement(struct wakeup *row, const struct wake_judgement *judgement) {
  row->judged += judgement->judged;
  row->sure += judgement->sure;
  row->useless += judgement->useless;
}

static void judge(struct wakeups *w, struct wakeup_waiter *waiter, bool back) {
  struct wake_judgement judgement;
  if (waiter->asked) {
    waiter->back += back;
    waiter->through += !back;
  }
  wake_judge_tell(&w->judge, waiter->mark, back, waiter->sure, &judgement);
  count_judgement(&w->rows[waiter->row], &judgement);
}

/* The next thing that a woken thread does tells. */
static void look(struct wakeups *w, const struct event_line *line, stack_id_t stack) {
  uint64_t known = wake_judge_next(&w->judge, line->thread);
  if (known == 0) return;
  struct wakeup_waiter *waiter = &w->waiters[known - 1];
  judge(w, waiter, goes_back(&w->rows[waiter->row], waiter, line, stack));
}

/* --- waits in turn ----------------------------------------------------------------- */

static bool begin(struct wakeups *w, const struct event_line *line, stack_id_t stack, bool sure) {
  struct wakeup *row = row_of(w, line->kind, line->object);
  struct wakeup_waiter *waiter = row == NULL ? NULL : waiter_of(w, row, line->thread);
  if (waiter == NULL) return false;
  has_it(row, line->thread);
  waiter->stack = stack;
  waiter->sure = sure;
  return true;
}

static bool wake(struct wakeups *w, struct wakeup *row, struct wakeup_waiter *waiter, ticks_t now) {
  waiter->mark = w->wake.by.mark;
  waiter->woke = now;
  waiter->turns = row->turns;
  return wake_judge_pending(&w->judge, waiter->thread, (uint64_t)(waiter - w->waiters) + 1) &&
         (!waiter->asked || count_wake(w, row, waiter));
}

/* A signal may have come to it as it gave up. */
static void end_by_itself(struct wakeups *w, struct wakeup *row, struct wakeup_waiter *waiter) {
  struct wake_judgement judgement = {0};
  if (w->wake.by.mark != 0) wake_judge_drop(&w->judge, w->wake.by.mark, &judgement);
  count_judgement(row, &judgement);
  row->by_itself += waiter->asked;
  waiter->by_itself += waiter->asked;
}

static bool end(struct wakeups *w, const struct event_line *line, bool asked) {
  if (!w->wake.over) return true;
  struct wakeup *row = row_of(w, wake_events[line->kind].call, line->object);
  struct wakeup_waiter *waiter = row == NULL ? NULL : waiter_of(w, row, line->thread);
  if (waiter == NULL) return false;
  has_it(row, line->thread);
  waiter->asked = asked;
  if (asked) count_time(row, waiter, within(w, w->wake.since, line->time));
  if (w->wake.woken) return wake(w, row, waiter, line->time);
  end_by_itself(w, row, waiter);
  return true;
}

static bool call(struct wakeups *w, const struct event_line *line, bool asked) {
  const struct wake_event *what = &wake_events[line->kind];
  struct wakeup *row = row_of(w, what->call, line->object);
  uint64_t called = w->wake.called;
  if (row == NULL) return false;
  has_it(row, line->thread);
  if (!asked) return true;
  row->ones += what->act == WAKE_ACT_ONE;
  row->alls += what->act == WAKE_ACT_ALL;
  row->unheard += called == 0;
  row->crowds += called > 1;
  row->crowded += called > 1 ? called : 0;
  return true;
}

static bool take_in_turn(struct wakeups *w, const struct holders *holders,
                         const struct event_line *line, stack_id_t stack, bool asked) {
  enum wake_act act = wake_events[line->kind].act;
  bool calls = act == WAKE_ACT_ONE || act == WAKE_ACT_ALL;
  size_t mark = calls ? wake_judge_mark(&w->judge) : 0;
  if (calls && mark == 0) return false;
  if (!wakes_event(&w->wakes, line, mark, &w->wake)) return false;
  if (act == WAKE_ACT_WAITS) return begin(w, line, stack, holders_gives_away(holders, line));
  if (!calls) return end(w, line, asked);
  wake_judge_signal(&w->judge, w->wake.called, asked);
  return call(w, line, asked);
}

/* --- events ------------------------------------------------------------------------------- */

static bool sees_monitor(enum event_kind kind) {
  return kind == EVENT_MONITOR_CONTENDED_ENTERED || kind == EVENT_MONITOR_ENTERED ||
         kind == EVENT_MONITOR_EXIT;
}

bool wakeups_event(struct wakeups *w, const struct holders *holders, const struct event_line *line,
                   stack_id_t stack, bool asked) {
  struct wakeup *row = NULL;
  if (!w->known) return true;
  look(w, line, stack);
  if (wake_event_has_order(line->kind)) return take_in_turn(w, holders, line, stack, asked);
  if (!wakes_event(&w->wakes, line, 0, &w->wake)) return false;
  if (sees_monitor(line->kind)) {
    row = known_row(w, EVENT_OBJECT_WAIT, line->object);
    if (row != NULL) has_it(row, line->thread);
  } else if (asked && wake_event_signals(line->kind) && line->kind != EVENT_THREAD_UNPARK) {
    row = row_of(w, wake_events[line->kind].call, line->object);
    if (row == NULL) return false;
    row->ones++;
  }
  return true;
}

bool wakeups_pair(struct wakeups *w, const struct pair *pair) {
  bool waits = wake_events[pair->kind].act == WAKE_ACT_WAITS;
  if (!w->known || !waits || wake_event_has_order(pair->kind)) return true;
  struct wakeup *row = row_of(w, pair->kind, pair->object);
  struct wakeup_waiter *waiter = row == NULL ? NULL : waiter_of(w, row, pair->thread);
  if (waiter == NULL) return false;
  count_time(row, waiter, pair->end - pair->begin);
  row->open += pair->open;
  row->by_itself += pair->failed;
  waiter->by_itself += pair->failed;
  if (pair->open || pair->failed) return true;
  waiter->through++;
  return !w->wake.woken || count_wake(w, row, waiter);
}

/* --- the end ------------------------------------------------------------------------------ */

static int by_size(const void *left, const void *right) {
  const struct wakeup *a = left, *b = right;
  if (a->total != b->total) return compare_numbers(b->total, a->total);
  if (a->waits != b->waits) return compare_numbers(b->waits, a->waits);
  return compare_numbers(a->id, b->id);
}

static int by_row(const void *left, const void *right) {
  const struct wakeup_waiter *a = left, *b = right;
  if (a->row != b->row) return compare_numbers(a->row, b->row);
  if (a->through != b->through) return compare_numbers(b->through, a->through);
  return compare_numbers(a->thread, b->thread);
}

/* Those who are awake did not go back; those who wait still do. */
static void end_signals(struct wakeups *w) {
  struct hashmap_slot slot;
  for (size_t cursor = 0; hashmap_next(&w->judge.pending, &cursor, &slot);) {
    if (slot.value != 0) judge(w, &w->waiters[slot.value - 1], false);
  }
}

/* Whether a wait that is not over is asked for. */
static bool is_meant(const struct wakeups *w, const struct wait_slot *slot,
                     const struct wakeup_waiter *waiter, struct matcher *matcher,
                     const struct stacks *stacks, ticks_t now) {
  struct pair pair = {.kind = (enum event_kind)(slot->key >> 32),
                      .thread = slot->thread,
                      .object = (uint32_t)slot->key,
                      .stack = waiter->stack,
                      .begin = matcher_clip(w->matcher, slot->since),
                      .end = now};
  return matcher_pair(matcher, stacks, &pair);
}

static bool end_waits(struct wakeups *w, struct matcher *matcher, const struct stacks *stacks,
                      ticks_t now) {
  const struct wait_slot *slot;
  for (size_t cursor = 0; (slot = wait_sets_next(&w->wakes.sets, &cursor)) != NULL;) {
    enum event_kind kind = (enum event_kind)(slot->key >> 32);
    if (!wake_event_has_order(kind)) continue;
    struct wakeup *row = row_of(w, kind, (uint32_t)slot->key);
    struct wakeup_waiter *waiter = row == NULL ? NULL : waiter_of(w, row, slot->thread);
    if (waiter == NULL) return false;
    if (!is_meant(w, slot, waiter, matcher, stacks, now)) continue;
    count_time(row, waiter, within(w, slot->since, now));
    row->open++;
  }
  return true;
}

/* Rows of which nothing was asked for. */
static void drop_empty(struct wakeups *w) {
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
  end_signals(w);
  if (!end_waits(w, matcher, stacks, end)) return false;
  hashmap_free(&w->ids); /* their rows are about to move */
  hashmap_free(&w->waiter_ids);
  drop_empty(w);
  if (w->num > 0) qsort(w->rows, w->num, sizeof *w->rows, by_size);
  if (w->num_waiters > 0) qsort(w->waiters, w->num_waiters, sizeof *w->waiters, by_row);
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
