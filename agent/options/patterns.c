#include "agent/options/patterns.h"

#include <string.h>

/* Spaces, control characters and the characters with a meaning in files or options are invalid. */
static bool is_valid_text(struct span text) {
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c <= ' ' || c == 127 || strchr("!@/,;=\\()", c) != NULL) return false;
  }
  return text.len > 0;
}

static struct span skip_bytes(struct span s, size_t n) {
  return (struct span){s.data + n, s.len - n};
}

static bool take_mark(struct span *text, char mark) {
  if (text->len == 0 || text->data[0] != mark) return false;
  *text = skip_bytes(*text, 1);
  return true;
}

bool patterns_parse(const char *text, struct patterns *out) {
  struct span rest = {text, strlen(text)}, word;
  out->num = 0;
  while (span_cut(&rest, '+', &word)) {
    if (out->num == MAX_PATTERNS) return false;
    struct pattern *p = &out->at[out->num++];
    p->excludes = take_mark(&word, '!');
    p->is_annotation = take_mark(&word, '@');
    p->text = word;
    if (!is_valid_text(word)) return false;
  }
  return true;
}

/* Each `*` matches the shortest possible text first; on a mismatch the last `*` matches one byte
   more. `is_prefix`: `name` is only the start of a name, and the rest may be anything. */
static bool matches_pattern(struct span pattern, struct span name, bool is_prefix) {
  struct span retry_pattern = {NULL, 0}, retry_name = {NULL, 0};
  for (;;) {
    if (name.len == 0 && is_prefix) return true;
    if (pattern.len > 0 && pattern.data[0] == '*') {
      retry_pattern = pattern = skip_bytes(pattern, 1);
      retry_name = name;
    } else if (pattern.len > 0 && name.len > 0 && pattern.data[0] == name.data[0]) {
      pattern = skip_bytes(pattern, 1);
      name = skip_bytes(name, 1);
    } else if (pattern.len == 0 && name.len == 0) {
      return true;
    } else if (retry_pattern.data != NULL && retry_name.len > 0) {
      pattern = retry_pattern;
      name = retry_name = skip_bytes(retry_name, 1);
    } else {
      return false;
    }
  }
}

bool patterns_match(const struct patterns *p, struct span name,
                    bool (*has_annotation)(void *arg, struct span annotation), void *arg) {
  bool is_chosen = false;
  for (size_t i = 0; i < p->num; i++) {
    const struct pattern *one = &p->at[i];
    bool match = one->is_annotation ? has_annotation != NULL && has_annotation(arg, one->text)
                                    : matches_pattern(one->text, name, false);
    if (match && one->excludes) return false;
    is_chosen |= match;
  }
  return is_chosen;
}

bool patterns_may_match(const struct patterns *p, struct span prefix) {
  for (size_t i = 0; i < p->num; i++) {
    const struct pattern *one = &p->at[i];
    if (!one->excludes && (one->is_annotation || matches_pattern(one->text, prefix, true)))
      return true;
  }
  return false;
}

bool patterns_have_literal_prefix(const struct patterns *p, struct span prefix) {
  for (size_t i = 0; i < p->num; i++) {
    const struct pattern *one = &p->at[i];
    bool has_prefix =
        one->text.len >= prefix.len && memcmp(one->text.data, prefix.data, prefix.len) == 0;
    if (!one->excludes && !one->is_annotation && has_prefix) return true;
  }
  return false;
}
