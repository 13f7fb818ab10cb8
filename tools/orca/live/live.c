#include "tools/orca/live/live.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"

#define SECOND (1000000000 * TICKS_PER_NS)

/* --- sums ---------------------------------------------------------------------------------- */

/* Returns NULL when memory ran out. */
static struct live_sum *find_sum(struct live *l, enum live_subject subject, uint64_t number) {
  bool is_new;
  struct live_sum *sum = rows_at(&l->sum_ids[subject], number, &l->sums, &l->num_sums,
                                 &l->sums_capacity, sizeof *sum, &is_new);
  if (is_new) *sum = (struct live_sum){.subject = subject, .number = number};
  return sum;
}

/* The sum of a lock and the stack of threads that are blocked on it. */
static struct live_sum *find_site(struct live *l, enum lock_sort sort, uint32_t object,
                                  stack_id_t stack) {
  const struct lock *lock = locks_row(&l->model.locks, sort, object);
  return lock == NULL ? NULL : find_sum(l, LIVE_SITE, (uint64_t)lock->id << 32 | stack);
}

/* `sum` is NULL if memory ran out. */
static bool add_time(const struct live *l, struct live_sum *sum, live_time_t time) {
  if (sum == NULL) return false;
  sum->time += time;
  if (l->peeks) sum->open_time += time;
  return true;
}

/* --- the lives of threads ------------------------------------------------------------------- */

static bool reserve_now(struct live *l) {
  while (l->num_now < l->model.threads.num) {
    struct live_thread *now = grow(l->now, l->num_now, &l->now_capacity, sizeof *now);
    if (now == NULL) return false;
    l->now = now;
    l->now[l->num_now++] = (struct live_thread){0};
  }
  return true;
}

static bool is_same(const struct live_thread *t, const struct life_part *part) {
  bool in_call = part->call != NULL;
  return t->lives && t->activity == part->activity && t->is_in_call == in_call &&
         (!in_call || (t->call == part->call->kind && t->object == part->call->object));
}

static void note_now(struct live_thread *t, const struct life_part *part) {
  ticks_t since = is_same(t, part) ? t->since : part->begin;
  *t = (struct live_thread){.lives = true,
                            .activity = part->activity,
                            .is_in_call = part->call != NULL,
                            .stack = part->stack,
                            .since = since};
  if (part->call == NULL) return;
  t->call = part->call->kind;
  t->object = part->call->object;
}

static bool add_blocked(struct live *l, const struct life_call *call, ticks_t time) {
  if (!lock_event_asks(call->kind)) return true;
  enum lock_sort sort = lock_events[call->kind].sort;
  return add_time(l, find_site(l, sort, call->object, call->stack), time);
}

/* A thread can be blocked inside of a call that asks for a lock, for example to load a class. It is
   then blocked on both, as in the table of locks. */
static bool put_part(void *arg, void *row, const struct life_part *part) {
  struct live *l = arg;
  size_t at = (size_t)((struct thread *)row - l->model.threads.rows);
  if (!reserve_now(l)) return false;
  note_now(&l->now[at], part);
  ticks_t time = part->end - part->begin;
  for (unsigned i = 0; i < part->num_around; i++) {
    if (!add_blocked(l, &part->around[i], time)) return false;
  }
  return (part->call == NULL || add_blocked(l, part->call, time)) &&
         add_time(l, find_sum(l, LIVE_STATE, part->activity), time);
}

/* --- lines ----------------------------------------------------------------------------------- */

static bool is_live_event(enum event_kind kind) {
  return lock_events[kind].sort == LOCK_SEMAPHORE ||
         (event_is_end(kind) && lock_event_asks(event_begin(kind)));
}

/* Semaphores are followed to find those that are no locks. */
static bool take_event(struct live *l, const struct step *step) {
  const struct lock_event *lock = &lock_events[step->event->kind];
  if (lock->sort == LOCK_SEMAPHORE && !locks_event(&l->model.locks, step)) return false;
  const struct pair *pair = step->pair;
  if (pair == NULL || !step->had_to_wait || !lock_event_asks(pair->kind)) return true;
  struct live_sum *sum = find_site(l, lock_events[pair->kind].sort, pair->object, pair->stack);
  if (sum != NULL) sum->count++;
  return sum != NULL;
}

/* The CPU time of Cpu lines replaces that of Sample lines. */
static void forget_cpu(struct live *l) {
  l->has_cpu = true;
  cpu_forget(&l->model.cpu);
  for (size_t i = 0; i < l->num_sums; i++) {
    if (l->sums[i].subject == LIVE_STACK) l->sums[i].time = 0;
  }
}

/* The time of a Sample line may have to wait for the next stack in which the thread runs. */
static bool take_cpu(struct live *l, const struct step *step) {
  const struct sample_line *line = step->sample;
  struct cpu *cpu = &l->model.cpu;
  uint64_t ns = line->cpu_ns > 0 ? (uint64_t)line->cpu_ns : 0;
  bool is_cpu = line->kind == SAMPLE_CPU;
  bool runs = step->activity == ACTIVITY_RUNS || step->activity == ACTIVITY_RUNNABLE;
  if (is_cpu && !l->has_cpu) forget_cpu(l);
  if (!is_cpu && l->has_cpu) return true;
  uint64_t before = cpu->total_ns;
  if (!(is_cpu ? cpu_add(cpu, line->thread, ns, step->stack)
               : cpu_sample(cpu, line->thread, ns, runs ? step->stack : 0)))
    return false;
  live_time_t more = (live_time_t)(cpu->total_ns - before) * TICKS_PER_NS;
  return more == 0 || add_time(l, find_sum(l, LIVE_STACK, step->stack), more);
}

static bool take_sample(struct live *l, const struct step *step) {
  const struct sample_line *line = step->sample;
  if (line->kind == SAMPLE_PROCESS && line->cpu_ns > 0)
    l->current.process_ns += (uint64_t)line->cpu_ns;
  if (line->kind == SAMPLE_PAUSE && line->pause_ns > 0)
    l->current.pause_ns += (uint64_t)line->pause_ns;
  return (line->kind != SAMPLE_THREAD && line->kind != SAMPLE_CPU) || take_cpu(l, step);
}

/* Locks of which each short call had to wait. */
static bool take_short_waits(struct live *l, const struct step *step) {
  const struct count_line *line = step->count;
  enum lock_sort sort = lock_events[line->kind].sort;
  struct short_calls calls = short_calls_read(line);
  if (coverage_had_free_before(l->model.pass.holders.coverage, sort, step->time)) return true;
  struct live_sum *sum = find_site(l, sort, line->object, step->stack);
  if (sum == NULL) return false;
  if (line->object == 0) l->model.locks.rows[sum->number >> 32].is_several = true;
  short_calls_add(&sum->short_waits, &calls);
  return batches_add(&l->batches, (uint32_t)(sum - l->sums), &calls);
}

static bool take_count(struct live *l, const struct step *step) {
  const struct count_line *line = step->count;
  if (!line->is_short) return true;
  return batches_line(&l->batches, line->time,
                      coverage_threshold_at(dump_coverage(l->model.dump), line->time).begin) &&
         (!lock_event_asks(line->kind) || take_short_waits(l, step));
}

static bool take_step(void *arg, const struct step *step) {
  struct live *l = arg;
  if (step->event != NULL) return take_event(l, step);
  return step->sample != NULL ? take_sample(l, step) : take_count(l, step);
}

/* The model takes the line first, so the threads have put their lives up to it. */
static const struct listener live_listener = {
    .name = "live",
    .lines = PASS_EVENTS | PASS_COUNTS | PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_CPU) |
             PASS_SAMPLE(SAMPLE_PROCESS) | PASS_SAMPLE(SAMPLE_PAUSE),
    .wants = is_live_event,
    .take = take_step};

/* --- the end of a second -----------------------------------------------------------------------
 */

/* What was open at the end of the last second is computed anew. */
static void forget_open(struct live *l) {
  for (size_t i = 0; i < l->num_sums; i++) {
    l->sums[i].time -= l->sums[i].open_time;
    l->sums[i].open_time = 0;
  }
}

/* Puts what each living thread has done since its last line, without changing its life. */
static bool peek(struct live *l) {
  bool good = true;
  l->peeks = true;
  for (size_t i = 0; good && i < l->model.threads.num; i++) {
    struct thread *t = &l->model.threads.rows[i];
    struct life life = t->life;
    if (i < l->num_now && !life.lives) l->now[i].lives = false;
    if (life.lives) good = life_end(&life, &l->model.threads.clock, l->at, t);
  }
  l->peeks = false;
  return good;
}

/* A broken file can be about more than 64 bits of time. */
static int64_t limit_change(live_time_t time) {
  if (time > INT64_MAX) return INT64_MAX;
  return time < INT64_MIN ? INT64_MIN : (int64_t)time;
}

static bool has_changed(const struct live_sum *sum) {
  return sum->time != sum->told_time || sum->count != sum->told_count;
}

static bool put_changes(struct live *l, struct live_second *s) {
  size_t num = 0;
  for (size_t i = 0; i < l->num_sums; i++) num += has_changed(&l->sums[i]);
  s->changes = malloc((num + 1) * sizeof *s->changes);
  if (s->changes == NULL) return false;
  for (size_t i = 0; i < l->num_sums; i++) {
    struct live_sum *sum = &l->sums[i];
    if (!has_changed(sum)) continue;
    s->changes[s->num_changes++] =
        (struct live_change){(uint32_t)i, (uint32_t)(sum->count - sum->told_count),
                             limit_change(sum->time - sum->told_time)};
    sum->told_time = sum->time;
    sum->told_count = sum->count;
  }
  return true;
}

static const struct live_thread *find_now(const struct live *l, uint32_t hash) {
  const struct thread *t = hash == 0 ? NULL : threads_find(&l->model.threads, hash);
  size_t at = t == NULL ? l->num_now : (size_t)(t - l->model.threads.rows);
  return at < l->num_now && l->now[at].lives ? &l->now[at] : NULL;
}

static struct live_blocked describe_blocked(struct live *l, uint32_t thread,
                                            const struct live_thread *now) {
  struct pair pair;
  const struct lock *lock =
      locks_row(&l->model.locks, lock_events[now->call].sort, now->object); /* put_part made it */
  struct live_blocked b = {
      .thread = thread, .lock = lock->id, .since = now->since, .stack = now->stack};
  if (!pairs_find(&l->model.pass.pairs, thread, now->call, &pair)) return b;
  b.since = pair.begin;
  b.owner = holders_owner_now(&l->model.pass.holders, &pair);
  if (b.owner == 0) b.owner = pair.last_owner;
  const struct live_thread *owner = find_now(l, b.owner);
  if (owner == NULL) return b;
  b.owner_activity = owner->activity;
  b.owner_stack = owner->stack;
  return b;
}

static int compare_blocked(const void *left, const void *right) {
  const struct live_blocked *a = left, *b = right;
  if (a->since != b->since) return a->since < b->since ? -1 : 1;
  return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Counts the threads by state, and lists those that are blocked. */
static bool put_threads(struct live *l, struct live_second *s) {
  size_t num = l->model.threads.num < l->num_now ? l->model.threads.num : l->num_now;
  for (size_t i = 0; i < num; i++) s->threads[l->now[i].activity] += l->now[i].lives;
  s->blocked = malloc((s->threads[ACTIVITY_BLOCKED] + 1) * sizeof *s->blocked);
  if (s->blocked == NULL) return false;
  for (size_t i = 0; i < num; i++) {
    const struct live_thread *now = &l->now[i];
    bool is_blocked = now->lives && now->activity == ACTIVITY_BLOCKED && now->is_in_call;
    if (is_blocked && lock_event_asks(now->call))
      s->blocked[s->num_blocked++] = describe_blocked(l, l->model.threads.rows[i].hash, now);
  }
  qsort(s->blocked, s->num_blocked, sizeof *s->blocked, compare_blocked);
  return true;
}

/* Forgets batches that no window can show any more. */
static void forget_batches(struct live *l) {
  const ticks_t kept = (LIVE_SECONDS + LIVE_SUM_SECONDS) * SECOND;
  if (l->at > kept) batches_forget(&l->batches, l->at - kept);
}

static bool end_second(struct live *l, ticks_t begin) {
  struct live_second *s = &l->current;
  s->end = l->at;
  s->length = l->at - begin;
  s->events = l->model.recording.all_events - l->events;
  forget_open(l);
  if (!peek(l) || !put_changes(l, s) || !put_threads(l, s)) return false;
  forget_batches(l);
  l->events += s->events;
  l->process_ns += s->process_ns;
  l->pause_ns += s->pause_ns;
  struct live_second *slot = &l->seconds[l->num_seconds++ % LIVE_SECONDS];
  free(slot->changes);
  free(slot->blocked);
  *slot = *s;
  *s = (struct live_second){0};
  return true;
}

/* --- for the caller ------------------------------------------------------------------------------
 */

bool live_start(struct live *l, struct dump *d) {
  struct span start;
  *l = (struct live){0};
  l->seconds = calloc(LIVE_SECONDS, sizeof *l->seconds);
  model_start(&l->model, d, NULL,
              ANALYSES(RECORDING) | ANALYSES(THREADS) | ANALYSES(TITLES) | ANALYSES(CLASS_INITS) |
                  ANALYSES(POOLS));
  l->model.threads.clock.put = put_part;
  l->model.threads.clock.arg = l;
  pass_add(&l->model.pass, &live_listener, l);
  if (dump_info(d, INFO_START_MONOTONIC, &start)) text_parse_ticks(start, &l->start);
  l->at = l->start;
  /* The first sums may be about calls in sets of files that were deleted. */
  l->batches.last = dump_sets(d)->first > 1 ? BATCH_NO_BEGIN : l->start;
  return l->seconds != NULL;
}

/* Returns the end of the next second. A broken file may name a time that is years later. If
   the time without lines is longer than LIVE_SECONDS, its beginning is one long second, and the
   last LIVE_SECONDS are ordinary ones. */
static ticks_t find_second_end(const struct live *l, ticks_t until) {
  ticks_t next = pass_next_time(&l->model.pass);
  if (next > until) next = until;
  uint64_t idle = next > l->at ? (next - l->at) / SECOND : 0;
  if (idle > LIVE_SECONDS + 1) return l->at + (idle - LIVE_SECONDS) * SECOND;
  return until - l->at < SECOND ? until : l->at + SECOND;
}

bool live_advance(struct live *l, ticks_t until, bool is_end) {
  if (l->at < until && !pass_advance(&l->model.pass, l->at)) return false; /* finds the next line */
  while (l->at < until) {
    ticks_t begin = l->at, end = find_second_end(l, until);
    if (end - begin < SECOND && !is_end) return true;
    if (!pass_advance(&l->model.pass, end)) return false;
    l->at = end;
    if (!end_second(l, begin)) return false;
  }
  l->has_ended |= is_end;
  return true;
}

const struct live_second *live_second(const struct live *l, uint64_t number) {
  bool is_kept = number < l->num_seconds && l->num_seconds - number <= LIVE_SECONDS;
  return is_kept ? &l->seconds[number % LIVE_SECONDS] : NULL;
}

bool live_lock_is_signal(const struct live *l, uint32_t lock) {
  return lock_is_signal(&l->model.locks.rows[lock]);
}

bool live_deadlocks(const struct live *l, struct deadlocks *out) {
  struct wait_sources sources = wait_edges_sources(&l->model);
  return deadlocks_find(out, &sources);
}

void live_free(struct live *l) {
  for (size_t i = 0; l->seconds != NULL && i < LIVE_SECONDS; i++) {
    free(l->seconds[i].changes);
    free(l->seconds[i].blocked);
  }
  free(l->current.changes);
  free(l->current.blocked);
  free(l->seconds);
  free(l->now);
  free(l->sums);
  for (int i = 0; i < NUM_LIVE_SUBJECTS; i++) hashmap_free(&l->sum_ids[i]);
  batches_free(&l->batches);
  model_free(&l->model);
  *l = (struct live){0};
}
