// Ends the process before every single call on files of a recording in several sets. Whatever is
// left must be a recording without a fault, which has lost no finished set and no flushed line.
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "agent/files/snapshot.h"
#include "tests/agent/files/define.h"
#include "tests/agent/files/left_recording.h"
#include "tests/agent/files/output_case.h"
#include "tests/support/doomed.h"

namespace {

constexpr unsigned kKeep = 3;
constexpr uint32_t kSnapshotAt = 5000;
constexpr uint32_t kThreads = 4000;  // each is an event at its start and one at its end

// What the process knows when it ends, in memory that it shares with the test.
struct Known {
  unsigned number;         // of the current set
  uint32_t flushed;        // the first so many events are on disk
  uintmax_t largest_size;  // of all files together, at any call
};

class KilledTest : public OutputTest {
 protected:
  KilledTest() {
    void *page =
        mmap(nullptr, sizeof(Known), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    known_ = new (page) Known{};
    options_.maxsize = 65536;
    options_.keep = kKeep;
  }
  ~KilledTest() override { munmap(known_, sizeof *known_); }

  void PutThreadEvent(enum event_kind kind, uint32_t index) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.thread = index / 2 + 1;
    r.time_ns = 1000 + index;
    if (kind == EVENT_THREAD_STARTED) {
      r.u.name.text = strdup("worker");
      r.u.name.len = strlen("worker");
    }
    output_put(&output_, &r);
    known_->number = output_.rotation.number;
    if (index % 300 == 299) {
      output_flush(&output_);
      known_->flushed = index + 1;
    }
  }
  void MakeSnapshot() {
    struct snapshot s = {};
    snprintf(s.name, sizeof s.name, "%s/snap", folder_.c_str());
    s.last_ns = SNAPSHOT_ALL;
    EXPECT_TRUE(snapshot_make(&s, &output_)) << s.error;
  }
  // Records the start and the end of each thread, and dies before the given call; 0: does not.
  // Makes a snapshot after so many events; 0: none.
  unsigned long Record(unsigned long call, uint32_t snapshot, void (*watch)() = nullptr) {
    StartRecording();
    doomed_begin(call, watch);
    Define(&classes_, "000000C1,Ljava/lang/Thread;,Thread.java\n");
    for (uint32_t i = 0; i < 2 * kThreads; i++) {
      char object[32];
      snprintf(object, sizeof object, "%08X,000000C1\n", i / 2 + 1);
      if (i % 2 == 0) Define(&objects_, object);
      PutThreadEvent(i % 2 == 0 ? EVENT_THREAD_STARTED : EVENT_THREAD_ENDED, i);
      if (i + 1 == snapshot) MakeSnapshot();
    }
    output_finish(&output_, "exit");
    return doomed_end();
  }
  int RecordInChild(unsigned long call) {
    pid_t pid = fork();
    if (pid == 0) {
      Record(call, kSnapshotAt);
      _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  // The switch to the next set may have begun: then the oldest set may be deleted already.
  void ExpectAllFinishedSets(const LeftRecording &left) {
    std::set<unsigned> numbers(left.sets.begin(), left.sets.end());
    unsigned oldest = known_->number + 1 > kKeep ? known_->number + 2 - kKeep : 1;
    for (unsigned n = oldest; n < known_->number; n++) EXPECT_EQ(numbers.count(n), 1u) << n;
    EXPECT_EQ(left.missing, 0u);
    EXPECT_LE(left.sets.size(), kKeep + 2u);  // the snapshot ended one early
  }
  // The events are consecutive, each is there once, and all flushed ones are there.
  void ExpectAllFlushedEvents(const LeftRecording &left) {
    uint32_t next = 0;
    for (const auto &[thread, name] : left.events) {
      uint32_t index = 2 * (thread - 1) + (name == "ThreadEnded");
      EXPECT_TRUE(next == 0 || index == next) << index << " after " << next;
      next = index + 1;
    }
    EXPECT_GE(next, known_->flushed);
  }
  // A snapshot is not there yet, or what is there has no fault.
  void ExpectSnapshot(const LeftRecording &snap) {
    if (snap.error != "") return;
    EXPECT_EQ(snap.faults, std::vector<std::string>{});
    EXPECT_EQ(snap.missing, 0u);
    uint32_t next = 0;
    for (const auto &[thread, name] : snap.events) {
      uint32_t index = 2 * (thread - 1) + (name == "ThreadEnded");
      EXPECT_TRUE(next == 0 || index == next) << index << " after " << next;
      next = index + 1;
    }
    EXPECT_LE(next, kSnapshotAt);
    num_snapshots_ += next == kSnapshotAt;
  }

 public:
  void MeasureFolder() {
    uintmax_t size = 0;
    for (const auto &entry : std::filesystem::directory_iterator(folder_)) {
      size += entry.file_size();
    }
    known_->largest_size = std::max(known_->largest_size, size);
  }

 protected:
  Known *known_;
  unsigned num_snapshots_ = 0;  // complete ones
};

TEST_F(KilledTest, LeavesAReadableRecordingBeforeEachCall) {
  unsigned long call = 1;
  for (int status = DOOMED_STATUS; status == DOOMED_STATUS && !HasFailure(); call++) {
    SCOPED_TRACE(testing::Message() << "before call " << call);
    *known_ = {};
    status = RecordInChild(call);
    EXPECT_TRUE(status == DOOMED_STATUS || status == 0) << status;
    LeftRecording left = ReadLeftRecording(folder_ + "/out");
    EXPECT_EQ(left.error, "");
    EXPECT_EQ(left.faults, std::vector<std::string>{});
    ExpectAllFinishedSets(left);
    ExpectAllFlushedEvents(left);
    ExpectSnapshot(ReadLeftRecording(folder_ + "/snap"));
    for (const auto &entry : std::filesystem::directory_iterator(folder_)) {
      if (entry.path().stem().stem() == "snap") std::filesystem::remove(entry.path());
    }
  }
  EXPECT_GE(known_->number, kKeep + 2);  // sets were deleted too
  EXPECT_GT(call, 100u);
  EXPECT_GT(num_snapshots_, 0u);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/out.next.orca"));
}

// All sets together are never larger than keep * maxsize, except for what a line of each set adds.
TEST_F(KilledTest, KeepsTheBoundAtEachCall) {
  static KilledTest *test;
  test = this;
  Record(0, 0, [] { test->MeasureFolder(); });
  EXPECT_GT(known_->largest_size, (kKeep - 1) * options_.maxsize);
  EXPECT_LE(known_->largest_size, kKeep * (options_.maxsize + 2000));
}

}  // namespace
