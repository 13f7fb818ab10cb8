#include "sampler/round.h"

#include <stdint.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "sampler/missing_parties.h"
#include "tests/support/recording.h"

namespace {

const char kStack5[] = "1;00000001;00000005", kStack8[] = "1;00000001;00000008";
const jint kBlocked = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER;
const int kAlways = 1000000;
const uint32_t kRecording = 1;

std::string Sample(const std::string &thread_and_state, int64_t cpu_ns, const std::string &stack) {
  return "Sample," + thread_and_state + "," + std::to_string(cpu_ns) + "," + stack;
}

// Returns the CPU time in all Sample lines of a thread.
int64_t SumCpu(const std::string &thread, const Lines &lines) {
  const std::string head = "Sample," + thread + ",";
  int64_t sum = 0;
  for (const std::string &line : lines) {
    if (line.rfind(head, 0) == 0) sum += std::stoll(line.substr(line.find(',', head.size()) + 1));
  }
  return sum;
}

// Makes ticks on the test's own thread. FakeJvm fails a test that leaks JVMTI memory or JNI
// references.
class RoundTest : public testing::Test {
 protected:
  explicit RoundTest(const std::string &options = "") : r_(options) {
    round_.threads = r_.threads;
    round_.carriers = &carriers_;
    round_.ended = &ended_;
    round_.ti = r_.ti;
    round_.jni = r_.jni;
  }
  void SetUp() override { ended_threads_open(&ended_, kRecording); }
  void TearDown() override {
    round_free(&round_);
    ended_threads_close(&ended_);
  }

  FakeThread *AddThread(const char *name, jint hash, jlong cpu_ns) {
    FakeThread *thread = r_.jvm.AddThread(name, hash);
    thread->frames = {{f_, 5}};
    thread->cpu_ns = cpu_ns;
    return thread;
  }
  // Make... returns all lines of a tick except ThreadStarted; Sample... leaves out the Tick line.
  Lines MakeFullTick() {
    round_make_full_tick(&round_);
    return TakeLines();
  }
  Lines MakeLightTick() {
    round_make_light_tick(&round_);
    return TakeLines();
  }
  Lines SampleFull() { return WithoutTick(MakeFullTick()); }
  Lines SampleLight() { return WithoutTick(MakeLightTick()); }

  // Returns how often `action` calls a function of the JVM.
  int CountCalls(FakeCall call, const std::function<void()> &action) {
    int before = r_.jvm.Calls(call);
    action();
    return r_.jvm.Calls(call) - before;
  }
  // Returns the pause of the latest tick, and discards its lines.
  int64_t TakePause() {
    struct record record = {};
    uint64_t complete;
    EXPECT_EQ(queue_take(r_.recorder->queue, 0, &record, 1, &complete), 1u);
    EXPECT_EQ(record.kind, RECORD_TICK);
    r_.Records();
    return record.u.tick.pause_ns;
  }
  static Lines WithoutTick(Lines lines) {
    auto is_tick = [](const std::string &line) { return line.rfind("Tick,", 0) == 0; };
    lines.erase(std::remove_if(lines.begin(), lines.end(), is_tick), lines.end());
    return lines;
  }

  Recording r_;
  jmethodID f_ = r_.jvm.AddMethod(r_.jvm.AddClass("LA;", 0xC1), "f", "()V")->Id();
  FakeThread *a_ = AddThread("A", 0xA, 100);
  struct carriers carriers_ = {};
  struct ended_threads ended_ = {};
  struct round round_ = {};

 private:
  Lines TakeLines() {
    EXPECT_EQ(r_.jvm.NumLocalRefs(), 0) << "the sampler's thread never returns to Java";
    return r_.Events();
  }
};

/* --- both kinds of tick ---------------------------------------------------------------------- */

// The JVM reserves memory for as many frames of each thread as it is asked for.
TEST_F(RoundTest, TakesAStackThatWasCutOnceMore) {
  a_->frames.assign(300, {f_, 5});
  for (size_t num_threads : {1, 1 << 20}) {
    r_.threads->num_made = num_threads;
    a_->cpu_ns += 100;
    Lines lines;
    int single = CountCalls(CALL_GetStackTrace, [&] { lines = SampleFull(); });
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].substr(0, 12), "Sample,00000");
    EXPECT_NE(lines[0].find(",300;00000001;"), std::string::npos) << lines[0].substr(0, 60);
    EXPECT_EQ(single, num_threads == 1 ? 0 : 1);
  }
}

// Full and light ticks record the same about threads that used CPU time.
class BothTicksTest : public RoundTest, public testing::WithParamInterface<bool> {
 protected:
  Lines MakeTick() { return GetParam() ? MakeFullTick() : MakeLightTick(); }
  Lines MakeTickWithStarts() {
    GetParam() ? (void)round_make_full_tick(&round_) : round_make_light_tick(&round_);
    return r_.Records();
  }
  Lines SampleTick() { return WithoutTick(MakeTick()); }
};

INSTANTIATE_TEST_SUITE_P(Tick, BothTicksTest, testing::Bool(),
                         [](const auto &info) { return info.param ? "Full" : "Light"; });

TEST_P(BothTicksTest, TheFirstTickRecordsAllThreads) {
  AddThread("B", 0xB, 7)->state = kBlocked;
  EXPECT_EQ(MakeTick(), (Lines{"Tick,1,2", Sample("0000000A,Runnable", 100, kStack5),
                               Sample("0000000B,Blocked", 7, kStack5)}));
  EXPECT_EQ(r_.Objects(), (Lines{"0000000A,00001000", "0000000B,00001000"}));
}

TEST_P(BothTicksTest, AThreadThatEndsBeforeTheFirstTickCountsFromTheBase) {
  AddThread("B", 0xB, 60);
  round_take_base(&round_);
  ended_threads_open(&ended_, kRecording);
  ended_threads_add(&ended_, kRecording, 0xB, 65);
  ended_threads_add(&ended_, kRecording, 0xC, 4);
  Lines lines = SampleTick();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "Sample,0000000B,Terminated,5,0"), 1);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "Sample,0000000C,Terminated,4,0"), 1);
}

TEST_P(BothTicksTest, RecordsTheCpuTimeSinceTheLastTick) {
  AddThread("B", 0xB, 7);
  SampleFull();
  a_->cpu_ns = 130;
  EXPECT_EQ(MakeTick(), (Lines{"Tick,2,2", Sample("0000000A,Runnable", 30, kStack5)}));
  EXPECT_EQ(MakeTick(), Lines{"Tick,3,2"});
}

TEST_P(BothTicksTest, RecordsStateAndStackOfAThreadThatUsedCpu) {
  SampleFull();
  a_->cpu_ns = 130;
  a_->state = kBlocked;
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Blocked", 30, kStack5)});
  a_->cpu_ns = 150;
  a_->frames = {{f_, 8}};
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Blocked", 20, kStack8)});
}

TEST_P(BothTicksTest, AThreadWithoutFramesHasAnEmptyStack) {
  a_->frames = {};
  Lines lines = SampleTick();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("Sample,0000000A,Runnable,100,", 0), 0u) << lines[0];
  EXPECT_EQ(SampleTick(), Lines{});
}

TEST_P(BothTicksTest, RecordsANewThread) {
  SampleFull();
  AddThread("B", 0xB, 0);
  EXPECT_EQ(MakeTick(), (Lines{"Tick,2,2", Sample("0000000B,Runnable", 0, kStack5)}));
}

// The JVM lists a thread before it calls ThreadStart, which may be after the end of the recording.
TEST_P(BothTicksTest, AnnouncesANewThreadBeforeItsSample) {
  AddThread("B", 0xB, 7);
  MakeTickWithStarts();
  FakeThread *c = AddThread("C", 0xC, 7);
  EXPECT_EQ(MakeTickWithStarts(), (Lines{"Tick,2,3", "ThreadStarted,0000000C,C",
                                         Sample("0000000C,Runnable", 7, kStack5)}));
  {
    FakeJvm::Running running(c);
    EXPECT_NE(context_here(r_.threads, r_.ti, r_.jni), nullptr);
  }
  EXPECT_EQ(MakeTickWithStarts(), Lines{"Tick,3,3"});
}

TEST_P(BothTicksTest, SamplesNoThreadThatCannotBeAnnounced) {
  SampleFull();
  FakeThread *b = AddThread("B", 0xB, 7);
  r_.jvm.During(CALL_GetThreadState, [b] { b->state = JVMTI_THREAD_STATE_TERMINATED; });
  EXPECT_EQ(MakeTickWithStarts(), Lines{"Tick,2,2"});
}

TEST_P(BothTicksTest, IgnoresTheOlderCpuTimeOfAKernelThread) {
  SampleFull();
  AddThread("DestroyJavaVM", 0xB, INT64_MAX);
  EXPECT_EQ(SumCpu("0000000B", SampleTick()), 0);
  EXPECT_EQ(SampleTick(), Lines{});
}

TEST_P(BothTicksTest, RecordsNoCpuTimeFromBeforeTheBase) {
  round_take_base(&round_);
  r_.jvm.Change([&] { a_->cpu_ns = 130; });
  FakeThread *b = AddThread("B", 0xB, 7);
  EXPECT_EQ(MakeTick(), (Lines{"Tick,1,2", Sample("0000000A,Runnable", 30, kStack5),
                               Sample("0000000B,Runnable", b->cpu_ns, kStack5)}));
}

TEST_P(BothTicksTest, ANewThreadMayUseCpuUntilItsClockIsRead) {
  SampleFull();
  FakeThread *b = AddThread("B", 0xB, 0);
  r_.jvm.During(CALL_GetThreadCpuTime, [b] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    b->cpu_ns = 4 * NS_PER_MS;
  });
  EXPECT_EQ(SumCpu("0000000B", SampleTick()), int64_t{4 * NS_PER_MS});
}

TEST_P(BothTicksTest, RecordsAMissingThreadOnce) {
  FakeThread *b = AddThread("B", 0xB, 7);
  SampleFull();
  b->alive = false;
  EXPECT_EQ(MakeTick(), (Lines{"Tick,2,1", Sample("0000000B,Terminated", -1, "0")}));
  EXPECT_EQ(MakeTick(), Lines{"Tick,3,1"});
}

TEST_P(BothTicksTest, HidesOrcasOwnThreads) {
  FakeThread *own = AddThread("Orca owners", 0xE, 7);
  threads_hide(r_.threads, r_.jni, own->Ref());
  EXPECT_EQ(MakeTick(), (Lines{"Tick,1,1", Sample("0000000A,Runnable", 100, kStack5)}));
  own->cpu_ns = 1000;
  EXPECT_EQ(MakeTick(), Lines{"Tick,2,1"});
  EXPECT_EQ(r_.Objects(), Lines{"0000000A,00001000"});
}

TEST_P(BothTicksTest, RecordsUnknownCpuTimeAsMinusOne) {
  r_.jvm.Fail(CALL_GetThreadCpuTime, kAlways, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Runnable", -1, kStack5)});
  EXPECT_EQ(SampleTick(), Lines{});
  AddThread("B", 0xB, 7);
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000B,Runnable", -1, kStack5)});
}

class ParkedRoundTest : public RoundTest {
 protected:
  ParkedRoundTest() {
    blocker_ = r_.jvm.AddField(r_.jvm.ThreadClass(), "parkBlocker", "Ljava/lang/Object;");
    FakeClass *klass = r_.jvm.AddClass("Ljava/util/concurrent/CountDownLatch$Sync;", 0xC1);
    state_ = r_.jvm.AddField(klass, "state", "I");
    thread_ = AddThread("starter", 0xE, 100);
    thread_->state = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_WAITING |
                     JVMTI_THREAD_STATE_WAITING_INDEFINITELY | JVMTI_THREAD_STATE_PARKED;
    sync_ = thread_->fields[blocker_] = r_.jvm.AddObject(klass, 0x21);
    sync_->values[state_] = 2;
    round_.blocker = missing_parties_find_field(r_.jni);
  }
  // The next ticks are so much later.
  void Pass(uint64_t ns) {
    for (size_t i = 0; i < round_.before.num; i++) {
      struct sighting *s = &round_.before.threads[i];
      for (uint64_t *time : {&s->since_ns, &s->ask_ns, &s->told_ns}) *time -= std::min(*time, ns);
    }
  }

  FakeField *blocker_, *state_;
  FakeThread *thread_;
  FakeObject *sync_;
};

TEST_F(ParkedRoundTest, TellsWhatAThreadLacksThatIsParkedForLong) {
  SampleFull();
  EXPECT_EQ(SampleLight(), Lines{});
  EXPECT_FALSE(round_wants_tick(&round_));
  Pass(NS_PER_S);
  EXPECT_TRUE(round_wants_tick(&round_)) << "also if the process is idle";
  EXPECT_EQ(SampleLight(), Lines{"LatchLacks,0000000E,2,-1"});
  EXPECT_EQ(SampleLight(), Lines{});
  EXPECT_EQ(SampleFull(), Lines{});
  EXPECT_FALSE(round_wants_tick(&round_));
  sync_->values[state_] = 1;
  EXPECT_EQ(SampleFull(), Lines{"LatchLacks,0000000E,1,-1"});
  Pass(64 * NS_PER_S);
  EXPECT_EQ(SampleFull(), Lines{"LatchLacks,0000000E,1,-1"});
}

TEST_F(ParkedRoundTest, AsksLessAndLessOftenAboutOtherWaits) {
  thread_->fields.clear();
  SampleFull();
  Pass(NS_PER_S);
  int asked = 0;
  for (int i = 0; i < 100; i++) {
    asked += CountCalls(CALL_GetObjectField, [this] { SampleLight(); });
    Pass(NS_PER_S);
  }
  EXPECT_GT(asked, 0);
  EXPECT_LE(asked, 8);
}

TEST_F(ParkedRoundTest, ReadsNothingWithoutTheField) {
  round_.blocker = nullptr;
  SampleFull();
  Pass(NS_PER_S);
  EXPECT_EQ(SampleLight(), Lines{});
}

// A refused tick records no missing thread and uses no number. The next tick records the CPU time.
TEST_P(BothTicksTest, ARefusedTickChangesNothing) {
  SampleFull();
  a_->cpu_ns = 130;
  uint64_t last_ns = round_.tick_ns;
  r_.jvm.Fail(GetParam() ? CALL_GetAllStackTraces : CALL_GetAllThreads);
  EXPECT_EQ(MakeTick(), Lines{});
  EXPECT_EQ(MakeTick(), (Lines{"Tick,2,1", Sample("0000000A,Runnable", 30, kStack5)}));
  EXPECT_EQ(round_.last_tick_ns, last_ns) << "the limit for the CPU time of a new thread";
}

TEST_P(BothTicksTest, TheTickAfterARefusedFirstTickIsTheFirst) {
  a_->cpu_ns = INT64_MAX;
  r_.jvm.Fail(GetParam() ? CALL_GetAllStackTraces : CALL_GetAllThreads);
  EXPECT_EQ(MakeTick(), Lines{});
  EXPECT_EQ(MakeTick(), (Lines{"Tick,1,1", Sample("0000000A,Runnable", INT64_MAX, kStack5)}));
}

TEST_P(BothTicksTest, RecordsTheFirstOfTwoThreadsWithOneHash) {
  FakeThread *b = AddThread("B", 0xA, 7);
  EXPECT_EQ(MakeTick(), (Lines{"Tick,1,2", Sample("0000000A,Runnable", 100, kStack5)}));
  b->cpu_ns = 50;
  EXPECT_EQ(MakeTick(), Lines{"Tick,2,2"});
}

/* --- how full and light ticks differ --------------------------------------------------------- */

TEST_F(RoundTest, FullAndLightTicksShareOneNumbering) {
  EXPECT_EQ(MakeFullTick()[0], "Tick,1,1");
  EXPECT_EQ(MakeLightTick()[0], "Tick,2,1");
  EXPECT_EQ(MakeLightTick()[0], "Tick,3,1");
  EXPECT_EQ(MakeFullTick()[0], "Tick,4,1");
}

TEST_F(RoundTest, ALightTickSkipsThreadsThatUsedNoCpu) {
  SampleFull();
  a_->state = kBlocked;
  a_->frames = {{f_, 8}};
  for (FakeCall call : {CALL_GetAllStackTraces, CALL_GetThreadState, CALL_GetStackTrace}) {
    EXPECT_EQ(CountCalls(call, [this] { EXPECT_EQ(SampleLight(), Lines{}); }), 0);
  }
  EXPECT_EQ(SampleFull(), Lines{Sample("0000000A,Blocked", 0, kStack8)})
      << "a full tick records it";
}

TEST_F(RoundTest, ALightTickSamplesOnlyThreadsThatUsedCpu) {
  for (jint hash = 0x10; hash < 0x20; hash++) AddThread("B", hash, 7);
  SampleFull();
  a_->cpu_ns++;
  EXPECT_EQ(CountCalls(CALL_GetStackTrace, [this] { EXPECT_EQ(SampleLight().size(), 1u); }), 1);
  a_->cpu_ns++;
  EXPECT_EQ(CountCalls(CALL_GetThreadState, [this] { EXPECT_EQ(SampleLight().size(), 1u); }), 2)
      << "before and after its stack";
}

TEST_F(RoundTest, AThreadThatUsesNoCpuIsKeptOverManyLightTicks) {
  SampleFull();
  for (int i = 0; i < 100; i++) EXPECT_EQ(SampleLight(), Lines{});
  EXPECT_EQ(SampleFull(), Lines{});
  EXPECT_EQ(SampleLight(), Lines{});
  a_->cpu_ns = 130;
  EXPECT_EQ(SampleLight(), Lines{Sample("0000000A,Runnable", 30, kStack5)});
}

// From a sleep into a wait for a class, of which nothing but its state tells: all of its CPU time
// is in the first sighting.
TEST_P(BothTicksTest, LooksAgainAtAThreadThatWentOnMeanwhile) {
  SampleFull();
  a_->state = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_SLEEPING;
  a_->cpu_ns += 10;
  int reads_left = GetParam() ? 1 : 2;  // a light tick asks first whether it has used CPU time
  r_.jvm.During(CALL_GetThreadCpuTime, [&] {
    if (--reads_left > 0) return;
    a_->state = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_RUNNABLE;
    a_->frames = {{f_, 8}};
  });
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Sleeping", 10, kStack5)});
  r_.jvm.During(CALL_GetThreadCpuTime, nullptr);
  EXPECT_TRUE(round_wants_tick(&round_));
  EXPECT_EQ(SampleLight(), Lines{Sample("0000000A,Runnable", 0, kStack8)});
  EXPECT_FALSE(round_wants_tick(&round_));
  EXPECT_EQ(CountCalls(CALL_GetStackTrace, [this] { EXPECT_EQ(SampleLight(), Lines{}); }), 0);
}

TEST_F(RoundTest, OnlyAFullTickHasAPause) {
  auto spin = [] {
    for (uint64_t start = clock_monotonic_ns(); clock_monotonic_ns() - start < NS_PER_MS;) {
    }
  };
  r_.jvm.During(CALL_GetAllStackTraces, spin);
  r_.jvm.During(CALL_GetAllThreads, spin);
  int64_t pause_ns = static_cast<int64_t>(round_make_full_tick(&round_));
  EXPECT_GE(pause_ns, static_cast<int64_t>(NS_PER_MS));
  EXPECT_EQ(TakePause(), pause_ns);
  round_make_light_tick(&round_);
  EXPECT_EQ(TakePause(), 0);
  r_.jvm.Fail(CALL_GetAllStackTraces);
  EXPECT_EQ(round_make_full_tick(&round_), 0u) << "a refused tick";
}

TEST_F(RoundTest, CpuTimesOfFullAndLightTicksAddUp) {
  FakeThread *b = AddThread("B", 0xB, 0);
  Lines lines;
  for (int i = 0; i < 60; i++) {
    if (i % 2 == 0) a_->cpu_ns += 1 + i;
    if (i % 7 == 0) b->cpu_ns += 1000;
    if (i % 5 == 0) a_->state = i % 10 == 0 ? kBlocked : JVMTI_THREAD_STATE_RUNNABLE;
    for (const std::string &line : i % 3 == 0 ? SampleFull() : SampleLight()) lines.push_back(line);
  }
  EXPECT_EQ(SumCpu("0000000A", lines), a_->cpu_ns);
  EXPECT_EQ(SumCpu("0000000B", lines), b->cpu_ns);
}

/* --- threads that ended ---------------------------------------------------------------------- */

TEST_P(BothTicksTest, RecordsTheRemainingCpuTimeOfAnEndedThread) {
  FakeThread *b = AddThread("B", 0xB, 7);
  SampleFull();
  b->alive = false;
  ended_threads_add(&ended_, kRecording, 0xB, 19);
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000B,Terminated", 12, "0")});
  EXPECT_EQ(SampleTick(), Lines{});
}

TEST_P(BothTicksTest, RecordsAThreadBetweenTwoTicksIfItUsedCpu) {
  SampleFull();
  ended_threads_add(&ended_, kRecording, 0xB, 19);
  ended_threads_add(&ended_, kRecording, 0xC, 0);
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000B,Terminated", 19, "0")});
  EXPECT_EQ(SampleTick(), Lines{});
}

// The thread ends after the tick has sampled it. Then JVMTI still lists it after its end.
TEST_P(BothTicksTest, RecordsTheEndOfAThreadOnce) {
  FakeThread *b = AddThread("B", 0xB, 7);
  SampleFull();
  b->cpu_ns = 10;
  ended_threads_add(&ended_, kRecording, 0xB, 11);
  EXPECT_EQ(SampleTick(), (Lines{Sample("0000000B,Runnable", 3, kStack5),
                                 Sample("0000000B,Terminated", 1, "0")}));
  b->cpu_ns = 12;
  {
    FakeJvm::Running running(b);
    context_here(r_.threads, r_.ti, r_.jni);
    context_end(r_.threads, r_.ti, r_.jni);
  }
  r_.Records();
  EXPECT_EQ(SampleTick(), Lines{});
  b->alive = false;
  EXPECT_EQ(SampleTick(), Lines{});
}

TEST_P(BothTicksTest, ANewThreadWithTheHashOfAnEndedOneStartsFromZero) {
  FakeThread *b = AddThread("B", 0xB, 7);
  SampleFull();
  b->alive = false;
  ended_threads_add(&ended_, kRecording, 0xB, 8);
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000B,Terminated", 1, "0")});
  AddThread("B2", 0xB, 3);
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000B,Runnable", 3, kStack5)});
}

/* --- what the JVM refuses at a light tick ---------------------------------------------------- */

TEST_F(RoundTest, AThreadThatEndsDuringALightTickIsRecordedAtTheNext) {
  const struct {
    FakeCall call;
    int nth;  // the first call is for thread A
  } calls[] = {{CALL_GetThreadCpuTime, 2}, {CALL_GetThreadState, 1}, {CALL_GetStackTrace, 1}};
  for (const auto &c : calls) {
    FakeThread *b = AddThread("B", 0xB, 7);
    SampleFull();
    b->cpu_ns = 20;
    r_.jvm.FailAt(c.call, c.nth, JVMTI_ERROR_THREAD_NOT_ALIVE);
    EXPECT_EQ(SampleLight(), Lines{}) << c.call;
    b->alive = false;
    EXPECT_EQ(SampleLight(), Lines{Sample("0000000B,Terminated", -1, "0")}) << c.call;
  }
}

TEST_F(RoundTest, RecordsCpuTimeAfterAFailedSample) {
  SampleFull();
  for (FakeCall call : {CALL_GetThreadCpuTime, CALL_GetThreadState, CALL_GetStackTrace}) {
    a_->cpu_ns += 15;
    r_.jvm.Fail(call);
    EXPECT_EQ(MakeLightTick().size(), 1u) << "no Sample line of A, and none of a missing thread";
    a_->cpu_ns += 15;
    EXPECT_EQ(SampleLight(), Lines{Sample("0000000A,Runnable", 30, kStack5)});
  }
}

TEST_F(RoundTest, AFullTickRecordsCpuTimeAfterFailedSamples) {
  SampleFull();
  r_.jvm.Fail(CALL_GetStackTrace, kAlways);
  for (int i = 0; i < 10; i++) {
    a_->cpu_ns++;
    EXPECT_EQ(SampleLight(), Lines{});
  }
  EXPECT_EQ(SampleFull(), Lines{Sample("0000000A,Runnable", 10, kStack5)});
}

TEST_F(RoundTest, RecordsANewThreadAfterAFailedSample) {
  SampleFull();
  AddThread("B", 0xB, 0);
  r_.jvm.Fail(CALL_GetStackTrace);
  EXPECT_EQ(MakeLightTick(), Lines{"Tick,2,2"});
  EXPECT_EQ(SampleLight(), Lines{Sample("0000000B,Runnable", 0, kStack5)});
}

TEST_F(RoundTest, WithoutCpuTimesALightTickRecordsOnlyNewAndMissingThreads) {
  r_.jvm.Fail(CALL_GetThreadCpuTime, kAlways, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  SampleFull();
  a_->state = kBlocked;
  FakeThread *b = AddThread("B", 0xB, 7);
  EXPECT_EQ(SampleLight(), Lines{Sample("0000000B,Runnable", -1, kStack5)});
  b->alive = false;
  EXPECT_EQ(SampleLight(), Lines{Sample("0000000B,Terminated", -1, "0")});
  EXPECT_EQ(SampleFull(), Lines{Sample("0000000A,Blocked", -1, kStack5)});
}

/* --- virtual threads ------------------------------------------------------------------------- */

// A is a carrier that runs the virtual thread V. The two have different stacks.
class BothTicksVirtualTest : public BothTicksTest {
 protected:
  BothTicksVirtualTest() {
    r_.jvm.ShowMounted();
    a_->klass = r_.jvm.AddClass("Ljdk/internal/misc/CarrierThread;");
    a_->klass->super = r_.jvm.ThreadClass();
    a_->mounted = v_;
    carriers_init(&carriers_, r_.ti);
    carriers_note_virtual_thread(&carriers_);
  }
  FakeThread *AddVirtualThread(jint hash) {
    FakeThread *thread = AddThread("", hash, /* unused: JVMTI does not report it */ 7);
    thread->frames = {{f_, 8}};
    thread->is_virtual = true;
    return thread;
  }
  FakeThread *AddCarrier(jint hash, jlong cpu_ns) {
    FakeThread *thread = AddThread("B", hash, cpu_ns);
    thread->klass = a_->klass;
    return thread;
  }

  FakeThread *v_ = AddVirtualThread(0xF0);
};

INSTANTIATE_TEST_SUITE_P(Tick, BothTicksVirtualTest, testing::Bool(),
                         [](const auto &info) { return info.param ? "Full" : "Light"; });

TEST_P(BothTicksVirtualTest, ChargesTheCpuTimeToTheMountedThread) {
  EXPECT_EQ(MakeTick(), (Lines{"Tick,1,1", Sample("000000F0,Runnable", 100, kStack8),
                               Sample("0000000A,Runnable", 0, kStack5)}));
  EXPECT_EQ(r_.Objects().size(), 2u);
  EXPECT_EQ(SampleTick(), Lines{});
  a_->cpu_ns = 130;
  EXPECT_EQ(SampleTick(), Lines{Sample("000000F0,Runnable", 30, kStack8)});
  EXPECT_EQ(SampleTick(), Lines{});
}

TEST_P(BothTicksVirtualTest, RecordsStateAndStackOfTheVirtualThread) {
  v_->state = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_SLEEPING;
  EXPECT_EQ(SampleTick(), (Lines{Sample("000000F0,Sleeping", 100, kStack8),
                                 Sample("0000000A,Runnable", 0, kStack5)}));
  a_->cpu_ns++;
  v_->state = kBlocked;
  EXPECT_EQ(SampleTick(), Lines{Sample("000000F0,Blocked", 1, kStack8)});
  a_->cpu_ns++;
  v_->frames = {{f_, 5}};
  EXPECT_EQ(SampleTick(), Lines{Sample("000000F0,Blocked", 1, kStack5)});
}

TEST_P(BothTicksVirtualTest, ChargesTheCarrierAfterTheThreadUnmounts) {
  SampleFull();
  a_->mounted = nullptr;
  a_->cpu_ns = 140;
  EXPECT_EQ(SampleTick(), (Lines{Sample("0000000A,Runnable", 40, kStack5),
                                 Sample("000000F0,Unmounted", 0, "0")}));
  EXPECT_EQ(SampleTick(), Lines{});
  a_->mounted = v_;
  a_->cpu_ns = 160;
  EXPECT_EQ(SampleTick(), Lines{Sample("000000F0,Runnable", 20, kStack8)});
}

TEST_P(BothTicksVirtualTest, RecordsTheNextThreadOnTheSameCarrier) {
  SampleFull();
  a_->mounted = AddVirtualThread(0xF1);
  a_->cpu_ns = 150;
  EXPECT_EQ(SampleTick(), (Lines{Sample("000000F1,Runnable", 50, kStack8),
                                 Sample("000000F0,Unmounted", 0, "0")}));
  EXPECT_EQ(SampleTick(), Lines{});
}

TEST_P(BothTicksVirtualTest, FollowsAThreadToAnotherCarrier) {
  FakeThread *b = AddCarrier(0xB, 500);
  SampleFull();
  std::swap(a_->mounted, b->mounted);
  a_->cpu_ns += 5;
  b->cpu_ns += 60;
  EXPECT_EQ(SampleTick(), (Lines{Sample("0000000A,Runnable", 5, kStack5),
                                 Sample("000000F0,Runnable", 60, kStack8)}));
  std::swap(a_->mounted, b->mounted);
  a_->cpu_ns += 7;
  b->cpu_ns += 4;
  EXPECT_EQ(SampleTick(), (Lines{Sample("000000F0,Runnable", 7, kStack8),
                                 Sample("0000000B,Runnable", 4, kStack5)}));
}

// The thread moves to another carrier during the tick.
TEST_P(BothTicksVirtualTest, ChargesOnlyTheFirstOfTwoCarriers) {
  FakeThread *b = AddCarrier(0xB, 500);
  SampleFull();
  b->mounted = v_;
  b->cpu_ns += 60;
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000B,Runnable", 60, kStack5)});
  a_->cpu_ns += 30;
  b->cpu_ns += 5;
  EXPECT_EQ(SampleTick(), (Lines{Sample("000000F0,Runnable", 30, kStack8),
                                 Sample("0000000B,Runnable", 5, kStack5)}));
  a_->mounted = nullptr;
  a_->cpu_ns += 1;
  b->cpu_ns += 8;
  EXPECT_EQ(SampleTick(), (Lines{Sample("0000000A,Runnable", 1, kStack5),
                                 Sample("000000F0,Runnable", 8, kStack8)}));
}

TEST_P(BothTicksVirtualTest, UnmountsTheThreadOfAMissingCarrier) {
  SampleFull();
  a_->alive = false;
  Lines lines = SampleTick();
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines,
            (Lines{Sample("0000000A,Terminated", -1, "0"), Sample("000000F0,Unmounted", 0, "0")}));
  EXPECT_EQ(SampleTick(), Lines{});
}

TEST_P(BothTicksVirtualTest, RecordsUnknownCpuTimeAsMinusOneForBoth) {
  r_.jvm.Fail(CALL_GetThreadCpuTime, kAlways, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  EXPECT_EQ(SampleTick(), (Lines{Sample("000000F0,Runnable", -1, kStack8),
                                 Sample("0000000A,Runnable", -1, kStack5)}));
  EXPECT_EQ(SampleTick(), Lines{});
}

TEST_P(BothTicksVirtualTest, RecordsOnlyTheCarrierWithoutTheExtensionFunction) {
  carriers_ = {};
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Runnable", 100, kStack5)});
}

// The thread ends between GetVirtualThread and GetThreadState.
TEST_P(BothTicksVirtualTest, ChargesTheCarrierIfTheThreadHasJustEnded) {
  v_->state = JVMTI_THREAD_STATE_TERMINATED;
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Runnable", 100, kStack5)});
  a_->cpu_ns = 130;
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Runnable", 30, kStack5)});
}

TEST_P(BothTicksVirtualTest, ChargesTheCarrierIfTheThreadHasNoFrames) {
  v_->frames = {};
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Runnable", 100, kStack5)});
  a_->cpu_ns = 130;
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Runnable", 30, kStack5)});
}

TEST_P(BothTicksVirtualTest, ChargesTheCarrierIfTheThreadIsNotAlive) {
  // In a light tick, the first call of GetStackTrace is for the carrier.
  r_.jvm.FailAt(CALL_GetStackTrace, GetParam() ? 1 : 2, JVMTI_ERROR_THREAD_NOT_ALIVE);
  EXPECT_EQ(SampleTick(), Lines{Sample("0000000A,Runnable", 100, kStack5)});
  a_->cpu_ns = 130;
  EXPECT_EQ(SampleTick(), Lines{Sample("000000F0,Runnable", 30, kStack8)})
      << "V is alive at this tick";
}

class LightTickVirtualTest : public BothTicksVirtualTest {};

INSTANTIATE_TEST_SUITE_P(Tick, LightTickVirtualTest, testing::Values(false));

TEST_P(LightTickVirtualTest, KeepsTheThreadOfACarrierThatUsedNoCpu) {
  SampleFull();
  v_->state = kBlocked;
  int calls = CountCalls(CALL_GetVirtualThread, [this] {
    for (int i = 0; i < 100; i++) EXPECT_EQ(SampleLight(), Lines{});
  });
  EXPECT_EQ(calls, 0);
  a_->cpu_ns = 130;
  EXPECT_EQ(SampleLight(), Lines{Sample("000000F0,Blocked", 30, kStack8)});
}

TEST_P(LightTickVirtualTest, KeepsTheThreadOfACarrierAfterAFailedSample) {
  SampleFull();
  a_->cpu_ns = 130;
  r_.jvm.Fail(CALL_GetStackTrace);
  EXPECT_EQ(SampleLight(), Lines{});
  EXPECT_EQ(SampleLight(), Lines{Sample("000000F0,Runnable", 30, kStack8)});
}

TEST_P(LightTickVirtualTest, CpuTimesOfCarriersAndVirtualThreadsAddUp) {
  FakeThread *b = AddCarrier(0xB, 500), *w = AddVirtualThread(0xF1);
  Lines lines;
  for (int i = 0; i < 120; i++) {
    FakeThread *const on[] = {v_, nullptr, w, w, v_};
    if (i % 2 == 0) a_->cpu_ns += 1 + i;
    if (i % 2 == 0) a_->mounted = on[i / 2 % 5];
    if (i % 3 == 0) b->cpu_ns += 1000;
    if (i % 3 == 0) b->mounted = on[i / 3 % 4];
    for (const std::string &line : i % 7 == 0 ? SampleFull() : SampleLight()) lines.push_back(line);
  }
  int64_t sum = 0;
  for (const char *thread : {"0000000A", "0000000B", "000000F0", "000000F1"}) {
    EXPECT_GT(SumCpu(thread, lines), 0) << thread;
    sum += SumCpu(thread, lines);
  }
  EXPECT_EQ(sum, a_->cpu_ns + b->cpu_ns);
}

}  // namespace
