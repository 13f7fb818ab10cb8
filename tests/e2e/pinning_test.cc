/* Virtual threads come off their carriers under the agent as they do without: the JVM's own flight
   recorder, beside us, saw none that was pinned. */
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"

namespace {

constexpr int kSynchronizedUnpins = 24; /* JEP 491 */
constexpr const char *kPinned = "jdk.VirtualThreadPinned";

class PinningTest : public testing::TestWithParam<Jdk> {};

/* How many events of the sort stand in a recording; -1: the summary does not speak of them. */
int CountOf(const std::string &summary, const std::string &event) {
  size_t at = summary.find(event + " ");
  return at == std::string::npos ? -1 : atoi(summary.c_str() + at + event.size());
}

TEST_P(PinningTest, NoneByUs) {
  const Jdk &jdk = GetParam();
  if (jdk.version < kSynchronizedUnpins) GTEST_SKIP() << "synchronized itself pins there";
  Scratch scratch;
  std::string file = scratch.dir() + "/pinned.jfr", event = kPinned;
  std::string recording =
      "settings=none,filename=" + file + "," + event + "#enabled=true," + event + "#threshold=0ns";
  Session session({jdk, "weave"},
                  Program({"counted.ManyVirtual"}, FlightRecorder(recording, scratch.dir())));
  session.Wait();
  ASSERT_TRUE(session.story().complete) << session.result().err;
  ExpectSame(session.story(), session.dump());
  Result summary = RunProcess({jdk.home + "/bin/jfr", "summary", file}, {}, scratch.dir(), 60);
  ASSERT_EQ(summary.status, 0) << summary.err;
  EXPECT_EQ(CountOf(summary.out, kPinned), 0) << summary.out;
}

INSTANTIATE_TEST_SUITE_P(Jvm, PinningTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
