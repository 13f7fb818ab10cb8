/* Threads in I/O, and threads that stand though the JVM calls them runnable. */
#include <string.h>

#include "tools/orca/answer/find.h"

#define IO_PERCENT 5      /* of the working threads' time */
#define STOOD_PERCENT 10  /* of the recording */
#define UNSEEN_PERCENT 10 /* of the I/O */
#define STANDING_TICKS TICKS_PER_S

/* --- I/O ------------------------------------------------------------------------------------ */

/* The threads that stood in such calls when the recording ended. */
struct standing {
  struct tally threads; /* group 0 */
  ticks_t total, shortest;
};

static bool find_standing(const struct model *m, place_t place, struct standing *out) {
  ticks_t until = m->threads.clock.tick;
  bool good = true;
  for (size_t i = 0; good && i < m->threads.num; i++) {
    const struct thread *t = &m->threads.rows[i];
    if (t->io_since == 0 || until < t->io_since + STANDING_TICKS) continue;
    if (stacks_place(&m->stacks, t->io_stack) != place) continue;
    ticks_t time = until - t->io_since;
    good = tally_add(&out->threads, 0, t->hash, 1, 0); /* all are named */
    out->total += time;
    if (out->shortest == 0 || time < out->shortest) out->shortest = time;
  }
  tally_sort(&out->threads);
  return good;
}

/* A thread counts as running from an event on if no sample saw it before the next one. If it
   neither used a CPU for so long nor waited for one, it may have been in a short call then. */
static bool has_unseen_calls(const struct model *m, const struct spending_row *row) {
  size_t num;
  const struct tally_row *threads = tally_of(&m->spending.threads, row->id, &num);
  ticks_t ran = 0, used = find_cpu_wait(m, row->id);
  for (size_t i = 0; i < num; i++) {
    const struct thread *t = threads_find(&m->threads, (uint32_t)threads[i].key);
    if (t == NULL) continue;
    ran += t->in_activity[ACTIVITY_RUNS];
    used += t->cpu_ns * TICKS_PER_NS;
  }
  return ran > used && (ran - used) * 100 > row->total * UNSEEN_PERCENT;
}

static void add_calls(const struct finder *f, const struct spending_row *row,
                      struct found_rows *calls) {
  const struct tally *threads = &f->m->spending.threads;
  struct found_rest *rest = FINDINGS_PART(f->out, calls, rest);
  if (rest == NULL) return;
  *rest = (struct found_rest){.threads = name_threads(f, threads, row->id),
                              .num_threads = count_threads(threads, row->id),
                              .does = "io",
                              .call = name_call(f, CALL_IO, row->stack),
                              .place = name_place(f, row->place),
                              .total = found_ns(row->total),
                              .total_is_least = has_unseen_calls(f->m, row)};
}

static void add_standing(const struct finder *f, const struct standing *s,
                         struct found_rows *standing) {
  struct found_rest *rest = s->total == 0 ? NULL : FINDINGS_PART(f->out, standing, rest);
  if (rest == NULL) return;
  *rest = (struct found_rest){.threads = name_threads(f, &s->threads, 0),
                              .num_threads = count_threads(&s->threads, 0),
                              .does = "io",
                              .shortest = found_ns(s->shortest),
                              .pool_workers = count_pool_workers(f, &s->threads, 0, CALL_IO)};
}

/* A lock that a thread held in these calls, for which others waited: they wait for the I/O, too. */
static void find_lock_behind(const struct finder *f, const struct spending_row *row,
                             struct found_io *out) {
  for (size_t i = 0; i < f->out->num; i++) {
    const struct found_lock *lock = f->out->rows[i].row;
    bool is_behind = f->out->rows[i].kind == FINDING_lock && lock->holder != NULL &&
                     lock->holders <= 1 && lock->waiters != NULL && lock->holder_does != NULL &&
                     strcmp(lock->holder_does, "io") == 0 &&
                     lock->holder_place.place == row->place && lock->holder_blocked == 0;
    if (!is_behind || lock->blocked <= out->lock_blocked) continue;
    out->lock = lock->lock;
    out->lock_holder = lock->holder;
    out->lock_waiters = lock->waiters;
    out->lock_blocked = lock->blocked;
  }
}

void find_io(const struct finder *f) {
  const struct spending *s = &f->m->spending;
  const struct spending_row *row = spending_largest(s, ACTIVITY_IO);
  ticks_t io = s->in_activity[ACTIVITY_IO], worked = spending_worked(s);
  if (row == NULL || io * 100 < worked * IO_PERCENT) return;
  if (io <= recording_time(&f->m->recording) / 100) return;
  if (find_cpu_wait(f->m, row->id) > row->total) return; /* which it may have been instead */
  struct standing standing = {0};
  f->out->failed |= !find_standing(f->m, row->place, &standing);
  bool is_still = answer_still_time(f->m) > 0;
  bool is_told = is_still && standing.total * 10 >= row->total * 9; /* as a standstill */
  struct found_io io_row = {.time = found_ns(io), .worked = found_ns(worked)};
  if (!is_told) {
    add_calls(f, row, &io_row.calls);
    find_lock_behind(f, row, &io_row);
    if (!is_still) add_standing(f, &standing, &io_row.standing);
    FINDINGS_ADD(f->out, io, io, &io_row);
  }
  tally_free(&standing.threads);
}

/* --- threads that stand ---------------------------------------------------------------------- */

/* The JVM calls a thread runnable while it waits for another thread to initialize a class. The
   kernel knows that such a thread neither used a CPU nor waited for one. Returns how long the
   threads of the row stood at least; 0: it does not matter, or is not certain. */
static ticks_t find_stood_time(const struct model *m, const struct spending_row *row) {
  ticks_t waited = row == NULL ? 0 : find_cpu_wait(m, row->id);
  if (row == NULL || !m->process.wait_known || waited >= row->total / 2) return 0;
  ticks_t stood = row->total - waited;
  return stood * 100 >= recording_time(&m->recording) * STOOD_PERCENT ? stood : 0;
}

/* Returns the class whose static initializer is on the stack; 0: none. */
static uint32_t find_initialized(const struct model *m, stack_id_t stack) {
  size_t depth = 0;
  const struct frame *frames = stack == 0 ? NULL : stacks_frames(&m->stacks, stack, &depth);
  for (size_t i = 0; i < depth; i++) {
    const struct method_line *method = dump_method(m->dump, frames[i].method);
    if (method != NULL && span_is(method->name, "<clinit>")) return method->class_id;
  }
  return 0;
}

/* Another thread that was in a static initializer for most of that time. */
static void add_initializer(const struct finder *f, const struct spending_row *stood,
                            struct found_stood *out) {
  const struct spending *s = &f->m->spending;
  ticks_t each = stood->total / count_threads(&s->threads, stood->id);
  for (size_t i = 0; i < s->num; i++) {
    const struct spending_row *row = &s->rows[i];
    uint32_t class_id = row == stood ? 0 : find_initialized(f->m, row->stack);
    if (class_id == 0 || spending_overlap(stood, row) < each / 2) continue;
    out->initializer = name_threads(f, &s->threads, row->id);
    out->class_name = name_class(f, class_id);
    out->initializer_place = name_place(f, row->place);
    out->initialized = found_ns(row->total);
    return;
  }
}

/* Waits for the initialization of a class, which ended. */
struct class_waits {
  const struct class_init *first;
  struct tally threads;
  ticks_t total;
  bool is_least; /* one of them may have been longer */
};

/* Returns the waits for the class and the initializer of `first`. */
static bool add_class_waits(const struct class_inits *c, const struct class_init *first,
                            struct class_waits *out) {
  bool good = true;
  *out = (struct class_waits){.first = first};
  for (const struct class_init *wait = first; good && wait < c->waits + c->num; wait++) {
    bool is_same = wait->class_id == first->class_id && wait->initializer == first->initializer;
    if (!is_same || wait->is_open || !wait->matches) continue;
    out->total += wait->end - wait->begin;
    out->is_least |= class_init_is_least(wait);
    good = tally_add(&out->threads, 0, wait->thread, 1, wait->end - wait->begin);
  }
  tally_sort(&out->threads);
  return good;
}

static bool find_largest_waits(const struct class_inits *c, struct class_waits *largest) {
  bool good = true;
  *largest = (struct class_waits){.first = NULL};
  for (size_t i = 0; good && i < c->num; i++) {
    struct class_waits waits;
    good = add_class_waits(c, &c->waits[i], &waits);
    bool is_larger = waits.total > largest->total;
    tally_free(is_larger ? &largest->threads : &waits.threads);
    if (is_larger) *largest = waits;
  }
  return good;
}

/* Where the static initializer was, if that is most of the time of the longest waiter. */
static void find_initializer_place(const struct finder *f, const struct class_waits *waits,
                                   struct found_stood *out) {
  uint32_t class_id = waits->first->class_id;
  const struct spending *s = &f->m->spending;
  const struct spending_row *most = NULL;
  for (size_t i = 0; i < s->num; i++) {
    bool is_larger = most == NULL || s->rows[i].total > most->total;
    if (is_larger && find_initialized(f->m, s->rows[i].stack) == class_id) most = &s->rows[i];
  }
  if (most == NULL || most->total * 2 < waits->threads.rows[0].total) return;
  out->initializer_place = name_place(f, most->place);
  out->initialized = found_ns(most->total);
}

/* Returns whether the JVM told of threads that waited for the initialization of a class, for a time
   that matters. */
static bool find_class_waits(const struct finder *f) {
  struct class_waits waits;
  f->out->failed |= !find_largest_waits(&f->m->class_inits, &waits);
  bool matters =
      waits.total > 0 && waits.total * 100 >= recording_time(&f->m->recording) * STOOD_PERCENT;
  if (matters) {
    struct found_stood out = {.threads = name_threads(f, &waits.threads, 0),
                              .num_threads = count_threads(&waits.threads, 0),
                              .time = found_ns(waits.total),
                              .time_is_least = waits.is_least,
                              .place = name_stack(f, waits.first->stack),
                              .initializer = name_thread(f, waits.first->initializer),
                              .class_name = name_class(f, waits.first->class_id),
                              .waited_for_class = true};
    find_initializer_place(f, &waits, &out);
    FINDINGS_ADD(f->out, stood, waits.total, &out);
  }
  tally_free(&waits.threads);
  return matters;
}

/* Threads that still wait for a class stand, too: then these may be the ones. */
static bool tells_class_wait(const struct findings *all) {
  for (size_t i = 0; i < all->num; i++) {
    if (all->rows[i].kind == FINDING_class_wait) return true;
  }
  return false;
}

void find_stood(const struct finder *f) {
  if (find_class_waits(f) || tells_class_wait(f->out)) return;
  const struct spending *s = &f->m->spending;
  const struct spending_row *row = spending_largest(s, ACTIVITY_RUNNABLE);
  ticks_t time = find_stood_time(f->m, row);
  if (time == 0) return;
  struct found_stood out = {.threads = name_threads(f, &s->threads, row->id),
                            .num_threads = count_threads(&s->threads, row->id),
                            .time = found_ns(time),
                            .place = name_place(f, row->place)};
  add_initializer(f, row, &out);
  FINDINGS_ADD(f->out, stood, time, &out);
}
