#include "tools/orca/model/cost.h"

#include <stdlib.h>

#include "agent/base/text.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"

#define USUAL_DEPTH 10  /* frames, if no stack tells it */
#define LEAST_TIMED 100 /* timed events; the mean of fewer is not used */

/* Counts an event of the recording. */
static bool cost_event(struct cost *c, const struct dump *d, struct stacks *stacks,
                       const struct event_line *line) {
  uint64_t key = line->digest ^ ((uint64_t)line->kind + 1) * 0x9E3779B97F4A7C15u;
  bool is_new = false;
  struct cost_row *row =
      rows_at(&c->ids, key, &c->rows, &c->num, &c->capacity, sizeof *row, &is_new);
  if (row == NULL) return false;
  if (is_new) row->kind = line->kind;
  row->count++;
  bool has_stack = is_new && shape_has_stack(event_infos[line->kind].shape);
  return !has_stack || stacks_intern_event(stacks, d, line, &row->stack);
}

static bool add_row(struct cost *c, const struct stacks *stacks, const struct cost_row *row) {
  size_t depth = 0;
  bool is_end = event_is_end(row->kind);
  enum event_kind kind = is_end ? event_begin(row->kind) : row->kind;
  c->events += row->count;
  if (row->stack != 0 && !is_end) {
    stacks_frames(stacks, row->stack, &depth);
    c->walks += row->count;
    c->frames += row->count * depth;
  }
  return tally_add(&c->sites, kind, stacks_place(stacks, row->stack), row->count, row->count);
}

static int compare_counts(const void *left, const void *right) {
  const struct tally_row *a = left, *b = right;
  if (a->total != b->total) return a->total < b->total ? 1 : -1;
  if (a->group != b->group) return a->group < b->group ? -1 : 1;
  return (a->key > b->key) - (a->key < b->key);
}

static bool cost_end(struct cost *c, const struct stacks *stacks) {
  for (size_t i = 0; i < c->num; i++) {
    if (!add_row(c, stacks, &c->rows[i])) return false;
  }
  struct tally *sites = &c->sites;
  if (sites->num > 0) qsort(sites->rows, sites->num, sizeof *sites->rows, compare_counts);
  return true;
}

void cost_free(struct cost *c) {
  hashmap_free(&c->ids);
  free(c->rows);
  tally_free(&c->sites);
  *c = (struct cost){0};
}

uint64_t cost_left_out(const struct dump *d) { return dump_info_count(d, INFO_THRESHOLD_PAIRS); }
uint64_t cost_young(const struct dump *d) { return dump_info_count(d, INFO_THRESHOLD_YOUNG); }
uint64_t cost_wakes(const struct dump *d) { return dump_info_count(d, INFO_THRESHOLD_WAKES); }

double cost_frame_ns(const struct dump *d) {
  const struct coverage *c = dump_coverage(d);
  struct span engine;
  if (coverage_option(c, OPTION_engine, &engine) && span_is(engine, "callbacks")) return 0;
  return c->has_cached_stacks ? COST_CACHED_NS : COST_FRAME_NS;
}

/* Pairs that were left out after their stacks were taken. */
static double get_dear_pairs(const struct dump *d) {
  uint64_t pairs = cost_left_out(d), young = cost_young(d);
  return pairs > young ? (double)(pairs - young) : 0;
}

/* The time of all events by the times of cost.h. The stacks of pairs that were left out are assumed
   to be as deep as the others. */
static double get_usual_ns(const struct cost *c, const struct dump *d) {
  double left_out = get_dear_pairs(d);
  double depth = c->walks == 0 ? USUAL_DEPTH : (double)c->frames / (double)c->walks;
  return ((double)(c->events - c->walks) + left_out) * COST_LINE_NS +
         ((double)c->walks + left_out) * (COST_STACK_NS + depth * cost_frame_ns(d));
}

double cost_scale(const struct cost *c, const struct dump *d) {
  double events = (double)c->events + 2 * get_dear_pairs(d);
  double timed = (double)dump_info_count(d, INFO_HOOKS_TIMED),
         ns = (double)dump_info_count(d, INFO_HOOKS_TIME);
  if (timed < LEAST_TIMED || events <= 0) return 1;
  return ns / timed * events / get_usual_ns(c, d);
}

bool cost_thread_ns(const struct cost *c, const struct dump *d, uint64_t samples,
                    uint64_t *out_ns) {
  if (cost_frame_ns(d) <= 0) return false;
  double ns = get_usual_ns(c, d) * cost_scale(c, d) + (double)cost_wakes(d) * COST_WAKE_NS +
              (double)cost_young(d) * COST_YOUNG_NS + (double)samples * COST_SAMPLE_NS;
  *out_ns = ns < (double)INT64_MAX ? (uint64_t)ns : INT64_MAX;
  return true;
}

bool cost_site(const struct cost *c, size_t number, struct cost_site *out) {
  if (number >= c->sites.num) return false;
  const struct tally_row *row = &c->sites.rows[number];
  *out = (struct cost_site){(enum event_kind)row->group, row->key, row->total};
  return true;
}

/* --- the analysis ------------------------------------------------------------------------ */

static bool take_cost(void *arg, const struct step *step) {
  struct model *m = arg;
  return step->event == NULL || step->origin != STEP_RECORDED ||
         cost_event(&m->cost, m->dump, &m->stacks, step->event);
}

static bool end_cost(struct model *m) { return cost_end(&m->cost, &m->stacks); }

const struct analysis analysis_cost = {.listener = {"cost", PASS_EVENTS, .take = take_cost},
                                       .end = end_cost};
