#include "tools/orca/model/state/wakes.h"

#include <stdlib.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/rows.h"

/* A signal to waiters without a known order. */
struct sent_signal {
  struct wake_signal signal; /* time 0: none */
  bool wakes_all;
  bool is_spent; /* it wakes one thread, and has done so */
};

/* The last two signals to the waiters of one key, and when older ones that woke nobody were sent.
 */
struct wakes_row {
  struct sent_signal last, previous;
  ticks_t older;         /* the newest of them; 0: none */
  uint32_t older_thread; /* that sent it */
  ticks_t other;         /* the newest of them by another thread; 0: none */
};

/* The unpark that the next LockSupport.park of a thread will find; time 0: none. */
struct wakes_permit {
  struct wake_signal unpark;
};

void wakes_start(struct wakes *w, const struct dump *d) {
  w->dump = d;
  w->in_turn = coverage_has_whole_pairs(dump_coverage(d));
}

static bool is_in_turn(const struct wakes *w, const struct event_line *line) {
  return w->in_turn && wake_event_has_order(line->kind);
}

static uint64_t make_wait_key(const struct event_line *line) {
  const struct wake_event *what = &wake_events[line->kind];
  return wait_sets_key(what->call, what->of_thread ? line->thread : line->object);
}

static enum event_kind get_call(uint64_t key) { return (enum event_kind)(key >> 32); }

static struct wake_signal make_signal(const struct event_line *line, size_t mark) {
  return (struct wake_signal){line->time, line->thread, line->kind, mark};
}

/* --- signals ------------------------------------------------------------------------------ */

/* The signal before the last one becomes an older one. */
static void drop_previous(struct wakes_row *row) {
  const struct sent_signal *s = &row->previous;
  if (s->signal.time == 0 || s->is_spent) return;
  if (s->signal.thread != row->older_thread) {
    row->other = row->older;
    row->older_thread = s->signal.thread;
  }
  row->older = s->signal.time;
}

static bool take_wake_signal(struct wakes *w, const struct event_line *line, size_t mark,
                             struct wake *out) {
  struct wake_signal signal = make_signal(line, mark);
  enum wake_act act = wake_events[line->kind].act;
  bool all = act == WAKE_ACT_ALL || act == WAKE_ACT_ENDED;
  if (is_in_turn(w, line)) {
    out->called = wait_sets_signal(&w->sets, make_wait_key(line), all, &signal);
    return true;
  }
  struct wakes_row *row =
      rows_at(&w->ids, make_wait_key(line), &w->rows, &w->num, &w->capacity, sizeof *row, NULL);
  if (row == NULL) return false;
  drop_previous(row);
  row->previous = row->last;
  row->last = (struct sent_signal){signal, all, false};
  return true;
}

static bool can_have_woken(const struct sent_signal *s, uint32_t thread, ticks_t since) {
  return s->signal.time > since && !s->is_spent && s->signal.thread != thread;
}

/* Whether an older signal, by another thread than this one, can have ended the wait. */
static bool can_be_older(const struct wakes_row *row, const struct sent_signal *s, ticks_t since) {
  return row->other > since || (row->older > since && row->older_thread != s->signal.thread);
}

/* Returns the signal that woke a thread which waits since `since`; NULL: none, or not certain. */
static struct sent_signal *pick_signal(struct wakes_row *row, uint32_t thread, ticks_t since) {
  bool can_be_last = can_have_woken(&row->last, thread, since);
  bool can_be_previous = can_have_woken(&row->previous, thread, since);
  if (can_be_last && row->last.wakes_all) return &row->last;
  if (can_be_last && can_be_previous && row->last.signal.thread != row->previous.signal.thread)
    return NULL;
  struct sent_signal *sent = can_be_previous ? &row->previous : can_be_last ? &row->last : NULL;
  return sent == NULL || can_be_older(row, sent, since) ? NULL : sent;
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

/* No thread woke a worker that takes a task which it queued itself. */
static bool receive_task(struct wakes *w, const struct event_line *line, struct wake_signal *out) {
  bool is_certain;
  return task_queues_take(&w->tasks, line->object, out, &is_certain) && is_certain &&
         out->thread != line->thread;
}

static bool receive_start(struct wakes *w, const struct event_line *line, struct wake_signal *out) {
  return line->kind == EVENT_TASK_TAKEN ? receive_task(w, line, out)
                                        : receive_signal(w, line, 0, out);
}

static bool take_start(struct wakes *w, const struct event_line *line, size_t mark,
                       struct wake *out) {
  struct wake_signal signal = make_signal(line, mark);
  if (line->kind == EVENT_TASK_QUEUED) return task_queues_put(&w->tasks, line->object, 0, &signal);
  if (task_queues_starts_worker(w->dump, line)) task_queues_withdraw(&w->tasks, line->thread);
  return take_wake_signal(w, line, mark, out);
}

/* The JVM ends a virtual thread without a notify. The agent defines the object that a thread waits
   on. */
static bool is_virtual(const struct wakes *w, uint32_t thread) {
  const struct dump_object *o = w->dump == NULL ? NULL : dump_objects(w->dump, thread);
  for (; o != NULL; o = o->next) {
    const struct class_line *c = dump_class(w->dump, o->line.class_id);
    if (c != NULL && span_is(c->signature, "Ljava/lang/VirtualThread;")) return true;
  }
  return false;
}

/* The JVM notifies all that wait in Object.wait on a thread that ended. */
static void notify_of_end(struct wakes *w, const struct event_line *line, size_t mark,
                          struct wake *out) {
  struct wake_signal signal = make_signal(line, mark);
  uint64_t key = wait_sets_key(EVENT_OBJECT_WAIT, line->thread);
  if (w->in_turn && !is_virtual(w, line->thread))
    out->called = wait_sets_signal(&w->sets, key, true, &signal);
}

/* --- unparks ------------------------------------------------------------------------------ */

static struct wakes_permit *find_permit(const struct wakes *w, uint32_t thread) {
  uint64_t at = 0;
  hashmap_get(&w->permit_ids, thread, &at);
  return at == 0 ? NULL : &w->permits[at - 1];
}

static bool put_permit(struct wakes *w, uint32_t thread, const struct wake_signal *unpark) {
  struct wakes_permit *permit = rows_at(&w->permit_ids, thread, &w->permits, &w->num_permits,
                                        &w->permits_capacity, sizeof *permit, NULL);
  if (permit != NULL) permit->unpark = *unpark;
  return permit != NULL;
}

static void drop_permit(struct wakes *w, uint32_t thread) {
  struct wakes_permit *permit = find_permit(w, thread);
  if (permit != NULL) permit->unpark.time = 0;
}

/* A thread can wake others in its own wait. In the wait for a queue it does so because it put or
   took something, but in these it only passes on that the waits are over. */
static bool can_pass_on(enum event_kind call) {
  return event_infos[call].group != GROUP_QUEUE && !wake_event_has_order(call);
}

static bool take_unpark(struct wakes *w, const struct event_line *line, size_t mark) {
  struct wake_signal unpark = make_signal(line, mark);
  struct wait_slot *woken = wait_sets_innermost(&w->sets, line->object);
  bool parks = woken != NULL && get_call(woken->key) == EVENT_THREAD_PARK;
  if (woken == NULL || (parks && woken->unpark.time != 0))
    return put_permit(w, line->object, &unpark);
  struct wait_slot *waker = wait_sets_innermost(&w->sets, line->thread);
  if (waker != NULL && waker != woken && waker->key == woken->key) {
    bool is_passed_on = can_pass_on(get_call(woken->key)) && waker->unpark.time > woken->since &&
                        waker->unpark.thread != line->object;
    if (is_passed_on) unpark = waker->unpark;
    waker->sent = line->time;
  }
  woken->unpark = unpark;
  return true;
}

/* --- barriers ----------------------------------------------------------------------------- */

/* A thread leaves a barrier, and it is the first one that does, so the barrier opened just before.
   Threads that came after that wait for the barrier to open again. */
static void open_barrier(struct wakes *w, const struct event_line *line, uint64_t key,
                         struct wait_slot *wait) {
  ticks_t opened = wait->unpark.time != 0 ? wait->unpark.time : wait->sent;
  if (opened == 0) opened = line->time;
  const struct wait_slot *last = wait_sets_newest(&w->sets, key, opened);
  if (last == NULL || last->since < wait->since) last = wait;
  wait->is_signaled = true;
  wait->signal = (struct wake_signal){last->since, last->thread, get_call(key), last->mark};
  wait_sets_signal_until(&w->sets, key, opened, &wait->signal);
}

/* --- waits ------------------------------------------------------------------------- */

static bool has_set(const struct wakes *w, const struct event_line *line) {
  return is_in_turn(w, line) || (w->in_turn && wake_events[line->kind].act == WAKE_ACT_MEETS);
}

static bool begin_wait(struct wakes *w, const struct event_line *line, size_t mark) {
  if (!wait_sets_begin(&w->sets, make_wait_key(line), line->thread, line->time, has_set(w, line)))
    return false;
  struct wait_slot *wait = wait_sets_innermost(&w->sets, line->thread);
  wait->mark = mark;
  struct wakes_permit *permit =
      line->kind == EVENT_THREAD_PARK ? find_permit(w, line->thread) : NULL;
  if (permit != NULL && w->in_turn) wait->unpark = permit->unpark;
  if (permit != NULL) permit->unpark.time = 0;
  return true;
}

static bool receive_unpark(const struct wait_slot *wait, struct wake_signal *out) {
  if (wait->unpark.time == 0 || wait->unpark.thread == wait->thread) return false;
  *out = wait->unpark;
  return true;
}

static bool find_waker(struct wakes *w, const struct event_line *line, struct wait_slot *wait,
                       struct wake_signal *out) {
  enum event_kind call = get_call(wait->key);
  bool is_barrier = w->in_turn && wake_events[call].act == WAKE_ACT_MEETS;
  if (is_barrier && !wait->is_signaled) open_barrier(w, line, wait->key, wait);
  if (is_barrier || is_in_turn(w, line)) {
    *out = wait->signal;
    return wait->is_signaled && wait->signal.thread != line->thread;
  }
  bool has_unpark = !event_joins(call) && !wake_event_has_order(call);
  return (has_unpark && receive_unpark(wait, out)) || receive_signal(w, line, wait->since, out);
}

static void end_known_wait(struct wakes *w, const struct event_line *line, struct wake *out) {
  struct wait_slot *wait = wait_sets_end(&w->sets, make_wait_key(line), line->thread);
  if (wait == NULL) return;
  bool failed = wake_events[line->kind].act == WAKE_ACT_GAVE_UP;
  out->over = true;
  out->since = wait->since;
  out->by = wait->signal;
  if (!failed) {
    out->woken = find_waker(w, line, wait, &out->by);
  } else if (event_infos[line->kind].group == GROUP_FUTURE) {
    out->woken = receive_unpark(wait, &out->by);
  }
  /* A park inside of the wait may have used the permit. */
  bool may_have_parked = failed || wait->unpark.time != 0;
  if (may_have_parked && get_call(wait->key) != EVENT_THREAD_PARK) drop_permit(w, line->thread);
}

/* --- events ------------------------------------------------------------------------------- */

bool wakes_event(struct wakes *w, const struct event_line *line, size_t mark, struct wake *out) {
  /* Clearing all of `*out` would take as long as the rest of the function. */
  out->over = out->woken = false;
  out->called = 0;
  switch (wake_events[line->kind].act) {
    case WAKE_ACT_WAITS:
    case WAKE_ACT_MEETS:
      return begin_wait(w, line, mark);
    case WAKE_ACT_WOKEN:
    case WAKE_ACT_GAVE_UP:
      end_known_wait(w, line, out);
      return true;
    case WAKE_ACT_PERMIT:
      return take_unpark(w, line, mark);
    case WAKE_ACT_ENDED:
      drop_permit(w, line->thread);
      notify_of_end(w, line, mark, out);
      return take_wake_signal(w, line, mark, out);
    case WAKE_ACT_ONE:
    case WAKE_ACT_ALL:
      return take_wake_signal(w, line, mark, out);
    case WAKE_ACT_STARTS:
      return take_start(w, line, mark, out);
    case WAKE_ACT_STARTED:
      out->woken = receive_start(w, line, &out->by);
      return true;
    case WAKE_ACT_NONE:
      break;
  }
  return true;
}

void wakes_free(struct wakes *w) {
  wait_sets_free(&w->sets);
  task_queues_free(&w->tasks);
  hashmap_free(&w->ids);
  free(w->rows);
  hashmap_free(&w->permit_ids);
  free(w->permits);
  *w = (struct wakes){0};
}
