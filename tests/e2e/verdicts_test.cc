/* Runs random programs, one in each JVM, and compares what Orca says of their threads with the
   truth. ORCA_PROGRAMS=N: on each JDK the programs with the first N seeds, by default 12. */
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/e2e/verdict.h"
#include "tests/support/eventually.h"
#include "tests/support/setting.h"
#include "tests/support/text.h"

namespace {

constexpr uint64_t kAtOnce = 4;
/* A thread that waits for a second can hang. */
constexpr double kHangSeconds = 1.2;

class VerdictsTest : public testing::TestWithParam<Jdk> {
 protected:
  /* By default locks have owners only while threads wait for them. */
  static std::string OptionsOf(uint64_t seed) {
    return seed % 4 == 3 ? ",locks=all,monitors=all,filter=verdicts.*" : "";
  }

  /* Before JDK 24 a virtual thread that is blocked on a monitor keeps its carrier. */
  static std::vector<std::string> FlagsOf(uint64_t seed) {
    std::vector<std::string> flags = {"-XX:TieredStopAtLevel=1"};
    if (GetParam().version >= 24 && seed % 5 == 4) flags.push_back("-Dvirtual=true");
    return flags;
  }

  static void RunAtOnce(uint64_t first, uint64_t end) {
    std::vector<std::unique_ptr<Session>> sessions;
    for (uint64_t seed = first; seed < end; seed++) {
      sessions.push_back(std::make_unique<Session>(
          GetParam(), Program({"verdicts.RandomProgram", std::to_string(seed)}, FlagsOf(seed),
                              OptionsOf(seed))));
    }
    for (auto &session : sessions) session->process().WaitForLine("ready", kPatienceSeconds);
    WaitForHangs(sessions);
    for (auto &session : sessions) session->process().Signal(SIGTERM);
    for (size_t i = 0; i < sessions.size(); i++) Compare(first + i, sessions[i].get());
  }

  /* Some programs end by themselves. */
  static void WaitForHangs(const std::vector<std::unique_ptr<Session>> &sessions) {
    using Clock = std::chrono::steady_clock;
    auto end = Clock::now() + std::chrono::duration<double>(kHangSeconds);
    for (const auto &session : sessions) {
      session->process().WaitUpTo(std::chrono::duration<double>(end - Clock::now()).count());
    }
  }

  static void Compare(uint64_t seed, Session *session) {
    session->WaitOnly(kPatienceSeconds);
    const std::string &out = session->result().out;
    ASSERT_TRUE(Has(out, "\nready\n")) << "seed " << seed << "\n" << out << session->result().err;
    for (const std::string &fault : FindFalseVerdicts(session->prefix(), out)) {
      ADD_FAILURE() << "seed " << seed << ": " << fault << "\n" << out;
    }
  }
};

TEST_P(VerdictsTest, EqualTheTruth) {
  uint64_t num = ReadSetting("ORCA_PROGRAMS", 12);
  for (uint64_t first = 0; first < num; first += kAtOnce) {
    RunAtOnce(first, std::min(num, first + kAtOnce));
  }
}

INSTANTIATE_TEST_SUITE_P(Jvm, VerdictsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
