#include "tools/model/wakeups.h"

#include <stdlib.h>

#include "tools/model/grow.h"
#include "tools/model/stalls.h"

#define MOMENT (TICKS_PER_S / 1000) /* a loop that looks and waits again takes less */

/* A signal whose wake-ups are not all judged. */
struct wakeup_signal {
  uint32_t waker;
  uint64_t woken, left, back, sure; /* left: not judged so far */
  bool asked;
  size_t next; /* of a spare slot, plus one */
};

void wakeups_start(struct wakeups *w, const struct dump *d) {
  struct span value;
  w->known = !dump_is_lossy(d) && !dump_threshold(d, &value);
}

/* --- rows --------------------------------------------------------------------------------- */

static struct wakeup *known_row(const struct wakeups *w, enum event_kind begin, uint32_t object) {
  uint64_t at = 0;
  hashmap_get(&w->ids, wait_sets_key(begin, object), &at);
  return at == 0 ? NULL : &w->rows[at - 1];
}

/* NULL where memory runs out. */
static struct wakeup *row_of(struct wakeups *w, enum event_kind begin, uint32_t object) {
  uint64_t *at = hashmap_at(&w->ids, wait_sets_key(begin, object));
  if (at == NULL || *at != 0) return at == NULL ? NULL : &w->rows[*at - 1];
  void *grown = grow(w->rows, w->num, &w->capacity, sizeof *w->rows);
  if (grown == NULL) return NULL;
  w->rows = grown;
  w->rows[w->num] = (struct wakeup){.id = (uint32_t)w->num, .kind = begin, .object = object};
  *at = ++w->num;
  return &w->rows[w->num - 1];
}

static struct wakeup_waiter *waiter_of(struct wakeups *w, const struct wakeup *row,
                                       uint32_t thread) {
  uint64_t *at = hashmap_at(&w->waiter_ids, (uint64_t)row->id << 32 | thread);
  if (at == NULL || *at != 0) return at == NULL ? NULL : &w->waiters[*at - 1];
  void *grown = grow(w->waiters, w->num_waiters, &w->waiters_capacity, sizeof *w->waiters);
  if (grown == NULL) return NULL;
  w->waiters = grown;
  w->waiters[w->num_waiters] = (struct wakeup_waiter){.row = row->id, .thread = thread};
  *at = ++w->num_waiters;
  return &w->waiters[w->num_waiters - 1];
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

/* --- signals ------------------------------------------------------------------------------ */

/* A slot without a signal, plus one; 0 where memory runs out. */
static size_t take_slot(struct wakeups *w) {
  size_t at = w->spare;
  if (at != 0) {
    w->spare = w->signals[at - 1].next;
    return at;
  }
  void *grown = grow(w->signals, w->num_signals, &w->signals_capacity, sizeof *w->signals);
  if (grown == NULL) return 0;
  w->signals = grown;
  return ++w->num_signals;
}

static void give_back(struct wakeups *w, size_t at) {
  w->signals[at - 1].next = w->spare;
  w->spare = at;
}

static void count_signal(struct wakeup *row, bool all, uint64_t woken) {
  row->ones += !all;
  row->alls += all;
  row->unheard += woken == 0;
  row->crowds += woken > 1;
  row->crowded += woken > 1 ? woken : 0;
}

static bool call(struct wakeups *w, struct wakeup *row, const struct event_line *line, bool all,
                 bool asked) {
  size_t at = take_slot(w);
  if (at == 0) return false;
  uint64_t woken = wait_sets_signal(&w->sets, wait_sets_key(row->kind, row->object), all, at);
  w->signals[at - 1] = (struct wakeup_signal){line->thread, woken, woken, 0, 0, asked, 0};
  if (woken == 0) give_back(w, at);
  if (asked) count_signal(row, all, woken);
  has_it(row, line->thread);
  return true;
}

/* All whom it woke are judged. */
static void close_signal(struct wakeups *w, struct wakeup *row, size_t at) {
  const struct wakeup_signal *signal = &w->signals[at - 1];
  bool one_had_cause = signal->back == signal->woken && signal->sure < signal->woken;
  if (signal->asked) {
    row->judged += signal->woken;
    row->sure += signal->sure;
    row->useless += signal->back - one_had_cause;
  }
  give_back(w, at);
}

/* --- what they were woken for ------------------------------------------------------------- */

static bool goes_back(const struct wakeup *row, const struct wakeup_waiter *waiter,
                      const struct event_line *line, stack_id_t stack) {
  if (line->kind != row->kind || line->object != row->object || stack != waiter->stack) {
    return false;
  }
  return waiter->sure || (row->turns == waiter->turns && line->time - waiter->woke < MOMENT);
}

static void judge(struct wakeups *w, struct wakeup_waiter *waiter, bool back) {
  struct wakeup_signal *signal = &w->signals[waiter->signal - 1];
  if (waiter->asked) {
    waiter->back += back;
    waiter->through += !back;
  }
  signal->back += back;
  signal->sure += waiter->sure;
  if (--signal->left == 0) close_signal(w, &w->rows[waiter->row], waiter->signal);
}

/* The next thing that a woken thread does tells. */
static void look(struct wakeups *w, const struct event_line *line, stack_id_t stack) {
  uint64_t *at, known = 0;
  if (w->num_pending == 0 || !hashmap_get(&w->pending, line->thread, &known) || known == 0) return;
  struct wakeup_waiter *waiter = &w->waiters[known - 1];
  if ((at = hashmap_at(&w->pending, line->thread)) == NULL) return;
  *at = 0;
  w->num_pending--;
  judge(w, waiter, goes_back(&w->rows[waiter->row], waiter, line, stack));
}

/* --- waits ------------------------------------------------------------------------- */

static bool begin(struct wakeups *w, const struct event_line *line, stack_id_t stack, bool sure) {
  struct wakeup *row = row_of(w, line->kind, line->object);
  struct wakeup_waiter *waiter = row == NULL ? NULL : waiter_of(w, row, line->thread);
  if (waiter == NULL) return false;
  has_it(row, line->thread);
  waiter->stack = stack;
  waiter->sure = sure;
  return wait_sets_begin(&w->sets, wait_sets_key(line->kind, line->object), line->thread,
                         line->time);
}

static bool wake(struct wakeups *w, struct wakeup *row, struct wakeup_waiter *waiter,
                 const struct wait_slot *slot, const struct event_line *line) {
  uint64_t *at = hashmap_at(&w->pending, line->thread);
  if (at == NULL) return false;
  w->num_pending += *at == 0;
  *at = (uint64_t)(waiter - w->waiters) + 1;
  waiter->signal = slot->signal;
  waiter->woke = line->time;
  waiter->turns = row->turns;
  if (!waiter->asked) return true;
  row->woken++;
  waiter->woken++;
  uint32_t waker = w->signals[slot->signal - 1].waker;
  return tally_add(&w->by, row->id, (uint64_t)waker << 32 | line->thread, 1, 0);
}

static bool end(struct wakeups *w, const struct event_line *line, bool asked) {
  enum event_kind kind = event_begin(line->kind);
  struct wait_slot slot;
  uint64_t key = wait_sets_key(kind, line->object);
  if (!wait_sets_end(&w->sets, key, line->thread, &slot)) return true;
  struct wakeup *row = row_of(w, kind, line->object);
  struct wakeup_waiter *waiter = row == NULL ? NULL : waiter_of(w, row, line->thread);
  if (waiter == NULL) return false;
  has_it(row, line->thread);
  waiter->asked = asked;
  if (asked) count_time(row, waiter, line->time > slot.since ? line->time - slot.since : 0);
  if (slot.signal != 0) return wake(w, row, waiter, &slot, line);
  row->by_itself += asked;
  waiter->by_itself += asked;
  return true;
}

/* --- events ------------------------------------------------------------------------------- */

static void see_monitor(const struct wakeups *w, const struct event_line *line) {
  struct wakeup *row = known_row(w, EVENT_OBJECT_WAIT, line->object);
  if (row != NULL) has_it(row, line->thread);
}

/* What a release and its like are about; those who wait are told by their pairs. */
static bool signal_others(struct wakeups *w, const struct event_line *line, bool asked) {
  enum event_kind begin;
  if (!wakes_event(&w->wakes, line)) return false;
  if (!asked || line->kind == EVENT_THREAD_UNPARK || !stalls_wakes(line->kind, &begin)) return true;
  struct wakeup *row = row_of(w, begin, line->object);
  if (row != NULL) row->ones++;
  return row != NULL;
}

static bool take_notify(struct wakeups *w, const struct event_line *line, bool asked) {
  enum event_kind begin;
  bool all = line->kind == EVENT_OBJECT_NOTIFY_ALL || line->kind == EVENT_CONDITION_SIGNAL_ALL;
  struct wakeup *row = NULL;
  if (stalls_wakes(line->kind, &begin)) row = row_of(w, begin, line->object);
  return row != NULL && call(w, row, line, all, asked);
}

bool wakeups_event(struct wakeups *w, const struct holders *holders, const struct event_line *line,
                   stack_id_t stack, bool asked) {
  if (!w->known) return true;
  look(w, line, stack);
  switch (line->kind) {
    case EVENT_OBJECT_WAIT:
    case EVENT_CONDITION_AWAIT:
      return begin(w, line, stack, holders_gives_away(holders, line));
    case EVENT_OBJECT_WAITED:
    case EVENT_CONDITION_AWAITED:
    case EVENT_CONDITION_AWAIT_FAILED:
      return end(w, line, asked);
    case EVENT_OBJECT_NOTIFY:
    case EVENT_OBJECT_NOTIFY_ALL:
    case EVENT_CONDITION_SIGNAL:
    case EVENT_CONDITION_SIGNAL_ALL:
      return take_notify(w, line, asked);
    case EVENT_MONITOR_CONTENDED_ENTERED:
    case EVENT_MONITOR_ENTERED:
    case EVENT_MONITOR_EXIT:
      see_monitor(w, line);
      return true;
    default:
      return signal_others(w, line, asked);
  }
}

bool wakeups_pair(struct wakeups *w, const struct pair *pair) {
  struct wake_signal signal;
  if (!w->known || wakeups_has_order(pair->kind)) return true;
  if (!stalls_is_woken(pair->kind) && pair->kind != EVENT_THREAD_JOIN) return true;
  struct wakeup *row = row_of(w, pair->kind, pair->object);
  struct wakeup_waiter *waiter = row == NULL ? NULL : waiter_of(w, row, pair->thread);
  if (waiter == NULL) return false;
  count_time(row, waiter, pair->end - pair->begin);
  row->open += pair->open;
  row->by_itself += pair->failed;
  waiter->by_itself += pair->failed;
  if (pair->open || pair->failed) return true;
  waiter->through++;
  if (!wakes_pair(&w->wakes, pair, &signal)) return true;
  row->woken++;
  waiter->woken++;
  return tally_add(&w->by, row->id, (uint64_t)signal.thread << 32 | pair->thread, 1, 0);
}

/* --- the end ------------------------------------------------------------------------------ */

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_size(const void *left, const void *right) {
  const struct wakeup *a = left, *b = right;
  if (a->total != b->total) return compare(b->total, a->total);
  if (a->waits != b->waits) return compare(b->waits, a->waits);
  return compare(a->id, b->id);
}

static int by_row(const void *left, const void *right) {
  const struct wakeup_waiter *a = left, *b = right;
  if (a->row != b->row) return compare(a->row, b->row);
  if (a->through != b->through) return compare(b->through, a->through);
  return compare(a->thread, b->thread);
}

/* Those who are awake did not go back; those who wait still do. */
static void end_signals(struct wakeups *w) {
  struct hashmap_slot slot;
  for (size_t cursor = 0; hashmap_next(&w->pending, &cursor, &slot);) {
    if (slot.value != 0) judge(w, &w->waiters[slot.value - 1], false);
  }
}

static bool end_waits(struct wakeups *w, ticks_t now) {
  const struct wait_slot *slot;
  for (size_t cursor = 0; (slot = wait_sets_next(&w->sets, &cursor)) != NULL;) {
    struct wakeup *row = row_of(w, (enum event_kind)(slot->key >> 32), (uint32_t)slot->key);
    struct wakeup_waiter *waiter = row == NULL ? NULL : waiter_of(w, row, slot->thread);
    if (waiter == NULL) return false;
    count_time(row, waiter, now > slot->since ? now - slot->since : 0);
    row->open++;
  }
  return true;
}

bool wakeups_end(struct wakeups *w, ticks_t end) {
  end_signals(w);
  if (!end_waits(w, end)) return false;
  hashmap_free(&w->ids); /* their rows are about to move */
  hashmap_free(&w->waiter_ids);
  hashmap_free(&w->pending);
  if (w->num > 0) qsort(w->rows, w->num, sizeof *w->rows, by_size);
  if (w->num_waiters > 0) qsort(w->waiters, w->num_waiters, sizeof *w->waiters, by_row);
  tally_sort(&w->by);
  return true;
}

static size_t first_from(const struct wakeups *w, uint64_t row) {
  size_t low = 0, high = w->num_waiters;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (w->waiters[middle].row < row) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

const struct wakeup_waiter *wakeups_waiters(const struct wakeups *w, const struct wakeup *row,
                                            size_t *out_num) {
  size_t first = first_from(w, row->id);
  *out_num = first_from(w, (uint64_t)row->id + 1) - first;
  return *out_num == 0 ? NULL : w->waiters + first;
}

void wakeups_free(struct wakeups *w) {
  hashmap_free(&w->ids);
  hashmap_free(&w->waiter_ids);
  hashmap_free(&w->pending);
  free(w->rows);
  free(w->waiters);
  free(w->signals);
  tally_free(&w->by);
  wait_sets_free(&w->sets);
  wakes_free(&w->wakes);
  *w = (struct wakeups){0};
}
