#pragma once
// A writer with its files in a temporary folder, and helpers of its tests.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <future>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "agent/event/line.h"
#include "agent/record/stack.h"
#include "agent/writer/writer.h"
#include "gtest/gtest.h"
#include "tests/agent/files/define.h"
#include "tests/agent/files/info_start.h"
#include "tests/support/eventually.h"
#include "tests/support/full_disk.h"
#include "tests/support/lock_table.h"
#include "tests/support/text.h"
#include "tests/support/virtual_time.h"

using Lines = std::vector<std::string>;

// The last line must be complete.
inline Lines SplitFile(const std::string &text) {
  EXPECT_TRUE(text.empty() || text.back() == '\n') << text;
  return SplitLines(text);
}

inline Lines RemoveTimes(Lines lines) {
  for (std::string &line : lines) line.erase(0, line.find(',') + 1);
  return lines;
}

// Returns what is written to stderr while `act` runs.
inline std::string CaptureStderr(const std::function<void()> &act) {
  testing::internal::CaptureStderr();
  act();
  return testing::internal::GetCapturedStderr();
}

// A writer and all of its input.
struct Session {
  std::string prefix;
  struct writer *writer = nullptr;
  struct queue *queue = nullptr;
  struct outbox classes, methods, objects;
  struct object_set *defined_objects = object_set_new(&objects);
  struct living_classes *living_classes = nullptr;
  struct lock_counts *lock_counts = lock_counts_new();
  struct recording_figures figures = {};
  struct stall stall = {};
  bool is_recording = true;
  struct options options = {};
  uint64_t decided_ns = UINT64_MAX;
  const char *triggers = "off";
  unsigned signals = 0;
  struct suspects suspects;
};

class WriterTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = testing::TempDir() + "/writer_XXXXXX";
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
    // Never freed, because the writer thread may still be using it.
    static auto &all = *new std::vector<Session *>;
    all.push_back(session_ = new Session);
    session_->prefix = folder_ + "/out";
    session_->writer = writer_new();
    session_->queue = queue_new(2, 1024, writer_wake, session_->writer);
    figures_init(&session_->figures);
    suspects_init(&session_->suspects);
    for (auto *box : {&session_->classes, &session_->methods, &session_->objects}) {
      outbox_init(box);
    }
  }
  void TearDown() override {
    if (!stopped_) StopRecording();
    std::filesystem::remove_all(folder_);
  }

  // Returns the error message, "" without an error.
  std::string OpenFiles() {
    char error[1024] = "";
    bool good =
        writer_open(session_->writer, session_->prefix.c_str(), nullptr, error, sizeof error);
    EXPECT_EQ(good, *error == '\0');
    return error;
  }
  void StartRecording(uint64_t hold_ns = 0, uint64_t threshold_ns = 0) {
    ASSERT_EQ(OpenFiles(), "");
    struct writer_input input = {};
    input.queue = session_->queue;
    input.classes = &session_->classes;
    input.methods = &session_->methods;
    input.objects = &session_->objects;
    input.defined_objects = session_->defined_objects;
    input.living_classes = &session_->living_classes;
    input.lock_counts = session_->lock_counts;
    input.figures = &session_->figures;
    input.stall = &session_->stall;
    input.decided_ns = &session_->decided_ns;
    input.is_recording = &session_->is_recording;
    input.hold_ns = hold_ns;
    input.options = &session_->options;
    session_->options.threshold = threshold_ns;
    input.signals = &session_->signals;
    input.suspects = &session_->suspects;
    ASSERT_TRUE(triggers_parse(session_->triggers, &session_->options.trigger, nullptr));
    struct info_start start = MakeInfoStart();
    ASSERT_TRUE(writer_start(session_->writer, &input, &start));
    stopped_ = false;
  }
  bool StopRecording(uint64_t limit_ns = kPatienceNs) {
    stopped_ = true;
    return writer_stop(session_->writer, "exit", limit_ns);
  }

  // Waits until all records up to now are in the files, of which it makes a snapshot.
  bool TakeSnapshot(uint64_t limit_ns = kPatienceNs) {
    struct snapshot s = {};
    snapshot_ = folder_ + "/snap" + std::to_string(++num_snapshots_);
    snprintf(s.name, sizeof s.name, "%s", snapshot_.c_str());
    s.last_ns = SNAPSHOT_ALL;
    bool is_made = writer_snapshot(session_->writer, &s, limit_ns);
    snapshot_error_ = s.error;
    return is_made;
  }

  // Starts the next recording, with other files.
  void StartNextRecording() {
    session_->prefix = folder_ + "/next";
    StartRecording();
  }

  void PushRecord(const struct record &r, unsigned lane = 0) {
    while (queue_push(session_->queue, lane, &r) == 0) std::this_thread::yield();
  }
  void PushEvent(enum event_kind kind, uint32_t thread, struct stack *stack = nullptr) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.thread = thread;
    r.stack = stack;
    PushRecord(r);
  }
  // An event of a virtual thread of the class 00000C1A.
  void PushVirtual(enum event_kind kind, uint32_t thread, uint64_t time_ns) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.thread = thread;
    r.time_ns = time_ns;
    bool is_end = kind == EVENT_THREAD_ENDED, is_start = kind == EVENT_THREAD_STARTED;
    r.state = is_start || is_end ? RECORD_VIRTUAL : 0;
    r.owner = is_start ? 0xC1A : 0;
    PushRecord(r);
  }
  void PushSample(uint32_t thread, struct stack *stack) {
    struct record r = {};
    r.kind = RECORD_SAMPLE;
    r.thread = thread;
    r.stack = stack;
    r.u.cpu_ns = 5;
    PushRecord(r);
  }
  void ChangeCount(enum event_kind kind, uint32_t object, int64_t count) {
    LockTable::SetCount(session_->lock_counts, kind, object, static_cast<uint64_t>(count));
  }
  // The writer waits before the last lines of .info until AllowEnd is called.
  void HoldEnd() { pthread_mutex_lock(&session_->figures.missing_hooks.lock); }
  void AllowEnd() { pthread_mutex_unlock(&session_->figures.missing_hooks.lock); }

  std::string ReadText(const char *suffix) const { return ReadFile(session_->prefix + suffix); }
  Lines ReadLines(const char *suffix) const { return SplitLines(ReadText(suffix)); }
  // The lines that are complete. While the writer writes a line, a reader can see a part of it.
  Lines ReadCompleteLines(const char *suffix) const {
    std::string text = ReadText(suffix);
    return SplitLines(text.substr(0, text.rfind('\n') + 1));
  }
  bool HasInfoLine(const std::string &line) const {
    Lines info = ReadCompleteLines(".info");
    return std::count(info.begin(), info.end(), line) == 1;
  }

  std::string folder_;
  Session *session_ = nullptr;
  bool stopped_ = true;
  std::string snapshot_, snapshot_error_;  // the prefix of the last snapshot; why it failed
  int num_snapshots_ = 0;
};

// The time passes only when the test says so. The writer thread is the one that waits.
class WriterInVirtualTimeTest : public WriterTest {
 protected:
  VirtualTime time_{1};
};

inline struct stack MakeSharedStack(const char *text) {
  struct stack s = {};
  s.text = text;
  s.text_len = strlen(text);
  return s;
}
