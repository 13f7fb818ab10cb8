#include "tools/model/names.h"
#include "tools/render/unit.h"
#include "tools/render/view/view.h"

#define FEW_SAMPLES 100 /* below it, shares are off by 10 % and more */

#define STUCK_TICKS TICKS_PER_S
#define STUCK_SHOWN 3
#define LOCKS_SHOWN 3

/* --- CPU ----------------------------------------------------------------------- */

static const char *why_no_cpu(const struct recording *r) {
  if (r->ticks == 0) return "No samples were taken, so this says nothing about CPU time.";
  if (!r->cpu_known) return "The JVM did not tell the CPU time of its threads.";
  return "No sample saw a thread at work.";
}

static void put_hottest(struct builder *b, const struct model *m) {
  const struct cpu_method *hot = &m->cpu.methods[0];
  unit_share(b, hot->self_ns, m->cpu.total_ns);
  builder_string(b, " of the CPU time is spent in ");
  names_place(b, m->dump, hot->place);
  if (hot->total_ns > hot->self_ns) {
    builder_string(b, ", ");
    unit_share(b, hot->total_ns, m->cpu.total_ns);
    builder_string(b, " including what it calls");
  }
  if (hot->caller != 0) {
    builder_string(b, "; it is called most by ");
    names_place(b, m->dump, hot->caller);
  }
  builder_char(b, '.');
  if (m->cpu.num_samples >= FEW_SAMPLES) return;
  builder_string(b, " Take that as rough: only ");
  unit_many(b, m->cpu.num_samples, "sample", "samples");
  builder_string(b, " saw a thread at work.");
}

static void say_cpu(struct builder *b, const struct model *m, const struct style *style) {
  struct builder s = {0};
  if (!filter_has_samples(&m->matcher.filter)) return; /* what is asked for is no CPU time */
  if (m->cpu.num_methods == 0) {
    builder_string(&s, why_no_cpu(&m->recording));
  } else {
    put_hottest(&s, m);
  }
  view_say(b, style, &s);
}

/* --- locks --------------------------------------------------------------------- */

static const struct {
  const char *lock, *waited;
} words[] = {[LOCK_MONITOR] = {"Lock ", ": threads were blocked "},
             [LOCK_LOCK] = {"Lock ", ": threads waited "},
             [LOCK_READ] = {"Read side of the lock ", ": threads waited "},
             [LOCK_WRITE] = {"Write side of the lock ", ": threads waited "},
             [LOCK_SEMAPHORE] = {"Semaphore ", ": threads waited "}};

static void put_owner(struct builder *b, const struct model *m, const struct lock *lock) {
  size_t num;
  const struct tally_row *owners = tally_of(&m->locks.owners, lock->id, &num);
  if (!locks_names_owners(lock)) {
    if (lock->sort != LOCK_SEMAPHORE) builder_string(b, "; who held it is not known");
    return;
  }
  builder_string(b, num == 1 ? "; it was held by " : "; it was held most by ");
  names_thread(b, &m->threads, (uint32_t)owners[0].key);
  builder_string(b, num == 1 ? " whenever that is known (" : " (");
  unit_count(b, owners[0].count);
  builder_string(b, " of ");
  unit_count(b, num == 1 ? lock->waited : lock->known_owners);
  builder_string(b, num == 1 ? " times)" : " times that the holder is known)");
}

/* ", at A.b (A.java:7)", ", 62 % of it at A.b (A.java:7)" */
static void put_place(struct builder *b, const struct model *m, const struct lock *lock) {
  size_t num;
  const struct tally_row *places = tally_of(&m->locks.places, lock->id, &num);
  builder_string(b, ", ");
  if (num > 1) {
    unit_share(b, places[0].total, lock->blocked);
    builder_string(b, " of it ");
  }
  builder_string(b, "at ");
  view_place_name(b, m, places[0].key);
}

/* "3 times", "3 of 1,204 times" */
static void put_times(struct builder *b, const struct lock *lock) {
  if (!lock->acquired_known) {
    unit_many(b, lock->waited, "time", "times");
    return;
  }
  unit_count(b, lock->waited);
  builder_string(b, " of ");
  unit_count(b, locks_attempts(lock));
  builder_string(b, " times");
}

/* Whether the threads were in the way of each other, or had it for too long. */
static void put_hold(struct builder *b, const struct lock *lock) {
  if (lock->holds == 0) return;
  builder_string(b, " On average a thread had it for ");
  unit_ticks(b, lock->held / lock->holds);
  builder_char(b, '.');
}

static void put_still(struct builder *b, const struct lock *lock) {
  if (lock->open == 0) return;
  builder_char(b, ' ');
  unit_many(b, lock->open, "thread was", "threads were");
  builder_string(b, lock->sort == LOCK_MONITOR ? " still blocked on it" : " still waiting for it");
  builder_string(b, " when the recording ended.");
}

static void put_lock(struct builder *b, const struct model *m, const struct lock *lock) {
  builder_string(b, words[lock->sort].lock);
  names_object(b, m->dump, lock->object);
  builder_string(b, words[lock->sort].waited);
  put_times(b, lock);
  builder_string(b, " for ");
  unit_ticks(b, lock->blocked);
  builder_string(b, " in all (longest ");
  unit_ticks(b, lock->longest_blocked);
  builder_char(b, ')');
  put_place(b, m, lock);
  put_owner(b, m, lock);
  builder_string(b, ". That is ");
  unit_share(b, lock->blocked, m->locks.blocked);
  builder_string(b, " of all time that threads waited for locks.");
  put_hold(b, lock);
  put_still(b, lock);
}

/* Whether a group of events was recorded, as far as the dump tells. */
static bool has_group(const struct model *m, enum event_group group) {
  struct span groups, one;
  if (!dump_option(m->dump, "events", &groups) || span_is(groups, "all")) return true;
  while (span_cut(&groups, '+', &one)) {
    if (span_is(one, group_infos[group].name)) return true;
  }
  return false;
}

static const char *why_no_lock(const struct model *m) {
  bool monitors = has_group(m, GROUP_MONITOR), locks = has_group(m, GROUP_LOCK);
  if (!monitors && !locks) return "Monitors and locks were not recorded.";
  if (!monitors) return "No thread waited for a lock; monitors were not recorded.";
  if (!locks) return "No thread was blocked on a monitor; other locks were not recorded.";
  return "No thread waited for a lock.";
}

/* The worst lock, and what else took a share of the time that is worth a word. */
static void say_locks(struct builder *b, const struct model *m, const struct style *style) {
  const struct locks *locks = &m->locks;
  ticks_t least = recording_time(&m->recording) / 100;
  struct builder s = {0};
  if (locks->blocked == 0) {
    builder_string(&s, why_no_lock(m));
    view_say(b, style, &s);
  }
  for (size_t i = 0; i < locks->num && i < LOCKS_SHOWN; i++) {
    const struct lock *lock = &locks->rows[i];
    if (lock->blocked == 0 || (i > 0 && lock->blocked < least)) break;
    put_lock(&s, m, lock);
    view_say(b, style, &s);
  }
}

/* --- virtual threads ----------------------------------------------------------- */

static void say_pinned(struct builder *b, const struct model *m, const struct style *style) {
  uint64_t num = m->recording.events[EVENT_THREAD_PINNED];
  struct builder s = {0};
  if (num == 0) return;
  builder_string(&s, "Virtual threads were pinned ");
  unit_many(&s, num, "time", "times");
  builder_string(&s, ", which blocks the thread that carries them too: at ");
  view_keys(&s, m, &m->pinned, 0, view_place_name);
  builder_char(&s, '.');
  view_say(b, style, &s);
}

/* --- deadlocks ------------------------------------------------------------------- */

static const char *const links[] = {[LOCK_MONITOR] = " blocks on ",
                                    [LOCK_LOCK] = " waits for ",
                                    [LOCK_READ] = " waits for the read side of ",
                                    [LOCK_WRITE] = " waits for the write side of ",
                                    [LOCK_SEMAPHORE] = " waits for "};

static void put_join(struct builder *b, const struct model *m, const struct pair *pair) {
  builder_string(b, " joins ");
  names_thread(b, &m->threads, pair->object);
  builder_string(b, " at ");
  view_place_name(b, m, stacks_place(&m->stacks, pair->stack));
}

static void put_link(struct builder *b, const struct model *m, const struct pair *pair,
                     uint32_t owner, stack_id_t owner_stack) {
  names_thread(b, &m->threads, pair->thread);
  if (pair->kind == EVENT_THREAD_JOIN) {
    put_join(b, m, pair);
    return;
  }
  builder_string(b, links[lock_events[pair->kind].sort]);
  names_object(b, m->dump, pair->object);
  builder_string(b, " at ");
  view_place_name(b, m, stacks_place(&m->stacks, pair->stack));
  if (owner == 0) return;
  builder_string(b, ", held by ");
  names_thread(b, &m->threads, owner);
  if (owner_stack == 0) return;
  builder_string(b, " since ");
  view_place_name(b, m, stacks_place(&m->stacks, owner_stack));
}

static void say_deadlock(struct builder *b, const struct model *m, const struct style *style,
                         size_t ring) {
  struct builder s = {0};
  for (size_t i = 0; i < m->deadlocks.num; i++) {
    const struct deadlock_link *link = &m->deadlocks.links[i];
    if (link->ring != ring) continue;
    builder_string(&s, s.len == 0 ? "DEADLOCK: " : "; ");
    put_link(&s, m, &link->pair, link->owner, link->owner_stack);
  }
  builder_char(&s, '.');
  view_say(b, style, &s);
}

/* A thread that waited to the end, and for long: the program may be stuck. */
static bool is_stuck(const struct pair *pair) {
  return lock_events[pair->kind].act == LOCK_ACT_WAITS && pair->end - pair->begin >= STUCK_TICKS;
}

/* Without a deadlock it is worth saying who is stuck; some holder may not be known. */
static void say_stuck(struct builder *b, const struct model *m, const struct style *style) {
  struct builder s = {0};
  struct pair pair;
  uint64_t num = 0;
  for (size_t cursor = 0; model_next_open(m, &cursor, &pair);) {
    if (!is_stuck(&pair) || num++ >= STUCK_SHOWN) continue;
    builder_string(&s, num == 1 ? "Stuck when the recording ended: " : "; ");
    put_link(&s, m, &pair, pair.owner, 0);
    builder_string(&s, ", for ");
    unit_ticks(&s, pair.end - pair.begin);
  }
  if (num > STUCK_SHOWN) {
    builder_string(&s, "; and ");
    unit_many(&s, num - STUCK_SHOWN, "more thread", "more threads");
  }
  if (num > 0) builder_char(&s, '.');
  view_say(b, style, &s);
}

void view_verdict(struct builder *b, const struct model *m, const struct style *style) {
  style_heading(b, style, "In short");
  for (size_t ring = 0; ring < m->deadlocks.num_rings; ring++) say_deadlock(b, m, style, ring);
  if (m->deadlocks.num_rings == 0) say_stuck(b, m, style);
  view_sharing(b, m, style);
  say_cpu(b, m, style);
  say_locks(b, m, style);
  view_findings(b, m, style);
  say_pinned(b, m, style);
}
