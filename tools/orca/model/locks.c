#include "tools/orca/model/locks.h"

#include <stdlib.h>
#include <string.h>

#include "agent/event/meaning.h"
#include "tools/orca/model/base/histogram.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/model.h"

void locks_start(struct locks *l, const struct holders *holders, struct matcher *matcher,
                 const struct stacks *stacks) {
  l->holders = holders;
  l->matcher = matcher;
  l->stacks = stacks;
  l->threshold = (ticks_t)holders->coverage->threshold_ns * TICKS_PER_NS;
}

/* --- rows ------------------------------------------------------------------------- */

struct lock *locks_row(struct locks *l, enum lock_sort sort, uint32_t object) {
  bool is_new;
  uint64_t key = (uint64_t)sort << 32 | object;
  struct lock *row = rows_at(&l->ids, key, &l->rows, &l->num, &l->capacity, sizeof *row, &is_new);
  if (!is_new) return row;
  *row = (struct lock){.id = (uint32_t)l->num - 1, .sort = sort, .object = object};
  l->num_ids = l->num;
  return row;
}

/* --- holds -------------------------------------------------------------------------- */

/* With an active filter a hold without any time in the filter's range does not count. */
static bool end_hold(struct locks *l, enum lock_sort sort, uint32_t object, uint32_t thread,
                     stack_id_t stack, ticks_t time) {
  if (time == 0 && l->matcher->active) return true;
  if (!matcher_hold(l->matcher, l->stacks, sort, object, thread, stack)) return true;
  struct lock *row = locks_row(l, sort, object);
  if (row == NULL) return false;
  row->holds++;
  row->held += time;
  if (time > row->longest_held) row->longest_held = time;
  return tally_add(&l->holds, row->id, thread, 1, time);
}

static bool note_release(struct locks *l, const struct lock *row, const struct step *step) {
  return row->sort != LOCK_SEMAPHORE ||
         (tally_add(&l->releasers, row->id, step->event->thread, 1, 1) &&
          tally_add(&l->release_places, row->id, stacks_place(l->stacks, step->stack), 1, 1));
}

bool locks_event(struct locks *l, const struct step *step) {
  const struct event_line *line = step->event;
  const struct lock_event *event = &lock_events[line->kind];
  if (event->act != LOCK_ACT_GOT && event->act != LOCK_ACT_LEFT) return true;
  if (step_counts(step)) {
    struct lock *row = locks_row(l, event->sort, line->object);
    if (row == NULL) return false;
    row->lines += event->act == LOCK_ACT_GOT;
    row->releases += event->act == LOCK_ACT_LEFT;
    row->returns += step->released;
    row->permits += event->act == LOCK_ACT_LEFT ? 1 : -1;
    if (row->permits < row->least) row->least = row->permits;
    if (event->act == LOCK_ACT_LEFT && !note_release(l, row, step)) return false;
  }
  return !step->released ||
         end_hold(l, event->sort, line->object, line->thread, step->stack, step->held);
}

static void raise_time(ticks_t *into, ticks_t time) {
  if (time > *into) *into = time;
}

/* --- waiting ---------------------------------------------------------------------- */

/* Takes a clipped pair that matches the filter. It ignores pairs that are not attempts to acquire a
   lock. `place` is where the thread was; `had_to_wait` is from releases_had_to_wait. */
static bool locks_pair(struct locks *l, const struct pair *pair, place_t place, bool had_to_wait) {
  if (!lock_event_asks(pair->kind)) return true;
  struct lock *row = locks_row(l, lock_events[pair->kind].sort, pair->object);
  if (row == NULL) return false;
  if (!had_to_wait) return true;
  ticks_t took = pair->end - pair->begin;
  row->waited++;
  row->open += pair->open;
  row->failed += pair->failed;
  row->older += pair->is_older;
  row->blocked += took;
  l->blocked += took;
  if (took >= l->threshold) {
    row->long_waits++;
    row->long_blocked += took;
  }
  raise_time(&row->longest_blocked, took);
  row->known_owners += pair->owner != 0;
  uint64_t rounded_ns = histogram_round((took + TICKS_PER_NS / 2) / TICKS_PER_NS);
  return (pair->owner == 0 || tally_add(&l->owners, row->id, pair->owner, 1, took)) &&
         tally_add(&l->times, row->id, rounded_ns, 1, 0) &&
         tally_add(&l->threads, row->id, pair->thread, 1, took) &&
         tally_add(&l->places, row->id, place, 1, took);
}

/* Takes a sum of short calls that matches the filter; `place` is where the threads were. It ignores
   sums of other calls. */
static bool locks_short_calls(struct locks *l, const struct count_line *line, place_t place) {
  if (!lock_event_asks(line->kind)) return true;
  enum lock_sort sort = lock_events[line->kind].sort;
  struct short_calls calls = short_calls_read(line);
  struct lock *row = locks_row(l, sort, line->object);
  if (row == NULL) return false;
  if (line->object == 0) row->is_several = true;
  if (coverage_had_free_before(l->holders->coverage, sort, line->time)) {
    short_calls_add(&row->short_others, &calls);
    return true;
  }
  short_calls_add(&row->short_waits, &calls);
  row->waited += calls.num;
  row->blocked += calls.total;
  l->blocked += calls.total;
  raise_time(&row->longest_blocked, calls.longest);
  return tally_add_sum(&l->places, row->id, place, calls.num, calls.total, calls.longest);
}

/* --- the end ------------------------------------------------------------------------ */

/* Takes a count of .counts that matches the filter. */
static bool locks_count(struct locks *l, const struct count_line *line) {
  if (lock_events[line->kind].act != LOCK_ACT_GOT) return true;
  return hashmap_put(&l->counts, (uint64_t)line->kind << 32 | line->object, (uint64_t)line->count);
}

/* A monitor without lines of acquisitions was not recorded in full. A count may be less than the
   number of lines, because the last lines of .counts can be lost. */
static void complete_lock(const struct locks *l, struct lock *row) {
  bool has_all_lines = row->sort == LOCK_MONITOR
                           ? row->lines > 0
                           : coverage_has_releases(l->holders->coverage, row->sort);
  row->acquired_known |= has_all_lines;
  if (coverage_lacks_counts(l->holders->coverage, row->sort)) row->acquired_known = false;
  if (row->acquired_known && row->lines > row->acquired) row->acquired = row->lines;
  if (!holders_are_known(l->holders, row->sort, row->object)) row->holds = 0;
}

/* A sum of short calls that has no object may contain calls of each lock. */
static void limit_locks(struct locks *l) {
  bool has_several[NUM_LOCK_SORTS] = {false};
  for (size_t i = 0; i < l->num; i++) {
    if (l->rows[i].is_several) has_several[l->rows[i].sort] = true;
  }
  for (size_t i = 0; i < l->num; i++) {
    struct lock *row = &l->rows[i];
    bool may_lack = has_several[row->sort] || l->matcher->leaves_out_short;
    row->waited_is_least = may_lack && !row->is_several;
  }
}

ticks_t locks_blocked(const struct locks *l) {
  ticks_t sum = 0;
  for (size_t i = 0; i < l->num; i++) {
    if (!lock_is_signal(&l->rows[i])) sum += l->rows[i].blocked;
  }
  return sum;
}

/* --- order -------------------------------------------------------------------------------- */

static int compare_locks(const void *left, const void *right) {
  const struct lock *a = left, *b = right;
  if (a->blocked != b->blocked) return compare_numbers(b->blocked, a->blocked);
  if (a->waited != b->waited) return compare_numbers(b->waited, a->waited);
  if (a->short_others.total != b->short_others.total)
    return compare_numbers(b->short_others.total, a->short_others.total);
  if (a->held != b->held) return compare_numbers(b->held, a->held);
  if (a->acquired != b->acquired) return compare_numbers(b->acquired, a->acquired);
  return compare_numbers(a->id, b->id);
}

static void sort_locks(struct locks *l) {
  hashmap_free(&l->ids); /* its row numbers are about to change */
  /* Locks that have only lines of releases are dropped. Nothing else is known of them. */
  size_t kept = 0;
  for (size_t i = 0; i < l->num; i++) {
    const struct lock *row = &l->rows[i];
    if (row->waited > 0 || row->acquired_known || row->holds > 0 || row->short_others.num > 0)
      l->rows[kept++] = *row;
  }
  l->num = kept;
  if (l->num > 0) qsort(l->rows, l->num, sizeof *l->rows, compare_locks);
  tally_sort(&l->threads);
  tally_sort(&l->owners);
  tally_sort(&l->places);
  tally_sort(&l->holds);
  tally_sort(&l->releasers);
  tally_sort(&l->release_places);
  tally_sort(&l->times);
}

/* Counts what threads still hold up to `end`, and sorts the rows by blocked time, the longest
   first. The holders are not changed. */
static bool locks_end(struct locks *l, ticks_t end) {
  struct hashmap_slot count;
  for (size_t cursor = 0; hashmap_next(&l->counts, &cursor, &count);) {
    struct lock *row = locks_row(l, lock_events[count.key >> 32].sort, (uint32_t)count.key);
    if (row == NULL) return false;
    row->acquired += count.value;
    row->acquired_known = true;
    row->acquired_is_least = !coverage_has_exact_counts(l->holders->coverage);
  }
  const struct hold *hold; /* its thread still holds the lock */
  for (size_t cursor = 0; (hold = holds_next(&l->holders->holds, &cursor)) != NULL;) {
    ticks_t held = holds_time(hold, end);
    bool is_credit =
        hold->sort == LOCK_SEMAPHORE && !holders_own_permits(l->holders, (uint32_t)hold->lock);
    if (is_credit) continue; /* who acquired it does not release it */
    if (!end_hold(l, hold->sort, (uint32_t)hold->lock, hold->thread, hold->stack, held)) {
      return false;
    }
  }
  for (size_t i = 0; i < l->num; i++) complete_lock(l, &l->rows[i]);
  limit_locks(l);
  sort_locks(l);
  return true;
}

/* --- by class ----------------------------------------------------------------------------- */

uint32_t locks_class(const struct dump *d, uint32_t object) {
  const struct dump_object *o = dump_objects(d, object);
  return o == NULL ? 0 : o->line.class_id;
}

/* The class by which rows are summed up. */
static uint32_t find_row_class(const struct dump *d, const struct lock *row) {
  return row->is_several ? SHORT_SEVERAL_CLASS : locks_class(d, row->object);
}

static void merge_lock(struct lock *into, const struct lock *row, uint32_t class_id) {
  bool first = into->num_objects == 0;
  into->object = first ? row->object : 0;
  into->is_several = row->is_several;
  into->class_id = row->is_several ? 0 : class_id;
  into->num_objects++;
  into->acquired_known = row->acquired_known && (first || into->acquired_known);
  into->acquired_is_least |= row->acquired_is_least;
  into->waited_is_least |= row->waited_is_least;
  into->acquired += row->acquired;
  into->waited += row->waited;
  into->failed += row->failed;
  into->open += row->open;
  into->older += row->older;
  into->known_owners += row->known_owners;
  into->blocked += row->blocked;
  into->long_waits += row->long_waits;
  into->long_blocked += row->long_blocked;
  short_calls_add(&into->short_waits, &row->short_waits);
  short_calls_add(&into->short_others, &row->short_others);
  into->holds += row->holds;
  into->held += row->held;
  into->lines += row->lines;
  into->releases += row->releases;
  into->returns += row->returns;
  if (row->least < into->least) into->least = row->least;
  raise_time(&into->longest_blocked, row->longest_blocked);
  raise_time(&into->longest_held, row->longest_held);
}

/* The locks with the same key become one lock. Returns false when memory ran out. */
typedef bool (*find_key)(const struct locks *l, const struct lock *row, uint32_t class_id,
                         void *arg, uint32_t *out);

/* Fills `ids`: maps the id of a lock in `l` to its id in `out`. */
static bool merge_locks(const struct locks *l, const struct dump *d, struct locks *out,
                        uint32_t *ids, find_key find, void *arg) {
  for (size_t i = 0; i < l->num_ids; i++) ids[i] = TALLY_NO_GROUP;
  for (size_t i = 0; i < l->num; i++) {
    const struct lock *row = &l->rows[i];
    uint32_t class_id = find_row_class(d, row), key;
    if (!find(l, row, class_id, arg, &key)) return false;
    struct lock *into = locks_row(out, row->sort, key);
    if (into == NULL) return false;
    merge_lock(into, row, class_id);
    ids[row->id] = into->id;
  }
  return true;
}

static bool merge_all(const struct locks *l, const struct dump *d, struct locks *out, uint32_t *ids,
                      find_key find, void *arg) {
  out->blocked = l->blocked;
  out->threshold = l->threshold;
  if (l->num == 0) return true;
  bool good =
      merge_locks(l, d, out, ids, find, arg) && tally_merge(&l->threads, ids, &out->threads) &&
      tally_merge(&l->owners, ids, &out->owners) && tally_merge(&l->places, ids, &out->places) &&
      tally_merge(&l->holds, ids, &out->holds) && tally_merge(&l->times, ids, &out->times) &&
      tally_merge(&l->releasers, ids, &out->releasers) &&
      tally_merge(&l->release_places, ids, &out->release_places);
  if (good) sort_locks(out);
  return good;
}

static bool find_class_key(const struct locks *l, const struct lock *row, uint32_t class_id,
                           void *arg, uint32_t *out) {
  (void)l, (void)row, (void)arg;
  *out = class_id;
  return true;
}

bool locks_by_class(const struct locks *l, const struct dump *d, struct locks *out) {
  uint32_t *ids = malloc((l->num_ids + 1) * sizeof *ids);
  bool good = ids != NULL && merge_all(l, d, out, ids, find_class_key, NULL);
  free(ids);
  return good;
}

/* --- by place ----------------------------------------------------------------------------- */

struct place_keys {
  struct hashmap places; /* place -> its number */
  struct hashmap keys;   /* sort, class and number of a place -> number of locks */
  uint32_t unique;       /* the last key that only one lock has */
};

/* Returns the number of a key, from 1 on; 0 when memory ran out. */
static uint32_t number_key(struct hashmap *numbers, uint64_t key) {
  uint64_t *number = hashmap_at(numbers, key);
  if (number == NULL) return 0;
  if (*number == 0) *number = hashmap_size(numbers);
  return (uint32_t)*number;
}

static uint64_t *count_of_place(const struct locks *l, const struct lock *row, uint32_t class_id,
                                struct place_keys *k) {
  uint64_t place = number_key(&k->places, tally_best(&l->places, row->id));
  return place == 0 ? NULL
                    : hashmap_at(&k->keys, place << 36 | (uint64_t)row->sort << 32 | class_id);
}

static bool count_places(const struct locks *l, const struct dump *d, struct place_keys *k) {
  for (size_t i = 0; i < l->num; i++) {
    uint64_t *count = count_of_place(l, &l->rows[i], find_row_class(d, &l->rows[i]), k);
    if (count == NULL) return false;
    ++*count;
  }
  return true;
}

/* The key of a group is its count until the group gets a key: MANY plus the key. */
static bool find_place_key(const struct locks *l, const struct lock *row, uint32_t class_id,
                           void *arg, uint32_t *out) {
  static const uint64_t many = UINT64_C(1) << 32;
  struct place_keys *k = arg;
  uint64_t *count = count_of_place(l, row, class_id, k);
  if (count == NULL) return false;
  if (*count < LOCKS_MANY) {
    *out = ++k->unique;
    return true;
  }
  if (*count < many) *count = many + ++k->unique;
  *out = (uint32_t)*count;
  return true;
}

bool locks_by_place(const struct locks *l, const struct dump *d, struct locks *out, uint32_t *ids) {
  struct place_keys keys = {0};
  bool good = count_places(l, d, &keys) && merge_all(l, d, out, ids, find_place_key, &keys);
  hashmap_free(&keys.places);
  hashmap_free(&keys.keys);
  return good;
}

/* --- quantiles ---------------------------------------------------------------------------- */

static int compare_tally_keys(const void *left, const void *right) {
  const struct tally_row *a = left, *b = right;
  return compare_numbers(a->key, b->key);
}

/* `num`: of `sorted`, at least one. Returns the time that `wanted` of the waits did not exceed, the
   `seen` short ones included. */
static uint64_t find_quantile(const struct tally_row *sorted, size_t num, uint64_t seen,
                              uint64_t wanted) {
  size_t at = 0;
  for (; at + 1 < num && (seen += sorted[at].count) < wanted;) at++;
  return sorted[at].key;
}

/* The quantile of the waits that the row has. */
static uint64_t find_known_quantile(const struct locks *l, const struct lock *lock,
                                    unsigned permille, bool *out_is_bound) {
  size_t num;
  const struct tally_row *times = tally_of(&l->times, lock->id, &num);
  uint64_t longest = lock->longest_blocked / TICKS_PER_NS, num_short = lock->short_waits.num,
           longest_short = lock->short_waits.longest / TICKS_PER_NS;
  uint64_t wanted = (lock->waited * permille + 999) / 1000;
  *out_is_bound = num_short > 0 && wanted <= num_short;
  if (*out_is_bound) return longest_short;
  struct tally_row *sorted = num == 0 ? NULL : malloc(num * sizeof *sorted);
  if (sorted == NULL || wanted >= lock->waited) {
    free(sorted);
    return longest;
  }
  memcpy(sorted, times, num * sizeof *sorted);
  qsort(sorted, num, sizeof *sorted, compare_tally_keys);
  uint64_t found = find_quantile(sorted, num, num_short, wanted);
  free(sorted);
  /* A wait with a line can be shorter than one without, if the agent had to write it early. */
  *out_is_bound = num_short > 0 && found < longest_short;
  if (*out_is_bound) return longest_short;
  return found < longest ? found : longest;
}

uint64_t locks_quantile(const struct locks *l, const struct lock *lock, unsigned permille,
                        bool *out_is_bound) {
  bool is_bound;
  uint64_t threshold_ns = l->threshold / TICKS_PER_NS;
  if (out_is_bound == NULL) out_is_bound = &is_bound;
  uint64_t found = find_known_quantile(l, lock, permille, out_is_bound);
  if (!lock_has_least_waits(lock)) return found;
  *out_is_bound = true; /* the waits that the row lacks were shorter than the threshold */
  return found > threshold_ns ? found : threshold_ns;
}

void locks_free(struct locks *l) {
  hashmap_free(&l->ids);
  hashmap_free(&l->counts);
  free(l->rows);
  tally_free(&l->threads);
  tally_free(&l->owners);
  tally_free(&l->places);
  tally_free(&l->holds);
  tally_free(&l->releasers);
  tally_free(&l->release_places);
  tally_free(&l->times);
  *l = (struct locks){0};
}

/* --- values ------------------------------------------------------------------------ */

/* Equal values of these classes are often the same object. */
static bool is_value(struct span signature) {
  static const char *const values[] = {
      "Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Long;",     "Ljava/lang/Short;",
      "Ljava/lang/Byte;",   "Ljava/lang/Boolean;", "Ljava/lang/Character;"};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (span_is(signature, values[i])) return true;
  }
  return false;
}

static struct span find_signature(const struct dump *d, const struct lock *lock) {
  const struct class_line *c = dump_class(d, locks_class(d, lock->object));
  return c == NULL ? (struct span){0} : c->signature;
}

bool lock_is_value(const struct dump *d, const struct lock *lock) {
  return lock->sort == LOCK_MONITOR && is_value(find_signature(d, lock));
}

const char *lock_caution(const struct dump *d, const struct lock *lock) {
  if (lock->sort != LOCK_MONITOR) return NULL;
  if (lock_is_value(d, lock)) return "any code with an equal value may lock the same object";
  bool is_class = span_is(find_signature(d, lock), "Ljava/lang/Class;");
  return is_class ? "any code can lock a class" : NULL;
}

/* --- the analysis ------------------------------------------------------------------------ */

static bool is_lock_event(enum event_kind kind) {
  enum lock_act act = lock_events[kind].act;
  return act == LOCK_ACT_GOT || act == LOCK_ACT_LEFT ||
         (event_is_end(kind) && lock_event_asks(event_begin(kind)));
}

static bool take_lock_count(struct model *m, const struct step *step) {
  if (!step->count->is_short) return !step->matches || locks_count(&m->locks, step->count);
  return !step_is_short_sum(step) ||
         locks_short_calls(&m->locks, step->count, stacks_place(&m->stacks, step->stack));
}

static bool take_locks(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->count != NULL) return take_lock_count(m, step);
  if (step->pair != NULL && step->pair_counts &&
      !locks_pair(&m->locks, step->clipped_pair, stacks_place(&m->stacks, step->pair->stack),
                  step->had_to_wait)) {
    return false;
  }
  return step->event == NULL || locks_event(&m->locks, step);
}

static bool end_locks(struct model *m) { return locks_end(&m->locks, m->recording.to); }

const struct analysis analysis_locks = {
    .listener = {"locks", PASS_PAIRS | PASS_COUNTS, is_lock_event, .take = take_locks},
    .uses = ANALYSES(TITLES),
    .end = end_locks};
