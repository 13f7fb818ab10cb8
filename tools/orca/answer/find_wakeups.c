/* Useless and unfair wake-ups, long joins, pinned virtual threads. */
#include "tools/orca/answer/find.h"

#define FEW_WAKEUPS 50  /* useless wake-ups of an object */
#define WAKEUP_SHARE 10 /* their share of the wake-ups, in percent */
#define FEW_TURNS 100   /* times that the waiters of an object got through */
#define UNFAIR 5        /* times as often as another waiter */
#define FEW_JOINS 8     /* calls of Thread.join */
#define FEW_JOINING 3   /* threads that called it */

#define TOLD 3 /* findings of one kind */

/* --- useless wake-ups ------------------------------------------------------ */

/* Where the thread with the most useless wake-ups waits. */
static place_t find_main_place(const struct model *m, const struct wakeup *row) {
  size_t num;
  const struct wakeup_waiter *waiters = wakeups_waiters(&m->wakeups, row, &num), *most = waiters;
  for (size_t i = 1; i < num; i++) {
    if (waiters[i].back > most->back) most = &waiters[i];
  }
  return num == 0 ? 0 : stacks_place(&m->stacks, most->stack);
}

static const char *name_signals(const struct wakeup *row) {
  bool waits = row->kind == EVENT_OBJECT_WAIT;
  if (row->alls == 0) return waits ? "notify" : "signal";
  if (row->ones == 0) return waits ? "notifyAll" : "signalAll";
  return waits ? "notify and notifyAll" : "signal and signalAll";
}

static void find_useless(const struct finder *f) {
  const struct wakeups *w = &f->m->wakeups;
  size_t told = 0;
  for (size_t i = 0; i < w->num && told < TOLD; i++) {
    const struct wakeup *row = &w->rows[i];
    if (row->useless < FEW_WAKEUPS || row->useless * 100 < row->woken * WAKEUP_SHARE) continue;
    struct found_useless_wakeups out = {.signal = name_signals(row),
                                        .object = name_object(f, row->object),
                                        .place = name_place(f, find_main_place(f->m, row)),
                                        .calls = row->ones + row->alls - row->unheard,
                                        .wakeups = row->woken,
                                        .useless = row->useless,
                                        .useless_is_least = row->judged < row->woken};
    told++;
    FINDINGS_ADD(f->out, useless_wakeups, 0, &out);
  }
}

/* --- fairness -------------------------------------------------------------- */

/* Threads that wait at the same place wait for the same thing. The waiters of a row are sorted: the
   first one got through most often. Of the waiters at its place, returns the one that got through
   least often, their number, and how often all of them together got through. */
static const struct wakeup_waiter *find_unluckiest(const struct model *m, const struct wakeup *row,
                                                   uint64_t *out_all, uint64_t *out_num) {
  size_t num;
  const struct wakeup_waiter *waiters = wakeups_waiters(&m->wakeups, row, &num), *least = NULL;
  *out_all = *out_num = 0;
  for (size_t i = 0; i < num; i++) {
    place_t place = stacks_place(&m->stacks, waiters[i].stack);
    if (place != stacks_place(&m->stacks, waiters[0].stack)) continue;
    *out_all += waiters[i].through;
    ++*out_num;
    least = &waiters[i];
  }
  return least;
}

/* A thread that waits as long as the first one, but gets through less often, is treated unfairly. A
   thread that waits less may be busy with other work. How often it got through must be known. */
static bool is_unfair(const struct wakeup_waiter *best, const struct wakeup_waiter *least,
                      uint64_t all) {
  return best->unsure + least->unsure == 0 && all >= FEW_TURNS &&
         best->through >= UNFAIR * (least->through + 1) && least->total >= best->total;
}

static void find_unfair(const struct finder *f) {
  const struct wakeups *w = &f->m->wakeups;
  size_t told = 0;
  for (size_t i = 0; i < w->num && told < TOLD; i++) {
    const struct wakeup *row = &w->rows[i];
    uint64_t all, num;
    size_t num_waiters;
    if (!wake_event_has_order(row->kind)) continue;
    const struct wakeup_waiter *best = wakeups_waiters(w, row, &num_waiters);
    const struct wakeup_waiter *least = find_unluckiest(f->m, row, &all, &num);
    if (num < 2 || !is_unfair(best, least, all)) continue;
    struct found_unfair out = {.object = name_object(f, row->object),
                               .place = name_stack(f, best->stack),
                               .threads = num,
                               .luckiest = name_thread(f, best->thread),
                               .most = best->through,
                               .unluckiest = name_thread(f, least->thread),
                               .least = least->through,
                               .longest = found_ns(least->longest)};
    told++;
    FINDINGS_ADD(f->out, unfair, 0, &out);
  }
}

void find_wakeups(const struct finder *f) {
  find_useless(f);
  find_unfair(f);
}

/* --- joins and pinned threads ------------------------------------------------------------------
 */

static uint64_t more_shares(const struct tally *tally, uint32_t group) {
  size_t num = count_threads(tally, group);
  return num > SHARES_NAMED ? num - SHARES_NAMED : 0;
}

void find_joins(const struct finder *f) {
  const struct stalls *stalls = &f->m->stalls_by_class;
  for (size_t i = 0; i < stalls->num; i++) {
    const struct stall *stall = &stalls->rows[i];
    /* The threads of short calls are not known. */
    uint64_t calls = stall->count - stall->short_calls.num;
    ticks_t total = stall->total - stall->short_calls.total;
    if (!event_joins(stall->kind) || calls < FEW_JOINS) continue;
    size_t num = count_threads(&stalls->threads, stall->id);
    if (num < FEW_JOINING || total < recording_time(&f->m->recording)) continue;
    struct found_joins out = {.threads = num, .calls = calls, .total = found_ns(total)};
    out.whole = name_shares(f, &stalls->places, stall->id, &out.places);
    out.more_places = more_shares(&stalls->places, stall->id);
    FINDINGS_ADD(f->out, joins, total, &out);
    return;
  }
}

void find_pinned(const struct finder *f) {
  struct found_pinned out = {.times = f->m->recording.events[EVENT_THREAD_PINNED]};
  if (out.times == 0) return;
  out.whole = name_shares(f, &f->m->pinned, 0, &out.places);
  out.more_places = more_shares(&f->m->pinned, 0);
  FINDINGS_ADD(f->out, pinned, 0, &out);
}
