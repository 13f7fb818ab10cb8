#include "tools/orca/model/state/wakes.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/state/wake_event.h"

/* A signal to those who do not wait in turn. */
struct sent {
  struct wake_signal signal; /* its time is 0: none */
  bool all;                  /* it wakes all that wait */
  bool spent;                /* it woke the one that it wakes */
};

struct wakes_row {
  struct sent last, before;
};

void wakes_start(struct wakes *w, const struct dump *d) {
  struct span value;
  w->in_turn = !dump_is_lossy(d) && !dump_threshold(d, &value);
}

static bool is_in_turn(const struct wakes *w, const struct event_line *line) {
  return w->in_turn && wake_event_has_order(line->kind);
}

static uint64_t key_of(const struct event_line *line) {
  const struct wake_event *what = &wake_events[line->kind];
  return wait_sets_key(what->call, what->of_thread ? line->thread : line->object);
}

/* --- signals ------------------------------------------------------------------------------ */

static bool send(struct wakes *w, const struct event_line *line, const struct wake_signal *signal) {
  struct wakes_row *row =
      rows_at(&w->ids, key_of(line), &w->rows, &w->num, &w->capacity, sizeof *row, NULL);
  if (row == NULL) return false;
  row->before = row->last;
  row->last = (struct sent){*signal, wake_events[line->kind].act == WAKE_ACT_ALL, false};
  return true;
}

static bool take_signal(struct wakes *w, const struct event_line *line, size_t mark,
                        struct wake *out) {
  struct wake_signal signal = {line->time, line->thread, mark};
  if (!is_in_turn(w, line)) return send(w, line, &signal);
  bool all = wake_events[line->kind].act == WAKE_ACT_ALL;
  out->called = wait_sets_signal(&w->sets, key_of(line), all, &signal);
  return true;
}

/* --- waits ------------------------------------------------------------------------- */

static bool may_have_woken(const struct sent *s, uint32_t thread, ticks_t since) {
  return s->signal.time > since && !s->spent && s->signal.thread != thread;
}

/* The signal that woke a thread, NULL where it is not sure. */
static struct sent *pick(struct wakes_row *row, uint32_t thread, ticks_t since) {
  bool last = may_have_woken(&row->last, thread, since);
  bool before = may_have_woken(&row->before, thread, since);
  if (last && row->last.all) return &row->last;
  if (last && before && row->last.signal.thread != row->before.signal.thread) return NULL;
  if (before) return &row->before;
  return last ? &row->last : NULL;
}

static bool receive(struct wakes *w, const struct event_line *line, ticks_t since,
                    struct wake_signal *out) {
  uint64_t at = 0;
  hashmap_get(&w->ids, key_of(line), &at);
  struct sent *sent = at == 0 ? NULL : pick(&w->rows[at - 1], line->thread, since);
  if (sent == NULL) return false;
  *out = sent->signal;
  sent->spent = !sent->all;
  return true;
}

static void end_wait(struct wakes *w, const struct event_line *line, struct wake *out) {
  const struct wait_slot *wait = wait_sets_end(&w->sets, key_of(line), line->thread);
  if (wait == NULL) return;
  out->over = true;
  out->since = wait->since;
  out->by = wait->by;
  if (wake_events[line->kind].act == WAKE_ACT_GAVE_UP) return;
  out->woken = is_in_turn(w, line) ? wait->called && wait->by.thread != line->thread
                                   : receive(w, line, wait->since, &out->by);
}

/* --- events ------------------------------------------------------------------------------- */

bool wakes_event(struct wakes *w, const struct event_line *line, size_t mark, struct wake *out) {
  out->over = out->woken = false; /* all of it would take as long as the rest */
  out->called = 0;
  switch (wake_events[line->kind].act) {
    case WAKE_ACT_WAITS:
      return wait_sets_begin(&w->sets, key_of(line), line->thread, line->time, is_in_turn(w, line));
    case WAKE_ACT_WOKEN:
    case WAKE_ACT_GAVE_UP:
      end_wait(w, line, out);
      return true;
    case WAKE_ACT_ONE:
    case WAKE_ACT_ALL:
      return take_signal(w, line, mark, out);
    case WAKE_ACT_STARTED:
      out->woken = receive(w, line, 0, &out->by);
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
