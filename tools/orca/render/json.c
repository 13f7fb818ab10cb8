#include "tools/orca/render/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "agent/base/text.h"

static void begin_value(struct json *j) {
  if (j->more) builder_char(j->out, ',');
  j->more = true;
}

static void begin_nested(struct json *j, char bracket) {
  begin_value(j);
  builder_char(j->out, bracket);
  j->more = false;
}

static void end_nested(struct json *j, char bracket) {
  builder_char(j->out, bracket);
  j->more = true;
}

void json_begin_object(struct json *j) { begin_nested(j, '{'); }
void json_end_object(struct json *j) { end_nested(j, '}'); }
void json_begin_array(struct json *j) { begin_nested(j, '['); }
void json_end_array(struct json *j) { end_nested(j, ']'); }

/* --- strings ----------------------------------------------------------------------- */

/* The number of bytes before the first byte of `special`. */
static size_t count_plain_bytes(struct span s, const char *special) {
  size_t len = 0;
  while (len < s.len && (s.data[len] == '\0' || strchr(special, s.data[len]) == NULL)) len++;
  return len;
}

static void put_special(struct builder *b, char c) {
  if (c == '<') {
    builder_string(b, "\\u003C");
    return;
  }
  if (c == '"' || c == '\\') builder_char(b, '\\');
  builder_char(b, c);
}

/* `put` writes the bytes between special characters. */
static void put_string(struct json *j, struct span s, const char *special,
                       void (*put)(struct builder *, const char *, size_t)) {
  begin_value(j);
  builder_char(j->out, '"');
  while (s.len > 0) {
    size_t plain = count_plain_bytes(s, special);
    put(j->out, s.data, plain);
    if (plain < s.len) put_special(j->out, s.data[plain++]);
    s.data += plain;
    s.len -= plain;
  }
  builder_char(j->out, '"');
}

static void put_bytes(struct builder *b, const char *data, size_t len) {
  builder_bytes(b, data, len);
}

/* text_name escapes everything that JSON requires except the quote. It would also escape commas, so
   put_special writes them. */
void json_string(struct json *j, struct span utf8) { put_string(j, utf8, "\"<\\,", text_name); }

void json_text(struct json *j, const char *utf8) {
  json_string(j, (struct span){utf8, strlen(utf8)});
}

void json_name(struct json *j, struct span name) { put_string(j, name, "\"<", put_bytes); }

void json_key(struct json *j, const char *key) {
  json_text(j, key);
  builder_char(j->out, ':');
  j->more = false;
}

/* --- other values -------------------------------------------------------------------- */

void json_raw(struct json *j, struct span value) {
  begin_value(j);
  builder_bytes(j->out, value.data, value.len);
}

void json_unsigned(struct json *j, uint64_t n) {
  char digits[24];
  begin_value(j);
  builder_bytes(j->out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n));
}

void json_integer(struct json *j, int64_t n) {
  begin_value(j);
  text_decimal(j->out, n);
}

void json_boolean(struct json *j, bool value) {
  begin_value(j);
  builder_string(j->out, value ? "true" : "false");
}

void json_null(struct json *j) {
  begin_value(j);
  builder_string(j->out, "null");
}

void json_decimal(struct json *j, int64_t n, unsigned decimals) {
  char digits[64];
  uint64_t size = n < 0 ? -(uint64_t)n : (uint64_t)n, unit = 1;
  for (unsigned i = 0; i < decimals; i++) unit *= 10;
  begin_value(j);
  int len = snprintf(digits, sizeof digits, "%s%" PRIu64, n < 0 ? "-" : "", size / unit);
  builder_bytes(j->out, digits, (size_t)len);
  if (decimals == 0) return;
  len = snprintf(digits, sizeof digits, ".%0*" PRIu64, (int)decimals, size % unit);
  builder_bytes(j->out, digits, (size_t)len);
}

void json_text_member(struct json *j, const char *key, const char *utf8) {
  json_key(j, key);
  json_text(j, utf8);
}

void json_unsigned_member(struct json *j, const char *key, uint64_t n) {
  json_key(j, key);
  json_unsigned(j, n);
}
