#include "tools/orca/model/replay/excerpt.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/sorting.h"

void excerpt_start(struct excerpt *e, const struct model *m, size_t max, ticks_t least) {
  *e = (struct excerpt){.matcher = &m->matcher,
                        .max = max,
                        .least = least,
                        .lives = true,
                        .whole = m->recording.num_events <= max};
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

static int compare_ticks(const void *left, const void *right) {
  return compare_numbers(*(const ticks_t *)left, *(const ticks_t *)right);
}

static bool is_life(enum event_kind kind) {
  return kind == EVENT_THREAD_STARTED || kind == EVENT_THREAD_ENDED;
}

static bool is_selected(const struct excerpt *e, const struct excerpt_row *row) {
  return matcher_has_time(e->matcher, row->time) &&
         (e->whole || is_at_moment(e, row->time) || (row->has_took && row->took >= e->least) ||
          (e->lives && is_life(row->kind)));
}

/* The median duration of the rows that only their duration selects, and their number. False: memory
 * ran out. */
static bool find_median(const struct excerpt *e, ticks_t *out, size_t *out_num) {
  *out_num = 0;
  ticks_t *took = malloc(e->num * sizeof *took);
  if (took == NULL) return false;
  for (size_t i = 0; i < e->num; i++) {
    if (e->rows[i].has_took && !is_at_moment(e, e->rows[i].time))
      took[(*out_num)++] = e->rows[i].took;
  }
  if (*out_num > 0) qsort(took, *out_num, sizeof *took, compare_ticks);
  *out = *out_num > 0 ? took[*out_num / 2] : 0;
  free(took);
  return true;
}

/* Leaves out more: of lives, long pairs and moments those that have more than their share. */
static bool select_less(struct excerpt *e) {
  size_t lives = 0, pairs;
  ticks_t median;
  if (!find_median(e, &median, &pairs)) return false;
  for (size_t i = 0; i < e->num; i++) lives += is_life(e->rows[i].kind);
  if (e->lives && lives > e->max / 4) {
    e->lives = false;
  } else if (pairs > e->max / 3 || e->num_moments == 0) {
    e->least = median + 1;
  } else {
    e->num_moments /= 2;
  }
  size_t kept = 0;
  for (size_t i = 0; i < e->num; i++) {
    if (is_selected(e, &e->rows[i])) e->rows[kept++] = e->rows[i];
  }
  e->num = kept;
  return true;
}

static bool add_excerpt_row(struct excerpt *e, struct excerpt_row row) {
  while (e->num >= e->max && !e->whole && is_selected(e, &row)) {
    if (!select_less(e)) return false;
  }
  if (e->num >= e->max || !is_selected(e, &row)) return true;
  void *grown = grow(e->rows, e->num, &e->capacity, sizeof *e->rows);
  if (grown == NULL) return false;
  e->rows = grown;
  e->rows[e->num++] = row;
  return true;
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
  if (!add_excerpt_row(e, row)) return false;
  if (step->event == NULL || step->origin == STEP_INFERRED) return true;
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
