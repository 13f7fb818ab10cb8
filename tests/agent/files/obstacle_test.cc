// What the output does when a file does not take its lines: each errno of write(2), and files that
// are too large.
#include "agent/files/obstacle.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "agent/base/clock.h"
#include "tests/agent/files/define.h"
#include "tests/agent/files/left_recording.h"
#include "tests/agent/files/output_case.h"
#include "tests/support/full_disk.h"

namespace {

// The device of one file. While it fails, a write takes at most so many bytes, and then fails.
struct Device {
  int fd = -1;
  int write_errno = 0;     // 0: it takes everything
  size_t room = 0;         // bytes that are still taken
  int truncate_errno = 0;  // 0: it can be cut
} device;

}  // namespace

extern "C" {

ssize_t __real_write(int fd, const void *data, size_t size);
int __real_ftruncate(int fd, off_t size);

ssize_t __wrap_write(int fd, const void *data, size_t size) {
  if (fd != device.fd || device.write_errno == 0) return __real_write(fd, data, size);
  if (device.room == 0) {
    errno = device.write_errno;
    return -1;
  }
  size = std::min(size, device.room);
  device.room -= size;
  return __real_write(fd, data, size);
}

int __wrap_ftruncate(int fd, off_t size) {
  if (fd != device.fd || device.truncate_errno == 0) return __real_ftruncate(fd, size);
  errno = device.truncate_errno;
  return -1;
}

}  // extern "C"

namespace {

class ObstacleTest : public OutputTest {
 protected:
  ObstacleTest() {
    output_.statistics_arg = this;
    output_.wait_for_room = [](void *arg, uint64_t pause_ns) {
      auto *test = static_cast<ObstacleTest *>(arg);
      test->pauses_.push_back(pause_ns);
      return test->wait_();
    };
  }
  ~ObstacleTest() override { device = Device{}; }

  void StartWithThread() {
    StartRecording();
    Define(&classes_, "000000C1,Ljava/lang/Thread;,Thread.java\n");
    PutStarted(0xA);
    output_flush(&output_);
  }
  void PutStarted(uint32_t thread) {
    char body[32];
    snprintf(body, sizeof body, "%08X,000000C1\n", thread);
    Define(&objects_, body);
    PutEvent(EVENT_THREAD_STARTED, thread, clock_monotonic_ns());
    num_put_++;
  }
  void Fail(enum file file, int why, size_t room = 0) {
    device = Device{};
    device.fd = output_.files[file].fd;
    device.write_errno = why;
    device.room = room;
  }
  // Puts so many events, and returns what the output writes to stderr.
  std::string Put(uint32_t num, uint32_t events_per_flush = 1000) {
    testing::internal::CaptureStderr();
    for (uint32_t i = 1; i <= num; i++) {
      PutEvent(EVENT_THREAD_PINNED, 0xA, clock_monotonic_ns());
      num_put_++;
      if (i % events_per_flush == 0 || i == num) output_flush(&output_);
    }
    return testing::internal::GetCapturedStderr();
  }
  // The lines of .orca of all sets, without those that repeat the state.
  size_t CountEvents() {
    LeftRecording r = ReadRecording();
    return r.events.size();
  }
  LeftRecording ReadRecording() { return ReadLeftRecording(folder_ + "/out"); }
  // Expects that each event is in the files or counted as dropped, and that the files are valid.
  void ExpectCounted() {
    LeftRecording r = ReadRecording();
    EXPECT_EQ(r.error, "");
    EXPECT_EQ(r.faults, std::vector<std::string>{});
    EXPECT_EQ(r.events.size() + figures_.events_dropped, num_put_);
  }

  std::function<bool()> wait_ = [] { return false; };
  std::vector<uint64_t> pauses_;
  uint64_t num_put_ = 0;
};

// --- errors of write ------------------------------------------------------------------------

struct ErrnoCase {
  int why;
  const char *until;  // nullptr: the recording stops
  uint64_t pause_ns;
};

const ErrnoCase kErrnoCases[] = {
    {ENOSPC, "there is room", 50 * NS_PER_MS},
    {EDQUOT, "there is room", 50 * NS_PER_MS},
    {EIO, "the device takes them again", NS_PER_S},
    {EREMOTEIO, "the device takes them again", NS_PER_S},
    {EROFS, "the device takes them again", NS_PER_S},
    {ETIMEDOUT, "the device takes them again", NS_PER_S},
    {EFBIG, "it may be larger; the option maxsize makes several smaller files", NS_PER_S},
    {EPIPE, nullptr, 0},
    {EBADF, nullptr, 0},
    {EINVAL, nullptr, 0},
    {EPERM, nullptr, 0},
    {ESTALE, nullptr, 0},
    {ENODEV, nullptr, 0},
    {ENOMEM, nullptr, 0},
};

// The device fails at three attempts, in the middle of a line, then works again.
TEST_F(ObstacleTest, GoesOnOrStopsForEachErrno) {
  for (const ErrnoCase &c : kErrnoCases) {
    SCOPED_TRACE(strerror(c.why));
    is_recording_ = true;
    figures_begin(&figures_);
    num_put_ = 0;
    StartWithThread();
    pauses_.clear();
    stall_reset(&stall_, 0);
    wait_ = [&] {
      if (pauses_.size() == 3) device = Device{};
      return true;
    };
    Fail(FILE_EVENTS, c.why, /* room */ 100);
    std::string said = Put(10) + Put(10);
    std::string path = folder_ + "/out.orca: ";
    std::string limit = c.why == EFBIG ? ": the file system has no larger files" : "";
    std::string consequence =
        c.until == nullptr
            ? "recording stops, the program goes on"
            : std::string("the program goes on, and events are dropped and counted until ") +
                  c.until;
    EXPECT_EQ(said,
              "orca: cannot write " + path + strerror(c.why) + limit + "; " + consequence + "\n");
    EXPECT_EQ(pauses_, std::vector<uint64_t>(c.until == nullptr ? 0 : 3, c.pause_ns));
    EXPECT_EQ(is_recording_, c.until != nullptr);
    EXPECT_EQ(stall_is_on(&stall_), c.until != nullptr) << "threads do not wait";
    EXPECT_EQ(figures_.writer_stalls, c.until == nullptr ? 0u : 1u);
    device = Device{};
    output_finish(&output_, "exit");
    EXPECT_TRUE(HasInfoLine(c.until == nullptr ? "end.reason=error" : "end.reason=exit"));
    EXPECT_EQ(figures_.events_dropped == 0, c.until != nullptr) << "the queue has the others";
    ExpectCounted();
    output_end(&output_);
  }
}

TEST_F(ObstacleTest, ReportsEachObstacleOnce) {
  StartWithThread();
  wait_ = [] {
    device = Device{};
    return true;
  };
  for (int round = 0; round < 2; round++) {
    for (auto [why, text] : {std::pair(EIO, "Input/output error"), std::pair(ENOSPC, "No space")}) {
      Fail(FILE_EVENTS, why);
      std::string said = Put(1);
      EXPECT_EQ(said.find(text) != std::string::npos, round == 0) << said;
      EXPECT_EQ(said.empty(), round == 1) << said;
    }
  }
  output_finish(&output_, "exit");
  ExpectCounted();
  EXPECT_EQ(figures_.events_dropped, 0u);
}

// A device that still fails at the end has been reported.
TEST_F(ObstacleTest, TheEndOfTheRecordingWhileTheDeviceFails) {
  StartWithThread();
  int attempts = 0;
  wait_ = [&] { return ++attempts < 3; };  // then somebody wants the end
  Fail(FILE_EVENTS, EIO, 100);
  std::string said = Put(10);
  EXPECT_NE(said.find("Input/output error"), std::string::npos);
  EXPECT_EQ(said.find("recording stops"), std::string::npos) << said;
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("end.reason=error"));
  EXPECT_TRUE(HasInfoLine("events.dropped=" + std::to_string(num_put_ - CountEvents())));
  ExpectCounted();
}

// --- half a line ------------------------------------------------------------------------------

// The device takes half a line, and does not let itself be cut either.
TEST_F(ObstacleTest, HalfALineIsCutOffBeforeTheNextOne) {
  StartWithThread();
  size_t size = ReadText(".orca").size() + 100;
  Fail(FILE_EVENTS, EIO, 100);
  device.truncate_errno = EIO;
  wait_ = [&] {
    if (pauses_.size() == 2) device.write_errno = 0;  // now only the cut fails
    if (pauses_.size() == 3) {
      EXPECT_EQ(ReadText(".orca").size(), size) << "nothing is appended";
    }
    if (pauses_.size() == 4) device = Device{};
    return true;
  };
  Put(10);
  EXPECT_EQ(pauses_.size(), 4u);
  output_finish(&output_, "exit");
  EXPECT_EQ(CountEvents(), 11u);
  ExpectCounted();
}

// The end of .info is cut off again when the next set cannot begin.
TEST_F(ObstacleTest, WhatIsCutOffWhileTheDeviceFailsIsCutOffLater) {
  StartWithThread();
  uint64_t size = output_.files[FILE_INFO].size;
  device.fd = output_.files[FILE_INFO].fd;
  info_text(&output_.files[FILE_INFO].lines, INFO_TRIGGER, "one");
  output_flush(&output_);
  device.truncate_errno = EIO;
  EXPECT_TRUE(dump_file_cut(&output_.files[FILE_INFO], size));
  EXPECT_TRUE(HasInfoLine("trigger=one"));
  wait_ = [] {
    device = Device{};
    return true;
  };
  info_text(&output_.files[FILE_INFO].lines, INFO_TRIGGER, "two");
  testing::internal::CaptureStderr();
  output_flush(&output_);
  testing::internal::GetCapturedStderr();
  EXPECT_FALSE(HasInfoLine("trigger=one"));
  EXPECT_TRUE(HasInfoLine("trigger=two"));
}

// --- files that are too large ------------------------------------------------------------------

class LimitTest : public ObstacleTest {
 protected:
  LimitTest() { options_.maxsize = 100 << 20; }
  // Expects that no file of the recording is larger.
  void ExpectSizes(uintmax_t most) {
    for (const auto &file : std::filesystem::directory_iterator(folder_))
      EXPECT_LE(file.file_size(), most) << file.path();
  }
};

// The limit is known when a set begins, so that nothing is lost.
TEST_F(LimitTest, ASetEndsBeforeAFileIsTooLarge) {
  FullDisk disk(40000);
  StartWithThread();
  EXPECT_EQ(Put(5000, 50),
            "orca: a file may have 40000 bytes (ulimit -f), so a set of files ends before that\n");
  output_finish(&output_, "exit");
  EXPECT_GE(output_.rotation.number, 5u);
  EXPECT_EQ(figures_.events_dropped, 0u);
  EXPECT_TRUE(pauses_.empty());
  EXPECT_TRUE(HasInfoLine("end.reason=exit"));
  ExpectSizes(40000);
  ExpectCounted();
}

// The limit is lowered, so a file reaches it. What it does not take is lost.
TEST_F(LimitTest, AFileThatIsTooLargeLeadsToTheNextSet) {
  StartWithThread();
  FullDisk disk(20000);
  EXPECT_EQ(Put(1000), "orca: cannot write " + folder_ +
                           "/out.orca: File too large: a file may have 20000 bytes (ulimit -f); "
                           "events are dropped and counted until the next set of files begins\n");
  uint64_t dropped = figures_.events_dropped;
  EXPECT_GT(dropped, 0u);
  EXPECT_EQ(output_.rotation.number, 1u);
  Put(5000, 50);
  EXPECT_GT(output_.rotation.number, 2u);
  EXPECT_EQ(figures_.events_dropped, dropped) << "the next set knows the limit";
  output_finish(&output_, "exit");
  EXPECT_TRUE(is_recording_);
  ExpectSizes(20000);
  ExpectCounted();
}

// Events are dropped and counted while the next set cannot begin.
TEST_F(LimitTest, WaitsForTheNextSet) {
  StartWithThread();
  std::filesystem::create_directory(folder_ + "/out.next.orca");
  {
    FullDisk disk(20000);
    Put(1000);
  }
  uint64_t dropped = figures_.events_dropped;
  std::string said = Put(10);
  EXPECT_NE(said.find("cannot begin the next set of files"), std::string::npos) << said;
  EXPECT_EQ(figures_.events_dropped, dropped + 10);
  std::filesystem::remove(folder_ + "/out.next.orca");
  output_.rotation.retry_ns = 1;
  Put(10);
  EXPECT_EQ(figures_.events_dropped, dropped + 10);
  EXPECT_EQ(output_.rotation.number, 2u);
  output_finish(&output_, "exit");
  ExpectCounted();
}

// A set must not have lines that name what it does not define.
TEST_F(LimitTest, LinesThatNeedALostDefinitionAreLostToo) {
  StartWithThread();
  {
    FullDisk disk(20000);
    for (uint32_t id = 0x100; id < 0x400; id++) {
      char body[64];
      snprintf(body, sizeof body, "%08X,Lshop/Class%u;,\n", id, id);
      Define(&classes_, body);
    }
    EXPECT_NE(Put(10).find("/out.classtable: File too large"), std::string::npos);
    EXPECT_EQ(figures_.events_dropped, 10u);
  }
  Put(10);
  EXPECT_EQ(figures_.events_dropped, 10u);
  output_finish(&output_, "exit");
  ExpectCounted();
}

// A set begins with the living threads. There is no set while a file cannot take them.
TEST_F(LimitTest, ASetThatCannotTakeItsBeginIsLost) {
  StartWithThread();
  for (uint32_t thread = 0x1000; thread < 0x2000; thread++) PutStarted(thread);
  output_flush(&output_);
  uint64_t now = clock_monotonic_ns();
  {
    FullDisk disk(100000);
    Put(1);
    Put(1);
    EXPECT_TRUE(output_.rotation.is_lost);
    for (int i = 1; i <= 3; i++) output_tend(&output_, now += 2 * NS_PER_S);
    EXPECT_TRUE(output_.rotation.is_lost);
    Put(10);
  }
  EXPECT_EQ(figures_.events_dropped, 12u);
  output_tend(&output_, now += 2 * NS_PER_S);
  EXPECT_FALSE(output_.rotation.is_lost);
  Put(10);
  EXPECT_EQ(figures_.events_dropped, 12u);
  output_finish(&output_, "exit");
  EXPECT_TRUE(is_recording_);
  ExpectCounted();
}

// With one set only, the writer waits.
TEST_F(LimitTest, WithoutSetsTheWriterWaits) {
  options_.maxsize = 0;
  StartWithThread();
  {
    FullDisk disk(20000);
    wait_ = [] { return false; };
    EXPECT_NE(Put(1000).find("a file may have 20000 bytes (ulimit -f); the program goes on"),
              std::string::npos);
  }
  EXPECT_EQ(pauses_, std::vector<uint64_t>{NS_PER_S});
  EXPECT_GT(figures_.events_dropped, 0u);
  output_finish(&output_, "exit");
  ExpectCounted();
}

}  // namespace
