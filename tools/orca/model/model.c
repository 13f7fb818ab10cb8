#include "tools/orca/model/model.h"

/* An acquisition that found its lock free is no time that its thread stood. */
static bool add_pair(struct model *m, const struct pair *pair) {
  place_t place = stacks_place(&m->stacks, pair->stack);
  bool waited;
  if (!matcher_pair(&m->matcher, &m->stacks, pair)) return true;
  return stalls_add(&m->stalls, m->dump, pair, place) &&
         locks_pair(&m->locks, pair, place, &waited) &&
         (!waited || (threads_pair(&m->threads, pair) && profile_pair(&m->profile, pair) &&
                      wakeups_pair(&m->wakeups, pair)));
}

/* Points need no stack, but for who has a monitor, calls of methods and what is pinned. */
static bool intern_stack(struct model *m, const struct event_line *line, stack_id_t *out) {
  const struct event_info *info = &event_infos[line->kind];
  bool needed = info->role != ROLE_POINT || info->group == GROUP_METHOD ||
                line->kind == EVENT_THREAD_PINNED || lock_events[line->kind].act == LOCK_ACT_GOT ||
                matcher_needs_stacks(&m->matcher);
  *out = 0;
  return !needed || stacks_intern_event(&m->stacks, m->dump, line, out);
}

static bool read_pinned(struct model *m, const struct event_line *line, stack_id_t stack) {
  return line->kind != EVENT_THREAD_PINNED ||
         tally_add(&m->pinned, 0, stacks_place(&m->stacks, stack), 1, 0);
}

/* A line that names no owner is given the one that is known. */
static bool read_pair(struct model *m, struct event_line *line, stack_id_t stack) {
  struct pair pair;
  if (event_infos[line->kind].role == ROLE_POINT && line->kind != EVENT_MONITOR_OWNER) return true;
  line->owner = holders_owner(&m->locks.holders, line);
  enum pairs_answer answer = pairs_feed(&m->pairs, line, stack, &pair);
  return answer == PAIRS_DONE ? add_pair(m, &pair) : answer != PAIRS_NO_MEMORY;
}

/* What a thread does behind the time that is asked for is nothing of it; its name always is. */
static bool read_thread_event(struct model *m, const struct event_line *line, ticks_t time,
                              bool meant, bool asked) {
  if (time > m->matcher.filter.to && line->kind != EVENT_THREAD_STARTED) return true;
  bool counts = asked || (meant && matcher_is_about_threads(&m->matcher));
  return threads_event(&m->threads, line, counts);
}

/* Every part is shown every event, as an earlier or later one may make part of what is asked for:
   its time is clipped, in the line itself, as to copy it would take as long as to read it. `meant`:
   asked for but for its time. */
static bool read_event(struct model *m, struct event_line *line) {
  stack_id_t stack;
  ticks_t time = line->time;
  if (!intern_stack(m, line, &stack)) return false;
  bool meant = matcher_event(&m->matcher, &m->stacks, line, stack);
  bool asked = meant && matcher_has_time(&m->matcher, time);
  recording_event(&m->recording, line, asked);
  if ((asked && !stalls_signal(&m->stalls, m->dump, line, &m->pairs)) ||
      !orders_event(&m->orders, &m->locks.holders, &m->pairs, line, stack) ||
      !guards_event(&m->guards, &m->locks.holders, m->dump, &m->stacks, line, stack) ||
      !wakeups_event(&m->wakeups, &m->locks.holders, line, stack, asked)) {
    return false;
  }
  line->time = matcher_clip(&m->matcher, time);
  return read_thread_event(m, line, time, meant, asked) && read_pair(m, line, stack) &&
         locks_event(&m->locks, m->dump, line, stack, asked) &&
         calls_feed(&m->calls, line, stack, meant) && (!asked || read_pinned(m, line, stack));
}

static bool read_events(struct model *m) {
  struct stream *s = dump_stream(m->dump, DUMP_EVENTS);
  struct event_line line;
  bool good = true;
  while (good && stream_event(s, &line)) good = read_event(m, &line);
  m->recording.cut |= stream_cut(s);
  stream_close(s);
  return good;
}

static bool read_counts(struct model *m) {
  struct stream *s = dump_stream(m->dump, DUMP_COUNTS);
  struct count_line line;
  bool good = true;
  while (good && stream_count(s, &line)) good = locks_count(&m->locks, &line);
  m->recording.cut |= stream_cut(s);
  stream_close(s);
  return good;
}

/* CPU time belongs to the moment that tells of it; it finds its stack by itself. */
static bool read_thread(struct model *m, const struct sample_line *line, stack_id_t stack,
                        bool asked) {
  struct sample_line clipped = *line;
  enum activity activity = activity_of(line->state, stacks_activity(&m->stacks, stack));
  uint64_t ns = line->cpu_ns > 0 ? (uint64_t)line->cpu_ns : 0;
  bool counts = matcher_thread(&m->matcher, line->thread) && filter_has_samples(&m->matcher.filter);
  if (line->time > m->matcher.filter.to) return true;
  clipped.time = matcher_clip(&m->matcher, line->time);
  if (!asked || matcher_needs_stacks(&m->matcher)) clipped.cpu_ns = 0;
  bool meant = counts && matcher_stack(&m->matcher, &m->stacks, stack);
  return threads_sample(&m->threads, &clipped, activity, stack, meant) &&
         (!asked || cpu_sample(&m->cpu, line->thread, ns, activity == ACTIVITY_RUNS ? stack : 0));
}

static bool has_thread(struct model *m, const struct sample_line *line, stack_id_t stack) {
  return matcher_thread(&m->matcher, line->thread) && matcher_stack(&m->matcher, &m->stacks, stack);
}

/* The Cpu lines of all threads in the time that is asked for count, since threads are pooled; which
   threads and stacks are asked for is settled afterwards. */
static bool read_cpu(struct model *m, const struct sample_line *line, stack_id_t stack,
                     bool in_time) {
  stack_id_t shown;
  if (!in_time) {
    recording_sample(&m->recording, line, false);
    return true;
  }
  if (!spread_add(&m->spread, &m->stacks, line, stack, &shown)) return false;
  bool asked = has_thread(m, line, shown);
  recording_sample(&m->recording, line, asked);
  if (asked && line->place == CPU_PLACE_LOST && stack != 0) m->lost_ns += (uint64_t)line->cpu_ns;
  return threads_see(&m->threads, line->thread, line->time, asked);
}

/* What the whole process did is not told where a part of it is asked for; a Sched line has a
   thread. A line counts whole at its time, though it tells of the second before. */
static bool read_process(struct model *m, const struct sample_line *line) {
  const struct filter *f = &m->matcher.filter;
  bool whole = f->threads.num + f->locks.num + f->events.num + f->classes.num == 0;
  bool asked = line->kind == SAMPLE_SCHED
                   ? !matcher_needs_stacks(&m->matcher) && matcher_thread(&m->matcher, line->thread)
                   : whole;
  return !asked || process_sample(&m->process, line);
}

/* `ids`: the stackID of .samples -> the stack here. CPU time belongs to an earlier stack, so that
   it may be asked for where the sample itself is not. */
static bool read_sample(struct model *m, struct hashmap *ids, const struct sample_line *line) {
  uint64_t known = 0;
  stack_id_t stack;
  bool asked = filter_has_samples(&m->matcher.filter) && matcher_has_time(&m->matcher, line->time);
  if (line->kind == SAMPLE_CPU) {
    hashmap_get(ids, line->stack_id, &known);
    return read_cpu(m, line, (stack_id_t)known, asked);
  }
  if (line->kind != SAMPLE_THREAD) recording_sample(&m->recording, line, asked);
  if (line->kind == SAMPLE_TICK) return true;
  if (line->kind == SAMPLE_STACK) {
    return stacks_intern(&m->stacks, m->dump, line->stack, &stack) &&
           hashmap_put(ids, line->stack_id, stack);
  }
  if (line->kind != SAMPLE_THREAD) return !asked || read_process(m, line);
  hashmap_get(ids, line->stack_id, &known);
  recording_sample(&m->recording, line, asked && has_thread(m, line, (stack_id_t)known));
  asked &= matcher_thread(&m->matcher, line->thread);
  return read_thread(m, line, (stack_id_t)known, asked);
}

static bool read_samples(struct model *m) {
  struct stream *s = dump_stream(m->dump, DUMP_SAMPLES);
  struct hashmap ids = {0};
  struct sample_line line;
  bool good = true;
  while (good && stream_sample(s, &line)) good = read_sample(m, &ids, &line);
  m->recording.cut |= stream_cut(s);
  hashmap_free(&ids);
  stream_close(s);
  return good;
}

uint64_t model_unknown_ns(const struct model *m) {
  uint64_t ns = m->lost_ns + m->cpu.no_stack_ns + cpu_pseudo_ns(&m->cpu, PSEUDO_NOT_DECODED) +
                cpu_pseudo_ns(&m->cpu, PSEUDO_NOT_SAMPLED);
  return ns < m->cpu.total_ns ? ns : m->cpu.total_ns;
}

bool model_next_open(const struct model *m, size_t *cursor, struct pair *out) {
  while (pairs_next_open(&m->pairs, cursor, out)) {
    out->end = m->recording.to;
    if (matcher_pair(m->locks.matcher, &m->stacks, out)) return true;
  }
  return false;
}

/* What never ended stood until the recording did. */
static bool add_open_pairs(struct model *m) {
  struct pair pair;
  for (size_t cursor = 0; model_next_open(m, &cursor, &pair);) {
    if (!add_pair(m, &pair)) return false;
  }
  return true;
}

/* Cpu lines replace what the samples at safepoints say of CPU time. */
static bool take_spread(struct model *m) {
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

/* Where only some stacks are asked for, the CPU time of a thread is that of those. With Cpu lines
   it is always that of its stacks. */
static void take_cpu(struct model *m) {
  if (!m->recording.by_signal && !matcher_needs_stacks(&m->matcher)) return;
  for (size_t i = 0; i < m->profile.num; i++) {
    const struct profile_row *row = &m->profile.rows[i];
    threads_add_cpu(&m->threads, row->thread, profile_ns(row, PROFILE_CPU));
  }
}

/* Threads and CPU time close what is open, which the profile takes too. */
static bool end_profile(struct model *m) {
  bool good = take_spread(m) && cpu_rank(&m->cpu, &m->stacks, m->dump);
  take_cpu(m);
  good = good && threads_end(&m->threads, m->recording.to, m->calls.clipped);
  profile_sort(&m->profile);
  process_end(&m->process, m->cpu.total_ns);
  return good;
}

bool model_asks_for_open(struct model *m, const struct pair *pair) {
  struct pair clipped = *pair;
  clipped.end = m->recording.to;
  return matcher_pair(&m->matcher, &m->stacks, &clipped);
}

/* A deadlock is asked for as soon as one of its threads is. */
static bool wants_link(void *model, const struct pair *pair) {
  return model_asks_for_open(model, pair);
}

static bool find_deadlocks(struct model *m) {
  if (!deadlocks_find(&m->deadlocks, &m->pairs, &m->locks.holders, m->dump, &m->stacks)) {
    return false;
  }
  deadlocks_keep(&m->deadlocks, wants_link, m);
  return true;
}

static void start(struct model *m, struct dump *d, const struct filter *filter) {
  *m = (struct model){.dump = d};
  matcher_start(&m->matcher, filter, d);
  m->cpu.profile = m->threads.profile = &m->profile;
  m->pairs.depth = dump_is_lossy(d) ? 0 : dump_depth(d);
  m->calls.clipped = m->matcher.filter.from > 0 || m->matcher.filter.to != FILTER_NO_END;
  recording_start(&m->recording, d);
  locks_start(&m->locks, d, &m->matcher, &m->stacks);
  orders_start(&m->orders, d);
  wakeups_start(&m->wakeups, d, &m->matcher);
  cpu_start(&m->cpu, &m->matcher, &m->stacks);
}

bool model_read(struct model *m, struct dump *d, const struct filter *filter) {
  start(m, d, filter);
  if (!read_events(m) || !read_counts(m) || !read_samples(m)) return false;
  recording_end(&m->recording, d, m->matcher.filter.from, m->matcher.filter.to);
  if (!add_open_pairs(m) || !stalls_by_class(&m->stalls, &m->stalls_by_class)) return false;
  stalls_sort(&m->stalls);
  stalls_sort(&m->stalls_by_class);
  tally_sort(&m->pinned);
  return find_deadlocks(m) && orders_end(&m->orders, &m->locks.holders, &m->stacks, &m->matcher) &&
         wakeups_end(&m->wakeups, &m->matcher, &m->stacks, m->recording.to) &&
         locks_end(&m->locks, m->recording.to) &&
         calls_end(&m->calls, d, &m->stacks, m->recording.to) && end_profile(m) &&
         !m->matcher.failed;
}

void model_free(struct model *m) {
  stacks_free(&m->stacks);
  threads_free(&m->threads);
  pairs_free(&m->pairs);
  stalls_free(&m->stalls);
  stalls_free(&m->stalls_by_class);
  locks_free(&m->locks);
  calls_free(&m->calls);
  spread_free(&m->spread);
  cpu_free(&m->cpu);
  process_free(&m->process);
  profile_free(&m->profile);
  deadlocks_free(&m->deadlocks);
  orders_free(&m->orders);
  guards_free(&m->guards);
  wakeups_free(&m->wakeups);
  tally_free(&m->holder_places);
  tally_free(&m->pinned);
  matcher_free(&m->matcher);
  *m = (struct model){0};
}
