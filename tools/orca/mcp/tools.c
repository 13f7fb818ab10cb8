#include "tools/orca/mcp/tools.h"

#include <inttypes.h>
#include <string.h>

/* Sets of arguments. */
enum {
  RECORDING = 1 << 0,
  BEFORE = 1 << 1,
  FILTERS = 1 << 2,
  LOCKS = 1 << 3,
  HOT = 1 << 4,
  PATH = 1 << 5,
  WHATIF = 1 << 6,
  DEADLOCKS = 1 << 7,
  MOMENT = 1 << 8,
  TABLES = 1 << 9, /* of a command without filters */
  METHODS = 1 << 10
};

enum type { TEXT, NUMBER, FLAG };

static const char *const type_names[] = {
    [TEXT] = "string", [NUMBER] = "integer", [FLAG] = "boolean"};

static const struct tool {
  const char *name;
  unsigned sets;
  const char *help, *next;
} tools[] = {
#define TOOL(name, sets, help, next) {#name, sets, help, next},
#define ARGUMENT(name, set, type, option, help)
#include "tools/orca/mcp/tool.def"
#undef TOOL
#undef ARGUMENT
};

static const struct argument {
  const char *name;
  unsigned sets;
  enum type type;
  const char *option, *help;
} arguments[] = {
#define TOOL(name, sets, help, next)
#define ARGUMENT(name, sets, type, option, help) {#name, sets, type, option, help},
#include "tools/orca/mcp/tool.def"
#undef TOOL
#undef ARGUMENT
};

enum {
  NUM_TOOLS = sizeof tools / sizeof *tools,
  NUM_ARGUMENTS = sizeof arguments / sizeof *arguments
};

static const char brief[] = "--brief";
static const char max_bytes_key[] = "max_bytes";

static bool takes(const struct tool *tool, const struct argument *a) {
  return (tool->sets & a->sets) != 0;
}

static bool is_prefix(const struct argument *a) { return a->option[0] == '\0'; }

/* --- the list --------------------------------------------------------------------------- */

static void put_property(struct json *j, const char *name, const char *type, const char *help) {
  json_key(j, name);
  json_begin_object(j);
  json_text_member(j, "type", type);
  json_text_member(j, "description", help);
  json_end_object(j);
}

static void put_schema(struct json *j, const struct tool *tool) {
  json_begin_object(j);
  json_text_member(j, "type", "object");
  json_key(j, "properties");
  json_begin_object(j);
  for (const struct argument *a = arguments; a < arguments + NUM_ARGUMENTS; a++) {
    if (takes(tool, a)) put_property(j, a->name, type_names[a->type], a->help);
  }
  put_property(j, max_bytes_key, type_names[NUMBER],
               "length of the answer, at least 700; 2000 if it is not given");
  json_end_object(j);
  json_key(j, "required");
  json_begin_array(j);
  for (const struct argument *a = arguments; a < arguments + NUM_ARGUMENTS; a++) {
    if (takes(tool, a) && is_prefix(a)) json_text(j, a->name);
  }
  json_end_array(j);
  json_key(j, "additionalProperties");
  json_boolean(j, false);
  json_end_object(j);
}

void tools_put_list(struct json *j) {
  json_begin_array(j);
  for (const struct tool *tool = tools; tool < tools + NUM_TOOLS; tool++) {
    json_begin_object(j);
    json_text_member(j, "name", tool->name);
    json_text_member(j, "description", tool->help);
    json_key(j, "inputSchema");
    put_schema(j, tool);
    json_end_object(j);
  }
  json_end_array(j);
}

const struct tool *tools_find(const char *name) {
  for (const struct tool *tool = tools; tool < tools + NUM_TOOLS; tool++) {
    if (strcmp(tool->name, name) == 0) return tool;
  }
  return NULL;
}

const char *tools_next(const struct tool *tool) { return tool->next; }

bool tools_has_filters(const struct tool *tool) { return (tool->sets & FILTERS) != 0; }

/* --- a call ----------------------------------------------------------------------------- */

static bool refuse(struct builder *why, const char *name, const char *problem) {
  builder_format(why, "the argument %s %s", name, problem);
  return false;
}

/* A prefix must not look like an option. The value of an option follows its =, so it cannot. */
static bool append_text(struct builder *text, const struct argument *a, struct json_object *value,
                        struct builder *why) {
  if (!json_object_is_type(value, json_type_string) || json_object_get_string_len(value) == 0) {
    return refuse(why, a->name, "takes a text");
  }
  const char *given = json_object_get_string(value);
  if (strlen(given) != (size_t)json_object_get_string_len(value)) {
    return refuse(why, a->name, "contains a NUL");
  }
  if (is_prefix(a) && given[0] == '-') builder_string(text, "./");
  builder_string(text, given);
  return true;
}

/* 3.0 is a whole number, too: some clients write all numbers so. */
static bool read_whole(struct json_object *value, int64_t *out) {
  *out = json_object_get_int64(value);
  return json_object_is_type(value, json_type_int) ||
         (json_object_is_type(value, json_type_double) &&
          json_object_get_double(value) == (double)*out);
}

static bool append_number(struct builder *text, const struct argument *a, struct json_object *value,
                          struct builder *why) {
  int64_t number;
  if (!read_whole(value, &number) || number < 1) {
    return refuse(why, a->name, "takes a number from 1");
  }
  builder_format(text, "%" PRId64, number);
  return true;
}

/* Appends the word, with its NUL, if the client gave the argument. */
static bool append_word(struct builder *text, const struct argument *a, struct json_object *value,
                        struct builder *why) {
  if (value == NULL) return !is_prefix(a) || refuse(why, a->name, "is missing");
  if (a->type == FLAG) {
    if (!json_object_is_type(value, json_type_boolean)) {
      return refuse(why, a->name, "takes true or false");
    }
    if (json_object_get_boolean(value)) builder_bytes(text, a->option, strlen(a->option) + 1);
    return true;
  }
  builder_string(text, a->option);
  if (!is_prefix(a)) builder_char(text, '=');
  bool is_good =
      a->type == NUMBER ? append_number(text, a, value, why) : append_text(text, a, value, why);
  builder_char(text, '\0');
  return is_good;
}

static const struct argument *find_argument(const struct tool *tool, const char *name) {
  for (const struct argument *a = arguments; a < arguments + NUM_ARGUMENTS; a++) {
    if (takes(tool, a) && strcmp(a->name, name) == 0) return a;
  }
  return NULL;
}

/* Appends the names of all arguments of a tool. */
static void put_names(struct builder *b, const struct tool *tool) {
  for (const struct argument *a = arguments; a < arguments + NUM_ARGUMENTS; a++) {
    if (takes(tool, a)) builder_format(b, "%s, ", a->name);
  }
  builder_string(b, max_bytes_key);
}

static bool check_names(const struct tool *tool, struct json_object *given, struct builder *why) {
  struct json_object_iterator at = json_object_iter_begin(given), end = json_object_iter_end(given);
  for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
    const char *name = json_object_iter_peek_name(&at);
    if (strcmp(name, max_bytes_key) == 0 || find_argument(tool, name) != NULL) continue;
    builder_format(why, "%s has no argument \"%.100s\"; it has ", tool->name, name);
    put_names(why, tool);
    return false;
  }
  return true;
}

static bool read_max_bytes(struct json_object *value, size_t *out, struct builder *why) {
  *out = TOOL_DEFAULT_BYTES;
  if (value == NULL) return true;
  int64_t bytes;
  if (!read_whole(value, &bytes) || bytes < TOOL_MIN_BYTES || bytes > TOOL_MAX_BYTES) {
    return refuse(why, max_bytes_key, "takes a number from 700 to 1000000");
  }
  *out = (size_t)bytes;
  return true;
}

/* There are fewer words than TOOL_WORDS, as no tool has so many arguments. */
static void find_words(struct tool_call *call) {
  size_t num = 0;
  for (size_t at = 0; at < call->text.len; at += strlen(call->text.data + at) + 1) {
    call->words[num++] = call->text.data + at;
  }
  call->words[num] = NULL;
}

_Static_assert(NUM_ARGUMENTS + 3 < TOOL_WORDS, "a command line has room");

bool tools_read_call(struct tool_call *call, const struct tool *tool, struct json_object *given,
                     struct builder *why) {
  *call = (struct tool_call){.max_bytes = TOOL_DEFAULT_BYTES};
  if (given != NULL && !json_object_is_type(given, json_type_object)) {
    builder_string(why, "the arguments are no object");
    return false;
  }
  if (given != NULL && !check_names(tool, given, why)) return false;
  if (!read_max_bytes(json_object_object_get(given, max_bytes_key), &call->max_bytes, why)) {
    return false;
  }
  builder_bytes(&call->text, tool->name, strlen(tool->name) + 1);
  if (tool->next[0] == '\0') builder_bytes(&call->text, brief, sizeof brief);
  for (const struct argument *a = arguments; a < arguments + NUM_ARGUMENTS; a++) {
    if (!takes(tool, a)) continue;
    if (!append_word(&call->text, a, json_object_object_get(given, a->name), why)) return false;
  }
  if (call->text.failed) {
    builder_string(why, "out of memory");
    return false;
  }
  find_words(call);
  return true;
}

void tools_free_call(struct tool_call *call) { builder_free(&call->text); }
