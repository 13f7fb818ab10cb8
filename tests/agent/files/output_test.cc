#include "agent/files/output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "agent/base/clock.h"
#include "agent/event/line.h"
#include "agent/files/snapshot.h"
#include "agent/record/stack.h"
#include "gtest/gtest.h"
#include "tests/agent/files/define.h"
#include "tests/agent/files/output_case.h"
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
  clock_loops_add(&figures_.clock_loops, 0x63, 0x5B, 0x70);
  output_finish(&output_, "flush");
  for (const char *line :
       {"end.reason=flush", "events.written=1", "events.dropped=0", "samples.written=0",
        "writer.wakeups=2", "events.waited=1", "sampler=safepoint", "locks.full=0",
        "hooks.missing=A.f()V: it is native", "clock.loops=00000063;0000005B;00000070"}) {
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
  options_.maxsize = 65536;
  options_.keep = 10;
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
  options_.maxsize = 65536;
  options_.keep = 2;
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

class DeletedFilesTest : public OutputTest {
 protected:
  // Looks for the files as the writer does, some seconds later each time. Returns stderr.
  std::string Look() {
    now_ns_ += 2 * NS_PER_S;
    testing::internal::CaptureStderr();
    output_tend(&output_, now_ns_);
    return testing::internal::GetCapturedStderr();
  }
  void PutEvents(int num) {
    for (int i = 0; i < num; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, clock_monotonic_ns());
    output_flush(&output_);
  }
  void DeleteFolder() { std::filesystem::remove_all(folder_); }
  void MakeFolder() { std::filesystem::create_directory(folder_); }
  off_t ReadSize(enum file file) const {
    struct stat st = {};
    EXPECT_EQ(fstat(output_.files[file].fd, &st), 0);
    return st.st_size;
  }
  size_t CountEvents() const {
    std::string text = ReadText(".orca"), kind = ",ThreadEnded,";
    size_t num = 0;
    for (size_t at = 0; (at = text.find(kind, at)) != std::string::npos; at++) num++;
    return num;
  }

  uint64_t now_ns_ = clock_monotonic_ns();
};

TEST_F(DeletedFilesTest, FilesThatAreThereChangeNothing) {
  StartRecording();
  PutEvents(2);
  EXPECT_EQ(Look(), "");
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("events.written=2"));
}

TEST_F(DeletedFilesTest, OneSetEndsWithOneMessage) {
  StartRecording();
  PutEvents(3);
  unlink((folder_ + "/out.orca").c_str());
  EXPECT_EQ(Look(),
            "orca: " + folder_ + "/out.orca was deleted; recording stops, the program goes on\n");
  EXPECT_EQ(Look(), "");
  EXPECT_FALSE(is_recording_);
  EXPECT_EQ(figures_.events_dropped, 3u);
  EXPECT_EQ(output_.events, 0u);
  EXPECT_EQ(ReadSize(FILE_EVENTS), 0) << "a deleted file needs no space";
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("end.reason=error"));
  EXPECT_TRUE(HasInfoLine("events.written=0"));
  EXPECT_TRUE(HasInfoLine("events.dropped=3"));
}

TEST_F(DeletedFilesTest, TheNextSetBeginsAndHasTheLoss) {
  options_.maxsize = 1000000;
  StartRecording();
  PutEvents(3);
  DeleteFolder();
  EXPECT_EQ(Look(), "orca: " + folder_ +
                        "/out.orca was deleted; events are dropped and counted until the next "
                        "set of files, which Orca tries to begin every second\n");
  EXPECT_TRUE(stall_lacks_files(&stall_));
  PutEvents(2);
  EXPECT_EQ(Look(), "");  // there is no folder yet
  EXPECT_EQ(figures_.events_dropped, 5u);
  EXPECT_EQ(output_.events, 0u);
  MakeFolder();
  EXPECT_EQ(Look(), "");
  EXPECT_FALSE(stall_lacks_files(&stall_));
  PutEvents(4);
  output_finish(&output_, "exit");
  EXPECT_EQ(CountEvents(), 4u);
  EXPECT_EQ(output_.events, 4u);
  for (const char *line : {"set.number=2", "events.written=4", "events.dropped=5", "sets.delayed=0",
                           "end.reason=exit"}) {
    EXPECT_TRUE(HasInfoLine(line)) << line << ReadText(".info");
  }
  std::string info = ReadText(".info");
  size_t lost = info.find("events.lost=");
  ASSERT_NE(lost, std::string::npos) << info;
  EXPECT_EQ(info.substr(info.find('\n', lost) - 2, 2), ",5") << info;
}

TEST_F(DeletedFilesTest, ASetThatLacksAFileIsDeleted) {
  options_.maxsize = 1000000;
  StartRecording();
  PutEvents(1);
  unlink((folder_ + "/out.samples").c_str());
  EXPECT_NE(Look(), "");
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_EQ(Look(), "");
  EXPECT_TRUE(HasInfoLine("set.number=2"));
}

TEST_F(DeletedFilesTest, EndsWithoutFiles) {
  options_.maxsize = 1000000;
  StartRecording();
  PutEvents(1);
  DeleteFolder();
  EXPECT_NE(Look(), "");
  output_finish(&output_, "exit");
  output_end(&output_);
  EXPECT_FALSE(std::filesystem::exists(folder_));
  MakeFolder();  // the next recording, in one set, is complete
  options_.maxsize = 0;
  StartRecording();
  PutEvents(2);
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("events.written=2"));
}

TEST_F(DeletedFilesTest, ASnapshotCannotEndALostSet) {
  options_.maxsize = 1000000;
  StartRecording();
  PutEvents(1);
  DeleteFolder();
  EXPECT_NE(Look(), "");
  struct snapshot s = {};
  snprintf(s.name, sizeof s.name, "%s.snap", folder_.c_str());
  EXPECT_FALSE(snapshot_make(&s, &output_));
  EXPECT_STREQ(s.error, "the files of the recording were deleted, and there are no new ones yet");
  EXPECT_FALSE(output_.failed);
}

// --- unloaded classes ---------------------------------------------------------------------------

class ForgettingTest : public OutputTest {
 protected:
  // The classes that live now: none.
  void PutLiving() {
    auto *living = static_cast<struct living_classes *>(calloc(1, sizeof(struct living_classes)));
    living->time_ns = clock_monotonic_ns();
    living_classes_put(&living_classes_, living);
  }
  void TearDown() override { living_classes_put(&living_classes_, nullptr); }
};

// A record may name a class until all records from before its end are written.
TEST_F(ForgettingTest, ForgetsUnloadedClassesAfterTheLastRecordThatMayNameThem) {
  static struct stack f; /* until TearDown */
  f.text = "1;00000001;00000000";
  f.text_len = strlen(f.text);
  options_.maxsize = 1000000;
  StartRecording();
  Define(&classes_, "000000C1,LA;,A.java\n");
  Define(&classes_, "000000C2,LB;,\n");
  Define(&methods_, "00000001,f,()V,000000C1,-1\n");
  Define(&methods_, "00000002,g,()V,000000C2,-1\n");
  output_flush(&output_);
  PutSample(0xA, &f);
  output_forget_unloaded(&output_, UINT64_MAX);
  EXPECT_EQ(hashmap_size(&output_.definitions.classes), 2u);
  PutLiving();
  output_forget_unloaded(&output_, clock_monotonic_ns());
  EXPECT_EQ(hashmap_size(&output_.definitions.classes), 2u);
  output_forget_unloaded(&output_, clock_monotonic_ns() + 60 * NS_PER_S);
  EXPECT_EQ(hashmap_size(&output_.definitions.classes), 1u) << "the next set repeats the sample";
  EXPECT_EQ(hashmap_size(&output_.definitions.methods), 1u);
  EXPECT_EQ(living_classes_, nullptr);
}

TEST_F(ForgettingTest, KeepsNothingWithoutANextSet) {
  StartRecording();
  Define(&classes_, "000000C1,LA;,A.java\n");
  Define(&methods_, "00000001,f,()V,000000C1,-1\n");
  PutEvent(EVENT_THREAD_STARTED, 0xA, 5);
  output_flush(&output_);
  PutLiving();
  output_forget_unloaded(&output_, UINT64_MAX);
  EXPECT_NE(living_classes_, nullptr) << "it stays in the slot";
  EXPECT_EQ(hashmap_size(&output_.definitions.classes), 0u);
  EXPECT_EQ(carryover_count(&output_.carryover), 0u);
  EXPECT_NE(ReadText(".classtable").find(",000000C1,LA;,A.java\n"), std::string::npos);
}

}  // namespace
