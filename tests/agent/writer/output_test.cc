#include "agent/writer/output.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/agent/writer/output_case.h"

namespace {

TEST_F(OutputTest, LargeOutputGoesToTheFilesByItself) {
  Start();
  for (int i = 0; i < 10000; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  EXPECT_GT(Text(".orca").size(), 200000u);
}

TEST_F(OutputTest, TheEndSaysHowFarItIsAndWhatTheOthersAdd) {
  Start();
  PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  output_finish(&output_, "flush");
  for (const char *line : {"end.reason=flush", "events.written=1", "events.dropped=0",
                           "samples.written=0", "of.the.writer=2", "of.the.agent=1"}) {
    EXPECT_TRUE(InfoHas(line)) << line;
  }
}

TEST_F(OutputTest, TheFirstFileThatTakesNoMoreEndsItAndSaysSoOnce) {
  Start();
  close(output_.files[ORCA].fd);
  output_.files[ORCA].fd = open("/dev/full", O_WRONLY);
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; i++) {
    PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
    output_flush(&output_);
  }
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.find("cannot write"), said.rfind("cannot write")) << said;
  EXPECT_EQ(failures_, 1);
  output_finish(&output_, "exit");
  EXPECT_TRUE(InfoHas("end.reason=error"));
}

TEST_F(OutputTest, ASetThatIsLargeEnoughIsFollowedByTheNext) {
  input_.maxsize = 65536;
  input_.keep = 2;
  Start();
  for (int i = 0; i < 10000; i++) PutEvent(EVENT_THREAD_ENDED, 0xA, 5);
  output_finish(&output_, "exit");
  EXPECT_GT(output_.rotation.number, 4u);
  EXPECT_LT(Text(".orca").size(), 2u * 65536);
  size_t sets = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder_)) {
    sets += entry.path().extension() == ".orca";
  }
  EXPECT_EQ(sets, 2u);
}

TEST_F(OutputTest, AFileThatCannotBeMadeIsNamed) {
  std::filesystem::create_directory(folder_ + "/out.samples");
  EXPECT_NE(Open().find("cannot write " + folder_ + "/out.samples: "), std::string::npos);
  char error[1024] = "";
  EXPECT_FALSE(output_try(&output_, (folder_ + "/out").c_str(), error, sizeof error));
  EXPECT_NE(std::string(error).find("out.samples"), std::string::npos);
}

TEST_F(OutputTest, TryingLeavesNothing) {
  char error[1024] = "";
  EXPECT_TRUE(output_try(&output_, (folder_ + "/out").c_str(), error, sizeof error));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
