#include "agent/options/option_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/text.h"

#define MAX_FILE (64 * 1024)

/* Reads a whole file. The size is bounded, since a path may name a device by mistake. Returns NULL,
   or why it failed. */
static const char *read_file(const char *path, struct builder *out) {
  static const char too_long[] = "it is longer than 64 KB";
  char buffer[4096];
  ssize_t n = -1;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (fd >= 0 && out->len <= MAX_FILE && (n = read(fd, buffer, sizeof buffer)) > 0) {
    builder_bytes(out, buffer, (size_t)n);
  }
  const char *why = fd < 0 || n < 0 ? strerror(errno) : out->len > MAX_FILE ? too_long : NULL;
  if (fd >= 0) close(fd);
  return why;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static struct span trim(struct span s) {
  while (s.len > 0 && is_blank(s.data[s.len - 1])) s.len--;
  while (s.len > 0 && is_blank(s.data[0])) s.data++, s.len--;
  return s;
}

/* Returns NULL, or what is wrong with a line. */
static const char *check_line(struct span line) {
  if (memchr(line.data, '\0', line.len) != NULL) return "contains a NUL byte";
  if (memchr(line.data, ',', line.len) != NULL && !span_starts(line, "trigger="))
    return "contains a comma; give one option a line";
  const char *equals = memchr(line.data, '=', line.len);
  return equals == NULL || equals == line.data ? "is not key=value" : NULL;
}

static void refuse_line(struct builder *refusal, const char *path, int number, const char *why) {
  builder_string(refusal, "line ");
  text_decimal(refusal, number);
  builder_string(refusal, " of the file of options ");
  builder_string(refusal, path);
  builder_char(refusal, ' ');
  builder_string(refusal, why);
}

static bool take_lines(const char *path, struct span rest, struct builder *out,
                       struct builder *refusal) {
  struct span line;
  for (int number = 1; span_cut(&rest, '\n', &line); number++) {
    line = trim(line);
    if (line.len == 0 || line.data[0] == '#') continue;
    const char *why = check_line(line);
    if (why != NULL) refuse_line(refusal, path, number, why);
    if (why != NULL) return false;
    if (out->len > 0) builder_char(out, ',');
    builder_bytes(out, line.data, line.len);
  }
  return true;
}

static bool take_file(struct span word, struct builder *out, struct builder *refusal) {
  char path[4096] = "";
  struct builder text = {0};
  const char *why = word.len - 1 < sizeof path ? NULL : "the name is too long";
  if (why == NULL) memcpy(path, word.data + 1, word.len - 1);
  if (why == NULL) why = read_file(path, &text);
  bool good = why == NULL && !text.failed;
  if (!good) {
    builder_string(refusal, "the file of options \"");
    builder_string(refusal, path);
    builder_string(refusal, "\" cannot be read: ");
    builder_string(refusal, why != NULL ? why : "out of memory");
  }
  good = good && take_lines(path, (struct span){text.data, text.len}, out, refusal);
  builder_free(&text);
  return good;
}

static bool expand(const char *text, struct builder *out, struct builder *refusal) {
  struct span rest = {text, strlen(text)}, word;
  while (span_cut(&rest, ',', &word)) {
    if (word.len > 0 && word.data[0] == '@') {
      if (!take_file(word, out, refusal)) return false;
      continue;
    }
    if (out->len > 0 && word.len > 0) builder_char(out, ',');
    builder_bytes(out, word.data, word.len);
  }
  builder_char(out, '\0');
  if (out->failed) builder_string(refusal, "out of memory for the options");
  return !out->failed;
}

bool option_files_expand(const char *text, struct builder *out, char *error, size_t error_size) {
  struct builder refusal = {0};
  bool good = expand(text, out, &refusal);
  if (!good) snprintf(error, error_size, "%.*s", (int)refusal.len, refusal.data);
  builder_free(&refusal);
  return good;
}
