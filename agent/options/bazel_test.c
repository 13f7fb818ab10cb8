#include "agent/options/bazel_test.h"

#include <stdlib.h>
#include <string.h>

#include "agent/base/text.h"

#define MAX_NUMBER 1000000

/* Returns 0 if there is no such number. */
static unsigned parse_number(struct span text) {
  int64_t n;
  bool is_good = text_parse_decimal(text, &n) && n >= 0 && n <= MAX_NUMBER;
  return is_good ? (unsigned)n : 0;
}

static unsigned read_number(const char *variable) {
  const char *text = getenv(variable);
  return text == NULL ? 0 : parse_number((struct span){text, strlen(text)});
}

/* The last but one name in ".../testlogs/app/cart_test/shard_1_of_4/test.outputs". */
static struct span find_part(void) {
  const char *outputs = getenv("TEST_UNDECLARED_OUTPUTS_DIR");
  struct span rest = {outputs, outputs == NULL ? 0 : strlen(outputs)}, name, part = {"", 0},
              last = {"", 0};
  while (span_cut(&rest, '/', &name)) {
    part = last;
    last = name;
  }
  bool is_part = span_starts(part, "shard_") || span_starts(part, "run_");
  return is_part ? part : (struct span){"", 0};
}

/* Bazel 4 tells the number of a run only by this name, "run_2_of_3". */
static unsigned find_run(struct span part) {
  struct span word;
  while (span_cut(&part, '_', &word)) {
    if (span_is(word, "run") && span_cut(&part, '_', &word)) return parse_number(word);
  }
  return 0;
}

static void copy_text(struct span text, char *out, size_t size) {
  size_t len = text.len < size ? text.len : 0;
  memcpy(out, text.data, len);
  out[len] = '\0';
}

bool bazel_test_read(struct bazel_test *out) {
  const char *target = getenv("TEST_TARGET");
  *out = (struct bazel_test){0};
  if (target == NULL || target[0] == '\0') return false;
  struct span part = find_part();
  copy_text((struct span){target, strlen(target)}, out->target, sizeof out->target);
  copy_text(part, out->part, sizeof out->part);
  out->shards = read_number("TEST_TOTAL_SHARDS");
  if (out->shards > 0 && getenv("TEST_SHARD_INDEX") != NULL) {
    out->shard = read_number("TEST_SHARD_INDEX") + 1;
  }
  out->run = read_number("TEST_RUN_NUMBER");
  if (out->run == 0) out->run = find_run(part);
  return true;
}
