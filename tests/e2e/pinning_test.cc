/* Virtual threads come off their carriers under the agent as they do without: the JVM's own flight
   recorder, beside us, saw none that was pinned; and where one is, it and we say so. */
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

constexpr int kSynchronizedUnpins = 24; /* JEP 491 */
constexpr const char *kPinned = "jdk.VirtualThreadPinned";

/* How many events of the sort stand in a recording; -1: the summary does not speak of them. */
int CountOf(const std::string &summary, const std::string &event) {
  size_t at = summary.find(event + " ");
  return at == std::string::npos ? -1 : atoi(summary.c_str() + at + event.size());
}

class PinningTest : public testing::TestWithParam<Jdk> {
 protected:
  void SetUp() override {
    if (GetParam().version < kSynchronizedUnpins) GTEST_SKIP() << "synchronized itself pins there";
  }

  /* Times that a thread was pinned as the flight recorder says; the agent beside it has to say what
     the workload does. */
  int PinnedIn(const std::string &workload) {
    Scratch scratch;
    std::string file = scratch.dir() + "/pinned.jfr", event = kPinned;
    std::string recording = "settings=none,filename=" + file + ",+" + event + "#enabled=true,+" +
                            event + "#threshold=0ns"; /* without a '+' it is ignored */
    Session session({GetParam(), "weave"},
                    Program({"counted." + workload}, FlightRecorder(recording, scratch.dir())));
    session.Wait();
    EXPECT_TRUE(session.story().complete) << session.result().err;
    ExpectSame(session.story(), session.dump());
    Result summary =
        RunProcess({GetParam().home + "/bin/jfr", "summary", file}, {}, scratch.dir(), 60);
    EXPECT_EQ(summary.status, 0) << summary.err;
    return CountOf(summary.out, kPinned);
  }
};

TEST_P(PinningTest, NoneByUs) { EXPECT_EQ(PinnedIn("ManyVirtual"), 0); }

TEST_P(PinningTest, OneByItself) { EXPECT_EQ(PinnedIn("Pinned"), 1); }

INSTANTIATE_TEST_SUITE_P(Jvm, PinningTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
