/* Tests that the memory of the JVM does not grow with the number of recordings. */
#include "gtest/gtest.h"
#include "tests/e2e/phases.h"

namespace {

class AttachTimedTest : public testing::TestWithParam<Jdk> {};

constexpr long kMaxGrowth = 8 << 10; /* kB */

/* The flags make sure that only the agent's memory can grow. The heap is committed at the start.
   The JIT compilers are off: the memory of C2 varies by megabytes, and JDK 25 keeps each version of
   a class that was compiled, about 50 kB per round. */
TEST_P(AttachTimedTest, RecordsManyTimesInTheSameMemory) {
  Phases program(GetParam(),
                 {"-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-Xint"});
  auto read_memory = [&] { return program.process().ReadResidentMemory(); };
  long memory = program.RecordRounds(read_memory);
  long growth = read_memory() - memory;
  RecordProperty("growth", std::to_string(growth));
  bool sanitized = IsSanitized(); /* a sanitizer keeps freed memory */
  EXPECT_LT(sanitized ? 0 : growth, kMaxGrowth);
  program.End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, AttachTimedTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
