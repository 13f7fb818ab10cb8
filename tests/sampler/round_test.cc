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
#include "tests/support/recording.h"

namespace {

const char kStack5[] = "1;00000001;00000005", kStack8[] = "1;00000001;00000008";
const jint kBlocked = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER;
const int kAlways = 1000000;

std::string Sample(const std::string &thread_and_state, int64_t cpu_ns, const std::string &stack) {
  return "Sample," + thread_and_state + "," + std::to_string(cpu_ns) + "," + stack;
}

// The CPU times of a thread's lines together.
int64_t CpuOf(const std::string &thread, const Lines &lines) {
  const std::string head = "Sample," + thread + ",";
  int64_t sum = 0;
  for (const std::string &line : lines) {
    if (line.rfind(head, 0) == 0) sum += std::stoll(line.substr(line.find(',', head.size()) + 1));
  }
  return sum;
}

// The ticks one by one, without a thread. What is not given back to the JVM fails each test:
// FakeJvm counts it.
class RoundTest : public testing::Test {
 protected:
  explicit RoundTest(const std::string &options = "") : r_(options) {}
  void SetUp() override { ended_threads_open(&ended_); }
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
  // The lines of a tick, with its Tick line, and without.
  Lines AllOfFull() {
    round_make_full_tick(&round_);
    return Taken();
  }
  Lines AllOfLight() {
    round_make_light_tick(&round_);
    return Taken();
  }
  Lines Full() { return WithoutTick(AllOfFull()); }
  Lines Light() { return WithoutTick(AllOfLight()); }

  // How often a function of the JVM is called meanwhile.
  int CallsIn(FakeCall call, const std::function<void()> &act) {
    int before = r_.jvm.Calls(call);
    act();
    return r_.jvm.Calls(call) - before;
  }
  // Of the tick that was the last; its lines go.
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
  struct carriers mounted_ = {};
  struct ended_threads ended_ = {};
  struct round round_ = {r_.threads, &mounted_, &ended_, r_.ti, r_.jni, {}, {}, {}, 0, 0, 0};

 private:
  Lines Taken() {
    EXPECT_EQ(r_.jvm.NumLocalRefs(), 0) << "the sampler's thread never returns to Java";
    return r_.Records();
  }
};

/* --- both sorts ------------------------------------------------------------------------------ */

// What a tick sees of threads that used the CPU is the same, whichever sort it is.
class RoundOfBothSortsTest : public RoundTest, public testing::WithParamInterface<bool> {
 protected:
  Lines AllOfTick() { return GetParam() ? AllOfFull() : AllOfLight(); }
  Lines Tick() { return WithoutTick(AllOfTick()); }
};

INSTANTIATE_TEST_SUITE_P(Tick, RoundOfBothSortsTest, testing::Bool(),
                         [](const auto &info) { return info.param ? "Full" : "Light"; });

TEST_P(RoundOfBothSortsTest, TheFirstShowsAllThreads) {
  AddThread("B", 0xB, 7)->state = kBlocked;
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,1,2", Sample("0000000A,Runnable", 100, kStack5),
                                Sample("0000000B,Blocked", 7, kStack5)}));
  EXPECT_EQ(r_.Objects(), (Lines{"0000000A,00001000", "0000000B,00001000"}));
}

TEST_P(RoundOfBothSortsTest, WhoEndsBeforeTheFirstTickUsedNothingBeforeTheRecording) {
  AddThread("B", 0xB, 60);
  round_take_base(&round_);
  ended_threads_open(&ended_);
  ended_threads_add(&ended_, 0xB, 65);
  ended_threads_add(&ended_, 0xC, 4);
  Lines lines = Tick();
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "Sample,0000000B,Terminated,5,0"), 1);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "Sample,0000000C,Terminated,4,0"), 1);
}

TEST_P(RoundOfBothSortsTest, WhoUsedTheCpuHasALineWithWhatItUsed) {
  AddThread("B", 0xB, 7);
  Full();
  a_->cpu_ns = 130;
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,2,2", Sample("0000000A,Runnable", 30, kStack5)}));
  EXPECT_EQ(AllOfTick(), Lines{"Tick,3,2"});
}

TEST_P(RoundOfBothSortsTest, StateAndStackOfWhoUsedTheCpuAreSeen) {
  Full();
  a_->cpu_ns = 130;
  a_->state = kBlocked;
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Blocked", 30, kStack5)});
  a_->cpu_ns = 150;
  a_->frames = {{f_, 8}};
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Blocked", 20, kStack8)});
}

TEST_P(RoundOfBothSortsTest, AThreadWithoutFramesHasAnEmptyStack) {
  a_->frames = {};
  Lines lines = Tick();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("Sample,0000000A,Runnable,100,", 0), 0u) << lines[0];
  EXPECT_EQ(Tick(), Lines{});
}

TEST_P(RoundOfBothSortsTest, ANewThreadHasALine) {
  Full();
  AddThread("B", 0xB, 0);
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,2,2", Sample("0000000B,Runnable", 0, kStack5)}));
}

TEST_P(RoundOfBothSortsTest, AnOlderThreadOfTheKernelThatComesBackHasUsedNothingNew) {
  Full();
  AddThread("DestroyJavaVM", 0xB, INT64_MAX);
  EXPECT_EQ(CpuOf("0000000B", Tick()), 0);
  EXPECT_EQ(Tick(), Lines{});
}

TEST_P(RoundOfBothSortsTest, WhatAThreadUsedBeforeTheBaseLineIsNotTold) {
  round_take_base(&round_);
  r_.jvm.Change([&] { a_->cpu_ns = 130; });
  FakeThread *b = AddThread("B", 0xB, 7);
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,1,2", Sample("0000000A,Runnable", 30, kStack5),
                                Sample("0000000B,Runnable", b->cpu_ns, kStack5)}));
}

TEST_P(RoundOfBothSortsTest, ANewThreadMayHaveUsedAllTheTimeUntilItsClockIsRead) {
  Full();
  FakeThread *b = AddThread("B", 0xB, 0);
  r_.jvm.During(CALL_GetThreadCpuTime, [b] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    b->cpu_ns = 4 * NS_PER_MS;
  });
  EXPECT_EQ(CpuOf("0000000B", Tick()), int64_t{4 * NS_PER_MS});
}

TEST_P(RoundOfBothSortsTest, AThreadThatIsGoneHasOneLastLine) {
  FakeThread *b = AddThread("B", 0xB, 7);
  Full();
  b->alive = false;
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,2,1", Sample("0000000B,Terminated", -1, "0")}));
  EXPECT_EQ(AllOfTick(), Lines{"Tick,3,1"});
}

TEST_P(RoundOfBothSortsTest, OwnThreadsAreHidden) {
  FakeThread *own = AddThread("Orca owners", 0xE, 7);
  threads_hide(r_.threads, r_.jni, own->Ref());
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,1,1", Sample("0000000A,Runnable", 100, kStack5)}));
  own->cpu_ns = 1000;
  EXPECT_EQ(AllOfTick(), Lines{"Tick,2,1"});
  EXPECT_EQ(r_.Objects(), Lines{"0000000A,00001000"});
  threads_unhide_all(r_.threads, r_.jni);
}

TEST_P(RoundOfBothSortsTest, CpuTimeThatTheJvmDoesNotTellIsMinusOne) {
  r_.jvm.Fail(CALL_GetThreadCpuTime, kAlways, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Runnable", -1, kStack5)});
  EXPECT_EQ(Tick(), Lines{});
  AddThread("B", 0xB, 7);
  EXPECT_EQ(Tick(), Lines{Sample("0000000B,Runnable", -1, kStack5)});
}

// Nobody is taken for gone, no number is used up, and what was used meanwhile counts at the next.
TEST_P(RoundOfBothSortsTest, ATickThatTheJvmRefusesIsNone) {
  Full();
  a_->cpu_ns = 130;
  uint64_t last_ns = round_.tick_ns;
  r_.jvm.Fail(GetParam() ? CALL_GetAllStackTraces : CALL_GetAllThreads);
  EXPECT_EQ(AllOfTick(), Lines{});
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,2,1", Sample("0000000A,Runnable", 30, kStack5)}));
  EXPECT_EQ(round_.last_tick_ns, last_ns) << "what a new thread may have used counts from there";
}

TEST_P(RoundOfBothSortsTest, AfterARefusalTheFirstTickIsStillTheFirst) {
  a_->cpu_ns = INT64_MAX;
  r_.jvm.Fail(GetParam() ? CALL_GetAllStackTraces : CALL_GetAllThreads);
  EXPECT_EQ(AllOfTick(), Lines{});
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,1,1", Sample("0000000A,Runnable", INT64_MAX, kStack5)}));
}

TEST_P(RoundOfBothSortsTest, OfTwoThreadsWithOneHashTheFirstCounts) {
  FakeThread *b = AddThread("B", 0xA, 7);
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,1,2", Sample("0000000A,Runnable", 100, kStack5)}));
  b->cpu_ns = 50;
  EXPECT_EQ(AllOfTick(), Lines{"Tick,2,2"});
}

/* --- how they differ ------------------------------------------------------------------------- */

TEST_F(RoundTest, TheNumbersOfBothSortsAreOneSequence) {
  EXPECT_EQ(AllOfFull()[0], "Tick,1,1");
  EXPECT_EQ(AllOfLight()[0], "Tick,2,1");
  EXPECT_EQ(AllOfLight()[0], "Tick,3,1");
  EXPECT_EQ(AllOfFull()[0], "Tick,4,1");
}

TEST_F(RoundTest, WhoUsedNoCpuIsNotLookedAtAtALightTick) {
  Full();
  a_->state = kBlocked;
  a_->frames = {{f_, 8}};
  for (FakeCall call : {CALL_GetAllStackTraces, CALL_GetThreadState, CALL_GetStackTrace}) {
    EXPECT_EQ(CallsIn(call, [this] { EXPECT_EQ(Light(), Lines{}); }), 0);
  }
  EXPECT_EQ(Full(), Lines{Sample("0000000A,Blocked", 0, kStack8)}) << "a full one sees it";
}

TEST_F(RoundTest, OnlyWhoUsedTheCpuIsLookedAtAtALightTick) {
  for (jint hash = 0x10; hash < 0x20; hash++) AddThread("B", hash, 7);
  Full();
  a_->cpu_ns++;
  EXPECT_EQ(CallsIn(CALL_GetStackTrace, [this] { EXPECT_EQ(Light().size(), 1u); }), 1);
  a_->cpu_ns++;
  EXPECT_EQ(CallsIn(CALL_GetThreadState, [this] { EXPECT_EQ(Light().size(), 1u); }), 1);
}

TEST_F(RoundTest, WhoUsedNoCpuKeepsItsPlaceOverManyLightTicks) {
  Full();
  for (int i = 0; i < 100; i++) EXPECT_EQ(Light(), Lines{});
  EXPECT_EQ(Full(), Lines{});
  EXPECT_EQ(Light(), Lines{});
  a_->cpu_ns = 130;
  EXPECT_EQ(Light(), Lines{Sample("0000000A,Runnable", 30, kStack5)});
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
  EXPECT_EQ(round_make_full_tick(&round_), 0u) << "one that is refused";
}

TEST_F(RoundTest, CpuTimesOfBothSortsAddUp) {
  FakeThread *b = AddThread("B", 0xB, 0);
  Lines lines;
  for (int i = 0; i < 60; i++) {
    if (i % 2 == 0) a_->cpu_ns += 1 + i;
    if (i % 7 == 0) b->cpu_ns += 1000;
    if (i % 5 == 0) a_->state = i % 10 == 0 ? kBlocked : JVMTI_THREAD_STATE_RUNNABLE;
    for (const std::string &line : i % 3 == 0 ? Full() : Light()) lines.push_back(line);
  }
  EXPECT_EQ(CpuOf("0000000A", lines), a_->cpu_ns);
  EXPECT_EQ(CpuOf("0000000B", lines), b->cpu_ns);
}

/* --- threads that ended ---------------------------------------------------------------------- */

TEST_P(RoundOfBothSortsTest, AThreadThatEndedIsToldWithAllThatItUsed) {
  FakeThread *b = AddThread("B", 0xB, 7);
  Full();
  b->alive = false;
  ended_threads_add(&ended_, 0xB, 19);
  EXPECT_EQ(Tick(), Lines{Sample("0000000B,Terminated", 12, "0")});
  EXPECT_EQ(Tick(), Lines{});
}

TEST_P(RoundOfBothSortsTest, AThreadThatNoTickSawIsToldIfItUsedTheCpu) {
  Full();
  ended_threads_add(&ended_, 0xB, 19);
  ended_threads_add(&ended_, 0xC, 0);
  EXPECT_EQ(Tick(), Lines{Sample("0000000B,Terminated", 19, "0")});
  EXPECT_EQ(Tick(), Lines{});
}

// It ended once it was looked at, or is not off the JVM's list yet.
TEST_P(RoundOfBothSortsTest, AThreadThatEndsMeanwhileIsToldOnce) {
  FakeThread *b = AddThread("B", 0xB, 7);
  Full();
  b->cpu_ns = 10;
  ended_threads_add(&ended_, 0xB, 11);
  EXPECT_EQ(Tick(), (Lines{Sample("0000000B,Runnable", 3, kStack5),
                           Sample("0000000B,Terminated", 1, "0")}));
  b->cpu_ns = 12;
  {
    FakeJvm::Running running(b);
    context_here(r_.threads, r_.ti, r_.jni);
    context_end(r_.threads, r_.ti, r_.jni);
  }
  r_.Records();
  EXPECT_EQ(Tick(), Lines{});
  b->alive = false;
  EXPECT_EQ(Tick(), Lines{});
}

TEST_P(RoundOfBothSortsTest, AnotherThreadOfTheHashBeginsAnew) {
  FakeThread *b = AddThread("B", 0xB, 7);
  Full();
  b->alive = false;
  ended_threads_add(&ended_, 0xB, 8);
  EXPECT_EQ(Tick(), Lines{Sample("0000000B,Terminated", 1, "0")});
  AddThread("B2", 0xB, 3);
  EXPECT_EQ(Tick(), Lines{Sample("0000000B,Runnable", 3, kStack5)});
}

/* --- what the JVM refuses at a light tick ---------------------------------------------------- */

TEST_F(RoundTest, AThreadThatEndsDuringALightTickIsGoneAtTheNext) {
  const struct {
    FakeCall call;
    int nth;  // A is asked for its CPU time first
  } questions[] = {{CALL_GetThreadCpuTime, 2}, {CALL_GetThreadState, 1}, {CALL_GetStackTrace, 1}};
  for (const auto &question : questions) {
    FakeThread *b = AddThread("B", 0xB, 7);
    Full();
    b->cpu_ns = 20;
    r_.jvm.FailAt(question.call, question.nth, JVMTI_ERROR_THREAD_NOT_ALIVE);
    EXPECT_EQ(Light(), Lines{}) << question.call;
    b->alive = false;
    EXPECT_EQ(Light(), Lines{Sample("0000000B,Terminated", -1, "0")}) << question.call;
  }
}

TEST_F(RoundTest, WhatAThreadUsedThatWasNotShownIsToldLater) {
  Full();
  for (FakeCall call : {CALL_GetThreadCpuTime, CALL_GetThreadState, CALL_GetStackTrace}) {
    a_->cpu_ns += 15;
    r_.jvm.Fail(call);
    EXPECT_EQ(AllOfLight().size(), 1u) << "no line, and nobody taken for gone";
    a_->cpu_ns += 15;
    EXPECT_EQ(Light(), Lines{Sample("0000000A,Runnable", 30, kStack5)});
  }
}

TEST_F(RoundTest, WhatAThreadUsedThatIsNeverShownAFullTickTells) {
  Full();
  r_.jvm.Fail(CALL_GetStackTrace, kAlways);
  for (int i = 0; i < 10; i++) {
    a_->cpu_ns++;
    EXPECT_EQ(Light(), Lines{});
  }
  EXPECT_EQ(Full(), Lines{Sample("0000000A,Runnable", 10, kStack5)});
}

TEST_F(RoundTest, ANewThreadThatIsNotShownIsNewAtTheNext) {
  Full();
  AddThread("B", 0xB, 0);
  r_.jvm.Fail(CALL_GetStackTrace);
  EXPECT_EQ(AllOfLight(), Lines{"Tick,2,2"});
  EXPECT_EQ(Light(), Lines{Sample("0000000B,Runnable", 0, kStack5)});
}

TEST_F(RoundTest, WithoutCpuTimesLightTicksSeeOnlyWhoComesAndGoes) {
  r_.jvm.Fail(CALL_GetThreadCpuTime, kAlways, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  Full();
  a_->state = kBlocked;
  FakeThread *b = AddThread("B", 0xB, 7);
  EXPECT_EQ(Light(), Lines{Sample("0000000B,Runnable", -1, kStack5)});
  b->alive = false;
  EXPECT_EQ(Light(), Lines{Sample("0000000B,Terminated", -1, "0")});
  EXPECT_EQ(Full(), Lines{Sample("0000000A,Blocked", -1, kStack5)});
}

/* --- virtual threads ------------------------------------------------------------------------- */

// A is a carrier and runs the virtual thread V, whose stack is its own.
class RoundOfVirtualThreadsTest : public RoundOfBothSortsTest {
 protected:
  RoundOfVirtualThreadsTest() {
    r_.jvm.ShowMounted();
    a_->klass = r_.jvm.AddClass("Ljdk/internal/misc/CarrierThread;");
    a_->klass->super = r_.jvm.ThreadClass();
    a_->mounted = v_;
    carriers_init(&mounted_, r_.ti);
    carriers_expect(&mounted_);
  }
  FakeThread *AddVirtual(jint hash) {
    FakeThread *thread = AddThread("", hash, /* the JVM does not tell it */ 7);
    thread->frames = {{f_, 8}};
    thread->is_virtual = true;
    return thread;
  }
  FakeThread *AddCarrier(jint hash, jlong cpu_ns) {
    FakeThread *thread = AddThread("B", hash, cpu_ns);
    thread->klass = a_->klass;
    return thread;
  }

  FakeThread *v_ = AddVirtual(0xF0);
};

INSTANTIATE_TEST_SUITE_P(Tick, RoundOfVirtualThreadsTest, testing::Bool(),
                         [](const auto &info) { return info.param ? "Full" : "Light"; });

TEST_P(RoundOfVirtualThreadsTest, TheOneThatIsMountedHasTheCpuTimeAndItsCarrierNone) {
  EXPECT_EQ(AllOfTick(), (Lines{"Tick,1,1", Sample("000000F0,Runnable", 100, kStack8),
                                Sample("0000000A,Runnable", 0, kStack5)}));
  EXPECT_EQ(r_.Objects().size(), 2u);
  EXPECT_EQ(Tick(), Lines{});
  a_->cpu_ns = 130;
  EXPECT_EQ(Tick(), Lines{Sample("000000F0,Runnable", 30, kStack8)});
  EXPECT_EQ(Tick(), Lines{});
}

TEST_P(RoundOfVirtualThreadsTest, ItsStateAndItsStackAreItsOwn) {
  v_->state = JVMTI_THREAD_STATE_ALIVE | JVMTI_THREAD_STATE_SLEEPING;
  EXPECT_EQ(Tick(), (Lines{Sample("000000F0,Sleeping", 100, kStack8),
                           Sample("0000000A,Runnable", 0, kStack5)}));
  a_->cpu_ns++;
  v_->state = kBlocked;
  EXPECT_EQ(Tick(), Lines{Sample("000000F0,Blocked", 1, kStack8)});
  a_->cpu_ns++;
  v_->frames = {{f_, 5}};
  EXPECT_EQ(Tick(), Lines{Sample("000000F0,Blocked", 1, kStack5)});
}

TEST_P(RoundOfVirtualThreadsTest, OnceItHasLeftItIsUnmountedAndTheCarrierHasItsOwnTime) {
  Full();
  a_->mounted = nullptr;
  a_->cpu_ns = 140;
  EXPECT_EQ(Tick(), (Lines{Sample("0000000A,Runnable", 40, kStack5),
                           Sample("000000F0,Unmounted", 0, "0")}));
  EXPECT_EQ(Tick(), Lines{});
  a_->mounted = v_;
  a_->cpu_ns = 160;
  EXPECT_EQ(Tick(), Lines{Sample("000000F0,Runnable", 20, kStack8)});
}

TEST_P(RoundOfVirtualThreadsTest, OneMayFollowAnother) {
  Full();
  a_->mounted = AddVirtual(0xF1);
  a_->cpu_ns = 150;
  EXPECT_EQ(Tick(), (Lines{Sample("000000F1,Runnable", 50, kStack8),
                           Sample("000000F0,Unmounted", 0, "0")}));
  EXPECT_EQ(Tick(), Lines{});
}

TEST_P(RoundOfVirtualThreadsTest, ItMayGoFromCarrierToCarrier) {
  FakeThread *b = AddCarrier(0xB, 500);
  Full();
  std::swap(a_->mounted, b->mounted);
  a_->cpu_ns += 5;
  b->cpu_ns += 60;
  EXPECT_EQ(Tick(), (Lines{Sample("0000000A,Runnable", 5, kStack5),
                           Sample("000000F0,Runnable", 60, kStack8)}));
  std::swap(a_->mounted, b->mounted);
  a_->cpu_ns += 7;
  b->cpu_ns += 4;
  EXPECT_EQ(Tick(), (Lines{Sample("000000F0,Runnable", 7, kStack8),
                           Sample("0000000B,Runnable", 4, kStack5)}));
}

// It went there while the tick went from carrier to carrier.
TEST_P(RoundOfVirtualThreadsTest, OneThatIsFoundOnTwoCarriersHasTheTimeOfTheFirst) {
  FakeThread *b = AddCarrier(0xB, 500);
  Full();
  b->mounted = v_;
  b->cpu_ns += 60;
  EXPECT_EQ(Tick(), Lines{Sample("0000000B,Runnable", 60, kStack5)});
  a_->cpu_ns += 30;
  b->cpu_ns += 5;
  EXPECT_EQ(Tick(), (Lines{Sample("000000F0,Runnable", 30, kStack8),
                           Sample("0000000B,Runnable", 5, kStack5)}));
  a_->mounted = nullptr;
  a_->cpu_ns += 1;
  b->cpu_ns += 8;
  EXPECT_EQ(Tick(), (Lines{Sample("0000000A,Runnable", 1, kStack5),
                           Sample("000000F0,Runnable", 8, kStack8)}));
}

TEST_P(RoundOfVirtualThreadsTest, WithItsCarrierItGoes) {
  Full();
  a_->alive = false;
  Lines lines = Tick();
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(lines,
            (Lines{Sample("0000000A,Terminated", -1, "0"), Sample("000000F0,Unmounted", 0, "0")}));
  EXPECT_EQ(Tick(), Lines{});
}

TEST_P(RoundOfVirtualThreadsTest, CpuTimeThatTheJvmDoesNotTellIsMinusOneForBoth) {
  r_.jvm.Fail(CALL_GetThreadCpuTime, kAlways, JVMTI_ERROR_MUST_POSSESS_CAPABILITY);
  EXPECT_EQ(Tick(), (Lines{Sample("000000F0,Runnable", -1, kStack8),
                           Sample("0000000A,Runnable", -1, kStack5)}));
  EXPECT_EQ(Tick(), Lines{});
}

TEST_P(RoundOfVirtualThreadsTest, WhereTheJvmDoesNotTellOnlyTheCarrierIsSeen) {
  mounted_ = {};
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Runnable", 100, kStack5)});
}

// Between the question what a carrier runs and those about that thread.
TEST_P(RoundOfVirtualThreadsTest, OneThatHasJustEndedHasNoLineAndTheCarrierKeepsItsTime) {
  v_->state = JVMTI_THREAD_STATE_TERMINATED;
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Runnable", 100, kStack5)});
  a_->cpu_ns = 130;
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Runnable", 30, kStack5)});
}

TEST_P(RoundOfVirtualThreadsTest, OneThatHasNoFramesHasNoLineAndTheCarrierKeepsItsTime) {
  v_->frames = {};
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Runnable", 100, kStack5)});
  a_->cpu_ns = 130;
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Runnable", 30, kStack5)});
}

TEST_P(RoundOfVirtualThreadsTest, OneThatIsNotAliveHasNoLineAndTheCarrierKeepsItsTime) {
  // A light tick asks for the carrier's stack before.
  r_.jvm.FailAt(CALL_GetStackTrace, GetParam() ? 1 : 2, JVMTI_ERROR_THREAD_NOT_ALIVE);
  EXPECT_EQ(Tick(), Lines{Sample("0000000A,Runnable", 100, kStack5)});
  a_->cpu_ns = 130;
  EXPECT_EQ(Tick(), Lines{Sample("000000F0,Runnable", 30, kStack8)}) << "it was another's turn";
}

class LightRoundOfVirtualThreadsTest : public RoundOfVirtualThreadsTest {};

INSTANTIATE_TEST_SUITE_P(Tick, LightRoundOfVirtualThreadsTest, testing::Values(false));

TEST_P(LightRoundOfVirtualThreadsTest, ACarrierThatUsedNoCpuKeepsItMounted) {
  Full();
  v_->state = kBlocked;
  int asked = CallsIn(CALL_GetVirtualThread, [this] {
    for (int i = 0; i < 100; i++) EXPECT_EQ(Light(), Lines{});
  });
  EXPECT_EQ(asked, 0);
  a_->cpu_ns = 130;
  EXPECT_EQ(Light(), Lines{Sample("000000F0,Blocked", 30, kStack8)});
}

TEST_P(LightRoundOfVirtualThreadsTest, ACarrierThatIsNotShownKeepsItMounted) {
  Full();
  a_->cpu_ns = 130;
  r_.jvm.Fail(CALL_GetStackTrace);
  EXPECT_EQ(Light(), Lines{});
  EXPECT_EQ(Light(), Lines{Sample("000000F0,Runnable", 30, kStack8)});
}

TEST_P(LightRoundOfVirtualThreadsTest, CpuTimesOfCarriersAndWhatTheyRunAddUp) {
  FakeThread *b = AddCarrier(0xB, 500), *w = AddVirtual(0xF1);
  Lines lines;
  for (int i = 0; i < 120; i++) {
    FakeThread *const on[] = {v_, nullptr, w, w, v_};
    if (i % 2 == 0) a_->cpu_ns += 1 + i;
    if (i % 2 == 0) a_->mounted = on[i / 2 % 5];
    if (i % 3 == 0) b->cpu_ns += 1000;
    if (i % 3 == 0) b->mounted = on[i / 3 % 4];
    for (const std::string &line : i % 7 == 0 ? Full() : Light()) lines.push_back(line);
  }
  int64_t sum = 0;
  for (const char *thread : {"0000000A", "0000000B", "000000F0", "000000F1"}) {
    EXPECT_GT(CpuOf(thread, lines), 0) << thread;
    sum += CpuOf(thread, lines);
  }
  EXPECT_EQ(sum, a_->cpu_ns + b->cpu_ns);
}

}  // namespace
