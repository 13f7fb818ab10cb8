/* Tests that the memory of the JVM does not grow with the number of recordings. */
#include <stdlib.h>

#include <algorithm>

#include "gtest/gtest.h"
#include "tests/e2e/phases.h"

namespace {

class AttachTimedTest : public testing::TestWithParam<Jdk> {};

int ReadNumRounds() {
  const char *rounds = getenv("ORCA_ATTACH_ROUNDS");
  return rounds == nullptr ? 20 : atoi(rounds);
}

constexpr int kWarmUp = 5;           /* rounds until all classes and libraries are loaded */
constexpr long kMaxGrowth = 8 << 10; /* kB */

/* Records one phase, from attach to stop. */
void RecordPhase(Phases *program, const std::string &name) {
  EXPECT_EQ(program->RunOrca("attach", {program->Prefix(name)}).status, 0);
  Story story = program->Run("calls");
  EXPECT_EQ(program->RunOrca("stop").status, 0);
  program->ExpectDump(program->Prefix(name), story);
}

/* The flags make sure that only the agent's memory can grow. The heap is committed at the start.
   The JIT compilers are off: the memory of C2 varies by megabytes, and JDK 25 keeps each version of
   a class that was compiled, about 50 kB per round. */
TEST_P(AttachTimedTest, RecordsManyTimesInTheSameMemory) {
  Phases program(GetParam(),
                 {"-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "-Xint"});
  long memory = 0;
  for (int i = 1; i <= std::max(ReadNumRounds(), kWarmUp) && !HasFailure(); i++) {
    RecordPhase(&program, "round" + std::to_string(i));
    if (i == kWarmUp) memory = program.ReadResidentMemory();
  }
  long growth = program.ReadResidentMemory() - memory;
  RecordProperty("growth", std::to_string(growth));
  bool sanitized = IsSanitized(); /* a sanitizer keeps freed memory */
  EXPECT_LT(sanitized ? 0 : growth, kMaxGrowth);
  program.End();
}

INSTANTIATE_TEST_SUITE_P(Jvm, AttachTimedTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
