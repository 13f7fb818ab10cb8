#include "sampler/ended_threads.h"

#include <map>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

constexpr uint32_t kRecording = 1;

using CpuTimes = std::map<uint32_t, int64_t>;

CpuTimes TakeAll(struct ended_threads *e) {
  CpuTimes cpu_times;
  ended_threads_take(
      e,
      [](void *arg, uint32_t thread, int64_t cpu_ns) {
        EXPECT_TRUE(static_cast<CpuTimes *>(arg)->emplace(thread, cpu_ns).second);
      },
      &cpu_times);
  return cpu_times;
}

TEST(EndedThreads, AreTakenOnce) {
  struct ended_threads e = {};
  ended_threads_open(&e, kRecording);
  ended_threads_add(&e, kRecording, 0xA, 5);
  ended_threads_add(&e, kRecording, 0xB, 0);
  EXPECT_EQ(TakeAll(&e), (CpuTimes{{0xA, 5}, {0xB, 0}}));
  EXPECT_EQ(TakeAll(&e), CpuTimes{});
  ended_threads_add(&e, kRecording, 0xA, 6);
  EXPECT_EQ(TakeAll(&e), (CpuTimes{{0xA, 6}}));
}

TEST(EndedThreads, AreIgnoredWhileTheListIsClosed) {
  struct ended_threads e = {};
  ended_threads_add(&e, kRecording, 0xA, 5);
  EXPECT_EQ(TakeAll(&e), CpuTimes{});
  ended_threads_open(&e, kRecording);
  ended_threads_add(&e, kRecording, 0xA, 5);
  ended_threads_close(&e);
  ended_threads_add(&e, kRecording, 0xB, 5);
  EXPECT_EQ(TakeAll(&e), CpuTimes{});
}

TEST(EndedThreads, AreThoseThatTheRecordingAnnounced) {
  struct ended_threads e = {};
  ended_threads_open(&e, 2);
  ended_threads_add(&e, 0, 0xA, 5);  // not announced, as the threads of Orca's own
  ended_threads_add(&e, 1, 0xB, 5);
  ended_threads_add(&e, 2, 0xC, 5);
  EXPECT_EQ(TakeAll(&e), (CpuTimes{{0xC, 5}}));
  ended_threads_add(&e, 2, 0xD, 5);
  ended_threads_open(&e, 3);
  EXPECT_EQ(TakeAll(&e), CpuTimes{}) << "the thread was added late, after its recording";
  ended_threads_close(&e);
}

TEST(EndedThreads, AreDroppedAboveTheLimit) {
  struct ended_threads e = {};
  ended_threads_open(&e, kRecording);
  for (uint32_t i = 1; i <= 150000; i++) ended_threads_add(&e, kRecording, i, i);
  CpuTimes cpu_times = TakeAll(&e);
  EXPECT_EQ(cpu_times.size(), 100000u);
  EXPECT_EQ(cpu_times.rbegin()->first, 100000u);
  ended_threads_add(&e, kRecording, 7, 8);
  EXPECT_EQ(TakeAll(&e), (CpuTimes{{7, 8}}));
}

TEST(EndedThreads, AreNotLostWhileOneThreadTakesThem) {
  constexpr int kThreads = 4, kEach = 2000;
  struct ended_threads e = {};
  ended_threads_open(&e, kRecording);
  CpuTimes all;
  RunConcurrently(kThreads + 1, [&](int i) {
    for (uint32_t n = 0; i < kThreads && n < kEach; n++) {
      ended_threads_add(&e, kRecording, static_cast<uint32_t>(i) * kEach + n + 1, n);
    }
    for (int n = 0; i == kThreads && n < 1000; n++) all.merge(TakeAll(&e));
  });
  all.merge(TakeAll(&e));
  EXPECT_EQ(all.size(), size_t{kThreads} * kEach);
  ended_threads_close(&e);
}

}  // namespace
