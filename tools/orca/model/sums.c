#include "tools/orca/model/sums.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/dump/digest.h"
#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/model.h"
#include "tools/orca/model/names.h"

/* --- keys ----------------------------------------------------------------------------- */

/* Cuts off the number of a lambda's class, because it differs in each run. */
static void put_class_key(struct builder *b, const struct dump *d, uint32_t class_id) {
  static const char lambda[] = "$$Lambda";
  size_t start = b->len;
  if (class_id == SHORT_SEVERAL_CLASS) {
    builder_string(b, SHORT_SEVERAL_NAME);
  } else if (class_id != 0) {
    names_class(b, d, class_id);
  }
  const char *hit =
      b->len > start ? memmem(b->data + start, b->len - start, lambda, strlen(lambda)) : NULL;
  if (hit != NULL) b->len = (size_t)(hit - b->data) + strlen(lambda);
  builder_char(b, '\n');
}

static void put_name_key(struct builder *b, const struct dump *d, uint32_t method) {
  const struct method_line *line = dump_method(d, method);
  if (line != NULL) {
    put_class_key(b, d, line->class_id);
    builder_bytes(b, line->name.data, line->name.len);
  } else {
    text_hash(b, method);
  }
  builder_char(b, '\n');
}

void sums_put_method_key(struct builder *b, const struct dump *d, uint32_t method) {
  const struct method_line *line = dump_method(d, method);
  put_name_key(b, d, method);
  if (line != NULL) builder_bytes(b, line->signature.data, line->signature.len);
}

void sums_put_key(struct builder *b, const struct dump *d, const struct sums_row *row) {
  if (row->part == COMPARE_METHODS) {
    sums_put_method_key(b, d, row->id);
    return;
  }
  text_hash(b, row->kind);
  put_class_key(b, d, row->id);
  put_name_key(b, d, place_method(row->place));
}

/* --- rows ----------------------------------------------------------------------------- */

bool sums_add(struct sums *s, const struct sums_row *row) {
  void *grown = grow(s->rows, s->num, &s->capacity, sizeof *s->rows);
  if (grown == NULL) return false;
  s->rows = grown;
  s->rows[s->num++] = *row;
  return true;
}

/* The sums while they are made. */
struct summing {
  struct sums *out;
  const struct model *model;
  struct hashmap ids[NUM_COMPARE_PARTS]; /* digest of the key -> row plus one */
  struct builder key;
};

/* Adds a time to the row with the same name. */
static bool add_time(struct summing *s, const struct sums_row *time) {
  s->key.len = 0;
  sums_put_key(&s->key, s->model->dump, time);
  uint64_t *at = s->key.failed ? NULL
                               : hashmap_at(&s->ids[time->part],
                                            digest((struct span){s->key.data, s->key.len}));
  if (at == NULL) return false;
  if (*at == 0) {
    if (!sums_add(s->out, time)) return false;
    *at = s->out->num;
    s->out->rows[*at - 1].most = time->time;
    return true;
  }
  struct sums_row *row = &s->out->rows[*at - 1];
  row->time += time->time;
  row->count += time->count;
  if (time->time < row->most) return true;
  row->most = time->time;
  row->id = time->id;
  row->place = time->place;
  return true;
}

static bool add_methods(struct summing *s) {
  const struct cpu *c = &s->model->cpu;
  for (size_t i = 0; i < c->num_methods && c->methods[i].self_ns > 0; i++) {
    const struct cpu_method *row = &c->methods[i];
    struct sums_row time = {.part = COMPARE_METHODS,
                            .id = row->method,
                            .place = row->place,
                            .time = row->self_ns * TICKS_PER_NS};
    if (!add_time(s, &time)) return false;
  }
  return true;
}

/* Adds each place of a lock or a stall. */
static bool add_places(struct summing *s, const struct sums_row *what, const struct tally *places,
                       uint32_t group) {
  size_t num;
  const struct tally_row *rows = tally_of(places, group, &num);
  for (size_t i = 0; i < num && rows[i].total > 0; i++) {
    struct sums_row time = *what;
    time.place = rows[i].key;
    time.time = rows[i].total;
    time.count = rows[i].count;
    if (!add_time(s, &time)) return false;
  }
  return true;
}

static bool add_locks(struct summing *s) {
  const struct locks *locks = &s->model->locks;
  for (size_t i = 0; i < locks->num; i++) {
    const struct lock *lock = &locks->rows[i];
    struct sums_row what = {
        .part = COMPARE_LOCKS,
        .kind = lock->sort,
        .id = lock->is_several ? SHORT_SEVERAL_CLASS : locks_class(s->model->dump, lock->object)};
    if (!add_places(s, &what, &locks->places, lock->id)) return false;
  }
  return true;
}

static bool add_waits(struct summing *s) {
  const struct stalls *stalls = &s->model->stalls_by_class;
  for (size_t i = 0; i < stalls->num; i++) {
    const struct stall *row = &stalls->rows[i];
    struct sums_row what = {.part = COMPARE_WAITS,
                            .kind = row->kind,
                            .id = row->is_several ? SHORT_SEVERAL_CLASS : row->class_id};
    if (lock_event_asks(row->kind)) continue;
    if (!add_places(s, &what, &stalls->places, row->id)) return false;
  }
  return true;
}

bool sums_find(struct sums *out, const struct model *m) {
  struct summing s = {.out = out, .model = m};
  bool good = add_methods(&s) && add_locks(&s) && add_waits(&s);
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) hashmap_free(&s.ids[part]);
  builder_free(&s.key);
  return good;
}

/* --- the largest rows ----------------------------------------------------------------- */

/* Rows of several objects come first, because they tell that the others are least numbers. */
static int compare_rows(const void *left, const void *right) {
  const struct sums_row *a = left, *b = right;
  bool is_several_a = sums_is_several(a->part, a->id),
       is_several_b = sums_is_several(b->part, b->id);
  if (a->part != b->part) return a->part < b->part ? -1 : 1;
  if (is_several_a != is_several_b) return is_several_a ? -1 : 1;
  if (a->time != b->time) return a->time > b->time ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->id != b->id) return a->id < b->id ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

static void count_cut(struct sums_cut *cut, const struct sums_row *row) {
  if (cut->num == 0) cut->most = row->time;
  if (cut->num == 0) cut->most_count = row->count;
  cut->num++;
  cut->time += row->time;
  cut->count += row->count;
}

void sums_keep_largest(struct sums *s, size_t most) {
  size_t kept = 0, of_part[NUM_COMPARE_PARTS] = {0};
  if (s->num > 0) qsort(s->rows, s->num, sizeof *s->rows, compare_rows);
  for (size_t i = 0; i < s->num; i++) {
    struct sums_row row = s->rows[i];
    if (of_part[row.part]++ < most) {
      s->rows[kept++] = row;
    } else {
      count_cut(&s->cut[row.part], &row);
    }
  }
  s->num = kept;
}

void sums_free(struct sums *s) {
  free(s->rows);
  *s = (struct sums){0};
}
