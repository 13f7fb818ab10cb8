/* Tests a process that may start no further thread (no_threads.c): the program goes on, and the
   agent says what it does not record. */
#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

constexpr const char *kRefusal = "this process may not start another thread; nothing is recorded";

class NoThreadsTest : public testing::TestWithParam<Jdk> {
 protected:
  void Refuse(const std::string &who) { std::ofstream(Path()) << who << "\n"; }
  void Allow() { std::filesystem::remove(Path()); }
  void Start(const std::string &options) {
    calls_.Start(GetParam(), options, Runfile("tests/e2e/libno_threads.so"),
                 {{"ORCA_NO_THREADS", Path()}});
  }

  std::string Path() const { return calls_.dir() + "/refused"; }

  Calls calls_;
};

TEST_P(NoThreadsTest, TheJvmStartsWithoutARecording) {
  Refuse("agent");
  Start("");
  calls_.ExpectRunning();
  calls_.End();
  std::vector<std::string> messages = calls_.ReadMessages();
  ASSERT_EQ(messages.size(), 1u) << ReadFile(calls_.dir() + "/stderr");
  EXPECT_EQ(messages[0], std::string("orca: ") + kRefusal);
}

TEST_P(NoThreadsTest, AttachIsRefusedUntilThereAreThreads) {
  calls_.StartLater(GetParam(), Runfile("tests/e2e/libno_threads.so"),
                    {{"ORCA_NO_THREADS", Path()}});
  EXPECT_EQ(calls_.RunOrca("status").status, 0); /* the JVM starts its thread for attaching */
  Refuse("all");
  Result refused = calls_.Attach("");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.err.find(kRefusal), std::string::npos) << refused.err;
  calls_.ExpectRunning();
  Allow();
  EXPECT_EQ(calls_.Attach("").status, 0);
  calls_.ExpectRunning();
  uint64_t num = calls_.End();
  uint64_t exits = CountExits(ReadFile(calls_.prefix() + ".orca"));
  EXPECT_GT(exits, 0u);
  EXPECT_LE(exits, num);
  EXPECT_EQ(ReadInfoNumber(calls_.prefix(), "events.dropped"), 0u);
  ExpectAccepted(calls_.prefix(), calls_.dir());
  EXPECT_EQ(calls_.ReadMessages().size(), 0u); /* the client said it */
}

/* The threads of the agent that the JVM starts are missing, so their parts are. */
TEST_P(NoThreadsTest, WithoutThreadsOfTheJvmTheRestIsRecorded) {
  calls_.StartLater(GetParam(), Runfile("tests/e2e/libno_threads.so"),
                    {{"ORCA_NO_THREADS", Path()}});
  EXPECT_EQ(calls_.RunOrca("status").status, 0);
  Refuse("others");
  for (std::string option : {"start=1ms", "duration=1h", "start=1ms,duration=1h"}) {
    Result refused = calls_.Attach("," + option);
    EXPECT_EQ(refused.status, 1) << option;
    EXPECT_NE(refused.err.find("this JVM gives Orca no thread to wait for the "), std::string::npos)
        << refused.err;
  }
  EXPECT_EQ(calls_.Attach(",interval=20ms,events=all,trigger=deadlock").status, 0);
  calls_.ExpectRunning();
  Allow();
  calls_.ExpectRunning();
  calls_.End();
  EXPECT_GT(CountExits(ReadFile(calls_.prefix() + ".orca")), 0u);
  ExpectAccepted(calls_.prefix(), calls_.dir());
  std::string err = ReadFile(calls_.dir() + "/stderr");
  EXPECT_NE(err.find("orca: this JVM does not let Orca record samples; the rest is recorded\n"),
            std::string::npos)
      << err;
}

INSTANTIATE_TEST_SUITE_P(Jvm, NoThreadsTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
