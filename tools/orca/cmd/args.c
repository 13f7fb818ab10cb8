#include "tools/orca/cmd/args.h"

#include <stdio.h>

#include "agent/base/text.h"
#include "tools/orca/render/style.h"
#include "tools/orca/render/width.h"

#define HELP_INDENT 21 /* column of the help texts */

static const struct style help_style = {.width = STYLE_WIDTH};

const char *args_value(const char *option, char **argv, int *at) {
  size_t len = strlen(option);
  if (strncmp(argv[*at], option, len) != 0) return NULL;
  if (argv[*at][len] == '=') return argv[*at] + len + 1;
  return argv[*at][len] == '\0' && argv[*at + 1] != NULL ? argv[++*at] : NULL;
}

enum args_result args_take(const struct args_options *options, void *targets, char **argv, int *at,
                           const char **problem, const char **subject) {
  for (size_t i = 0; i < options->num; i++) {
    const struct args_option *option = &options->rows[i];
    const char *text = NULL;
    if (option->value != NULL) {
      text = args_value(option->name, argv, at);
    } else if (strcmp(option->name, argv[*at]) == 0) {
      text = option->name;
    }
    if (text == NULL) continue; /* another option, or the value is missing */
    void *target = (char *)targets + option->offset;
    if (option->parse == NULL) {
      *(bool *)target = true;
      return ARGS_TAKEN;
    }
    if (option->parse(text, target)) return ARGS_TAKEN;
    *problem = option->problem;
    *subject = text;
    return ARGS_WRONG;
  }
  return ARGS_UNKNOWN;
}

bool args_count(const char *text, size_t *out) {
  int64_t n;
  if (!text_parse_decimal((struct span){text, strlen(text)}, &n) || n < 1) return false;
  *out = (size_t)n;
  return true;
}

bool args_parse_count(const char *text, void *target) { return args_count(text, target); }

bool args_parse_text(const char *text, void *target) {
  *(const char **)target = text;
  return true;
}

bool args_is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* --- help --------------------------------------------------------------------------------- */

/* All lines of the help text begin in the same column. If the option leaves less than two spaces
   before it, the text begins on the next line. */
void args_put_help(struct builder *b, const struct args_options *options) {
  for (size_t i = 0; i < options->num; i++) {
    const struct args_option *option = &options->rows[i];
    if (option->help == NULL) continue;
    struct span help = {option->help, strlen(option->help)}, line;
    char label[64];
    const char *value = option->value == NULL ? "" : option->value;
    int columns = snprintf(label, sizeof label, "  %s %s ", option->name, value);
    if (columns >= HELP_INDENT) {
      builder_format(b, "  %s%s%s\n", option->name, value[0] == '\0' ? "" : " ", value);
      label[0] = '\0';
    }
    while (span_cut(&help, '\n', &line)) {
      char first[64];
      snprintf(first, sizeof first, "%-*s", HELP_INDENT, label);
      style_wrap(b, &help_style, first, line);
      label[0] = '\0';
    }
  }
}

void args_put_text(struct builder *b, const char *text) {
  struct span rest = {text, strlen(text)}, line;
  while (span_cut(&rest, '\n', &line)) {
    if (rest.data == NULL && line.len == 0) break; /* after the last newline */
    if (width_measure(line) > help_style.width) {
      style_wrap(b, &help_style, "", line);
    } else {
      builder_format(b, "%.*s\n", (int)line.len, line.data);
    }
  }
}

void args_print_help(const char *usage, const struct args_options *options, const char *end) {
  struct builder b = {0};
  args_put_text(&b, usage);
  args_put_help(&b, options);
  args_put_text(&b, end);
  if (!b.failed) fwrite(b.data, 1, b.len, stdout);
  builder_free(&b);
}
