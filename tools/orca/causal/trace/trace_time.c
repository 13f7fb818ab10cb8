#include "tools/orca/causal/trace/trace_internal.h"

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
