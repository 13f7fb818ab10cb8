#include "tools/orca/collect/build_events.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "tools/orca/model/base/grow.h"

#define MAX_DEPTH 64 /* of a value; events of Bazel have about 12 */
#define BLOCK_SIZE 65536

/* A file that is being read. */
struct reading {
  struct build_events *out;
  struct builder *why;
  struct json_tokener *tokener;
};

/* Returns the number of the current line. */
static uint64_t get_line_number(const struct reading *r) {
  return r->out->events + r->out->skipped;
}

/* Appends the problem with the current line. Returns false. */
static bool refuse(const struct reading *r, const char *problem) {
  builder_format(r->why, "line %" PRIu64 " %s", get_line_number(r), problem);
  return false;
}

static bool run_out(const struct reading *r) {
  builder_string(r->why, "out of memory");
  return false;
}

/* --- members of JSON ------------------------------------------------------------------------ */

/* Returns a member of this type; NULL: there is none, or it has another type. */
static struct json_object *get(struct json_object *from, const char *key, json_type type) {
  struct json_object *value = NULL;
  if (!json_object_is_type(from, json_type_object)) return NULL;
  if (!json_object_object_get_ex(from, key, &value)) return NULL;
  return json_object_is_type(value, type) ? value : NULL;
}

/* Returns a string without a NUL inside; NULL: there is none. */
static const char *get_text(struct json_object *from, const char *key) {
  struct json_object *value = get(from, key, json_type_string);
  if (value == NULL) return NULL;
  const char *text = json_object_get_string(value);
  return strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

/* --- URIs of files --------------------------------------------------------------------------- */

/* Returns the value of a hexadecimal digit, or -1. */
static int read_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Returns the next byte of a path and advances `*at`; -1 if it is wrong. */
static int read_byte(const char **at) {
  int c = (unsigned char)*(*at)++;
  if (c == '%') {
    int high = read_digit((*at)[0]), low = high < 0 ? -1 : read_digit((*at)[1]);
    if (low < 0) return -1;
    *at += 2;
    c = high * 16 + low;
  }
  return c < 0x20 || c == 0x7F ? -1 : c;
}

bool file_uri_path(struct builder *out, const char *uri) {
  static const char *const starts[] = {"file:///", "file://localhost/", "file:/"};
  const char *path = NULL;
  size_t start = out->len;
  for (size_t i = 0; i < sizeof starts / sizeof *starts && path == NULL; i++) {
    size_t len = strlen(starts[i]);
    if (strncmp(uri, starts[i], len) == 0) path = uri + len - 1;
  }
  if (path == NULL || path[1] == '/') return false; /* "file://machine/path" */
  while (*path != '\0') {
    int c = read_byte(&path);
    if (c < 0) {
      out->len = start;
      return false;
    }
    builder_char(out, (char)c);
  }
  builder_char(out, '\0');
  return !out->failed;
}

/* --- tests ---------------------------------------------------------------------------------- */

/* Returns the place of a label in the order. */
static size_t find_place(const struct build_events *e, const char *label) {
  size_t low = 0, high = e->num;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (strcmp(e->tests[middle].label, label) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* Returns the test with this label, which is added if it is new. NULL: memory ran out. */
static struct build_test *find_test(struct build_events *e, const char *label) {
  size_t at = find_place(e, label);
  if (at < e->num && strcmp(e->tests[at].label, label) == 0) return &e->tests[at];
  struct build_test *tests = grow(e->tests, e->num, &e->capacity, sizeof *tests);
  if (tests == NULL) return NULL;
  e->tests = tests;
  char *copy = strdup(label);
  if (copy == NULL) return NULL;
  memmove(tests + at + 1, tests + at, (e->num++ - at) * sizeof *tests);
  tests[at] = (struct build_test){.label = copy};
  return &tests[at];
}

static bool add_output(struct build_test *test, const char *uri) {
  struct test_output *outputs = grow(test->outputs, test->num, &test->capacity, sizeof *outputs);
  if (outputs == NULL) return false;
  test->outputs = outputs;
  struct builder path = {0};
  bool is_local = file_uri_path(&path, uri);
  char *copy = strdup(uri);
  if (copy == NULL || path.failed) {
    free(copy);
    builder_free(&path);
    return false;
  }
  outputs[test->num++] = (struct test_output){copy, is_local ? path.data : NULL};
  if (!is_local) builder_free(&path);
  return true;
}

/* Whether a file of a test contains undeclared outputs: "test.outputs__outputs.zip", or the folder
   "test.outputs". The others are test.log, test.xml and test.outputs_manifest__MANIFEST. */
static bool has_outputs(const char *name) {
  return strcmp(name, "test.outputs") == 0 || strcmp(name, "test.outputs__outputs.zip") == 0;
}

/* --- events --------------------------------------------------------------------------------- */

static bool take_file(const struct reading *r, struct build_test *test, struct json_object *file) {
  const char *name = get_text(file, "name"), *uri = get_text(file, "uri");
  if (name == NULL) return refuse(r, "has a file of a test without a name");
  if (!has_outputs(name)) return true;
  if (uri == NULL) return refuse(r, "has outputs of a test without a uri");
  return add_output(test, uri) || run_out(r);
}

/* The end of an attempt at a test. */
static bool take_result(const struct reading *r, struct json_object *event, const char *label) {
  struct json_object *result = get(event, "testResult", json_type_object), *files = NULL;
  if (result == NULL) return true; /* the attempt was given up: "aborted" */
  struct build_test *test = find_test(r->out, label);
  if (test == NULL) return run_out(r);
  test->runs++;
  if (!json_object_object_get_ex(result, "testActionOutput", &files)) return true;
  if (!json_object_is_type(files, json_type_array)) {
    return refuse(r, "has a testActionOutput that is no array");
  }
  for (size_t i = 0; i < json_object_array_length(files); i++) {
    if (!take_file(r, test, json_object_array_get_idx(files, i))) return false;
  }
  return true;
}

/* A target. Only those of tests have a testSize. */
static bool take_target(const struct reading *r, struct json_object *event, const char *label) {
  struct json_object *target = get(event, "configured", json_type_object);
  if (target == NULL || get_text(target, "testSize") == NULL) return true;
  return find_test(r->out, label) != NULL || run_out(r);
}

/* Labels are printed to terminals. */
static bool has_control(const char *text) {
  for (; *text != '\0'; text++) {
    if ((unsigned char)*text < 0x20 || *text == 0x7F) return true;
  }
  return false;
}

static bool take_event(const struct reading *r, struct json_object *event) {
  static const struct {
    const char *id;
    bool (*take)(const struct reading *r, struct json_object *event, const char *label);
  } kinds[] = {{"testResult", take_result}, {"targetConfigured", take_target}};
  struct json_object *id = get(event, "id", json_type_object), *last, *kind;
  if (id == NULL) return refuse(r, "is no build event: it has no id");
  if (json_object_object_get_ex(event, "lastMessage", &last)) {
    r->out->is_complete = json_object_get_boolean(last);
  }
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!json_object_object_get_ex(id, kinds[i].id, &kind)) continue;
    const char *label = get_text(kind, "label");
    if (label == NULL || label[0] == '\0') return refuse(r, "has a test without a label");
    if (has_control(label)) return refuse(r, "has a label with a control character");
    return kinds[i].take(r, event, label);
  }
  return true;
}

static bool take_line(const struct reading *r, struct span line) {
  r->out->events++;
  json_tokener_reset(r->tokener);
  struct json_object *event = json_tokener_parse_ex(r->tokener, line.data, (int)line.len);
  enum json_tokener_error error = json_tokener_get_error(r->tokener);
  bool good = error == json_tokener_success;
  if (error == json_tokener_continue) {
    refuse(r, "is no JSON: it ends too early; is the build still running?");
  } else if (!good) {
    builder_format(r->why,
                   "line %" PRIu64
                   " is no JSON: %s; the file has to be that of --build_event_json_file",
                   get_line_number(r), json_tokener_error_desc(error));
  }
  good = good && take_event(r, event);
  json_object_put(event);
  return good;
}

/* --- lines ---------------------------------------------------------------------------------- */

/* A line that is collected from blocks. */
struct line {
  struct builder text;
  bool is_too_long;
};

static void add_to_line(struct line *line, struct span part) {
  line->is_too_long |= line->text.len + part.len > BUILD_EVENTS_MAX_LINE;
  if (line->is_too_long) line->text.len = 0;
  if (!line->is_too_long) builder_bytes(&line->text, part.data, part.len);
}

/* Empty lines do not count. */
static bool end_line(const struct reading *r, struct line *line) {
  bool good = true;
  if (line->text.failed) return run_out(r);
  if (line->is_too_long) {
    r->out->skipped++;
  } else if (line->text.len > 0) {
    good = take_line(r, (struct span){line->text.data, line->text.len});
  }
  line->text.len = 0;
  line->is_too_long = false;
  return good;
}

static bool take_block(const struct reading *r, struct line *line, struct span rest) {
  for (const char *end; rest.len > 0 && (end = memchr(rest.data, '\n', rest.len)) != NULL;) {
    size_t len = (size_t)(end - rest.data);
    add_to_line(line, (struct span){rest.data, len});
    if (!end_line(r, line)) return false;
    rest = (struct span){end + 1, rest.len - len - 1};
  }
  add_to_line(line, rest);
  return true;
}

static bool read_lines(const struct reading *r, FILE *in) {
  char block[BLOCK_SIZE];
  struct line line = {0};
  bool good = true;
  for (size_t len; good && (len = fread(block, 1, sizeof block, in)) > 0;) {
    good = take_block(r, &line, (struct span){block, len});
  }
  if (good && ferror(in)) {
    builder_string(r->why, strerror(errno));
    good = false;
  }
  good = good && end_line(r, &line);
  builder_free(&line.text);
  return good;
}

bool build_events_read(struct build_events *out, FILE *in, struct builder *why) {
  struct reading r = {out, why, json_tokener_new_ex(MAX_DEPTH)};
  if (r.tokener == NULL) return run_out(&r);
  json_tokener_set_flags(r.tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  bool good = read_lines(&r, in);
  if (good && out->events == 0) {
    builder_string(why, "it contains no build event");
    good = false;
  }
  json_tokener_free(r.tokener);
  return good;
}

void build_events_free(struct build_events *e) {
  for (size_t i = 0; i < e->num; i++) {
    struct build_test *test = &e->tests[i];
    for (size_t k = 0; k < test->num; k++) {
      free(test->outputs[k].uri);
      free(test->outputs[k].path);
    }
    free(test->outputs);
    free(test->label);
  }
  free(e->tests);
  *e = (struct build_events){0};
}
