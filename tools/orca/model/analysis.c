#include "tools/orca/model/analysis.h"

#include "tools/orca/model/model.h"

#define STACKS (PASS_SAMPLE(SAMPLE_THREAD) | PASS_SAMPLE(SAMPLE_CPU))
#define PROCESS                                                                         \
  (PASS_SAMPLE(SAMPLE_PROCESS) | PASS_SAMPLE(SAMPLE_TASK) | PASS_SAMPLE(SAMPLE_SCHED) | \
   PASS_SAMPLE(SAMPLE_PAUSE))
#define SAMPLES (PASS_SAMPLE(SAMPLE_TICK) | STACKS | PROCESS)

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

/* Takes all kinds of lines, so that every pass finds the faults of all files. */
const struct analysis analysis_recording = {
    .listener = {"recording", PASS_EVENTS | PASS_COUNTS | SAMPLES, .take = take_recording}};

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

const struct analysis analysis_cpu = {.listener = {"cpu", STACKS, .take = take_cpu},
                                      .end = end_cpu};

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

const struct analysis analysis_threads = {
    .listener = {"threads", PASS_PAIRS | STACKS | PASS_SAMPLE(SAMPLE_TICK), .take = take_threads},
    .uses = ANALYSES(CPU),
    .end = end_threads};

/* --- the profile ---------------------------------------------------------------------------- */

static bool take_profile(void *arg, const struct step *step) {
  struct model *m = arg;
  return !step_ends_wait(step) || profile_pair(&m->profile, step->clipped_pair);
}

static bool end_profile(struct model *m) {
  profile_sort(&m->profile);
  return true;
}

const struct analysis analysis_profile = {
    .listener = {"profile", PASS_PAIRS, event_is_end, .take = take_profile},
    .uses = ANALYSES(CPU) | ANALYSES(THREADS),
    .end = end_profile};

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

const struct analysis analysis_process = {.listener = {"process", PROCESS, .take = take_process},
                                          .uses = ANALYSES(CPU),
                                          .end = end_process};

/* --- virtual threads that block on their carrier --------------------------------------------- */

static bool is_pinned_event(enum event_kind kind) { return kind == EVENT_THREAD_PINNED; }

static bool take_pinned(void *arg, const struct step *step) {
  struct model *m = arg;
  return !step_counts(step) ||
         tally_add(&m->pinned, 0, stacks_place(&m->stacks, step->stack), 1, 0);
}

static bool end_pinned(struct model *m) {
  tally_sort(&m->pinned);
  return true;
}

const struct analysis analysis_pinned = {
    .listener = {"pinned", PASS_EVENTS, is_pinned_event, .take = take_pinned}, .end = end_pinned};

/* --- calls of System.gc --------------------------------------------------------------------- */

static bool is_gc_call(enum event_kind kind) { return kind == EVENT_SYSTEM_GC; }

static bool take_gc_call(void *arg, const struct step *step) {
  struct model *m = arg;
  return !step_counts(step) || (tally_add(&m->gc_calls, 0, step->stack, 1, 1) &&
                                tally_add(&m->gc_calls, 1, step->event->thread, 1, 1));
}

static bool end_gc_calls(struct model *m) {
  tally_sort(&m->gc_calls);
  return true;
}

const struct analysis analysis_gc_calls = {
    .listener = {"gc calls", PASS_EVENTS, is_gc_call, .take = take_gc_call}, .end = end_gc_calls};

/* --- the table ------------------------------------------------------------------------------ */

const struct analysis *const analyses[NUM_ANALYSES] = {
#define ANALYSIS(ID, id, type, free) [ANALYSIS_##ID] = &analysis_##id,
#include "tools/orca/model/analysis.def"
};

analyses_t analyses_with_used(analyses_t set) {
  set |= ANALYSES(RECORDING) | ANALYSES(CPU) | ANALYSES(THREADS) | ANALYSES(PROFILE) |
         ANALYSES(PROCESS);
  for (int id = NUM_ANALYSES - 1; id >= 0; id--) {
    if ((set >> id & 1) != 0) set |= analyses[id]->uses;
  }
  return set;
}
