#include "tools/orca/causal/trace/trace_internal.h"
#include "tools/orca/model/base/grow.h"

/* --- CPU time and time on the run queue ---------------------------------------------------- */

/* The time between two operations of a thread, within a window. */
static ticks_t overlap(ticks_t from, ticks_t to, ticks_t window_from, ticks_t window_to) {
  if (from < window_from) from = window_from;
  if (to > window_to) to = window_to;
  return to > from ? to - from : 0;
}

/* A time that a thread used in a window. `is_queued`: on the run queue, so it cannot be the time
   that the thread had a CPU. */
struct used {
  ticks_t from, to, time;
  bool is_queued;
};

static ticks_t room(const struct used *u, ticks_t since, ticks_t until, ticks_t cpu) {
  ticks_t shared = overlap(since, until, u->from, u->to), all = until - since;
  if (!u->is_queued || shared == 0) return shared;
  ticks_t free = all > cpu ? all - cpu : 0;
  return (ticks_t)((unsigned __int128)free * shared / all);
}

static ticks_t part(const struct used *u, ticks_t room, ticks_t all_room) {
  ticks_t time = u->time < all_room ? u->time : all_room;
  return (ticks_t)((unsigned __int128)time * room / all_room);
}

/* Returns whether the thread has left its last operation. */
static bool is_between(const struct trace *t, const struct trace_thread_state *s) {
  return s->num_nested == 0 || t->ops[s->nested[s->num_nested - 1] - 1].runs;
}

/* Divides `u` among the operations of a thread after `op` and the time since the last one, in
   proportion to their room. */
static void divide(struct trace *t, const struct trace_thread *thread, struct trace_thread_state *s,
                   uint32_t op, const struct used *u) {
  ticks_t all = 0,
          tail = is_between(t, s) && u->to > s->clock ? room(u, s->clock, u->to, s->cpu) : 0;
  uint32_t first = op == 0 ? thread->first : t->ops[op - 1].next;
  for (uint32_t at = first; at != 0; at = t->ops[at - 1].next) {
    const struct trace_op *o = &t->ops[at - 1];
    if (o->begin > o->since) all += room(u, o->since, o->begin, o->cpu);
  }
  all += tail;
  if (all == 0) return;
  for (uint32_t at = first; at != 0; at = t->ops[at - 1].next) {
    struct trace_op *o = &t->ops[at - 1];
    ticks_t mine = o->begin > o->since ? room(u, o->since, o->begin, o->cpu) : 0;
    *(u->is_queued ? &o->queued : &o->cpu) += part(u, mine, all);
  }
  *(u->is_queued ? &s->queued : &s->cpu) += part(u, tail, all);
}

static struct trace_thread *find(struct trace *t, uint32_t hash, struct trace_thread_state **out) {
  uint32_t row = trace_find_thread(t, hash);
  if (row == 0) return NULL;
  *out = &t->thread_states[row - 1];
  return &t->threads[row - 1];
}

void trace_take_cpu(struct trace *t, uint32_t hash, ticks_t cpu, ticks_t until) {
  struct trace_thread_state *s;
  struct trace_thread *thread = find(t, hash, &s);
  if (thread == NULL || cpu == 0) return;
  thread->cpu += cpu;
  divide(t, thread, s, s->cpu_op, &(struct used){s->cpu_until, until, cpu, false});
  s->cpu_until = until;
  s->cpu_op = thread->last;
}

void trace_take_queued(struct trace *t, uint32_t hash, ticks_t queued, ticks_t until) {
  struct trace_thread_state *s;
  struct trace_thread *thread = find(t, hash, &s);
  if (thread == NULL) return;
  divide(t, thread, s, s->queued_op, &(struct used){s->queued_until, until, queued, true});
  s->queued_until = until;
  s->queued_op = thread->last;
}

/* --- pauses ---------------------------------------------------------------------------------- */

bool trace_take_pause(struct trace *t, const struct sample_line *line) {
  ticks_t length = line->pause_ns > 0 ? (ticks_t)line->pause_ns * TICKS_PER_NS : 0;
  ticks_t before = t->num_pauses == 0 ? t->begin : t->pauses[t->num_pauses - 1].end;
  ticks_t begin = line->time > length ? line->time - length : 0;
  if (begin < before) begin = before; /* pauses do not overlap */
  if (begin >= line->time) return true;
  struct trace_pause *pauses = grow(t->pauses, t->num_pauses, &t->pauses_capacity, sizeof *pauses);
  if (pauses == NULL) return false;
  t->pauses = pauses;
  pauses[t->num_pauses++] = (struct trace_pause){.begin = begin, .end = line->time};
  return true;
}

/* Returns a time without the pauses before it. */
static ticks_t cut(const struct trace *t, ticks_t time) {
  size_t low = 0, high = t->num_pauses; /* the first pause that has not ended by then */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (t->pauses[middle].end <= time) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  ticks_t before = low == 0 ? 0 : t->pauses[low - 1].cut;
  bool is_inside = low < t->num_pauses && t->pauses[low].begin < time;
  return time - before - (is_inside ? time - t->pauses[low].begin : 0);
}

void trace_cut_pauses(struct trace *t) {
  ticks_t sum = 0;
  if (t->num_pauses == 0) return;
  for (size_t i = 0; i < t->num_pauses; i++) {
    sum += t->pauses[i].end - t->pauses[i].begin;
    t->pauses[i].cut = sum;
  }
  for (size_t i = 0; i < t->num_ops; i++) {
    struct trace_op *op = &t->ops[i];
    ticks_t length = op->begin > op->since ? op->begin - op->since : 0;
    op->since = cut(t, op->since);
    op->begin = cut(t, op->begin);
    op->end = cut(t, op->end);
    /* The threads of the collector run in a pause, and others wait for a CPU. */
    ticks_t left = op->begin > op->since ? op->begin - op->since : 0;
    if (length > 0) op->queued = (ticks_t)((double)op->queued * (double)left / (double)length);
  }
  for (size_t i = 0; i < t->num_threads; i++) {
    t->threads[i].begin = cut(t, t->threads[i].begin);
    t->threads[i].end = cut(t, t->threads[i].end);
  }
  for (size_t i = 0; i < t->num_samples; i++) t->samples[i].time = cut(t, t->samples[i].time);
  t->begin = cut(t, t->begin);
  t->end = cut(t, t->end);
}

ticks_t trace_paused(const struct trace *t, ticks_t time) {
  ticks_t paused = 0;
  for (size_t i = 0; i < t->num_pauses; i++) {
    ticks_t length = t->pauses[i].end - t->pauses[i].begin;
    if (t->pauses[i].begin - (t->pauses[i].cut - length) >= time) break;
    paused = t->pauses[i].cut;
  }
  return paused;
}
