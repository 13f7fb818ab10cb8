#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/base/clock.h"
#include "agent/options/bazel_test.h"
#include "agent/options/options.h"

static void format_utc(uint64_t utc_ns, char *out, size_t size) {
  time_t seconds = (time_t)(utc_ns / NS_PER_S);
  struct tm tm;
  gmtime_r(&seconds, &tm);
  strftime(out, size, "%Y%m%dT%H%M%SZ", &tm);
}

const char *prefix_folder(void) {
  static const char *const variables[] = {"TEST_UNDECLARED_OUTPUTS_DIR", "BUILD_WORKING_DIRECTORY"};
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *folder = getenv(variables[i]);
    if (folder != NULL && folder[0] != '\0') return folder;
  }
  return NULL;
}

/* In a sandbox of Bazel the pid is small and often the same, and nothing tells the attempts at a
   flaky test apart but the time. */
void prefix_default(uint64_t utc_ns, char out[PREFIX_DEFAULT_SIZE]) {
  struct bazel_test test;
  char time_text[24];
  snprintf(out, PREFIX_DEFAULT_SIZE, "%s", PREFIX_DEFAULT);
  if (!bazel_test_read(&test)) return;
  format_utc(utc_ns, time_text, sizeof time_text);
  time_text[strlen(time_text) - 1] = '\0'; /* the Z comes after the milliseconds */
  snprintf(out, PREFIX_DEFAULT_SIZE, "%s-%s%03uZ%s%s", PREFIX_DEFAULT, time_text,
           (unsigned)(utc_ns % NS_PER_S / NS_PER_MS), test.part[0] == '\0' ? "" : "-", test.part);
}

bool prefix_expand(const char *prefix, long pid, uint64_t utc_ns, const char *folder, char *out,
                   size_t size) {
  char pid_text[24], time_text[24];
  snprintf(pid_text, sizeof pid_text, "%ld", pid);
  format_utc(utc_ns, time_text, sizeof time_text);
  struct builder b = {0};
  if (prefix[0] != '/' && folder != NULL && folder[0] != '\0') {
    builder_string(&b, folder);
    builder_char(&b, '/');
  }
  for (const char *at = prefix; *at != '\0'; at++) {
    const char *piece = NULL;
    if (at[0] == '%') piece = at[1] == 'p' ? pid_text : at[1] == 't' ? time_text : NULL;
    if (at[0] == '%' && at[1] == '%') piece = "%";
    if (piece == NULL) {
      builder_char(&b, *at);
    } else {
      builder_string(&b, piece);
      at++;
    }
  }
  builder_char(&b, '\0');
  bool fits = !b.failed && b.len <= size;
  if (fits) memcpy(out, b.data, b.len);
  builder_free(&b);
  return fits;
}

/* Whether prefix_expand puts the pid into the prefix. */
static bool has_pid(const char *prefix) {
  for (const char *at = prefix; *at != '\0'; at++) {
    if (at[0] != '%') continue;
    if (at[1] == 'p') return true;
    if (at[1] == '%') at++;
  }
  return false;
}

bool prefix_vary(const char *prefix, unsigned number, char *out, size_t size) {
  bool adds_pid = number > 0 && !has_pid(prefix);
  char counter[16] = "";
  if (number > adds_pid) snprintf(counter, sizeof counter, "-%u", number + !adds_pid);
  int len = snprintf(out, size, "%s%s%s", prefix, adds_pid ? "-%p" : "", counter);
  return len >= 0 && (size_t)len < size;
}
