#include "tools/orca/export/program.h"

#include <string.h>

/* Options of `java` whose value is the next word. */
static const char *const options_with_value[] = {
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-reads",
    "--add-exports",
    "--add-opens",
    "--limit-modules",
    "--patch-module",
    "--enable-native-access",
    "--source",
};

/* Options of `java` whose value is the program. */
static const char *const program_options[] = {"-jar", "-m", "--module"};

static bool is_any_of(struct span word, const char *const *texts, size_t num) {
  for (size_t i = 0; i < num; i++) {
    if (span_is(word, texts[i])) return true;
  }
  return false;
}
#define IS_ANY_OF(word, texts) is_any_of(word, texts, sizeof(texts) / sizeof *(texts))

static struct span get_file_name(struct span path) {
  const char *slash = path.len == 0 ? NULL : memrchr(path.data, '/', path.len);
  if (slash == NULL) return path;
  return (struct span){slash + 1, path.len - (size_t)(slash + 1 - path.data)};
}

/* Returns the word of the command that names the program; an empty one if there is none. `rest` is
   the command without the executable. */
static struct span find_program(struct span rest) {
  struct span word;
  while (span_cut(&rest, ' ', &word)) {
    bool is_option = word.len == 0 || word.data[0] == '-' || word.data[0] == '@';
    if (!is_option) return word;
    bool names_program = IS_ANY_OF(word, program_options);
    if (!names_program && !IS_ANY_OF(word, options_with_value)) continue;
    if (!span_cut(&rest, ' ', &word)) break;
    if (names_program) return get_file_name(word);
  }
  return (struct span){"", 0};
}

/* Words are separated by spaces, which a path may contain too. The name of a class has no slash, so
   a word with one is part of such a path. */
void program_put_name(struct builder *b, const struct dump *d) {
  struct span rest, word;
  if (!dump_info(d, INFO_COMMAND, &rest) || !span_cut(&rest, ' ', &word)) return;
  struct span name = get_file_name(word), program = {"", 0};
  if (span_is(name, "java")) program = find_program(rest);
  bool is_clear = program.len > 0 && memchr(program.data, '/', program.len) == NULL;
  text_plain(b, is_clear ? program : name);
}
