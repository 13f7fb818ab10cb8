/* What the critical path shows, and what a simulation predicts. */
#include "tools/orca/answer/find.h"

#define LEAST_TOLD 0.4 /* of the path */
#define MUCH 1.15      /* times as fast */

/* Where the CPU time goes, if one place has most of it. */
static place_t find_hot_place(const struct model *m) {
  const struct cpu_method *hot = cpu_hottest(&m->cpu);
  return hot == NULL || hot->self_ns * 2 < m->cpu.total_ns ? 0 : hot->place;
}

void find_gain(const struct finder *f, const struct bounds_gain *gain, struct found_rows *out) {
  struct found_gain *part = FINDINGS_PART(f->out, out, gain);
  if (part == NULL) return;
  bool is_lock = gain->limit == LIMIT_LOCK;
  place_t place = gain->limit == LIMIT_CPU ? find_hot_place(f->m) : gain->place;
  *part = (struct found_gain){.least = found_ratio(gain->gain.least),
                              .middle = found_ratio(gain->gain.middle),
                              .most = found_ratio(gain->gain.most),
                              .of_run = f->answer->bounds.of_run,
                              .recorded = found_ns(gain->work),
                              .predicted = found_ns(gain->time),
                              .limit = limit_keys[gain->limit],
                              .limit_lock = name_lock_of(f, is_lock ? gain->next_lock : 0),
                              .limit_place = name_place(f, place),
                              .shares_cpus = gain->shares_cpus};
}

/* Whether threads on the path mostly use CPUs, or wait for them or for locks: without a simulation
   it is not known whether more threads would help. */
static bool has_other_limit(const struct bounds *b) {
  ticks_t other = 0;
  for (size_t i = 0; i < b->num_parts; i++) {
    const struct bounds_part *part = &b->parts[i];
    if (part->reason == PATH_RUNS || part->reason == PATH_QUEUED || part->has_lock)
      other += part->time;
  }
  return other > b->work / 2;
}

/* Whether more threads would mostly take CPU time from other programs. */
static bool takes_from_others(const struct bounds_gain *gain) {
  return gain->limit == LIMIT_CPU && gain->shares_cpus;
}

/* Whether more threads would gain much: then the pool is one of the reasons. Not if the lock gains
   more, or if they would mostly take CPU time from other programs. */
static bool gains(const struct bounds *b) {
  const struct bounds_gain *gain = &b->pool.gain, *lock = &b->without_lock;
  if (!gain->known) return true; /* then nothing else limits */
  bool is_less = lock->known && lock->gain.least > gain->gain.least;
  return gain->gain.least >= MUCH && !is_less && !takes_from_others(gain);
}

void find_pool(const struct finder *f) {
  const struct bounds *b = &f->answer->bounds;
  const struct bounds_pool *pool = &b->pool;
  if (!pool->known || (!pool->gain.known && (pool->has_io || has_other_limit(b)))) return;
  struct found_pool out = {.name = pool->title,
                           .threads = pool->threads,
                           .queued = found_ns(pool->queued),
                           .ran = found_ns(pool->ran),
                           .waiting = found_ns(pool->waiting),
                           .full = found_ns(pool->full),
                           .path = found_ns(pool->path),
                           .whole_path = found_ns(b->work),
                           .has_io = pool->has_io};
  out.takes_from_others = pool->gain.known && takes_from_others(&pool->gain);
  if (pool->gain.known && !out.takes_from_others) find_gain(f, &pool->gain, &out.gain);
  FINDINGS_ADD(f->out, pool, gains(b) ? pool->queued : 0, &out);
}

/* Other findings tell of locks, CPU time and I/O. */
void find_path(const struct finder *f) {
  const struct bounds *b = &f->answer->bounds;
  const struct bounds_part *part = &b->parts[0];
  if (!answer_is_quiet(f->m) || !b->known || !b->of_run || b->num_parts == 0) return;
  bool sleeps = part->reason == PATH_SLEEPS || part->reason == PATH_TIMEOUT;
  bool is_told = part->has_lock || !sleeps || part->place == 0;
  if (is_told || (double)part->time < LEAST_TOLD * (double)b->work) return;
  struct found_path out = {.does = path_reason_keys[part->reason],
                           .place = name_place(f, part->place),
                           .path = found_ns(part->time),
                           .whole_path = found_ns(b->work)};
  FINDINGS_ADD(f->out, path, part->time, &out);
}
