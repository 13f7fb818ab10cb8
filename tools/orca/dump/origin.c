#include "tools/orca/dump/origin.h"

#include <string.h>

#define LAMBDA "$$Lambda"
#define LEAST_LETTERS 4 /* of a simple name with a number; shorter ones come from obfuscators */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* No part of a Java name starts with a digit, so a part that does is an address. */
struct span origin_cut_address(struct span name) {
  for (size_t i = name.len; i > 1; i--) {
    char c = name.data[i - 2];
    if (c != '.' && c != '/' && c != '+') continue;
    if (is_digit(name.data[i - 1])) name.len = i - 2;
    break;
  }
  return name;
}

static bool has_letters(struct span name) {
  size_t num = 0;
  for (size_t i = 0; i < name.len; i++) num += !is_digit(name.data[i]) && name.data[i] != '$';
  return num >= LEAST_LETTERS;
}

/* "$Proxy#" for "$Proxy12" */
static void put_without_numbers(struct builder *b, struct span name) {
  for (size_t i = 0; i < name.len; i++) {
    bool is_number = is_digit(name.data[i]) && i > 0 && name.data[i - 1] != '$';
    builder_char(b, is_number ? '#' : name.data[i]);
    while (i + 1 < name.len && is_digit(name.data[i]) && is_digit(name.data[i + 1])) {
      i++;
      if (!is_number) builder_char(b, name.data[i]);
    }
  }
}

void origin_put(struct builder *b, struct span signature, bool has_source) {
  struct span name = signature;
  if (name.len > 0 && name.data[name.len - 1] == ';') name.len--;
  name = origin_cut_address(name);
  const char *lambda = name.len == 0 ? NULL : memmem(name.data, name.len, LAMBDA, strlen(LAMBDA));
  if (lambda != NULL) name.len = (size_t)(lambda - name.data) + strlen(LAMBDA);
  const char *slash = name.len == 0 ? NULL : memrchr(name.data, '/', name.len);
  size_t package = slash == NULL ? 0 : (size_t)(slash + 1 - name.data);
  struct span simple = {name.data + package, name.len - package};
  if (has_source || lambda != NULL || !has_letters(simple)) {
    builder_bytes(b, name.data, name.len);
  } else {
    builder_bytes(b, name.data, package);
    put_without_numbers(b, simple);
  }
}
