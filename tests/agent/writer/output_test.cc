#include "agent/writer/output.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/agent/writer/output_case.h"

namespace {

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
        "writer.wakeups=2", "events.waited=1", "sampler=safepoint", "locks.uncounted=0",
        "hooks.missing=A.f()V: it is native"}) {
    EXPECT_TRUE(HasInfoLine(line)) << line;
  }
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
