#include "agent/files/snapshot.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "agent/files/set_files.h"
#include "tests/agent/files/define.h"
#include "tests/agent/files/in_folder.h"
#include "tests/agent/files/left_recording.h"
#include "tests/agent/files/output_case.h"
#include "tests/support/full_disk.h"

namespace {
int link_error = 0;  // the file system has no links; 0: it has
}

extern "C" {
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
}

int __wrap_link(const char *from, const char *to) {
  if (link_error == 0) return __real_link(from, to);
  errno = link_error;
  return -1;
}

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

class SnapshotOfRotationTest : public SnapshotTest {
 protected:
  SnapshotOfRotationTest() { options_.maxsize = 65536; }
};

TEST_F(SnapshotOfRotationTest, HasEachEventOnce) {
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
TEST_F(SnapshotOfRotationTest, RefusesWhileTheFilesAreMoved) {
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

TEST_F(SnapshotOfRotationTest, HasAllSetsThatWereThere) {
  options_.keep = 2;
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
TEST_F(SnapshotOfRotationTest, TakesNoSetFromTheRecording) {
  options_.keep = 2;
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

TEST_F(SnapshotOfRotationTest, LeavesOutSetsThatEndedTooLongAgo) {
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

TEST_F(SnapshotOfRotationTest, RefusesANameThatExists) {
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

TEST_F(SnapshotOfRotationTest, RefusesIfTheCurrentSetCannotEnd) {
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

// A recording with one finished set, number 7. Each of its files contains its name.
class SnapshotFilesTest : public DumpFolderTest {
 protected:
  void SetUp() override {
    DumpFolderTest::SetUp();
    for (const char *suffix : file_suffixes) {
      WriteFile(std::string("out.0007") + suffix, std::string(suffix) + " of 7\n");
    }
    name_ = folder_ + "/snap";
    snap_.name = name_.c_str();
    link_error = 0;
  }
  nlink_t CountLinks(const std::string &name) const {
    struct stat st = {};
    EXPECT_EQ(stat((folder_ + "/" + name).c_str(), &st), 0) << name;
    return st.st_nlink;
  }
  void ExpectFinishedSet() const {
    for (const char *suffix : file_suffixes) {
      EXPECT_EQ(ReadText(std::string("snap.0007") + suffix), std::string(suffix) + " of 7\n");
    }
  }

  std::string name_;
  struct snapshot_files snap_ = {};
};

TEST_F(SnapshotFilesTest, LinksTheFilesOfAFinishedSet) {
  ASSERT_TRUE(snapshot_files_add(&snap_, files_, 7));
  ExpectFinishedSet();
  for (const char *suffix : file_suffixes) {
    EXPECT_EQ(CountLinks(std::string("snap.0007") + suffix), 2u);
  }
  set_files_delete(files_, 7);
  ExpectFinishedSet();
  snapshot_files_remove(&snap_, 7);
  EXPECT_EQ(ListNames().size(), size_t{NUM_FILES});
}

TEST_F(SnapshotFilesTest, CopiesTheFilesWhereLinksAreImpossible) {
  std::string large(1000000, 'x');
  WriteFile("out.0007.samples", large);
  for (int error : {EXDEV, EPERM, EOPNOTSUPP, EMLINK}) {
    link_error = error;
    ASSERT_TRUE(snapshot_files_add(&snap_, files_, 7)) << error;
    EXPECT_EQ(ReadText("snap.0007.samples"), large);
    EXPECT_EQ(ReadText("snap.0007.orca"), ".orca of 7\n");
    EXPECT_EQ(CountLinks("snap.0007.orca"), 1u);
    struct stat st = {};
    EXPECT_EQ(stat((name_ + ".0007.orca").c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 07777, 0600u);
    snapshot_files_remove(&snap_, 7);
  }
  link_error = ENOSPC;  // a copy would fail too
  EXPECT_FALSE(snapshot_files_add(&snap_, files_, 7));
  EXPECT_EQ(errno, ENOSPC);
}

TEST_F(SnapshotFilesTest, CopiesTheCurrentSetUpToItsLastFlush) {
  builder_string(&files_[FILE_EVENTS].lines, "one\n");
  ASSERT_TRUE(dump_file_flush(&files_[FILE_EVENTS]));
  builder_string(&files_[FILE_EVENTS].lines, "two\n");
  WriteFile("out.orca", "one\nmore\n");
  ASSERT_TRUE(snapshot_files_add(&snap_, files_, 0));
  EXPECT_EQ(ReadText("snap.orca"), "one\n");
  EXPECT_EQ(CountLinks("snap.orca"), 1u);
  EXPECT_EQ(CountLinks("out.orca"), 1u);
}

TEST_F(SnapshotFilesTest, LeavesNoFileOfASetThatFails) {
  for (int error : {0, EXDEV}) {
    link_error = error;
    for (const char *suffix : file_suffixes) {
      std::string other = std::string("snap.0007") + suffix;
      WriteFile(other, "precious\n");
      EXPECT_FALSE(snapshot_files_add(&snap_, files_, 7));
      EXPECT_EQ(errno, EEXIST);
      EXPECT_EQ(snap_.path, folder_ + "/" + other);
      EXPECT_EQ(ReadText(other), "precious\n");
      EXPECT_EQ(ListNames().size(), 2u * NUM_FILES + 1);
      std::filesystem::remove(folder_ + "/" + other);
    }
  }
}

TEST_F(SnapshotFilesTest, FindsFilesOfTheSecondPrefix) {
  EXPECT_FALSE(snapshot_files_exist(&snap_));
  for (const char *name : {"snap.orca", "snap.info", "snap.0001.counts", "snap.12345.orca"}) {
    WriteFile(name, "");
    EXPECT_TRUE(snapshot_files_exist(&snap_));
    EXPECT_EQ(snap_.path, folder_ + "/" + name);
    std::filesystem::remove(folder_ + "/" + name);
  }
  for (const char *name : {"snap", "snap.txt", "snap2.orca", "snap.001.orca"}) WriteFile(name, "");
  EXPECT_FALSE(snapshot_files_exist(&snap_));
}

TEST_F(SnapshotFilesTest, KnowsWhereItCanWrite) {
  EXPECT_TRUE(snapshot_files_can_write(&snap_));
  name_ = folder_ + "/no/snap";
  snap_.name = name_.c_str();
  EXPECT_FALSE(snapshot_files_can_write(&snap_));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(snap_.path, name_ + ".orca");
}

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

class TriggerFilesOfRotationTest : public TriggerFilesTest {
 protected:
  TriggerFilesOfRotationTest() {
    options_.maxsize = 65536;
    options_.keep = 2;
  }
};

TEST_F(TriggerFilesOfRotationTest, KeepsWhatTheRecordingDeletesLater) {
  StartRecording();
  PutEvents(100);
  EXPECT_EQ(Add(), "; the files up to now are kept as " + Name(1) + ".*");
  while (output_.rotation.number < 6) PutEvents(1);
  EXPECT_EQ(CountEvents(1), 100u);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/out.0001.orca"));
}

TEST_F(TriggerFilesOfRotationTest, KeepsTheFirstAndTheNewest) {
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
TEST_F(TriggerFilesOfRotationTest, LeavesFilesAloneThatItHasNotMade) {
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

TEST_F(TriggerFilesOfRotationTest, SaysWhyItKeepsNothing) {
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
