#include <stdio.h>
#include <stdlib.h>

#include "tools/orca/model/names.h"
#include "tools/orca/render/unit.h"
#include "tools/orca/render/view/threads.h"
#include "tools/orca/render/width.h"

#define NAME_WIDTH 20
#define LEAST_STEPS 20

/* The character of each state. States with more activity are darker. */
static const char *const signs[NUM_ACTIVITIES] = {
    [ACTIVITY_RUNS] = "█",  [ACTIVITY_RUNNABLE] = "▒", [ACTIVITY_BLOCKED] = "X",
    [ACTIVITY_WAITS] = "·", [ACTIVITY_PARKED] = "-",   [ACTIVITY_SLEEPS] = "z",
    [ACTIVITY_IO] = "o",    [ACTIVITY_HIDDEN] = "?",   [ACTIVITY_NO_CALL] = "~",
};

/* The time in each state, by step. Steps without any time are outside the thread's life. */
struct lane {
  const struct timeline *timeline;
  struct timeline_mix *steps;
  size_t num_steps;
};

static ticks_t find_step_start(const struct lane *l, size_t step) {
  ticks_t length = l->timeline->end - l->timeline->start;
  return l->timeline->start + (ticks_t)((long double)length * step / l->num_steps);
}

static size_t find_step(const struct lane *l, ticks_t time) {
  ticks_t length = l->timeline->end - l->timeline->start;
  if (length == 0) return 0;
  size_t step = (size_t)((long double)(time - l->timeline->start) * l->num_steps / length);
  if (step >= l->num_steps) step = l->num_steps - 1;
  while (step > 0 && find_step_start(l, step) > time) step--;
  while (step + 1 < l->num_steps && find_step_start(l, step + 1) <= time) step++;
  return step;
}

/* Adds the part of a span that lies in a step. `time`: the length of that part. */
static void add_part(struct lane *l, const struct timeline_row *row,
                     const struct timeline_span *span, size_t step, ticks_t time) {
  struct timeline_mix *into = &l->steps[step];
  if (span->state != TIMELINE_MIXED) {
    into->times[span->state] += time;
    return;
  }
  const struct timeline_mix *mix = &row->mixes[span->detail];
  ticks_t length = span->end - span->begin;
  for (int state = 0; state < NUM_ACTIVITIES; state++) {
    into->times[state] += (ticks_t)((long double)mix->times[state] * time / length);
  }
}

static void add_span(struct lane *l, const struct timeline_row *row,
                     const struct timeline_span *span) {
  ticks_t at = span->begin;
  for (size_t step = find_step(l, at); at < span->end; step++) {
    ticks_t end = step + 1 < l->num_steps ? find_step_start(l, step + 1) : l->timeline->end;
    if (end > span->end || step + 1 >= l->num_steps) end = span->end;
    add_part(l, row, span, step, end - at);
    at = end;
  }
}

/* The character of the state with the most time in a step. */
static const char *find_sign(const struct timeline_mix *mix) {
  int most = 0;
  for (int state = 1; state < NUM_ACTIVITIES; state++) {
    if (mix->times[state] > mix->times[most]) most = state;
  }
  return mix->times[most] == 0 ? " " : signs[most];
}

static void put_lane(struct builder *b, const struct model *m, struct lane *l,
                     const struct timeline_row *row) {
  struct builder name = {0};
  for (size_t i = 0; i < l->num_steps; i++) l->steps[i] = (struct timeline_mix){{0}};
  for (size_t i = 0; i < row->num; i++) add_span(l, row, &row->spans[i]);
  names_thread(&name, &m->threads, row->thread);
  if (!name.failed) {
    struct span text = {name.data, name.len};
    width_cut(b, text, NAME_WIDTH);
    for (size_t width = width_measure(text); width < NAME_WIDTH; width++) builder_char(b, ' ');
  }
  b->failed |= name.failed;
  builder_free(&name);
  builder_string(b, "  ");
  for (size_t i = 0; i < l->num_steps; i++) builder_string(b, find_sign(&l->steps[i]));
  while (b->len > 0 && b->data[b->len - 1] == ' ') b->len--;
  builder_char(b, '\n');
}

/* The start time above the first step and the end time above the last one. */
static void put_axis(struct builder *b, const struct model *m, const struct lane *l) {
  struct builder from = {0}, to = {0};
  unit_ticks(&from, m->recording.from - m->recording.start);
  unit_ticks(&to, m->recording.to - m->recording.start);
  for (size_t i = 0; i < NAME_WIDTH + 2; i++) builder_char(b, ' ');
  builder_bytes(b, from.data, from.len);
  size_t taken = from.len + to.len;
  for (; taken < l->num_steps; taken++) builder_char(b, ' ');
  builder_bytes(b, to.data, to.len);
  builder_char(b, '\n');
  b->failed |= from.failed || to.failed;
  builder_free(&from);
  builder_free(&to);
}

size_t view_lanes_steps(const struct style *style) {
  size_t width = style->width > NAME_WIDTH + 2 ? style->width - NAME_WIDTH - 2 : 0;
  return width < LEAST_STEPS ? LEAST_STEPS : width;
}

void view_lanes(struct builder *b, const struct model *m, const struct style *style,
                const struct timeline *t, bool all) {
  struct lane lane = {.timeline = t, .num_steps = view_lanes_steps(style)};
  if (t->num == 0 || t->end == t->start) return;
  lane.steps = calloc(lane.num_steps, sizeof *lane.steps);
  if (lane.steps == NULL) {
    b->failed = true;
    return;
  }
  style_heading(b, style, "Timeline");
  put_axis(b, m, &lane);
  for (size_t i = 0; i < t->num; i++) {
    if (all || !view_folds_thread(m, t->rows[i].thread)) put_lane(b, m, &lane, &t->rows[i]);
  }
  if (t->left_out > 0) page_more(b, t->left_out);
  struct builder legend = {0};
  builder_format(&legend, "One character is %s and shows the state with the most time:",
                 UNIT_TICKS((t->end - t->start) / lane.num_steps));
  for (int state = 0; state < NUM_ACTIVITIES; state++) {
    builder_format(&legend, "%s %s %s", state == 0 ? "" : ",", signs[state], activity_names[state]);
  }
  if (!legend.failed) style_wrap(b, style, "", (struct span){legend.data, legend.len});
  b->failed |= legend.failed;
  builder_free(&legend);
  free(lane.steps);
}
