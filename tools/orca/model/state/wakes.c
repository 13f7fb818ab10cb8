#include "tools/orca/model/state/wakes.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/state/wake_event.h"

/* A signal to waiters without a known order. */
struct sent_signal {
  struct wake_signal signal; /* time 0: none */
  bool wakes_all;
  bool is_spent; /* it wakes one thread, and has done so */
};

/* The last two signals to the waiters of one key. */
struct wakes_row {
  struct sent_signal last, previous;
};

void wakes_start(struct wakes *w, const struct dump *d) {
  struct span value;
  w->in_turn = !dump_is_lossy(d) && !dump_threshold(d, &value);
}

static bool is_in_turn(const struct wakes *w, const struct event_line *line) {
  return w->in_turn && wake_event_has_order(line->kind);
}

static uint64_t make_wait_key(const struct event_line *line) {
  const struct wake_event *what = &wake_events[line->kind];
  return wait_sets_key(what->call, what->of_thread ? line->thread : line->object);
}

/* --- signals ------------------------------------------------------------------------------ */

static bool take_wake_signal(struct wakes *w, const struct event_line *line, size_t mark,
                             struct wake *out) {
  struct wake_signal signal = {line->time, line->thread, mark};
  bool all = wake_events[line->kind].act == WAKE_ACT_ALL;
  if (is_in_turn(w, line)) {
    out->called = wait_sets_signal(&w->sets, make_wait_key(line), all, &signal);
    return true;
  }
  struct wakes_row *row =
      rows_at(&w->ids, make_wait_key(line), &w->rows, &w->num, &w->capacity, sizeof *row, NULL);
  if (row == NULL) return false;
  row->previous = row->last;
  row->last = (struct sent_signal){signal, all, false};
  return true;
}

/* --- waits ------------------------------------------------------------------------- */

static bool can_have_woken(const struct sent_signal *s, uint32_t thread, ticks_t since) {
  return s->signal.time > since && !s->is_spent && s->signal.thread != thread;
}

/* Returns the signal that woke a thread which waits since `since`; NULL: none, or not certain. */
static struct sent_signal *pick_signal(struct wakes_row *row, uint32_t thread, ticks_t since) {
  bool can_be_last = can_have_woken(&row->last, thread, since);
  bool can_be_previous = can_have_woken(&row->previous, thread, since);
  if (can_be_last && row->last.wakes_all) return &row->last;
  if (can_be_last && can_be_previous && row->last.signal.thread != row->previous.signal.thread)
    return NULL;
  if (can_be_previous) return &row->previous;
  return can_be_last ? &row->last : NULL;
}

static bool receive_signal(struct wakes *w, const struct event_line *line, ticks_t since,
                           struct wake_signal *out) {
  uint64_t at = 0;
  hashmap_get(&w->ids, make_wait_key(line), &at);
  struct sent_signal *sent = at == 0 ? NULL : pick_signal(&w->rows[at - 1], line->thread, since);
  if (sent == NULL) return false;
  *out = sent->signal;
  sent->is_spent = !sent->wakes_all;
  return true;
}

static void end_known_wait(struct wakes *w, const struct event_line *line, struct wake *out) {
  const struct wait_slot *wait = wait_sets_end(&w->sets, make_wait_key(line), line->thread);
  if (wait == NULL) return;
  out->over = true;
  out->since = wait->since;
  out->by = wait->signal;
  if (wake_events[line->kind].act == WAKE_ACT_GAVE_UP) return;
  out->woken = is_in_turn(w, line) ? wait->is_signaled && wait->signal.thread != line->thread
                                   : receive_signal(w, line, wait->since, &out->by);
}

/* --- events ------------------------------------------------------------------------------- */

bool wakes_event(struct wakes *w, const struct event_line *line, size_t mark, struct wake *out) {
  /* Clearing all of `*out` would take as long as the rest of the function. */
  out->over = out->woken = false;
  out->called = 0;
  switch (wake_events[line->kind].act) {
    case WAKE_ACT_WAITS:
      return wait_sets_begin(&w->sets, make_wait_key(line), line->thread, line->time,
                             is_in_turn(w, line));
    case WAKE_ACT_WOKEN:
    case WAKE_ACT_GAVE_UP:
      end_known_wait(w, line, out);
      return true;
    case WAKE_ACT_ONE:
    case WAKE_ACT_ALL:
      return take_wake_signal(w, line, mark, out);
    case WAKE_ACT_STARTED:
      out->woken = receive_signal(w, line, 0, &out->by);
      return true;
    case WAKE_ACT_NONE:
      break;
  }
  return true;
}

void wakes_free(struct wakes *w) {
  wait_sets_free(&w->sets);
  hashmap_free(&w->ids);
  free(w->rows);
  *w = (struct wakes){0};
}
