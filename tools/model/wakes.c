#include "tools/model/wakes.h"

#include <stdlib.h>

#include "tools/model/grow.h"
#include "tools/model/stalls.h"

static uint64_t key_of(enum event_kind begin, uint32_t object) {
  return (uint64_t)begin << 32 | object;
}

/* The key of those whom an event wakes; false where it wakes nobody. */
static bool woken_by(const struct event_line *line, uint64_t *out_key) {
  enum event_kind begin;
  uint32_t object = line->object;
  if (line->kind == EVENT_THREAD_START) {
    begin = EVENT_THREAD_START;
  } else if (line->kind == EVENT_THREAD_ENDED) {
    begin = EVENT_THREAD_JOIN;
    object = line->thread;
  } else if (!stalls_wakes(line->kind, &begin)) {
    return false;
  }
  *out_key = key_of(begin, object);
  return true;
}

/* Of a latch and a barrier the last signal lets all go. */
static bool lets_all(enum event_kind signal) {
  switch (signal) {
    case EVENT_OBJECT_NOTIFY_ALL:
    case EVENT_CONDITION_SIGNAL_ALL:
    case EVENT_LATCH_COUNT_DOWN:
    case EVENT_PHASER_ARRIVE:
    case EVENT_THREAD_ENDED:
      return true;
    default:
      return false;
  }
}

static struct wakes_row *row_of(struct wakes *w, uint64_t key) {
  uint64_t *at = hashmap_at(&w->ids, key);
  if (at == NULL) return NULL;
  if (*at == 0) {
    void *grown = grow(w->rows, w->num, &w->capacity, sizeof *w->rows);
    if (grown == NULL) return NULL;
    w->rows = grown;
    w->rows[w->num] = (struct wakes_row){0};
    *at = ++w->num;
  }
  return &w->rows[*at - 1];
}

bool wakes_event(struct wakes *w, const struct event_line *line) {
  uint64_t key;
  if (!woken_by(line, &key)) return true;
  struct wakes_row *row = row_of(w, key);
  if (row == NULL) return false;
  row->before = row->last;
  row->last = (struct wake_signal){line->time, line->thread, lets_all(line->kind), false};
  return true;
}

static bool may_have_woken(const struct wake_signal *s, const struct pair *pair) {
  return s->time > pair->begin && !s->spent && s->thread != pair->thread;
}

/* The signal of the row that woke the pair's thread, NULL where it is not sure. */
static struct wake_signal *pick(struct wakes_row *row, const struct pair *pair) {
  bool last = may_have_woken(&row->last, pair), before = may_have_woken(&row->before, pair);
  if (last && row->last.lets_all) return &row->last;
  if (last && before && row->last.thread != row->before.thread) return NULL;
  if (before) return &row->before;
  return last ? &row->last : NULL;
}

bool wakes_pair(struct wakes *w, const struct pair *pair, struct wake_signal *out) {
  uint64_t at;
  uint32_t object = pair->kind == EVENT_THREAD_PARK ? pair->thread : pair->object;
  if (pair->failed || !hashmap_get(&w->ids, key_of(pair->kind, object), &at)) return false;
  struct wake_signal *signal = pick(&w->rows[at - 1], pair);
  if (signal == NULL) return false;
  *out = *signal;
  signal->spent = !signal->lets_all;
  return true;
}

bool wakes_start(struct wakes *w, const struct event_line *line, struct wake_signal *out) {
  uint64_t at;
  if (line->kind != EVENT_THREAD_STARTED ||
      !hashmap_get(&w->ids, key_of(EVENT_THREAD_START, line->thread), &at)) {
    return false;
  }
  struct wake_signal *signal = &w->rows[at - 1].last;
  if (signal->spent) return false;
  *out = *signal;
  signal->spent = true;
  return true;
}

void wakes_free(struct wakes *w) {
  hashmap_free(&w->ids);
  free(w->rows);
  *w = (struct wakes){0};
}
