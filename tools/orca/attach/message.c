#include "tools/orca/attach/message.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "agent/base/text.h"

/* --- the request --------------------------------------------------------------------- */

static void append_argument(struct builder *b, const char *word) {
  builder_bytes(b, word, strlen(word) + 1);
}

bool message_write_load(struct builder *b, const char *library, const char *options,
                        struct refusal *why) {
  if (strlen(library) > MESSAGE_ARGUMENT_MAX) {
    return refuse(why,
                  "the path of the agent has more than %d bytes, which a JVM refuses: %.200s...",
                  MESSAGE_ARGUMENT_MAX, library);
  }
  if (strlen(options) > MESSAGE_ARGUMENT_MAX) {
    return refuse(why, "prefix and options have %zu bytes; a running JVM accepts at most %d",
                  strlen(options), MESSAGE_ARGUMENT_MAX);
  }
  append_argument(b, "1");
  append_argument(b, "load");
  append_argument(b, library);
  append_argument(b, "true"); /* the path is absolute */
  append_argument(b, options);
  return !b->failed || refuse(why, "out of memory");
}

/* --- the answer ------------------------------------------------------------------------ */

static bool parse_int(struct span s, int *out) {
  int64_t n;
  bool ok = text_parse_decimal(s, &n) && n >= INT_MIN && n <= INT_MAX;
  if (ok) *out = (int)n;
  return ok;
}

/* The JVM calls the agent only while it loads it. So it also calls none that it already has. */
static bool is_loading_forbidden(struct span text) {
  static const char words[] = "Dynamic agent loading is not enabled";
  return memmem(text.data, text.len, words, sizeof words - 1) != NULL;
}

/* Appends the lines of the JVM as one line to the message. */
static bool refuse_with_answer(struct refusal *why, struct span text) {
  char line[600];
  if (is_loading_forbidden(text)) {
    return refuse(why,
                  "this JVM loads no agent while it runs, and passes no command to one that it "
                  "has; start it with -XX:+EnableDynamicAgentLoading, or with -agentpath and all "
                  "options");
  }
  size_t len = text.len < sizeof line - 1 ? text.len : sizeof line - 1;
  while (len > 0 && text.data[len - 1] == '\n') len--;
  for (size_t i = 0; i < len; i++) line[i] = text.data[i] == '\n' ? ' ' : text.data[i];
  line[len] = '\0';
  return refuse(why, "the JVM did not load the agent: %s", line);
}

/* The code in the first line does not show whether the library was loaded. If it cannot be loaded,
   the code is -1 in JDK 17 and 0 in JDK 25. */
bool message_read_result(struct span answer, int *out_result, struct refusal *why) {
  static const char too_early[] = "only permitted in the live phase"; /* since JDK 21 */
  static const char start[] = "return code: "; /* JDK 8 writes just the number */
  struct span rest = answer, code_line, result_line = {"", 0};
  int code;
  if (answer.len == 0) return refuse(why, "the JVM closed the connection without an answer");
  if (!span_cut(&rest, '\n', &code_line) || !parse_int(code_line, &code)) {
    return refuse(why, "the JVM's answer does not follow the attach protocol");
  }
  struct span text = rest.data == NULL ? (struct span){"", 0} : rest;
  if (code == 101) return refuse(why, "the JVM does not support version 1 of the attach protocol");
  span_cut(&rest, '\n', &result_line);
  if (span_starts(result_line, start)) {
    result_line.data += sizeof start - 1;
    result_line.len -= sizeof start - 1;
  }
  if (code == 0 && parse_int(result_line, out_result)) return true;
  if (text.len > 0 && memmem(text.data, text.len, too_early, sizeof too_early - 1) != NULL) {
    *out_result = MESSAGE_TOO_EARLY;
    return true;
  }
  if (text.len > 0) return refuse_with_answer(why, text);
  return refuse(why, "the JVM did not load the agent: error code %d", code);
}
