#include "tools/orca/model/pass.h"

void pass_start(struct pass *p, struct dump *d, struct matcher *matcher, struct stacks *stacks) {
  *p = (struct pass){.dump = d, .matcher = matcher, .stacks = stacks};
  p->pairs.depth = coverage_is_lossy(dump_coverage(d)) ? 0 : dump_coverage(d)->depth;
  holders_start(&p->holders, d);
}

/* --- listeners ---------------------------------------------------------------------------- */

static void add_call(struct pass_calls *calls, bool (*take)(void *arg, const struct step *step),
                     void *arg) {
  if (take == NULL) return;
  calls->rows[calls->num].take = take;
  calls->rows[calls->num++].arg = arg;
}

void pass_add(struct pass *p, const struct listener *row, void *arg) {
  p->lines |= row->lines;
  for (int kind = 0; kind < NUM_EVENTS && (row->lines & PASS_EVENTS) != 0; kind++) {
    if (row->wants != NULL && !row->wants((enum event_kind)kind)) continue;
    add_call(&p->before[kind], row->before, arg);
    add_call(&p->event_calls[kind], row->take, arg);
  }
  for (int kind = 0; kind < NUM_SAMPLE_KINDS; kind++) {
    if ((row->lines & PASS_SAMPLE(kind)) != 0) add_call(&p->sample_calls[kind], row->take, arg);
  }
  if ((row->lines & PASS_COUNTS) != 0) add_call(&p->count_calls, row->take, arg);
  if ((row->lines & PASS_OPEN_PAIRS) != 0) add_call(&p->open_pair_calls, row->take, arg);
}

static bool call_all(const struct pass_calls *calls, const struct step *step) {
  for (size_t i = 0; i < calls->num; i++) {
    if (!calls->rows[i].take(calls->rows[i].arg, step)) return false;
  }
  return true;
}

/* --- events ------------------------------------------------------------------------------- */

/* The stack of most points is not needed, and interning it costs time. */
static bool intern_stack(const struct pass *p, const struct event_line *line, stack_id_t *out) {
  bool is_needed = (p->lines & PASS_ALL_STACKS) != 0 || event_is_of_pair(line->kind) ||
                   event_has(line->kind, TRAIT_STACK) ||
                   lock_events[line->kind].act == LOCK_ACT_GOT || matcher_needs_stacks(p->matcher);
  *out = 0;
  return !is_needed || stacks_intern_event(p->stacks, p->dump, line, out);
}

static void set_pair(struct pass *p, struct step *step, const struct pair *pair,
                     struct pair *clipped) {
  *clipped = *pair;
  matcher_clip_pair(p->matcher, clipped);
  step->pair = pair;
  step->clipped_pair = clipped;
  step->pair_counts = matcher_pair(p->matcher, p->stacks, clipped);
  step->had_to_wait = pair->is_older || releases_had_to_wait(&p->releases, &p->holders, pair);
}

/* `*pair` receives the pair that step->pair or step->named_pair then point to. */
static bool update_pairs(struct pass *p, struct step *step, struct pair *pair,
                         struct pair *clipped) {
  if (wake_events[step->event->kind].act == WAKE_ACT_PERMIT)
    return holders_follow(&p->holders, &p->pairs, step->event, NULL);
  if (!event_is_of_pair(step->event->kind) && step->event->kind != EVENT_MONITOR_OWNER) return true;
  enum pairs_answer answer = pairs_feed(&p->pairs, step->event, step->stack, pair);
  if (step->origin == STEP_OLDER)
    pairs_mark_older(&p->pairs, step->event->thread, step->event->kind);
  if (answer == PAIRS_DONE) set_pair(p, step, pair, clipped);
  if (answer == PAIRS_OWNER_KNOWN) step->named_pair = pair;
  return answer != PAIRS_NO_MEMORY &&
         (step->origin == STEP_INFERRED ||
          holders_follow(&p->holders, &p->pairs, step->event, step->pair));
}

static bool update_locks(struct pass *p, struct step *step) {
  if (step->event->kind == EVENT_MONITOR_HELD)
    return holders_note_acquisition(&p->holders, step->event, step->stack);
  if (step->event->kind == EVENT_READ_LOCK_HELD)
    return holders_note_reader(&p->holders, &p->pairs, step->event);
  /* A call that is over by now may have thrown, and the thread may have released the lock again. */
  if (lock_events[step->event->kind].act == LOCK_ACT_NONE || step->origin == STEP_INFERRED)
    return true;
  return holders_event(&p->holders, p->dump, step->clipped, step->stack, &step->released,
                       &step->held) &&
         releases_event(&p->releases, step->event);
}

/* Changes the owner and, if the filter has a range, the time in `line`. */
static bool take_event(struct pass *p, struct event_line *line, stack_id_t stack,
                       enum step_origin origin) {
  struct event_line clipped_line;
  struct step step = {.time = line->time,
                      .event = line,
                      .clipped = line,
                      .stack = stack,
                      .origin = origin,
                      .pairs = &p->pairs,
                      .holders = &p->holders};
  struct pair pair, clipped_pair;
  holders_advance(&p->holders, line->time);
  step.matches = matcher_event(p->matcher, p->stacks, line, step.stack);
  step.in_time = matcher_has_time(p->matcher, line->time);
  if (event_is_of_pair(line->kind) || line->kind == EVENT_MONITOR_OWNER) {
    step.owner = holders_owner(&p->holders, line);
  } else if (line->kind == EVENT_CLASS_INIT_WAIT) {
    step.owner = line->owner;
  }
  if (!call_all(&p->before[line->kind], &step)) return false;
  line->owner = step.owner;
  if (!step.in_time) {
    clipped_line = *line;
    clipped_line.time = matcher_clip(p->matcher, line->time);
    step.clipped = &clipped_line;
  }
  return update_pairs(p, &step, &pair, &clipped_pair) && update_locks(p, &step) &&
         call_all(&p->event_calls[line->kind], &step);
}

/* Ends the calls that are over by this sign (open_calls.h). */
static bool infer_ends(struct pass *p, const struct open_calls_sign *sign) {
  struct event_line end;
  stack_id_t stack;
  while (open_calls_infer_end(&p->open_calls, p->dump, p->stacks, sign, &end, &stack)) {
    if (!take_event(p, &end, stack, STEP_INFERRED)) return false;
  }
  return true;
}

static bool infer_ends_by_event(struct pass *p, const struct event_line *line) {
  struct open_calls_sign sign = {.thread = line->thread, .time = line->time, .event = line};
  open_calls_forget(&p->open_calls, line);
  if (!open_calls_has(&p->open_calls, line->thread) || event_has(line->kind, TRAIT_NEWS))
    return true;
  return stacks_intern_event(p->stacks, p->dump, line, &sign.stack) && infer_ends(p, &sign);
}

/* The samples of threads show when these calls end, whether a listener takes samples or not. */
static void begin_open_calls(struct pass *p) {
  p->has_open_calls = true;
  if (p->samples != NULL) return;
  p->samples = dump_stream(p->dump, DUMP_SAMPLES);
  p->has_sample = stream_sample(p->samples, &p->sample);
}

static bool handle_event(struct pass *p) {
  struct event_line *line = &p->event;
  stack_id_t stack;
  bool is_open_call;
  if (!intern_stack(p, line, &stack)) return false;
  if (line->kind == EVENT_OPEN_CALL && !p->has_open_calls) begin_open_calls(p);
  if (!p->has_open_calls) return take_event(p, line, stack, STEP_RECORDED);
  if (!open_calls_note(&p->open_calls, line, stack, &is_open_call)) return false;
  if (!is_open_call && !infer_ends_by_event(p, line)) return false;
  return take_event(p, line, stack, is_open_call ? STEP_OLDER : STEP_RECORDED);
}

/* --- samples and counts ------------------------------------------------------------------- */

static bool intern_sample_stack(struct pass *p, const struct sample_line *line) {
  stack_id_t stack;
  return stacks_intern(p->stacks, p->dump, line->stack, &stack) &&
         hashmap_put(&p->stack_ids, line->stack_id, stack);
}

static bool find_sample_stack(const struct pass *p, const struct sample_line *line, bool in_time,
                              stack_id_t *out) {
  uint64_t stack = 0;
  *out = 0;
  if (line->kind != SAMPLE_THREAD && line->kind != SAMPLE_CPU) return true;
  hashmap_get(&p->stack_ids, line->stack_id, &stack);
  *out = (stack_id_t)stack;
  if (line->kind != SAMPLE_CPU || !in_time) return true;
  return stacks_of_cpu_line(p->stacks, line->place, *out, out);
}

static bool infer_ends_by_sample(struct pass *p, const struct step *step) {
  const struct sample_line *line = step->sample;
  return step->stack == 0 ||
         infer_ends(p, &(struct open_calls_sign){.thread = line->thread,
                                                 .time = line->time,
                                                 .stack = step->stack,
                                                 .is_running = line->state == STATE_RUNNABLE});
}

static bool handle_sample(struct pass *p) {
  const struct sample_line *line = &p->sample;
  struct step step = {.time = line->time, .sample = line};
  if (line->kind == SAMPLE_STACK) return intern_sample_stack(p, line);
  bool is_sign = line->kind == SAMPLE_THREAD && open_calls_has(&p->open_calls, line->thread);
  if (!is_sign && (p->lines & PASS_SAMPLE(line->kind)) == 0) return true;
  step.in_time = matcher_has_time(p->matcher, line->time);
  if (!find_sample_stack(p, line, step.in_time, &step.stack)) return false;
  step.matches = filter_has_samples(&p->matcher->filter);
  if (line->kind == SAMPLE_THREAD || line->kind == SAMPLE_CPU) {
    step.matches = step.matches && matcher_thread(p->matcher, line->thread) &&
                   matcher_stack(p->matcher, p->stacks, step.stack);
  }
  if (line->kind == SAMPLE_THREAD) {
    step.activity =
        activity_of_sample(line->state, stacks_activity(p->stacks, step.stack), line->cpu_ns);
    if (is_sign && !infer_ends_by_sample(p, &step)) return false;
  }
  return call_all(&p->sample_calls[line->kind], &step);
}

static bool handle_count(struct pass *p) {
  const struct count_line *line = &p->count;
  struct step step = {.time = line->time, .count = line};
  if (line->is_short && !stacks_intern(p->stacks, p->dump, line->stack, &step.stack)) return false;
  step.matches = line->is_short ? matcher_short_calls(p->matcher, p->stacks, line, step.stack)
                                : matcher_count(p->matcher, line);
  step.in_time = matcher_has_time(p->matcher, line->time);
  return call_all(&p->count_calls, &step);
}

/* --- the walk ------------------------------------------------------------------------------ */

static void open_streams(struct pass *p) {
  unsigned samples = PASS_SAMPLE(NUM_SAMPLE_KINDS) - 1;
  p->events = dump_stream(p->dump, DUMP_EVENTS);
  p->has_event = stream_event(p->events, &p->event);
  if ((p->lines & samples) != 0) {
    p->samples = dump_stream(p->dump, DUMP_SAMPLES);
    p->has_sample = stream_sample(p->samples, &p->sample);
  }
  if ((p->lines & PASS_COUNTS) != 0) {
    p->counts = dump_stream(p->dump, DUMP_COUNTS);
    p->has_count = stream_count(p->counts, &p->count);
  }
}

static void close_stream(struct pass *p, struct stream *s) {
  if (s == NULL) return;
  p->cut |= stream_cut(s);
  stream_close(s);
}

/* Takes the earliest of the next lines, unless it is later than `until`; of equal times the event
   first. `*out_any` receives whether there was such a line. */
static bool handle_next(struct pass *p, ticks_t until, bool *out_any) {
  ticks_t event = p->has_event ? p->event.time : UINT64_MAX;
  ticks_t sample = p->has_sample ? p->sample.time : UINT64_MAX;
  ticks_t count = p->has_count ? p->count.time : UINT64_MAX;
  bool good = true;
  *out_any = (p->has_event && event <= until) || (p->has_sample && sample <= until) ||
             (p->has_count && count <= until);
  if (!*out_any) return true;
  if (p->has_event && event <= sample && (!p->has_count || event <= p->count.time)) {
    good = handle_event(p);
    p->has_event = stream_event(p->events, &p->event);
  } else if (p->has_sample && (!p->has_count || sample <= p->count.time)) {
    good = handle_sample(p);
    p->has_sample = stream_sample(p->samples, &p->sample);
  } else {
    good = handle_count(p);
    p->has_count = stream_count(p->counts, &p->count);
  }
  return good;
}

/* A sample may come before the ThreadStarted line that names its thread. So a filter by names needs
   all names first. */
static bool read_names(struct pass *p) {
  struct stream *s = dump_stream(p->dump, DUMP_EVENTS);
  struct event_line line;
  bool good = true;
  while (good && stream_event(s, &line)) {
    stack_id_t stack = 0;
    bool is_start = line.kind == EVENT_THREAD_START;
    if (!is_start && line.kind != EVENT_THREAD_STARTED) continue;
    good = !is_start || stacks_intern_event(p->stacks, p->dump, &line, &stack);
    if (good) matcher_read_name(p->matcher, &line, stacks_place(p->stacks, stack));
  }
  stream_close(s);
  p->matcher->has_names = good;
  return good;
}

/* Asks the streams that were at their end for the lines that were added since. */
static bool reopen_streams(struct pass *p) {
  bool good = true;
  if (!p->is_open) {
    if (p->matcher->filter.threads.num > 0 && !p->matcher->has_names) good = read_names(p);
    open_streams(p);
    p->is_open = true;
    return good;
  }
  if (!p->has_event) p->has_event = stream_event(p->events, &p->event);
  if (!p->has_sample) p->has_sample = stream_sample(p->samples, &p->sample);
  if (!p->has_count) p->has_count = stream_count(p->counts, &p->count);
  return good;
}

bool pass_advance(struct pass *p, ticks_t until) {
  bool any = true;
  if (!reopen_streams(p)) return false;
  while (any) {
    if (!handle_next(p, until, &any)) return false;
  }
  return !p->matcher->failed;
}

ticks_t pass_next_time(const struct pass *p) {
  ticks_t next = UINT64_MAX;
  if (p->has_event) next = p->event.time;
  if (p->has_sample && p->sample.time < next) next = p->sample.time;
  if (p->has_count && p->count.time < next) next = p->count.time;
  return next;
}

static void close_streams(struct pass *p) {
  close_stream(p, p->events);
  close_stream(p, p->samples);
  close_stream(p, p->counts);
  p->events = p->samples = p->counts = NULL;
  p->is_open = false;
}

bool pass_read(struct pass *p) {
  bool good = pass_advance(p, UINT64_MAX);
  close_streams(p);
  return good;
}

bool pass_end(struct pass *p, ticks_t end) {
  struct pair pair, clipped;
  for (size_t cursor = 0; pairs_next_open(&p->pairs, &cursor, &pair);) {
    struct step step = {.time = end, .stack = pair.stack};
    pair.end = end;
    set_pair(p, &step, &pair, &clipped);
    step.matches = step.pair_counts;
    step.in_time = matcher_has_time(p->matcher, end);
    if (!call_all(&p->open_pair_calls, &step)) return false;
  }
  return !p->matcher->failed;
}

void pass_free(struct pass *p) {
  if (p->is_open) close_streams(p);
  hashmap_free(&p->stack_ids);
  pairs_free(&p->pairs);
  holders_free(&p->holders);
  releases_free(&p->releases);
  open_calls_free(&p->open_calls);
}
