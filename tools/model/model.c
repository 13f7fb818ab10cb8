#include "tools/model/model.h"

/* An acquisition that found its lock free is no time that its thread stood. */
static bool add_pair(struct model *m, const struct pair *pair) {
  place_t place = stacks_place(&m->stacks, pair->stack);
  bool waited;
  return stalls_add(&m->stalls, m->dump, pair, place) &&
         locks_pair(&m->locks, pair, place, &waited) &&
         (!waited || (threads_pair(&m->threads, pair) && profile_pair(&m->profile, pair)));
}

/* Points need no stack, but for who has a monitor, calls of methods and what is pinned. */
static bool intern_stack(struct model *m, const struct event_line *line, stack_id_t *out) {
  const struct event_info *info = &event_infos[line->kind];
  bool needed = info->role != ROLE_POINT || info->group == GROUP_METHOD ||
                line->kind == EVENT_THREAD_PINNED || lock_events[line->kind].act == LOCK_ACT_GOT;
  *out = 0;
  return !needed || stacks_intern(&m->stacks, m->dump, line->stack, out);
}

static bool read_pinned(struct model *m, const struct event_line *line, stack_id_t stack) {
  return line->kind != EVENT_THREAD_PINNED ||
         tally_add(&m->pinned, 0, stacks_place(&m->stacks, stack), 1, 0);
}

static bool read_pair(struct model *m, const struct event_line *line, stack_id_t stack) {
  struct event_line owned = *line;
  struct pair pair;
  owned.owner = holders_owner(&m->locks.holders, line);
  enum pairs_answer answer = pairs_feed(&m->pairs, &owned, stack, &pair);
  return answer == PAIRS_NONE || (answer == PAIRS_DONE && add_pair(m, &pair));
}

static bool read_event(struct model *m, const struct event_line *line) {
  stack_id_t stack;
  recording_event(&m->recording, line);
  return threads_event(&m->threads, line) && stalls_signal(&m->stalls, m->dump, line, &m->pairs) &&
         intern_stack(m, line, &stack) && read_pair(m, line, stack) &&
         locks_event(&m->locks, m->dump, line, stack) && calls_feed(&m->calls, line, stack) &&
         read_pinned(m, line, stack);
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

/* `ids`: the stackID of .samples -> the stack here. */
static bool read_thread(struct model *m, const struct hashmap *ids,
                        const struct sample_line *line) {
  uint64_t known = 0;
  hashmap_get(ids, line->stack_id, &known);
  stack_id_t stack = (stack_id_t)known;
  enum activity activity = activity_of(line->state, stacks_activity(&m->stacks, stack));
  uint64_t ns = line->cpu_ns > 0 ? (uint64_t)line->cpu_ns : 0;
  return threads_sample(&m->threads, line, activity, stack) &&
         cpu_sample(&m->cpu, line->thread, ns, activity == ACTIVITY_RUNS ? stack : 0);
}

static bool read_sample(struct model *m, struct hashmap *ids, const struct sample_line *line) {
  stack_id_t stack;
  recording_sample(&m->recording, line);
  if (line->kind == SAMPLE_THREAD) return read_thread(m, ids, line);
  if (line->kind == SAMPLE_TICK) return true;
  return stacks_intern(&m->stacks, m->dump, line->stack, &stack) &&
         hashmap_put(ids, line->stack_id, stack);
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

/* What never ended stood until the recording did. */
static bool add_open_pairs(struct model *m) {
  struct pair pair;
  for (size_t cursor = 0; pairs_next_open(&m->pairs, &cursor, &pair);) {
    pair.end = m->recording.end;
    if (!add_pair(m, &pair)) return false;
  }
  return true;
}

/* Threads and CPU time close what is open, which the profile takes too. */
static bool end_profile(struct model *m) {
  bool good = threads_end(&m->threads, m->recording.end) && cpu_rank(&m->cpu, &m->stacks, m->dump);
  profile_sort(&m->profile);
  return good;
}

bool model_read(struct model *m, struct dump *d) {
  *m = (struct model){.dump = d};
  m->cpu.profile = m->threads.profile = &m->profile;
  recording_start(&m->recording, d);
  m->pairs.depth = dump_is_lossy(d) ? 0 : dump_depth(d);
  locks_start(&m->locks, d);
  if (!read_events(m) || !read_counts(m) || !read_samples(m)) return false;
  recording_end(&m->recording, d);
  if (!add_open_pairs(m) || !stalls_by_class(&m->stalls, &m->stalls_by_class)) return false;
  stalls_sort(&m->stalls);
  stalls_sort(&m->stalls_by_class);
  tally_sort(&m->pinned);
  return deadlocks_find(&m->deadlocks, &m->pairs, &m->locks.holders) &&
         locks_end(&m->locks, m->recording.end) &&
         calls_end(&m->calls, d, &m->stacks, m->recording.end) && end_profile(m);
}

void model_free(struct model *m) {
  stacks_free(&m->stacks);
  threads_free(&m->threads);
  pairs_free(&m->pairs);
  stalls_free(&m->stalls);
  stalls_free(&m->stalls_by_class);
  locks_free(&m->locks);
  calls_free(&m->calls);
  cpu_free(&m->cpu);
  profile_free(&m->profile);
  deadlocks_free(&m->deadlocks);
  tally_free(&m->pinned);
  *m = (struct model){0};
}
