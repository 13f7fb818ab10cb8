#include "tools/orca/collect/collection.h"

#include <stdlib.h>
#include <string.h>

#include "tools/orca/budget/measure/key.h"
#include "tools/orca/budget/measure/measure.h"
#include "tools/orca/model/base/grow.h"

bool collection_start(struct collection *c, const struct build_events *build) {
  *c = (struct collection){.build = build};
  c->tests = calloc(build->num + 1, sizeof *c->tests);
  for (size_t i = 0; c->tests != NULL && i < build->num; i++) {
    c->tests[i].label = build->tests[i].label;
  }
  return c->tests != NULL;
}

/* --- rows ----------------------------------------------------------------------------------- */

static uint64_t hash_key(int kind, const char *key) {
  uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)kind;
  for (; *key != '\0'; key++) hash = (hash ^ (unsigned char)*key) * 0x100000001b3u;
  return hash;
}

static struct collected_row *add_row(struct collection *c, int kind, const char *key,
                                     uint64_t *head) {
  struct collected_row *rows = grow(c->rows, c->num, &c->capacity, sizeof *rows);
  if (rows == NULL) return NULL;
  c->rows = rows;
  rows[c->num] = (struct collected_row){.kind = kind, .key = strdup(key), .next = (size_t)*head};
  if (rows[c->num].key == NULL) return NULL;
  *head = ++c->num;
  return &rows[c->num - 1];
}

/* Returns the row of this kind and key, which is added if it is new. NULL: out of memory. */
static struct collected_row *find_row(struct collection *c, int kind, const char *key) {
  uint64_t *head = hashmap_at(&c->ids, hash_key(kind, key));
  if (head == NULL) return NULL;
  for (size_t at = (size_t)*head; at != 0; at = c->rows[at - 1].next) {
    struct collected_row *row = &c->rows[at - 1];
    if (row->kind == kind && strcmp(row->key, key) == 0) return row;
  }
  return add_row(c, kind, key, head);
}

/* The recordings of a test come one after the other. */
static void add_test(struct collected_row *row, size_t test) {
  if (row->num_tests > 0 && row->last_test == test) return;
  row->last_test = test;
  row->num_tests++;
  if (row->num_tests <= COLLECTED_TESTS) row->tests[row->num_tests - 1] = test;
}

static bool set_text(char **text, const char *to) {
  char *copy = strdup(to);
  if (copy == NULL) return false;
  free(*text);
  *text = copy;
  return true;
}

/* What a recording says about a row. */
struct sighting {
  int kind;
  const char *key;
  uint64_t number, total_ns, longest_ns;
  bool is_least;
  const char *text; /* NULL: nothing */
  size_t test;
  const char *recording;
};

static bool add_sighting(struct collection *c, const struct sighting *s) {
  struct collected_row *row = find_row(c, s->kind, s->key);
  if (row == NULL) return false;
  bool is_worst = row->text == NULL || s->longest_ns > row->longest_ns;
  add_test(row, s->test);
  row->number += s->number;
  row->total_ns += s->total_ns;
  row->is_least |= s->is_least;
  if (!is_worst) return true;
  row->longest_ns = s->longest_ns;
  row->worst_test = s->test;
  return set_text(&row->text, s->text == NULL ? "" : s->text) &&
         set_text(&row->recording, s->recording);
}

/* --- recordings ----------------------------------------------------------------------------- */

/* A recording that is added. */
struct adding {
  struct collection *c;
  struct model *model;
  size_t test;
  const char *name;
};

static bool add_lock(const struct adding *a, const struct sighting *s) {
  struct collected_test *test = &a->c->tests[a->test];
  test->waits += s->number;
  test->blocked_ns += s->total_ns;
  return add_sighting(a->c, s);
}

static bool add_figure(const struct adding *a, const struct figure *figure) {
  struct collected_test *test = &a->c->tests[a->test];
  struct sighting s = {.kind = (int)figure->kind,
                       .key = figure->key,
                       .number = 1,
                       .text = figure->text,
                       .test = a->test,
                       .recording = a->name};
  switch (figure->kind) {
    case BUDGET_LOST:
      test->lost += figure->number;
      a->c->lost += figure->number;
      return true;
    case BUDGET_UNHEARD:
    case BUDGET_BLOCKED:
      return true;
    case BUDGET_LOCK:
      s.number = figure->number;
      s.total_ns = figure->total_ns;
      s.longest_ns = figure->longest_ns;
      s.is_least = figure->may_lack;
      return add_lock(a, &s);
    case BUDGET_SLEEP:
    case BUDGET_IO:
      s.total_ns = s.longest_ns = figure->total_ns;
      return add_sighting(a->c, &s);
    default:
      return add_sighting(a->c, &s);
  }
}

/* Why a kind of problem may be there though it was not found. */
static bool add_unproven(const struct adding *a, const struct figures *figures) {
  for (int kind = BUDGET_ORDER; kind <= BUDGET_IO; kind++) {
    struct builder key = {0};
    if (figures->unproven[kind] == NULL) continue;
    builder_format(&key, "%s: %s%c", budget_kinds[kind].word, figures->unproven[kind], '\0');
    struct sighting s = {.kind = COLLECTED_UNPROVEN,
                         .key = key.data,
                         .number = 1,
                         .test = a->test,
                         .recording = a->name};
    bool good = !key.failed && add_sighting(a->c, &s);
    builder_free(&key);
    if (!good) return false;
  }
  return true;
}

/* Where threads acquire a lock most: where they waited, else where they acquired it. */
static place_t find_place(const struct model *m, const struct lock *lock) {
  place_t place = tally_best(&m->locks.places, lock->id);
  return place != 0 ? place : tally_best(&m->titles.places, lock->object);
}

/* The class of a lock, and the method if it is known. The locks of a key add up. */
static void put_key(struct builder *b, const struct model *m, const struct lock *lock) {
  place_t place = find_place(m, lock);
  if (place != 0) key_lock(b, m->dump, lock->object, place);
  if (place == 0) key_class(b, m->dump, locks_class(m->dump, lock->object));
  builder_char(b, '\0');
}

/* Semaphores that are signals have no holder. */
static bool add_holds(const struct adding *a, const struct lock *lock) {
  struct builder key = {0};
  if (lock->holds == 0 || lock_is_signal(lock)) return true;
  put_key(&key, a->model, lock);
  struct sighting s = {.kind = COLLECTED_HOLD,
                       .key = key.data,
                       .number = lock->holds,
                       .total_ns = lock->held / TICKS_PER_NS,
                       .longest_ns = lock->longest_held / TICKS_PER_NS,
                       .test = a->test,
                       .recording = a->name};
  bool good = !key.failed && add_sighting(a->c, &s);
  builder_free(&key);
  return good;
}

/* Waits of several locks that are not told apart are no figure of a budget. */
static bool add_several(const struct adding *a, const struct lock *lock) {
  struct sighting s = {.kind = COLLECTED_LOCK,
                       .key = SHORT_SEVERAL_NAME,
                       .number = lock->waited,
                       .total_ns = lock->blocked / TICKS_PER_NS,
                       .longest_ns = lock->longest_blocked / TICKS_PER_NS,
                       .test = a->test,
                       .recording = a->name};
  return !lock->is_several || lock->waited == 0 || add_lock(a, &s);
}

/* The options that decide what a recording says about locks. */
static bool add_options(const struct adding *a) {
  static const enum option_key options[] = {OPTION_events, OPTION_monitors, OPTION_locks,
                                            OPTION_owners, OPTION_filter,   OPTION_threshold};
  struct builder key = {0};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    struct span value;
    bool is_known = coverage_option(dump_coverage(a->model->dump), options[i], &value);
    if (!is_known || value.len == 0) continue;
    builder_format(&key, "%s%s=", key.len == 0 ? "" : ",", option_infos[options[i]].key);
    text_plain(&key, value);
  }
  builder_char(&key, '\0');
  struct sighting s = {.kind = COLLECTED_OPTIONS,
                       .key = key.data,
                       .number = 1,
                       .test = a->test,
                       .recording = a->name};
  bool good = !key.failed && add_sighting(a->c, &s);
  builder_free(&key);
  return good;
}

bool collection_add(struct collection *c, size_t test, const char *name, struct model *m) {
  struct adding a = {c, m, test, name};
  struct figures figures = {.name = name};
  bool good = measure_run(&figures, m) && add_unproven(&a, &figures) && add_options(&a);
  for (size_t i = 0; good && i < figures.num; i++) good = add_figure(&a, &figures.rows[i]);
  for (size_t i = 0; good && i < m->locks.num; i++) good = add_several(&a, &m->locks.rows[i]);
  for (size_t i = 0; good && i < m->locks.num; i++) good = add_holds(&a, &m->locks.rows[i]);
  figures_free(&figures);
  if (good) c->recordings++;
  if (good) c->tests[test].recordings++;
  return good;
}

/* --- the end -------------------------------------------------------------------------------- */

/* The locks with the longest blocked time first, the critical sections with the longest hold, the
   rest by what is most frequent. */
static int compare_rows(const void *left, const void *right) {
  const struct collected_row *a = left, *b = right;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  bool is_lock = a->kind == COLLECTED_LOCK, is_hold = a->kind == COLLECTED_HOLD;
  uint64_t x = is_lock ? a->total_ns : is_hold ? a->longest_ns : a->number;
  uint64_t y = is_lock ? b->total_ns : is_hold ? b->longest_ns : b->number;
  if (x != y) return x > y ? -1 : 1;
  return strcmp(a->key, b->key);
}

void collection_end(struct collection *c) {
  hashmap_free(&c->ids); /* the rows move */
  if (c->num > 0) qsort(c->rows, c->num, sizeof *c->rows, compare_rows);
}

const struct collected_row *collection_of(const struct collection *c, int kind, size_t *out_num) {
  size_t first = 0, end;
  while (first < c->num && c->rows[first].kind < kind) first++;
  for (end = first; end < c->num && c->rows[end].kind == kind;) end++;
  *out_num = end - first;
  return *out_num == 0 ? NULL : c->rows + first;
}

enum collected_state collected_state(const struct collection *c, size_t test) {
  const struct collected_test *t = &c->tests[test];
  if (t->recordings > 0) return COLLECTED_RECORDED;
  if (t->unreadable > 0) return COLLECTED_UNREADABLE;
  if (t->elsewhere > 0) return COLLECTED_ELSEWHERE;
  return c->build->tests[test].runs > 0 ? COLLECTED_NONE : COLLECTED_NOT_RUN;
}

void collection_free(struct collection *c) {
  for (size_t i = 0; i < c->num; i++) {
    free(c->rows[i].key);
    free(c->rows[i].text);
    free(c->rows[i].recording);
  }
  free(c->rows);
  free(c->tests);
  hashmap_free(&c->ids);
  *c = (struct collection){0};
}
