#include "tools/orca/render/style.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/orca/render/width.h"

struct style style_for(int fd) {
  const char *no_color = getenv("NO_COLOR");
  bool terminal = isatty(fd);
  bool bold = terminal && (no_color == NULL || no_color[0] == '\0');
  size_t width = STYLE_WIDTH;
  struct winsize size;
  if (terminal && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= 80) {
    width = size.ws_col < 160 ? size.ws_col : 160;
  }
  return (struct style){.width = width, .bold = bold};
}

void style_heading(struct builder *b, const struct style *style, const char *heading) {
  builder_char(b, '\n');
  if (style->bold) builder_string(b, "\033[1m");
  builder_string(b, heading);
  if (style->bold) builder_string(b, "\033[0m");
  builder_char(b, '\n');
}

/* "%", "ms,", "s)." */
static bool is_unit(struct span word) {
  static const char *const units[] = {"%", "s", "ms", "µs", "ns"};
  while (word.len > 0 && strchr(",.;:)", word.data[word.len - 1]) != NULL) word.len--;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (span_is(word, units[i])) return true;
  }
  return false;
}

/* Cuts `*text` after the next space where a line may break, which is not between a number and its
   unit. */
static bool cut_next_word(struct span *text, struct span *out) {
  struct span rest, unit;
  if (!span_cut(text, ' ', out)) return false;
  rest = *text;
  bool is_number = out->len > 0 && isdigit((unsigned char)out->data[out->len - 1]);
  if (!is_number || !span_cut(&rest, ' ', &unit) || !is_unit(unit)) return true;
  out->len = (size_t)(unit.data + unit.len - out->data);
  *text = rest;
  return true;
}

void style_wrap(struct builder *b, const struct style *style, const char *first, struct span text) {
  size_t indent = width_measure((struct span){first, strlen(first)}), column = indent;
  size_t limit = style->has_long_lines ? SIZE_MAX : style->width;
  struct span word;
  builder_string(b, first);
  while (cut_next_word(&text, &word)) {
    size_t width = width_measure(word);
    if (column > indent && column + 1 + width > limit) {
      builder_char(b, '\n');
      for (size_t i = 0; i < indent; i++) builder_char(b, ' ');
      column = indent;
    } else if (column > indent) {
      builder_char(b, ' ');
      column++;
    }
    builder_bytes(b, word.data, word.len);
    column += width;
  }
  builder_char(b, '\n');
}
