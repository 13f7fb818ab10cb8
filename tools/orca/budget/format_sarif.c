#include <string.h>

#include "tools/orca/budget/format.h"
#include "tools/orca/budget/wording.h"
#include "tools/orca/render/json.h"

#define SCHEMA \
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

static void put_text_object(struct json *j, const char *key, const char *text) {
  json_key(j, key);
  json_begin_object(j);
  json_text_member(j, "text", text);
  json_end_object(j);
}

static void put_rules(struct json *j) {
  json_key(j, "rules");
  json_begin_array(j);
  for (int kind = 0; kind < NUM_BUDGET_KINDS; kind++) {
    json_begin_object(j);
    json_text_member(j, "id", budget_kinds[kind].word);
    put_text_object(j, "shortDescription", budget_kinds[kind].title);
    put_text_object(j, "help", budget_kinds[kind].advice);
    json_end_object(j);
  }
  json_end_array(j);
}

static void put_driver(struct json *j) {
  json_key(j, "tool");
  json_begin_object(j);
  json_key(j, "driver");
  json_begin_object(j);
  json_text_member(j, "name", "orca budget");
  put_rules(j);
  json_end_object(j);
  json_end_object(j);
}

/* A URI has only some ASCII characters; all other bytes are escaped. */
static void put_uri(struct json *j, const char *path) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/$!'()*+,;=@";
  struct builder uri = {0};
  for (; *path != '\0'; path++) {
    if (strchr(plain, *path) != NULL) {
      builder_char(&uri, *path);
    } else {
      builder_format(&uri, "%%%02X", (unsigned char)*path);
    }
  }
  json_key(j, "uri");
  json_string(j, (struct span){uri.data, uri.len});
  j->out->failed |= uri.failed;
  builder_free(&uri);
}

/* Without a known source file, the result is about the file of budgets. */
static void put_location(struct json *j, const struct figure *figure, const char *file) {
  bool is_known = figure != NULL && figure->path[0] != '\0';
  json_key(j, "locations");
  json_begin_array(j);
  json_begin_object(j);
  json_key(j, "physicalLocation");
  json_begin_object(j);
  json_key(j, "artifactLocation");
  json_begin_object(j);
  put_uri(j, is_known ? figure->path : file);
  json_end_object(j);
  json_key(j, "region");
  json_begin_object(j);
  json_unsigned_member(j, "startLine",
                       is_known && figure->source_line > 0 ? figure->source_line : 1);
  json_end_object(j);
  json_end_object(j);
  json_end_object(j);
  json_end_array(j);
}

static void put_message(struct json *j, const struct verdict *v, const struct verdict_row *row) {
  struct builder text = {0};
  wording_message(&text, v, row);
  builder_char(&text, '\n');
  wording_runs(&text, v, row, "");
  if (row->worst != NULL) builder_string(&text, row->worst->text);
  builder_string(&text, "\nmore: ");
  wording_command(&text, row);
  json_key(j, "message");
  json_begin_object(j);
  json_key(j, "text");
  json_string(j, (struct span){text.data, text.len});
  json_end_object(j);
  j->out->failed |= text.failed;
  builder_free(&text);
}

/* The fingerprint is the key, which stays the same when lines move. */
static void put_result(struct json *j, const struct verdict *v, const struct verdict_row *row,
                       const char *file) {
  json_begin_object(j);
  json_text_member(j, "ruleId", budget_kinds[row->kind].word);
  json_unsigned_member(j, "ruleIndex", row->kind);
  json_text_member(j, "level", budget_is_time(row->kind) ? "warning" : "error");
  put_message(j, v, row);
  put_location(j, row->worst, file);
  json_key(j, "partialFingerprints");
  json_begin_object(j);
  json_text_member(j, "orcaBudget/v1",
                   row->key[0] == '\0' ? budget_kinds[row->kind].word : row->key);
  json_end_object(j);
  json_end_object(j);
}

void format_sarif(struct builder *b, const struct verdict *v, const char *file) {
  struct json j = {.out = b};
  json_begin_object(&j);
  json_text_member(&j, "$schema", SCHEMA);
  json_text_member(&j, "version", "2.1.0");
  json_key(&j, "runs");
  json_begin_array(&j);
  json_begin_object(&j);
  put_driver(&j);
  json_key(&j, "results");
  json_begin_array(&j);
  for (size_t i = 0; i < v->num; i++) {
    if (v->rows[i].state == VERDICT_BROKEN) put_result(&j, v, &v->rows[i], file);
  }
  json_end_array(&j);
  json_end_object(&j);
  json_end_array(&j);
  json_end_object(&j);
  builder_char(b, '\n');
}
