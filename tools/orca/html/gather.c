#include "tools/orca/html/gather.h"

#define AROUND                                                                      \
  (2 * TICKS_PER_S / 1000) /* before and after the begin and the end of a long wait \
                            */

/* --- first pass ---------------------------------------------------------------------- */

static bool add_pair(struct gathered *g, const struct step *step) {
  struct pair pair = *step->pair;
  ticks_t length = pair.end - pair.begin;
  if (!matcher_clip_pair(&g->model->matcher, &pair)) return true;
  bool ended = step->event != NULL;
  bool asks = lock_event_asks(pair.kind) && step->had_to_wait;
  if (asks) longest_add(&g->waits, &pair);
  if (asks && pair.owner != 0) longest_add(&g->arrows, &pair);
  return !ended || histogram_add(&g->lengths, length);
}

static bool take_first_step(void *to, const struct step *step) {
  struct gathered *g = to;
  if (step->pair != NULL && step->matches && !add_pair(g, step)) return false;
  bool is_cpu = step->sample != NULL && step->sample->kind == SAMPLE_CPU;
  return slices_take(&g->slices, step) && (is_cpu || timeline_take(&g->timeline, step));
}

static bool start_times(struct gathered *g, struct pass *p) {
  static const struct listener times = {
      .name = "times", .lines = CONTENTION_LINES, .take = take_first_step};
  struct model *m = g->model;
  slices_start(&g->slices, m, HTML_SLICES, gathered_bound(g, HTML_SLICE_ROWS));
  if (!timeline_start(&g->timeline, m, gathered_bound(g, HTML_ROWS),
                      gathered_bound(g, HTML_SPANS)) ||
      !longest_start(&g->arrows, gathered_bound(g, HTML_ARROWS)) ||
      !longest_start(&g->waits, EXCERPT_MOMENTS / 2)) {
    return false;
  }
  pass_add(p, &times, g);
  return answer_start(&g->answer, m, &m->locks, p);
}

static bool add_blockers(struct gathered *g) {
  const struct contention *c = &g->answer.contention;
  for (size_t i = 0; i < c->num_pairs; i++) {
    const struct contention_pair *pair = &c->pairs[i];
    if (!tally_add(&g->blockers, pair->blocked, pair->holder, pair->times, pair->total)) {
      return false;
    }
  }
  tally_sort(&g->blockers);
  return true;
}

static bool gather_times(struct gathered *g) {
  struct pass p;
  replay_start(&p, g->model);
  if (!start_times(g, &p)) {
    pass_free(&p);
    return false;
  }
  if (!replay_run(&p, g->model) || !timeline_end(&g->timeline) || !slices_end(&g->slices) ||
      !answer_end(&g->answer)) {
    return false;
  }
  longest_sort(&g->arrows);
  longest_sort(&g->waits);
  return add_blockers(g);
}

/* --- second pass --------------------------------------------------------------------- */

/* The least duration of a pair in the log of `num` events. The pairs may use two thirds of it,
   which is one third of it times two lines. The rest is for the events around the long waits. */
static ticks_t find_least_duration(const struct histogram *lengths, size_t num) {
  uint64_t room = num / 3;
  if (lengths->num <= room) return 0;
  return histogram_quantile(lengths, (unsigned)(1000 - room * 1000 / lengths->num)) + 1;
}

static bool take_second_step(void *to, const struct step *step) {
  return excerpt_take(&((struct gathered *)to)->log, step);
}

bool gather(struct gathered *g, struct model *m, size_t num_recordings) {
  *g = (struct gathered){.model = m, .num_recordings = num_recordings};
  if (!gather_times(g) || !machine_times_read(&g->machine, m, gathered_bound(g, HTML_MACHINE),
                                              gathered_bound(g, HTML_PAUSES))) {
    return false;
  }
  size_t events = gathered_bound(g, HTML_LOG);
  excerpt_start(&g->log, m, events, find_least_duration(&g->lengths, events));
  for (size_t i = 0; i < g->waits.num; i++) {
    const struct pair *pair = &g->waits.rows[i];
    excerpt_add_moment(&g->log, pair->begin < AROUND ? 0 : pair->begin - AROUND,
                       pair->begin + AROUND);
    excerpt_add_moment(&g->log, pair->end - (pair->end < AROUND ? pair->end : AROUND),
                       pair->end + AROUND);
  }
  bool is_complete = replay(m, REPLAY_LINES, take_second_step, g);
  excerpt_end(&g->log);
  return is_complete;
}

void gathered_free(struct gathered *g) {
  timeline_free(&g->timeline);
  slices_free(&g->slices);
  longest_free(&g->arrows);
  longest_free(&g->waits);
  tally_free(&g->blockers);
  histogram_free(&g->lengths);
  answer_free(&g->answer);
  excerpt_free(&g->log);
  machine_times_free(&g->machine);
}
