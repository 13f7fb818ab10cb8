#include "tools/orca/model/periods.h"

#include <stdlib.h>

#include "agent/base/hashmap.h"
#include "tools/orca/model/model.h"

const char *const period_limit_keys[NUM_PERIOD_LIMITS] = {
#define PERIOD_LIMIT(id, key, name) [PERIOD_LIMIT_##id] = key,
#include "tools/orca/model/period_limit.def"
};

const char *const period_limit_names[NUM_PERIOD_LIMITS] = {
#define PERIOD_LIMIT(id, key, name) [PERIOD_LIMIT_##id] = name,
#include "tools/orca/model/period_limit.def"
};

/* The states come from samples some of which are 100 ms apart, and the CPU time of the process from
   lines that are a second apart. */
#define LEAST_RECORDING (2 * TICKS_PER_S)
#define LEAST_PERIOD TICKS_PER_S
#define LEAST_PART 0.05 /* of the recording */

#define WORTH_CUT 0.004      /* times the number of slices; see segments.h */
#define LEAST_DIFFERENT 0.2  /* of a feature; else neighbors are one period */
#define LEAST_CPU_CHANGE 0.4 /* the same, if in both threads ran or waited for a CPU */

/* When a limit applies: parts of the time, of the CPUs, or of the threads that were busy. */
#define MUCH_PAUSED 0.2
#define FULL 0.85
#define CROWDED 1.2
#define MOST_CROWDED 1.5
#define MUCH_QUEUED 0.4
#define MUCH_BLOCKED 0.4
#define MUCH_IO 0.5
#define LEAST_THREADS 0.3
#define MUCH_QUIET 0.6
#define MOST_AT_PLACE 0.5 /* the same for a lock */

/* The features of a slice: parts of its busy time, or of its time. */
#define SEVERAL 8 /* the locks and I/O calls with the most time; the others share a feature */
enum {
  FEATURE_CPU,
  FEATURE_QUEUED,
  FEATURE_CROWD,
  FEATURE_PAUSED,
  FEATURE_QUIET,
  FEATURE_READY,
  FEATURE_BLOCKED,
  FEATURE_IO,
  FEATURE_SEVERAL,
  NUM_FEATURES = FEATURE_SEVERAL + SEVERAL
};

/* One lock, or one place of I/O. */
struct cause {
  enum activity activity;
  uint32_t lock; /* 0: none, or not certain */
  uint32_t row;  /* id of the first row of the spending */
};

/* Times of some slices. */
struct times {
  ticks_t whole, cpu, queued, paused, quiet;
  ticks_t ready, blocked, io;
  ticks_t causes[SEVERAL];
};

struct finding {
  const struct periods_input *in;
  struct hashmap lock_at; /* place -> the object for which threads were blocked there, or OTHERS */
  struct cause causes[SEVERAL];
  size_t num_causes;
  struct times slices[SPENDING_SLICES];
  size_t num;
  double features[SPENDING_SLICES * NUM_FEATURES];
};

/* --- causes --------------------------------------------------------------------------------- */

#define OTHERS UINT64_MAX /* more than one object */

/* Fills `lock_at`. */
static bool find_locks(struct finding *f) {
  const struct locks *locks = f->in->locks;
  for (size_t i = 0; i < locks->num; i++) {
    size_t num;
    const struct tally_row *places = tally_of(&locks->places, locks->rows[i].id, &num);
    for (size_t k = 0; k < num; k++) {
      uint64_t *at = hashmap_at(&f->lock_at, places[k].key);
      if (at == NULL) return false;
      *at = *at == 0 || *at == locks->rows[i].object ? locks->rows[i].object : OTHERS;
    }
  }
  return true;
}

/* Returns the object for which all threads at a place were blocked; 0 if there are several. */
static uint32_t find_lock_at(const struct finding *f, place_t place) {
  uint64_t lock = 0;
  hashmap_get(&f->lock_at, place, &lock);
  return lock == OTHERS ? 0 : (uint32_t)lock;
}

/* Whether the threads wait there for signals of others, and for no lock. */
static bool waits_for_signal(const struct finding *f, const struct spending_row *row) {
  const struct locks *locks = f->in->locks;
  uint32_t object = row->activity == ACTIVITY_BLOCKED ? find_lock_at(f, row->place) : 0;
  for (size_t i = 0; object != 0 && i < locks->num; i++) {
    if (locks->rows[i].object == object && lock_is_signal(&locks->rows[i])) return true;
  }
  return false;
}

/* Returns the index of the cause, or SEVERAL if it has none of its own. */
static size_t find_cause(const struct finding *f, const struct spending_row *row, uint32_t lock) {
  for (size_t i = 0; i < f->num_causes; i++) {
    const struct cause *cause = &f->causes[i];
    bool is_same_lock = lock != 0 && lock == cause->lock;
    if (cause->activity == row->activity && (is_same_lock || cause->row == row->id)) return i;
  }
  return SEVERAL;
}

static void add_to_cause(struct finding *f, const struct spending_row *row) {
  bool is_blocked = row->activity == ACTIVITY_BLOCKED;
  uint32_t lock = is_blocked ? find_lock_at(f, row->place) : 0;
  size_t at = find_cause(f, row, lock);
  if (at == SEVERAL) {
    if (f->num_causes == SEVERAL) return;
    at = f->num_causes++;
    f->causes[at] = (struct cause){row->activity, lock, row->id};
  }
  for (size_t i = 0; i < f->num; i++) f->slices[i].causes[at] += row->slices[i];
}

/* --- slices --------------------------------------------------------------------------------- */

static void add_row(struct finding *f, const struct spending_row *row) {
  if (row->is_idle || waits_for_signal(f, row)) return;
  for (size_t i = 0; i < f->num; i++) {
    struct times *t = &f->slices[i];
    if (row->activity == ACTIVITY_RUNS || row->activity == ACTIVITY_RUNNABLE)
      t->ready += row->slices[i];
    if (row->activity == ACTIVITY_BLOCKED) t->blocked += row->slices[i];
    if (row->activity == ACTIVITY_IO) t->io += row->slices[i];
  }
  /* The rows with the largest totals come first. */
  if (row->activity == ACTIVITY_BLOCKED || row->activity == ACTIVITY_IO) add_to_cause(f, row);
}

/* No more of the time is busy than all busy threads have together. */
static void raise_quiet(struct times *t) {
  ticks_t busy = t->ready + t->blocked + t->io;
  ticks_t least = t->whole > busy ? t->whole - busy : 0;
  if (t->quiet < least) t->quiet = least;
}

static void fill_slices(struct finding *f) {
  const struct spending *s = f->in->spending;
  ticks_t left = f->in->to - s->from;
  for (f->num = 0; f->num < SPENDING_SLICES && left > 0; f->num++) {
    struct times *t = &f->slices[f->num];
    t->whole = left < s->slice ? left : s->slice;
    left -= t->whole;
    t->cpu = s->cpu[f->num];
    t->queued = s->queued[f->num];
    t->paused = s->paused[f->num] < t->whole ? s->paused[f->num] : t->whole;
    ticks_t busy = s->busy[f->num] < t->whole ? s->busy[f->num] : t->whole;
    t->quiet = t->whole - busy;
  }
  for (size_t i = 0; i < s->num; i++) add_row(f, &s->rows[i]);
  for (size_t i = 0; i < f->num; i++) raise_quiet(&f->slices[i]);
}

static double divide(ticks_t part, ticks_t whole) {
  return whole == 0 ? 0 : (double)part / (double)whole;
}

static double get_used_cpus(const struct finding *f, const struct times *t) {
  double used = divide(t->cpu, t->whole);
  return f->in->cpus > 0 && used > f->in->cpus ? f->in->cpus : used;
}

static void fill_features(const struct finding *f, const struct times *t,
                          double out[NUM_FEATURES]) {
  ticks_t all = t->ready + t->blocked + t->io + t->quiet;
  out[FEATURE_CPU] = f->in->cpu_known && f->in->cpus > 0 ? get_used_cpus(f, t) / f->in->cpus : 0;
  out[FEATURE_QUEUED] = t->queued < all ? divide(t->queued, all) : 1;
  double crowd = f->in->cpus > 0 ? divide(t->ready, t->whole) / (f->in->cpus * MOST_CROWDED) : 0;
  out[FEATURE_CROWD] = crowd < 1 ? crowd : 1;
  out[FEATURE_PAUSED] = divide(t->paused, t->whole);
  out[FEATURE_QUIET] = divide(t->quiet, t->whole);
  out[FEATURE_READY] = divide(t->ready, all);
  out[FEATURE_BLOCKED] = divide(t->blocked, all);
  out[FEATURE_IO] = divide(t->io, all);
  for (size_t i = 0; i < SEVERAL; i++) {
    out[FEATURE_SEVERAL + i] = divide(t->causes[i], all);
  }
}

/* --- periods -------------------------------------------------------------------------------- */

static void add_times(struct times *to, const struct times *t) {
  to->whole += t->whole;
  to->cpu += t->cpu;
  to->queued += t->queued;
  to->paused += t->paused;
  to->quiet += t->quiet;
  to->ready += t->ready;
  to->blocked += t->blocked;
  to->io += t->io;
  for (size_t i = 0; i < SEVERAL; i++) to->causes[i] += t->causes[i];
}

/* Of the threads that the JVM calls runnable, some may stand: see view_stood_verdict. A slice alone
   is shorter than the time between two figures of the process, so only sums are corrected. */
static struct times sum_times(const struct finding *f, size_t begin, size_t end) {
  struct times sum = {0};
  for (size_t i = begin; i < end; i++) add_times(&sum, &f->slices[i]);
  bool is_known = f->in->cpu_known && f->in->wait_known;
  if (is_known && sum.ready > sum.cpu + sum.queued) sum.ready = sum.cpu + sum.queued;
  raise_quiet(&sum);
  return sum;
}

static bool has_many_blocked(const struct period *p) {
  double busy = p->ready + p->blocked + p->io;
  return p->blocked >= LEAST_THREADS && p->blocked >= MUCH_BLOCKED * busy;
}

static enum period_limit find_limit(const struct finding *f, const struct period *p) {
  double cpus = f->in->cpus, busy = p->ready + p->blocked + p->io;
  if (p->paused >= MUCH_PAUSED) return PERIOD_LIMIT_PAUSES;
  if (f->in->cpu_known && cpus > 0 && p->cpus >= FULL * cpus) return PERIOD_LIMIT_CPUS;
  if (cpus > 0 && p->ready >= CROWDED * cpus) return PERIOD_LIMIT_CROWD;
  if (p->queued >= LEAST_THREADS && p->queued >= MUCH_QUEUED * busy) return PERIOD_LIMIT_STARVED;
  if (p->are_blocked) return PERIOD_LIMIT_LOCK;
  if (p->io >= LEAST_THREADS && p->io >= MUCH_IO * busy) return PERIOD_LIMIT_IO;
  bool others_run = f->in->cpu_known && p->cpus >= LEAST_THREADS; /* the JVM's or native threads */
  return p->quiet >= MUCH_QUIET && !others_run ? PERIOD_LIMIT_REST : PERIOD_LIMIT_THREADS;
}

/* Returns the index of the largest cause of the limit; SEVERAL: none. */
static size_t find_largest_cause(const struct finding *f, const struct times *t,
                                 enum period_limit limit) {
  enum activity activity = limit == PERIOD_LIMIT_IO ? ACTIVITY_IO : ACTIVITY_BLOCKED;
  size_t best = SEVERAL;
  if (limit != PERIOD_LIMIT_IO && limit != PERIOD_LIMIT_LOCK) return SEVERAL;
  for (size_t i = 0; i < f->num_causes; i++) {
    bool counts = f->causes[i].activity == activity && t->causes[i] > 0;
    if (counts && (best == SEVERAL || t->causes[i] > t->causes[best])) best = i;
  }
  return best;
}

static bool is_in_limit(enum activity activity, enum period_limit limit) {
  switch (limit) {
    case PERIOD_LIMIT_LOCK:
      return activity == ACTIVITY_BLOCKED;
    case PERIOD_LIMIT_IO:
      return activity == ACTIVITY_IO;
    case PERIOD_LIMIT_REST:
      return activity == ACTIVITY_SLEEPS || activity == ACTIVITY_WAITS ||
             activity == ACTIVITY_PARKED;
    case PERIOD_LIMIT_CPUS:
    case PERIOD_LIMIT_CROWD:
    case PERIOD_LIMIT_STARVED:
    case PERIOD_LIMIT_THREADS:
      return activity == ACTIVITY_RUNS;
    default:
      return false;
  }
}

static ticks_t sum_slices(const struct spending_row *row, size_t begin, size_t end) {
  ticks_t sum = 0;
  for (size_t i = begin; i < end; i++) sum += row->slices[i];
  return sum;
}

/* Whether the limit is what threads compute. The load of other programs decides which of these
   limits it is, and that changes all the time. */
static bool is_computing(enum period_limit limit) {
  return limit == PERIOD_LIMIT_CPUS || limit == PERIOD_LIMIT_CROWD ||
         limit == PERIOD_LIMIT_STARVED || limit == PERIOD_LIMIT_THREADS;
}

/* Time after an event and before a sample has no place; it counts for no place. `cpu`: the CPU time
   of the process, of which the JVM and native threads have a part, too. */
static place_t find_place(const struct finding *f, enum period_limit limit, size_t begin,
                          size_t end, ticks_t cpu) {
  const struct spending *s = f->in->spending;
  bool is_cpu = f->in->cpu_known && is_computing(limit);
  ticks_t all = 0, most = 0;
  place_t place = 0;
  for (size_t i = 0; i < s->num; i++) {
    const struct spending_row *row = &s->rows[i];
    if (row->is_idle || row->place == 0 || !is_in_limit(row->activity, limit)) continue;
    ticks_t time = sum_slices(row, begin, end);
    all += time;
    if (time > most) place = row->place;
    if (time > most) most = time;
  }
  if (is_cpu && cpu > all) all = cpu;
  return (double)most >= MOST_AT_PLACE * (double)all ? place : 0;
}

static struct period make_period(const struct finding *f, size_t begin, size_t end) {
  const struct spending *s = f->in->spending;
  struct times t = sum_times(f, begin, end);
  struct period p = {.begin = s->from + begin * s->slice,
                     .end = s->from + (end - 1) * s->slice + f->slices[end - 1].whole,
                     .cpus = get_used_cpus(f, &t),
                     .ready = divide(t.ready, t.whole),
                     .queued = divide(t.queued, t.whole),
                     .blocked = divide(t.blocked, t.whole),
                     .io = divide(t.io, t.whole),
                     .paused = divide(t.paused, t.whole),
                     .quiet = divide(t.quiet, t.whole)};
  p.are_blocked = has_many_blocked(&p);
  p.limit = find_limit(f, &p);
  size_t cause = p.are_blocked ? find_largest_cause(f, &t, PERIOD_LIMIT_LOCK) : SEVERAL;
  if (cause != SEVERAL && (double)t.causes[cause] >= MOST_AT_PLACE * (double)t.blocked)
    p.lock = f->causes[cause].lock;
  p.place = find_place(f, p.limit, begin, end, t.cpu);
  return p;
}

/* Whether the limit of two neighbors is the same, or their times hardly differ. */
static bool are_alike(const struct finding *f, const size_t bounds[3]) {
  struct times left = sum_times(f, bounds[0], bounds[1]);
  struct times right = sum_times(f, bounds[1], bounds[2]);
  struct period a = make_period(f, bounds[0], bounds[1]);
  struct period b = make_period(f, bounds[1], bounds[2]);
  double x[NUM_FEATURES], y[NUM_FEATURES], largest = 0;
  bool is_same_cause =
      find_largest_cause(f, &left, a.limit) == find_largest_cause(f, &right, b.limit);
  if (a.limit == b.limit && is_same_cause) return true;
  fill_features(f, &left, x);
  fill_features(f, &right, y);
  for (size_t i = 0; i < NUM_FEATURES; i++) {
    double difference = x[i] > y[i] ? x[i] - y[i] : y[i] - x[i];
    if (difference > largest) largest = difference;
  }
  bool do_compute = is_computing(a.limit) && is_computing(b.limit);
  return largest < (do_compute ? LEAST_CPU_CHANGE : LEAST_DIFFERENT);
}

static size_t merge_alike(const struct finding *f, size_t *ends, size_t num) {
  for (size_t i = 0; i + 1 < num;) {
    size_t bounds[3] = {i == 0 ? 0 : ends[i - 1], ends[i], ends[i + 1]};
    if (!are_alike(f, bounds)) {
      i++;
      continue;
    }
    for (size_t k = i; k + 1 < num; k++) ends[k] = ends[k + 1];
    num--;
    i = 0; /* the merged segment may be like its other neighbor */
  }
  return num;
}

static bool find(struct finding *f, struct periods *out) {
  const struct spending *s = f->in->spending;
  size_t ends[SEGMENTS_MOST];
  bool good;
  fill_slices(f);
  for (size_t i = 0; i < f->num; i++) {
    fill_features(f, &f->slices[i], &f->features[i * NUM_FEATURES]);
  }
  size_t least = (size_t)(LEAST_PART * (double)f->num + 1);
  size_t least_time = (size_t)(LEAST_PERIOD / s->slice + 1);
  struct segments_series series = {.values = f->features,
                                   .num = f->num,
                                   .num_features = NUM_FEATURES,
                                   .least = least > least_time ? least : least_time,
                                   .worth_cut = WORTH_CUT * (double)f->num};
  size_t num = segments_find(&series, ends, &good);
  out->num = merge_alike(f, ends, num);
  for (size_t i = 0; i < out->num; i++) {
    out->rows[i] = make_period(f, i == 0 ? 0 : ends[i - 1], ends[i]);
  }
  return good;
}

bool periods_find(const struct periods_input *in, struct periods *out) {
  *out = (struct periods){0};
  if (in->to <= in->spending->from || in->to - in->spending->from < LEAST_RECORDING) return true;
  struct finding *f = calloc(1, sizeof *f);
  if (f == NULL) return false;
  f->in = in;
  bool good = find_locks(f) && find(f, out);
  hashmap_free(&f->lock_at);
  free(f);
  return good;
}

/* --- the analysis ------------------------------------------------------------------------ */

/* With patterns, the threads that limit the speed may be left out; if lines are missing, the states
   of threads are not certain. */
static bool end_periods(struct model *m) {
  struct periods_input in = {.spending = &m->spending,
                             .locks = &m->locks,
                             .to = m->recording.to,
                             .cpu_known = m->process.known,
                             .wait_known = m->process.wait_known,
                             .cpus = process_cpus(m->dump)};
  if (filter_has_patterns(&m->matcher.filter) || coverage_is_lossy(dump_coverage(m->dump)))
    return true;
  return periods_find(&in, &m->periods);
}

const struct analysis analysis_periods = {
    .listener = {.name = "periods", .lines = PASS_SAMPLE(SAMPLE_PROCESS)},
    .uses = ANALYSES(THREADS) | ANALYSES(LOCKS) | ANALYSES(PROCESS),
    .end = end_periods};
