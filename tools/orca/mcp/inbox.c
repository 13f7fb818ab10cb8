#include "tools/orca/mcp/inbox.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* --- reading ---------------------------------------------------------------------------- */

/* Drops the lines that were returned. */
static void compact(struct inbox *inbox) {
  struct builder *b = &inbox->bytes;
  if (inbox->at == 0) return;
  memmove(b->data, b->data + inbox->at, b->len - inbox->at);
  b->len -= inbox->at;
  inbox->at = 0;
}

/* Reads once. */
static void read_more(struct inbox *inbox) {
  char block[65536];
  ssize_t len = read(inbox->in, block, sizeof block);
  if (len > 0) builder_bytes(&inbox->bytes, block, (size_t)len);
  inbox->has_ended |= len == 0 || (len < 0 && errno != EINTR) || inbox->bytes.failed;
}

/* Finds the end of the line that begins at `from`. */
static const char *find_end(const struct inbox *inbox, size_t from) {
  size_t len = inbox->bytes.len - from;
  return len == 0 ? NULL : memchr(inbox->bytes.data + from, '\n', len);
}

static enum inbox_line take_line(struct inbox *inbox, size_t len, size_t end_len,
                                 struct span *out) {
  *out = (struct span){inbox->bytes.data + inbox->at, len};
  inbox->at += len + end_len;
  return len > INBOX_MAX_LINE ? INBOX_LONG_LINE : INBOX_LINE;
}

/* Skips the rest of a line that is too long. */
static enum inbox_line skip_line(struct inbox *inbox) {
  const char *end = NULL;
  while (end == NULL && !inbox->has_ended) {
    inbox->bytes.len = inbox->at = 0;
    read_more(inbox);
    end = find_end(inbox, 0);
  }
  inbox->at = end == NULL ? inbox->bytes.len : (size_t)(end + 1 - inbox->bytes.data);
  return INBOX_LONG_LINE;
}

enum inbox_line inbox_next(struct inbox *inbox, struct span *out) {
  *out = (struct span){"", 0};
  for (;;) {
    const char *end = find_end(inbox, inbox->at);
    size_t waiting = inbox->bytes.len - inbox->at;
    if (end != NULL) {
      return take_line(inbox, (size_t)(end - inbox->bytes.data) - inbox->at, 1, out);
    }
    if (inbox->bytes.failed || (inbox->has_ended && waiting == 0)) return INBOX_END;
    if (inbox->has_ended) return take_line(inbox, waiting, 0, out);
    if (waiting > INBOX_MAX_LINE) return skip_line(inbox);
    compact(inbox);
    read_more(inbox);
  }
}

/* --- cancellation ----------------------------------------------------------------------- */

static void read_arrived(struct inbox *inbox) {
  struct pollfd ready = {.fd = inbox->in, .events = POLLIN};
  while (!inbox->has_ended && inbox->bytes.len - inbox->at < INBOX_MAX_WAITING &&
         poll(&ready, 1, 0) > 0) {
    read_more(inbox);
  }
}

static bool is_same_id(struct json_object *a, struct json_object *b) {
  return a != NULL && b != NULL && json_object_get_type(a) == json_object_get_type(b) &&
         json_object_equal(a, b) != 0;
}

static bool cancels(struct span line, struct json_object *id) {
  static const char method[] = "notifications/cancelled";
  if (line.len > INBOX_MAX_LINE || memmem(line.data, line.len, method, strlen(method)) == NULL) {
    return false; /* most messages are not parsed here */
  }
  struct json_tokener *tokener = json_tokener_new();
  if (tokener == NULL) return false;
  struct json_object *message = json_tokener_parse_ex(tokener, line.data, (int)line.len);
  json_tokener_free(tokener);
  struct json_object *name = json_object_object_get(message, "method");
  struct json_object *params = json_object_object_get(message, "params");
  bool is_it = json_object_is_type(name, json_type_string) &&
               strcmp(json_object_get_string(name), method) == 0 &&
               json_object_is_type(params, json_type_object) &&
               is_same_id(json_object_object_get(params, "requestId"), id);
  json_object_put(message);
  return is_it;
}

bool inbox_has_cancelled(struct inbox *inbox, struct json_object *id) {
  read_arrived(inbox);
  const char *end;
  for (size_t from = inbox->at; (end = find_end(inbox, from)) != NULL;) {
    struct span line = {inbox->bytes.data + from, (size_t)(end - inbox->bytes.data) - from};
    if (cancels(line, id)) return true;
    from += line.len + 1;
  }
  return false;
}

void inbox_free(struct inbox *inbox) { builder_free(&inbox->bytes); }
