/* The table of stacks: a row for each number of stack_keys.h, also for stacks without any time, so
   that each number in the other tables has its row. */
#include <stdlib.h>

#include "tools/orca/export/tsv.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/names.h"

struct stack_sum {
  stack_id_t stack; /* the first one with this number */
  ticks_t times[NUM_PROFILE_VALUES];
};

/* All zero is empty. */
struct stack_sums {
  struct hashmap ids; /* number -> row plus one */
  struct stack_sum *rows;
  size_t num, capacity;
};

static struct stack_sum *find_or_add_sum(struct stack_sums *s, struct tsv *t, stack_id_t stack) {
  uint64_t key;
  if (!stack_keys_find(&t->keys, stack, &key)) return NULL;
  bool is_new;
  struct stack_sum *row =
      rows_at(&s->ids, key, &s->rows, &s->num, &s->capacity, sizeof *row, &is_new);
  if (row != NULL && is_new) row->stack = stack;
  return row;
}

static bool add_stacks(struct stack_sums *s, struct tsv *t) {
  for (size_t id = 0; id <= t->job->model->stacks.num; id++) {
    if (find_or_add_sum(s, t, (stack_id_t)id) == NULL) return false;
  }
  const struct profile *p = &t->job->model->profile;
  for (size_t i = 0; i < p->num; i++) {
    struct stack_sum *sum = find_or_add_sum(s, t, p->rows[i].stack);
    if (sum == NULL) return false;
    for (int v = 0; v < NUM_PROFILE_VALUES; v++) sum->times[v] += p->rows[i].costs[v].time;
  }
  return true;
}

/* --- rows ----------------------------------------------------------------------------------- */

/* The brackets and commas of a list, around its items. */
static void begin_item(struct builder *b, size_t at) { builder_char(b, at == 0 ? '[' : ','); }

static void end_list(struct builder *b, size_t num) {
  builder_string(b, num == 0 ? "[]\t" : "]\t");
}

static void put_methods(struct tsv *t, const struct frame *frames, size_t depth) {
  struct builder *out = &t->job->out->text;
  for (size_t i = 0; i < depth; i++) {
    begin_item(out, i);
    names_full_method(&t->text, t->job->dump, frames[i].method);
    builder_char(out, '\'');
    tsv_put_escaped(out, (struct span){t->text.data, t->text.len});
    builder_char(out, '\'');
    out->failed |= t->text.failed;
    t->text.len = 0;
  }
  end_list(out, depth);
}

static void put_lines(struct tsv *t, const struct frame *frames, size_t depth) {
  struct builder *out = &t->job->out->text;
  for (size_t i = 0; i < depth; i++) {
    begin_item(out, i);
    text_decimal(out, dump_source_line(t->job->dump, frames[i]));
  }
  end_list(out, depth);
}

static bool write_stack(struct tsv *t, const struct stack_sum *sum) {
  size_t depth;
  const struct frame *frames = stacks_frames(&t->job->model->stacks, sum->stack, &depth);
  tsv_begin_row(t);
  tsv_put_time(t, t->job->model->recording.from);
  tsv_put_stack(t, sum->stack);
  if (depth == 0) {
    tsv_put_string(t, "(no Java frames)");
  } else {
    tsv_put_method(t, stack_keys_top(&t->keys, sum->stack));
  }
  put_methods(t, frames, depth);
  put_lines(t, frames, depth);
  for (int v = 0; v < NUM_PROFILE_VALUES; v++) tsv_put_ticks(t, sum->times[v]);
  return tsv_end_row(t);
}

bool tsv_write_stacks(struct tsv *t) {
  struct stack_sums sums = {0};
  bool is_good = add_stacks(&sums, t);
  for (size_t i = 0; is_good && i < sums.num; i++) is_good = write_stack(t, &sums.rows[i]);
  hashmap_free(&sums.ids);
  free(sums.rows);
  return is_good;
}
