/* Tests stack overflows in and near tracked methods, with each way to take a stack. */
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"

namespace {

class OverflowTest : public testing::TestWithParam<Jdk> {
 protected:
  /* Runs the program. Expects that, after the overflows, each thread has exactly the events that it
     counts: an overflowed call must not stay pending. `is_checked`: `orca check` must accept the
     dump. */
  void RunProgram(const std::string &walk, const std::string &options,
                  const std::vector<std::string> &flags, bool is_checked = true) {
    SCOPED_TRACE(walk + options + (flags.empty() ? "" : " " + flags.back()));
    std::vector<std::string> all = {"-Xss640k"};
    all.insert(all.end(), flags.begin(), flags.end());
    std::string track = ",track=counted.Overflow$Diver.tracked";
    Session session(GetParam(), Program({"counted.Overflow"}, all, track + options, walk));
    session.Wait(120);
    const Result &result = session.result();
    ASSERT_EQ(result.status, 0) << "signal " << result.signal << "\n" << result.err;
    if (!session.story().skipped.empty()) return;
    EXPECT_TRUE(session.story().complete) << result.out;
    ExpectCounted(session, result.out);
    session.ExpectQuiet();
    if (is_checked) session.ExpectChecked();
  }

  void RunWithEachWalk(const std::vector<std::string> &flags) {
    for (std::string walk : {"jvmti", "checked"}) {
      for (std::string depth : {"64", "2048"}) {
        RunProgram(walk, ",depth=" + depth, flags);
      }
    }
  }

 private:
  static void ExpectCounted(const Session &session, const std::string &out) {
    int threads = 0;
    std::istringstream lines(out);
    for (std::string word; lines >> word;) {
      std::string thread, object;
      int times = 0;
      if (word != "after" || !(lines >> thread >> object >> times)) continue;
      threads++;
      std::map<enum event_kind, int> counts;
      for (const Event &e : session.dump().events) {
        if (e.object == std::stoul(object, nullptr, 16)) counts[e.kind]++;
      }
      EXPECT_EQ(counts[EVENT_SEMAPHORE_ACQUIRE], times);
      EXPECT_EQ(counts[EVENT_SEMAPHORE_ACQUIRED], times);
      EXPECT_EQ(counts[EVENT_SEMAPHORE_RELEASE], times);
    }
    EXPECT_EQ(threads, 2) << out;
  }
};

TEST_P(OverflowTest, CountsExactlyInPlatformThreads) { RunWithEachWalk({}); }

TEST_P(OverflowTest, CountsExactlyInVirtualThreads) {
  if (GetParam().version < 21) GTEST_SKIP() << "this JDK has no virtual threads";
  RunWithEachWalk({"-Dvirtual=true"});
}

TEST_P(OverflowTest, CountsExactlyWithAllLocks) {
  RunProgram("checked", ",depth=2048,locks=all,owners=all", {});
}

/* If the call of a hook overflows the stack, the exit of a monitor is not recorded. `orca check`
   reports that. */
TEST_P(OverflowTest, CountsExactlyWithAllMonitors) {
  RunProgram("checked", ",depth=2048,monitors=all,filter=counted.Overflow*", {},
             /* is_checked */ false);
}

INSTANTIATE_TEST_SUITE_P(Jvm, OverflowTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
