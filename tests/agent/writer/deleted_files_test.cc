// What the output does when its files are deleted while it writes.
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "agent/base/clock.h"
#include "agent/event/line.h"
#include "agent/writer/output_internal.h"
#include "agent/writer/snapshot.h"
#include "gtest/gtest.h"
#include "tests/agent/writer/output_case.h"

namespace {

class DeletedFilesTest : public OutputTest {
 protected:
  // Looks for the files as the writer does, some seconds later each time. Returns stderr.
  std::string Look() {
    now_ns_ += 2 * NS_PER_S;
    testing::internal::CaptureStderr();
    output_look_for_files(&output_, now_ns_);
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
  input_.maxsize = 1000000;
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
  input_.maxsize = 1000000;
  StartRecording();
  PutEvents(1);
  unlink((folder_ + "/out.samples").c_str());
  EXPECT_NE(Look(), "");
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_EQ(Look(), "");
  EXPECT_TRUE(HasInfoLine("set.number=2"));
}

TEST_F(DeletedFilesTest, EndsWithoutFiles) {
  input_.maxsize = 1000000;
  StartRecording();
  PutEvents(1);
  DeleteFolder();
  EXPECT_NE(Look(), "");
  output_finish(&output_, "exit");
  output_end(&output_);
  EXPECT_FALSE(std::filesystem::exists(folder_));
  MakeFolder();  // the next recording, in one set, is complete
  input_.maxsize = 0;
  StartRecording();
  PutEvents(2);
  output_finish(&output_, "exit");
  EXPECT_TRUE(HasInfoLine("events.written=2"));
}

TEST_F(DeletedFilesTest, ASnapshotCannotEndALostSet) {
  input_.maxsize = 1000000;
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

}  // namespace
