#include "tools/orca/cmd/follow.h"

#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tests/support/instead_of_sleep.h"
#include "tests/support/virtual_time.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

constexpr ticks_t kSecond = 1000000000 * TICKS_PER_NS;

// The small dump without its end, which this process writes: it holds the lock of .info.
class FollowTest : public testing::Test {
 protected:
  void SetUp() override {
    WriteSmallDump(&files_);
    std::string info = files_.Text(DUMP_INFO);
    info.replace(info.find("pid=4711"), 8, "pid=" + std::to_string(getpid()));
    end_ = info.substr(info.find("end.monotonic"));
    files_.Write(DUMP_INFO, info.substr(0, info.find("end.monotonic")));
    info_ = Open(DUMP_INFO);
    events_ = Open(DUMP_EVENTS);
    ASSERT_EQ(flock(fileno(info_), LOCK_EX | LOCK_NB), 0);
  }
  void TearDown() override {
    if (info_ != nullptr) fclose(info_);
    if (events_ != nullptr) fclose(events_);
  }

  FILE *Open(enum dump_file file) { return fopen(files_.Path(file).c_str(), "r+"); }

  DumpFiles files_;
  std::string end_;
  FILE *info_ = nullptr, *events_ = nullptr;
};

TEST_F(FollowTest, FollowsUntilTheEnd) {
  struct follow f;
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  EXPECT_EQ(follow_step(&f), FOLLOW_GROWS);
  files_.Append(DUMP_INFO, end_);
  EXPECT_EQ(follow_step(&f), FOLLOW_ENDED);
  EXPECT_EQ(f.live.events, 22u);
  EXPECT_GE(f.live.at, 110 * kSecond);
  EXPECT_EQ(follow_step(&f), FOLLOW_ENDED);
  follow_close(&f);
}

TEST_F(FollowTest, FindsTheRecordingOfAProcess) {
  struct follow f;
  ASSERT_EQ(follow_open(&f, "top", std::to_string(getpid()).c_str()), DONE);
  EXPECT_EQ(dump_prefix(f.open.dump), std::filesystem::canonical(files_.Folder()) / "out");
  follow_close(&f);
}

// The agent has made .info, and not yet .orca.
TEST_F(FollowTest, WaitsUntilTheRecordingBegins) {
  struct follow f;
  std::string path = files_.Path(DUMP_EVENTS), later = path + ".later";
  std::filesystem::rename(path, later);
  int num_sleeps = 0;
  InsteadOfSleep agent([&] {
    if (++num_sleeps == 4) std::filesystem::rename(later, path);
  });
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  EXPECT_EQ(num_sleeps, 4);
  EXPECT_EQ(follow_step(&f), FOLLOW_GROWS);
  follow_close(&f);
}

// The agent has made .info and .orca, and has not yet written the first lines of .info.
TEST_F(FollowTest, WaitsForTheStart) {
  struct follow f;
  std::string info = files_.Text(DUMP_INFO);
  std::filesystem::resize_file(files_.Path(DUMP_INFO), 0);
  int num_sleeps = 0;
  InsteadOfSleep agent([&] {
    if (++num_sleeps == 4) files_.Append(DUMP_INFO, info);
  });
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  EXPECT_EQ(num_sleeps, 4);
  EXPECT_EQ(f.live.start, 100 * kSecond);
  EXPECT_EQ(follow_step(&f), FOLLOW_GROWS);
  follow_close(&f);
}

TEST_F(FollowTest, RefusesARecordingWithoutAStart) {
  struct follow f;
  files_.Replace(DUMP_INFO, "start.monotonic=100.0", "start.monotonic=x");
  testing::internal::CaptureStderr();
  EXPECT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), MISUSED);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "orca: top: " + files_.Prefix() +
                ".info has no valid start.monotonic; see orca check " + files_.Prefix() + "\n");
}

// Nobody holds the lock and there is no end: the JVM was killed. All that it has written is read.
TEST_F(FollowTest, ReadsAllOfAKilledJvm) {
  struct follow f;
  fclose(info_);
  info_ = nullptr;
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  EXPECT_EQ(follow_step(&f), FOLLOW_ENDED);
  EXPECT_EQ(f.live.events, 22u);
  EXPECT_GE(f.live.at, 109 * kSecond);
  follow_close(&f);
}

// .info says why the recording ended, and not when.
TEST_F(FollowTest, EndsWithoutTheTimeOfTheEnd) {
  for (const char *end : {"end.reason=exit\n", "end.monotonic=x\nend.reason=exit\n"}) {
    struct follow f;
    std::string info = files_.Text(DUMP_INFO);
    files_.Append(DUMP_INFO, end);
    ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
    EXPECT_EQ(follow_step(&f), FOLLOW_ENDED) << end;
    EXPECT_EQ(f.live.events, 22u);
    EXPECT_GE(f.live.at, 109 * kSecond);
    follow_close(&f);
    files_.Write(DUMP_INFO, info);
  }
}

// start.utc is missing, so the recording seems to begin in 1970.
TEST_F(FollowTest, EndsAKilledJvmWithoutADate) {
  struct follow f;
  fclose(info_);
  info_ = nullptr;
  files_.Replace(DUMP_INFO, "start.utc=2026", "start.utc=x026");
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  EXPECT_EQ(follow_step(&f), FOLLOW_ENDED);
  EXPECT_EQ(f.live.events, 22u);
  follow_close(&f);
}

// The writer begins the next set: nobody holds the lock for a moment.
TEST_F(FollowTest, WaitsForTheNextSet) {
  VirtualTime time;
  struct follow f;
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  EXPECT_EQ(follow_step(&f), FOLLOW_GROWS);
  ASSERT_EQ(flock(fileno(info_), LOCK_UN), 0);
  EXPECT_EQ(follow_step(&f), FOLLOW_GROWS);
  ASSERT_EQ(flock(fileno(info_), LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(follow_step(&f), FOLLOW_GROWS);
  ASSERT_EQ(flock(fileno(info_), LOCK_UN), 0);
  time.Pass(2'100'000'000);
  EXPECT_EQ(follow_step(&f), FOLLOW_ENDED);
  follow_close(&f);
}

TEST_F(FollowTest, NoticesAnotherRecording) {
  struct follow f;
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  EXPECT_EQ(follow_step(&f), FOLLOW_GROWS);
  files_.Replace(DUMP_INFO, "start.monotonic=100.0", "start.monotonic=100.5");
  EXPECT_EQ(follow_step(&f), FOLLOW_REPLACED);
  EXPECT_EQ(follow_step(&f), FOLLOW_REPLACED);
  follow_close(&f);
}

TEST_F(FollowTest, WaitsForThresholdAndWriter) {
  struct follow f;
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  ticks_t writer = f.lag;
  follow_close(&f);
  files_.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,threshold=2s");
  ASSERT_EQ(follow_open(&f, "top", files_.Prefix().c_str()), DONE);
  EXPECT_EQ(f.lag - writer, 2 * kSecond);
  follow_close(&f);
}

}  // namespace
