#include "tools/orca/causal/whatif/moments.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

TEST(Moments, ComeInTheOrderOfTheirTimes) {
  machine::Program p;
  p.threads.assign(3,
                   Rounds(20, {{machine::kLock}, {machine::kCompute, 0, 3}, {machine::kUnlock}}));
  Recorded r(p);
  Prediction prediction(r.files);
  const struct trace *t = &prediction.Whatif().trace;
  struct moments moments;
  struct moment m;
  moments_start(&moments, t);
  ticks_t last = 0;
  size_t begins = 0, ends = 0, waits = 0;
  while (moments_next(&moments, &m)) {
    ticks_t time = m.is_begin ? m.op->begin : m.op->end;
    EXPECT_GE(time, last);
    EXPECT_EQ(&t->ops[m.number - 1], m.op);
    last = time;
    begins += m.is_begin;
    ends += m.is_done;
    waits += !m.is_begin;
  }
  moments_free(&moments);
  EXPECT_EQ(begins, t->num_ops);
  EXPECT_EQ(ends, t->num_ops);
  EXPECT_GT(waits, 3u);
}

}  // namespace
