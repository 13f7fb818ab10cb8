#include "agent/writer/snapshot.h"

#include <set>

#include "tests/agent/writer/define.h"
#include "tests/agent/writer/left_recording.h"
#include "tests/agent/writer/output_case.h"
#include "tests/support/full_disk.h"

namespace {

// Events are begins and ends of threads, so a reader can tell which there are.
class SnapshotTest : public OutputTest {
 protected:
  void Start() {
    StartRecording();
    Define(&classes_, "000000C1,Ljava/lang/Thread;,Thread.java\n");
  }
  // Puts the begin and the end of so many threads.
  void PutThreads(uint32_t num) {
    for (uint32_t end = num_threads_ + num; num_threads_ < end;) {
      char object[32];
      snprintf(object, sizeof object, "%08X,000000C1\n", ++num_threads_);
      Define(&objects_, object);
      PutThread(EVENT_THREAD_STARTED);
      PutThread(EVENT_THREAD_ENDED);
    }
  }
  void PutThread(enum event_kind kind) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.thread = num_threads_;
    r.time_ns = clock_monotonic_ns();
    if (kind == EVENT_THREAD_STARTED) {
      r.u.name.text = strdup("worker");
      r.u.name.len = strlen("worker");
    }
    output_put(&output_, &r);
  }
  std::string Name(const std::string &name) const { return folder_ + "/" + name; }
  // Returns the error, "" without one.
  std::string Make(const std::string &name, uint64_t last_ns = SNAPSHOT_ALL) {
    made_ = {};
    snprintf(made_.name, sizeof made_.name, "%s", Name(name).c_str());
    made_.last_ns = last_ns;
    bool good = snapshot_make(&made_, &output_);
    EXPECT_EQ(good, *made_.error == '\0');
    return made_.error;
  }
  size_t CountFiles() const {
    auto files = std::filesystem::directory_iterator(folder_);
    return static_cast<size_t>(std::distance(begin(files), end(files)));
  }
  // Expects a recording without a fault, that has the events of these threads once each.
  void ExpectThreads(const LeftRecording &r, uint32_t first, uint32_t last) {
    EXPECT_EQ(r.error, "");
    EXPECT_EQ(r.faults, std::vector<std::string>{});
    EXPECT_EQ(r.missing, 0u);
    std::vector<std::pair<unsigned, std::string>> expected;
    for (uint32_t thread = first; thread <= last; thread++) {
      expected.emplace_back(thread, "ThreadStarted");
      expected.emplace_back(thread, "ThreadEnded");
    }
    EXPECT_EQ(r.events, expected);
  }

  struct snapshot made_ = {};
  uint32_t num_threads_ = 0;
};

class SnapshotOfSetsTest : public SnapshotTest {
 protected:
  SnapshotOfSetsTest() { input_.maxsize = 65536; }
};

TEST_F(SnapshotOfSetsTest, HasEachEventOnce) {
  Start();
  for (int i = 1; i <= 4; i++) {
    PutThreads(700);
    ASSERT_EQ(Make("snap" + std::to_string(i)), "");
    LeftRecording snap = ReadLeftRecording(Name("snap" + std::to_string(i)));
    ExpectThreads(snap, 1, num_threads_);
    EXPECT_EQ(snap.end_reason, "snapshot");
    EXPECT_EQ(made_.num_sets, snap.sets.size());
    EXPECT_FALSE(made_.is_copy);
  }
  EXPECT_GT(made_.num_sets, 4u);
  PutThreads(700);
  output_finish(&output_, "exit");
  ExpectThreads(ReadLeftRecording(Name("out")), 1, num_threads_);
  ExpectThreads(ReadLeftRecording(Name("snap1")), 1, 700);
}

// The oldest set would be deleted when the current one ends.
TEST_F(SnapshotOfSetsTest, RefusesWhileTheFilesAreMoved) {
  Start();
  PutThreads(10);
  output_flush(&output_);
  std::filesystem::create_directory(Name("away"));
  for (const char *suffix : file_suffixes)
    std::filesystem::rename(Name(std::string("out") + suffix),
                            Name(std::string("away/out") + suffix));
  EXPECT_EQ(Make("snap"), "somebody has moved the files that the snapshot needs");
  EXPECT_FALSE(output_.failed);
  PutThreads(10);
  EXPECT_EQ(Make("snap"), "");
  std::filesystem::remove_all(Name("away"));
}

TEST_F(SnapshotOfSetsTest, HasAllSetsThatWereThere) {
  input_.keep = 2;
  Start();
  while (output_.rotation.number < 3) PutThreads(1);
  LeftRecording before = ReadLeftRecording(Name("out"));
  ASSERT_EQ(before.sets.size(), 2u);
  PutThreads(1);
  ASSERT_EQ(Make("snap"), "");
  LeftRecording snap = ReadLeftRecording(Name("snap"));
  EXPECT_EQ(snap.sets, (std::vector<unsigned>{2, 3}));
  ExpectThreads(snap, snap.events[0].first, num_threads_);
  uint32_t at_snapshot = num_threads_;
  while (output_.rotation.number < 8) PutThreads(1);
  ExpectThreads(ReadLeftRecording(Name("snap")), snap.events[0].first, at_snapshot);
  EXPECT_FALSE(std::filesystem::exists(Name("out.0003.orca")));
}

// Snapshots do not make the past shorter that a recording keeps.
TEST_F(SnapshotOfSetsTest, TakesNoSetFromTheRecording) {
  input_.keep = 2;
  Start();
  while (output_.rotation.number < 3) PutThreads(1);
  uint32_t first = ReadLeftRecording(Name("out")).events[0].first;
  for (int i = 0; i < 5; i++) {
    PutThreads(1);
    ASSERT_EQ(Make("snap" + std::to_string(i)), "");
    ExpectThreads(ReadLeftRecording(Name("snap" + std::to_string(i))), first, num_threads_);
  }
  output_flush(&output_);
  ExpectThreads(ReadLeftRecording(Name("out")), first, num_threads_);
}

TEST_F(SnapshotOfSetsTest, LeavesOutSetsThatEndedTooLongAgo) {
  Start();
  while (output_.rotation.number < 4) PutThreads(1);
  struct finished_set *finished = output_.rotation.finished;
  finished[0].end_ns -= 300 * NS_PER_S;
  finished[1].end_ns -= 100 * NS_PER_S;
  finished[1].start_ns = finished[0].end_ns;
  ASSERT_EQ(Make("snap", 200 * NS_PER_S), "");
  EXPECT_EQ(ReadLeftRecording(Name("snap")).sets, (std::vector<unsigned>{2, 3, 4}));
  EXPECT_EQ(made_.num_sets, 3u);
  EXPECT_GE(made_.span_ns, 300 * NS_PER_S);
  EXPECT_LT(made_.span_ns, 400 * NS_PER_S);
  ASSERT_EQ(Make("now", 1), "");
  EXPECT_EQ(ReadLeftRecording(Name("now")).sets, std::vector<unsigned>{5});
}

TEST_F(SnapshotOfSetsTest, RefusesANameThatExists) {
  Start();
  PutThreads(10);
  std::ofstream(Name("old.0003.samples")) << "precious\n";
  size_t files = CountFiles();
  EXPECT_EQ(Make("old"), Name("old.0003.samples") + " exists; a snapshot needs a new NAME");
  EXPECT_EQ(Make("out").find(Name("out.")), 0u);
  EXPECT_EQ(Make("no/snap"), "cannot write " + Name("no/snap.orca") +
                                 ": No such file or directory; NAME has to be a path in a folder "
                                 "that exists");
  EXPECT_EQ(CountFiles(), files);
  EXPECT_EQ(output_.rotation.number, 1u);  // no set ended
  PutThreads(10);
  output_finish(&output_, "exit");
  ExpectThreads(ReadLeftRecording(Name("out")), 1, num_threads_);
}

TEST_F(SnapshotOfSetsTest, RefusesIfTheCurrentSetCannotEnd) {
  Start();
  PutThreads(10);
  std::ofstream(Name("out.next.orca")) << "of another recording\n";
  testing::internal::CaptureStderr();
  EXPECT_EQ(Make("snap"), "the current set of files cannot end: File exists");
  testing::internal::GetCapturedStderr();
  PutThreads(10);
  output_finish(&output_, "exit");
  ExpectThreads(ReadLeftRecording(Name("out")), 1, num_threads_);
  EXPECT_FALSE(std::filesystem::exists(Name("snap.0001.orca")));
}

TEST_F(SnapshotTest, CopiesARecordingInOneSet) {
  Start();
  for (int i = 1; i <= 3; i++) {
    PutThreads(100);
    ASSERT_EQ(Make("snap" + std::to_string(i)), "");
    EXPECT_TRUE(made_.is_copy);
    EXPECT_EQ(made_.num_sets, 1u);
  }
  std::string info = ReadText(".info");
  EXPECT_EQ(info.find("end.reason"), std::string::npos) << info;
  PutThreads(100);
  output_finish(&output_, "exit");
  ExpectThreads(ReadLeftRecording(Name("out")), 1, 400);
  for (uint32_t i = 1; i <= 3; i++) {
    LeftRecording snap = ReadLeftRecording(Name("snap" + std::to_string(i)));
    ExpectThreads(snap, 1, 100 * i);
    EXPECT_EQ(snap.end_reason, "snapshot");
  }
}

TEST_F(SnapshotTest, LeavesNothingOfACopyThatHasNoRoom) {
  Start();
  PutThreads(1000);
  output_flush(&output_);
  size_t files = CountFiles();
  {
    FullDisk disk(20000);
    EXPECT_NE(Make("snap").find("cannot write " + Name("snap.")), std::string::npos) << made_.error;
  }
  EXPECT_EQ(CountFiles(), files);
  PutThreads(100);
  output_finish(&output_, "exit");
  ExpectThreads(ReadLeftRecording(Name("out")), 1, num_threads_);
}

TEST_F(SnapshotTest, RefusesAfterTheRecordingFailed) {
  Start();
  {
    FullDisk disk(600);
    testing::internal::CaptureStderr();
    PutThreads(1000);
    output_flush(&output_);
    testing::internal::GetCapturedStderr();
  }
  EXPECT_EQ(Make("snap"), "the recording has ended, as a file could not be written");
  is_recording_ = true;
}

}  // namespace
