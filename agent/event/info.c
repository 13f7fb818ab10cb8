#include "agent/event/info.h"

#include <string.h>

#define NEED_MUST true
#define NEED_MAY false

const struct info_key_row info_keys[NUM_INFO_KEYS] = {
#define INFO_KEY(id, key, kind, part, need, meaning) \
  {key, INFO_KIND_##kind, INFO_PART_##part, NEED_##need, meaning},
#include "agent/event/info.def"
};

enum info_key info_key_find(struct span name) {
  int key = 0;
  while (key < NUM_INFO_KEYS && !span_is(name, info_keys[key].name)) key++;
  return (enum info_key)key;
}

void info_line_write(struct builder *b, enum info_key key, const char *value) {
  builder_string(b, info_keys[key].name);
  builder_char(b, '=');
  /* text_name would escape commas, which may stay in .info. */
  for (const char *comma; (comma = strchr(value, ',')) != NULL; value = comma + 1) {
    text_name(b, value, (size_t)(comma - value));
    builder_char(b, ',');
  }
  text_name(b, value, strlen(value));
  builder_char(b, '\n');
}

fault_t info_line_read(struct span text, struct span *out_key, struct span *out_value) {
  struct span rest = text, piece;
  if (!span_cut(&rest, '=', out_key) || rest.data == NULL || out_key->len == 0) {
    return "the line is not key=value";
  }
  if (!text_name_ok(*out_key)) return "the key is not correctly escaped UTF-8";
  *out_value = rest;
  while (span_cut(&rest, ',', &piece)) {
    if (!text_name_ok(piece)) return "the value is not correctly escaped UTF-8";
  }
  return NULL;
}
