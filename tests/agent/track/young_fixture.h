#pragma once
// A watch of young calls, and a thread with tracked methods. No call is too long to be left out
// until a test says so.
#include <algorithm>
#include <string>
#include <vector>

#include "agent/base/clock.h"
#include "agent/record/stack.h"
#include "agent/track/young_watch.h"
#include "tests/agent/track/hooks_fixture.h"

class YoungCallsTest : public HooksTest {
 protected:
  YoungCallsTest() : HooksTest("overflow=drop,threshold=1s") {
    static auto &all = *new std::vector<struct young_watch *>;  // never freed, as in the agent
    all.push_back(young_ = new struct young_watch);
    EXPECT_TRUE(young_watch_init(young_, r_.threads));
    for (int row : {wait_, timed_wait_, join_, sleep_, acquire_}) AddRow(row);
    hooks_->young = young_;
    program_class_->loader = lock_; /* a class of the program */
    young_watch_follow(young_, r_.ti, r_.jni);
    ForbidLongCalls();
    r_.Records();
  }
  void ForbidLongCalls() { SetThreshold(3600 * NS_PER_S); }
  ~YoungCallsTest() override {
    Stop();
    r_.Records();
  }
  void AddRow(int row) { young_watch_add_method(young_, row, FindMethod(row)); }
  void Stop() {
    young_watch_stop(young_, r_.ti, r_.jni);
    r_.jvm.JoinAgentThreads();
  }
  // From now on every call takes too long to be left out.
  void MakeCallsLong() { SetThreshold(1); }
  void SetThreshold(uint64_t ns) {
    __atomic_store_n(&r_.recorder->options.threshold, ns, __ATOMIC_RELAXED);
  }
  void RecordAll() {
    FakeJvm::Running nobody(watcher_);
    young_watch_record_all(young_, r_.ti, r_.jni);
  }
  uint64_t GetDecided() { return __atomic_load_n(&r_.recorder->decided_ns, __ATOMIC_ACQUIRE); }
  // Returns the sums of the short calls since the last call: "EVENT OBJECT CALLS STACK".
  Lines TakeShort() {
    Lines lines;
    short_calls_take(
        r_.recorder->short_calls, meta_recording(r_.meta),
        [](void *arg, struct short_sum *s) {
          char text[64];
          snprintf(text, sizeof text, "%s %X %d ", event_infos[s->key.kind].name, s->key.object,
                   static_cast<int>(s->calls));
          std::string stack = s->key.stack == nullptr
                                  ? "0"
                                  : std::string(s->key.stack->text, s->key.stack->text_len);
          static_cast<Lines *>(arg)->push_back(text + stack);
        },
        &lines);
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  FakeThread *watcher_ = r_.jvm.AddThread("attached", 0xE);
  struct young_watch *young_ = nullptr;
  const int acquire_ = FindRow("Ljava/util/concurrent/Semaphore;", "acquire", "()V");
  const int park_ = FindRow("Ljava/util/concurrent/locks/LockSupport;", "park", "()V");
};
