#include "agent/writer/alarm.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

constexpr uint64_t kS = 1000000000;

class Alarm : public testing::Test {
 protected:
  Alarm() { alarm_.options = &options_; }
  ~Alarm() override {
    alarm_free(&alarm_);
    carryover_free(&threads_);
  }
  void Watch(const char *triggers, uint64_t rest_ns = 0, double cpus = 2) {
    options_.rest = rest_ns;
    alarm_.cpus = cpus;
    alarm_.threads = &threads_;
    ASSERT_TRUE(triggers_parse(triggers, &options_.trigger, nullptr)) << triggers;
  }
  void Event(double time, enum event_kind kind, uint32_t thread = 1) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.time_ns = static_cast<uint64_t>(time * kS);
    r.thread = thread;
    alarm_follow(&alarm_, &r);
  }
  // Looks at this time. Returns the word of the trigger that fires and its reason, or "".
  std::string Look(double time, double cpu = 0) { return LookLate(time, time, cpu); }
  // The same, while events from `known` on may not have been followed yet.
  std::string LookLate(double time, double known, double cpu = 0) {
    char why[160] = "";
    enum trigger found =
        alarm_look(&alarm_, static_cast<uint64_t>(time * kS), static_cast<uint64_t>(known * kS),
                   static_cast<uint64_t>(cpu * kS), why, sizeof why);
    if (found == TRIGGER_METHOD)
      snprintf(why, sizeof why, "%zu, %.1f s", alarm_.reported.num,
               static_cast<double>(alarm_.reported.ns) / kS);
    return found == NUM_TRIGGERS ? "" : std::string(trigger_names[found]) + " " + why;
  }
  std::vector<uint32_t> Suspects(double time) {
    std::vector<uint32_t> threads(SUSPECTS_MAX);
    threads.resize(alarm_suspects(&alarm_, static_cast<uint64_t>(time * kS), threads.data()));
    return threads;
  }
  void Answer(const std::vector<uint32_t> &ring, double asked, double now) {
    alarm_answer(&alarm_, ring.data(), ring.size(), static_cast<uint64_t>(asked * kS),
                 static_cast<uint64_t>(now * kS));
  }
  // Answers with a ring, and looks at the time from which the answer counts.
  std::string Confirm(const std::vector<uint32_t> &ring, double asked, double now) {
    Answer(ring, asked, now);
    return Look(now + 1);
  }
  struct options options_ = {};
  struct alarm alarm_ = {};
  struct carryover threads_ = {};
};

TEST_F(Alarm, WithoutTriggersNothingFires) {
  Event(1, EVENT_LOCK_ACQUIRE);
  EXPECT_EQ(Look(100, 200), "");
  EXPECT_EQ(Look(200, 400), "");
  EXPECT_TRUE(Suspects(200).empty());
}

TEST_F(Alarm, AThreadThatIsBlockedForLong) {
  Watch("blocked>5s");
  Event(10, EVENT_MONITOR_CONTENDED_ENTER, 0xAB);
  EXPECT_TRUE(alarm_wants_look(&alarm_));
  EXPECT_EQ(Look(14.9), "");
  EXPECT_EQ(Look(16), "blocked a thread has been blocked for 6.0 s");
}

TEST_F(Alarm, ACallThatEndsInTimeIsNotLong) {
  Watch("blocked>5s");
  for (auto call : {EVENT_LOCK_ACQUIRE, EVENT_MONITOR_CONTENDED_ENTER}) {
    Event(10, call);
    Event(14, event_end(call, false));
    EXPECT_EQ(Look(20 + call), "");
  }
  EXPECT_FALSE(alarm_wants_look(&alarm_));
}

TEST_F(Alarm, WaitingAndSleepingAreNotBlocking) {
  Watch("blocked>5s");
  Event(10, EVENT_OBJECT_WAIT, 1);
  Event(10, EVENT_THREAD_SLEEP, 2);
  Event(10, EVENT_SEMAPHORE_ACQUIRE, 3); /* perhaps for work */
  EXPECT_EQ(Look(100), "");
}

TEST_F(Alarm, CallsInsideOfEachOtherAreOneCall) {
  Watch("blocked>5s");
  Event(10, EVENT_LOCK_ACQUIRE);
  Event(11, EVENT_MONITOR_CONTENDED_ENTER);
  Event(12, EVENT_MONITOR_CONTENDED_ENTERED);
  EXPECT_EQ(Look(16), "blocked a thread has been blocked for 6.0 s");
  Event(17, EVENT_LOCK_ACQUIRED);
  EXPECT_EQ(Look(30), "");
}

// Its end was lost, for example with overflow=drop.
TEST_F(Alarm, AnotherEventShowsThatACallIsOver) {
  Watch("blocked>5s");
  Event(10, EVENT_LOCK_ACQUIRE);
  Event(11, EVENT_THREAD_SLEEP);
  EXPECT_EQ(Look(30), "");
}

TEST_F(Alarm, AThreadThatEndsIsNotBlocked) {
  Watch("blocked>5s");
  Event(10, EVENT_LOCK_ACQUIRE);
  Event(11, EVENT_THREAD_ENDED);
  EXPECT_EQ(Look(30), "");
}

// What other threads record about a thread does not show that it goes on.
TEST_F(Alarm, TheOwnerOfAMonitorDoesNotEndTheCall) {
  Watch("blocked>5s");
  Event(10, EVENT_MONITOR_CONTENDED_ENTER);
  Event(11, EVENT_MONITOR_OWNER);
  EXPECT_NE(Look(30), "");
}

TEST_F(Alarm, RestsAfterItFired) {
  Watch("blocked>5s", 60 * kS);
  Event(10, EVENT_LOCK_ACQUIRE, 1);
  EXPECT_NE(Look(16), "");
  Event(17, EVENT_LOCK_ACQUIRE, 2);
  EXPECT_EQ(Look(75), "");
  EXPECT_NE(Look(77), "");
}

TEST_F(Alarm, ALongCallFiresOnce) {
  Watch("blocked>5s");
  for (uint32_t thread = 1; thread <= 3; thread++) Event(10, EVENT_LOCK_ACQUIRE, thread);
  EXPECT_EQ(Look(16), "blocked 3 threads have been blocked for up to 6.0 s");
  EXPECT_EQ(Look(17), "");
  Event(20, EVENT_LOCK_ACQUIRED, 1);
  Event(21, EVENT_LOCK_ACQUIRE, 1);
  EXPECT_EQ(Look(25), "");
  EXPECT_EQ(Look(27), "blocked a thread has been blocked for 6.0 s");
}

TEST_F(Alarm, ForgetsCallsWhoseEndsMayBeLost) {
  Watch("blocked>5s");
  Event(10, EVENT_LOCK_ACQUIRE, 1);
  alarm_forget(&alarm_);
  EXPECT_FALSE(alarm_wants_look(&alarm_));
  EXPECT_EQ(Look(100), "");
  Event(101, EVENT_LOCK_ACQUIRE, 1);
  EXPECT_NE(Look(107), "");
}

// The end of a call may still be in the queue.
TEST_F(Alarm, JudgesByWhatIsKnown) {
  Watch("blocked>5s+method>5s");
  Event(10, EVENT_LOCK_ACQUIRE, 1);
  Event(10, EVENT_METHOD_ENTRY, 2);
  EXPECT_EQ(LookLate(15.1, 14.9), "");
  Event(14.95, EVENT_LOCK_ACQUIRED, 1);
  Event(14.95, EVENT_METHOD_EXIT, 2);
  EXPECT_EQ(LookLate(16.2, 16), "");
  EXPECT_FALSE(alarm_wants_look(&alarm_));
}

// The caller does not know the CPU time then.
TEST_F(Alarm, ASignalBetweenTwoLooksIsTheOnlyTrigger) {
  Watch("cpu>90%+signal=USR2", 60 * kS);
  Look(10, 100);
  alarm_signal(&alarm_);
  EXPECT_EQ(Look(10.5, 0).substr(0, 6), "signal");
  EXPECT_EQ(Look(16, 100.5), "") << "the window begins with the look before";
}

TEST_F(Alarm, IsDueASecondAfterTheLastLook) {
  Watch("cpu>90%", 60 * kS);
  EXPECT_TRUE(alarm_is_due(&alarm_, static_cast<uint64_t>(10 * kS)));
  Look(10);
  EXPECT_FALSE(alarm_is_due(&alarm_, static_cast<uint64_t>(10.9 * kS)));
  EXPECT_TRUE(alarm_is_due(&alarm_, static_cast<uint64_t>(11 * kS)));
}

TEST_F(Alarm, ACallOfAMethodThatTakesLong) {
  Watch("method>500ms", 60 * kS);
  Event(10, EVENT_METHOD_ENTRY, 1);
  Event(10.1, EVENT_THREAD_SLEEP, 1);
  EXPECT_TRUE(alarm_wants_look(&alarm_));
  EXPECT_EQ(Look(10.4), "");
  EXPECT_EQ(Look(11.4), "method 1, 1.4 s");
  Event(12, EVENT_METHOD_EXIT, 1);
  EXPECT_EQ(Look(80), "") << "it fires once";
}

TEST_F(Alarm, ACallOfAMethodThatWasTooLong) {
  Watch("method>500ms");
  Event(10, EVENT_METHOD_ENTRY, 1);
  Event(10.6, EVENT_METHOD_EXIT, 1);
  EXPECT_TRUE(alarm_wants_look(&alarm_)) << "the writer must not sleep before it fires";
  EXPECT_EQ(Look(11), "method 1, 0.6 s");
  EXPECT_FALSE(alarm_wants_look(&alarm_));
}

// A call that is over is of the time of the rest. One that goes on is still too long after it.
TEST_F(Alarm, CallsOfMethodsDuringTheRest) {
  Watch("method>1s+blocked>1s", 60 * kS);
  Event(10, EVENT_LOCK_ACQUIRE, 9);
  EXPECT_NE(Look(12), "");
  Event(20, EVENT_METHOD_ENTRY, 1);
  Event(20, EVENT_METHOD_ENTRY, 2);
  Event(30, EVENT_METHOD_EXIT, 1);
  EXPECT_EQ(Look(31), "");
  EXPECT_EQ(Look(73), "method 1, 53.0 s");
}

TEST_F(Alarm, ForgetsCallsOfMethodsWhoseEndsMayBeLost) {
  Watch("method>1s");
  Event(10, EVENT_METHOD_ENTRY, 1);
  alarm_forget(&alarm_);
  EXPECT_FALSE(alarm_wants_look(&alarm_));
  EXPECT_EQ(Look(100), "");
}

TEST_F(Alarm, WithoutItsTriggerNoCallOfAMethodIsFollowed) {
  Watch("blocked>5s");
  Event(10, EVENT_METHOD_ENTRY, 1);
  EXPECT_FALSE(alarm_wants_look(&alarm_));
}

TEST_F(Alarm, LooksOnceASecond) {
  Watch("blocked>5s");
  Event(10, EVENT_LOCK_ACQUIRE);
  EXPECT_EQ(Look(14.5), "");
  EXPECT_EQ(Look(15.2), "");
  EXPECT_NE(Look(15.6), "");
}

// One of two threads is blocked for 3 of 5 s; the process uses 4 s of CPU time meanwhile.
TEST_F(Alarm, TheShareOfBlockedTimeFiresUntilItFalls) {
  Watch("contention>30%");
  for (int s = 0; s <= 4; s++) EXPECT_EQ(Look(s, 0.8 * s), "");
  Event(2, EVENT_LOCK_ACQUIRE);
  EXPECT_EQ(Look(5, 4),
            "contention threads were blocked for 43 % of the time in which they had work");
  for (int s = 6; s <= 9; s++) EXPECT_EQ(Look(s, 0.8 * s), "") << "it is still high";
  Event(9, EVENT_LOCK_ACQUIRED);
  for (int s = 10; s <= 14; s++) EXPECT_EQ(Look(s, 0.8 * s), "");
  Event(14, EVENT_LOCK_ACQUIRE);
  for (int s = 15; s <= 16; s++) EXPECT_EQ(Look(s, 0.8 * s), "");
  EXPECT_NE(Look(17, 0.8 * 17), "");
}

// With a threshold, short waits are only summed up.
TEST_F(Alarm, WaitsWithoutEventsAreContention) {
  Watch("contention>30%");
  EXPECT_EQ(Look(10), "");
  alarm_.unseen_ns = 4 * kS;
  EXPECT_EQ(Look(16, 5),
            "contention threads were blocked for 44 % of the time in which they had work");
}

// An end can come later than the look after it.
TEST_F(Alarm, ALateEndIsNoContention) {
  Watch("contention>30%");
  for (int s = 0; s <= 1; s++) EXPECT_EQ(Look(s), "");
  Event(2, EVENT_LOCK_ACQUIRE);
  for (int s = 2; s <= 4; s++) EXPECT_EQ(Look(s), "");
  Event(3.98, EVENT_LOCK_ACQUIRED);
  for (int s = 5; s <= 20; s++) EXPECT_EQ(Look(s), "");
}

TEST_F(Alarm, ForgottenCallsAreNoContention) {
  Watch("contention>30%");
  Event(0, EVENT_LOCK_ACQUIRE);
  for (int s = 0; s <= 3; s++) EXPECT_EQ(Look(s), "");
  alarm_forget(&alarm_);
  for (int s = 4; s <= 20; s++) EXPECT_EQ(Look(s), "");
}

// Two threads of an idle program meet for 20 ms twice a second.
TEST_F(Alarm, ALittleContentionOfAnIdleProgramDoesNotFire) {
  Watch("contention>30%");
  for (int i = 0; i < 40; i++) {
    Event(i / 2.0, EVENT_LOCK_ACQUIRE);
    Event(i / 2.0 + 0.02, EVENT_LOCK_ACQUIRED);
    EXPECT_EQ(Look(i / 2.0 + 0.1, 0.001 * i), "");
  }
}

TEST_F(Alarm, AShareThatIsHighFiresAfterTheRest) {
  Watch("cpu>90%+blocked>2s", 10 * kS);
  Event(0, EVENT_LOCK_ACQUIRE);
  std::vector<std::string> fired;
  for (int s = 0; s <= 30; s++) {
    std::string one = Look(s, 2 * s);
    if (!one.empty()) fired.push_back(std::to_string(s) + " " + one.substr(0, one.find(' ')));
  }
  EXPECT_EQ(fired, (std::vector<std::string>{"2 blocked", "12 cpu"}));
}

TEST_F(Alarm, AShareNeedsFiveSeconds) {
  Watch("contention>15%+cpu>50%");
  Event(0, EVENT_LOCK_ACQUIRE);
  for (int s = 0; s <= 4; s++) EXPECT_EQ(Look(s, 2 * s), "");
  EXPECT_NE(Look(5, 10), "");
}

TEST_F(Alarm, TheCpusOfTheProcess) {
  Watch("cpu>90%");
  for (int s = 0; s <= 10; s++) EXPECT_EQ(Look(s, 1.7 * s), "");
  EXPECT_EQ(Look(11, 19), "");
  EXPECT_EQ(Look(12, 21), "cpu the process used 1.8 of 2 CPUs");
}

TEST_F(Alarm, AnUnknownNumberOfCpusIsNeverUsedUp) {
  Watch("cpu>1%", 0, 0);
  for (int s = 0; s <= 10; s++) EXPECT_EQ(Look(s, 50 * s), "");
}

TEST_F(Alarm, ASignalFiresAtOnceAndWithoutRest) {
  Watch("signal=USR2", 60 * kS);
  EXPECT_EQ(Look(1), "");
  for (double time : {1.1, 1.2}) {
    alarm_signal(&alarm_);
    EXPECT_EQ(Look(time), "signal the process received the signal");
    EXPECT_EQ(Look(time), "");
  }
}

TEST_F(Alarm, SuspectsAreBlockedForASecondAndAskedForOnce) {
  Watch("deadlock");
  Event(10, EVENT_LOCK_ACQUIRE, 1);
  Event(10.5, EVENT_MONITOR_CONTENDED_ENTER, 2);
  EXPECT_TRUE(Suspects(10.9).empty());
  EXPECT_EQ(Suspects(11.2), (std::vector<uint32_t>{1}));
  EXPECT_TRUE(Suspects(11.3).empty());
  EXPECT_EQ(Suspects(11.6), (std::vector<uint32_t>{1, 2}));
  EXPECT_TRUE(Suspects(100).empty());
}

TEST_F(Alarm, ASearchTakesAHundredthOfTheTimeAtMost) {
  Watch("deadlock");
  Event(10, EVENT_LOCK_ACQUIRE, 1);
  EXPECT_EQ(Suspects(12).size(), 1u);
  Answer({}, 12, 12.3);
  Event(12.5, EVENT_LOCK_ACQUIRE, 2);
  EXPECT_TRUE(Suspects(42).empty());
  EXPECT_EQ(Suspects(42.4).size(), 2u);
}

TEST_F(Alarm, ARingCountsIfItsThreadsWereBlockedAllTheTime) {
  Watch("deadlock+blocked>60s", 60 * kS);
  Event(10, EVENT_LOCK_ACQUIRE, 1);
  Event(10.5, EVENT_MONITOR_CONTENDED_ENTER, 2);
  EXPECT_EQ(Confirm({}, 12, 12.1), "");
  EXPECT_EQ(Confirm({1, 3}, 12, 14.1), "");
  EXPECT_EQ(Confirm({1, 2}, 10.2, 16.1), "");
  EXPECT_EQ(Confirm({1, 2}, 12, 18.1), "deadlock 2 threads block each other in a ring");
  EXPECT_EQ(Confirm({1, 2}, 12, 20.2), "") << "it fires once";
  EXPECT_TRUE(Suspects(1000).empty());
  EXPECT_EQ(Look(100), "") << "they are blocked because of the deadlock";
}

TEST_F(Alarm, ASecondDeadlockIsLookedForAfterTheFirst) {
  Watch("deadlock");
  for (uint32_t thread = 1; thread <= 4; thread++) Event(10, EVENT_LOCK_ACQUIRE, thread);
  EXPECT_EQ(Suspects(12).size(), 4u);
  EXPECT_NE(Confirm({1, 2}, 12, 12), "");
  std::vector<uint32_t> others = Suspects(14);
  EXPECT_EQ(std::set<uint32_t>(others.begin(), others.end()), (std::set<uint32_t>{3, 4}));
  EXPECT_NE(Confirm({3, 4}, 14, 14), "");
  EXPECT_TRUE(Suspects(16).empty());
}

// The end of a call can reach the writer after the answer.
TEST_F(Alarm, AnAnswerDoesNotCountAtOnce) {
  Watch("deadlock");
  Event(10, EVENT_LOCK_ACQUIRE, 1);
  Event(10, EVENT_LOCK_ACQUIRE, 2);
  Answer({1, 2}, 12, 12.1);
  EXPECT_EQ(LookLate(12.2, 12.04), "");
  Event(12.05, EVENT_LOCK_ACQUIRED, 2);
  EXPECT_EQ(Look(13.3), "");
}

TEST_F(Alarm, ADeadlockDoesNotRest) {
  Watch("deadlock+blocked>5s", 600 * kS);
  Event(1, EVENT_LOCK_ACQUIRE, 9);
  EXPECT_NE(Look(7), "");
  Event(10, EVENT_LOCK_ACQUIRE, 1);
  Event(10, EVENT_LOCK_ACQUIRE, 2);
  EXPECT_EQ(Suspects(12).size(), 3u);
  EXPECT_NE(Confirm({1, 2}, 12, 12.1), "");
}

TEST_F(Alarm, ManyThreadsLeaveNoTrace) {
  Watch("blocked>5s");
  for (uint32_t thread = 1; thread <= 100000; thread++) {
    Event(thread, EVENT_LOCK_ACQUIRE, thread);
    Event(thread + 0.5, EVENT_LOCK_ACQUIRED, thread);
  }
  EXPECT_LE(alarm_.by_thread.capacity, 8192u);
  EXPECT_LE(alarm_.capacity, 64u);
  EXPECT_EQ(Look(200000), "");
}

}  // namespace
