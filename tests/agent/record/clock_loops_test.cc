#include "agent/record/clock_loops.h"

#include <string>

#include "gtest/gtest.h"

namespace {

std::string Write(const struct clock_loops &loops) {
  struct builder b = {};
  clock_loops_write(&loops, &b);
  std::string text(b.data == nullptr ? "" : b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(ClockLoops, AreWrittenInTheirOrder) {
  struct clock_loops loops = {};
  EXPECT_EQ(Write(loops), "");
  clock_loops_add(&loops, 0x63, 0x5B, 0x70);
  EXPECT_EQ(Write(loops), "00000063;0000005B;00000070");
  clock_loops_add(&loops, 0x7F, 2, 0x16);
  EXPECT_EQ(Write(loops), "00000063;0000005B;00000070,0000007F;00000002;00000016");
  clock_loops_clear(&loops);
  EXPECT_EQ(Write(loops), "");
}

TEST(ClockLoops, AreLimited) {
  struct clock_loops loops = {};
  for (uint32_t i = 0; i < CLOCK_LOOPS_MAX + 5; i++) clock_loops_add(&loops, i + 1, 0, 1);
  EXPECT_EQ(loops.num, uint32_t{CLOCK_LOOPS_MAX});
  EXPECT_EQ(Write(loops).size(), 27u * CLOCK_LOOPS_MAX - 1);
}

}  // namespace
