#include <stdlib.h>

#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/names.h"
#include "tools/orca/model/replay/contention.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/finding.h"
#include "tools/orca/render/view/locks.h"

#define LOCKS_SHOWN 3
/* The locks that follow the first one are described if
   - their own blocked time is at least 1/LEAST of the recording and 1/LEAST_OF_ALL of that of all
   locks, or
   - they have more than 1/LEAST_OF_ALL of the critical path. */
#define LEAST 100
#define LEAST_OF_ALL 20

/* The locks as sentences tell them: objects of one class that threads ask for at the same place are
   one row. Tables of holders are the model's, for these rows. */
struct told {
  const struct model *m;
  struct locks locks;
  uint32_t *ids; /* id of a lock in the model -> id here */
  struct tally holder_places, handoffs, holders;
  struct tally on_path; /* as in struct bounds */
};

static bool tell_locks(struct told *t, const struct model *m) {
  uint32_t *ids = t->ids = malloc((m->locks.num_ids + 1) * sizeof *ids);
  t->m = m;
  bool good = ids != NULL && locks_by_place(&m->locks, m->dump, &t->locks, ids) &&
              tally_merge(&m->holder_places, ids, &t->holder_places) &&
              tally_merge(&m->handoffs, ids, &t->handoffs) &&
              tally_merge(&m->lock_holders, ids, &t->holders) &&
              tally_merge(&m->bounds.locks, ids, &t->on_path);
  tally_sort(&t->holder_places);
  tally_sort(&t->handoffs);
  tally_sort(&t->holders);
  tally_sort(&t->on_path);
  return good;
}

/* The rows that sentences tell, in their order: those on the critical path first. */
struct ranked {
  const struct lock *lock;
  ticks_t on_path;
};

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
    ranked[i] = (struct ranked){lock, bounds_lock_time(&t->on_path, lock->id)};
  }
  if (ranked != NULL) qsort(ranked, t->locks.num, sizeof *ranked, compare_ranked);
  return ranked;
}

static void free_told(struct told *t) {
  locks_free(&t->locks);
  tally_free(&t->holder_places);
  tally_free(&t->handoffs);
  tally_free(&t->holders);
  tally_free(&t->on_path);
  free(t->ids);
}

/* --- owners --------------------------------------------------------------------------------- */

/* ", mostly at A.b (A.java:7)": the holders' location while others waited. Says nothing if it was
   seen for less than half of the time. */
static void put_holder_place(struct builder *b, const struct told *t, const struct lock *lock) {
  size_t num;
  const struct tally_row *places = tally_of(&t->holder_places, lock->id, &num), *best = NULL;
  ticks_t total = 0, seen = 0;
  for (size_t i = 0; i < num; i++) {
    bool is_known = (places[i].key & ~CONTENTION_GUESSED) != 0;
    if (is_known && best == NULL) best = &places[i];
    seen += is_known ? places[i].total : 0;
    total += places[i].total;
  }
  if (best == NULL || seen < total / 2) return;
  uint64_t guess = best->key & CONTENTION_GUESSED;
  builder_string(b, ", ");
  if (best->total < total) builder_string(b, "mostly ");
  builder_string(b, guess != 0 ? "last seen at " : "at ");
  names_place(b, t->m->dump, best->key - guess);
}

/* Who owned the lock when others began to wait. Later it may have had other owners. */
static void put_first_owner(struct builder *b, const struct told *t, const struct lock *lock) {
  size_t num;
  const struct tally_row *owners = tally_of(&t->locks.owners, lock->id, &num);
  if (!locks_should_name_owners(lock)) {
    if (lock->sort != LOCK_SEMAPHORE) builder_string(b, "; its owner is not known");
    return;
  }
  if (lock->known_owners * 2 < lock->waited) {
    builder_string(b, "; mostly its owner is not known");
    return;
  }
  builder_string(b, num == 1 ? "; when threads began to wait, it was held by "
                             : "; when threads began to wait, it was held most by ");
  names_thread(b, &t->m->threads, (uint32_t)owners[0].key);
  if (owners[0].count == lock->waited) return;
  builder_format(b, " (%s of the %s times that its owner is known)", UNIT_COUNT(owners[0].count),
                 UNIT_COUNT(lock->known_owners));
}

/* Who held the lock while others waited, if that is known for most of the time. "Where that is
   known" if short waits have no owners:
   "; it was held by audit, at A.b (A.java:7)"
   "; it was held most by audit, for 6.80 s of this time, mostly at A.b (A.java:7)"
   "; it was held by 40 threads in turn, mostly at A.b (A.java:7)" */
static void put_owner(struct builder *b, const struct told *t, const struct lock *lock) {
  size_t num;
  const struct tally_row *holders = tally_of(&t->holders, lock->id, &num);
  const char *where = lock->short_waits.num > 0 ? "; where that is known," : ";";
  const char *it = lock->num_objects > 1 ? "they were" : "it was";
  ticks_t known = 0, single = lock->blocked - lock->short_waits.total;
  for (size_t i = 0; i < num; i++) known += holders[i].total;
  bool is_one = lock->sort != LOCK_SEMAPHORE || locks_should_name_owners(lock);
  if (!is_one || num == 0 || known < single / 2) {
    put_first_owner(b, t, lock);
    return;
  }
  if (num > 1 && holders[0].total < known / 2) {
    builder_format(b, "%s %s held by %s threads in turn", where, it, UNIT_COUNT(num));
  } else {
    builder_format(b, num == 1 ? "%s %s held by " : "%s %s held most by ", where, it);
    names_thread(b, &t->m->threads, (uint32_t)holders[0].key);
    if (num > 1 || holders[0].total < lock->blocked / 100 * 99) {
      builder_format(b, ", for %s of this time", UNIT_TICKS(holders[0].total));
    }
  }
  put_holder_place(b, t, lock);
}

/* --- the parts of a sentence ---------------------------------------------------------------- */

/* "worker-1…4 were blocked ", "threads, mostly main, waited "; "threads waited " if the threads of
   short waits are not known. */
static void put_waiters(struct builder *b, const struct told *t, const struct lock *lock) {
  size_t num;
  tally_of(&t->locks.threads, lock->id, &num);
  if (lock->short_waits.num > 0) {
    builder_string(b, "threads");
  } else {
    view_main_threads(b, t->m, &t->locks.threads, lock->id);
  }
  if (lock->sort == LOCK_MONITOR) {
    builder_string(b, num == 1 && lock->short_waits.num == 0 ? " was blocked " : " were blocked ");
  } else {
    builder_string(b, " waited ");
  }
}

/* " at A.b (A.java:7)", ", 62 % of it at A.b (A.java:7)". Not again if the subject names it. */
static void put_place(struct builder *b, const struct told *t, const struct lock *lock) {
  size_t num;
  const struct tally_row *places = tally_of(&t->locks.places, lock->id, &num);
  if (places[0].key == 0) return; /* not known */
  bool is_named =
      lock->num_objects > 1 || tally_best(&t->m->titles.places, lock->object) == places[0].key;
  bool is_only = places[0].total >= lock->blocked / 100 * 99;
  if (is_named && is_only) return;
  if (!is_only) builder_format(b, ", %s of it", UNIT_SHARE(places[0].total, lock->blocked));
  if (is_named) {
    builder_string(b, " there");
  } else {
    view_put_at(b, t->m, places[0].key);
  }
}

/* The part of the blocked time after a release, if it is not negligible. */
static void put_handoff(struct builder *b, const struct told *t, const struct lock *lock) {
  ticks_t handoff = contention_time(&t->handoffs, lock->id);
  if (handoff < lock->blocked / 10 || handoff == 0) return;
  builder_format(
      b, " %s%s of the time (%s) was hand-off: ", lock->short_waits.num > 0 ? "At least " : "",
      UNIT_TICKS(handoff), UNIT_SHARE(handoff, lock->blocked));
  view_put_handoff_reason(b, lock);
  builder_char(b, '.');
}

/* Returns whether the waits may lack some that were shorter than the threshold. */
static bool may_lack_waits(const struct model *m) {
  bool lacks = model_lacks_short_calls(m);
  for (size_t i = 0; i < m->locks.num; i++) lacks |= m->locks.rows[i].short_others.num > 0;
  return lacks;
}

static void put_for_threshold(struct builder *b, const struct model *m) {
  builder_string(b, " for");
  view_put_or_longer(b, m->dump);
}

/* " (longest 2.00 s; 4 times for 10ms or longer, 2.88 s)" */
static void put_longest(struct builder *b, const struct told *t, const struct lock *lock) {
  builder_format(b, " in total (longest %s%s",
                 locks_has_least_longest(&t->m->locks, lock) ? "at least " : "",
                 UNIT_TICKS(lock->longest_blocked));
  if (lock->short_waits.num > 0) {
    builder_string(b, "; ");
    view_put_long_times(b, t->m->dump, lock->long_waits, lock->long_blocked);
  }
  builder_char(b, ')');
}

/* The share of this lock in the blocked time of all locks, and in the lifetime of all threads. */
static void put_share(struct builder *b, const struct told *t, const struct lock *lock) {
  ticks_t lived = 0, all = locks_blocked(&t->m->locks);
  const struct threads *threads = &t->m->threads;
  for (size_t i = 0; i < threads->num; i++) lived += threads->rows[i].last - threads->rows[i].first;
  bool is_only = lock->blocked >= all / 100 * 99, has_lived = lived >= lock->blocked;
  builder_char(b, '.');
  if (is_only && !has_lived) return;
  builder_string(b, lock_has_least_waits(lock) ? " That is at least " : " That is ");
  if (!is_only) {
    builder_format(b, "%s of all %stime that threads waited for locks%s",
                   UNIT_SHARE(lock->blocked, all), may_lack_waits(t->m) ? "recorded " : "",
                   has_lived ? ", and " : "");
  }
  if (has_lived) builder_format(b, "%s of all thread time", UNIT_SHARE(lock->blocked, lived));
  builder_char(b, '.');
}

/* "10 monitors at Cache.load (Cache.java:7), of the class com.acme.Entry" */
static void put_several(struct builder *b, const struct told *t, const struct lock *lock) {
  builder_format(b, "%s %s", UNIT_COUNT(lock->num_objects), lock_sorts[lock->sort].many);
  view_put_at(b, t->m, tally_best(&t->locks.places, lock->id));
  if (lock->class_id == 0) return;
  builder_string(b, ", of the class ");
  names_class(b, t->m->dump, lock->class_id);
}

/* "Lock com.acme.Cart@0A1B2C3D", "Monitor in Cart.add:12 (Object@0A1B2C3D)", "Read side of the lock
   in Cart.add:12 (ReentrantReadWriteLock@0A1B2C3D)". */
static void put_subject(struct builder *b, const struct told *t, const struct lock *lock) {
  const struct model *m = t->m;
  size_t start = b->len;
  if (lock->num_objects > 1) {
    put_several(b, t, lock);
    return;
  }
  if (lock->is_several) {
    builder_format(b, "Several %s, not told apart", lock_sorts[lock->sort].many);
    return;
  }
  if (!titles_has(&m->titles, lock->object)) {
    builder_string(b, lock_sorts[lock->sort].start);
  } else if (lock_sort_is_side(lock->sort)) {
    builder_string(b, lock->sort == LOCK_READ ? "Read side of the " : "Write side of the ");
  }
  view_lock_title(b, m, lock->object);
  char *first = b->failed ? NULL : b->data + start;
  if (first != NULL && *first >= 'a' && *first <= 'z') *first = (char)(*first - 'a' + 'A');
}

static bool is_on_path(const struct model *m, ticks_t on_path) {
  return on_path > m->bounds.work / LEAST_OF_ALL;
}

static void put_lock(struct builder *b, const struct told *t, const struct lock *lock) {
  put_subject(b, t, lock);
  builder_string(b, ": ");
  put_waiters(b, t, lock);
  if (lock_has_least_waits(lock)) builder_string(b, "at least ");
  if (lock->acquired_known) {
    builder_format(b, "%s of %s%s times", UNIT_COUNT(lock->waited),
                   lock->acquired_is_least ? "at least " : "", UNIT_COUNT(locks_attempts(lock)));
  } else {
    unit_many(b, lock->waited, "time", "times");
  }
  builder_format(b, " for %s%s", lock_has_least_waits(lock) ? "at least " : "",
                 UNIT_TICKS(lock->blocked));
  if (lock->waited > 1) put_longest(b, t, lock);
  put_place(b, t, lock);
  put_owner(b, t, lock);
  if (t->m->bounds.known) {
    builder_char(b, '.');
  } else {
    put_share(b, t, lock);
  }
  put_handoff(b, t, lock);
  if (lock->holds > 0) {
    builder_format(b, " On average a thread held it for %s.", UNIT_TICKS(lock->held / lock->holds));
  }
  /* A wait that has not ended is on no path, so the path does not tell what it costs. */
  ticks_t on_path = bounds_lock_time(&t->on_path, lock->id);
  bool is_told = lock->open == 0 || is_on_path(t->m, on_path);
  if (is_told) view_put_bound(b, t->m, on_path, t->ids, lock->id);
  if (lock->open == 0) return;
  builder_format(b, " %s %s still %s it when the recording ended.", UNIT_COUNT(lock->open),
                 lock->open == 1 ? "thread was" : "threads were",
                 lock->sort == LOCK_MONITOR ? "blocked on" : "waiting for");
}

/* --- all sentences -------------------------------------------------------------------------- */

/* What the groups of events leave out. NULL: nothing. */
static const char *find_unrecorded(const struct model *m) {
  bool monitors = dump_has_group(m->dump, GROUP_MONITOR);
  bool locks = dump_has_group(m->dump, GROUP_LOCK);
  if (monitors && locks) return NULL;
  return monitors ? "other locks" : locks ? "monitors" : "Monitors and locks";
}

static void explain_no_lock(struct builder *b, const struct model *m) {
  const char *unrecorded = find_unrecorded(m);
  const char *when = dump_has_changed(m->dump, "events") ? " all the time" : "";
  bool has_locks = dump_has_group(m->dump, GROUP_LOCK);
  if (!has_locks && !dump_has_group(m->dump, GROUP_MONITOR)) {
    builder_format(b, "%s were not recorded%s.", unrecorded, when);
    return;
  }
  builder_string(b,
                 has_locks ? "No thread waited for a lock" : "No thread was blocked on a monitor");
  if (may_lack_waits(m)) put_for_threshold(b, m);
  if (unrecorded != NULL) {
    builder_format(b, "; %s were not recorded%s", unrecorded, when);
  } else if (m->locks.blocked > 0) {
    builder_string(b, ", only for signals by Semaphore.release (see orca locks)");
  }
  builder_char(b, '.');
}

/* `blocked`: a time of which the report has no more to say. */
static void put_little_time(struct builder *b, const struct model *m, ticks_t blocked) {
  builder_format(b, "Threads hardly waited for locks: %s in total", UNIT_TICKS(blocked));
  if (may_lack_waits(m)) {
    builder_string(b, "; waits");
    view_put_shorter(b, m->dump);
    builder_string(b, " can be missing");
  }
  builder_char(b, '.');
}

static void put_figures(const struct style *style, const struct told *t, const struct lock *lock) {
  place_t holder = tally_best(&t->holder_places, lock->id) & ~CONTENTION_GUESSED;
  view_finding(style, "lock");
  view_figure_lock(style, "lock", t->m, lock);
  view_figure_place(style, "place", t->m, tally_best(&t->locks.places, lock->id));
  view_figure_place(style, "holder_place", t->m, holder);
  view_figure_waited(style, lock);
  view_figure(style, "still_waiting", lock->open);
  if (lock->short_waits.num > 0) {
    view_figure(style, "long_waits", lock->long_waits);
    view_figure_ticks(style, "long_blocked_ns", lock->long_blocked);
  }
  view_figure_ticks(style, "blocked_ns", lock->blocked);
  view_figure_ticks(style, "longest_blocked_ns", lock->longest_blocked);
  if (!t->m->bounds.known) return;
  view_figure_ticks(style, "path_ns", bounds_lock_time(&t->on_path, lock->id));
}

static bool are_on_path(const struct model *m) {
  ticks_t on_path = 0;
  for (size_t i = 0; i < m->bounds.locks.num; i++) on_path += m->bounds.locks.rows[i].total;
  return is_on_path(m, on_path);
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

bool view_locks_matter(const struct model *m) {
  ticks_t blocked = locks_blocked(&m->locks);
  if (blocked == 0 || blocked < recording_time(&m->recording) / LEAST) return false;
  return blocked >= spending_worked(&m->spending) / LEAST || are_on_path(m) || is_thread_kept(m);
}

void view_lock_verdicts(struct builder *b, const struct model *m, const struct style *style) {
  ticks_t time = recording_time(&m->recording), blocked = locks_blocked(&m->locks);
  struct builder s = {0};
  if (!view_locks_matter(m)) {
    view_finding(style, "no_lock");
    view_figure_ticks(style, "blocked_ns", blocked);
    if (blocked == 0) {
      explain_no_lock(&s, m);
    } else {
      put_little_time(&s, m, blocked);
    }
    view_put_sentence(b, style, &s);
    return;
  }
  struct told told = {0};
  size_t shown = 0;
  b->failed |= !tell_locks(&told, m);
  struct ranked *ranked = rank_locks(&told);
  b->failed |= ranked == NULL;
  for (size_t i = 0; ranked != NULL && i < told.locks.num && shown < LOCKS_SHOWN; i++) {
    const struct lock *lock = ranked[i].lock;
    if (lock_is_signal(lock)) continue;
    bool is_small = lock->blocked < time / LEAST || lock->blocked < blocked / LEAST_OF_ALL;
    if (lock->blocked == 0 || (shown > 0 && is_small && !is_on_path(m, ranked[i].on_path)))
      continue;
    shown++;
    put_lock(&s, &told, lock);
    put_figures(style, &told, lock);
    view_put_sentence(b, style, &s);
  }
  free(ranked);
  free_told(&told);
}
