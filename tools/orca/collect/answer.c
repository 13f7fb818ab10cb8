#include "tools/orca/collect/answer.h"

#include "tools/orca/render/unit.h"

const char *answer_state_words(enum collected_state state) {
  static const char *const words[] = {
      [COLLECTED_RECORDED] = "recorded",
      [COLLECTED_UNREADABLE] = "left a recording that cannot be read",
      [COLLECTED_NONE] = "left no recording",
      [COLLECTED_ELSEWHERE] = "left outputs that are not on this machine",
      [COLLECTED_NOT_RUN] = "did not run",
  };
  return words[state];
}

uint64_t answer_count_tests(const struct collection *c, enum collected_state state) {
  uint64_t num = 0;
  for (size_t i = 0; i < c->build->num; i++) num += collected_state(c, i) == state;
  return num;
}

void answer_sum(struct builder *b, const struct collection *c) {
  unit_many(b, c->build->num, "test", "tests");
  for (int state = 0; state < NUM_COLLECTED_STATES; state++) {
    uint64_t num = answer_count_tests(c, (enum collected_state)state);
    if (num == 0 && state != COLLECTED_RECORDED) continue;
    builder_format(b, "%s%s %s", state == COLLECTED_RECORDED ? ": " : ", ", UNIT_COUNT(num),
                   answer_state_words((enum collected_state)state));
  }
  builder_string(b, "; ");
  unit_many(b, c->recordings, "recording", "recordings");
}

void answer_tests(struct builder *b, const struct collection *c, const struct collected_row *row) {
  enum { SHOWN = 3 };
  for (size_t i = 0; i < row->num_tests && i < SHOWN; i++) {
    builder_format(b, "%s%s", i == 0 ? "" : ", ", c->tests[row->tests[i]].label);
  }
  if (row->num_tests > SHOWN) builder_format(b, " and %s more", UNIT_COUNT(row->num_tests - SHOWN));
}

void answer_command(struct builder *b, const struct collected_row *row) {
  const char *command = row->kind < NUM_BUDGET_KINDS ? budget_kinds[row->kind].command : "locks";
  builder_format(b, "orca %s %s", command, row->recording);
}
