#include "tools/model/model.h"

static bool add_pair(struct model *m, const struct pair *pair) {
  return stalls_add(&m->stalls, m->dump, pair, stacks_place(&m->stacks, pair->stack)) &&
         threads_pair(&m->threads, pair);
}

static bool read_event(struct model *m, const struct event_line *line) {
  stack_id_t stack;
  struct pair pair;
  recording_event(&m->recording, line);
  if (!threads_event(&m->threads, line)) return false;
  if (!stalls_signal(&m->stalls, m->dump, line)) return false;
  if (event_infos[line->kind].role == ROLE_POINT) return true;
  if (!stacks_intern(&m->stacks, m->dump, line->stack, &stack)) return false;
  enum pairs_answer answer = pairs_feed(&m->pairs, line, stack, &pair);
  return answer == PAIRS_NONE || (answer == PAIRS_DONE && add_pair(m, &pair));
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

/* `ids`: the stackID of .samples -> the stack here. */
static bool read_thread(struct model *m, const struct hashmap *ids,
                        const struct sample_line *line) {
  uint64_t known = 0;
  hashmap_get(ids, line->stack_id, &known);
  stack_id_t stack = (stack_id_t)known;
  enum activity activity = activity_of(line->state, stacks_activity(&m->stacks, stack));
  uint64_t ns = line->cpu_ns > 0 ? (uint64_t)line->cpu_ns : 0;
  return threads_sample(&m->threads, line, activity) &&
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

bool model_read(struct model *m, struct dump *d) {
  *m = (struct model){.dump = d};
  recording_start(&m->recording, d);
  if (!read_events(m) || !read_samples(m)) return false;
  recording_end(&m->recording, d);
  if (!add_open_pairs(m) || !stalls_by_class(&m->stalls, &m->stalls_by_class)) return false;
  stalls_sort(&m->stalls);
  stalls_sort(&m->stalls_by_class);
  threads_end(&m->threads, m->recording.end);
  return deadlocks_find(&m->deadlocks, &m->pairs) && cpu_rank(&m->cpu, &m->stacks, d);
}

void model_free(struct model *m) {
  stacks_free(&m->stacks);
  threads_free(&m->threads);
  pairs_free(&m->pairs);
  stalls_free(&m->stalls);
  stalls_free(&m->stalls_by_class);
  cpu_free(&m->cpu);
  deadlocks_free(&m->deadlocks);
  *m = (struct model){0};
}
