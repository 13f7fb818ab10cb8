#include "tools/orca/cmd/args.h"

#include <stdint.h>
#include <string.h>

#include "agent/base/text.h"

const char *args_value(const char *option, char **argv, int *at) {
  size_t len = strlen(option);
  if (strncmp(argv[*at], option, len) != 0) return NULL;
  if (argv[*at][len] == '=') return argv[*at] + len + 1;
  return argv[*at][len] == '\0' && argv[*at + 1] != NULL ? argv[++*at] : NULL;
}

bool args_count(const char *text, size_t *out) {
  int64_t n;
  if (!text_parse_decimal((struct span){text, strlen(text)}, &n) || n < 1) return false;
  *out = (size_t)n;
  return true;
}

bool args_is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}
