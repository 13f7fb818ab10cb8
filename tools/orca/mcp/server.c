#include "tools/orca/mcp/server.h"

#include <poll.h>

#include "agent/base/version.h"
#include "tools/orca/mcp/tools.h"

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

/* Returns the length of the longest beginning of whole lines that has at most `limit` bytes. If the
   first line is longer, it is cut between two characters of UTF-8. */
static size_t cut_lines(const struct builder *b, size_t limit) {
  size_t len = limit;
  while (len > 0 && b->data[len - 1] != '\n') len--;
  if (len > 0) return len;
  for (len = limit; len > 0 && ((unsigned char)b->data[len] & 0xC0) == 0x80;) len--;
  return len;
}

/* Shortens what a command printed, and appends what to ask next, so that all of it has at most
   `max_bytes`. */
static void fit(struct builder *text, size_t max_bytes, const char *next) {
  static const char note[] =
      "[%zu bytes more: ask for a part with thread, lock, from, to or top, or for more with "
      "max_bytes]\n";
  struct builder end = {0};
  builder_format(&end, "Next: %s.\n", next);
  if (text->len + end.len > max_bytes) {
    size_t room = max_bytes - end.len;
    size_t note_len = sizeof note + 20; /* digits of a size */
    size_t len = cut_lines(text, room > note_len ? room - note_len : 0);
    size_t more = text->len - len;
    text->len = len;
    if (len > 0 && text->data[len - 1] != '\n') builder_char(text, '\n');
    builder_format(text, note, more);
  }
  if (text->len + end.len <= max_bytes) builder_bytes(text, end.data, end.len);
  builder_free(&end);
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

/* After an error, the tools that follow an answer are no help. */
static const char after_error[] =
    "call it again with other arguments, or ask report what the recording has";

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
  int status = -1;
  bool is_good = tools_read_call(&call, tool, json_object_object_get(params, "arguments"), &text);
  if (is_good) {
    bool is_cancelled = can_stop && should_stop(&running);
    status =
        is_cancelled ? CAPTURE_STOPPED : s->run(s->arg, call.words, can_stop ? &stop : NULL, &text);
    is_good = status == 0;
  }
  if (text.len > 0 && text.data[text.len - 1] != '\n') builder_char(&text, '\n');
  if (!text.failed) fit(&text, call.max_bytes, is_good ? tools_next(tool) : after_error);
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

/* Returns the object that the message is. Otherwise NULL, and `*out_code` and `*out_problem`. */
static struct json_object *read_message(struct span message, int *out_code,
                                        const char **out_problem) {
  *out_code = NO_MEMORY;
  *out_problem = "out of memory";
  struct json_tokener *tokener = json_tokener_new();
  if (tokener == NULL) return NULL;
  json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
  struct json_object *read = json_tokener_parse_ex(tokener, message.data, (int)message.len);
  enum json_tokener_error error = json_tokener_get_error(tokener);
  json_tokener_free(tokener);
  if (error == json_tokener_success && json_object_is_type(read, json_type_object)) return read;
  json_object_put(read);
  *out_code = error == json_tokener_success ? NO_REQUEST : NOT_JSON;
  *out_problem = error == json_tokener_success    ? "a message is an object; several are not taken"
                 : error == json_tokener_continue ? "the message ends too early"
                                                  : json_tokener_error_desc(error);
  return NULL;
}

void server_answer(const struct server *s, struct span message, struct builder *out) {
  int code;
  const char *problem;
  struct json_object *request = read_message(message, &code, &problem), *id;
  if (request == NULL) {
    answer_error(out, NULL, code, problem);
    return;
  }
  bool has_id = json_object_object_get_ex(request, "id", &id);
  bool is_answer = json_object_object_get_ex(request, "result", NULL) ||
                   json_object_object_get_ex(request, "error", NULL); /* nothing was asked */
  const char *method = get_text(request, "method");
  if (method == NULL && !is_answer) {
    answer_error(out, id, NO_REQUEST, "the message has no method");
  } else if (method != NULL && has_id) { /* otherwise it is a notification */
    answer_request(s, request, id, method, out);
  }
  json_object_put(request);
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
