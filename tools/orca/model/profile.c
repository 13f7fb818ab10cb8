#include "tools/orca/model/profile.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"
#include "tools/orca/model/state/activity.h"

const char *const profile_value_names[NUM_PROFILE_VALUES] = {
    [PROFILE_CPU] = "cpu",
    [PROFILE_WALL] = "wall",
    [PROFILE_BLOCKED] = "blocked",
    [PROFILE_WAITS] = "waits",
};

bool profile_value_find(const char *name, enum profile_value *out) {
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    if (strcmp(profile_value_names[value], name) != 0) continue;
    *out = (enum profile_value)value;
    return true;
  }
  return false;
}

static struct profile_row *find_or_add_profile_row(struct profile *p, uint32_t thread,
                                                   stack_id_t stack) {
  bool is_new;
  struct profile_row *row = rows_at(&p->ids, (uint64_t)thread << 32 | stack, &p->rows, &p->num,
                                    &p->capacity, sizeof *row, &is_new);
  if (is_new) *row = (struct profile_row){.thread = thread, .stack = stack};
  return row;
}

bool profile_add(struct profile *p, uint32_t thread, stack_id_t stack, enum profile_value value,
                 ticks_t time) {
  struct profile_row *row = find_or_add_profile_row(p, thread, stack);
  if (row == NULL) return false;
  row->costs[value].time += time;
  row->costs[value].count++;
  return true;
}

bool profile_pair(struct profile *p, const struct pair *pair) {
  enum profile_value value =
      activity_of_call(pair->kind) == ACTIVITY_BLOCKED ? PROFILE_BLOCKED : PROFILE_WAITS;
  return profile_add(p, pair->thread, pair->stack, value, pair->end - pair->begin);
}

void profile_forget(struct profile *p, enum profile_value value) {
  for (size_t i = 0; i < p->num; i++) p->rows[i].costs[value] = (struct profile_cost){0, 0};
}

static bool has_no_value(const struct profile_row *row) {
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    if (row->costs[value].count > 0) return false;
  }
  return true;
}

static int compare_profile_rows(const void *left, const void *right) {
  const struct profile_row *a = left, *b = right;
  return a->thread != b->thread ? compare_numbers(a->thread, b->thread)
                                : compare_numbers(a->stack, b->stack);
}

void profile_sort(struct profile *p) {
  size_t num = 0;
  for (size_t i = 0; i < p->num; i++) {
    if (!has_no_value(&p->rows[i])) p->rows[num++] = p->rows[i];
  }
  p->num = num;
  if (p->num > 0) qsort(p->rows, p->num, sizeof *p->rows, compare_profile_rows);
  hashmap_free(&p->ids);
}

bool profile_fold(const struct profile *p, struct profile *out) {
  *out = (struct profile){0};
  for (size_t i = 0; i < p->num; i++) {
    struct profile_row *row = find_or_add_profile_row(out, 0, p->rows[i].stack);
    if (row == NULL) return false;
    for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
      row->costs[value].time += p->rows[i].costs[value].time;
      row->costs[value].count += p->rows[i].costs[value].count;
    }
  }
  profile_sort(out);
  return true;
}

struct profile_cost profile_total(const struct profile *p, enum profile_value value) {
  struct profile_cost sum = {0, 0};
  for (size_t i = 0; i < p->num; i++) {
    sum.time += p->rows[i].costs[value].time;
    sum.count += p->rows[i].costs[value].count;
  }
  return sum;
}

void profile_free(struct profile *p) {
  hashmap_free(&p->ids);
  free(p->rows);
  *p = (struct profile){0};
}
