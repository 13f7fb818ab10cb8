#include "tools/orca/model/analysis.h"

#include "agent/event/meaning.h"
#include "tools/orca/model/model.h"

/* --- the recording ------------------------------------------------------------------------- */

static bool take_recording(void *arg, const struct step *step) {
  struct model *m = arg;
  bool counts = step_counts(step);
  if (step->event != NULL && step->origin != STEP_INFERRED)
    recording_event(&m->recording, step->event, counts);
  if (step->sample != NULL) recording_sample(&m->recording, step->sample, counts);
  if (step->count != NULL && is_sum_of_calls(step->count))
    recording_short_calls(&m->recording, step->count);
  return true;
}

/* --- CPU time ------------------------------------------------------------------------------- */

/* A Sample line has the CPU time that the thread used before the line. struct cpu chooses the stack
   for this time, so the stack of the line itself need not match the filter. */
static bool take_cpu_of_sample(struct model *m, const struct step *step) {
  const struct sample_line *line = step->sample;
  uint64_t ns = line->cpu_ns > 0 ? (uint64_t)line->cpu_ns : 0;
  bool counts = step->in_time && matcher_thread(&m->matcher, line->thread) &&
                filter_has_samples(&m->matcher.filter);
  bool is_runnable = step->activity == ACTIVITY_RUNS || step->activity == ACTIVITY_RUNNABLE;
  stack_id_t stack = is_runnable ? step->stack : 0;
  return !counts || cpu_sample(&m->cpu, line->thread, ns, stack);
}

/* All Cpu lines in time are added, whatever their thread and stack: threads are pooled, and these
   filters are applied to the result. With a filter for locks or events no sample counts. */
static bool take_cpu(void *arg, const struct step *step) {
  struct model *m = arg;
  const struct sample_line *line = step->sample;
  if (line->kind == SAMPLE_THREAD) return take_cpu_of_sample(m, step);
  if (!step->in_time || !filter_has_samples(&m->matcher.filter)) return true;
  if (step->matches && line->place == CPU_PLACE_LOST && line->stack_id != 0) {
    m->lost_ns += (uint64_t)line->cpu_ns;
  }
  return spread_add(&m->spread, line, step->stack);
}

/* If the recording has Cpu lines, they replace the CPU time of the Sample lines. */
static bool use_spread(struct model *m) {
  struct spread *s = &m->spread;
  if (!m->recording.by_signal) return true;
  cpu_forget(&m->cpu);
  threads_forget_cpu(&m->threads);
  if (!spread_end(s, &m->stacks, &m->threads)) return false;
  m->cpu.num_samples = m->recording.cpu_samples;
  for (size_t i = 0; i < s->num; i++) {
    const struct spread_row *row = &s->rows[i];
    if (!matcher_thread(&m->matcher, row->thread)) continue;
    if (!cpu_add(&m->cpu, row->thread, row->ns, row->stack)) return false;
  }
  spread_free(s);
  return true;
}

static bool end_cpu(struct model *m) {
  return use_spread(m) && cpu_rank(&m->cpu, &m->stacks, m->dump);
}

/* --- threads -------------------------------------------------------------------------------- */

/* Events after the filter's range are ignored, except ThreadStart and ThreadStarted, which name the
   thread. */
static bool take_thread_event(struct model *m, const struct step *step) {
  if (step->event->kind == EVENT_THREAD_START &&
      !threads_site(&m->threads, step->event->object, stacks_place(&m->stacks, step->stack))) {
    return false;
  }
  bool counts = step_counts(step) || (step->matches && matcher_has_idle_threads(&m->matcher));
  if (step->time > m->matcher.filter.to && step->event->kind != EVENT_THREAD_STARTED) return true;
  return threads_event(&m->threads, step->clipped, counts);
}

static bool take_thread_sample(struct model *m, const struct step *step) {
  struct sample_line clipped = *step->sample;
  if (step->time > m->matcher.filter.to) return true;
  clipped.time = matcher_clip(&m->matcher, step->time);
  if (!step->in_time || matcher_needs_stacks(&m->matcher)) clipped.cpu_ns = 0;
  return threads_sample(&m->threads, &clipped, step->stack, step->matches);
}

static bool take_threads(void *arg, const struct step *step) {
  struct model *m = arg;
  const struct sample_line *line = step->sample;
  if (line != NULL && line->kind == SAMPLE_TICK) return threads_live(&m->threads, step);
  if (line != NULL && line->kind == SAMPLE_THREAD) {
    return take_thread_sample(m, step) && threads_live(&m->threads, step);
  }
  if (line != NULL) {
    bool counts = step->in_time && filter_has_samples(&m->matcher.filter);
    return !counts || threads_note_alive(&m->threads, line->thread, step->time, step->matches);
  }
  if (step->event != NULL && !take_thread_event(m, step)) return false;
  if (step->event != NULL && !threads_live(&m->threads, step)) return false;
  return !step_ends_wait(step) || threads_pair(&m->threads, step->clipped_pair);
}

/* With Cpu lines or class patterns the CPU time of a thread is the sum over its matching stacks. */
static bool end_threads(struct model *m) {
  bool by_stacks = m->recording.by_signal || matcher_needs_stacks(&m->matcher);
  for (size_t i = 0; by_stacks && i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    threads_add_cpu(&m->threads, row->thread, profile_ns(row, PROFILE_CPU));
  }
  if (!threads_end(&m->threads, m->recording.to, m->calls.clipped)) return false;
  spending_end(&m->spending, m->recording.to);
  return true;
}

/* --- the profile ---------------------------------------------------------------------------- */

static bool take_profile(void *arg, const struct step *step) {
  struct model *m = arg;
  return !step_ends_wait(step) || profile_pair(&m->profile, step->clipped_pair);
}

static bool end_profile(struct model *m) {
  profile_sort(&m->profile);
  return true;
}

/* --- the process ---------------------------------------------------------------------------- */

/* Gives the slices of the spending the figures of the process within the range of the filter. The
   Sched lines come before the Process line of the same round. */
static void slice_process(struct model *m, const struct sample_line *line) {
  if (line->kind == SAMPLE_PAUSE) {
    ticks_t length = (ticks_t)line->pause_ns * TICKS_PER_NS;
    struct pair pause = {.begin = line->time > length ? line->time - length : 0, .end = line->time};
    if (matcher_clip_pair(&m->matcher, &pause))
      spending_pause(&m->spending, pause.begin, pause.end);
  }
  if (line->kind == SAMPLE_SCHED) m->queued_ns += (uint64_t)line->wait_ns;
  if (line->kind != SAMPLE_PROCESS || line->time <= m->process_line) return;
  ticks_t before = m->process_line == 0 ? m->recording.start : m->process_line;
  ticks_t begin = matcher_clip(&m->matcher, before), end = matcher_clip(&m->matcher, line->time);
  uint64_t queued_ns = m->queued_ns;
  m->process_line = line->time;
  m->queued_ns = 0;
  if (end <= begin) return;
  double part = TICKS_PER_NS * (double)(end - begin) / (double)(line->time - before);
  spending_process(&m->spending, begin, end, (ticks_t)(part * (double)line->cpu_ns),
                   (ticks_t)(part * (double)queued_ns));
}

/* The figures of the whole process are left out if the filter has any pattern. A Sched line has a
   thread, so it is left out only if that thread does not match or the filter has class patterns.
   A line covers about a second before its time; it counts as a whole if its time is in range. */
static bool take_process(void *arg, const struct step *step) {
  struct model *m = arg;
  slice_process(m, step->sample);
  bool is_whole = !filter_has_patterns(&m->matcher.filter);
  bool counts =
      step->sample->kind == SAMPLE_SCHED
          ? !matcher_needs_stacks(&m->matcher) && matcher_thread(&m->matcher, step->sample->thread)
          : is_whole;
  return !counts || !step_counts(step) || process_sample(&m->process, step->sample);
}

static bool end_process(struct model *m) {
  process_end(&m->process, m->cpu.total_ns);
  return true;
}

/* --- titles of locks -------------------------------------------------------------------------- */

/* A lock has the same title whatever the filter, so every event counts. */
static bool take_title(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->event != NULL)
    return titles_event(&m->titles, m->dump, &m->stacks, step->event, step->stack);
  return !step->count->is_short ||
         titles_short_calls(&m->titles, m->dump, &m->stacks, step->count, step->stack);
}

static bool end_titles(struct model *m) {
  titles_end(&m->titles);
  return true;
}

/* --- waits and locks ------------------------------------------------------------------------ */

/* A sum of short calls that matches the filter, its time included. */
static bool is_short_sum(const struct step *step) {
  return is_sum_of_calls(step->count) && step_counts(step);
}

static bool take_stalls(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->event != NULL && step_counts(step) &&
      !stalls_signal(&m->stalls, m->dump, step->event, &m->pass.pairs)) {
    return false;
  }
  if (step->count != NULL) {
    return !is_short_sum(step) || stalls_short_calls(&m->stalls, m->dump, step->count,
                                                     stacks_place(&m->stacks, step->stack));
  }
  if (step->pair == NULL || !step->pair_counts) return true;
  return stalls_add(&m->stalls, m->dump, step->clipped_pair,
                    stacks_place(&m->stacks, step->pair->stack));
}

static bool end_stalls(struct model *m) {
  stalls_limit(&m->stalls, m->matcher.leaves_out_short);
  if (!stalls_by_class(&m->stalls, &m->stalls_by_class)) return false;
  stalls_sort(&m->stalls);
  stalls_sort(&m->stalls_by_class);
  return true;
}

static bool take_lock_count(struct model *m, const struct step *step) {
  if (!step->count->is_short) return !step->matches || locks_count(&m->locks, step->count);
  return !is_short_sum(step) ||
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

static bool take_wakeup_event(void *arg, const struct step *step) {
  struct model *m = arg;
  return wakeups_event(&m->wakeups, &m->pass.holders, step->event, step->stack, step_counts(step));
}

static bool take_wakeup_pair(void *arg, const struct step *step) {
  struct model *m = arg;
  return !step_ends_wait(step) || wakeups_pair(&m->wakeups, step->clipped_pair);
}

static bool end_wakeups(struct model *m) {
  return wakeups_end(&m->wakeups, &m->matcher, &m->stacks, m->recording.to);
}

static bool take_pinned(void *arg, const struct step *step) {
  struct model *m = arg;
  return !step_counts(step) ||
         tally_add(&m->pinned, 0, stacks_place(&m->stacks, step->stack), 1, 0);
}

static bool end_pinned(struct model *m) {
  tally_sort(&m->pinned);
  return true;
}

/* --- calls of tracked methods --------------------------------------------------------------- */

static bool take_calls(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->count != NULL) return !is_short_sum(step) || calls_short_calls(&m->calls, step->count);
  return calls_event(&m->calls, step->clipped, step->stack, step->matches);
}

static bool end_calls(struct model *m) {
  return calls_end(&m->calls, m->dump, &m->stacks, m->recording.to);
}

static bool take_queued_task(void *arg, const struct step *step) {
  struct model *m = arg;
  if (step->event != NULL)
    return queued_tasks_event(&m->queued_tasks, m->dump, step->clipped, step_counts(step));
  return !is_short_sum(step) || queued_tasks_short_calls(&m->queued_tasks, m->dump, step->count);
}

/* --- deadlocks, orders, guards -------------------------------------------------------------- */

/* A deadlock matches if one of its pairs does. */
static bool does_link_match(void *arg, const struct pair *pair) {
  struct model *m = arg;
  struct pair clipped = *pair;
  clipped.end = m->recording.to;
  return matcher_pair(&m->matcher, &m->stacks, &clipped);
}

/* Searches the pairs and holders that remain at the end. */
static bool end_deadlocks(struct model *m) {
  struct deadlocks *d = &m->deadlocks;
  if (!deadlocks_find(d, &m->pass.pairs, &m->pass.holders, m->dump, &m->stacks)) return false;
  for (size_t i = 0; i < d->num; i++) {
    d->links[i].wait.pair.begin = matcher_clip(&m->matcher, d->links[i].wait.pair.begin);
  }
  deadlocks_keep(d, does_link_match, m);
  return true;
}

static bool take_order_event(void *arg, const struct step *step) {
  struct model *m = arg;
  return orders_event(&m->orders, &m->pass.holders, &m->pass.pairs, step->event, step->stack);
}

static bool end_orders(struct model *m) {
  return orders_end(&m->orders, &m->pass.holders, &m->stacks, &m->matcher);
}

static bool take_guard_event(void *arg, const struct step *step) {
  struct model *m = arg;
  return guards_event(&m->guards, &m->pass.holders, m->dump, &m->stacks, step->event, step->stack);
}

/* --- the cost of recording ------------------------------------------------------------------ */

static bool take_cost(void *arg, const struct step *step) {
  struct model *m = arg;
  return step->event == NULL || step->origin != STEP_RECORDED ||
         cost_event(&m->cost, m->dump, &m->stacks, step->event);
}

static bool end_cost(struct model *m) { return cost_end(&m->cost, &m->stacks); }

/* --- periods --------------------------------------------------------------------------------- */

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

/* --- rows ----------------------------------------------------------------------------------- */

#define STACKS (PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_CPU))
#define PROCESS                                                                         \
  (PASS_SAMPLE(SAMPLE_PROCESS) | PASS_SAMPLE(SAMPLE_TASK) | PASS_SAMPLE(SAMPLE_SCHED) | \
   PASS_SAMPLE(SAMPLE_PAUSE))
#define SAMPLES (PASS_SAMPLE(SAMPLE_TICK) | STACKS | PROCESS)
#define PAIRS (PASS_EVENTS | PASS_OPEN_PAIRS)

/* The kinds of events that the analyses take. */

static bool is_stall_event(enum event_kind kind) {
  return event_is_end(kind) || wake_event_signals(kind);
}

static bool is_title_event(enum event_kind kind) {
  enum lock_act act = lock_events[kind].act;
  return act == LOCK_ACT_WAITS || act == LOCK_ACT_TRIES || act == LOCK_ACT_GOT;
}

static bool is_lock_event(enum event_kind kind) {
  enum lock_act act = lock_events[kind].act;
  return act == LOCK_ACT_GOT || act == LOCK_ACT_LEFT ||
         (event_is_end(kind) && lock_event_asks(event_begin(kind)));
}

static bool is_call_event(enum event_kind kind) {
  return kind == EVENT_METHOD_ENTRY || kind == EVENT_METHOD_EXIT || kind == EVENT_THREAD_ENDED;
}

static bool is_task_event(enum event_kind kind) { return event_has(kind, TRAIT_NAMES_TASK); }

static bool is_pinned_event(enum event_kind kind) { return kind == EVENT_THREAD_PINNED; }

static bool is_order_event(enum event_kind kind) {
  enum lock_act act = lock_events[kind].act;
  return act == LOCK_ACT_WAITS || act == LOCK_ACT_GOT;
}

static bool is_guard_event(enum event_kind kind) {
  enum lock_act act = lock_events[kind].act;
  return lock_events[kind].sort == LOCK_MONITOR && (act == LOCK_ACT_GOT || act == LOCK_ACT_LEFT);
}

const struct analysis analyses[NUM_ANALYSES] = {
    /* Takes all kinds of lines, so that every pass finds the faults of all files. */
    [ANALYSIS_RECORDING] = {.listener = {"recording", PASS_EVENTS | PASS_COUNTS | SAMPLES,
                                         .take = take_recording}},
    [ANALYSIS_CPU] = {.listener = {"cpu", STACKS, .take = take_cpu}, .end = end_cpu},
    [ANALYSIS_THREADS] = {.listener = {"threads", PAIRS | STACKS | PASS_SAMPLE(SAMPLE_TICK),
                                       .take = take_threads},
                          .uses = ANALYSES(CPU),
                          .end = end_threads},
    [ANALYSIS_PROFILE] = {.listener = {"profile", PAIRS, event_is_end, .take = take_profile},
                          .uses = ANALYSES(CPU) | ANALYSES(THREADS),
                          .end = end_profile},
    [ANALYSIS_PROCESS] = {.listener = {"process", PROCESS, .take = take_process},
                          .uses = ANALYSES(CPU),
                          .end = end_process},
    [ANALYSIS_TITLES] = {.listener = {"titles", PASS_EVENTS | PASS_COUNTS, is_title_event,
                                      .take = take_title},
                         .end = end_titles},
    [ANALYSIS_STALLS] = {.listener = {"stalls", PAIRS | PASS_COUNTS, is_stall_event,
                                      .take = take_stalls},
                         .end = end_stalls},
    [ANALYSIS_LOCKS] = {.listener = {"locks", PAIRS | PASS_COUNTS, is_lock_event,
                                     .take = take_locks},
                        .uses = ANALYSES(TITLES),
                        .end = end_locks},
    [ANALYSIS_WAKEUPS] = {.listener = {"wakeups", PAIRS, .before = take_wakeup_event,
                                       .take = take_wakeup_pair},
                          .end = end_wakeups},
    [ANALYSIS_CALLS] = {.listener = {"calls", PASS_EVENTS | PASS_COUNTS, is_call_event,
                                     .take = take_calls},
                        .end = end_calls},
    [ANALYSIS_QUEUED_TASKS] = {.listener = {"queued tasks", PASS_EVENTS | PASS_COUNTS,
                                            is_task_event, .take = take_queued_task}},
    [ANALYSIS_PINNED] = {.listener = {"pinned", PASS_EVENTS, is_pinned_event, .take = take_pinned},
                         .end = end_pinned},
    [ANALYSIS_DEADLOCKS] = {.listener = {.name = "deadlocks", .lines = PASS_EVENTS},
                            .uses = ANALYSES(TITLES),
                            .end = end_deadlocks},
    [ANALYSIS_ORDERS] = {.listener = {"orders", PASS_EVENTS, is_order_event,
                                      .before = take_order_event},
                         .uses = ANALYSES(TITLES),
                         .end = end_orders},
    [ANALYSIS_GUARDS] = {.listener = {"guards", PASS_EVENTS, is_guard_event,
                                      .before = take_guard_event}},
    [ANALYSIS_COST] = {.listener = {"cost", PASS_EVENTS, .take = take_cost}, .end = end_cost},
    [ANALYSIS_PERIODS] = {.listener = {.name = "periods", .lines = PASS_SAMPLE(SAMPLE_PROCESS)},
                          .uses = ANALYSES(THREADS) | ANALYSES(LOCKS) | ANALYSES(PROCESS),
                          .end = end_periods},
};

analyses_t analyses_with_used(analyses_t set) {
  set |= ANALYSES(RECORDING) | ANALYSES(CPU) | ANALYSES(THREADS) | ANALYSES(PROFILE) |
         ANALYSES(PROCESS);
  for (int id = NUM_ANALYSES - 1; id >= 0; id--) {
    if ((set >> id & 1) != 0) set |= analyses[id].uses;
  }
  return set;
}
