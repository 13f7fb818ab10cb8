#include "sampler/cpu_signal.h"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "gtest/gtest.h"
#include "tests/support/fake_hotspot.h"

namespace {

int32_t GetTid() { return static_cast<int32_t>(syscall(SYS_gettid)); }

int64_t ReadCpuClock() {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * int64_t{1000000000} + t.tv_nsec;
}

void Burn(int64_t ns) {
  for (int64_t end = ReadCpuClock() + ns; ReadCpuClock() < end;) {
  }
}

class CpuSignal : public testing::Test {
 protected:
  CpuSignal() {
    const char *why = nullptr;
    EXPECT_TRUE(cpu_signal_start(&signal_, &fake_.hotspot, &figures_, 5000000, &why)) << why;
    FakeHotspot::Poke(GetJavaThread() + 8, uintptr_t{0x51});
    FakeHotspot::Poke(GetJavaThread() + 16, uintptr_t{0x52});
    FakeHotspot::Poke(GetJavaThread() + 24, uintptr_t{0x53});
    FakeHotspot::Poke(GetJavaThread() + 40, int32_t{8});
    FakeHotspot::Poke(GetJavaThread() + 72, uint64_t{99});
  }
  ~CpuSignal() override {
    cpu_signal_stop(&signal_);
    captures_free(signal_.captures);
  }

  uintptr_t GetJavaThread() { return reinterpret_cast<uintptr_t>(java_thread_); }
  struct cpu_timer *NewTimer(bool is_new = false) {
    auto end = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) + 4096;
    return cpu_timer_new(&signal_, GetTid(), 0xAB, GetJavaThread(), end - (64 << 20), end, is_new);
  }
  // Returns all filled captures: their number, and the sum of their CPU times.
  std::pair<int, int64_t> TakeCaptures() {
    int n = 0;
    int64_t sum = 0;
    for (struct capture *c = captures_take_filled(signal_.captures); c != nullptr;) {
      auto *next = static_cast<struct capture *>(c->next);
      n++;
      sum += c->cpu_ns;
      last_ = {c->thread,    c->state, c->mounted, c->anchor_sp, c->anchor_pc,
               c->anchor_fp, c->pc,    c->sp,      c->stack_len};
      captures_return(signal_.captures, c);
      c = next;
    }
    return {n, sum};
  }
  // Makes a timer, and notes between which readings of the thread's clock it began to count.
  struct cpu_timer *BeginTimer() {
    begin_.first = ReadCpuClock();
    struct cpu_timer *t = NewTimer();
    begin_.second = ReadCpuClock();
    return t;
  }
  // Frees the timer, and expects that it counted the time up to now: in the captures that were
  // taken, whose sum is `captured`, in the others, and after them. Returns the number of the
  // others.
  int ExpectAllTime(struct cpu_timer *t, int64_t captured) {
    int64_t before = ReadCpuClock();
    int64_t sum = captured + cpu_timer_free(t);
    int64_t after = ReadCpuClock();
    auto others = TakeCaptures();
    EXPECT_GE(sum + others.second, before - begin_.second);
    EXPECT_LE(sum + others.second, after - begin_.first);
    return others.first;
  }
  // Uses CPU time until there are this many captures. Returns their number and the sum of their CPU
  // times.
  std::pair<int, int64_t> BurnFor(int captures) {
    std::pair<int, int64_t> all = {0, 0};
    while (all.first < captures) {
      Burn(20000000);
      auto taken = TakeCaptures();
      all = {all.first + taken.first, all.second + taken.second};
    }
    return all;
  }

  struct {
    uint32_t thread;
    int32_t state;
    uint64_t mounted;
    uintptr_t anchor_sp, anchor_pc, anchor_fp, pc, sp;
    uint32_t stack_len;
  } last_ = {};
  std::pair<int64_t, int64_t> begin_ = {0, 0};
  FakeHotspot fake_;
  uint64_t java_thread_[16] = {};
  struct recording_figures figures_ = {};
  struct cpu_signal signal_ = {};
};

TEST_F(CpuSignal, CapturesAndUnsampledTimeAddUpToTheThreadsClock) {
  struct cpu_timer *t = BeginTimer();
  ASSERT_NE(t, nullptr);
  auto captured = BurnFor(/*captures=*/10);
  int num = captured.first + ExpectAllTime(t, captured.second);
  EXPECT_EQ(figures_.sampler_signal_samples, static_cast<uint64_t>(num));
}

// Samples every 5 ms until there are 5, then every 50 ms for 200 ms or longer, then every 5 ms
// again. Other load or ThreadSanitizer can delay a signal; no signal comes early.
TEST_F(CpuSignal, TheTimesAddUpWhenTheIntervalChanges) {
  struct cpu_timer *t = BeginTimer();
  ASSERT_NE(t, nullptr);
  auto fast = BurnFor(/*captures=*/5);
  cpu_signal_set_interval(50000000);
  int64_t slow_begin = ReadCpuClock();
  Burn(200000000);
  auto slow = BurnFor(/*captures=*/1);
  int64_t slow_ns = ReadCpuClock() - slow_begin;
  cpu_signal_set_interval(5000000);
  cpu_timer_advance(t);
  auto last = BurnFor(/*captures=*/5);
  ExpectAllTime(t, fast.second + slow.second + last.second);
  EXPECT_LE(slow.first, slow_ns / 50000000 + 3)
      << "one of the old interval, and two that it touches";
}

TEST_F(CpuSignal, ACaptureHasTheThreadsRegistersAndStack) {
  struct cpu_timer *t = NewTimer();
  ASSERT_NE(t, nullptr);
  while (TakeCaptures().first == 0) Burn(1000000);
  cpu_timer_free(t);
  EXPECT_EQ(last_.thread, 0xABu);
  EXPECT_EQ(last_.state, 8);
  EXPECT_EQ(last_.mounted, 99u);
  EXPECT_EQ(last_.anchor_sp, 0x51u);
  EXPECT_EQ(last_.anchor_pc, 0x52u);
  EXPECT_EQ(last_.anchor_fp, 0x53u);
  EXPECT_NE(last_.pc, 0u);
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  EXPECT_LT(here - last_.sp, uintptr_t{1} << 20);
  EXPECT_GE(last_.stack_len, here - last_.sp);
}

// The stack pointer lies outside of the stack that the timer knows.
TEST_F(CpuSignal, CopiesNothingOfAnAlternateStack) {
  struct cpu_timer *t =
      cpu_timer_new(&signal_, GetTid(), 0xAB, GetJavaThread(), 0x1000, 0x2000, false);
  ASSERT_NE(t, nullptr);
  while (TakeCaptures().first == 0) Burn(1000000);
  cpu_timer_free(t);
  EXPECT_NE(last_.pc, 0u);
  EXPECT_EQ(last_.stack_len, 0u);
}

TEST_F(CpuSignal, RecognizesTheTimerOfTheCurrentThread) {
  struct cpu_timer *t = NewTimer();
  ASSERT_NE(t, nullptr);
  EXPECT_TRUE(cpu_timer_is_own(t));
  std::thread([&] { EXPECT_FALSE(cpu_timer_is_own(t)); }).join();
  cpu_timer_free(t);
}

TEST_F(CpuSignal, CapturesNothingAfterTheTimerIsFreed) {
  struct cpu_timer *t = NewTimer();
  ASSERT_NE(t, nullptr);
  cpu_timer_free(t);
  TakeCaptures();
  Burn(50000000);
  EXPECT_EQ(TakeCaptures().first, 0);
}

TEST_F(CpuSignal, SamplesAnotherThread) {
  std::atomic<int32_t> tid{0};
  std::atomic<bool> stop{false};
  std::thread other([&] {
    tid = GetTid();
    while (!stop) Burn(100000);
  });
  while (tid == 0) std::this_thread::yield();
  struct cpu_timer *t = cpu_timer_new(&signal_, tid, 0xCD, GetJavaThread(), 0, 0, false);
  ASSERT_NE(t, nullptr);
  while (TakeCaptures().first == 0) std::this_thread::yield();
  EXPECT_EQ(last_.thread, 0xCDu);
  cpu_timer_free(t);
  stop = true;
  other.join();
}

TEST_F(CpuSignal, RefusesATimerForAnEndedThread) {
  int32_t tid = 0;
  std::thread([&] { tid = GetTid(); }).join();
  EXPECT_EQ(cpu_timer_new(&signal_, tid, 0xCD, GetJavaThread(), 0, 0, false), nullptr);
  EXPECT_EQ(figures_.sampler_signal_untimed, 1u);
}

TEST_F(CpuSignal, TheNextCaptureIncludesTheTimeOfADroppedOne) {
  std::vector<struct capture *> all;
  while (struct capture *c = captures_take(signal_.captures)) all.push_back(c);
  struct cpu_timer *t = BeginTimer();
  ASSERT_NE(t, nullptr);
  while (figures_.sampler_signal_dropped == 0) Burn(1000000);
  for (struct capture *c : all) captures_return(signal_.captures, c);
  while (figures_.sampler_signal_samples == 0) Burn(1000000);
  ExpectAllTime(t, 0);
}

TEST_F(CpuSignal, TheHandlerKeepsErrno) {
  struct cpu_timer *t = NewTimer();
  ASSERT_NE(t, nullptr);
  errno = 12345;
  while (__atomic_load_n(&figures_.sampler_signal_samples, __ATOMIC_RELAXED) < 5) {
  }
  EXPECT_EQ(errno, 12345);
  cpu_timer_free(t);
}

TEST_F(CpuSignal, UsesAnUnusedSignal) {
  EXPECT_GT(signal_.number, SIGRTMIN);
  EXPECT_LE(signal_.number, SIGRTMAX);
  EXPECT_TRUE(cpu_signal_is_installed(&signal_));
  struct sigaction other = {}, ours;
  other.sa_handler = SIG_IGN;
  sigaction(signal_.number, &other, &ours);
  EXPECT_FALSE(cpu_signal_is_installed(&signal_));
  struct cpu_signal next = {};
  const char *why = nullptr;
  ASSERT_TRUE(cpu_signal_start(&next, &fake_.hotspot, &figures_, 5000000, &why));
  EXPECT_NE(next.number, signal_.number);
  captures_free(next.captures);
  sigaction(signal_.number, &ours, nullptr);
}

// The JDK takes its signal when a thread first closes a file that another one reads. Before, it is
// free.
TEST_F(CpuSignal, LeavesTheJdkItsSignal) {
  struct sigaction other = {}, before[2];
  other.sa_handler = SIG_IGN;
  for (int i = 0; i < 2; i++) sigaction(SIGRTMAX - i, &other, &before[i]);
  struct cpu_signal next = {};
  const char *why = nullptr;
  ASSERT_TRUE(cpu_signal_start(&next, &fake_.hotspot, &figures_, 5000000, &why));
  EXPECT_EQ(next.number, SIGRTMAX - 3);
  captures_free(next.captures);
  for (int i = 0; i < 2; i++) sigaction(SIGRTMAX - i, &before[i], nullptr);
}

TEST_F(CpuSignal, IgnoresASignalThatNoTimerSent) {
  ASSERT_EQ(raise(signal_.number), 0);
  EXPECT_EQ(TakeCaptures().first, 0);
}

}  // namespace
