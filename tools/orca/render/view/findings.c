#include "agent/event/meaning.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/finding.h"

/* A finding is mentioned from these numbers on. */
#define FEW_WAKEUPS 50  /* useless wake-ups of an object */
#define WAKEUP_SHARE 10 /* their share of the wake-ups, in percent */
#define FEW_TURNS 100   /* times that the waiters of an object got through */
#define UNFAIR 5        /* times as often as another waiter */
#define FEW_JOINS 8     /* calls of Thread.join */
#define FEW_JOINING 3   /* threads that called it */

#define SHOWN 3 /* findings of one kind */

/* --- useless wake-ups ------------------------------------------------------ */

static double divide(uint64_t part, uint64_t whole) {
  uint64_t tenths = whole == 0 ? 0 : (part * 10 + whole / 2) / whole;
  return (double)tenths / 10;
}

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

static void say_useless(struct builder *b, const struct model *m, const struct style *style) {
  size_t shown = 0;
  for (size_t i = 0; i < m->wakeups.num && shown < SHOWN; i++) {
    const struct wakeup *row = &m->wakeups.rows[i];
    struct builder s = {0};
    if (row->useless < FEW_WAKEUPS || row->useless * 100 < row->judged * WAKEUP_SHARE) continue;
    uint64_t calls = row->ones + row->alls - row->unheard;
    builder_format(&s, "%s on ", name_signals(row));
    names_object(&s, m->dump, row->object);
    builder_format(
        &s,
        " woke %.1f threads per call, of which %.1f could go on: %s of the wake-ups were "
        "useless (%s%s of %s went straight back to waiting), at ",
        divide(row->judged, calls), divide(row->judged - row->useless, calls),
        UNIT_SHARE(row->useless, row->judged), row->sure < row->judged ? "at least " : "",
        UNIT_COUNT(row->useless), UNIT_COUNT(row->judged));
    view_place_name(&s, m, find_main_place(m, row));
    builder_char(&s, '.');
    view_finding(style, "useless_wakeups");
    view_figure_place(style, "place", m, find_main_place(m, row));
    view_figure(style, "wakeups", row->judged);
    view_figure(style, "useless", row->useless);
    view_put_sentence(b, style, &s);
    shown++;
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
   thread that waits less may be busy with other work. */
static bool is_unfair(const struct wakeup_waiter *best, const struct wakeup_waiter *least,
                      uint64_t all) {
  return all >= FEW_TURNS && best->through >= UNFAIR * (least->through + 1) &&
         least->total >= best->total;
}

static void say_unfair(struct builder *b, const struct model *m, const struct style *style) {
  size_t shown = 0;
  for (size_t i = 0; i < m->wakeups.num && shown < SHOWN; i++) {
    const struct wakeup *row = &m->wakeups.rows[i];
    struct builder s = {0};
    uint64_t all, num;
    size_t num_waiters;
    if (!wake_event_has_order(row->kind)) continue;
    const struct wakeup_waiter *best = wakeups_waiters(&m->wakeups, row, &num_waiters);
    const struct wakeup_waiter *least = find_unluckiest(m, row, &all, &num);
    if (num < 2 || !is_unfair(best, least, all)) continue;
    builder_format(&s, "Unfair: of %s threads that waited on ", UNIT_COUNT(num));
    names_object(&s, m->dump, row->object);
    view_put_at(&s, m, stacks_place(&m->stacks, best->stack));
    builder_string(&s, ", ");
    names_thread(&s, &m->threads, best->thread);
    builder_string(&s, " got through ");
    unit_many(&s, best->through, "time", "times");
    builder_string(&s, ", ");
    names_thread(&s, &m->threads, least->thread);
    builder_char(&s, ' ');
    unit_many(&s, least->through, "time", "times");
    builder_format(&s, " (it waited up to %s).", UNIT_TICKS(least->longest));
    view_finding(style, "unfair");
    view_figure_place(style, "place", m, stacks_place(&m->stacks, best->stack));
    view_figure(style, "threads", num);
    view_figure(style, "most", best->through);
    view_figure(style, "least", least->through);
    view_put_sentence(b, style, &s);
    shown++;
  }
}

/* --- joins ----------------------------------------------------------------- */

static void say_joins(struct builder *b, const struct model *m, const struct style *style) {
  const struct stalls *stalls = &m->stalls_by_class;
  struct builder s = {0};
  size_t num = 0;
  for (size_t i = 0; i < stalls->num; i++) {
    const struct stall *stall = &stalls->rows[i];
    /* The threads of short calls are not known. */
    uint64_t calls = stall->count - stall->short_calls.num;
    ticks_t total = stall->total - stall->short_calls.total;
    if (stall->kind != EVENT_THREAD_JOIN || calls < FEW_JOINS) continue;
    tally_of(&stalls->threads, stall->id, &num);
    if (num < FEW_JOINING || total < recording_time(&m->recording)) continue;
    builder_format(&s, "%s threads spent %s in Thread.join (", UNIT_COUNT(num), UNIT_TICKS(total));
    unit_many(&s, calls, "time", "times");
    builder_string(&s, "), at ");
    view_put_keys(&s, m, &stalls->places, stall->id, view_place_name);
    builder_string(&s, ": a thread that starts others and joins them could do part of their work.");
    view_finding(style, "joins");
    view_figure(style, "threads", num);
    view_figure(style, "calls", calls);
    view_figure_ticks(style, "total_ns", total);
    view_put_sentence(b, style, &s);
    return;
  }
}

void view_findings(struct builder *b, const struct model *m, const struct style *style) {
  say_useless(b, m, style);
  say_unfair(b, m, style);
  say_joins(b, m, style);
}
