#include "tools/orca/budget/format.h"
#include "tools/orca/budget/wording.h"
#include "tools/orca/render/page.h"

static const char *const state_words[] = {
    [VERDICT_KEPT] = "kept", [VERDICT_BROKEN] = "broken", [VERDICT_UNPROVEN] = "unproven"};

/* Writes what a function of wording.h appends. */
#define PUT_WORDS(j, key, function, ...)                  \
  do {                                                    \
    struct builder words = {0};                           \
    function(&words, __VA_ARGS__);                        \
    json_key(j, key);                                     \
    json_string(j, (struct span){words.data, words.len}); \
    (j)->out->failed |= words.failed;                     \
    builder_free(&words);                                 \
  } while (0)

static void put_numbers(struct json *j, enum budget_kind kind, uint64_t number,
                        uint64_t longest_ns) {
  switch (budget_kinds[kind].form) {
    case FORM_LOCK:
      json_unsigned_member(j, "waits", number);
      json_unsigned_member(j, "longest_ns", longest_ns);
      return;
    case FORM_SHARE:
      json_unsigned_member(j, "permille", number);
      return;
    case FORM_COUNT:
      json_unsigned_member(j, "count", number);
      return;
    default:
      return;
  }
}

static void put_found(struct json *j, const struct verdict *v, const struct verdict_row *row) {
  json_key(j, "found");
  json_begin_array(j);
  for (size_t i = 0; i < v->num_runs; i++) {
    const struct figure *figure = row->found[i];
    if (figure == NULL) continue;
    json_begin_object(j);
    json_unsigned_member(j, "run", i);
    put_numbers(j, row->kind, figure->number, figure->longest_ns);
    if (figures_is_least(&v->runs[i], figure)) {
      json_key(j, "waits_is_least");
      json_boolean(j, true);
    }
    json_end_object(j);
  }
  json_end_array(j);
}

/* All rows have the same keys. NULL: it does not apply. */
static void put_text(struct json *j, const char *key, const char *text) {
  if (text != NULL) {
    json_text_member(j, key, text);
  } else {
    json_key(j, key);
    json_null(j);
  }
}

static void put_broken(struct json *j, const struct verdict *v, const struct verdict_row *row) {
  static const char *const keys[] = {"message", "command", "advice", "details"};
  if (row->state == VERDICT_BROKEN) {
    PUT_WORDS(j, "message", wording_message, v, row);
    PUT_WORDS(j, "command", wording_command, row);
    json_text_member(j, "advice", budget_kinds[row->kind].advice);
    json_text_member(j, "details", row->worst == NULL ? "" : row->worst->text);
  } else {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) put_text(j, keys[i], NULL);
  }
}

static void put_row(struct json *j, const struct verdict *v, const struct verdict_row *row) {
  json_begin_object(j);
  json_text_member(j, "kind", budget_kinds[row->kind].word);
  json_text_member(j, "key", row->key);
  json_text_member(j, "state", state_words[row->state]);
  json_key(j, "allowed");
  if (row->row != NULL) {
    json_begin_object(j);
    put_numbers(j, row->kind, row->row->number, row->row->longest_ns);
    json_end_object(j);
  } else {
    json_null(j);
  }
  put_found(j, v, row);
  put_text(j, "why", row->state == VERDICT_UNPROVEN ? row->why : NULL);
  put_broken(j, v, row);
  json_end_object(j);
}

void format_json(struct builder *b, const struct verdict *v, const char *file) {
  struct json j = {.out = b};
  json_begin_object(&j);
  json_unsigned_member(&j, "schema", PAGE_SCHEMA);
  json_text_member(&j, "file", file);
  json_unsigned_member(&j, "broken", v->num_broken);
  json_unsigned_member(&j, "kept", v->num_kept);
  json_unsigned_member(&j, "unproven", v->num_unproven);
  json_key(&j, "runs");
  json_begin_array(&j);
  for (size_t i = 0; i < v->num_runs; i++) {
    json_begin_object(&j);
    json_text_member(&j, "prefix", v->runs[i].name);
    json_key(&j, "scale");
    json_decimal(&j, (int64_t)v->runs[i].scale, 3);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_key(&j, "budgets");
  json_begin_array(&j);
  for (size_t i = 0; i < v->num; i++) put_row(&j, v, &v->rows[i]);
  json_end_array(&j);
  json_end_object(&j);
  builder_char(b, '\n');
}
