#include "tools/orca/mcp/server.h"

#include <poll.h>

#include "agent/base/version.h"
#include "tools/orca/mcp/tools.h"
#include "tools/orca/render/page.h"

/* Error codes of JSON-RPC 2.0. */
enum {
  NOT_JSON = -32700,
  NO_REQUEST = -32600,
  NO_METHOD = -32601,
  WRONG_PARAMETERS = -32602,
  NO_MEMORY = -32603
};

/* The versions of the protocol that this server speaks, the newest first. For tools they are alike.
 */
static const char *const versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

static const char instructions[] =
    "Orca records locks, waits and CPU time of Java programs: `orca run -o /tmp/shop -- java -jar "
    "shop.jar` or `orca attach PID /tmp/shop`. The tools read such a recording, /tmp/shop. Begin "
    "with report. Times and places in answers are measured; what a recording lacks is said.";

/* Returns the text of a member, or NULL. */
static const char *get_text(struct json_object *o, const char *key) {
  struct json_object *value = json_object_object_get(o, key);
  return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

/* --- answers ---------------------------------------------------------------------------- */

/* The protocol allows a text or an integer. */
static void put_id(struct json *j, struct json_object *id) {
  json_key(j, "id");
  if (json_object_is_type(id, json_type_string)) {
    json_string(j,
                (struct span){json_object_get_string(id), (size_t)json_object_get_string_len(id)});
  } else if (json_object_is_type(id, json_type_int)) {
    json_integer(j, json_object_get_int64(id));
  } else {
    json_null(j);
  }
}

/* Begins an answer. The caller puts the member `result` or `error`. */
static void begin_answer(struct json *j, struct json_object *id) {
  json_begin_object(j);
  json_text_member(j, "jsonrpc", "2.0");
  put_id(j, id);
}

static void end_answer(struct json *j) {
  json_end_object(j);
  builder_char(j->out, '\n');
}

static void answer_error(struct builder *out, struct json_object *id, int code,
                         const char *message) {
  struct json j = {.out = out};
  begin_answer(&j, id);
  json_key(&j, "error");
  json_begin_object(&j);
  json_key(&j, "code");
  json_integer(&j, code);
  json_text_member(&j, "message", message);
  json_end_object(&j);
  end_answer(&j);
}

static void answer_empty(struct builder *out, struct json_object *id) {
  struct json j = {.out = out};
  begin_answer(&j, id);
  json_key(&j, "result");
  json_begin_object(&j);
  json_end_object(&j);
  end_answer(&j);
}

/* --- initialize and tools/list ---------------------------------------------------------- */

/* The client's version if this server speaks it, otherwise the newest. */
static const char *choose_version(struct json_object *params) {
  const char *asked = get_text(params, "protocolVersion");
  for (size_t i = 0; asked != NULL && i < sizeof versions / sizeof *versions; i++) {
    if (strcmp(asked, versions[i]) == 0) return versions[i];
  }
  return versions[0];
}

static void answer_initialize(struct builder *out, struct json_object *id,
                              struct json_object *params) {
  struct json j = {.out = out};
  begin_answer(&j, id);
  json_key(&j, "result");
  json_begin_object(&j);
  json_text_member(&j, "protocolVersion", choose_version(params));
  json_key(&j, "capabilities");
  json_begin_object(&j);
  json_key(&j, "tools");
  json_begin_object(&j);
  json_end_object(&j);
  json_end_object(&j);
  json_key(&j, "serverInfo");
  json_begin_object(&j);
  json_text_member(&j, "name", "orca");
  json_text_member(&j, "version", ORCA_VERSION);
  json_end_object(&j);
  json_text_member(&j, "instructions", instructions);
  json_end_object(&j);
  end_answer(&j);
}

static void answer_list(struct builder *out, struct json_object *id) {
  struct json j = {.out = out};
  begin_answer(&j, id);
  json_key(&j, "result");
  json_begin_object(&j);
  json_key(&j, "tools");
  tools_put_list(&j);
  json_end_object(&j);
  end_answer(&j);
}

/* --- tools/call ------------------------------------------------------------------------- */

/* Returns where the last line of the first `len` bytes begins. */
static size_t find_last_line(const struct builder *b, size_t len) {
  if (len > 0) len--; /* its line feed */
  while (len > 0 && b->data[len - 1] != '\n') len--;
  return len;
}

/* Returns the end of the last sentence in the bytes from `from` to `limit`, or `from`. */
static size_t find_sentence_end(const struct builder *b, size_t from, size_t limit) {
  for (size_t at = limit; at > from + 1; at--) {
    if (b->data[at] == ' ' && b->data[at - 1] == '.') return at;
  }
  return from;
}

/* Cuts a single long line between two words, or between two characters of UTF-8. */
static size_t cut_line(const struct builder *b, size_t limit) {
  size_t len = limit;
  while (len > 0 && b->data[len] != ' ') len--;
  if (len > 0) return len;
  for (len = limit; len > 0 && ((unsigned char)b->data[len] & 0xC0) == 0x80;) len--;
  return len;
}

/* Cells of a table, and a name and its value, have two blanks between them. */
static bool has_cells(struct span line) { return memmem(line.data, line.len, "  ", 2) != NULL; }

/* Returns whether the line from `at` to `end` is a heading: an empty line comes before it, or it is
   the first one, and no sentence. */
static bool is_heading(const struct builder *b, size_t at, size_t end) {
  struct span line = {b->data + at, end - at};
  if (at == 0) return !span_ends(line, ".\n") && !has_cells(line);
  return at >= 2 && b->data[at - 1] == '\n' && b->data[at - 2] == '\n';
}

/* Returns whether the last line says nothing without the next one: a heading, the titles of columns
   below it, and "asks for the other at". */
static bool is_unfinished(const struct builder *b, size_t len) {
  size_t at = find_last_line(b, len), above = find_last_line(b, at);
  struct span line = {b->data + at, len - at};
  bool is_below_heading = at > 0 && is_heading(b, above, at);
  bool has_titles = is_below_heading && line.data[0] != '*' && has_cells(line);
  return is_heading(b, at, len) || has_titles || span_ends(line, " at\n") || span_ends(line, ":\n");
}

/* Returns the length without empty lines at the end. */
static size_t cut_empty_lines(const struct builder *b, size_t len) {
  while (len >= 2 && b->data[len - 1] == '\n' && b->data[len - 2] == '\n') len--;
  return len;
}

/* Returns the length of the longest beginning that has at most `limit` bytes, and whole facts: a
   row of a table is a line, and in a paragraph, which begins with "* ", a sentence is one. Lines
   that need the next one are left out without it. */
static size_t cut_facts(const struct builder *b, size_t limit) {
  size_t len = limit;
  while (len > 0 && b->data[len - 1] != '\n') len--;
  bool is_paragraph = b->data[len] == '*';
  size_t end = is_paragraph ? find_sentence_end(b, len, limit) : len;
  if (end > len) return end;
  if (len == 0) return cut_line(b, limit);
  len = cut_empty_lines(b, len);
  while (len > 0 && is_unfinished(b, len)) len = cut_empty_lines(b, find_last_line(b, len));
  return len;
}

/* Moves the line that says what to ask next from the end of the text to `next`. */
static void take_next(struct builder *text, struct builder *next) {
  size_t line = find_last_line(text, text->len);
  struct span last = {text->data + line, text->len - line};
  if (!span_starts(last, PAGE_NEXT)) return;
  builder_bytes(next, last.data, last.len);
  text->len = line;
}

/* Leaves out the last things to ask until the line has at most `limit` bytes, or one thing. */
static void shorten_next(struct builder *next, size_t limit) {
  while (next->len > limit) {
    size_t at = next->len - 1;
    while (at > 0 && (next->data[at] != ';' || next->data[at + 1] != ' ')) at--;
    if (at == 0) return;
    next->len = at;
    builder_string(next, ".\n");
  }
}

/* Appends what the answer lacks. A command whose output was closed would have printed more. */
static void put_rest(struct builder *text, size_t more, bool is_closed, const struct tool *tool) {
  builder_format(
      text, "[%s%zu bytes more: ask for more with max_bytes%s]\n", is_closed ? "more than " : "",
      more, tools_has_filters(tool) ? ", or for a part with thread, lock, from, to or top" : "");
}

/* Shortens what a command printed, and appends what to ask next, so that all of it has at most
   `max_bytes`. `otherwise` is what to ask if the command does not say. */
static void fit(struct builder *text, size_t max_bytes, const struct tool *tool,
                const char *otherwise) {
  bool is_closed = text->len >= CAPTURE_MAX;
  struct builder next = {0}, rest = {0};
  take_next(text, &next);
  if (next.len == 0) builder_format(&next, PAGE_NEXT "%s.\n", otherwise);
  shorten_next(&next, max_bytes / 4); /* most of a short answer is for facts */
  if (text->len > 0 && text->len + next.len > max_bytes) {
    put_rest(&rest, text->len, true, tool); /* the real one is not longer */
    size_t used = next.len + rest.len + 1;
    size_t len = cut_facts(text, max_bytes > used ? max_bytes - used : 0);
    size_t more = text->len - len;
    text->len = len;
    if (len > 0 && text->data[len - 1] != '\n') builder_char(text, '\n');
    put_rest(text, more, is_closed, tool);
  }
  if (text->len + next.len <= max_bytes) builder_bytes(text, next.data, next.len);
  text->failed |= next.failed || rest.failed;
  builder_free(&next);
  builder_free(&rest);
}

static void answer_text(struct builder *out, struct json_object *id, const struct builder *text,
                        bool is_error) {
  struct json j = {.out = out};
  begin_answer(&j, id);
  json_key(&j, "result");
  json_begin_object(&j);
  json_key(&j, "content");
  json_begin_array(&j);
  json_begin_object(&j);
  json_text_member(&j, "type", "text");
  json_key(&j, "text");
  json_string(&j, (struct span){text->data, text->len});
  json_end_object(&j);
  json_end_array(&j);
  json_key(&j, "isError");
  json_boolean(&j, is_error);
  json_end_object(&j);
  end_answer(&j);
}

/* The request whose command runs. */
struct running {
  const struct server *server;
  struct json_object *id;
};

/* Whether the client has closed the pipe from which it reads the answers. */
static bool is_reader_gone(int out) {
  struct pollfd state = {.fd = out, .events = 0};
  return poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP)) != 0;
}

static bool should_stop(void *arg) {
  const struct running *r = arg;
  return inbox_has_cancelled(r->server->inbox, r->id) || is_reader_gone(r->server->out);
}

/* Whether the tool did not find the recording. Its exit status is that of wrong words, so the text
   tells it. */
static bool lacks_recording(const struct builder *text) {
  static const char *const reasons[] = {"no recording", "not the prefix of a recording",
                                        "recording is missing"};
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
    if (text->len > 0 && memmem(text->data, text->len, reasons[i], strlen(reasons[i])) != NULL) {
      return true;
    }
  }
  return false;
}

/* What to do if the command does not say. If it found no recording, another tool will not either.
 */
static const char *find_next(const struct tool *tool, bool is_good, const struct builder *text) {
  if (is_good) return tools_next(tool)[0] == '\0' ? "report" : tools_next(tool);
  if (lacks_recording(text)) {
    return "call it again with other arguments; recording is the PREFIX that orca run -o or orca "
           "attach got, and orca mcp was started in this folder if it is no whole path";
  }
  return "call it again with other arguments, or ask another tool what the recording has";
}

/* A wrong argument is an error of the tool, not of the protocol, so that a model sees and mends it.
 */
static void answer_call(const struct server *s, struct builder *out, struct json_object *id,
                        struct json_object *params) {
  const char *name = get_text(params, "name");
  const struct tool *tool = name == NULL ? NULL : tools_find(name);
  if (tool == NULL) {
    answer_error(out, id, WRONG_PARAMETERS, "there is no such tool; tools/list has them");
    return;
  }
  struct tool_call call;
  struct builder text = {0};
  struct running running = {s, id};
  struct capture_stop stop = {should_stop, &running};
  bool can_stop = s->inbox != NULL;
  int status = 0;
  bool is_good = tools_read_call(&call, tool, json_object_object_get(params, "arguments"), &text);
  if (is_good) {
    bool is_cancelled = can_stop && should_stop(&running);
    status =
        is_cancelled ? CAPTURE_STOPPED : s->run(s->arg, call.words, can_stop ? &stop : NULL, &text);
    is_good = status == 0;
  }
  if (text.len > 0 && text.data[text.len - 1] != '\n') builder_char(&text, '\n');
  if (!text.failed) fit(&text, call.max_bytes, tool, find_next(tool, is_good, &text));
  if (text.failed) {
    answer_error(out, id, NO_MEMORY, "out of memory");
  } else if (status != CAPTURE_STOPPED) { /* a cancelled request gets no answer */
    answer_text(out, id, &text, !is_good);
  }
  tools_free_call(&call);
  builder_free(&text);
}

/* --- messages --------------------------------------------------------------------------- */

static void answer_request(const struct server *s, struct json_object *request,
                           struct json_object *id, const char *method, struct builder *out) {
  struct json_object *params = json_object_object_get(request, "params");
  if (strcmp(method, "initialize") == 0) {
    answer_initialize(out, id, params);
  } else if (strcmp(method, "ping") == 0) {
    answer_empty(out, id);
  } else if (strcmp(method, "tools/list") == 0) {
    answer_list(out, id);
  } else if (strcmp(method, "tools/call") == 0) {
    answer_call(s, out, id, params);
  } else {
    answer_error(out, id, NO_METHOD, "this server has initialize, ping, tools/list, tools/call");
  }
}

/* Returns the JSON of the message. `*out_good`: it could be read; the word null is NULL. Otherwise
   `*out_problem`. */
static struct json_object *read_message(struct span message, bool *out_good,
                                        const char **out_problem) {
  *out_good = false;
  *out_problem = "out of memory";
  struct json_tokener *tokener = json_tokener_new();
  if (tokener == NULL) return NULL;
  json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  struct json_object *read = json_tokener_parse_ex(tokener, message.data, (int)message.len);
  if (json_tokener_get_error(tokener) == json_tokener_continue) { /* a number ends at a blank */
    read = json_tokener_parse_ex(tokener, "\n", 1);
  }
  enum json_tokener_error error = json_tokener_get_error(tokener);
  json_tokener_free(tokener);
  *out_good = error == json_tokener_success;
  *out_problem = error == json_tokener_continue ? "the message ends too early"
                                                : json_tokener_error_desc(error);
  return read;
}

/* json-c keeps a larger number as the largest. */
static bool is_id(struct json_object *id) {
  int64_t number = json_object_get_int64(id);
  return json_object_is_type(id, json_type_string) ||
         (json_object_is_type(id, json_type_int) && number > INT64_MIN && number < INT64_MAX);
}

static void answer_message(const struct server *s, struct json_object *request,
                           struct builder *out) {
  struct json_object *id = NULL;
  if (!json_object_is_type(request, json_type_object)) {
    answer_error(out, NULL, NO_REQUEST, "a message is an object");
    return;
  }
  bool has_id = json_object_object_get_ex(request, "id", &id);
  bool is_answer = json_object_object_get_ex(request, "result", NULL) ||
                   json_object_object_get_ex(request, "error", NULL); /* nothing was asked */
  const char *method = get_text(request, "method");
  if (is_answer && method == NULL) return;
  if (has_id && !is_id(id)) {
    answer_error(out, NULL, NO_REQUEST, "the id is no text and no integer of 64 bits");
  } else if (method == NULL) {
    answer_error(out, id, NO_REQUEST, "the message has no method");
  } else if (has_id) { /* otherwise it is a notification */
    answer_request(s, request, id, method, out);
  }
}

/* Answers several messages by an array, or by nothing if none has an answer. The version 2025-03-26
   of the protocol has them. */
static void answer_batch(const struct server *s, struct json_object *batch, struct builder *out) {
  struct builder answer = {0};
  size_t begin = out->len;
  for (size_t i = 0; i < json_object_array_length(batch); i++) {
    answer.len = 0;
    answer_message(s, json_object_array_get_idx(batch, i), &answer);
    if (answer.len == 0) continue;
    builder_char(out, out->len == begin ? '[' : ',');
    builder_bytes(out, answer.data, answer.len - 1); /* without the line feed */
  }
  if (out->len > begin) builder_string(out, "]\n");
  out->failed |= answer.failed;
  builder_free(&answer);
}

void server_answer(const struct server *s, struct span message, struct builder *out) {
  bool is_good;
  const char *problem;
  struct json_object *read = read_message(message, &is_good, &problem);
  if (!is_good) {
    answer_error(out, NULL, NOT_JSON, problem);
  } else if (json_object_is_type(read, json_type_array) && json_object_array_length(read) > 0) {
    answer_batch(s, read, out);
  } else {
    answer_message(s, read, out);
  }
  json_object_put(read);
}

static bool is_blank(struct span line) {
  size_t at = 0;
  while (at < line.len && strchr(" \t\r", line.data[at]) != NULL) at++;
  return at == line.len;
}

bool server_serve(const struct server *server, int in, FILE *out) {
  struct inbox inbox = {.in = in};
  struct server s = *server;
  struct builder answer = {0};
  enum inbox_line kind = INBOX_LINE;
  struct span line;
  bool is_good = true;
  s.inbox = &inbox;
  s.out = fileno(out);
  while (is_good && (kind = inbox_next(&inbox, &line)) != INBOX_END) {
    answer.len = 0;
    if (kind == INBOX_LONG_LINE) {
      answer_error(&answer, NULL, NO_REQUEST, "the message is longer than 1 MiB");
    } else if (!is_blank(line)) {
      server_answer(&s, line, &answer);
    }
    if (answer.len > 0) fwrite(answer.data, 1, answer.len, out);
    is_good = !answer.failed && fflush(out) == 0 && !is_reader_gone(s.out);
  }
  is_good &= !inbox.bytes.failed;
  inbox_free(&inbox);
  builder_free(&answer);
  return is_good;
}
