#include "tools/orca/run/launch.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool launch_find_agent(const char *exe, struct builder *out) {
  static const char *const places[] = {"../../agent/liborca.so", "liborca.so", "../lib/liborca.so"};
  const char *slash = strrchr(exe, '/');
  size_t folder_len = slash == NULL ? 0 : (size_t)(slash + 1 - exe), start = out->len;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    out->len = start;
    builder_bytes(out, exe, folder_len);
    builder_bytes(out, places[i], strlen(places[i]) + 1);
    if (!out->failed && access(out->data + start, R_OK) == 0) return true;
  }
  return false;
}

bool launch_is_started_by_user(const char *exe, const char *here) {
  static const char suffix[] = ".runfiles/";
  size_t len = strlen(exe);
  return strncmp(here, exe, len) == 0 && strncmp(here + len, suffix, strlen(suffix)) == 0;
}

void launch_prefix(struct builder *b, const char *options, const char *prefix, const char *folder) {
  size_t len = strlen(prefix);
  const char *rest = strncmp(options, prefix, len) == 0 ? options + len : options;
  /* A comma ends the prefix, so a folder with a comma cannot be part of it. */
  if (prefix[0] != '/' && strchr(folder, ',') == NULL) {
    for (const char *at = folder; *at != '\0'; at++) {
      if (*at == '%') builder_char(b, '%'); /* % is special in a prefix */
      builder_char(b, *at);
    }
    builder_char(b, '/');
  }
  builder_string(b, prefix);
  if (rest[0] != '\0' && rest[0] != ',') builder_char(b, ',');
  builder_string(b, rest);
}

bool launch_is_java(const char *command) {
  const char *slash = strrchr(command, '/');
  return strcmp(slash == NULL ? command : slash + 1, "java") == 0;
}

/* Opens a file that can be executed. `path` is relative to the open folder `base`. */
static int open_executable(int base, const char *path) {
  struct stat status;
  bool is_file = fstatat(base, path, &status, 0) == 0 && S_ISREG(status.st_mode);
  if (!is_file || faccessat(base, path, X_OK, 0) != 0) return -1;
  return openat(base, path, O_RDONLY | O_CLOEXEC);
}

/* An empty row of PATH is the working directory. */
static int search_path(int base, const char *command) {
  const char *row = getenv("PATH");
  char path[PATH_MAX];
  int fd = -1;
  if (row == NULL) row = "/bin:/usr/bin";
  while (fd < 0) {
    int len = (int)strcspn(row, ":");
    snprintf(path, sizeof path, "%.*s%s%s", len, row, len == 0 ? "" : "/", command);
    fd = open_executable(base, path);
    if (row[len] == '\0') break;
    row += len + 1;
  }
  return fd;
}

int launch_open_command(const char *command, const char *folder) {
  int base = folder == NULL ? AT_FDCWD : open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  bool is_path = strchr(command, '/') != NULL;
  int fd = is_path ? open_executable(base, command) : search_path(base, command);
  if (folder != NULL && base >= 0) close(base);
  return fd;
}

char **launch_argv(char **command, char *option) {
  size_t num = 0;
  while (command[num] != NULL) num++;
  char **argv = calloc(num + 2, sizeof *argv);
  if (argv == NULL) return NULL;
  argv[0] = command[0];
  argv[1] = option;
  memcpy(argv + 2, command + 1, (num - 1) * sizeof *argv);
  return argv;
}

/* The JVM splits the value at white space. It supports both kinds of quotes, but no backslash. */
static char choose_quote(char c) {
  if (c == '\'') return '"';
  return c == '"' || strchr(" \t\n\v\f\r", c) != NULL ? '\'' : '\0';
}

void launch_tool_options(struct builder *b, const char *option, const char *present) {
  for (const char *at = option; *at != '\0'; at++) {
    char quote = choose_quote(*at);
    if (quote != '\0') builder_char(b, quote);
    builder_char(b, *at);
    if (quote != '\0') builder_char(b, quote);
  }
  if (present == NULL || present[0] == '\0') return;
  builder_char(b, ' ');
  builder_string(b, present);
}

bool launch_set_environment(const char *run, const char *option, bool is_java, bool is_standard) {
  struct builder value = {0};
  launch_tool_options(&value, option, getenv("JAVA_TOOL_OPTIONS"));
  builder_char(&value, '\0');
  unsetenv("ORCA_RUN_TOOL_OPTIONS"); /* of a run around this one */
  unsetenv("ORCA_RUN_STANDARD");
  bool ok = !value.failed && setenv("ORCA_RUN", run, 1) == 0 &&
            setenv(is_java ? "ORCA_RUN_TOOL_OPTIONS" : "JAVA_TOOL_OPTIONS", value.data, 1) == 0;
  const char *options = strchr(option, '=');
  if (is_standard && options != NULL) ok &= setenv("ORCA_RUN_STANDARD", options + 1, 1) == 0;
  builder_free(&value);
  return ok;
}

void launch_quote(struct builder *b, const char *word) {
  static const char plain[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./%+=:,@-";
  if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
    builder_string(b, word);
    return;
  }
  builder_char(b, '\'');
  for (const char *at = word; *at != '\0'; at++) {
    if (*at == '\'') {
      builder_string(b, "'\\''");
    } else {
      builder_char(b, *at);
    }
  }
  builder_char(b, '\'');
}
