#include "tools/orca/attach/jvm_flag.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/orca/attach/proc.h"

#define MAX_FILE_BYTES 65536

struct flag_search {
  const struct target *target;
  const char *name;
  bool is_on;
  const char *where; /* the place of the last occurrence */
};

/* Looks at one option. Returns whether it sets the flag. */
static bool take_flag(struct flag_search *s, struct span option, const char *where) {
  static const char start[] = "-XX:";
  size_t len = sizeof start - 1;
  if (option.len <= len || !span_starts(option, start)) return false;
  struct span name = {option.data + len + 1, option.len - len - 1};
  char sign = option.data[len];
  if ((sign != '+' && sign != '-') || !span_is(name, s->name)) return false;
  s->is_on = sign == '+';
  s->where = where;
  return true;
}

/* --- files of options ------------------------------------------------------------------- */

/* Appends a regular file of the process; a relative path is in its working directory. */
static void read_option_file(const struct target *t, struct span path, struct builder *out) {
  char name[PATH_MAX];
  bool is_absolute = path.len > 0 && path.data[0] == '/';
  int len = snprintf(name, sizeof name, "%s%.*s", is_absolute ? "root" : "cwd/", (int)path.len,
                     path.data);
  if (path.len == 0 || len >= (int)sizeof name) return;
  struct stat st;
  int fd = target_open_proc(t, name, O_RDONLY | O_NONBLOCK); /* a pipe must not block */
  bool is_file = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  char *room = is_file ? builder_room(out, MAX_FILE_BYTES) : NULL;
  ssize_t n = room == NULL ? 0 : read(fd, room, MAX_FILE_BYTES);
  if (n > 0) out->len += (size_t)n;
  if (fd >= 0) close(fd);
}

static void search_file(struct flag_search *s, struct span path, const char *where) {
  struct builder text = {0}, option = {0};
  read_option_file(s->target, path, &text);
  struct span rest = {text.data, text.len};
  while (proc_next_option(&rest, true, &option)) {
    take_flag(s, (struct span){option.data, option.len}, where);
  }
  builder_free(&text);
  builder_free(&option);
}

/* --- words -------------------------------------------------------------------------------- */

static const struct {
  const char *start;
  const char *where;
} file_options[] = {{"@", "an @ file of its command line"},
                    {"-XX:VMOptionsFile=", "the file of -XX:VMOptionsFile"}};

static void search_word(struct flag_search *s, struct span word, const char *where) {
  if (take_flag(s, word, where)) return;
  for (size_t i = 0; i < sizeof file_options / sizeof *file_options; i++) {
    size_t len = strlen(file_options[i].start);
    if (!span_starts(word, file_options[i].start)) continue;
    search_file(s, (struct span){word.data + len, word.len - len}, file_options[i].where);
  }
}

static void search_variable(struct flag_search *s, struct span variables, const char *name) {
  struct span rest;
  struct builder option = {0};
  if (!proc_variable(variables, name, &rest)) return;
  while (proc_next_option(&rest, false, &option)) {
    search_word(s, (struct span){option.data, option.len}, name);
  }
  builder_free(&option);
}

static void search_command(struct flag_search *s, struct span rest) {
  struct span word;
  while (span_cut(&rest, '\0', &word)) search_word(s, word, "");
}

/* Only the launcher `java` reads JDK_JAVA_OPTIONS. */
static bool is_java_launcher(struct span cmdline) {
  struct span word;
  return span_cut(&cmdline, '\0', &word) && span_is(proc_file_name(word), "java");
}

bool jvm_flag_is_on(const struct target *t, const char *name, const char **out_where) {
  struct flag_search s = {.target = t, .name = name, .where = ""};
  struct builder environ_text = {0}, cmdline_text = {0};
  target_read(t, "environ", &environ_text);
  target_read(t, "cmdline", &cmdline_text);
  struct span variables = {environ_text.data, environ_text.len};
  struct span cmdline = {cmdline_text.data, cmdline_text.len};
  /* the order in which the JVM reads them */
  search_variable(&s, variables, "JAVA_TOOL_OPTIONS");
  if (is_java_launcher(cmdline)) search_variable(&s, variables, "JDK_JAVA_OPTIONS");
  search_command(&s, cmdline);
  search_variable(&s, variables, "_JAVA_OPTIONS");
  builder_free(&environ_text);
  builder_free(&cmdline_text);
  *out_where = s.where;
  return s.is_on;
}
