#include <stdlib.h>

#include "tools/orca/html/data.h"
#include "tools/orca/model/names.h"

/* --- rows -------------------------------------------------------------------------------- */

/* The weight of a row is its largest share of any value. */
struct weighed {
  const struct profile_row *row;
  double weight;
};

static int compare_weights(const void *left, const void *right) {
  const struct weighed *a = left, *b = right;
  if (a->weight != b->weight) return a->weight < b->weight ? 1 : -1;
  return (a->row > b->row) - (a->row < b->row);
}

/* The order of the profile. */
static int compare_rows(const void *left, const void *right) {
  const struct weighed *a = left, *b = right;
  return (a->row > b->row) - (a->row < b->row);
}

static struct weighed *weigh_rows(const struct profile *p) {
  struct weighed *all = calloc(p->num + 1, sizeof *all);
  for (size_t i = 0; all != NULL && i < p->num; i++) all[i].row = &p->rows[i];
  for (unsigned value = 0; all != NULL && value < NUM_PROFILE_VALUES; value++) {
    double whole = (double)profile_total(p, value).time;
    for (size_t i = 0; i < p->num && whole > 0; i++) {
      double share = (double)p->rows[i].costs[value].time / whole;
      if (share > all[i].weight) all[i].weight = share;
    }
  }
  return all;
}

static void put_left(struct data *d, const struct weighed *rows, size_t num) {
  ticks_t left[NUM_PROFILE_VALUES] = {0};
  for (size_t i = 0; i < num; i++) {
    for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
      left[value] += rows[i].row->costs[value].time;
    }
  }
  json_key(d->j, "left");
  json_begin_array(d->j);
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) data_ticks(d, left[value]);
  json_end_array(d->j);
}

void data_profile(struct data *d) {
  const struct profile *p = &d->m->profile;
  size_t max = gathered_bound(d->g, HTML_STACKS), shown = p->num < max ? p->num : max;
  struct weighed *all = weigh_rows(p);
  d->failed |= all == NULL;
  if (d->failed) return;
  qsort(all, p->num, sizeof *all, compare_weights);
  qsort(all, shown, sizeof *all, compare_rows);
  json_key(d->j, "profile");
  json_begin_object(d->j);
  json_key(d->j, "rows");
  json_begin_array(d->j);
  for (size_t i = 0; i < shown; i++) {
    const struct profile_row *row = all[i].row;
    data_thread(d, row->thread);
    data_stack(d, row->stack);
    for (int value = 0; value < NUM_PROFILE_VALUES; value++) data_ticks(d, row->costs[value].time);
  }
  json_end_array(d->j);
  put_left(d, all + shown, p->num - shown);
  json_end_object(d->j);
  free(all);
}

/* --- slices ------------------------------------------------------------------------------ */

void data_slices(struct data *d) {
  const struct slices *s = &d->g->slices;
  uint32_t before = 0;
  json_key(d->j, "slices");
  json_begin_object(d->j);
  json_key(d->j, "step");
  data_ticks(d, s->step);
  json_key(d->j, "rows");
  json_begin_array(d->j);
  size_t num = s->num <= gathered_bound(d->g, HTML_SLICE_ROWS) ? s->num : 0;
  for (size_t i = 0; i < num && !d->failed; i++) {
    const struct slices_row *row = &s->rows[i];
    json_unsigned(d->j, row->slice - before);
    data_thread(d, row->thread);
    data_stack(d, row->stack);
    for (int value = 0; value < NUM_PROFILE_VALUES; value++) data_ticks(d, row->times[value]);
    before = row->slice;
  }
  json_end_array(d->j);
  json_end_object(d->j);
}

/* --- frames ------------------------------------------------------------------------------ */

static bool put_text(struct json *j, struct builder *text) {
  bool is_complete = !text->failed;
  json_string(j, (struct span){text->data, text->len});
  text->len = 0;
  return is_complete;
}

static unsigned find_method_kind(const struct dump *d, uint32_t method) {
  enum { PROGRAM, PLATFORM, OUTSIDE_JAVA };
  if (pseudo_is_leaf(method)) return OUTSIDE_JAVA;
  return place_is_platform(d, method) || pseudo_is(method) ? PLATFORM : PROGRAM;
}

bool data_method(struct json *j, const struct dump *d, uint32_t method) {
  const struct method_line *line = dump_method(d, method);
  struct builder text = {0};
  json_begin_array(j);
  names_method(&text, d, method);
  bool is_complete = put_text(j, &text);
  if (line != NULL) names_class(&text, d, line->class_id);
  is_complete &= put_text(j, &text);
  names_source(&text, d, place(method, 0));
  is_complete &= put_text(j, &text);
  json_unsigned(j, find_method_kind(d, method));
  json_end_array(j);
  builder_free(&text);
  return is_complete;
}

/* `*ids`: method -> index plus one, in the order of writing. */
static void put_profile_methods(struct data *d, struct hashmap *ids) {
  json_key(d->j, "methods");
  json_begin_array(d->j);
  for (size_t i = 0; i < d->frames.num && !d->failed; i++) {
    uint32_t method = place_method(d->frames.nodes[i].place);
    uint64_t *at = hashmap_at(ids, method);
    d->failed |= at == NULL;
    if (at == NULL || *at != 0) continue;
    *at = hashmap_size(ids);
    d->failed |= !data_method(d->j, d->m->dump, method);
  }
  json_end_array(d->j);
}

void data_frames(struct data *d) {
  struct hashmap ids = {0};
  put_profile_methods(d, &ids);
  json_key(d->j, "frames");
  json_begin_array(d->j);
  for (size_t i = 0; i < d->frames.num; i++) {
    const struct frame_node *node = &d->frames.nodes[i];
    uint64_t method = 0;
    hashmap_get(&ids, place_method(node->place), &method);
    json_unsigned(d->j, node->parent);
    json_integer(d->j, (int64_t)method - 1);
    json_unsigned(d->j, place_line(node->place));
  }
  json_end_array(d->j);
  json_key(d->j, "framesCut");
  json_boolean(d->j, d->frames.full);
  hashmap_free(&ids);
}
