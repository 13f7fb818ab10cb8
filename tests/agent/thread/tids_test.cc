#include "agent/thread/tids.h"

#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/burner.h"

namespace {

class TidsTest : public testing::Test {
 protected:
  TidsTest() {
    tids_init(&tids_);
    tids_open(&tids_);
  }
  ~TidsTest() override { tids_close(&tids_); }

  uint32_t GetThread(uint32_t tid, int64_t *native_ns = nullptr) {
    int64_t ignored;
    return tids_get(&tids_, tid, native_ns == nullptr ? &ignored : native_ns);
  }

  struct tids tids_ = {};
};

TEST_F(TidsTest, EntersTheCurrentThread) {
  Burner b("b");
  int64_t native;
  EXPECT_EQ(GetThread(b.tid(), &native), 0u);
  EXPECT_EQ(native, 0);
  b.Do([&] { tids_begin(&tids_, 0xB); });
  EXPECT_EQ(GetThread(b.tid(), &native), 0xBu);
  EXPECT_EQ(native, 0);
}

TEST_F(TidsTest, MakesADetachedThreadNativeWithItsCpuTime) {
  Burner b("b");
  int64_t native, before = b.Cpu();
  b.Do([&] { tids_begin(&tids_, 0xB); });
  b.Do([&] { tids_end(&tids_); });
  EXPECT_EQ(GetThread(b.tid(), &native), 0u);
  EXPECT_GT(native, before);
  EXPECT_LE(native, b.Cpu());
  b.Do([&] { tids_begin(&tids_, 0xC); });
  EXPECT_EQ(GetThread(b.tid(), &native), 0xCu);
  EXPECT_EQ(native, 0);
}

TEST_F(TidsTest, IgnoresEntriesWhileClosed) {
  tids_put(&tids_, 7, 0xA);
  tids_close(&tids_);
  EXPECT_EQ(GetThread(7), 0u);
  tids_put(&tids_, 8, 0xA);
  tids_begin(&tids_, 0xA);
  tids_end(&tids_);
  tids_open(&tids_);
  EXPECT_EQ(GetThread(8), 0u);
  EXPECT_EQ(hashmap_size(&tids_.java), 0u);
}

TEST_F(TidsTest, ReturnsTheWaitTimeOfAnEndedThread) {
  Burner b("b");
  int64_t cpu, wait;
  if (!task_read_schedstat("/proc/self/task", b.tid(), &cpu, &wait)) {
    GTEST_SKIP() << "this kernel has no schedstat";
  }
  b.Do([&] { tids_end(&tids_); }); /* not a Java thread yet */
  b.Do([&] { tids_begin(&tids_, 0xB); });
  b.Do([&] {
    task_read_schedstat("/proc/self/task", b.tid(), &cpu, &wait);
    tids_end(&tids_);
  });
  std::vector<int64_t> waits;
  auto take = [](void *arg, uint32_t, uint32_t thread, int64_t wait_ns) {
    EXPECT_EQ(thread, 0xBu);
    static_cast<std::vector<int64_t> *>(arg)->push_back(wait_ns);
  };
  tids_take_ended(&tids_, take, &waits);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_GE(waits[0], wait);
  tids_take_ended(&tids_, take, &waits);
  EXPECT_EQ(waits.size(), 1u);
}

// The main thread ends as a Java thread, and then attaches again as DestroyJavaVM.
TEST_F(TidsTest, TheFirstThreadThatEndedComesFirst) {
  Burner b("b");
  int64_t cpu, wait;
  if (!task_read_schedstat("/proc/self/task", b.tid(), &cpu, &wait)) {
    GTEST_SKIP() << "this kernel has no schedstat";
  }
  for (uint32_t thread = 1; thread <= 3; thread++) {
    b.Do([&] { tids_begin(&tids_, thread); });
    b.Do([&] { tids_end(&tids_); });
  }
  std::vector<uint32_t> threads;
  auto take = [](void *arg, uint32_t, uint32_t thread, int64_t) {
    static_cast<std::vector<uint32_t> *>(arg)->push_back(thread);
  };
  tids_take_ended(&tids_, take, &threads);
  EXPECT_EQ(threads, (std::vector<uint32_t>{1, 2, 3}));
}

TEST_F(TidsTest, SweepForgetsThreadsThatEnded) {
  for (uint32_t tid = 1; tid <= 100; tid++) tids_put(&tids_, tid, 0x1000 + tid);
  tids_sweep(
      &tids_, [](const void *, uint32_t tid) { return tid % 10 == 0; }, nullptr);
  for (uint32_t tid = 1; tid <= 100; tid++)
    EXPECT_EQ(GetThread(tid), tid % 10 == 0 ? 0x1000 + tid : 0);
  EXPECT_EQ(hashmap_size(&tids_.java), 10u);
}

TEST_F(TidsTest, WorksWithManyThreads) {
  RunConcurrently(4, [&](int i) {
    for (uint32_t n = 0; n < 1000; n++) {
      uint32_t tid = n * 4 + static_cast<uint32_t>(i) + 1;
      tids_put(&tids_, tid, tid);
      EXPECT_EQ(GetThread(tid), tid);
    }
  });
  EXPECT_EQ(hashmap_size(&tids_.java), 4000u);
}

}  // namespace
