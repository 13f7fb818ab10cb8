#include "tools/orca/model/compare.h"

#include <string.h>

#include "tools/orca/model/names.h"

/* --- keys ----------------------------------------------------------------------------- */

/* Cuts off the number of a lambda's class, because it differs in each run. */
static void put_class_key(struct builder *b, const struct dump *d, uint32_t class_id) {
  static const char lambda[] = "$$Lambda";
  size_t start = b->len;
  if (class_id != 0) names_class(b, d, class_id);
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

void compare_put_method_key(struct builder *b, const struct dump *d, uint32_t method) {
  const struct method_line *line = dump_method(d, method);
  put_name_key(b, d, method);
  if (line != NULL) builder_bytes(b, line->signature.data, line->signature.len);
}

/* Adds values to the row of `key`, and empties `key`. */
static bool add_side(struct diff *out, struct builder *key, unsigned kind, int side,
                     const struct diff_side *values) {
  bool good = !key->failed && diff_add(out, (struct span){key->data, key->len}, kind, side, values);
  key->len = 0;
  return good;
}

/* --- methods -------------------------------------------------------------------------- */

/* The number of samples of a method is an estimate from its share of the CPU time. Samples have
   about the same CPU time each, apart from time that was carried to a later sample. */
static bool add_cpu_methods(struct diff *out, struct builder *key, const struct model *m,
                            int side) {
  const struct cpu *c = &m->cpu;
  double samples = c->total_ns == 0 ? 0 : (double)c->num_samples / (double)c->total_ns;
  for (size_t i = 0; i < c->num_methods && c->methods[i].self_ns > 0; i++) {
    const struct cpu_method *row = &c->methods[i];
    struct diff_side values = {.time = row->self_ns * TICKS_PER_NS,
                               .count = (double)row->self_ns * samples,
                               .id = row->method,
                               .place = row->place};
    compare_put_method_key(key, m->dump, row->method);
    if (!add_side(out, key, 0, side, &values)) return false;
  }
  return true;
}

/* --- locks and waits ------------------------------------------------------------------ */

/* Adds each place of a lock or a stall to the row of its method. */
static bool add_tally_places(struct diff *out, struct builder *key, const struct model *m, int side,
                             unsigned kind, uint32_t class_id, const struct tally *places,
                             uint32_t group) {
  size_t num;
  const struct tally_row *rows = tally_of(places, group, &num);
  for (size_t i = 0; i < num && rows[i].total > 0; i++) {
    struct diff_side values = {.time = rows[i].total,
                               .count = (double)rows[i].count,
                               .id = class_id,
                               .place = rows[i].key};
    text_hash(key, kind);
    put_class_key(key, m->dump, class_id);
    put_name_key(key, m->dump, place_method(rows[i].key));
    if (!add_side(out, key, kind, side, &values)) return false;
  }
  return true;
}

static bool add_blocked_locks(struct diff *out, struct builder *key, const struct model *m,
                              int side) {
  for (size_t i = 0; i < m->locks.num; i++) {
    const struct lock *lock = &m->locks.rows[i];
    const struct dump_object *object = dump_objects(m->dump, lock->object);
    uint32_t class_id = object == NULL ? 0 : object->line.class_id;
    if (!add_tally_places(out, key, m, side, lock->sort, class_id, &m->locks.places, lock->id)) {
      return false;
    }
  }
  return true;
}

static bool add_wait_calls(struct diff *out, struct builder *key, const struct model *m, int side) {
  const struct stalls *stalls = &m->stalls_by_class;
  for (size_t i = 0; i < stalls->num; i++) {
    const struct stall *row = &stalls->rows[i];
    if (lock_event_asks(row->kind)) continue;
    if (!add_tally_places(out, key, m, side, row->kind, row->class_id, &stalls->places, row->id)) {
      return false;
    }
  }
  return true;
}

/* --- all ------------------------------------------------------------------------------ */

static const struct {
  bool (*add)(struct diff *out, struct builder *key, const struct model *m, int side);
  enum diff_basis basis;
} parts[NUM_COMPARE_PARTS] = {[COMPARE_METHODS] = {add_cpu_methods, DIFF_SAMPLES},
                              [COMPARE_LOCKS] = {add_blocked_locks, DIFF_EVENTS},
                              [COMPARE_WAITS] = {add_wait_calls, DIFF_EVENTS}};

/* The total CPU time is measured, not sampled, so DIFF_EXACT applies to it. */
static void judge_total(struct comparison *c, enum compare_part part) {
  const struct diff *d = &c->parts[part];
  struct diff_row *total = &c->totals[part];
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < d->num; i++) {
      total->sides[side].time += d->rows[i].sides[side].time;
      total->sides[side].count += d->rows[i].sides[side].count;
    }
    if (part == COMPARE_METHODS) {
      total->sides[side].time = c->runs[side]->cpu.total_ns * TICKS_PER_NS;
    }
  }
  diff_judge(total, part == COMPARE_METHODS ? DIFF_EXACT : d->basis, d->lengths);
}

static bool compare_part(struct comparison *c, enum compare_part part) {
  struct diff *d = &c->parts[part];
  struct builder key = {0};
  bool good = true;
  d->basis = parts[part].basis;
  for (int side = 0; side < 2; side++) {
    d->lengths[side] = recording_time(&c->runs[side]->recording);
    good = good && parts[part].add(d, &key, c->runs[side], side);
  }
  builder_free(&key);
  diff_end(d);
  judge_total(c, part);
  return good;
}

bool compare_runs(struct comparison *c, const struct model *a, const struct model *b) {
  *c = (struct comparison){.runs = {a, b}};
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) {
    if (!compare_part(c, (enum compare_part)part)) return false;
  }
  return true;
}

void comparison_free(struct comparison *c) {
  for (int part = 0; part < NUM_COMPARE_PARTS; part++) diff_free(&c->parts[part]);
  *c = (struct comparison){0};
}
