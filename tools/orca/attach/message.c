#include "tools/orca/attach/message.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "agent/base/text.h"

/* --- the request --------------------------------------------------------------------- */

static void put_word(struct builder *b, const char *word) {
  builder_bytes(b, word, strlen(word) + 1);
}

bool message_load(struct builder *b, const char *library, const char *options,
                  struct refusal *why) {
  if (strlen(library) > MESSAGE_WORD_MAX) {
    return refuse(why, "a JVM takes no library whose path has more than %d bytes: %.200s...",
                  MESSAGE_WORD_MAX, library);
  }
  if (strlen(options) > MESSAGE_WORD_MAX) {
    return refuse(why, "a running JVM takes %d bytes of prefix and options, not %zu",
                  MESSAGE_WORD_MAX, strlen(options));
  }
  put_word(b, "1");
  put_word(b, "load");
  put_word(b, library);
  put_word(b, "true"); /* it is an absolute path */
  put_word(b, options);
  return !b->failed || refuse(why, "there is not enough memory");
}

/* --- the answer ------------------------------------------------------------------------ */

static bool parse_int(struct span s, int *out) {
  int64_t n;
  bool good = text_parse_decimal(s, &n) && n >= INT_MIN && n <= INT_MAX;
  if (good) *out = (int)n;
  return good;
}

/* "return code: N", and of JDK 8 just "N". */
static bool parse_result(struct span line, int *out) {
  static const char start[] = "return code: ";
  size_t len = sizeof start - 1;
  if (span_starts(line, start)) line = (struct span){line.data + len, line.len - len};
  return parse_int(line, out);
}

/* The lines of the JVM as one, behind ours. */
static bool refuse_as_it_says(struct refusal *why, struct span text) {
  char line[600];
  size_t len = text.len < sizeof line - 1 ? text.len : sizeof line - 1;
  while (len > 0 && text.data[len - 1] == '\n') len--;
  for (size_t i = 0; i < len; i++) line[i] = text.data[i] == '\n' ? ' ' : text.data[i];
  line[len] = '\0';
  return refuse(why, "the JVM did not load the agent: %s", line);
}

static bool is_too_early(struct span text) {
  static const char said[] = "only permitted in the live phase"; /* since JDK 21 */
  return text.len > 0 && memmem(text.data, text.len, said, sizeof said - 1) != NULL;
}

/* The code in the first line is no help: for a library that cannot be loaded it is -1 in JDK 17
   and 0 in JDK 25. */
bool message_result(struct span answer, int *out_result, struct refusal *why) {
  struct span rest = answer, code_line, result_line = {"", 0};
  int code;
  if (answer.len == 0) return refuse(why, "the JVM closed the connection without an answer");
  if (!span_cut(&rest, '\n', &code_line) || !parse_int(code_line, &code)) {
    return refuse(why, "the JVM's answer is none of the attach protocol");
  }
  struct span text = rest.data == NULL ? (struct span){"", 0} : rest;
  if (code == 101) return refuse(why, "the JVM does not know version 1 of the attach protocol");
  span_cut(&rest, '\n', &result_line);
  if (code == 0 && parse_result(result_line, out_result)) return true;
  if (is_too_early(text)) {
    *out_result = MESSAGE_TOO_EARLY;
    return true;
  }
  if (text.len > 0) return refuse_as_it_says(why, text);
  return refuse(why, "the JVM did not load the agent, and gives %d as the reason", code);
}
