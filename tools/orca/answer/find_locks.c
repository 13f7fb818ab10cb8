/* The locks that threads waited for longest. */
#include <stdlib.h>
#include <string.h>

#include "tools/orca/answer/find.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/replay/contention.h"

#define LOCKS_TOLD 3
/* A lock is told if one of these is true. If no lock is told then, the first one is:
   - their own blocked time is at least 1/LEAST of the recording and 1/LEAST_OF_ALL of that of all
     locks, or
   - they have more than 1/LEAST_OF_ALL of the critical path. */
#define LEAST 100
#define LEAST_OF_ALL 20

/* Owners are named if they are known for so many waits, or for 1/KNOWN_PART of them. */
#define LEAST_KNOWN 10
#define KNOWN_PART 10

/* A lock that takes at least 1/MUCH_OF_LIFE of the time of its waiters slows them down, whether or
   not that delays the end of the program: it may serve requests, or run for a fixed time. */
#define MUCH_OF_LIFE 10

/* The locks as they are told: objects of one class that threads ask for at the same place are one
   row. Tables of holders are the model's, for these rows. */
struct told {
  const struct finder *f;
  struct locks locks;
  uint32_t *ids; /* id of a lock in the model -> id here */
  struct tally holder_places, holder_stacks, holder_samples, handoffs, holders, read_holds;
  struct tally on_path; /* as in struct bounds */
};

static bool tell_locks(struct told *t, const struct finder *f) {
  const struct answer *a = f->answer;
  const struct model *m = f->m;
  uint32_t *ids = t->ids = malloc((m->locks.num_ids + 1) * sizeof *ids);
  t->f = f;
  bool good = ids != NULL && locks_by_place(&m->locks, m->dump, &t->locks, ids) &&
              tally_merge(&a->contention.holder_places, ids, &t->holder_places) &&
              tally_merge(&a->contention.holder_stacks, ids, &t->holder_stacks) &&
              tally_merge(&a->contention.read_holds, ids, &t->read_holds) &&
              tally_merge(&a->contention.holder_samples, ids, &t->holder_samples) &&
              tally_merge(&a->contention.handoffs, ids, &t->handoffs) &&
              tally_merge(&a->contention.lock_holders, ids, &t->holders) &&
              bounds_merge_locks(&a->bounds, ids, &t->on_path);
  tally_sort(&t->holder_places);
  tally_sort(&t->holder_stacks);
  tally_sort(&t->read_holds);
  tally_sort(&t->holder_samples);
  tally_sort(&t->handoffs);
  tally_sort(&t->holders);
  return good;
}

/* Which rows are told: those on the critical path first. A small part of the path ranks nothing. */
struct ranked {
  const struct lock *lock;
  ticks_t on_path;
};

static bool is_on_path(const struct bounds *b, ticks_t on_path) {
  return on_path > b->work / LEAST_OF_ALL;
}

static int compare_ranked(const void *left, const void *right) {
  const struct ranked *a = left, *b = right;
  if (a->on_path != b->on_path) return compare_numbers(b->on_path, a->on_path);
  return a->lock < b->lock ? -1 : a->lock > b->lock; /* locks_by_place has sorted them */
}

/* Returns NULL when memory ran out. The caller frees the result. */
static struct ranked *rank_locks(const struct told *t) {
  struct ranked *ranked = calloc(t->locks.num + 1, sizeof *ranked);
  for (size_t i = 0; ranked != NULL && i < t->locks.num; i++) {
    const struct lock *lock = &t->locks.rows[i];
    ticks_t on_path = bounds_lock_time(&t->on_path, lock->id);
    ranked[i] = (struct ranked){lock, is_on_path(&t->f->answer->bounds, on_path) ? on_path : 0};
  }
  if (ranked != NULL) qsort(ranked, t->locks.num, sizeof *ranked, compare_ranked);
  return ranked;
}

static void free_told(struct told *t) {
  locks_free(&t->locks);
  tally_free(&t->holder_places);
  tally_free(&t->holder_stacks);
  tally_free(&t->read_holds);
  tally_free(&t->holder_samples);
  tally_free(&t->handoffs);
  tally_free(&t->holders);
  tally_free(&t->on_path);
  free(t->ids);
}

/* --- sides ---------------------------------------------------------------------------------- */

/* The other side of a read-write lock, if threads waited for it; else NULL. */
static const struct lock *find_other_side(const struct told *t, const struct lock *lock) {
  if (!lock_sort_is_side(lock->sort) || lock->object == 0) return NULL;
  for (size_t i = 0; i < t->locks.num; i++) {
    const struct lock *other = &t->locks.rows[i];
    bool is_other = lock_sort_is_side(other->sort) && other->sort != lock->sort;
    if (is_other && other->object == lock->object && other->blocked > 0) return other;
  }
  return NULL;
}

static bool is_first_side(const struct lock *lock, const struct lock *other) {
  return lock->blocked != other->blocked ? lock->blocked > other->blocked
                                         : lock->sort == LOCK_READ_SIDE;
}

/* --- owners --------------------------------------------------------------------------------- */

/* What holders did at their place, and who called it: by the stack with most time there, if it has
   at least half of it. */
static void find_holder_work(const struct told *t, const struct lock *lock,
                             const struct tally_row *place, struct found_lock *out) {
  const struct stacks *stacks = &t->f->m->stacks;
  size_t num;
  const struct tally_row *rows = tally_of(&t->holder_stacks, lock->id, &num);
  for (size_t i = 0; i < num; i++) {
    stack_id_t stack = (stack_id_t)(rows[i].key & ~CONTENTION_GUESSED);
    if (stack == 0 || stacks_place(stacks, stack) != place->key) continue;
    if (rows[i].total * 2 < place->total) return;
    struct named_work work = name_work(t->f, stack);
    struct found_caller caller;
    const struct lock *other = find_other_side(t, lock);
    struct lock_places asks = {
        &t->locks.places, {lock->id, other == NULL ? 0 : other->id}, other == NULL ? 1 : 2};
    out->holder_does = work.does;
    out->holder_call = work.call;
    if (!find_caller(t->f, stack, &asks, &caller)) return;
    out->caller_place = name_place(t->f, caller.place);
    out->caller_calls = name_method(t->f, caller.called);
    return;
  }
}

#define ENOUGH_SAMPLES 8

/* Where samples of all threads saw the holders most often, if that is most of these samples. */
static void find_sampled_place(const struct told *t, const struct lock *lock,
                               struct found_lock *out) {
  const struct model *m = t->f->m;
  size_t num;
  const struct tally_row *stacks = tally_of(&t->holder_samples, lock->id, &num);
  struct tally places = {0};
  uint64_t samples = 0;
  bool good = true;
  for (size_t i = 0; good && i < num; i++) {
    samples += stacks[i].count;
    good = tally_add(&places, 0, stacks_place(&m->stacks, (stack_id_t)stacks[i].key), 1,
                     stacks[i].count);
  }
  tally_sort(&places);
  size_t num_places;
  const struct tally_row *best = tally_of(&places, 0, &num_places);
  bool is_known = good && num_places > 0 && samples >= ENOUGH_SAMPLES && best->key != 0 &&
                  best->total * 2 >= samples;
  for (size_t i = 0; is_known && out->holder_place.text == NULL && i < num; i++) {
    stack_id_t stack = (stack_id_t)stacks[i].key;
    if (stacks_place(&m->stacks, stack) != best->key) continue;
    out->holder_place = name_place(t->f, best->key);
    out->holder_call = name_called(t->f, stack);
    out->holder_samples = best->total;
    out->holder_all_samples = samples;
  }
  t->f->out->failed |= !good;
  tally_free(&places);
}

/* The holders' location while others waited, if it was seen for at least half of the time. */
static void find_holder_place(const struct told *t, const struct lock *lock,
                              struct found_lock *out) {
  size_t num;
  const struct tally_row *places = tally_of(&t->holder_places, lock->id, &num), *best = NULL;
  ticks_t total = 0, seen = 0;
  for (size_t i = 0; i < num; i++) {
    bool is_known = (places[i].key & ~CONTENTION_GUESSED) != 0;
    if (is_known && best == NULL) best = &places[i];
    seen += is_known ? places[i].total : 0;
    total += places[i].total;
  }
  bool is_seen = best != NULL && seen >= total / 2;
  uint64_t guess = is_seen ? best->key & CONTENTION_GUESSED : 0;
  if (!is_seen || guess != 0) find_sampled_place(t, lock, out);
  if (!is_seen || out->holder_place.text != NULL) return;
  out->holder_place = name_place(t->f, best->key - guess);
  out->holder_place_is_only = best->total >= total;
  out->holder_place_is_last_seen = guess != 0;
  if (guess == 0) find_holder_work(t, lock, best, out);
}

/* A permit that others hand out has no owner. */
static bool may_name_owners(const struct told *t, const struct lock *lock) {
  return locks_should_name_owners(lock) &&
         (lock->sort != LOCK_SEMAPHORE ||
          holders_own_permits(&t->f->m->pass.holders, lock->object));
}

/* Whether a deadlock is told that names the owner: perhaps the thread that waits itself. */
static bool is_in_deadlock(const struct told *t, const struct lock *lock) {
  const struct deadlocks *d = &t->f->m->deadlocks;
  for (size_t i = 0; i < d->num; i++) {
    const struct pair *pair = &d->links[i].wait.pair;
    if (pair->object == lock->object && lock_event_asks(pair->kind)) return true;
  }
  return false;
}

/* A thread that cannot get the write side, since it holds the read side itself. */
static void find_upgrader(const struct told *t, const struct lock *lock, struct found_lock *out) {
  const struct holders *h = &t->f->m->pass.holders;
  uint32_t thread = lock->sort == LOCK_WRITE_SIDE ? holders_upgrader(h, lock->object) : 0;
  if (thread == 0) return;
  out->upgrader = name_thread(t->f, thread);
  out->owner_is_unknown = false;
}

/* Who hands out the permits. With a threshold it is not known who acquired them. */
static void find_releasers(const struct told *t, const struct lock *lock, struct found_lock *out) {
  bool has_short = lock->short_waits.num > 0 || lock->short_others.num > 0;
  size_t num;
  const struct tally_row *places = tally_of(&t->locks.release_places, lock->id, &num);
  if (!lock_is_credit(lock) || has_short) return;
  out->releases = lock->releases;
  out->releasers = name_threads(t->f, &t->locks.releasers, lock->id);
  /* Each call may release many permits, so that most calls need not be most of these. */
  if (num == 1 && places[0].key != 0) out->release_place = name_place(t->f, places[0].key);
}

/* Who owned the lock when others began to wait. Later it may have had other owners. */
static void find_first_owner(const struct told *t, const struct lock *lock,
                             struct found_lock *out) {
  size_t num;
  const struct tally_row *owners = tally_of(&t->locks.owners, lock->id, &num);
  bool is_named = may_name_owners(t, lock);
  bool is_known = lock->known_owners >= LEAST_KNOWN ||
                  (lock->known_owners > 0 && lock->known_owners * KNOWN_PART >= lock->waited);
  out->owner_is_unknown = is_named ? !is_known : lock->sort != LOCK_SEMAPHORE;
  out->owner_known = lock->known_owners;
  if (is_in_deadlock(t, lock)) out->owner_is_unknown = false;
  if (out->owner_is_unknown) find_upgrader(t, lock, out);
  if (!is_named || !is_known) return;
  out->first_owner = name_thread(t->f, (uint32_t)owners[0].key);
  out->first_owners = num;
  out->first_owner_waits = owners[0].count;
}

static bool holds_as_reader(const struct told *t, const struct lock *lock,
                            const struct tally_row *holder) {
  const struct tally_row *row = tally_find(&t->read_holds, lock->id, holder->key);
  return row != NULL && row->total >= holder->total / 100 * 99;
}

/* Who held the lock while others waited, if that is known for most of the time. */
static void find_owner(const struct told *t, const struct lock *lock, struct found_lock *out) {
  size_t num;
  const struct tally_row *holders = tally_of(&t->holders, lock->id, &num);
  ticks_t known = 0, single = lock->blocked - lock->short_waits.total;
  for (size_t i = 0; i < num; i++) known += holders[i].total;
  bool is_one = lock->sort != LOCK_SEMAPHORE || may_name_owners(t, lock);
  if (!is_one || num == 0 || known < single / 2) {
    find_first_owner(t, lock, out);
    return;
  }
  out->holders = num;
  if (num == 1 || holders[0].total >= known / 2) {
    out->holder = name_thread(t->f, (uint32_t)holders[0].key);
    bool is_part = num > 1 || holders[0].total < lock->blocked / 100 * 99;
    out->holder_blocked = is_part ? found_ns(holders[0].total) : 0;
    out->holder_reads = holds_as_reader(t, lock, &holders[0]);
  }
  find_holder_place(t, lock, out);
}

/* --- the other parts of a row ---------------------------------------------------------------- */

/* Returns whether the waits may lack some that were shorter than the threshold. */
static bool may_lack_waits(const struct model *m) {
  bool lacks = model_lacks_short_calls(m);
  for (size_t i = 0; i < m->locks.num; i++) lacks |= m->locks.rows[i].short_others.num > 0;
  return lacks;
}

static struct named_lock name_told(const struct told *t, const struct lock *lock) {
  struct named_lock name = name_lock(t->f, lock->sort, lock->object);
  bool has_class = lock->num_objects > 1;
  name.class_id = lock->class_id;
  name.class_name = has_class ? name_class(t->f, lock->class_id) : NULL;
  name.objects = lock->num_objects;
  name.is_several = lock->is_several;
  return name;
}

static void find_waits(const struct told *t, const struct lock *lock, struct found_lock *out) {
  bool has_short = lock->short_waits.num > 0; /* whose threads are not known */
  out->num_waiters = has_short ? 0 : count_threads(&t->locks.threads, lock->id);
  out->waiters = has_short ? NULL : name_threads(t->f, &t->locks.threads, lock->id);
  out->waited = lock->waited;
  out->waited_is_least = lock_has_least_waits(lock);
  out->blocked_is_least = lock_has_least_time(lock);
  out->attempts = lock->acquired_known ? locks_attempts(lock) : 0;
  out->attempts_is_least = lock->acquired_is_least;
  out->still_waiting = lock->open;
  out->blocked = found_ns(lock->blocked);
  out->longest_blocked = found_ns(lock->longest_blocked);
  out->longest_is_least = locks_has_least_longest(&t->locks, lock);
  if (!has_short) return;
  out->threshold = name_threshold(t->f);
  out->long_waits = lock->long_waits;
  out->long_blocked = found_ns(lock->long_blocked);
}

/* Nearly all waits, and nearly all of their time, were at the first place. */
static bool is_only_place(const struct tally_row *places, size_t num, const struct lock *lock) {
  uint64_t waits = 0;
  for (size_t i = 0; i < num; i++) waits += places[i].count;
  return places[0].total >= lock->blocked / 100 * 99 && places[0].count * 100 >= waits * 99;
}

static void find_waiters_place(const struct told *t, const struct lock *lock,
                               struct found_lock *out) {
  size_t num;
  const struct tally_row *places = tally_of(&t->locks.places, lock->id, &num);
  const struct titles *titles = &t->f->m->titles;
  if (num == 0 || places[0].key == 0) return;
  bool is_only = is_only_place(places, num, lock);
  out->place = name_place(t->f, places[0].key);
  out->place_blocked = is_only ? out->blocked : found_ns(places[0].total);
  out->place_is_named =
      lock->num_objects > 1 || tally_best(&titles->places, lock->object) == places[0].key;
}

static ticks_t find_lifetime(const struct thread *thread) { return thread->last - thread->first; }

/* The lifetime of the threads that waited, if they lost much of it; else, or if it is not known, 0.
 */
static ticks_t find_waiters_lifetime(const struct told *t, const struct lock *lock) {
  size_t num;
  const struct tally_row *waiters = tally_of(&t->locks.threads, lock->id, &num);
  ticks_t lived = 0;
  for (size_t i = 0; i < num; i++) {
    const struct thread *thread = threads_find(&t->f->m->threads, (uint32_t)waiters[i].key);
    if (thread != NULL) lived += find_lifetime(thread);
  }
  bool is_known = lived >= lock->blocked && lock->short_waits.num == 0;
  return is_known && lock->blocked >= lived / MUCH_OF_LIFE ? lived : 0;
}

/* The share of this lock in the blocked time of all locks, in the lifetime of all threads, and in
   that of the threads that waited. */
static void find_shares(const struct told *t, const struct lock *lock, struct found_lock *out) {
  const struct model *m = t->f->m;
  ticks_t lived = 0, all = locks_blocked(&m->locks);
  for (size_t i = 0; i < m->threads.num; i++) lived += find_lifetime(&m->threads.rows[i]);
  out->waiters_lived = found_ns(find_waiters_lifetime(t, lock));
  bool is_only = lock->blocked >= all / 100 * 99;
  out->all_blocked = is_only ? 0 : found_ns(all);
  out->all_blocked_may_lack = may_lack_waits(m);
  out->lived = lived >= lock->blocked ? found_ns(lived) : 0;
}

/* The path leads to the end of main, and a gain is of that end. If main waits for threads that run
   until a fixed time, both say nothing of how much more these threads would do without the lock. So
   "no gain" is kept only of a lock that hardly slows its waiters down. */
static void find_path_share(const struct told *t, const struct lock *lock, struct found_lock *out) {
  const struct bounds *b = &t->f->answer->bounds;
  ticks_t path = b->known ? bounds_lock_time(&t->on_path, lock->id) : 0;
  bool slows_waiters = out->waiters_lived > 0;
  /* Both sides of a lock are one lock of the path: that of the side with more blocked time. */
  bool is_known = b->known && (path > 0 || !lock_sort_is_side(lock->sort)) &&
                  (!slows_waiters || is_on_path(b, path));
  if (!is_known) return;
  out->path_is_known = bounds_has_path(b);
  out->path = out->path_is_known ? found_ns(path) : 0;
  out->whole_path = out->path_is_known ? found_ns(b->work) : 0;
  /* The simulation removed one object, and a row of several is about all of them. */
  bool has_gain = b->without_lock.known && t->ids[b->lock_id] == lock->id &&
                  lock->num_objects <= 1 && (!slows_waiters || b->without_lock.gain.least > 1);
  if (has_gain) find_gain(t->f, &b->without_lock, &out->gain);
}

static bool is_same_text(const char *a, const char *b) {
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The holder of the lock is said once for both sides. */
static void add_other_side(const struct told *t, const struct lock *lock, struct found_lock *row) {
  struct found_lock out = {0};
  struct found_lock_side *side = FINDINGS_PART(t->f->out, &row->other_side, lock_side);
  size_t num;
  const struct tally_row *places = tally_of(&t->locks.places, lock->id, &num);
  if (side == NULL) return;
  find_waits(t, lock, &out);
  find_waiters_place(t, lock, &out);
  find_owner(t, lock, &out);
  *side = (struct found_lock_side){.is_write = lock->sort == LOCK_WRITE_SIDE,
                                   .waiters = out.waiters,
                                   .num_waiters = out.num_waiters,
                                   .waited = out.waited,
                                   .waited_is_least = out.waited_is_least,
                                   .blocked = out.blocked,
                                   .blocked_is_least = out.blocked_is_least,
                                   .longest_blocked = out.longest_blocked,
                                   .longest_is_least = out.longest_is_least,
                                   .place = out.place,
                                   .place_is_only = out.place_blocked >= out.blocked,
                                   .place_waits = num == 0 ? 0 : places[0].count,
                                   .still_waiting = out.still_waiting};
  if (row->holder == NULL || is_same_text(out.holder, row->holder)) return;
  side->holder = out.holder;
  side->holder_place = out.holder_place;
}

/* If the place that asks for the lock also calls the method that uses most of the CPU time, as much
   as threads waited or at least half of it, this method is why they waited: it is told first. */
static ticks_t find_weight(const struct told *t, const struct lock *lock) {
  const struct cpu *cpu = &t->f->m->cpu;
  const struct cpu_method *hot = cpu_hottest(cpu);
  size_t num;
  const struct tally_row *places = tally_of(&t->locks.places, lock->id, &num);
  ticks_t used = cpu->total_ns * TICKS_PER_NS;
  bool is_cause = hot != NULL && hot->caller != 0 && num > 0 && places[0].key == hot->caller &&
                  hot->self_ns * 2 >= cpu->total_ns && used >= lock->blocked / 2;
  return is_cause && used <= lock->blocked ? used - 1 : lock->blocked;
}

static void add_lock(const struct told *t, const struct lock *lock) {
  struct found_lock out = {.lock = name_told(t, lock)};
  const struct lock *other = find_other_side(t, lock);
  ticks_t handoff = contention_time(&t->handoffs, lock->id);
  find_waits(t, lock, &out);
  find_waiters_place(t, lock, &out);
  find_owner(t, lock, &out);
  find_releasers(t, lock, &out);
  find_shares(t, lock, &out);
  find_path_share(t, lock, &out);
  out.handoff = handoff < lock->blocked / 10 ? 0 : found_ns(handoff);
  out.mean_hold = lock->holds > 0 ? found_ns(lock->held / lock->holds) : 0;
  if (other != NULL) add_other_side(t, other, &out);
  FINDINGS_ADD(t->f->out, lock, find_weight(t, lock) + (other == NULL ? 0 : other->blocked), &out);
}

/* --- all locks ------------------------------------------------------------------------------ */

static bool are_on_path(const struct bounds *b) {
  ticks_t on_path = 0;
  for (size_t i = 0; i < b->locks.num; i++) on_path += b->locks.rows[i].total;
  return is_on_path(b, on_path);
}

/* Returns whether one lock blocked one thread for a part of the recording that this thread misses,
   however busy the others are. */
static bool is_thread_kept(const struct model *m) {
  for (size_t i = 0; i < m->locks.num; i++) {
    size_t num;
    const struct lock *lock = &m->locks.rows[i];
    const struct tally_row *threads = tally_of(&m->locks.threads, lock->id, &num);
    bool is_kept = num > 0 && threads[0].total > recording_time(&m->recording) / LEAST_OF_ALL;
    if (is_kept && !lock_is_signal(lock)) return true;
  }
  return false;
}

bool answer_locks_matter(const struct answer *a) {
  const struct model *m = a->model;
  ticks_t blocked = locks_blocked(&m->locks);
  if (blocked == 0 || blocked < recording_time(&m->recording) / LEAST) return false;
  return blocked >= spending_worked(&m->spending) / LEAST || are_on_path(&a->bounds) ||
         is_thread_kept(m);
}

static void add_no_lock(const struct finder *f) {
  const struct model *m = f->m;
  const struct coverage *coverage = dump_coverage(m->dump);
  struct found_no_lock out = {.blocked = found_ns(locks_blocked(&m->locks)),
                              .has_monitors = coverage_has_group(coverage, GROUP_MONITOR),
                              .has_locks = coverage_has_group(coverage, GROUP_LOCK),
                              .changed = coverage_groups_changed(coverage),
                              .has_signals = m->locks.blocked > 0};
  if (may_lack_waits(m)) out.threshold = name_threshold(f);
  FINDINGS_ADD(f->out, no_lock, 0, &out);
}

/* The other side of a lock is told with it. */
static bool can_be_told(const struct told *t, const struct lock *lock) {
  const struct lock *other = find_other_side(t, lock);
  return !lock_is_signal(lock) && lock->blocked > 0 &&
         (other == NULL || is_first_side(lock, other));
}

void find_locks(const struct finder *f) {
  const struct model *m = f->m;
  ticks_t time = recording_time(&m->recording), blocked = locks_blocked(&m->locks);
  struct told t = {0};
  size_t told = 0;
  if (!answer_locks_matter(f->answer)) {
    add_no_lock(f);
    return;
  }
  f->out->failed |= !tell_locks(&t, f);
  struct ranked *ranked = f->out->failed ? NULL : rank_locks(&t);
  f->out->failed |= ranked == NULL;
  for (size_t i = 0; ranked != NULL && i < t.locks.num && told < LOCKS_TOLD; i++) {
    const struct lock *lock = ranked[i].lock;
    bool is_small = lock->blocked < time / LEAST || lock->blocked < blocked / LEAST_OF_ALL;
    bool matters = !is_small || ranked[i].on_path > 0;
    if (!can_be_told(&t, lock) || !matters) continue;
    told++;
    add_lock(&t, lock);
  }
  /* Many small ones matter together. */
  for (size_t i = 0; ranked != NULL && i < t.locks.num && told == 0; i++) {
    if (!can_be_told(&t, ranked[i].lock)) continue;
    told++;
    add_lock(&t, ranked[i].lock);
  }
  free(ranked);
  free_told(&t);
}
