#include <stdlib.h>

#include "tools/orca/html/data.h"
#include "tools/orca/model/stack_diff.h"
#include "tools/orca/render/view/diff.h"

/* --- the frames that are shown ------------------------------------------------------------ */

/* The weight of a frame is its largest share of any value in any run. A caller weighs at least as
   much as its callees, and precedes them, so the callers of a shown frame are shown too. */
struct weighed {
  size_t node;
  double weight;
};

static double weigh_node(const struct stack_diff *d, size_t node) {
  double most = 0;
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    for (int side = 0; side < 2; side++) {
      double whole = (double)d->nodes[0].costs[value][side].time;
      double time = (double)d->nodes[node].costs[value][side].time;
      if (whole > 0 && time / whole > most) most = time / whole;
    }
  }
  return most;
}

static int compare_weighed(const void *left, const void *right) {
  const struct weighed *a = left, *b = right;
  if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
  return (a->node > b->node) - (a->node < b->node);
}

/* Returns the number on the page plus one of each node; 0: it is left out. The caller frees it.
   NULL: memory ran out. `*num`: how many are shown. */
static uint32_t *number_shown(const struct stack_diff *d, size_t *num) {
  struct weighed *all = calloc(d->num, sizeof *all);
  uint32_t *shown = calloc(d->num, sizeof *shown);
  if (all == NULL || shown == NULL) {
    free(all);
    free(shown);
    return NULL;
  }
  for (size_t i = 0; i < d->num; i++) all[i] = (struct weighed){i, weigh_node(d, i)};
  qsort(all, d->num, sizeof *all, compare_weighed);
  for (size_t i = 0; i < d->num && i < HTML_DIFF_FRAMES; i++) shown[all[i].node] = 1;
  free(all);
  *num = 0;
  for (size_t i = 0; i < d->num; i++) {
    if (shown[i] > 0) shown[i] = (uint32_t)++ * num;
  }
  return shown;
}

/* --- the stacks --------------------------------------------------------------------------- */

static void put_node(struct json *j, const struct stack_diff *d, size_t node, const uint32_t *shown,
                     uint32_t method) {
  json_unsigned(j, shown[d->nodes[node].parent] - 1);
  json_unsigned(j, method);
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    unsigned verdicts = 0, factor = 1;
    for (int norm = 0; norm < NUM_STACK_DIFF_NORMS; norm++, factor *= DIFF_GONE + 1) {
      verdicts +=
          factor * stack_diff_judge(d, node, (enum profile_value)value, (enum stack_diff_norm)norm);
    }
    for (int side = 0; side < 2; side++) {
      json_unsigned(j, d->nodes[node].costs[value][side].time / TICKS_PER_NS);
    }
    json_unsigned(j, verdicts);
  }
}

/* Writes only the methods of shown frames. `numbers`: of each method on the page plus one. */
static bool put_methods(struct json *j, const struct stack_diff *d, const uint32_t *shown,
                        uint32_t *numbers) {
  bool is_complete = true;
  uint32_t num = 0;
  json_key(j, "methods");
  json_begin_array(j);
  for (size_t i = 1; i < d->num; i++) {
    uint32_t method = d->nodes[i].method;
    if (shown[i] == 0 || numbers[method] > 0) continue;
    numbers[method] = ++num;
    const struct stack_diff_method *named = &d->methods[method];
    is_complete &= data_method(j, d->runs[named->side]->dump, named->id);
  }
  json_end_array(j);
  return is_complete;
}

static bool put_shown(struct json *j, const struct stack_diff *d, const uint32_t *shown,
                      size_t num) {
  uint32_t *numbers = calloc(d->num_methods + 1, sizeof *numbers);
  bool is_complete = numbers != NULL && put_methods(j, d, shown, numbers);
  json_key(j, "nodes");
  json_begin_array(j);
  for (size_t i = 0; i < d->num && is_complete; i++) {
    if (shown[i] > 0) put_node(j, d, i, shown, i == 0 ? 0 : numbers[d->nodes[i].method] - 1);
  }
  json_end_array(j);
  json_key(j, "left");
  json_boolean(j, d->full || num < d->num);
  free(numbers);
  return is_complete;
}

static bool put_stacks(struct json *j, const struct model *before, const struct model *after) {
  struct stack_diff d;
  size_t num = 0;
  uint32_t *shown = NULL;
  bool is_complete = stack_diff_read(&d, before, after, HTML_DIFF_TREE) &&
                     (shown = number_shown(&d, &num)) != NULL;
  json_key(j, "stacks");
  json_begin_object(j);
  is_complete = is_complete && put_shown(j, &d, shown, num);
  json_end_object(j);
  free(shown);
  stack_diff_free(&d);
  return is_complete;
}

/* --- all ---------------------------------------------------------------------------------- */

bool data_comparison(struct builder *out, const struct model *before, const struct model *after) {
  struct comparison c;
  struct page page;
  page_start(&page, -1, FORMAT_JSON, false);
  bool is_complete = compare_runs(&c, before, after);
  if (is_complete) view_diff(&page, &c, HTML_DIFF_ROWS);
  comparison_free(&c);
  json_key(&page.json, "lengths");
  json_begin_array(&page.json);
  json_unsigned(&page.json, recording_time(&before->recording) / TICKS_PER_NS);
  json_unsigned(&page.json, recording_time(&after->recording) / TICKS_PER_NS);
  json_end_array(&page.json);
  is_complete = is_complete && put_stacks(&page.json, before, after) && !page.out.failed;
  json_end_object(&page.json);
  if (is_complete) builder_bytes(out, page.out.data, page.out.len);
  page_free(&page);
  return is_complete && !out->failed;
}
