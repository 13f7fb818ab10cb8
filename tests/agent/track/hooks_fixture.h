#pragma once
// Calls the hooks as an engine does, on a thread of the fake JVM.
#include "agent/lock/counted_locks.h"
#include "agent/track/hooks.h"

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/agent/track/kept_hooks.h"
#include "tests/support/fake_locks.h"
#include "tests/support/recording.h"

inline int FindRow(const char *klass, const char *name, const char *descriptor) {
  int row = tracked_find(klass, name, descriptor);
  EXPECT_GE(row, 0) << klass << name << descriptor;
  return row;
}

class HooksTest : public testing::Test {
 protected:
  explicit HooksTest(const std::string &options = "overflow=drop") : r_(options) {}
  ~HooksTest() override { counted_locks_end(hooks_->lock_counts, r_.jni); }

  // Enters a tracked method. Its frame is at the top of the stack, or below the frame of a hook
  // that it has called.
  void Enter(int row, FakeObject *object, enum hook_place place = HOOK_ON_TOP) {
    Push({FindMethod(row), 5});
    rows_.push_back(row);
    if (place == HOOK_CALLED) Push({hook_->Id(), 3});
    hook_enter(hooks_, r_.jni, row, object == nullptr ? nullptr : object->Ref(), place);
    if (place == HOOK_CALLED) Pop();
  }
  // Exits the method that was entered last.
  void Exit(bool failed = false, enum hook_place place = HOOK_ON_TOP) {
    if (place == HOOK_CALLED) Push({hook_->Id(), 3});
    hook_exit(hooks_, r_.jni, rows_.empty() ? wait_ : rows_.back(), failed, place);
    if (place == HOOK_CALLED) Pop();
    if (!rows_.empty()) rows_.pop_back();
    Pop();
  }
  // Enters and exits the method. Returns the new events.
  Lines Call(int row, FakeObject *object, bool failed = false) {
    Enter(row, object);
    Exit(failed);
    return r_.Events();
  }

  void Push(const jvmtiFrameInfo &frame) { now_->frames.insert(now_->frames.begin(), frame); }
  void Pop() {
    if (!now_->frames.empty()) now_->frames.erase(now_->frames.begin());
  }
  // Pushes frames of a method that is not tracked.
  void PushFrames(FakeMethod *method, int times = 1) {
    for (int i = 0; i < times; i++) Push({method->Id(), 7});
  }
  jmethodID FindMethod(int row) {
    FakeMethod *&method = methods_[row];
    if (method == nullptr) {
      method = r_.jvm.AddMethod(klass_, tracked[row].name, tracked[row].descriptor);
    }
    return method->Id();
  }

  // Returns the changed counts of the locks: "LockAcquired,00000010,3".
  Lines TakeCounts() {
    Lines lines;
    auto tell = [](void *arg, enum event_kind kind, uint32_t object, uint64_t count) {
      char line[80];
      snprintf(line, sizeof line, "%s,%08X,%d", event_infos[kind].name, object,
               static_cast<int>(count));
      static_cast<Lines *>(arg)->push_back(line);
    };
    lock_counts_report_changed(hooks_->lock_counts, tell, &lines);
    return lines;
  }

  Recording r_;
  FakeClass *klass_ = r_.jvm.AddClass("LA;", 0xC1);
  FakeObject *lock_ = r_.jvm.AddObject(klass_, 0x10);
  std::vector<int> rows_; /* of the calls that were entered and not exited */
  FakeMethod *hook_ = r_.jvm.AddMethod(klass_, "hook", "()V");
  FakeMethod *inner_ = r_.jvm.AddMethod(klass_, "inner", "()V");  // a method of the JDK
  FakeClass *program_class_ = r_.jvm.AddClass("LMain;", 0xC2);
  FakeMethod *program_ = r_.jvm.AddMethod(program_class_, "main", "()V");
  FakeLocks locks_{&r_.jvm};
  std::map<int, FakeMethod *> methods_;
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA), *now_ = thread_;
  FakeJvm::Running running_{thread_};
  struct hooks *hooks_ = MakeHooks(r_);

  const int wait_ = FindRow("Ljava/lang/Object;", "wait", "()V");
  const int timed_wait_ = FindRow("Ljava/lang/Object;", "wait", "(J)V");
  const int notify_ = FindRow("Ljava/lang/Object;", "notify", "()V");
  const int join_ = FindRow("Ljava/lang/Thread;", "join", "()V");
  const int sleep_ = FindRow("Ljava/lang/Thread;", "sleep", "(J)V");
  const int hidden_ = FindRow("Ljava/lang/VirtualThread;", "unpark", "()V");
  const int cover_ =
      FindRow("Ljava/lang/VirtualThread;", "start", "(Ljdk/internal/vm/ThreadContainer;)V");
  const int pinned_ = FindRow("Ljava/lang/VirtualThread;", "parkOnCarrierThread", "(ZJ)V");
  const int lock_row_ = FindRow("Ljava/util/concurrent/locks/ReentrantLock;", "lock", "()V");
};
