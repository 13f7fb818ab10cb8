#include "tools/orca/live/live.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"

#define SECOND (1000000000 * TICKS_PER_NS)

/* --- sums ---------------------------------------------------------------------------------- */

static bool touch(struct live *l, struct live_sum *sum) {
  if (sum->is_touched) return true;
  uint32_t *touched = grow(l->touched, l->num_touched, &l->touched_capacity, sizeof *touched);
  if (touched == NULL) return false;
  l->touched = touched;
  l->touched[l->num_touched++] = (uint32_t)(sum - l->sums);
  sum->is_touched = true;
  return true;
}

/* Returns NULL when memory ran out. */
static struct live_sum *find_sum(struct live *l, enum live_subject subject, uint64_t number) {
  bool is_new;
  struct live_sum *sum = rows_at(&l->sum_ids[subject], number, &l->sums, &l->num_sums,
                                 &l->sums_capacity, sizeof *sum, &is_new);
  if (sum == NULL) return NULL;
  if (is_new) *sum = (struct live_sum){.subject = subject, .number = number};
  return touch(l, sum) ? sum : NULL;
}

static bool add_time(struct live *l, enum live_subject subject, uint64_t number, ticks_t time) {
  struct live_sum *sum = find_sum(l, subject, number);
  if (sum == NULL) return false;
  sum->time += time;
  if (l->peeks) sum->open_time += time;
  return true;
}

/* Returns the index of a lock plus one; 0 when memory ran out. */
static size_t find_lock(struct live *l, enum lock_sort sort, uint32_t object) {
  bool is_new;
  size_t number = rows_number(&l->lock_ids, (uint64_t)sort << 32 | object, &l->locks, &l->num_locks,
                              &l->locks_capacity, sizeof *l->locks, &is_new);
  if (is_new) l->locks[number - 1] = (struct live_lock){.sort = sort, .object = object};
  return number;
}

/* --- the lives of threads ------------------------------------------------------------------- */

static bool reserve_now(struct live *l) {
  if (l->num_now >= l->threads.num) return true;
  size_t num = l->threads.capacity;
  struct live_thread *now = realloc(l->now, num * sizeof *now);
  if (now == NULL) return false;
  memset(now + l->num_now, 0, (num - l->num_now) * sizeof *now);
  l->now = now;
  l->num_now = num;
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
  size_t lock = find_lock(l, lock_events[call->kind].sort, call->object);
  return lock != 0 && add_time(l, LIVE_LOCK, lock - 1, time) &&
         add_time(l, LIVE_SITE, (uint64_t)(lock - 1) << 32 | call->stack, time);
}

/* A thread can be blocked inside of a call that asks for a lock, for example to load a class. It is
   then blocked on both, as in the table of locks. */
static bool put_part(void *arg, void *row, const struct life_part *part) {
  struct live *l = arg;
  size_t at = (size_t)((struct thread *)row - l->threads.rows);
  if (!reserve_now(l)) return false;
  note_now(&l->now[at], part);
  ticks_t time = part->end - part->begin;
  for (unsigned i = 0; i < part->num_around; i++) {
    if (!add_blocked(l, &part->around[i], time)) return false;
  }
  return (part->call == NULL || add_blocked(l, part->call, time)) &&
         add_time(l, LIVE_STATE, part->activity, time);
}

/* --- lines ----------------------------------------------------------------------------------- */

static bool take_pair(struct live *l, const struct step *step) {
  const struct pair *pair = step->pair;
  if (pair == NULL || !lock_event_asks(pair->kind)) return true;
  if (!locks_pair(&l->counts, pair, 0, false)) return false; /* makes its row */
  if (!step->had_to_wait) return true;
  size_t lock = find_lock(l, lock_events[pair->kind].sort, pair->object);
  struct live_sum *sum = lock == 0 ? NULL : find_sum(l, LIVE_LOCK, lock - 1);
  if (sum != NULL) sum->count++;
  return sum != NULL;
}

static bool take_event(void *arg, const struct step *step) {
  struct live *l = arg;
  const struct event_line *line = step->event;
  if (step->origin != STEP_INFERRED) {
    l->current.events++;
    l->events++;
  }
  if (line->kind == EVENT_THREAD_START &&
      !threads_site(&l->threads, line->object, stacks_place(&l->stacks, step->stack)))
    return false;
  if (!threads_event(&l->threads, line, true) || !threads_live(&l->threads, step)) return false;
  return take_pair(l, step) && locks_event(&l->counts, step) &&
         titles_event(&l->titles, l->dump, &l->stacks, line, step->stack);
}

/* The CPU time of Cpu lines replaces that of Sample lines. */
static bool take_cpu(struct live *l, const struct step *step) {
  const struct sample_line *line = step->sample;
  if (!l->has_cpu) cpu_forget(&l->cpu);
  l->has_cpu = true;
  return line->cpu_ns <= 0 || cpu_add(&l->cpu, line->thread, (uint64_t)line->cpu_ns, step->stack);
}

static bool take_thread_sample(struct live *l, const struct step *step) {
  const struct sample_line *line = step->sample;
  bool runs = step->activity == ACTIVITY_RUNS || step->activity == ACTIVITY_RUNNABLE;
  uint64_t ns = line->cpu_ns > 0 ? (uint64_t)line->cpu_ns : 0;
  return threads_sample(&l->threads, line, step->stack, true) && threads_live(&l->threads, step) &&
         (l->has_cpu || cpu_sample(&l->cpu, line->thread, ns, runs ? step->stack : 0));
}

static bool take_sample(void *arg, const struct step *step) {
  struct live *l = arg;
  const struct sample_line *line = step->sample;
  switch (line->kind) {
    case SAMPLE_TICK:
      return threads_live(&l->threads, step);
    case SAMPLE_THREAD:
      return take_thread_sample(l, step);
    case SAMPLE_CPU:
      return take_cpu(l, step);
    case SAMPLE_PROCESS:
      if (line->cpu_ns > 0) l->current.process_ns += (uint64_t)line->cpu_ns;
      return true;
    case SAMPLE_PAUSE:
      if (line->pause_ns > 0) l->current.pause_ns += (uint64_t)line->pause_ns;
      return true;
    default:
      return true;
  }
}

static bool add_short_waits(struct live *l, enum live_subject subject, uint64_t number,
                            const struct short_calls *calls) {
  struct live_sum *sum = find_sum(l, subject, number);
  if (sum == NULL) return false;
  short_calls_add(&sum->short_waits, calls);
  return batches_add(&l->batches, (uint32_t)(sum - l->sums), calls);
}

/* Locks of which each short call had to wait. */
static bool take_short_waits(struct live *l, const struct step *step,
                             const struct short_calls *calls) {
  enum lock_sort sort = lock_events[step->count->kind].sort;
  if (holders_had_free_before(&l->pass.holders, sort, step->time)) return true;
  size_t lock = find_lock(l, sort, step->count->object);
  if (lock == 0) return false;
  if (step->count->object == 0) l->locks[lock - 1].is_several = true;
  return add_short_waits(l, LIVE_LOCK, lock - 1, calls) &&
         add_short_waits(l, LIVE_SITE, (uint64_t)(lock - 1) << 32 | step->stack, calls);
}

struct live_threshold live_threshold(const struct live *l, ticks_t time) {
  const struct option_change *c = NULL;
  struct span value = {"0", 1};
  dump_option(l->dump, "threshold", &value);
  bool is_on = !dump_is_zero(value);
  struct live_threshold t = {is_on, is_on ? l->start : UINT64_MAX};
  while ((c = option_changes_next(dump_changes(l->dump), "threshold", c)) != NULL) {
    if (c->from > time) continue;
    bool was_on = t.is_on;
    t.is_on = !dump_is_zero(c->value);
    if (t.is_on && !was_on) t.begin = c->from;
  }
  return t;
}

static bool take_count(void *arg, const struct step *step) {
  struct live *l = arg;
  const struct count_line *line = step->count;
  if (!line->is_short) return true;
  struct short_calls calls = short_calls_read(line);
  if (!batches_line(&l->batches, line->time, live_threshold(l, line->time).begin)) return false;
  if (is_sum_of_calls(line)) short_calls_add(&l->short_calls, &calls);
  return titles_short_calls(&l->titles, l->dump, &l->stacks, line, step->stack) &&
         (!lock_event_asks(line->kind) || take_short_waits(l, step, &calls));
}

static const struct listener event_listener = {
    .name = "live events", .lines = PASS_EVENTS, .take = take_event};
static const struct listener sample_listener = {
    .name = "live samples",
    .lines = PASS_SAMPLE(SAMPLE_TICK) | PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_CPU) |
             PASS_SAMPLE(SAMPLE_PROCESS) | PASS_SAMPLE(SAMPLE_PAUSE),
    .take = take_sample};
static const struct listener count_listener = {
    .name = "live counts", .lines = PASS_COUNTS, .take = take_count};

/* --- the end of a second -----------------------------------------------------------------------
 */

/* What was open at the end of the last second is computed anew. */
static bool forget_open(struct live *l) {
  for (size_t i = 0; i < l->num_sums; i++) {
    struct live_sum *sum = &l->sums[i];
    if (sum->open_time == 0) continue;
    sum->time -= sum->open_time;
    sum->open_time = 0;
    if (!touch(l, sum)) return false;
  }
  return true;
}

/* Puts what each living thread has done since its last line, without changing its life. */
static bool peek(struct live *l) {
  bool good = true;
  l->peeks = true;
  for (size_t i = 0; good && i < l->threads.num; i++) {
    struct thread *t = &l->threads.rows[i];
    struct life life = t->life;
    if (i < l->num_now && !life.lives) l->now[i].lives = false;
    if (life.lives) good = life_end(&life, &l->threads.clock, l->at, t);
  }
  l->peeks = false;
  return good;
}

static bool add_stacks(struct live *l) {
  if (l->num_stack_told < l->cpu.num_stacks) {
    uint64_t *told = realloc(l->stack_told, l->cpu.num_stacks * sizeof *told);
    if (told == NULL) return false;
    memset(told + l->num_stack_told, 0, (l->cpu.num_stacks - l->num_stack_told) * sizeof *told);
    l->stack_told = told;
    l->num_stack_told = l->cpu.num_stacks;
  }
  for (size_t i = 0; i < l->cpu.num_stacks; i++) {
    uint64_t ns = l->cpu.stack_ns[i];
    if (ns == l->stack_told[i]) continue;
    struct live_sum *sum = find_sum(l, LIVE_STACK, i);
    if (sum == NULL) return false;
    sum->time += (live_time_t)(ns - l->stack_told[i]) * TICKS_PER_NS;
    l->stack_told[i] = ns;
  }
  if (l->cpu.no_stack_ns == l->no_stack_told) return true;
  struct live_sum *sum = find_sum(l, LIVE_STACK, 0);
  if (sum == NULL) return false;
  sum->time += (live_time_t)(l->cpu.no_stack_ns - l->no_stack_told) * TICKS_PER_NS;
  l->no_stack_told = l->cpu.no_stack_ns;
  return true;
}

/* A broken file can be about more than 64 bits of time. */
static int64_t limit_change(live_time_t time) {
  if (time > INT64_MAX) return INT64_MAX;
  return time < INT64_MIN ? INT64_MIN : (int64_t)time;
}

static bool put_changes(struct live *l, struct live_second *s) {
  s->changes = malloc((l->num_touched + 1) * sizeof *s->changes);
  if (s->changes == NULL) return false;
  for (size_t i = 0; i < l->num_touched; i++) {
    struct live_sum *sum = &l->sums[l->touched[i]];
    struct live_change change = {l->touched[i], (uint32_t)(sum->count - sum->told_count),
                                 limit_change(sum->time - sum->told_time)};
    sum->told_time = sum->time;
    sum->told_count = sum->count;
    sum->is_touched = false;
    if (change.time != 0 || change.count != 0) s->changes[s->num_changes++] = change;
  }
  l->num_touched = 0;
  return true;
}

static const struct live_thread *find_now(const struct live *l, uint32_t hash) {
  const struct thread *t = hash == 0 ? NULL : threads_find(&l->threads, hash);
  size_t at = t == NULL ? l->num_now : (size_t)(t - l->threads.rows);
  return at < l->num_now && l->now[at].lives ? &l->now[at] : NULL;
}

static struct live_blocked describe_blocked(struct live *l, uint32_t thread,
                                            const struct live_thread *now) {
  struct pair pair;
  struct live_blocked b = {.thread = thread, .since = now->since, .stack = now->stack};
  b.lock = (uint32_t)(find_lock(l, lock_events[now->call].sort, now->object) - 1);
  if (!pairs_find(&l->pass.pairs, thread, now->call, &pair)) return b;
  b.since = pair.begin;
  b.owner = holders_owner_now(&l->pass.holders, &pair);
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
  size_t num = l->threads.num < l->num_now ? l->threads.num : l->num_now;
  for (size_t i = 0; i < num; i++) s->threads[l->now[i].activity] += l->now[i].lives;
  s->blocked = malloc((s->threads[ACTIVITY_BLOCKED] + 1) * sizeof *s->blocked);
  if (s->blocked == NULL) return false;
  for (size_t i = 0; i < num; i++) {
    const struct live_thread *now = &l->now[i];
    bool is_blocked = now->lives && now->activity == ACTIVITY_BLOCKED && now->is_in_call;
    if (is_blocked && lock_event_asks(now->call))
      s->blocked[s->num_blocked++] = describe_blocked(l, l->threads.rows[i].hash, now);
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
  if (!forget_open(l) || !peek(l) || !add_stacks(l) || !put_changes(l, s) || !put_threads(l, s))
    return false;
  forget_batches(l);
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
  *l = (struct live){.dump = d};
  l->seconds = calloc(LIVE_SECONDS, sizeof *l->seconds);
  matcher_start(&l->matcher, NULL, d);
  pass_start(&l->pass, d, &l->matcher, &l->stacks);
  threads_start(&l->threads, d, 0, UINT64_MAX);
  l->threads.clock.put = put_part;
  l->threads.clock.arg = l;
  locks_start(&l->counts, &l->pass.holders, &l->matcher, &l->stacks);
  pass_add(&l->pass, &event_listener, l);
  pass_add(&l->pass, &sample_listener, l);
  pass_add(&l->pass, &count_listener, l);
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
  ticks_t next = pass_next_time(&l->pass);
  if (next > until) next = until;
  uint64_t idle = next > l->at ? (next - l->at) / SECOND : 0;
  if (idle > LIVE_SECONDS + 1) return l->at + (idle - LIVE_SECONDS) * SECOND;
  return until - l->at < SECOND ? until : l->at + SECOND;
}

bool live_advance(struct live *l, ticks_t until, bool is_end) {
  if (l->at < until && !pass_advance(&l->pass, l->at)) return false; /* finds the next line */
  while (l->at < until) {
    ticks_t begin = l->at, end = find_second_end(l, until);
    if (end - begin < SECOND && !is_end) return true;
    if (!pass_advance(&l->pass, end)) return false;
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
  const struct live_lock *row = &l->locks[lock];
  uint64_t at = 0;
  hashmap_get(&l->counts.ids, (uint64_t)row->sort << 32 | row->object, &at);
  return at != 0 && lock_is_signal(&l->counts.rows[at - 1]);
}

bool live_deadlocks(const struct live *l, struct deadlocks *out) {
  return deadlocks_find(out, &l->pass.pairs, &l->pass.holders, l->dump, &l->stacks);
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
  free(l->stack_told);
  free(l->touched);
  free(l->sums);
  free(l->locks);
  for (int i = 0; i < NUM_LIVE_SUBJECTS; i++) hashmap_free(&l->sum_ids[i]);
  hashmap_free(&l->lock_ids);
  cpu_free(&l->cpu);
  batches_free(&l->batches);
  locks_free(&l->counts);
  titles_free(&l->titles);
  threads_free(&l->threads);
  pass_free(&l->pass);
  stacks_free(&l->stacks);
  matcher_free(&l->matcher);
  *l = (struct live){0};
}
