#include "agent/options/patterns.h"

#include <string.h>

/* Letters that a name may have, `*`, and nothing that the files or the options give a meaning. */
static bool is_spelled(struct span text) {
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c <= ' ' || c == 127 || strchr("!@/,;=\\()", c) != NULL) return false;
  }
  return text.len > 0;
}

static struct span behind(struct span s, size_t n) { return (struct span){s.data + n, s.len - n}; }

static bool take_mark(struct span *text, char mark) {
  if (text->len == 0 || text->data[0] != mark) return false;
  *text = behind(*text, 1);
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
    if (!is_spelled(word)) return false;
  }
  return true;
}

/* `*` is tried at its shortest first. `open`: what the name goes on with is not known yet. */
static bool matches(struct span pattern, struct span name, bool open) {
  struct span retry_pattern = {NULL, 0}, retry_name = {NULL, 0};
  for (;;) {
    if (name.len == 0 && open) return true;
    if (pattern.len > 0 && pattern.data[0] == '*') {
      retry_pattern = pattern = behind(pattern, 1);
      retry_name = name;
    } else if (pattern.len > 0 && name.len > 0 && pattern.data[0] == name.data[0]) {
      pattern = behind(pattern, 1);
      name = behind(name, 1);
    } else if (pattern.len == 0 && name.len == 0) {
      return true;
    } else if (retry_pattern.data != NULL && retry_name.len > 0) {
      pattern = retry_pattern;
      name = retry_name = behind(retry_name, 1);
    } else {
      return false;
    }
  }
}

bool patterns_choose(const struct patterns *p, struct span name,
                     bool (*annotated)(void *arg, struct span annotation), void *arg) {
  bool chosen = false;
  for (size_t i = 0; i < p->num; i++) {
    const struct pattern *one = &p->at[i];
    bool match = one->is_annotation ? annotated != NULL && annotated(arg, one->text)
                                    : matches(one->text, name, false);
    if (match && one->excludes) return false;
    chosen |= match;
  }
  return chosen;
}

bool patterns_may_choose(const struct patterns *p, struct span prefix) {
  for (size_t i = 0; i < p->num; i++) {
    const struct pattern *one = &p->at[i];
    if (!one->excludes && (one->is_annotation || matches(one->text, prefix, true))) return true;
  }
  return false;
}

bool patterns_mean(const struct patterns *p, struct span prefix) {
  for (size_t i = 0; i < p->num; i++) {
    const struct pattern *one = &p->at[i];
    bool literal =
        one->text.len >= prefix.len && memcmp(one->text.data, prefix.data, prefix.len) == 0;
    if (!one->excludes && !one->is_annotation && literal) return true;
  }
  return false;
}
