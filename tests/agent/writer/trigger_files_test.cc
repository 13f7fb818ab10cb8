#include "agent/writer/trigger_files.h"

#include <fstream>

#include "tests/agent/writer/left_recording.h"
#include "tests/agent/writer/output_case.h"

namespace {

class TriggerFilesTest : public OutputTest {
 protected:
  void PutEvents(int num) {
    for (int i = 0; i < num; i++) {
      struct record r = {};
      r.kind = RECORD_EVENT;
      r.event = EVENT_THREAD_ENDED;
      r.thread = ++num_threads_;
      r.time_ns = clock_monotonic_ns();
      output_put(&output_, &r);
    }
  }
  std::string Add() {
    char said[5000];
    trigger_files_keep(&kept_, &output_, said, sizeof said);
    return said;
  }
  std::string Name(unsigned number) const {
    return folder_ + "/out.trigger-" + std::to_string(number);
  }
  // Returns how many events the files of a trigger have; 0: there are none.
  size_t CountEvents(unsigned number) const {
    return ReadLeftRecording(Name(number)).events.size();
  }

  struct trigger_files kept_ = {};
  uint32_t num_threads_ = 0;
};

TEST_F(TriggerFilesTest, ARecordingInOneSetKeepsItsFilesAnyway) {
  StartRecording();
  PutEvents(10);
  EXPECT_EQ(Add(), "");
  EXPECT_EQ(CountEvents(1), 0u);
}

class TriggerFilesOfSetsTest : public TriggerFilesTest {
 protected:
  TriggerFilesOfSetsTest() {
    input_.maxsize = 65536;
    input_.keep = 2;
  }
};

TEST_F(TriggerFilesOfSetsTest, KeepsWhatTheRecordingDeletesLater) {
  StartRecording();
  PutEvents(100);
  EXPECT_EQ(Add(), "; the files up to now are kept as " + Name(1) + ".*");
  while (output_.rotation.number < 6) PutEvents(1);
  EXPECT_EQ(CountEvents(1), 100u);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/out.0001.orca"));
}

TEST_F(TriggerFilesOfSetsTest, KeepsTheFirstAndTheNewest) {
  StartRecording();
  for (unsigned i = 1; i <= TRIGGER_FILES_MAX + 2; i++) {
    PutEvents(10);
    EXPECT_EQ(Add(), "; the files up to now are kept as " + Name(i) + ".*");
  }
  EXPECT_EQ(kept_.num, size_t{TRIGGER_FILES_MAX});
  for (unsigned i = 1; i <= TRIGGER_FILES_MAX + 2; i++) {
    bool is_kept = i == 1 || i > 3;
    EXPECT_EQ(CountEvents(i), is_kept ? 10u * i : 0u) << i;
    EXPECT_EQ(std::filesystem::exists(Name(i) + ".0001.info"), is_kept) << i;
  }
}

// Those of an earlier recording belong to the user.
TEST_F(TriggerFilesOfSetsTest, LeavesFilesAloneThatItHasNotMade) {
  for (unsigned i : {1u, 3u}) std::ofstream(Name(i) + ".0001.orca") << "precious\n";
  StartRecording();
  for (unsigned i : {2u, 4u, 5u, 6u, 7u}) {
    PutEvents(10);
    EXPECT_EQ(Add(), "; the files up to now are kept as " + Name(i) + ".*");
  }
  EXPECT_TRUE(std::filesystem::exists(Name(2) + ".0001.orca"));
  EXPECT_FALSE(std::filesystem::exists(Name(4) + ".0001.orca"));
  for (unsigned i : {1u, 3u}) {
    std::string text;
    std::getline(std::ifstream(Name(i) + ".0001.orca"), text);
    EXPECT_EQ(text, "precious");
  }
}

TEST_F(TriggerFilesOfSetsTest, SaysWhyItKeepsNothing) {
  StartRecording();
  PutEvents(10);
  std::ofstream(folder_ + "/out.next.orca") << "in the way\n";
  testing::internal::CaptureStderr();
  EXPECT_EQ(Add(),
            "; the files up to now could not be kept: the current set of files cannot end: File "
            "exists");
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(kept_.num, 0u);
}

}  // namespace
