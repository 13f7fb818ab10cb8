#include "tools/orca/causal/whatif/limit.h"
#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/view.h"

/* A change after which more than this is left of the time is none. */
#define LEAST_LEFT 0.97

/* A speed-up of more is also told as a factor. */
#define MUCH 1.15

/* If the range of a gain ends above this, "no gain" would say too much. */
#define LITTLE 1.12

/* A range of gains below this is told with two decimals. */
#define NARROW 0.15

/* A part of the path that is told by itself is at least this part of it. */
#define LEAST_TOLD 0.4

/* What is left of the path is not dominated by one thing if the largest has less than this part. */
#define LEAST_NEXT 0.1

static const struct lock *find_lock(const struct model *m, uint32_t id) {
  for (size_t i = 0; i < m->locks.num; i++) {
    if (m->locks.rows[i].id == id) return &m->locks.rows[i];
  }
  return NULL;
}

/* Where the CPU time goes, if one place has most of it. */
static void put_hot_place(struct builder *b, const struct model *m) {
  const struct cpu_method *hot = cpu_hottest(&m->cpu);
  if (hot == NULL || hot->self_ns * 2 < m->cpu.total_ns) return;
  builder_string(b, ", most of them in ");
  names_place(b, m->dump, hot->place);
}

static void put_part(struct builder *b, const struct model *m, const struct bounds_part *part) {
  const struct lock *lock = part->lock_id == BOUNDS_NO_LOCK ? NULL : find_lock(m, part->lock_id);
  builder_string(b, "; then the longest part of the path ");
  if (lock != NULL) {
    builder_string(b, "is on account of ");
    view_the_lock(b, m, lock->object);
    /* Not always its owner: that may wait for another thread, or has released it already. */
    builder_string(b, ": while threads wait for it, a thread ");
  } else {
    builder_string(b, "is that a thread ");
  }
  builder_string(b, part->words);
  if (part->place == 0) return;
  view_put_at(b, m, part->place);
}

/* The largest part that would be left. */
static void put_next(struct builder *b, const struct model *m, const struct bounds_change *change,
                     const uint32_t *ids, uint32_t id) {
  const struct bounds *bounds = &m->bounds;
  if (bounds_needs_cpus(bounds, change)) {
    builder_string(b, "; then its CPUs are full");
    put_hot_place(b, m);
    return;
  }
  for (size_t i = 0; i < bounds->num_parts; i++) {
    const struct bounds_part *part = &bounds->parts[i];
    if (part->lock_id != BOUNDS_NO_LOCK && ids[part->lock_id] == id) continue;
    if ((double)part->time >= LEAST_NEXT * (double)bounds->work) put_part(b, m, part);
    return;
  }
}

/* "the run would take at least 2.73 s instead of 6.10 s (2.2 times as fast)" */
static void put_speedup(struct builder *b, const struct model *m,
                        const struct bounds_change *change) {
  const struct bounds *bounds = &m->bounds;
  double left = bounds_left(bounds, change);
  if (bounds->of_run) {
    builder_format(b, "the run would at best take about %s",
                   UNIT_TICKS((ticks_t)((double)bounds->work * left)));
    builder_format(b, " instead of %s", UNIT_TICKS(bounds->work));
  } else {
    builder_format(b, "the same work would at best take its threads about %.0f %% of the time",
                   100 * left);
  }
  if (left < 1 / MUCH) builder_format(b, " (%.1f times as fast)", 1 / left);
}

/* What limits the speed after the change, by the simulation. */
static void put_limit(struct builder *b, const struct model *m, const struct bounds_gain *gain) {
  /* The work of a thread outside of locks is what it computes and its I/O. */
  if (gain->limit == LIMIT_METHOD && m->bounds.pool.has_io) return;
  switch (gain->limit) {
    case LIMIT_LOCK:
      builder_string(b, "; then the limit is ");
      view_the_lock(b, m, gain->next_lock);
      return;
    case LIMIT_CPU:
      builder_string(b, gain->shares_cpus ? "; then the limit is the CPUs, which others use too"
                                          : "; then its CPUs are full");
      if (!gain->shares_cpus) put_hot_place(b, m);
      return;
    case LIMIT_GC:
      builder_string(b, "; then the limit is the garbage collector");
      return;
    case LIMIT_METHOD:
      builder_string(b, "; then the limit is what threads compute");
      break;
    case LIMIT_SLEEP:
      builder_string(b, "; then the limit is that threads sleep");
      break;
    default:
      return;
  }
  if (gain->place != 0) view_put_at(b, m, gain->place);
}

/* "the run would be 1.9 to 2.1 times as fast without it (6.10 s to 2.90 s)" */
static void put_gain_range(struct builder *b, const struct model *m, const struct bounds_gain *gain,
                           const char *change) {
  int decimals = gain->most - gain->least < NARROW ? 2 : 1;
  builder_format(b, "%s %.*f to %.*f times as fast %s",
                 m->bounds.of_run ? "the run would be" : "its threads would be", decimals,
                 gain->least, decimals, gain->most, change);
  if (m->bounds.of_run) {
    builder_format(b, " (%s to ", UNIT_TICKS(gain->work));
    builder_format(b, "%s)", UNIT_TICKS(gain->time));
  }
  put_limit(b, m, gain);
}

/* Two runs of a program differ by as much as the narrowest range, so the middle of the range
 * decides. */
static bool is_no_gain(const struct bounds_gain *gain) {
  return gain->least * gain->most < 1 / (LEAST_LEFT * LEAST_LEFT) && gain->most < LITTLE;
}

static void put_gain(struct builder *b, const struct model *m) {
  if (is_no_gain(&m->bounds.gain)) {
    builder_string(b, "by simulation it gains nothing to remove it");
  } else {
    builder_string(b, "by simulation ");
    put_gain_range(b, m, &m->bounds.gain, "without it");
  }
}

static void put_no_gain(struct builder *b, const struct bounds *bounds,
                        const struct bounds_change *change) {
  builder_string(b, " To remove it may gain nothing: ");
  if (bounds_needs_cpus(bounds, change)) {
    builder_string(b, "its CPUs are full.");
  } else if (change->path == 0) {
    builder_string(b, "it is not on the critical path.");
  } else {
    builder_format(b, "it is only %s of the critical path.",
                   UNIT_SHARE(change->path, bounds->work));
  }
}

void view_put_bound(struct builder *b, const struct model *m, ticks_t saved, const uint32_t *ids,
                    uint32_t id) {
  const struct bounds *bounds = &m->bounds;
  struct bounds_change change = {.path = saved};
  if (!bounds->known) return;
  bool is_simulated = bounds->gain.known && ids[bounds->gain.lock_id] == id;
  if (bounds_left(bounds, &change) > LEAST_LEFT) {
    put_no_gain(b, bounds, &change);
    return;
  }
  builder_format(b, " It is %s of the critical path: ", UNIT_SHARE(saved, bounds->work));
  if (is_simulated) {
    put_gain(b, m);
  } else {
    builder_string(b, "without it ");
    put_speedup(b, m, &change);
    if (bounds_left(bounds, &change) < 1 / MUCH) put_next(b, m, &change, ids, id);
  }
  builder_char(b, '.');
}

void view_put_cpu_bound(struct builder *b, const struct model *m) {
  const struct bounds *bounds = &m->bounds;
  ticks_t queues = 0;
  if (!bounds->known) return;
  for (size_t i = 0; i < bounds->num_parts; i++) {
    if (bounds->parts[i].queues) queues += bounds->parts[i].time;
  }
  struct bounds_change change = {queues, 1}; /* no number of CPUs limits it */
  if (bounds_left(bounds, &change) > 1 / MUCH) return;
  builder_format(b, " That is %s of the critical path: if a CPU were always free, ",
                 UNIT_SHARE(queues, bounds->work));
  put_speedup(b, m, &change);
  builder_char(b, '.');
}

/* The part of the CPU time of the process that the method used. */
static double cpu_of(const struct model *m, uint32_t method) {
  uint64_t all = m->process.known ? m->process.cpu_ns : m->cpu.total_ns, self = 0;
  for (size_t i = 0; i < m->cpu.num_methods; i++) {
    if (m->cpu.methods[i].method == method) self = m->cpu.methods[i].self_ns;
  }
  return all == 0 || self > all ? 0 : (double)self / (double)all;
}

void view_put_method_bound(struct builder *b, const struct model *m, uint32_t method) {
  const struct bounds *bounds = &m->bounds;
  ticks_t runs = 0, all = 0, queues = 0;
  if (!bounds->known) return;
  for (size_t i = 0; i < bounds->num_parts; i++) {
    const struct bounds_part *part = &bounds->parts[i];
    bool is_here = part->place != 0 && place_method(part->place) == method;
    if (part->runs) all += part->time;
    if (part->runs && is_here) runs += part->time;
    if (part->queues) queues += part->time;
  }
  if (runs == 0) return;
  /* Who needs less CPU time waits less for a CPU. */
  ticks_t on_path = runs + (ticks_t)((double)queues * (double)runs / (double)all);
  struct bounds_change change = {on_path / 2, cpu_of(m, method) / 2};
  builder_format(b, " It is %s of the critical path", UNIT_SHARE(runs, bounds->work));
  if (queues > 0)
    builder_format(b, ", with its wait for a CPU %s", UNIT_SHARE(on_path, bounds->work));
  builder_string(b, ": if it were twice as fast, ");
  put_speedup(b, m, &change);
  builder_char(b, '.');
}

/* Whether threads on the path mostly use CPUs, or wait for them or for locks: without a simulation
   it is not known whether more threads would help. */
static bool has_other_limit(const struct bounds *b) {
  ticks_t other = 0;
  for (size_t i = 0; i < b->num_parts; i++) {
    const struct bounds_part *part = &b->parts[i];
    if (part->runs || part->queues || part->lock_id != BOUNDS_NO_LOCK) other += part->time;
  }
  return other > b->work / 2;
}

/* Whether more threads would mostly take CPU time from other programs. */
static bool takes_from_others(const struct bounds_gain *gain) {
  return gain->limit == LIMIT_CPU && gain->shares_cpus;
}

bool view_gains_by_pool(const struct model *m) {
  const struct bounds *b = &m->bounds;
  const struct bounds_gain *gain = &b->pool.gain;
  if (!b->pool.known || b->pool.has_io) return false;
  if (!gain->known) return !has_other_limit(b);
  if (b->gain.known && b->gain.least > gain->least) return false; /* the lock is the culprit */
  return gain->least >= MUCH && !takes_from_others(gain);
}

/* "but by simulation the run would hardly be faster with twice as many threads" */
static void put_larger(struct builder *b, const struct model *m) {
  const struct bounds_gain *gain = &m->bounds.pool.gain;
  bool may_gain = gain->least > 1 || gain->most >= LITTLE;
  bool has_gain = may_gain && !is_no_gain(gain);
  if (has_gain && !takes_from_others(gain)) {
    builder_string(b, ": by simulation ");
    put_gain_range(b, m, gain,
                   m->bounds.pool.has_io
                       ? "with twice as many threads if their I/O took no longer then"
                       : "with twice as many threads");
  } else if (has_gain) {
    builder_string(b,
                   ", but the CPUs are full, also with work of others: what twice as many threads "
                   "would gain is not known");
  } else {
    builder_format(b, ", but by simulation the run would %s be faster with twice as many threads",
                   is_no_gain(gain) ? "not" : "hardly");
    put_limit(b, m, gain);
  }
}

void view_pool_verdict(struct builder *b, const struct model *m, const struct style *style) {
  const struct bounds_pool *pool = &m->bounds.pool;
  struct builder s = {0};
  if (!pool->known) return;
  if (!pool->gain.known && (pool->has_io || has_other_limit(&m->bounds))) return;
  builder_format(&s, "Tasks spent %s of their time in the queue of %s, ",
                 UNIT_SHARE(pool->queued, pool->queued + pool->ran), pool->title);
  if (pool->threads == 1) {
    builder_string(&s, "whose only thread was busy");
  } else {
    builder_format(&s, "whose %s threads were all busy", UNIT_COUNT(pool->threads));
  }
  builder_format(&s, " for %s of the time in which tasks were in it.",
                 UNIT_SHARE(pool->full, pool->waiting));
  builder_format(&s, " The critical path waited for this queue for %s of its time",
                 UNIT_SHARE(pool->path, m->bounds.work));
  if (pool->gain.known) put_larger(&s, m);
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}

/* Other sentences tell of locks, CPU time and I/O. */
void view_path_verdict(struct builder *b, const struct model *m, const struct style *style) {
  const struct bounds *bounds = &m->bounds;
  const struct bounds_part *part = &bounds->parts[0];
  struct builder s = {0};
  if (!bounds->known || !bounds->of_run || bounds->num_parts == 0) return;
  bool is_told = part->lock_id != BOUNDS_NO_LOCK || !part->sleeps || part->place == 0;
  if (is_told || (double)part->time < LEAST_TOLD * (double)bounds->work) return;
  builder_format(&s, "By the critical path, the run took %s of its time because a thread %s",
                 UNIT_SHARE(part->time, bounds->work), part->words);
  view_put_at(&s, m, part->place);
  builder_char(&s, '.');
  view_put_sentence(b, style, &s);
}
