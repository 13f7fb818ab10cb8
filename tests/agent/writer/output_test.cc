#include "agent/writer/output.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/agent/writer/output_case.h"
#include "tests/support/full_disk.h"

namespace {

uint64_t CountOf(const std::string &part, const std::string &text) {
  uint64_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at++) count++;
  return count;
}

TEST_F(OutputTest, FlushesLargeOutputWithoutARequest) {
  StartRecording();
  for (int i = 0; i < 10000; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  EXPECT_GT(ReadText(".orca").size(), 200000u);
}

TEST_F(OutputTest, WritesStatisticsOfAllPartsAtTheEnd) {
  StartRecording();
  PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  figures_.events_waited = 1;
  figures_.sampler = "safepoint";
  missing_hooks_set_row(&figures_.missing_hooks, 3, "A.f()V: it is native");
  output_finish(&output_, "flush");
  for (const char *line :
       {"end.reason=flush", "events.written=1", "events.dropped=0", "samples.written=0",
        "writer.wakeups=2", "events.waited=1", "sampler=safepoint", "locks.full=0",
        "hooks.missing=A.f()V: it is native"}) {
    EXPECT_TRUE(HasInfoLine(line)) << line;
  }
}

TEST_F(OutputTest, SaysThatTheTableOfLockCountsWasFull) {
  StartRecording();
  uint32_t lock = 1;
  while (LockTable::Add(lock_counts_, lock, lock, /* has_sides */ false) != 0) lock++;
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("locks.full=1"));
}

TEST_F(OutputTest, StopsWithOneMessageAtTheFirstFailedFile) {
  StartRecording();
  close(output_.files[FILE_EVENTS].fd);
  output_.files[FILE_EVENTS].fd = open("/dev/full", O_WRONLY);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; i++) {
    PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
    output_flush(&output_);
  }
  std::string messages = testing::internal::GetCapturedStderr();
  EXPECT_EQ(messages.find("cannot write"), messages.rfind("cannot write")) << messages;
  EXPECT_FALSE(is_recording_);
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("end.reason=error"));
}

// Makes the disk full, and empty again when the writer has waited for room twice.
struct FullFile {
  FullFile(struct output *o, enum file file) : fd(o->files[file].fd), real(dup(fd)) {
    int full = open("/dev/full", O_WRONLY);
    dup2(full, fd);
    close(full);
    o->statistics_arg = this;
    o->wait_for_room = [](void *arg, uint64_t) {
      auto *disk = static_cast<FullFile *>(arg);
      if (++disk->waits == 2) dup2(disk->real, disk->fd);
      return disk->waits <= 2;
    };
  }
  ~FullFile() { close(real); }
  int fd, real, waits = 0;
};

TEST_F(OutputTest, WaitsWhileTheDiskIsFullAndLosesNothing) {
  StartRecording();
  FullFile disk(&output_, FILE_EVENTS);
  PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  testing::internal::CaptureStderr();
  output_flush(&output_);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "orca: cannot write " + folder_ +
                "/out.orca: No space left on device; the program goes on, and events are dropped "
                "and counted until there is room\n");
  EXPECT_EQ(disk.waits, 2);
  EXPECT_TRUE(is_recording_);
  EXPECT_TRUE(stall_is_on(&stall_));
  EXPECT_EQ(stall_device_ns(&stall_), 0u);
  EXPECT_EQ(figures_.writer_stalls, 1u);
  EXPECT_EQ(CountOf("\n", ReadText(".orca")), 1u);
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("events.written=1"));
  EXPECT_TRUE(HasInfoLine("events.dropped=0"));
}

TEST_F(OutputTest, DeletesTheOldestSetBeforeItWaits) {
  input_.maxsize = 65536;
  input_.keep = 10;
  StartRecording();
  for (int i = 0; i < 3000; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  size_t sets = output_.rotation.num_finished;
  ASSERT_GE(sets, 1u);
  FullFile disk(&output_, FILE_EVENTS);
  PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  testing::internal::CaptureStderr();
  output_flush(&output_);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "orca: cannot write " + folder_ +
          "/out.orca: No space left on device; the oldest sets of files are deleted for it\n");
  EXPECT_EQ(output_.rotation.num_finished, 0u) << "the disk is full for two attempts more";
  EXPECT_EQ(disk.waits, 2);
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("events.dropped=0"));
}

// For each moment at which the disk can become full.
TEST_F(OutputTest, CountsExactlyTheLinesInTheFilesWhenTheDiskIsFull) {
  static struct stack stack = {};  // never freed
  stack.text = "0";
  stack.text_len = 1;
  for (rlim_t size = 1; size < 4000; size += 37) {
    SCOPED_TRACE(size);
    StartRecording();
    is_recording_ = true;
    figures_begin(&figures_);
    stack.sample_id = 0;
    testing::internal::CaptureStderr();
    {
      FullDisk disk(size + 1000);  // there is room for the start of .info
      for (uint32_t i = 0; i < 100; i++) {
        PutEvent(EVENT_THREAD_ENDED, i + 1, 5 + i);
        PutSample(i + 1, i % 3 == 0 ? nullptr : &stack);
        if (i % 2 == 0) PutSample(i + 1, nullptr);
        if (i % 10 == 0) output_flush(&output_);
      }
      output_flush(&output_);
    }
    output_finish(&output_, "exit");
    testing::internal::GetCapturedStderr();
    std::string samples = ReadText(".samples");
    uint64_t num_events = CountOf("\n", ReadText(".orca")),
             num_samples = CountOf(",Sample,", samples);
    EXPECT_TRUE(HasInfoLine("events.written=" + std::to_string(num_events)));
    EXPECT_TRUE(HasInfoLine("samples.written=" + std::to_string(num_samples)));
    uint64_t dropped = 250 - num_events - num_samples;
    EXPECT_TRUE(HasInfoLine("events.dropped=" + std::to_string(dropped))) << ReadText(".info");
    EXPECT_EQ(CountOf("events.lost=", ReadText(".info")) > 0, dropped > 0);
    EXPECT_EQ(HasInfoLine("end.reason=error"), dropped > 0);
    EXPECT_EQ(output_.events, num_events);
    EXPECT_EQ(output_.samples, num_samples);
    output_end(&output_);
  }
}

TEST_F(OutputTest, BeginsTheNextSetWhenOneIsLargeEnough) {
  input_.maxsize = 65536;
  input_.keep = 2;
  StartRecording();
  for (int i = 0; i < 10000; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  output_finish(&output_, "exit");
  EXPECT_GT(output_.rotation.number, 4u);
  EXPECT_LT(ReadText(".orca").size(), 2u * 65536);
  size_t sets = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder_)) {
    sets += entry.path().extension() == ".orca";
  }
  EXPECT_EQ(sets, 2u);
}

TEST_F(OutputTest, NamesTheFileThatCannotBeMade) {
  std::filesystem::create_directory(folder_ + "/out.samples");
  EXPECT_NE(OpenFiles().find("cannot write " + folder_ + "/out.samples: "), std::string::npos);
  char error[1024] = "";
  EXPECT_FALSE(output_try(&output_, (folder_ + "/out").c_str(), error, sizeof error));
  EXPECT_NE(std::string(error).find("out.samples"), std::string::npos);
}

TEST_F(OutputTest, TryLeavesNoFile) {
  char error[1024] = "";
  EXPECT_TRUE(output_try(&output_, (folder_ + "/out").c_str(), error, sizeof error));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
