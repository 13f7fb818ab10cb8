#include "tools/orca/collect/answer.h"

#include <stdlib.h>

#include "tools/orca/render/cells.h"
#include "tools/orca/render/escape.h"
#include "tools/orca/render/unit.h"

const char *answer_state_words(enum collected_state state) {
  static const char *const words[] = {
      [COLLECTED_RECORDED] = "recorded",
      [COLLECTED_UNREADABLE] = "left a recording that cannot be read",
      [COLLECTED_NONE] = "left no recording",
      [COLLECTED_ELSEWHERE] = "left outputs that are not on this machine",
      [COLLECTED_NOT_RUN] = "did not run",
  };
  return words[state];
}

uint64_t answer_count_tests(const struct collection *c, enum collected_state state) {
  uint64_t num = 0;
  for (size_t i = 0; i < c->build->num; i++) num += collected_state(c, i) == state;
  return num;
}

void answer_sum(struct builder *b, const struct collection *c) {
  unit_many(b, c->build->num, "test", "tests");
  for (int state = 0; state < NUM_COLLECTED_STATES; state++) {
    uint64_t num = answer_count_tests(c, (enum collected_state)state);
    if (num == 0 && state != COLLECTED_RECORDED) continue;
    builder_format(b, "%s%s %s", state == COLLECTED_RECORDED ? ": " : ", ", UNIT_COUNT(num),
                   answer_state_words((enum collected_state)state));
  }
  builder_string(b, "; ");
  unit_many(b, c->recordings, "recording", "recordings");
}

void answer_tests(struct builder *b, const struct collection *c, const struct collected_row *row) {
  enum { SHOWN = 3 };
  for (size_t i = 0; i < row->num_tests && i < SHOWN; i++) {
    builder_format(b, "%s%s", i == 0 ? "" : ", ", c->tests[row->tests[i]].label);
  }
  if (row->num_tests > SHOWN) builder_format(b, " and %s more", UNIT_COUNT(row->num_tests - SHOWN));
}

void answer_command(struct builder *b, const struct collected_row *row) {
  const char *command = row->kind < NUM_BUDGET_KINDS ? budget_kinds[row->kind].command : "locks";
  builder_format(b, "orca %s %s", command, row->recording);
}

/* --- tables ---------------------------------------------------------------------------------- */

static void put_safe(struct builder *b, const char *text) {
  escape_utf8(b, (struct span){text, strlen(text)});
}

static void put_key(const struct cell *c) {
  const struct collected_row *row = c->row;
  put_safe(c->text, row->key);
}

static void put_tests(const struct cell *c) { answer_tests(c->text, c->context, c->row); }

static void put_recording(const struct cell *c) {
  const struct collected_row *row = c->row;
  put_safe(c->text, row->recording);
}

static void put_waits(const struct cell *c) {
  const struct collected_row *row = c->row;
  if (row->is_least) builder_string(c->text, "≥ ");
  cell_count(c->table, row->number);
}

static void put_blocked(const struct cell *c) {
  const struct collected_row *row = c->row;
  if (row->is_least) builder_string(c->text, "≥ ");
  cell_ns(c->table, row->total_ns);
}

#define ROW struct collected_row

static const struct column lock_columns[] = {
    {"blocked", ALIGN_RIGHT, .put = put_blocked}, {"waits", ALIGN_RIGHT, .put = put_waits},
    {"longest", COLUMN_NS(ROW, longest_ns)},      {"tests", COLUMN_COUNT(ROW, num_tests)},
    {"lock and place", .put = put_key},           {"tests of it", .put = put_tests},
    {"longest in", .put = put_recording}};

static const struct column hold_columns[] = {
    {"longest", COLUMN_NS(ROW, longest_ns)}, {"held", COLUMN_NS(ROW, total_ns)},
    {"times", COLUMN_COUNT(ROW, number)},    {"tests", COLUMN_COUNT(ROW, num_tests)},
    {"lock and place", .put = put_key},      {"tests of it", .put = put_tests},
    {"longest in", .put = put_recording}};

static const struct column option_columns[] = {{"recordings", COLUMN_COUNT(ROW, number)},
                                               {"options", .put = put_key}};

static struct table *make_rows(const struct collection *c, const struct answer_context *x, int kind,
                               struct table *t, size_t *out_more) {
  size_t num;
  const struct collected_row *rows = collection_of(c, kind, &num);
  *out_more = table_fill(t, c, rows, sizeof *rows, num, x->top);
  return t;
}

static struct table *make_locks(const struct collection *c, const struct answer_context *x,
                                size_t *out_more) {
  return make_rows(c, x, COLLECTED_LOCK, TABLE_NEW(lock_columns), out_more);
}

static struct table *make_holds(const struct collection *c, const struct answer_context *x,
                                size_t *out_more) {
  return make_rows(c, x, COLLECTED_HOLD, TABLE_NEW(hold_columns), out_more);
}

static struct table *make_options(const struct collection *c, const struct answer_context *x,
                                  size_t *out_more) {
  return make_rows(c, x, COLLECTED_OPTIONS, TABLE_NEW(option_columns), out_more);
}

/* --- tests ---------------------------------------------------------------------------------- */

static const struct column test_columns[] = {
    {"blocked", COLUMN_NS(struct collected_test, blocked_ns)},
    {"waits", COLUMN_COUNT(struct collected_test, waits)},
    {"lost", COLUMN_COUNT(struct collected_test, lost)},
    {"recordings", COLUMN_COUNT(struct collected_test, recordings)},
    {"test", COLUMN_TEXT(struct collected_test, label)}};

static int compare_tests(const void *left, const void *right) {
  const struct collected_test *a = left, *b = right;
  if (a->blocked_ns != b->blocked_ns) return a->blocked_ns > b->blocked_ns ? -1 : 1;
  return strcmp(a->label, b->label);
}

static struct table *make_recorded(const struct collection *c, const struct answer_context *x,
                                   size_t *out_more) {
  struct table *t = TABLE_NEW(test_columns);
  struct collected_test *tests = calloc(c->build->num + 1, sizeof *tests);
  size_t num = 0;
  for (size_t i = 0; tests != NULL && i < c->build->num; i++) {
    if (c->tests[i].recordings > 0) tests[num++] = c->tests[i];
  }
  if (tests == NULL) {
    table_free(t);
    return NULL;
  }
  qsort(tests, num, sizeof *tests, compare_tests);
  *out_more = table_fill(t, c, tests, sizeof *tests, num, x->top);
  free(tests);
  return t;
}

static void put_missing(const struct cell *c) {
  const struct collection *all = c->context;
  const struct collected_test *test = c->row;
  if (test->recordings == 0) {
    builder_string(c->text, answer_state_words(collected_state(all, (size_t)(test - all->tests))));
    return;
  }
  if (test->unreadable > 0) {
    unit_many(c->text, test->unreadable, "recording", "recordings");
    builder_string(c->text, " cannot be read");
  }
  if (test->elsewhere > 0) {
    if (test->unreadable > 0) builder_string(c->text, ", ");
    builder_string(c->text, "outputs of ");
    unit_many(c->text, test->elsewhere, "run", "runs");
    builder_string(c->text, " are not on this machine");
  }
}

static const struct column missing_columns[] = {
    {"what is missing", .put = put_missing}, {"test", COLUMN_TEXT(struct collected_test, label)}};

static struct table *make_missing(const struct collection *c, const struct answer_context *x,
                                  size_t *out_more) {
  struct table *t = TABLE_NEW(missing_columns);
  size_t num = 0;
  for (size_t i = 0; i < c->build->num; i++) {
    const struct collected_test *test = &c->tests[i];
    if (test->recordings > 0 && test->unreadable == 0 && test->elsewhere == 0) continue;
    if (num++ < x->top) table_add(t, c, test);
  }
  *out_more = num > x->top ? num - x->top : 0;
  return t;
}

const struct answer_table answer_tables[NUM_ANSWER_TABLES] = {
    {"Locks by blocked time, over all tests", make_locks},
    {"Critical sections by their longest hold", make_holds},
    {"Tests by blocked time", make_recorded},
    {"Tests without a recording, or with missing ones", make_missing},
    {"Options of the recordings", make_options}};
