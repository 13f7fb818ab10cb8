#include "tools/orca/cmd/args.h"

#include <stdio.h>

#include "agent/base/text.h"
#include "tools/orca/render/style.h"
#include "tools/orca/render/width.h"

#define HELP_INDENT 21 /* column of the help texts */

static const struct style help_style = {.width = STYLE_WIDTH};

/* Returns whether the word begins with the option; a value may follow. */
static bool is_option(const struct args_option *option, const char *word) {
  size_t len = strlen(option->name);
  if (option->name[0] != '-' || strncmp(option->name, word, len) != 0) return false;
  bool is_short = option->name[1] != '-';
  return word[len] == '\0' || (option->value != NULL && (is_short || word[len] == '='));
}

/* Returns NULL if the value is missing. */
static const char *find_value(const struct args_option *option, char **argv, int *at) {
  const char *rest = argv[*at] + strlen(option->name);
  if (option->value == NULL) return option->name;
  if (*rest != '\0') return rest + (*rest == '=');
  if (argv[*at + 1] == NULL) return NULL;
  return argv[++*at];
}

static bool take(const struct args_option *option, void *targets, char **argv, int *at,
                 struct refusal *why) {
  void *target = (char *)targets + option->offset;
  const char *text = find_value(option, argv, at);
  if (text == NULL) return refuse(why, "a value is missing after %s", option->name);
  if (option->parse != NULL) {
    return option->parse(text, target) || refuse(why, "%s%s", option->problem, text);
  }
  *(bool *)target = true;
  return true;
}

bool args_take(const struct args_table *tables, size_t num, char **argv, int *at,
               struct refusal *why) {
  for (size_t i = 0; i < num; i++) {
    for (size_t k = 0; k < tables[i].options->num; k++) {
      const struct args_option *option = &tables[i].options->rows[k];
      if (is_option(option, argv[*at])) return take(option, tables[i].targets, argv, at, why);
    }
  }
  return refuse(why, "there is no option %s", argv[*at]);
}

/* Parses a number from 1 to `most`. */
static bool parse_number(const char *text, int64_t most, int64_t *out) {
  return text_parse_decimal((struct span){text, strlen(text)}, out) && *out >= 1 && *out <= most;
}

bool args_parse_count(const char *text, void *target) {
  int64_t n;
  bool good = parse_number(text, INT64_MAX, &n);
  if (good) *(size_t *)target = (size_t)n;
  return good;
}

bool args_parse_text(const char *text, void *target) {
  *(const char **)target = text;
  return true;
}

bool args_parse_json(const char *text, void *target) {
  bool *is_json = target;
  *is_json = strcmp(text, "json") == 0;
  return *is_json || strcmp(text, "text") == 0;
}

bool args_pid(const char *text, pid_t *out) {
  int64_t n;
  bool good = parse_number(text, INT32_MAX, &n);
  if (good) *out = (pid_t)n;
  return good;
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
