#pragma once
// Hooks called as an engine calls them, on a thread of the fake JVM.
#include "agent/track/hooks.h"

#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/agent/track/kept_hooks.h"
#include "tests/support/fake_locks.h"
#include "tests/support/recording.h"

inline int Row(const char *klass, const char *name, const char *descriptor) {
  int row = tracked_find(klass, name, descriptor);
  EXPECT_GE(row, 0) << klass << name << descriptor;
  return row;
}

class HooksTest : public testing::Test {
 protected:
  explicit HooksTest(const std::string &options = "overflow=drop") : r_(options) {}

  // A call of a tracked method begins, as an engine tells it: with the method on top of the stack,
  // or a hook of ours that it has called.
  void Enter(int row, FakeObject *object, enum hook_place place = HOOK_ON_TOP) {
    Push({MethodOf(row), 5});
    rows_.push_back(row);
    if (place == HOOK_CALLED) Push({hook_->Id(), 3});
    hook_enter(hooks_, r_.jni, row, object == nullptr ? nullptr : object->Ref(), place);
    if (place == HOOK_CALLED) Pop();
  }
  // The method that began last leaves.
  void Exit(bool failed = false) {
    hook_exit(hooks_, rows_.empty() ? wait_ : rows_.back(), failed);
    if (!rows_.empty()) rows_.pop_back();
    Pop();
  }
  Lines Call(int row, FakeObject *object, bool failed = false) {
    Enter(row, object);
    Exit(failed);
    return r_.Events();
  }

  void Push(const jvmtiFrameInfo &frame) { now_->frames.insert(now_->frames.begin(), frame); }
  void Pop() {
    if (!now_->frames.empty()) now_->frames.erase(now_->frames.begin());
  }
  // A method that is not tracked calls the next one.
  void Between(FakeMethod *method, int times = 1) {
    for (int i = 0; i < times; i++) Push({method->Id(), 7});
  }
  jmethodID MethodOf(int row) {
    FakeMethod *&method = methods_[row];
    if (method == nullptr) {
      method = r_.jvm.AddMethod(klass_, tracked[row].name, tracked[row].descriptor);
    }
    return method->Id();
  }

  // What is counted of each lock: "LockAcquired,00000010,3".
  Lines Counts() {
    Lines lines;
    auto tell = [](void *arg, enum event_kind kind, uint32_t object, uint64_t count) {
      char line[80];
      snprintf(line, sizeof line, "%s,%08X,%d", event_infos[kind].name, object,
               static_cast<int>(count));
      static_cast<Lines *>(arg)->push_back(line);
    };
    lock_counts_changed(hooks_->lock_counts, tell, &lines);
    return lines;
  }

  Recording r_;
  FakeClass *klass_ = r_.jvm.AddClass("LA;", 0xC1);
  FakeObject *lock_ = r_.jvm.AddObject(klass_, 0x10);
  std::vector<int> rows_; /* of the calls under way */
  FakeMethod *hook_ = r_.jvm.AddMethod(klass_, "hook", "()V");
  FakeMethod *inner_ = r_.jvm.AddMethod(klass_, "inner", "()V");  // of the JDK
  FakeClass *program_class_ = r_.jvm.AddClass("LMain;", 0xC2);
  FakeMethod *program_ = r_.jvm.AddMethod(program_class_, "main", "()V");
  FakeLocks locks_{&r_.jvm};
  std::map<int, FakeMethod *> methods_;
  FakeThread *thread_ = r_.jvm.AddThread("T", 0xA), *now_ = thread_;
  FakeJvm::Running running_{thread_};
  struct hooks *hooks_ = KeptHooks(r_);

  const int wait_ = Row("Ljava/lang/Object;", "wait", "()V");
  const int timed_wait_ = Row("Ljava/lang/Object;", "wait", "(J)V");
  const int notify_ = Row("Ljava/lang/Object;", "notify", "()V");
  const int join_ = Row("Ljava/lang/Thread;", "join", "()V");
  const int sleep_ = Row("Ljava/lang/Thread;", "sleep", "(J)V");
  const int pinned_ = Row("Ljava/lang/VirtualThread;", "parkOnCarrierThread", "(ZJ)V");
  const int lock_row_ = Row("Ljava/util/concurrent/locks/ReentrantLock;", "lock", "()V");
};
