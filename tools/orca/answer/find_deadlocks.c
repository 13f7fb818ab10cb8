/* Threads that wait for each other, and what a thread waits for. */
#include "tools/orca/answer/find_parties.h"
#include "tools/orca/model/names.h"

/* --- a thread that waits -------------------------------------------------------------------- */

/* A thread cannot get the write side while it holds the read side itself. */
static void find_own_read_side(const struct finder *f, const struct wait_link *link,
                               struct found_link *out) {
  const struct holders *h = &f->m->pass.holders;
  const struct pair *pair = &link->pair;
  bool is_known = lock_events[pair->kind].sort == LOCK_WRITE_SIDE &&
                  coverage_has_releases(h->coverage, LOCK_READ_SIDE) &&
                  holders_are_known(h, LOCK_READ_SIDE, pair->object);
  const struct hold *hold =
      is_known ? holders_find(h, LOCK_READ_SIDE, pair->object, pair->thread) : NULL;
  ticks_t seen;
  bool is_seen = lock_events[pair->kind].sort == LOCK_WRITE_SIDE &&
                 holders_only_reader(h, pair->object, &seen) == pair->thread && seen >= pair->begin;
  out->holds_read = hold != NULL || is_seen;
  if (hold != NULL) out->own_read_at = name_stack(f, hold->stack);
}

uint64_t find_ended(const struct finder *f, enum lock_sort sort, uint32_t holder) {
  const struct thread *t = threads_find(&f->m->threads, holder);
  ticks_t to = f->m->recording.to;
  bool has_ended = t != NULL && !t->alive && t->last < to && sort != LOCK_MONITOR;
  return has_ended ? found_ns(to - t->last) : 0;
}

static void find_holder(const struct finder *f, const struct wait_link *link,
                        struct found_link *out) {
  size_t depth = 0;
  const struct frame *frames = stacks_frames(&f->m->stacks, link->owner_stack, &depth);
  out->holder = name_thread(f, link->owner);
  out->holder_reads = link->owner_reads;
  out->holder_is_first =
      link->owner_reads || (link->pair.owner == link->owner && !link->pair.owner_is_late);
  out->holder_ended = find_ended(f, lock_events[link->pair.kind].sort, link->owner);
  if (out->holder_ended > 0) find_failure(f, link->owner, &out->holder_failure);
  out->holder_is_unseen = threads_find(&f->m->threads, link->owner) == NULL;
  if (link->owner_stack == 0) return;
  if (link->owner_stack_is_later && depth > 0) {
    out->acquired_in = name_method(f, frames[0].method);
    bool is_platform = place_is_platform(f->m->dump, frames[0].method);
    place_t place = stacks_place(&f->m->stacks, link->owner_stack);
    if (is_platform && place_method(place) != frames[0].method)
      out->called_at = name_place(f, place);
  } else {
    out->acquired_at = name_stack(f, link->owner_stack);
  }
}

/* The wait has not ended, so the pair has no end of its own. */
ticks_t find_waited(const struct model *m, const struct pair *pair) {
  ticks_t to = m->recording.to;
  return to > pair->begin ? to - pair->begin : 0;
}

/* --- a thread that waits for a task --------------------------------------------------------- */

static bool waits_for_task(const struct pair *pair) {
  return event_infos[pair->kind].group == GROUP_FUTURE;
}

static void find_pool(const struct finder *f, const struct wait_link *link,
                      struct found_link *out) {
  const struct pools *p = &f->m->pools;
  struct tally workers = {0};
  bool good = true;
  for (size_t i = 0; good && i < p->num_workers; i++) {
    const struct pool_worker *worker = &p->workers[i];
    if (worker->executor != link->executor) continue;
    good = tally_add(&workers, 0, worker->thread, 1, 0);
    out->is_own_pool |= worker->thread == link->pair.thread;
  }
  tally_sort(&workers);
  f->out->failed |= !good;
  out->num_workers = count_threads(&workers, 0);
  if (good && out->num_workers > 0) out->pool = name_threads(f, &workers, 0);
  tally_free(&workers);
}

static void find_task(const struct finder *f, const struct wait_link *link,
                      struct found_link *out) {
  out->call = name_call(f, (int)link->pair.kind, link->pair.stack);
  out->task = link->executor != 0 ? "queued" : "runs";
  if (link->executor != 0) {
    find_pool(f, link, out);
  } else {
    out->holder = name_thread(f, link->owner);
  }
}

void find_link(const struct finder *f, const struct wait_link *link, struct found_link *out) {
  const struct pair *pair = &link->pair;
  *out = (struct found_link){.thread = name_thread(f, pair->thread),
                             .place = name_stack(f, pair->stack),
                             .num_threads = 1,
                             .waited = found_ns(find_waited(f->m, pair)),
                             .waited_is_least = pair->is_older};
  out->shortest = out->waited;
  if (event_joins(pair->kind)) {
    out->joins = name_thread(f, pair->object);
    return;
  }
  if (pair->kind == EVENT_CLASS_INIT_WAIT) {
    out->class_name = name_class(f, pair->object);
    out->holder = name_thread(f, link->owner);
    return;
  }
  if (waits_for_task(pair)) {
    find_task(f, link, out);
    return;
  }
  out->lock = name_lock(f, lock_events[pair->kind].sort, pair->object);
  bool is_monitor = lock_events[pair->kind].sort == LOCK_MONITOR;
  if (is_monitor) out->call = name_call(f, CALL_OF_PROGRAM, pair->stack);
  find_own_read_side(f, link, out);
  bool is_itself = out->holds_read && link->owner == pair->thread;
  if (link->owner != 0 && !is_itself) find_holder(f, link, out);
}

/* Whether two threads wait alike for tasks in the queue of one pool. Threads of the pool differ
   from others. */
static bool is_alike(const struct finder *f, const struct wait_link *a, const struct wait_link *b) {
  const struct stacks *stacks = &f->m->stacks;
  struct found_link left = {0}, right = {0};
  if (a->executor == 0 || a->executor != b->executor || a->pair.kind != b->pair.kind) return false;
  if (stacks_place(stacks, a->pair.stack) != stacks_place(stacks, b->pair.stack)) return false;
  find_pool(f, a, &left);
  find_pool(f, b, &right);
  return left.is_own_pool == right.is_own_pool;
}

/* Adds the threads that wait alike as one row, with the first of them. */
static void add_link(const struct finder *f, const struct deadlocks *d, size_t at,
                     struct found_rows *links) {
  const struct deadlock_link *link = &d->links[at];
  struct tally threads = {0};
  struct found_link *part = NULL;
  bool good = true, is_first = true;
  for (size_t i = 0; good && i < d->num; i++) {
    const struct wait_link *other = &d->links[i].wait;
    bool is_same = i == at || (d->links[i].ring == link->ring && is_alike(f, &link->wait, other));
    if (is_same) is_first &= i >= at;
    if (is_same) good = tally_add(&threads, 0, other->pair.thread, 1, 0);
  }
  tally_sort(&threads);
  f->out->failed |= !good;
  if (good && is_first) part = FINDINGS_PART(f->out, links, link);
  if (part != NULL) {
    find_link(f, &link->wait, part);
    part->num_threads = count_threads(&threads, 0);
    if (part->num_threads > 1) part->thread = name_threads(f, &threads, 0);
  }
  tally_free(&threads);
}

/* --- who waits behind a ring ---------------------------------------------------------------- */

/* Returns whether a thread is in this ring. */
static bool is_in_ring(const struct deadlocks *d, size_t ring, uint32_t thread) {
  for (size_t i = 0; i < d->num; i++) {
    if (d->links[i].ring == ring && d->links[i].wait.pair.thread == thread) return true;
  }
  return false;
}

/* Returns whether a wait that cannot end leads into the ring. */
static bool leads_to_ring(const struct model *m, const struct waiter *w, size_t ring) {
  size_t owner;
  for (size_t left = m->hang.graph.num; w != NULL && left > 0; left--) {
    if (is_in_ring(&m->deadlocks, ring, w->pair.thread)) return true;
    w = wait_for_blocker(&m->hang.graph, w, &owner);
  }
  return false;
}

static void add_others(const struct finder *f, size_t ring, struct found_deadlock *row) {
  const struct wait_for *graph = &f->m->hang.graph;
  struct tally others = {0};
  bool good = true;
  for (size_t i = 0; good && i < graph->num; i++) {
    const struct waiter *w = &graph->waiters[i];
    bool waits = !w->can_end && !is_in_ring(&f->m->deadlocks, ring, w->pair.thread) &&
                 leads_to_ring(f->m, w, ring);
    if (waits) good = tally_add(&others, 0, w->pair.thread, 1, 1);
  }
  tally_sort(&others);
  f->out->failed |= !good;
  row->num_others = good ? count_threads(&others, 0) : 0;
  if (row->num_others > 0) row->others = name_threads(f, &others, 0);
  tally_free(&others);
}

/* --- rings with a time limit ---------------------------------------------------------------- */

/* A try that is made again and again may meet another one by chance. */
#define LEAST_TICKS TICKS_PER_S

static bool lasts(const struct model *m, size_t ring) {
  const struct deadlocks *d = &m->timed_rings;
  for (size_t i = 0; i < d->num; i++) {
    const struct pair *pair = &d->links[i].wait.pair;
    if (d->links[i].ring == ring && find_waited(m, pair) < LEAST_TICKS) return false;
  }
  return true;
}

static void find_timed_ring(const struct finder *f, size_t ring) {
  const struct deadlocks *d = &f->m->timed_rings;
  struct found_timed_ring row = {0};
  struct tally limited = {0};
  ticks_t waited = 0;
  for (size_t i = 0; i < d->num; i++) {
    const struct wait_link *link = &d->links[i].wait;
    if (d->links[i].ring != ring) continue;
    struct found_link *part = FINDINGS_PART(f->out, &row.links, link);
    if (part == NULL) continue;
    row.threads++;
    waited += find_waited(f->m, &link->pair);
    find_link(f, link, part);
    if (!d->links[i].is_timed) continue;
    part->call = name_call(f, (int)link->pair.kind, link->pair.stack);
    f->out->failed |= !tally_add(&limited, 0, link->pair.thread, 1, 1);
  }
  tally_sort(&limited);
  if (!f->out->failed) {
    row.limited = name_threads(f, &limited, 0);
    row.num_limited = count_threads(&limited, 0);
    FINDINGS_ADD(f->out, timed_ring, waited, &row);
  }
  tally_free(&limited);
}

/* --- findings ------------------------------------------------------------------------------- */

static bool is_interruptible(const struct model *m, const struct pair *pair) {
  return names_stack_matches(m->dump, &m->stacks, pair->stack, "*.lockInterruptibly");
}

static void find_deadlock(const struct finder *f, size_t ring) {
  const struct deadlocks *d = &f->m->deadlocks;
  struct found_deadlock row = {.group = ring + 1};
  ticks_t waited = 0;
  for (size_t i = 0; i < d->num; i++) {
    const struct wait_link *link = &d->links[i].wait;
    if (d->links[i].ring != ring) continue;
    row.threads++;
    waited += find_waited(f->m, &link->pair);
    add_link(f, d, i, &row.links);
    if (is_interruptible(f->m, &link->pair)) row.interruptible = name_thread(f, link->pair.thread);
  }
  add_others(f, ring, &row);
  FINDINGS_ADD(f->out, deadlock, waited, &row);
}

void find_deadlocks(const struct finder *f) {
  const struct deadlocks *d = &f->m->deadlocks;
  for (size_t ring = 0; ring < d->num_rings; ring++) {
    if (!deadlocks_are_classes(d, ring)) find_deadlock(f, ring);
  }
  for (size_t ring = 0; ring < f->m->timed_rings.num_rings; ring++) {
    if (lasts(f->m, ring)) find_timed_ring(f, ring);
  }
}
