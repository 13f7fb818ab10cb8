#include "tools/orca/model/names.h"
#include "tools/orca/model/replay/contention.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/locks.h"

#define LOCKS_SHOWN 3
/* Locks are mentioned if their total blocked time is at least 1/LEAST of the recording. A second or
   third lock is mentioned if its own blocked time is at least 1/LEAST_MORE of the recording. */
#define LEAST 1000
#define LEAST_MORE 100

static const char *const sort_phrases[] = {[LOCK_MONITOR] = "Lock ",
                                           [LOCK_LOCK] = "Lock ",
                                           [LOCK_READ] = "Read side of the lock ",
                                           [LOCK_WRITE] = "Write side of the lock ",
                                           [LOCK_SEMAPHORE] = "Semaphore "};

/* ", mostly at A.b (A.java:7)": the holders' location while others waited. Says nothing if it was
   seen for less than half of the time. */
static void put_holder_place(struct builder *b, const struct model *m, const struct lock *lock,
                             const char *before) {
  size_t num;
  const struct tally_row *places = tally_of(&m->holder_places, lock->id, &num), *best = NULL;
  ticks_t total = 0, seen = 0;
  for (size_t i = 0; i < num; i++) {
    bool is_known = (places[i].key & ~CONTENTION_GUESSED) != 0;
    if (is_known && best == NULL) best = &places[i];
    seen += is_known ? places[i].total : 0;
    total += places[i].total;
  }
  if (best == NULL || seen < total / 2) return;
  uint64_t guess = best->key & CONTENTION_GUESSED;
  builder_string(b, before);
  if (best->total < total) builder_string(b, "mostly ");
  builder_string(b, guess != 0 ? "last seen at " : "at ");
  names_place(b, m->dump, best->key - guess);
}

static void put_owner(struct builder *b, const struct model *m, const struct lock *lock) {
  size_t num;
  const struct tally_row *owners = tally_of(&m->locks.owners, lock->id, &num);
  if (!locks_should_name_owners(lock)) {
    if (lock->sort != LOCK_SEMAPHORE) builder_string(b, "; its owner is not known");
    return;
  }
  if (num == 1) {
    /* "; it was held by audit, at A.b, each time that the owner is known (3 of 9 times)" */
    bool always = owners[0].count == lock->waited;
    builder_string(b, "; it was held by ");
    names_thread(b, &m->threads, (uint32_t)owners[0].key);
    if (always && lock->waited > 1) builder_string(b, " each time");
    put_holder_place(b, m, lock, ", ");
    if (always) return;
    builder_format(b, ", each time that the owner is known (%s of %s times)",
                   UNIT_COUNT(owners[0].count), UNIT_COUNT(lock->waited));
    return;
  }
  builder_string(b, "; it was held most by ");
  names_thread(b, &m->threads, (uint32_t)owners[0].key);
  builder_format(b, " (%s of %s times that the owner is known)", UNIT_COUNT(owners[0].count),
                 UNIT_COUNT(lock->known_owners));
  put_holder_place(b, m, lock, "; its holders were ");
}

/* "worker-1…4 were blocked ", "threads, mostly main, waited " */
static void put_waiters(struct builder *b, const struct model *m, const struct lock *lock) {
  size_t num;
  tally_of(&m->locks.threads, lock->id, &num);
  view_main_threads(b, m, &m->locks.threads, lock->id);
  if (lock->sort == LOCK_MONITOR) {
    builder_string(b, num == 1 ? " was blocked " : " were blocked ");
  } else {
    builder_string(b, " waited ");
  }
}

/* " at A.b (A.java:7)", ", 62 % of it at A.b (A.java:7)" */
static void put_place(struct builder *b, const struct model *m, const struct lock *lock) {
  size_t num;
  const struct tally_row *places = tally_of(&m->locks.places, lock->id, &num);
  if (num > 1) builder_format(b, ", %s of it", UNIT_SHARE(places[0].total, lock->blocked));
  builder_string(b, " at ");
  view_place_name(b, m, places[0].key);
}

/* The part of the blocked time after a release, if it is not negligible. */
static void put_handoff(struct builder *b, const struct model *m, const struct lock *lock) {
  ticks_t handoff = contention_time(&m->handoffs, lock->id);
  if (handoff < lock->blocked / 10 || handoff == 0) return;
  builder_format(b, " %s of the time (%s) was hand-off: ", UNIT_TICKS(handoff),
                 UNIT_SHARE(handoff, lock->blocked));
  view_put_handoff_reason(b, lock);
  builder_char(b, '.');
}

/* The share of this lock in the blocked time of all locks, and in the lifetime of all threads. */
static void put_share(struct builder *b, const struct model *m, const struct lock *lock) {
  ticks_t lived = 0;
  for (size_t i = 0; i < m->threads.num; i++) {
    lived += m->threads.rows[i].last - m->threads.rows[i].first;
  }
  builder_format(b, ". That is %s of all time that threads waited for locks",
                 UNIT_SHARE(lock->blocked, locks_blocked(&m->locks)));
  if (lived >= lock->blocked) {
    builder_format(b, ", and %s of all thread time", UNIT_SHARE(lock->blocked, lived));
  }
  builder_char(b, '.');
}

/* "Lock com.acme.Cart@0A1B2C3D", "Monitor in Cart.add:12 (Object@0A1B2C3D)", "Read side of the lock
   in Cart.add:12 (ReentrantReadWriteLock@0A1B2C3D)". */
static void put_subject(struct builder *b, const struct model *m, const struct lock *lock) {
  size_t start = b->len;
  if (!titles_has(&m->titles, lock->object)) {
    builder_string(b, sort_phrases[lock->sort]);
  } else if (lock_sort_is_side(lock->sort)) {
    builder_string(b, lock->sort == LOCK_READ ? "Read side of the " : "Write side of the ");
  }
  view_lock_title(b, m, lock->object);
  char *first = b->failed ? NULL : b->data + start;
  if (first != NULL && *first >= 'a' && *first <= 'z') *first = (char)(*first - 'a' + 'A');
}

static void put_lock(struct builder *b, const struct model *m, const struct lock *lock) {
  put_subject(b, m, lock);
  builder_string(b, ": ");
  put_waiters(b, m, lock);
  if (lock->acquired_known) {
    builder_format(b, "%s of %s times", UNIT_COUNT(lock->waited), UNIT_COUNT(locks_attempts(lock)));
  } else {
    unit_many(b, lock->waited, "time", "times");
  }
  builder_format(b, " for %s", UNIT_TICKS(lock->blocked));
  if (lock->waited > 1) {
    builder_format(b, " in total (longest %s)", UNIT_TICKS(lock->longest_blocked));
  }
  put_place(b, m, lock);
  put_owner(b, m, lock);
  put_share(b, m, lock);
  put_handoff(b, m, lock);
  if (lock->holds > 0) {
    builder_format(b, " On average a thread held it for %s.", UNIT_TICKS(lock->held / lock->holds));
  }
  if (lock->open == 0) return;
  builder_format(b, " %s %s still %s it when the recording ended.", UNIT_COUNT(lock->open),
                 lock->open == 1 ? "thread was" : "threads were",
                 lock->sort == LOCK_MONITOR ? "blocked on" : "waiting for");
}

/* Was this group of events recorded? Dumps without the option recorded all. */
static bool has_group(const struct model *m, enum event_group group) {
  struct span groups, one;
  if (!dump_option(m->dump, "events", &groups) || span_is(groups, "all")) return true;
  while (span_cut(&groups, '+', &one)) {
    if (span_is(one, group_infos[group].name)) return true;
  }
  return false;
}

static const char *explain_no_lock(const struct model *m) {
  bool monitors = has_group(m, GROUP_MONITOR), locks = has_group(m, GROUP_LOCK);
  if (!monitors && !locks) return "Monitors and locks were not recorded.";
  if (!monitors) return "No thread waited for a lock; monitors were not recorded.";
  if (!locks) return "No thread was blocked on a monitor; other locks were not recorded.";
  return "No thread waited for a lock.";
}

void view_lock_verdicts(struct builder *b, const struct model *m, const struct style *style) {
  const struct locks *locks = &m->locks;
  ticks_t time = recording_time(&m->recording), blocked = locks_blocked(locks);
  struct builder s = {0};
  if (blocked == 0 || blocked < time / LEAST) {
    if (blocked == 0) {
      builder_string(&s, explain_no_lock(m));
    } else {
      builder_format(&s, "Threads hardly waited for locks: %s in total.", UNIT_TICKS(blocked));
    }
    view_put_sentence(b, style, &s);
    return;
  }
  size_t shown = 0;
  for (size_t i = 0; i < locks->num && shown < LOCKS_SHOWN; i++) {
    const struct lock *lock = &locks->rows[i];
    if (lock_is_signal(lock)) continue;
    if (lock->blocked == 0 || (shown++ > 0 && lock->blocked < time / LEAST_MORE)) break;
    put_lock(&s, m, lock);
    view_put_sentence(b, style, &s);
  }
}
