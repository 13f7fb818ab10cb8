/* Queues whose threads that put something into them wait for those that take. */
#include "tools/orca/answer/find.h"

#define QUEUES_TOLD 2
#define LEAST_PERCENT 25 /* of the recording: the waits of all threads */
#define SAME_PERCENT 90
#define LEAST_INTERVALS 5 /* between samples of the takers: with fewer, shares are chance */

static const struct stall *find_stall(const struct stalls *stalls, enum event_kind kind,
                                      uint32_t object) {
  for (size_t i = 0; i < stalls->num; i++) {
    const struct stall *s = &stalls->rows[i];
    if (s->kind == kind && s->object == object && !s->is_several) return s;
  }
  return NULL;
}

/* A queue without room for anything: each put waits for a thread that takes. */
static bool hands_over(const struct dump *d, uint32_t class_id) {
  const struct class_line *class = dump_class(d, class_id);
  return class != NULL &&
         (place_is_class(class->signature, "java/util/concurrent/SynchronousQueue") ||
          place_is_class(class->signature, "java/util/concurrent/LinkedTransferQueue"));
}

/* --- the threads that take ------------------------------------------------------------------ */

/* Where the threads that take from a queue were, by their samples. */
struct takers {
  struct tally threads; /* group 0 */
  struct tally places;  /* group 0: place; wall-clock time */
  struct tally stacks;  /* by number of a place: stack */
  ticks_t sampled;
  uint64_t intervals;
  ticks_t lived; /* the sum of their lifetimes */
  bool are_busy; /* they used CPUs or were blocked on locks for much of it: others tell of that */
};

static bool is_taker(const struct takers *t, uint32_t thread) {
  for (size_t i = 0; i < t->threads.num; i++) {
    if (t->threads.rows[i].key == thread) return true;
  }
  return false;
}

static void add_samples(const struct finder *f, struct takers *t) {
  const struct model *m = f->m;
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    const struct profile_cost *cost = &row->costs[PROFILE_WALL];
    if (cost->time == 0 || !is_taker(t, row->thread)) continue;
    place_t place = row->stack == 0 ? 0 : stacks_place(&m->stacks, row->stack);
    t->sampled += cost->time;
    t->intervals += cost->count;
    f->out->failed |= !tally_add(&t->places, 0, place, cost->count, cost->time) ||
                      !tally_add(&t->stacks, 0, row->stack, cost->count, cost->time);
  }
  tally_sort(&t->places);
  tally_sort(&t->stacks);
}

static void find_takers(const struct finder *f, const struct stall *removes, struct takers *t) {
  const struct model *m = f->m;
  ticks_t lived = 0, busy = 0;
  size_t num;
  const struct tally_row *rows = tally_of(&m->stalls.threads, removes->id, &num);
  for (size_t i = 0; i < num; i++) {
    const struct thread *thread = threads_find(&m->threads, (uint32_t)rows[i].key);
    f->out->failed |= !tally_add(&t->threads, 0, rows[i].key, 1, 0);
    if (thread == NULL) continue;
    lived += thread->last - thread->first;
    busy += thread->cpu_ns * TICKS_PER_NS + thread->in_activity[ACTIVITY_BLOCKED];
  }
  t->lived = lived;
  t->are_busy = busy * 2 >= lived;
  tally_sort(&t->threads);
  add_samples(f, t);
}

/* The stack with most time at a place. */
static stack_id_t find_stack(const struct model *m, const struct takers *t, place_t place) {
  for (size_t i = 0; i < t->stacks.num; i++) {
    stack_id_t stack = (stack_id_t)t->stacks.rows[i].key;
    if (stack != 0 && stacks_place(&m->stacks, stack) == place) return stack;
  }
  return 0;
}

/* Do they call the same method of the JDK for nearly all of their time at the place of a stack? */
static bool calls_same(const struct finder *f, const struct takers *t, stack_id_t stack) {
  const struct model *m = f->m;
  uint32_t called = find_called(m, stack);
  place_t place = stacks_place(&m->stacks, stack);
  ticks_t all = 0, same = 0;
  for (size_t i = 0; i < t->stacks.num; i++) {
    stack_id_t other = (stack_id_t)t->stacks.rows[i].key;
    if (other == 0 || stacks_place(&m->stacks, other) != place) continue;
    all += t->stacks.rows[i].total;
    if (find_called(m, other) == called) same += t->stacks.rows[i].total;
  }
  return called != 0 && same * 100 >= all * SAME_PERCENT;
}

/* What threads that take did mostly. All zero: they did nothing mostly, or it is not known. */
struct taker_work {
  const char *does, *call;
  struct named_place place;
  uint64_t time, sampled;
};

/* What a thread does is known only in the native methods that wait. */
static struct taker_work find_work(const struct finder *f, const struct takers *t) {
  const struct tally_row *best = t->places.num == 0 ? NULL : &t->places.rows[0];
  stack_id_t stack = best == NULL ? 0 : find_stack(f->m, t, best->key);
  struct taker_work work = {0};
  if (stack == 0 || t->intervals < LEAST_INTERVALS || best->total * 2 < t->sampled) return work;
  enum activity activity = stacks_activity(&f->m->stacks, stack);
  work.does = activity == ACTIVITY_RUNS ? "at" : name_rest(activity);
  if (activity == ACTIVITY_IO) work.call = name_call(f, CALL_IO, stack);
  if (activity == ACTIVITY_RUNS && calls_same(f, t, stack)) {
    work.call = name_call(f, CALL_OF_PROGRAM, stack);
  }
  work.place = name_place(f, best->key);
  work.time = found_ns(best->total);
  work.sampled = found_ns(t->sampled);
  return work;
}

static void free_takers(struct takers *t) {
  tally_free(&t->threads);
  tally_free(&t->places);
  tally_free(&t->stacks);
}

/* --- the finding ---------------------------------------------------------------------------- */

/* The row of the spending in which threads wait to put something, with most of their time. */
static const struct spending_row *find_puts(const struct model *m, const struct stall *inserts) {
  size_t num;
  const struct tally_row *threads = tally_of(&m->stalls.threads, inserts->id, &num);
  for (size_t i = 0; i < m->spending.num; i++) {
    const struct spending_row *row = &m->spending.rows[i];
    if (row->call != (int)EVENT_QUEUE_INSERT) continue;
    size_t num_here;
    const struct tally_row *here = tally_of(&m->spending.threads, row->id, &num_here);
    for (size_t k = 0; k < num; k++) {
      if (num_here > 0 && threads[k].key == here[0].key) return row;
    }
  }
  return NULL;
}

static void add_waits(const struct finder *f, const struct stall *inserts,
                      struct found_full_queue *out) {
  const struct spending_row *row = find_puts(f->m, inserts);
  struct found_rest *rest = FINDINGS_PART(f->out, &out->waits, rest);
  if (rest == NULL) return;
  *rest = (struct found_rest){
      .threads = name_threads(f, &f->m->stalls.threads, inserts->id),
      .num_threads = count_threads(&f->m->stalls.threads, inserts->id),
      .does = "waits",
      .call = name_call(f, (int)EVENT_QUEUE_INSERT, row == NULL ? 0 : row->stack),
      .place = name_place(f, row == NULL ? 0 : row->place),
      .total = found_ns(inserts->total)};
}

/* If the takers wait in the queue, too, it is not full for long. */
static bool add_queue(const struct finder *f, const struct stall *inserts) {
  const struct model *m = f->m;
  const struct stall *removes = find_stall(&m->stalls, EVENT_QUEUE_REMOVE, inserts->object);
  if (removes == NULL || removes->count == 0 || removes->total * 2 > inserts->total) return false;
  struct takers takers = {0};
  struct found_full_queue out = {.queue = name_object(f, inserts->object),
                                 .has_no_room = !hands_over(m->dump, inserts->class_id)};
  find_takers(f, removes, &takers);
  add_waits(f, inserts, &out);
  out.takers = name_threads(f, &takers.threads, 0);
  out.num_takers = count_threads(&takers.threads, 0);
  struct taker_work work = find_work(f, &takers);
  out.does = work.does;
  out.call = work.call;
  out.taker_place = work.place;
  out.time = work.time;
  out.sampled = work.sampled;
  FINDINGS_ADD(f->out, full_queue, takers.are_busy ? 0 : inserts->total, &out);
  free_takers(&takers);
  return true;
}

/* --- queues that grow ----------------------------------------------------------------------- */

#define LEAST_LEFT 100        /* elements */
#define MOST_TAKEN_PERCENT 50 /* of the elements that were put */
#define MOST_WAITED_PERCENT 5 /* of the lifetime of the threads that take */

static bool has_no_bound(const struct dump *d, uint32_t class_id) {
  const struct class_line *class = dump_class(d, class_id);
  return class != NULL &&
         (place_is_class(class->signature, "java/util/concurrent/LinkedBlockingQueue") ||
          place_is_class(class->signature, "java/util/concurrent/LinkedBlockingDeque") ||
          place_is_class(class->signature, "java/util/concurrent/PriorityBlockingQueue"));
}

static uint64_t count_done(const struct stall *s) { return s->count - s->failed - s->open; }

/* Only if each call of put and take has a line. */
static bool knows_all_calls(const struct model *m) {
  const struct coverage *coverage = dump_coverage(m->dump);
  return coverage_has_short_pairs(coverage) && !coverage_is_lossy(coverage) &&
         coverage_has_group(coverage, GROUP_QUEUE) && !filter_has_patterns(&m->matcher.filter);
}

static void add_backlog(const struct finder *f, const struct stall *inserts,
                        const struct stall *removes) {
  const struct model *m = f->m;
  struct takers takers = {0};
  find_takers(f, removes, &takers);
  struct taker_work work = find_work(f, &takers);
  struct found_backlog out = {.queue = name_object(f, inserts->object),
                              .putters = name_threads(f, &m->stalls.threads, inserts->id),
                              .put = count_done(inserts),
                              .place = name_place(f, tally_best(&m->stalls.places, inserts->id)),
                              .taken = count_done(removes),
                              .takers = name_threads(f, &takers.threads, 0),
                              .num_takers = count_threads(&takers.threads, 0),
                              .waited = found_ns(removes->total),
                              .does = work.does,
                              .call = work.call,
                              .taker_place = work.place,
                              .time = work.time,
                              .sampled = work.sampled};
  bool hardly_waited = removes->total * 100 <= takers.lived * MOST_WAITED_PERCENT;
  if (hardly_waited) FINDINGS_ADD(f->out, backlog, takers.lived - removes->total, &out);
  free_takers(&takers);
}

static void find_backlogs(const struct finder *f) {
  const struct stalls *stalls = &f->m->stalls;
  size_t told = 0;
  if (!knows_all_calls(f->m)) return;
  for (size_t i = 0; i < stalls->num && told < QUEUES_TOLD; i++) {
    const struct stall *s = &stalls->rows[i], *removes;
    if (s->kind != EVENT_QUEUE_INSERT || s->object == 0 || s->is_several) continue;
    if (!has_no_bound(f->m->dump, s->class_id)) continue;
    removes = find_stall(stalls, EVENT_QUEUE_REMOVE, s->object);
    uint64_t put = count_done(s), taken = removes == NULL ? 0 : count_done(removes);
    bool is_left =
        taken > 0 && put >= taken + LEAST_LEFT && taken * 100 <= put * MOST_TAKEN_PERCENT;
    if (!is_left) continue;
    add_backlog(f, s, removes);
    told++;
  }
}

void find_own_queue(const struct finder *f, uint32_t thread, struct found_wait *out) {
  const struct stalls *stalls = &f->m->stalls;
  for (size_t i = 0; knows_all_calls(f->m) && i < stalls->num; i++) {
    const struct stall *removes = &stalls->rows[i];
    if (removes->kind != EVENT_QUEUE_REMOVE || removes->object == 0) continue;
    const struct stall *inserts = find_stall(stalls, EVENT_QUEUE_INSERT, removes->object);
    size_t num = 0;
    const struct tally_row *takers = tally_of(&stalls->threads, removes->id, &num);
    uint64_t taken = count_done(removes), put = inserts == NULL ? 0 : count_done(inserts);
    if (num != 1 || (uint32_t)takers[0].key != thread || taken == 0 || put <= taken) continue;
    out->queue = name_object(f, removes->object);
    out->queue_taken = taken;
    out->queue_put = put;
  }
}

/* The stalls are sorted by their total. */
void find_queues(const struct finder *f) {
  const struct stalls *stalls = &f->m->stalls;
  ticks_t least = recording_time(&f->m->recording) / 100 * LEAST_PERCENT;
  size_t told = 0;
  for (size_t i = 0; i < stalls->num && told < QUEUES_TOLD; i++) {
    const struct stall *s = &stalls->rows[i];
    bool is_of_queue = s->kind == EVENT_QUEUE_INSERT && s->object != 0 && !s->is_several;
    if (is_of_queue && s->count > 0 && s->total >= least) told += add_queue(f, s);
  }
  find_backlogs(f);
}
