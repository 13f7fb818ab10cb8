#include "tools/orca/collect/answer.h"
#include "tools/orca/render/json.h"

#define SCHEMA 1

static const char *const state_keys[] = {
    [COLLECTED_RECORDED] = "recorded",   [COLLECTED_UNREADABLE] = "unreadable",
    [COLLECTED_NONE] = "no_recording",   [COLLECTED_ELSEWHERE] = "not_local",
    [COLLECTED_NOT_RUN] = "did_not_run",
};

static void put_tests_of(struct json *j, const struct collection *c,
                         const struct collected_row *row) {
  json_unsigned_member(j, "num_tests", row->num_tests);
  json_key(j, "tests");
  json_begin_array(j);
  for (size_t i = 0; i < row->num_tests && i < COLLECTED_TESTS; i++) {
    json_text(j, c->tests[row->tests[i]].label);
  }
  json_end_array(j);
}

static void put_worst(struct json *j, const struct collection *c, const struct collected_row *row) {
  struct builder command = {0};
  json_text_member(j, "worst_test", c->tests[row->worst_test].label);
  json_text_member(j, "recording", row->recording);
  answer_command(&command, row);
  json_key(j, "command");
  json_string(j, (struct span){command.data, command.len});
  j->out->failed |= command.failed;
  builder_free(&command);
}

static void put_problem(struct json *j, const struct collection *c,
                        const struct collected_row *row) {
  json_begin_object(j);
  json_text_member(j, "kind", budget_kinds[row->kind].word);
  json_text_member(j, "key", row->key);
  json_unsigned_member(j, "recordings", row->number);
  put_tests_of(j, c, row);
  put_worst(j, c, row);
  json_text_member(j, "details", row->text);
  json_end_object(j);
}

static void put_lock(struct json *j, const struct collection *c, const struct collected_row *row) {
  json_begin_object(j);
  json_text_member(j, "key", row->key);
  json_unsigned_member(j, "waits", row->number);
  if (row->is_least) {
    json_key(j, "waits_is_least");
    json_boolean(j, true);
  }
  json_unsigned_member(j, "blocked_ns", row->total_ns);
  json_unsigned_member(j, "longest_ns", row->longest_ns);
  put_tests_of(j, c, row);
  put_worst(j, c, row);
  json_text_member(j, "details", row->text);
  json_end_object(j);
}

static void put_hold(struct json *j, const struct collection *c, const struct collected_row *row) {
  json_begin_object(j);
  json_text_member(j, "key", row->key);
  json_unsigned_member(j, "holds", row->number);
  json_unsigned_member(j, "held_ns", row->total_ns);
  json_unsigned_member(j, "longest_ns", row->longest_ns);
  put_tests_of(j, c, row);
  put_worst(j, c, row);
  json_end_object(j);
}

static void put_counted(struct json *j, const struct collection *c,
                        const struct collected_row *row) {
  json_begin_object(j);
  json_text_member(j, "text", row->key);
  json_unsigned_member(j, "recordings", row->number);
  put_tests_of(j, c, row);
  json_end_object(j);
}

/* The rows of some kinds as a member. */
static void put_rows(struct json *j, const struct collection *c, const char *key, int first,
                     int last, size_t top,
                     void (*put)(struct json *j, const struct collection *c,
                                 const struct collected_row *row)) {
  json_key(j, key);
  json_begin_array(j);
  for (int kind = first; kind <= last; kind++) {
    size_t num;
    const struct collected_row *rows = collection_of(c, kind, &num);
    for (size_t i = 0; i < num && i < top; i++) put(j, c, &rows[i]);
  }
  json_end_array(j);
}

static void put_test(struct json *j, const struct collection *c, size_t i) {
  const struct collected_test *test = &c->tests[i];
  json_begin_object(j);
  json_text_member(j, "label", test->label);
  json_text_member(j, "state", state_keys[collected_state(c, i)]);
  json_unsigned_member(j, "runs", c->build->tests[i].runs);
  json_unsigned_member(j, "recordings", test->recordings);
  json_unsigned_member(j, "unreadable", test->unreadable);
  json_unsigned_member(j, "not_local", test->elsewhere);
  json_unsigned_member(j, "waits", test->waits);
  json_unsigned_member(j, "blocked_ns", test->blocked_ns);
  json_unsigned_member(j, "lost", test->lost);
  json_end_object(j);
}

void answer_json(struct builder *b, const struct collection *c, const struct answer_context *x) {
  struct json j = {.out = b};
  json_begin_object(&j);
  json_unsigned_member(&j, "schema", SCHEMA);
  json_text_member(&j, "file", x->file);
  json_key(&j, "complete");
  json_boolean(&j, c->build->is_complete);
  json_unsigned_member(&j, "skipped_events", c->build->skipped);
  json_unsigned_member(&j, "recordings", c->recordings);
  json_unsigned_member(&j, "unreadable", c->unreadable);
  json_unsigned_member(&j, "lost", c->lost);
  put_rows(&j, c, "problems", BUDGET_DEADLOCK, BUDGET_IO, x->top, put_problem);
  put_rows(&j, c, "locks", COLLECTED_LOCK, COLLECTED_LOCK, x->top, put_lock);
  put_rows(&j, c, "critical_sections", COLLECTED_HOLD, COLLECTED_HOLD, x->top, put_hold);
  put_rows(&j, c, "options", COLLECTED_OPTIONS, COLLECTED_OPTIONS, x->top, put_counted);
  put_rows(&j, c, "not_known", COLLECTED_UNPROVEN, COLLECTED_UNPROVEN, x->top, put_counted);
  json_key(&j, "tests");
  json_begin_array(&j);
  for (size_t i = 0; i < c->build->num; i++) put_test(&j, c, i);
  json_end_array(&j);
  json_end_object(&j);
  builder_char(b, '\n');
}
