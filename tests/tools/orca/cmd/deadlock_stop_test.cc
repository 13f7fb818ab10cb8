#include "tools/orca/cmd/deadlock_stop.h"

// Before sys/file.h, which defines LOCK_READ_SIDE as a macro.
#include "tests/tools/orca/model/small_dump.h"

#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>

namespace {

// The small dump, which ends in a deadlock, while this process writes it.
class DeadlockStop : public testing::Test {
 protected:
  void SetUp() override {
    WriteSmallDump(&files_);
    std::string info = files_.Text(DUMP_INFO);
    info.replace(info.find("pid=4711"), 8, "pid=" + std::to_string(getpid()) + "\nrun=7.1");
    end_ = info.substr(info.find("end.monotonic"));
    files_.Write(DUMP_INFO, info.substr(0, info.find("end.monotonic")));
    info_ = fopen(files_.Path(DUMP_INFO).c_str(), "r+");
    events_ = fopen(files_.Path(DUMP_EVENTS).c_str(), "r+");
    ASSERT_EQ(flock(fileno(info_), LOCK_EX | LOCK_NB), 0);
    prefix_ = files_.Prefix();
    stop_.prefix = prefix_.c_str();
    stop_.run = "7.1";
  }
  void TearDown() override {
    deadlock_stop_free(&stop_);
    fclose(info_);
    fclose(events_);
  }
  bool Look() { return deadlock_stop_look(&stop_); }

  DumpFiles files_;
  std::string prefix_, end_;
  struct deadlock_stop stop_ = {};
  FILE *info_ = nullptr, *events_ = nullptr;
};

TEST_F(DeadlockStop, FindsADeadlockInTwoLooks) {
  EXPECT_FALSE(Look());
  EXPECT_TRUE(Look());
}

TEST_F(DeadlockStop, FindsNoneIfTheRingIsNotClosed) {
  std::string events = files_.Text(DUMP_EVENTS);
  files_.Write(DUMP_EVENTS, events.substr(0, events.find("108.5000000000,Monitor")));
  for (int i = 0; i < 4; i++) EXPECT_FALSE(Look());
  EXPECT_EQ(stop_.num, 1u);
}

TEST_F(DeadlockStop, IgnoresOtherRunsAndEndedRecordings) {
  stop_.run = "7.2";
  for (int i = 0; i < 3; i++) EXPECT_FALSE(Look());
  EXPECT_EQ(stop_.num, 0u);
  stop_.run = "7.1";
  files_.Append(DUMP_INFO, end_);
  for (int i = 0; i < 3; i++) EXPECT_FALSE(Look());
  EXPECT_EQ(stop_.num, 1u);
}

TEST_F(DeadlockStop, WaitsForTheFilesOfARecording) {
  files_.Remove(DUMP_EVENTS);
  EXPECT_FALSE(Look());
  EXPECT_EQ(stop_.num, 0u);
}

}  // namespace
