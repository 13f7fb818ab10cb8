#include "sampler/sampler.h"

#include <time.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"
#include "tests/support/virtual_time.h"

namespace {

const char kStackF[] = "1;00000001;00000005";

class SamplerTest : public testing::Test {
 protected:
  void Begin(const std::string &options) {
    r_ = std::make_unique<Recording>(options + ",sampler=safepoint");
    static auto &all = *new std::vector<struct sampler *>; /* never freed */
    all.push_back(sampler_ = new struct sampler);
    sampler_init(sampler_, r_->threads);
    f_ = r_->jvm.AddMethod(r_->jvm.AddClass("LA;", 0xC1), "f", "()V")->Id();
    a_ = AddThread("A", 0xA);
  }
  void TearDown() override { sampler_stop(sampler_); }

  FakeThread *AddThread(const char *name, jint hash, jlong cpu_ns = 100) {
    FakeThread *thread = nullptr;
    r_->jvm.Change([&] {
      thread = r_->jvm.AddThread(name, hash);
      thread->frames = {{f_, 5}};
      thread->cpu_ns = cpu_ns;
    });
    return thread;
  }
  static struct context MakeContext(uint32_t hash, uint32_t recording, uint64_t begun_ns) {
    struct context c = {};
    c.thread = hash;
    c.recording = recording;
    c.begun_ns = begun_ns;
    return c;
  }
  void Start() { ASSERT_TRUE(sampler_start(sampler_, r_->ti, r_->jni)); }
  // Also waits until the thread has ended. sampler_stop waits only one second.
  void Stop() {
    sampler_stop(sampler_);
    r_->jvm.JoinAgentThreads();
  }

  // Returns the Sample lines up to now, after at least one more full tick. A light tick would not
  // record changes of a thread that used no CPU time.
  Lines TakeTick() {
    int begun = r_->jvm.Calls(CALL_GetAllStackTraces);
    while (r_->jvm.Calls(CALL_GetAllStackTraces) < begun + 3) std::this_thread::yield();
    return TakeSamples();
  }
  // Returns all lines except those of ticks, and of starts and ends of threads.
  Lines TakeSamples() {
    Lines lines = r_->Events();
    lines.erase(std::remove_if(lines.begin(), lines.end(),
                               [](const std::string &line) { return line.rfind("Tick,", 0) == 0; }),
                lines.end());
    return lines;
  }

  std::unique_ptr<Recording> r_;
  struct sampler *sampler_;
  jmethodID f_;
  FakeThread *a_;
};

std::string Sample(const char *thread_and_state, int64_t cpu_ns, const std::string &stack) {
  return std::string("Sample,") + thread_and_state + "," + std::to_string(cpu_ns) + "," + stack;
}

TEST_F(SamplerTest, DoesNotStartWithAnIntervalOfZero) {
  Begin("interval=0");
  Start();
  EXPECT_EQ(r_->jvm.Calls(CALL_RunAgentThread), 0);
}

TEST_F(SamplerTest, FailsIfTheJvmRefusesTheThread) {
  Begin("interval=1ms");
  r_->jvm.Fail(CALL_RunAgentThread);
  EXPECT_FALSE(sampler_start(sampler_, r_->ti, r_->jni));
}

TEST_F(SamplerTest, RecordsOnlyChanges) {
  Begin("interval=1ms,budget=100%");
  Start();
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000A,Runnable", 0, kStackF)});
  EXPECT_EQ(TakeTick(), Lines{});
  r_->jvm.Change([&] { a_->cpu_ns = 130; });
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000A,Runnable", 30, kStackF)});
  r_->jvm.Change([&] { a_->state = JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER; });
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000A,Blocked", 0, kStackF)});
  r_->jvm.Change([&] { a_->frames = {{f_, 6}}; });
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000A,Blocked", 0, "1;00000001;00000006")});
  EXPECT_EQ(TakeTick(), Lines{});
}

TEST_F(SamplerTest, RecordsAMissingThreadOnce) {
  Begin("interval=1ms,budget=100%");
  FakeThread *b = AddThread("B", 0xB);
  Start();
  EXPECT_EQ(TakeTick().size(), 2u);
  r_->jvm.Change([&] { b->alive = false; });
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000B,Terminated", -1, "0")});
  EXPECT_EQ(TakeTick(), Lines{});
}

TEST_F(SamplerTest, RecordsANewThread) {
  Begin("interval=1ms,budget=100%");
  Start();
  TakeTick();
  AddThread("B", 0xB);
  Lines lines = TakeTick();
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0].substr(0, 15), "Sample,0000000B");
}

TEST_F(SamplerTest, LimitsTheCpuTimeOfANewThread) {
  Begin("interval=1ms,budget=100%");
  uint64_t start = clock_monotonic_ns();
  Start();
  TakeTick();
  AddThread("DestroyJavaVM", 0xB, /* cpu_ns */ INT64_MAX);
  Lines lines = TakeTick();
  uint64_t elapsed = clock_monotonic_ns() - start;
  ASSERT_EQ(lines.size(), 1u);
  const std::string head = "Sample,0000000B,Runnable,";
  ASSERT_EQ(lines[0].substr(0, head.size()), head);
  EXPECT_LE(std::stoull(lines[0].substr(head.size())), elapsed);
}

TEST_F(SamplerTest, DefinesEachSampledThread) {
  Begin("interval=1ms,budget=100%");
  Start();
  EXPECT_EQ(TakeTick().size(), 1u);
  EXPECT_EQ(r_->Objects(), Lines{"0000000A,00001000"});
}

TEST_F(SamplerTest, HidesOrcasOwnThreads) {
  Begin("interval=1ms,budget=100%");
  FakeThread *own = AddThread("Orca owners", 0xE);
  threads_hide(r_->threads, r_->jni, own->Ref());
  Start();  // the sampler's own thread is hidden, too
  Lines lines;
  while (lines.empty()) lines = r_->Events();
  EXPECT_EQ(lines[0], "Tick,1,1");  // one thread
  TakeTick();
  Stop();
  for (const std::string &line : r_->Objects()) EXPECT_EQ(line, "0000000A,00001000");
}

// A FakeJvm has no HotSpot structures, so signals cannot be used.
TEST_F(SamplerTest, TicksRecordCpuTimeIfSignalsCannotBeUsed) {
  Begin("interval=1ms,budget=100%");
  r_->recorder->options.sampler = SAMPLER_SIGNAL;
  Start();
  EXPECT_STREQ(r_->recorder->figures.sampler_fallback, "the JVM's library was not found");
  TakeTick();
  r_->jvm.Change([&] { a_->cpu_ns = 130; });
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000A,Runnable", 30, kStackF)});
}

TEST_F(SamplerTest, NumbersTicksFromOne) {
  Begin("interval=1ms,budget=100%");
  Start();
  while (r_->jvm.Calls(CALL_GetAllStackTraces) < 3 || r_->jvm.Calls(CALL_GetAllThreads) < 3) {
    std::this_thread::yield();
  }
  Stop();
  int number = 0;
  for (const std::string &line : r_->Records()) {
    if (line.rfind("Tick,", 0) != 0) continue;
    EXPECT_EQ(line, "Tick," + std::to_string(++number) + ",1");
  }
  /* round_take_base calls GetAllThreads once more. */
  EXPECT_EQ(number + 1, r_->jvm.Calls(CALL_GetAllStackTraces) + r_->jvm.Calls(CALL_GetAllThreads));
}

TEST_F(SamplerTest, RecordsUnknownCpuTimeAsMinusOne) {
  Begin("interval=1ms,budget=100%");
  r_->jvm.Fail(CALL_GetThreadCpuTime, 1000000, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  Start();
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000A,Runnable", -1, kStackF)});
}

TEST_F(SamplerTest, IgnoresAFailedTick) {
  Begin("interval=1ms,budget=100%");
  Start();
  TakeTick();
  r_->jvm.Fail(CALL_GetAllStackTraces);
  EXPECT_EQ(TakeTick(), Lines{});  // no Sample line of a missing thread
}

TEST_F(SamplerTest, MakesALastTickWhenItStops) {
  Begin("interval=1h");
  Start();
  while (r_->jvm.Calls(CALL_GetThreadCpuTime) < 2) std::this_thread::yield();
  r_->jvm.Change([&] { a_->cpu_ns = 1000; });
  Stop();
  int64_t cpu_ns = 0;
  for (const std::string &line : TakeSamples()) {
    ASSERT_EQ(line.substr(0, 25), "Sample,0000000A,Runnable,");
    cpu_ns += std::stoll(line.substr(25));
  }
  EXPECT_EQ(cpu_ns, 900) << "since round_take_base";
  EXPECT_EQ(r_->jvm.Calls(CALL_GetAllStackTraces), 1);
  EXPECT_EQ(r_->jvm.Calls(CALL_GetAllThreads), 2)
      << "round_take_base and the last tick, which is light";
}

TEST_F(SamplerTest, TheNextRecordingStartsWithTickOne) {
  Begin("interval=1ms,budget=100%");
  Start();
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000A,Runnable", 0, kStackF)});
  Stop();
  Lines methods = r_->Methods();
  r_->Records();
  r_->Again("interval=1ms,budget=100%,sampler=safepoint");
  Start();
  Lines lines;
  while (lines.size() < 2) {
    for (const std::string &line : r_->Events()) lines.push_back(line);
  }
  EXPECT_EQ(lines[0], "Tick,1,1");
  EXPECT_EQ(lines[1].substr(0, 24), "Sample,0000000A,Runnable");
  EXPECT_EQ(r_->Methods(), methods);
}

TEST_F(SamplerTest, MeasuresPausesAndKeepsTheBudget) {
  Begin("interval=1ms,budget=5%");
  r_->jvm.During(CALL_GetAllStackTraces, [] {
    for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < 5 * NS_PER_MS;) {
    }
  });
  uint64_t start = clock_monotonic_ns();
  Start();
  while (r_->jvm.Calls(CALL_GetAllStackTraces) < 4) std::this_thread::yield();
  uint64_t elapsed = clock_monotonic_ns() - start;
  Stop();
  // Three intervals, since each pause of 5 ms may be at most 5 % of its interval.
  EXPECT_GE(elapsed, 3 * 100 * NS_PER_MS);
  EXPECT_GE(r_->recorder->figures.sampler_pause_total, 4 * 5 * NS_PER_MS);
}

// Ticks continue once the process is no longer idle. In 20 s of virtual time, it uses far less than
// the 40 ms of CPU time that would make it busy.
TEST_F(SamplerTest, MakesNoTickWhileTheProcessIsIdle) {
  VirtualTime time(1);
  Begin("interval=20s");
  auto count_ticks = [this] {
    return r_->jvm.Calls(CALL_GetAllStackTraces) + r_->jvm.Calls(CALL_GetAllThreads);
  };
  Start();
  time.Settle();
  int first = count_ticks();
  for (int i = 0; i < 3; i++) time.Advance(20 * NS_PER_S);
  EXPECT_EQ(count_ticks(), first);
  for (clock_t end = clock() + CLOCKS_PER_SEC / 2; clock() < end;) {
  }
  time.Advance(20 * NS_PER_S);
  EXPECT_EQ(count_ticks(), first + 1);
  Stop();
}

// round_test.cc tests virtual threads in detail.
TEST_F(SamplerTest, RecordsTheVirtualThreadOfACarrier) {
  Begin("interval=1ms,budget=100%");
  r_->jvm.ShowMounted();
  a_->klass = r_->jvm.AddClass("Ljdk/internal/misc/CarrierThread;");
  a_->klass->super = r_->jvm.ThreadClass();
  a_->mounted = AddThread("V", 0xF0, /* cpu_ns */ 7);
  a_->mounted->is_virtual = true;
  Start();
  EXPECT_EQ(TakeTick(), Lines{Sample("0000000A,Runnable", 0, kStackF)})
      << "no virtual thread has started";
  carriers_note_virtual_thread(&sampler_->carriers);
  EXPECT_EQ(TakeTick(), Lines{Sample("000000F0,Runnable", 0, kStackF)});
  r_->jvm.Change([&] { a_->cpu_ns = 130; });
  EXPECT_EQ(TakeTick(), Lines{Sample("000000F0,Runnable", 30, kStackF)});
}

TEST_F(SamplerTest, RecordsTheCpuTimeOfAnEndingThread) {
  Begin("interval=1ms");
  Start();
  FakeThread *b = AddThread("B", 0xB);
  uint64_t now = clock_monotonic_ns();
  auto end_thread = [&](uint32_t hash, uint32_t recording) {
    const struct context c = MakeContext(hash, recording, now - NS_PER_S);
    sampler_thread_ends(sampler_, r_->ti, &c);
  };
  const uint32_t recording = meta_recording(r_->meta);
  {
    FakeJvm::Running running(b);
    r_->jvm.Change([&] { b->cpu_ns = 1234; });
    end_thread(0xC, 0);  // not announced
    end_thread(0xD, recording);
    /* Most of this CPU time is from before it was a Java thread. */
    r_->jvm.Change([&] { b->cpu_ns = 3600 * static_cast<jlong>(NS_PER_S); });
    end_thread(0xE, recording);
    r_->jvm.Fail(CALL_GetCurrentThreadCpuTime);
    end_thread(0xF, recording);
  }
  Stop();
  Lines lines = TakeSamples();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "Sample,0000000D,Terminated,1234,0"), 1);
  std::string all;
  for (const std::string &line : lines) all += line + "\n";
  size_t e = all.find("Sample,0000000E,Terminated,");
  ASSERT_NE(e, std::string::npos) << all;
  int64_t used = std::stoll(all.substr(e + 27));
  EXPECT_GE(used, static_cast<int64_t>(NS_PER_S));
  EXPECT_LT(used, static_cast<int64_t>(60 * NS_PER_S));
  EXPECT_EQ(all.find("0000000F"), std::string::npos) << all;
  EXPECT_EQ(all.find("0000000C"), std::string::npos) << all;
}

// --- when the next tick is due ---------------------------------------------------------------

constexpr uint64_t kMs = 1000000;
constexpr double kBusy = 1;

TEST(Schedule, KeepsTheIntervalIfTheCostIsLow) {
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, kBusy, 0), 20 * kMs);
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, kBusy, 100000), 20 * kMs);
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, kBusy, 200000), 20 * kMs);  // exactly the budget
}

TEST(Schedule, WaitsLongerToKeepTheBudget) {
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, kBusy, 4 * kMs), 400 * kMs);
  EXPECT_EQ(sampler_wait(20 * kMs, 0.5, kBusy, 30 * kMs), 60 * kMs);
  EXPECT_NEAR(static_cast<double>(sampler_wait(20 * kMs, 0.0001, kBusy, 5 * kMs)), 50000.0 * kMs,
              1000);
}

TEST(Schedule, WaitsAtLeastTheCostAtABudgetOfOne) {
  EXPECT_EQ(sampler_wait(20 * kMs, 1, kBusy, 30 * kMs), 30 * kMs);
}

TEST(Schedule, TakesASmallPartOfWhatTheProcessUses) {
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, 0.5, 10 * kMs), 1000 * kMs);
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, 0.25, 10 * kMs), 2000 * kMs);
  EXPECT_EQ(sampler_wait(20 * kMs, 0.1, 0.25, 10 * kMs), 200 * kMs) << "as the user has asked for";
}

TEST(Schedule, WaitsAFewSecondsAtMostBecauseTheProcessIsIdle) {
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, 0.001, 10 * kMs), 5000 * kMs);
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, 0, 10 * kMs), 5000 * kMs);
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, -1, 10 * kMs), 5000 * kMs) << "a clock that went back";
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, 0.1, 70 * kMs), 7000 * kMs) << "the budget alone";
  EXPECT_EQ(sampler_wait(9000 * kMs, 0.01, 0, 10 * kMs), 9000 * kMs) << "the interval alone";
  EXPECT_EQ(sampler_wait(20 * kMs, 0.01, 0, 0), 20 * kMs) << "a tick that costs nothing";
}

}  // namespace
