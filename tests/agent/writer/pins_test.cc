#include "agent/writer/pins.h"

#include <fstream>

#include "tests/agent/writer/left_recording.h"
#include "tests/agent/writer/output_case.h"

namespace {

class PinsTest : public OutputTest {
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
    pins_add(&pins_, &output_, said, sizeof said);
    return said;
  }
  std::string Name(unsigned number) const {
    return folder_ + "/out.trigger-" + std::to_string(number);
  }
  // Returns how many events a pin has; 0: there is no such pin.
  size_t CountEvents(unsigned number) const {
    return ReadLeftRecording(Name(number)).events.size();
  }

  struct pins pins_ = {};
  uint32_t num_threads_ = 0;
};

TEST_F(PinsTest, ARecordingInOneSetKeepsItsFilesAnyway) {
  StartRecording();
  PutEvents(10);
  EXPECT_EQ(Add(), "");
  EXPECT_EQ(CountEvents(1), 0u);
}

class PinsOfSetsTest : public PinsTest {
 protected:
  PinsOfSetsTest() {
    input_.maxsize = 65536;
    input_.keep = 2;
  }
};

TEST_F(PinsOfSetsTest, KeepsWhatTheRecordingDeletesLater) {
  StartRecording();
  PutEvents(100);
  EXPECT_EQ(Add(), "; the files up to now are kept as " + Name(1) + ".*");
  while (output_.rotation.number < 6) PutEvents(1);
  EXPECT_EQ(CountEvents(1), 100u);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/out.0001.orca"));
}

TEST_F(PinsOfSetsTest, KeepsTheFirstAndTheNewest) {
  StartRecording();
  for (unsigned i = 1; i <= PINS_MAX + 2; i++) {
    PutEvents(10);
    EXPECT_EQ(Add(), "; the files up to now are kept as " + Name(i) + ".*");
  }
  EXPECT_EQ(pins_.num, size_t{PINS_MAX});
  for (unsigned i = 1; i <= PINS_MAX + 2; i++) {
    bool is_kept = i == 1 || i > 3;
    EXPECT_EQ(CountEvents(i), is_kept ? 10u * i : 0u) << i;
    EXPECT_EQ(std::filesystem::exists(Name(i) + ".0001.info"), is_kept) << i;
  }
}

// Those of an earlier recording belong to the user.
TEST_F(PinsOfSetsTest, LeavesFilesAloneThatItHasNotMade) {
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

TEST_F(PinsOfSetsTest, SaysWhyItKeepsNothing) {
  StartRecording();
  PutEvents(10);
  std::ofstream(folder_ + "/out.next.orca") << "in the way\n";
  testing::internal::CaptureStderr();
  EXPECT_EQ(Add(),
            "; the files up to now could not be kept: the current set of files cannot end: File "
            "exists");
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(pins_.num, 0u);
}

}  // namespace
