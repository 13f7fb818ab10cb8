#include "tools/orca/render/escape.h"

#include <string.h>

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* Returns the length of the UTF-8 character at the start of `s`, if XML may contain it; 0: it is
   none. The tables of lead and second bytes are those of the Unicode standard (3-7). */
static size_t measure_character(struct span s) {
  static const struct {
    unsigned char first, last; /* lead byte */
    unsigned char low, high;   /* second byte */
    size_t len;
  } forms[] = {{0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
               {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3},
               {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
               {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
  const unsigned char *at = (const unsigned char *)s.data;
  if (at[0] < 0x80) return at[0] == '\n' || (at[0] >= ' ' && at[0] != 0x7F) ? 1 : 0;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (at[0] < forms[i].first || at[0] > forms[i].last || s.len < forms[i].len) continue;
    if (at[1] < forms[i].low || at[1] > forms[i].high) return 0;
    for (size_t k = 2; k < forms[i].len; k++) {
      if ((at[k] & 0xC0) != 0x80) return 0;
    }
    if (forms[i].len == 2 && at[0] == 0xC2 && at[1] < 0xA0) return 0; /* U+0080 to U+009F */
    bool is_noncharacter = at[0] == 0xEF && at[1] == 0xBF && at[2] >= 0xBE;
    return is_noncharacter ? 0 : forms[i].len;
  }
  return 0;
}

/* Appends each character, or what `replace` returns for it. */
static void put_escaped(struct builder *b, struct span text, const char *(*replace)(char c)) {
  while (text.len > 0) {
    size_t len = measure_character(text);
    const char *other = len == 1 ? replace(text.data[0]) : len == 0 ? REPLACEMENT : NULL;
    if (other != NULL) {
      builder_string(b, other);
    } else {
      builder_bytes(b, text.data, len);
    }
    text.data += len == 0 ? 1 : len;
    text.len -= len == 0 ? 1 : len;
  }
}

static const char *keep(char c) {
  (void)c;
  return NULL;
}

static const char *replace_in_xml(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\n':
      return "&#10;";
    default:
      return NULL;
  }
}

static const char *replace_in_markdown(char c) {
  static const char special[] = "\\`*_{}[]()#+-.!|~>";
  static const char escaped[sizeof special][3] = {"\\\\", "\\`", "\\*", "\\_", "\\{", "\\}",
                                                  "\\[",  "\\]", "\\(", "\\)", "\\#", "\\+",
                                                  "\\-",  "\\.", "\\!", "\\|", "\\~", "\\>"};
  const char *at = c == '\0' ? NULL : strchr(special, c);
  if (at != NULL) return escaped[at - special];
  return c == '<' ? "&lt;" : c == '&' ? "&amp;" : c == '\n' ? " " : NULL;
}

void escape_utf8(struct builder *b, struct span text) { put_escaped(b, text, keep); }

void escape_xml(struct builder *b, struct span text) { put_escaped(b, text, replace_in_xml); }

void escape_markdown(struct builder *b, struct span text) {
  put_escaped(b, text, replace_in_markdown);
}
