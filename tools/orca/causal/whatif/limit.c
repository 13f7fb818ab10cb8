#include "tools/orca/causal/whatif/limit.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/tally.h"

#define SHORTER 0.2 /* each candidate takes this part less */
#define LEAST_ELASTICITY 0.05
#define LEAST_WAIT 0.005 /* waits for a lock, as part of the time, that make it a candidate */
#define LEAST_QUEUE 0.01
#define CLEARLY 0.02 /* by so much more than that of an earlier candidate */
#define MAX_LOCKS 4
#define MAX_GROUPS 4

const char *const limit_keys[NUM_LIMIT_KINDS] = {
#define LIMIT(id, key, words) key,
#include "tools/orca/causal/whatif/limit.def"
};

const char *const limit_words[NUM_LIMIT_KINDS] = {
#define LIMIT(id, key, words) words,
#include "tools/orca/causal/whatif/limit.def"
};

enum limit_kind limit_of_key(const char *key) {
  for (int i = 0; key != NULL && i < NUM_LIMIT_KINDS; i++) {
    if (strcmp(key, limit_keys[i]) == 0) return (enum limit_kind)i;
  }
  return LIMIT_NONE;
}

/* --- the search --------------------------------------------------------------------------- */

struct search {
  const struct script *s;
  const struct changes *changes;
  const struct simulation *now;
  struct lock_change *locks; /* a copy to change */
  double max_time;
  struct limit *out;
};

/* Simulates a candidate and keeps it if it is the best. */
static bool try_candidate(struct search *f, const struct changes *c, const struct limit *limit) {
  struct simulation r;
  simulation_run(&r, f->s, c, f->max_time);
  bool good = r.end != SIMULATION_NO_MEMORY;
  double elasticity =
      r.end == SIMULATION_DONE ? (f->now->time - r.time) / f->now->time / SHORTER : 0;
  simulation_free(&r);
  if (elasticity >= LEAST_ELASTICITY && elasticity > f->out->elasticity + CLEARLY) {
    *f->out = *limit;
    f->out->elasticity = elasticity;
  }
  return good;
}

/* --- locks -------------------------------------------------------------------------------- */

static bool try_lock(struct search *f, uint32_t lock) {
  struct changes c = *f->changes;
  struct lock_change before = f->locks[lock];
  f->locks[lock].shorter = 1 - (1 - before.shorter) * (1 - SHORTER);
  c.locks = f->locks;
  struct limit limit = {.kind = LIMIT_LOCK, .lock = f->s->locks[lock].object};
  bool good = try_candidate(f, &c, &limit);
  f->locks[lock] = before;
  return good;
}

static bool try_locks(struct search *f) {
  double least = LEAST_WAIT * f->now->time, below = -1;
  for (unsigned tried = 0; tried < MAX_LOCKS; tried++) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < f->s->num_locks; i++) {
      double waited = f->now->locks[i].waited;
      bool is_next = waited >= least && (below < 0 || waited < below);
      if (is_next && (best == UINT32_MAX || waited > f->now->locks[best].waited)) best = i;
    }
    if (best == UINT32_MAX) break;
    below = f->now->locks[best].waited;
    if (!try_lock(f, best)) return false;
  }
  return true;
}

/* --- groups of threads -------------------------------------------------------------------- */

/* Returns the place at which the threads of a group spend most of a value; 0: not known. */
static bool find_place(const struct script *s, uint32_t group, enum profile_value value,
                       place_t *out) {
  const struct profile *p = &s->trace->model->profile;
  struct tally places = {0};
  bool good = true;
  for (size_t i = 0; good && i < p->num; i++) {
    uint32_t thread = trace_find_thread(s->trace, p->rows[i].thread);
    if (thread == 0 || s->threads[thread - 1].group != group || p->rows[i].stack == 0) continue;
    place_t place = stacks_place(&s->trace->model->stacks, p->rows[i].stack);
    good = tally_add(&places, 0, place, 1, p->rows[i].costs[value].time);
  }
  tally_sort(&places);
  *out = tally_best(&places, 0);
  tally_free(&places);
  return good;
}

static bool try_group(struct search *f, uint32_t group) {
  const struct script_group *g = &f->s->groups[group];
  struct changes c = *f->changes;
  c.shorter_group = group + 1;
  c.group_less = SHORTER;
  bool sleeps = g->slept > g->cpu;
  struct limit limit = {.kind = sleeps ? LIMIT_SLEEP : LIMIT_METHOD, .group = group};
  return find_place(f->s, group, sleeps ? PROFILE_WAITS : PROFILE_CPU, &limit.place) &&
         try_candidate(f, &c, &limit);
}

static bool try_groups(struct search *f) {
  double below = -1;
  for (unsigned tried = 0; tried < MAX_GROUPS; tried++) {
    uint32_t best = UINT32_MAX;
    double most = 0;
    for (uint32_t i = 0; i < f->s->num_groups; i++) {
      double work = f->s->groups[i].cpu + f->s->groups[i].slept;
      if (work > most && (below < 0 || work < below)) {
        most = work;
        best = i;
      }
    }
    if (best == UINT32_MAX) break;
    below = most;
    if (!try_group(f, best)) return false;
  }
  return true;
}

/* --- CPUs --------------------------------------------------------------------------------- */

static uint32_t find_busiest(const struct script *s) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < s->num_groups; i++) {
    if (s->groups[i].cpu > s->groups[best].cpu) best = i;
  }
  return best;
}

static bool try_cpus(struct search *f) {
  double cpus = f->changes->cpus > 0 ? f->changes->cpus : f->s->capacity.cpus;
  if (cpus <= 0 || f->s->num_groups == 0 || f->now->queued < LEAST_QUEUE * f->now->time)
    return true;
  struct changes c = *f->changes;
  c.cpus = cpus / (1 - SHORTER);
  struct limit limit = {.kind = LIMIT_CPU, .group = find_busiest(f->s)};
  return find_place(f->s, limit.group, PROFILE_CPU, &limit.place) && try_candidate(f, &c, &limit);
}

/* The pauses of the JVM come on top of the simulated time. */
static void consider_pauses(struct limit *out, const struct script *s, double time) {
  double all = time + s->paused;
  if (s->paused <= 0) return;
  out->elasticity *= time / all;
  if (s->paused / all > out->elasticity) {
    *out = (struct limit){.kind = LIMIT_GC, .elasticity = s->paused / all};
  }
}

bool limit_find(struct limit *out, const struct script *s, const struct changes *changes,
                const struct simulation *now, double max_time) {
  struct search f = {.s = s, .changes = changes, .now = now, .max_time = max_time, .out = out};
  *out = (struct limit){0};
  f.locks = calloc(s->num_locks + 1, sizeof *f.locks);
  if (f.locks == NULL) return false;
  if (changes->locks != NULL) memcpy(f.locks, changes->locks, s->num_locks * sizeof *f.locks);
  bool good = now->time <= 0 || (try_cpus(&f) && try_locks(&f) && try_groups(&f));
  if (good) consider_pauses(out, s, now->time);
  free(f.locks);
  return good;
}
