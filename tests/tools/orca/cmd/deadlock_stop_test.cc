#include "tools/orca/cmd/deadlock_stop.h"

// Before sys/file.h, which defines LOCK_READ_SIDE as a macro.
#include "tests/tools/orca/model/pool_lines.h"

#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>

namespace {

// Makes a dump one that this process writes.
class Running {
 public:
  explicit Running(DumpFiles *files) : prefix(files->Prefix()) {
    std::string text = files->Text(DUMP_INFO);
    text.replace(text.find("pid=4711"), 8, "pid=" + std::to_string(getpid()) + "\nrun=7.1");
    end = text.substr(text.find("end.monotonic"));
    files->Write(DUMP_INFO, text.substr(0, text.find("end.monotonic")));
    info_ = fopen(files->Path(DUMP_INFO).c_str(), "r+");
    EXPECT_EQ(flock(fileno(info_), LOCK_EX | LOCK_NB), 0);
    stop.prefix = prefix.c_str();
    stop.run = "7.1";
  }
  ~Running() {
    deadlock_stop_free(&stop);
    fclose(info_);
  }
  Running(const Running &) = delete;
  Running &operator=(const Running &) = delete;

  bool Look() { return deadlock_stop_look(&stop); }

  const std::string prefix;
  std::string end;  // of .info
  struct deadlock_stop stop = {};

 private:
  FILE *info_ = nullptr;
};

// The small dump ends in a deadlock.
class DeadlockStop : public testing::Test {
 protected:
  DeadlockStop() { WriteSmallDump(&files_); }

  DumpFiles files_;
};

TEST_F(DeadlockStop, FindsADeadlockInTwoLooks) {
  Running run(&files_);
  EXPECT_FALSE(run.Look());
  EXPECT_EQ(run.stop.found, nullptr);
  EXPECT_TRUE(run.Look());
  EXPECT_EQ(run.stop.found, run.prefix);
}

TEST_F(DeadlockStop, FindsNoneIfTheRingIsNotClosed) {
  std::string events = files_.Text(DUMP_EVENTS);
  files_.Write(DUMP_EVENTS, events.substr(0, events.find("108.5000000000,Monitor")));
  Running run(&files_);
  for (int i = 0; i < 4; i++) EXPECT_FALSE(run.Look());
  EXPECT_EQ(run.stop.num, 1u);
}

TEST_F(DeadlockStop, IgnoresOtherRunsAndEndedRecordings) {
  Running run(&files_);
  run.stop.run = "7.2";
  for (int i = 0; i < 3; i++) EXPECT_FALSE(run.Look());
  EXPECT_EQ(run.stop.num, 0u);
  run.stop.run = "7.1";
  files_.Append(DUMP_INFO, run.end);
  for (int i = 0; i < 3; i++) EXPECT_FALSE(run.Look());
  EXPECT_EQ(run.stop.num, 1u);
}

TEST_F(DeadlockStop, WaitsForTheFilesOfARecording) {
  Running run(&files_);
  files_.Remove(DUMP_EVENTS);
  EXPECT_FALSE(run.Look());
  EXPECT_EQ(run.stop.num, 0u);
}

// Only the whole recording tells that no thread can take the task.
class PoolDeadlockStop : public PoolLines {
 protected:
  static constexpr uint32_t kPool = 0xE1, kTask = 0xF0;

  // The only thread of a pool waits for a task in its own queue.
  PoolDeadlockStop() {
    Size(kPool, 1, 1);
    Work(1, kPool, 2, kTask);
    Queue(2, kPool, kTask + 1);
    Get(2, kTask + 1);
    Get(1, kTask);
    small_.files.Write(DUMP_SAMPLES, "110.0000000000,Process,1000000,-1\n");  // the JVM lives
  }
  // Returns the number of looks until the deadlock is found; 0: it is not.
  int CountLooks() {
    Running run(&small_.files);
    for (int i = 1; i <= 100; i++) {
      if (run.Look()) return i;
    }
    return 0;
  }
};

TEST_F(PoolDeadlockStop, FindsARingThroughAQueueOnceNothingIsWritten) {
  int looks = CountLooks();
  EXPECT_GT(looks, 8);
  EXPECT_LT(looks, 20);
}

TEST_F(PoolDeadlockStop, FindsNoneIfAnotherThreadGoesOn) {
  Thread(9, "ticker");
  Line("ThreadSleep,00000009,1;00000003;FFFFFFFF");
  EXPECT_EQ(CountLooks(), 0);
}

}  // namespace
