#include "tools/orca/model/replay/past_waits.h"

#include <stdlib.h>

#include "tools/orca/model/base/rows.h"

/* A place has a method in its upper half, whose highest bits are free. */
static uint64_t make_key(enum event_kind call, place_t place) {
  return ((uint64_t)call << 56) ^ place;
}

static struct past_waits_row *find_row(const struct past_waits *p, const struct pair *pair) {
  uint64_t at = 0;
  place_t place = stacks_place(&p->model->stacks, pair->stack);
  hashmap_get(&p->ids, make_key(pair->kind, place), &at);
  bool is_same = at != 0 && p->rows[at - 1].call == pair->kind && p->rows[at - 1].place == place;
  return is_same ? &p->rows[at - 1] : NULL;
}

bool past_waits_start(struct past_waits *p, const struct model *m) {
  const struct wait_for *graph = &m->hang.graph;
  p->model = m;
  wakes_start(&p->wakes, m->dump);
  for (size_t i = 0; i < graph->num; i++) {
    const struct pair *pair = &graph->waiters[i].pair;
    if (!hang_lasts(m, &graph->waiters[i])) continue;
    place_t place = stacks_place(&m->stacks, pair->stack);
    struct past_waits_row *row = rows_at(&p->ids, make_key(pair->kind, place), &p->rows, &p->num,
                                         &p->capacity, sizeof *row, NULL);
    if (row == NULL) return false;
    row->call = pair->kind;
    row->place = place;
    row->num_now++;
  }
  return true;
}

static bool add_wait(struct past_waits *p, struct past_waits_row *row, const struct pair *pair,
                     const struct wake *wake) {
  uint32_t group = (uint32_t)(row - p->rows);
  ticks_t time = pair->end - pair->begin;
  row->num++;
  if (time > row->longest) row->longest = time;
  return tally_add(&p->threads, group, pair->thread, 1, time) &&
         (!wake->woken || tally_add(&p->enders, group, wake->by.thread, 1, 1));
}

bool past_waits_take(struct past_waits *p, const struct step *step) {
  const struct event_line *line = step->event;
  if (line == NULL || step->time > p->model->hang.moment) return true;
  struct wake wake;
  if (!wakes_event(&p->wakes, line, 0, &wake)) return false;
  if (line->kind == EVENT_TASK_TAKEN) {
    uint64_t *tasks = hashmap_at(&p->tasks, line->thread);
    if (tasks != NULL) ++*tasks;
    return tasks != NULL;
  }
  const struct pair *pair = step->pair;
  struct past_waits_row *row = pair == NULL || pair->failed ? NULL : find_row(p, pair);
  return row == NULL || add_wait(p, row, pair, &wake);
}

void past_waits_end(struct past_waits *p) {
  tally_sort(&p->threads);
  tally_sort(&p->enders);
}

const struct past_waits_row *past_waits_find(const struct past_waits *p, const struct pair *pair) {
  return p->model == NULL ? NULL : find_row(p, pair);
}

const struct tally_row *past_waits_threads(const struct past_waits *p,
                                           const struct past_waits_row *row, size_t *out_num) {
  return tally_of(&p->threads, (uint32_t)(row - p->rows), out_num);
}

const struct tally_row *past_waits_enders(const struct past_waits *p,
                                          const struct past_waits_row *row, size_t *out_num) {
  return tally_of(&p->enders, (uint32_t)(row - p->rows), out_num);
}

uint64_t past_waits_tasks(const struct past_waits *p, uint32_t thread) {
  uint64_t num = 0;
  hashmap_get(&p->tasks, thread, &num);
  return num;
}

void past_waits_free(struct past_waits *p) {
  hashmap_free(&p->ids);
  hashmap_free(&p->tasks);
  tally_free(&p->threads);
  tally_free(&p->enders);
  wakes_free(&p->wakes);
  free(p->rows);
  *p = (struct past_waits){0};
}
