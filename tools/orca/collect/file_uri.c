#include "tools/orca/collect/file_uri.h"

/* Returns the value of a hexadecimal digit, or -1. */
static int read_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Returns the next byte of a path and advances `*at`; -1 if it is wrong. */
static int read_byte(const char **at) {
  int c = (unsigned char)*(*at)++;
  if (c == '%') {
    int high = read_digit((*at)[0]), low = high < 0 ? -1 : read_digit((*at)[1]);
    if (low < 0) return -1;
    *at += 2;
    c = high * 16 + low;
  }
  return c < 0x20 || c == 0x7F ? -1 : c;
}

bool file_uri_path(struct builder *out, const char *uri) {
  static const char *const starts[] = {"file:///", "file://localhost/", "file:/"};
  const char *path = NULL;
  size_t start = out->len;
  for (size_t i = 0; i < sizeof starts / sizeof *starts && path == NULL; i++) {
    size_t len = strlen(starts[i]);
    if (strncmp(uri, starts[i], len) == 0) path = uri + len - 1;
  }
  if (path == NULL || path[1] == '/') return false; /* "file://machine/path" */
  while (*path != '\0') {
    int c = read_byte(&path);
    if (c < 0) {
      out->len = start;
      return false;
    }
    builder_char(out, (char)c);
  }
  builder_char(out, '\0');
  return !out->failed;
}
