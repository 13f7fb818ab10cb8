/* Tests that a program does not hang for a device that takes no lines: a pipe whose reader stops.
   What the reader got, and what the agent says that it dropped, must be all calls of the program.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "tests/e2e/calls.h"
#include "tests/support/text.h"

namespace {

constexpr uint64_t kPatienceMs = 500;
constexpr const char *kPatience = ",patience=500ms";
constexpr uint64_t kSlowMachineMs = 3000; /* that a busy machine adds */

/* Makes PREFIX.orca a pipe and reads it, in a thread of its own. */
class Reader {
 public:
  explicit Reader(const std::string &prefix) {
    std::string path = prefix + ".orca";
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    fd_ = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    EXPECT_GE(fd_, 0);
    thread_ = std::thread([this] { Read(); });
  }
  ~Reader() {
    Finish();
    close(fd_);
  }
  void Pause(bool is_paused) { is_paused_ = is_paused; }

  /* Reads the rest, once nobody writes any more. Returns what it read. */
  const std::string &Finish() {
    is_paused_ = false;
    is_over_ = true;
    if (thread_.joinable()) thread_.join();
    return text_;
  }

 private:
  void Read() {
    char block[65536];
    for (;;) {
      bool is_last = is_over_;
      ssize_t n = is_paused_ ? 0 : read(fd_, block, sizeof block);
      if (n > 0) text_.append(block, static_cast<size_t>(n));
      if (n > 0) continue;
      if (is_last) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  int fd_;
  std::string text_;
  std::atomic<bool> is_paused_{false}, is_over_{false};
  std::thread thread_;
};

double MeasureSeconds(const std::function<void()> &act) {
  auto start = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class StuckDeviceTest : public testing::TestWithParam<Jdk> {
 protected:
  static void ExpectOneMessage(const Calls &calls) {
    std::vector<std::string> messages = calls.ReadMessages();
    ASSERT_EQ(messages.size(), 1u) << ReadFile(calls.dir() + "/stderr");
    EXPECT_EQ(
        messages[0],
        "orca: the files took no events for 500ms (option patience); the program goes on, and "
        "events are dropped and counted until the files take them again");
  }
};

TEST_P(StuckDeviceTest, TheProgramGoesOnAndTheLossIsExact) {
  Calls calls;
  Reader reader(calls.prefix());
  calls.Start(GetParam(), kPatience);
  calls.process().WaitUpTo(0.5);
  reader.Pause(true);
  calls.process().WaitUpTo(1.5);
  calls.ExpectRunning();
  reader.Pause(false);
  calls.process().WaitUpTo(0.5);
  uint64_t num = calls.End();
  uint64_t exits = CountExits(reader.Finish());
  uint64_t dropped = ReadInfoNumber(calls.prefix(), "events.dropped");
  EXPECT_GT(dropped, 0u);
  EXPECT_EQ(exits + dropped, num);
  EXPECT_EQ(ReadInfoNumber(calls.prefix(), "events.stalled"), dropped);
  EXPECT_EQ(ReadInfoNumber(calls.prefix(), "writer.stalls"), 1u);
  EXPECT_GE(calls.longest_ms(), kPatienceMs);
  EXPECT_LE(calls.longest_ms(), kPatienceMs + kSlowMachineMs);
  ExpectOneMessage(calls);
}

/* No thread waits with overflow=drop, so only the message and the counts depend on the patience. */
TEST_P(StuckDeviceTest, DroppingIsToldToo) {
  Calls calls;
  Reader reader(calls.prefix());
  calls.Start(GetParam(), std::string(kPatience) + ",overflow=drop");
  reader.Pause(true);
  calls.process().WaitUpTo(1.5);
  reader.Pause(false);
  calls.process().WaitUpTo(0.3);
  uint64_t num = calls.End();
  uint64_t exits = CountExits(reader.Finish());
  uint64_t dropped = ReadInfoNumber(calls.prefix(), "events.dropped");
  uint64_t stalled = ReadInfoNumber(calls.prefix(), "events.stalled");
  EXPECT_EQ(exits + dropped, num);
  EXPECT_GT(stalled, 0u);
  EXPECT_LE(stalled, dropped);
  EXPECT_LT(calls.longest_ms(), kPatienceMs);
  ExpectOneMessage(calls);
}

TEST_P(StuckDeviceTest, CommandsAnswerAndTheJvmEnds) {
  Calls stopped, ended;
  Reader reader(stopped.prefix()), other(ended.prefix());
  const std::map<std::string, std::string> as_for_a_user = {{"ORCA_LIMIT_SECONDS", "0"}};
  stopped.Start(GetParam(), kPatience, "", as_for_a_user);
  /* Threads wait until the JVM ends. */
  ended.Start(GetParam(), ",patience=0", "", as_for_a_user);
  reader.Pause(true);
  other.Pause(true);
  stopped.process().WaitUpTo(2.5);
  Result status = stopped.RunOrca("status"), stop, end;
  EXPECT_TRUE(Has(status.out, "; the writer has waited for the device for ")) << status.out;
  EXPECT_TRUE(Has(status.out, " s, and events are dropped until the files take them again\n"))
      << status.out;
  double seconds = MeasureSeconds([&] {
    ended.process().Signal(SIGTERM);
    stop = stopped.RunOrca("stop");
    end = ended.process().Wait(40);
  });
  EXPECT_LT(seconds, 10 + kSlowMachineMs / 1000.0);
  EXPECT_TRUE(Has(stop.err, "stopped, but some events are not written yet")) << stop.err;
  EXPECT_EQ(end.status, 128 + SIGTERM) << end.err;
  EXPECT_FALSE(end.timed_out);
  for (const Calls *calls : {&stopped, &ended}) {
    EXPECT_EQ(calls->ReadMessages().back(),
              "orca: the files were not finished within 5 s; the last events may be missing");
  }
  stopped.ExpectRunning();
  reader.Pause(false);
  uint64_t num = stopped.End(), exits = CountExits(reader.Finish());
  EXPECT_GT(exits, 0u);
  EXPECT_LE(exits + ReadInfoNumber(stopped.prefix(), "events.dropped"), num);
}

/* The JVM starts without a recording. */
TEST_P(StuckDeviceTest, AFolderThatDoesNotAnswerStopsNoStart) {
  Calls calls;
  double seconds = MeasureSeconds([&] {
    calls.Start(GetParam(), kPatience, Runfile("tests/e2e/libsilent_folder.so"),
                {{"ORCA_SILENT_FOLDER", calls.folder()}});
  });
  EXPECT_GE(seconds, kPatienceMs / 1000.0);
  calls.ExpectRunning();
  Result status = calls.RunOrca("status");
  EXPECT_EQ(status.out, "nothing is being recorded\n") << status.err;
  calls.End();
  ASSERT_EQ(calls.ReadMessages().size(), 1u);
  EXPECT_EQ(calls.ReadMessages()[0], "orca: the folder of " + calls.prefix() +
                                         " does not answer; the program goes on, and nothing is "
                                         "recorded");
}

INSTANTIATE_TEST_SUITE_P(Jvm, StuckDeviceTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
