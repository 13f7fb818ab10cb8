/* Tests that the agent pins no virtual thread to its carrier. JDK Flight Recorder runs beside the
   agent and counts pinned threads. If the program itself pins one, both must record it. */
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

constexpr int kSynchronizedUnpins = 24; /* JEP 491 */
constexpr const char *kPinned = "jdk.VirtualThreadPinned";

/* Returns the number of these events from the summary of a recording; -1 if the summary has none.
 */
int ReadCount(const std::string &summary, const std::string &event) {
  size_t at = summary.find(event + " ");
  return at == std::string::npos ? -1 : atoi(summary.c_str() + at + event.size());
}

class PinningTest : public testing::TestWithParam<Jdk> {
 protected:
  void SetUp() override {
    if (GetParam().version < kSynchronizedUnpins)
      GTEST_SKIP() << "synchronized itself pins threads in this JDK";
  }

  /* Runs a workload and returns how often Flight Recorder saw a pinned thread. Expects that the
     dump matches the account. */
  int CountPinned(const std::string &workload) {
    Scratch scratch;
    std::string file = scratch.dir() + "/pinned.jfr", event = kPinned;
    std::string recording = "settings=none,filename=" + file + ",+" + event + "#enabled=true,+" +
                            event +
                            "#threshold=0ns"; /* Flight Recorder ignores a setting without '+' */
    Session session({GetParam(), "weave"},
                    Program({"counted." + workload}, FlightRecorder(recording, scratch.dir())));
    session.Wait();
    EXPECT_TRUE(session.story().complete) << session.result().err;
    ExpectSame(session.story(), session.dump());
    Result summary =
        RunProcess({GetParam().home + "/bin/jfr", "summary", file}, {}, scratch.dir(), 60);
    EXPECT_EQ(summary.status, 0) << summary.err;
    return ReadCount(summary.out, kPinned);
  }
};

TEST_P(PinningTest, TheAgentPinsNoThread) { EXPECT_EQ(CountPinned("ManyVirtual"), 0); }

TEST_P(PinningTest, RecordsAThreadThatTheProgramPins) { EXPECT_EQ(CountPinned("Pinned"), 1); }

INSTANTIATE_TEST_SUITE_P(Jvm, PinningTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
