#include "tools/orca/model/replay/excerpt.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"

void excerpt_start(struct excerpt *e, const struct model *m, size_t max, ticks_t least) {
  *e = (struct excerpt){
      .matcher = &m->matcher, .max = max, .least = least, .whole = m->recording.num_events <= max};
}

void excerpt_add_moment(struct excerpt *e, ticks_t begin, ticks_t end) {
  if (e->num_moments == EXCERPT_MOMENTS) return;
  e->moments[e->num_moments].begin = begin;
  e->moments[e->num_moments++].end = end;
}

static bool is_at_moment(const struct excerpt *e, ticks_t time) {
  for (size_t i = 0; i < e->num_moments; i++) {
    if (time >= e->moments[i].begin && time <= e->moments[i].end) return true;
  }
  return false;
}

static bool add_excerpt_row(struct excerpt *e, struct excerpt_row row) {
  if (e->num >= e->max) return true;
  void *grown = grow(e->rows, e->num, &e->capacity, sizeof *e->rows);
  if (grown == NULL) return false;
  e->rows = grown;
  e->rows[e->num++] = row;
  return true;
}

/* `took`: duration of the pair that the event at `time` begins or ends. */
static bool is_selected(const struct excerpt *e, ticks_t time, ticks_t took) {
  return matcher_has_time(e->matcher, time) &&
         (e->whole || took >= e->least || is_at_moment(e, time));
}

/* Adds both events of a pair, because its duration is known only at its end. */
static bool add_pair_rows(struct excerpt *e, const struct step *step) {
  const struct pair *pair = step->pair;
  ticks_t took = pair->end - pair->begin;
  struct excerpt_row row = {.time = pair->begin,
                            .kind = pair->kind,
                            .thread = pair->thread,
                            .object = pair->object,
                            .owner = pair->owner,
                            .stack = pair->stack,
                            .has_took = true,
                            .took = took};
  if (is_selected(e, pair->begin, took) && !add_excerpt_row(e, row)) return false;
  if (step->event == NULL || !is_selected(e, pair->end, took)) return true;
  row.time = pair->end;
  row.kind = step->event->kind;
  return add_excerpt_row(e, row);
}

bool excerpt_take(struct excerpt *e, const struct step *step) {
  if (!step->matches) return true;
  bool counts = step->event != NULL && matcher_has_time(e->matcher, step->time);
  e->events += counts && step->origin != STEP_INFERRED;
  if (step->pair != NULL) return add_pair_rows(e, step);
  /* add_pair_rows adds a BEGIN when the pair ends. */
  if (!counts || event_infos[step->event->kind].role == ROLE_BEGIN) return true;
  const struct event_line *line = step->event;
  bool is_start_or_end = line->kind == EVENT_THREAD_STARTED || line->kind == EVENT_THREAD_ENDED;
  if (!e->whole && !is_start_or_end && !is_at_moment(e, line->time)) return true;
  struct excerpt_row row = {.time = line->time,
                            .kind = line->kind,
                            .thread = line->thread,
                            .object = line->object,
                            .owner = step->owner,
                            .stack = step->stack};
  return add_excerpt_row(e, row);
}

static int compare_excerpt_rows(const void *left, const void *right) {
  const struct excerpt_row *a = left, *b = right;
  if (a->time != b->time) return compare_numbers(a->time, b->time);
  return compare_numbers(a->kind, b->kind);
}

void excerpt_end(struct excerpt *e) {
  if (e->num > 0) qsort(e->rows, e->num, sizeof *e->rows, compare_excerpt_rows);
}

void excerpt_free(struct excerpt *e) {
  free(e->rows);
  *e = (struct excerpt){0};
}
