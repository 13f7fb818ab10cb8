#include "tools/orca/model/replay/replay.h"

struct replaying {
  struct model *model;
  bool (*take)(void *to, const struct replay_step *step);
  void *to;
  struct stream *events, *samples;
  struct event_line event; /* the next one, */
  struct sample_line sample;
  bool has_event, has_sample; /* where there is one */
  struct hashmap ids;         /* the stackID of .samples -> the stack of the model */
  struct pairs pairs;
  struct holders holders;
};

static bool take_event(struct replaying *r) {
  struct dump *d = r->model->dump;
  struct event_line *line = &r->event;
  struct replay_step step = {.time = line->time, .event = line};
  struct pair pair;
  bool left;
  ticks_t time;
  if (!stacks_intern_event(&r->model->stacks, d, line, &step.stack)) return false;
  line->owner = step.owner = holders_owner(&r->holders, line);
  enum pairs_answer answer = pairs_feed(&r->pairs, line, step.stack, &pair);
  if (answer == PAIRS_NO_MEMORY) return false;
  if (answer == PAIRS_DONE) step.pair = &pair;
  if (answer == PAIRS_TOLD) step.told = &pair;
  step.meant = matcher_event(&r->model->matcher, &r->model->stacks, line, step.stack);
  return holders_event(&r->holders, d, line, step.stack, &left, &time) && r->take(r->to, &step);
}

static bool is_sample_meant(struct model *m, uint32_t thread, stack_id_t stack) {
  return filter_has_samples(&m->matcher.filter) && matcher_thread(&m->matcher, thread) &&
         matcher_stack(&m->matcher, &m->stacks, stack);
}

static bool take_thread(struct replaying *r) {
  const struct sample_line *line = &r->sample;
  uint64_t stack = 0;
  hashmap_get(&r->ids, line->stack_id, &stack);
  struct replay_step step = {.time = line->time, .sample = line, .stack = (stack_id_t)stack};
  step.activity = activity_of(line->state, stacks_activity(&r->model->stacks, step.stack));
  step.meant = is_sample_meant(r->model, line->thread, step.stack);
  return r->take(r->to, &step);
}

static bool take_sample(struct replaying *r) {
  const struct sample_line *line = &r->sample;
  stack_id_t stack;
  if (line->kind == SAMPLE_THREAD) return take_thread(r);
  if (line->kind == SAMPLE_TICK)
    return r->take(r->to, &(struct replay_step){line->time, .sample = line});
  if (line->kind != SAMPLE_STACK) return true;
  return stacks_intern(&r->model->stacks, r->model->dump, line->stack, &stack) &&
         hashmap_put(&r->ids, line->stack_id, stack);
}

static bool take_all(struct replaying *r) {
  bool good = true;
  r->has_event = stream_event(r->events, &r->event);
  r->has_sample = stream_sample(r->samples, &r->sample);
  while (good && (r->has_event || r->has_sample)) {
    if (r->has_event && (!r->has_sample || r->event.time <= r->sample.time)) {
      good = take_event(r);
      r->has_event = stream_event(r->events, &r->event);
    } else {
      good = take_sample(r);
      r->has_sample = stream_sample(r->samples, &r->sample);
    }
  }
  return good;
}

static bool take_open(struct replaying *r) {
  struct model *m = r->model;
  struct pair pair;
  for (size_t cursor = 0; pairs_next_open(&r->pairs, &cursor, &pair);) {
    pair.end = m->recording.end;
    struct replay_step step = {.time = pair.end, .stack = pair.stack, .pair = &pair};
    step.meant = matcher_pair(&m->matcher, &m->stacks, &pair);
    if (!r->take(r->to, &step)) return false;
  }
  return true;
}

bool replay(struct model *m, bool (*take)(void *to, const struct replay_step *step), void *to) {
  struct replaying r = {.model = m, .take = take, .to = to};
  r.pairs.depth = m->pairs.depth;
  holders_start(&r.holders, m->dump);
  r.events = dump_stream(m->dump, DUMP_EVENTS);
  r.samples = dump_stream(m->dump, DUMP_SAMPLES);
  bool good = take_all(&r) && take_open(&r) && !m->matcher.failed;
  stream_close(r.events);
  stream_close(r.samples);
  hashmap_free(&r.ids);
  pairs_free(&r.pairs);
  holders_free(&r.holders);
  return good;
}
