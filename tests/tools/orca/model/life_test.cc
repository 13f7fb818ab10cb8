#include "tools/orca/model/life.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

constexpr ticks_t kS = TICKS_PER_S;

// The life of one thread, from lines with times in seconds.
class Life : public testing::Test {
 protected:
  Life() {
    clock_.to = 1000 * kS;
    clock_.cpu_known = true;
    clock_.put = [](void *arg, void *, const struct life_part *part) {
      auto *test = static_cast<Life *>(arg);
      EXPECT_LT(part->begin, part->end);
      char line[100];
      snprintf(line, sizeof line, "%g-%g %s%s\n", static_cast<double>(part->begin) / kS,
               static_cast<double>(part->end) / kS, activity_names[part->activity],
               part->call == nullptr ? "" : "*");
      test->text_ += line;
      return true;
    };
    clock_.arg = this;
  }

  // `waited`: of the end of an acquisition, whether it found its lock taken.
  void Event(double at, enum event_kind kind, bool waited = true,
             enum step_origin origin = STEP_RECORDED) {
    struct event_line line = {};
    struct pair pair = {};
    line.time = static_cast<ticks_t>(at * kS);
    line.kind = kind;
    line.thread = 1;
    struct step step = {};
    step.time = line.time;
    step.event = &line;
    step.had_to_wait = waited;
    step.origin = origin;
    if (event_is_end(kind)) step.pair = &pair;
    Take(step);
  }
  void Sample(double at, enum activity activity, int64_t cpu_ms = 1,
              enum thread_state state = STATE_RUNNABLE) {
    struct sample_line line = {};
    line.kind = SAMPLE_THREAD;
    line.time = static_cast<ticks_t>(at * kS);
    line.state = state;
    line.cpu_ns = cpu_ms * 1000000;
    struct step step = {};
    step.time = line.time;
    step.sample = &line;
    step.activity = activity;
    Take(step);
  }
  void Tick(double at) {
    struct sample_line line = {};
    line.kind = SAMPLE_TICK;
    line.time = static_cast<ticks_t>(at * kS);
    struct step step = {};
    step.time = line.time;
    step.sample = &line;
    Take(step);
  }
  // Returns a line for each part up to `end`. A call is marked with a star.
  std::string End(double end) {
    EXPECT_TRUE(life_end(&life_, &clock_, static_cast<ticks_t>(end * kS), nullptr));
    return text_;
  }

  struct life_clock clock_ = {};
  struct life life_ = {};
  std::string text_;

 private:
  void Take(const struct step &step) {
    if (life_clock_take(&clock_, &step)) {
      EXPECT_TRUE(life_take(&life_, &clock_, &step, nullptr));
    }
  }
};

// The inventory finds the call a moment after it has announced the thread.
TEST_F(Life, AThreadIsInAnOlderCallFromItsFirstLineOn) {
  Event(1, EVENT_THREAD_STARTED);
  Event(2, EVENT_OBJECT_WAIT, true, STEP_OLDER);
  Event(5, EVENT_OBJECT_WAITED, true, STEP_INFERRED);
  Event(6, EVENT_OBJECT_WAIT);
  EXPECT_EQ(End(8), "1-5 waiting*\n5-6 in no call\n6-8 waiting*\n");
}

// A virtual thread is not seen by the sampler while it is on no carrier.
TEST_F(Life, AThreadWithoutSamplesIsOnlyKnownInItsCalls) {
  Event(1, EVENT_THREAD_STARTED);
  Tick(1.5);
  Event(2, EVENT_LOCK_ACQUIRE);
  Tick(2.5);
  Event(3, EVENT_LOCK_ACQUIRED);
  Tick(3.5);
  Event(4, EVENT_THREAD_SLEEP);
  Event(5, EVENT_THREAD_SLEPT);
  Event(6, EVENT_THREAD_ENDED);
  EXPECT_EQ(End(9),
            "1-2 in no call\n2-3 blocked*\n3-4 in no call\n4-5 sleeping*\n5-6 in no call\n");
}

// The next round of samples is long after the first.
TEST_F(Life, AThreadRanForNoLongerThanItUsedCpuTime) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Tick(4);
  Sample(4, ACTIVITY_RUNS, 500);
  Sample(8, ACTIVITY_RUNS, 250, STATE_TERMINATED);
  EXPECT_EQ(End(8), "1-1.5 running\n1.5-4 runnable\n4-4.25 running\n4.25-8 runnable\n");
}

// The lines of a round follow its tick at once.
TEST_F(Life, AThreadThatARoundLeavesOutDoesNotRun) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Tick(2);
  Event(2.5, EVENT_THREAD_ENDED);
  EXPECT_EQ(End(3), "1-2.5 runnable\n");
}

TEST_F(Life, TheLinesOfTheLastRoundMayStillCome) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Tick(2);
  Event(2.3, EVENT_THREAD_ENDED);
  EXPECT_EQ(End(3), "1-2.3 running\n");
}

TEST_F(Life, WhatAThreadDidAfterAnEventIsNotKnown) {
  Event(1, EVENT_THREAD_SLEPT);
  Tick(1.1);
  Sample(1.1, ACTIVITY_RUNS);
  Event(2, EVENT_THREAD_SLEPT);
  Sample(5, ACTIVITY_RUNS, 250, STATE_TERMINATED);
  EXPECT_EQ(End(5), "1-1.1 running\n1.1-2 running\n2-2.25 running\n2.25-5 in no call\n");
}

TEST_F(Life, AFreeLockIsNoBlockedTime) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Event(2, EVENT_LOCK_ACQUIRE);
  Event(3, EVENT_LOCK_ACQUIRED, false);
  Event(4, EVENT_SEMAPHORE_ACQUIRE);
  Event(5, EVENT_SEMAPHORE_ACQUIRED, true);
  EXPECT_EQ(End(6), "1-2 running\n2-3 running\n3-4 running\n4-5 blocked*\n5-6 running\n");
}

TEST_F(Life, AnAcquisitionThatDoesNotEndIsBlocked) {
  Event(1, EVENT_LOCK_ACQUIRE);
  Tick(2);
  Sample(2, ACTIVITY_PARKED, 0, STATE_PARKED);
  EXPECT_EQ(End(4), "1-4 blocked*\n");
}

// A thread spins before it blocks, and the sampler may see that.
TEST_F(Life, EventsWinOverSamples) {
  Event(1, EVENT_MONITOR_CONTENDED_ENTER);
  Tick(2);
  Sample(2, ACTIVITY_RUNS);
  Event(3, EVENT_MONITOR_CONTENDED_ENTERED);
  Event(3, EVENT_OBJECT_WAIT);
  Tick(4);
  Sample(4, ACTIVITY_RUNS);
  Event(5, EVENT_OBJECT_WAITED);
  EXPECT_EQ(End(5), "1-3 blocked*\n3-5 waiting*\n");
}

TEST_F(Life, ATaskThatJoinsAnotherOneCanRunMeanwhile) {
  Event(1, EVENT_TASK_JOIN);
  Tick(2);
  Sample(2, ACTIVITY_RUNS);
  Event(3, EVENT_LOCK_ACQUIRE);
  Event(4, EVENT_LOCK_ACQUIRED);
  Tick(5);
  Sample(5, ACTIVITY_PARKED, 0, STATE_PARKED);
  Event(6, EVENT_TASK_JOINED);
  EXPECT_EQ(End(6), "1-2 waiting*\n2-3 running\n3-4 blocked*\n4-5 running\n5-6 waiting*\n");
}

// Thread.join is synchronized: a thread can be blocked in it before it waits.
TEST_F(Life, AThreadThatWasBlockedInAJoinWaitsAgain) {
  Event(1, EVENT_THREAD_JOIN);
  Event(2, EVENT_MONITOR_CONTENDED_ENTER);
  Event(3, EVENT_MONITOR_CONTENDED_ENTERED);
  Event(4, EVENT_THREAD_JOINED);
  EXPECT_EQ(End(4), "1-2 waiting*\n2-3 blocked*\n3-4 waiting*\n");
}

// It uses CPU time for 0.25 s, then it reads from a socket.
TEST_F(Life, ASampleTellsWhatFollowedTheLastEvent) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Event(2, EVENT_THREAD_SLEEP);
  Event(3, EVENT_THREAD_SLEPT);
  Tick(4);
  Sample(4, ACTIVITY_IO, 250);
  EXPECT_EQ(End(5), "1-2 running\n2-3 sleeping*\n3-3.25 running\n3.25-4 in I/O\n4-5 in I/O\n");
}

TEST_F(Life, AnEventShowsThatItsThreadRuns) {
  Tick(1);
  Sample(1, ACTIVITY_IO);
  Event(2, EVENT_OBJECT_NOTIFY);
  EXPECT_EQ(End(3), "1-2 in I/O\n2-3 running\n");
}

TEST_F(Life, AThreadWithoutALineInARoundIsRunnable) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  for (double tick : {2, 3, 4}) Tick(tick);
  EXPECT_EQ(End(5), "1-5 runnable\n");
}

// The sample may show the state before the event. Without a line in the next round it is still
// true.
TEST_F(Life, ALateSampleCountsIfTheNextRoundDoesNotCorrectIt) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Tick(2);
  Event(2.1, EVENT_OBJECT_NOTIFY);
  Sample(2.2, ACTIVITY_IO);
  for (double tick : {3, 4, 5}) Tick(tick);
  EXPECT_EQ(End(6), "1-2.1 running\n2.1-2.2 running\n2.2-6 in I/O\n");
  EXPECT_EQ(life_.io_since, static_cast<ticks_t>(2.2 * kS));
}

// The thread has no line in the next round because it gets no CPU.
TEST_F(Life, ALateSampleOfACallThatEndedDoesNotCount) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Event(1.5, EVENT_THREAD_PARK);
  Tick(2);
  Event(2.1, EVENT_THREAD_PARKED);
  Sample(2.2, ACTIVITY_PARKED, 0, STATE_PARKED);
  for (double tick : {3, 4, 5}) Tick(tick);
  EXPECT_EQ(End(6), "1-1.5 running\n1.5-2.1 parked*\n2.1-2.2 running\n2.2-6 runnable\n");
}

TEST_F(Life, AnEventMakesALateSampleOld) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Tick(2);
  Event(2.1, EVENT_OBJECT_NOTIFY);
  Sample(2.2, ACTIVITY_IO);
  Event(2.3, EVENT_OBJECT_NOTIFY);
  for (double tick : {3, 4, 5}) Tick(tick);
  EXPECT_FALSE(End(6).find("I/O") != std::string::npos) << text_;
  EXPECT_EQ(life_.io_since, 0u);
}

TEST_F(Life, ALaterLineCorrectsALateSample) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Tick(2);
  Event(2.1, EVENT_OBJECT_NOTIFY);
  Sample(2.2, ACTIVITY_IO);
  Tick(3);
  Sample(3.1, ACTIVITY_PARKED, 0, STATE_PARKED);
  for (double tick : {4, 5}) Tick(tick);
  EXPECT_FALSE(End(6).find("I/O") != std::string::npos) << text_;
}

TEST_F(Life, AThreadWithoutALaterLineIsInOneCall) {
  Tick(1);
  Sample(1, ACTIVITY_IO);
  for (double tick : {2, 3}) Tick(tick);
  End(4);
  EXPECT_EQ(life_.io_since, 1 * kS);
}

TEST_F(Life, AThreadThatUsedCpuTimeIsInAnotherCall) {
  Tick(1);
  Sample(1, ACTIVITY_IO);
  Tick(2);
  Sample(2, ACTIVITY_IO, 1);
  End(4);
  EXPECT_EQ(life_.io_since, 2 * kS);
}

TEST_F(Life, WithoutCpuTimesOneCallIsNotKnown) {
  clock_.cpu_known = false;
  Tick(1);
  Sample(1, ACTIVITY_IO, -1);
  End(4);
  EXPECT_EQ(life_.io_since, 0u);
}

TEST_F(Life, AThreadThatEndedIsInNoCall) {
  Tick(1);
  Sample(1, ACTIVITY_IO);
  Tick(2);
  Sample(2, ACTIVITY_HIDDEN, 0, STATE_TERMINATED);
  End(4);
  EXPECT_EQ(life_.io_since, 0u);
}

// The JVM still says so for a moment after the thread entered the monitor.
TEST_F(Life, AThreadThatEnteredItsMonitorIsNotBlocked) {
  clock_.has_monitors = true;
  Event(1, EVENT_MONITOR_CONTENDED_ENTER);
  Event(2, EVENT_MONITOR_CONTENDED_ENTERED);
  Tick(2.5);
  Sample(2.5, ACTIVITY_BLOCKED, 0, STATE_BLOCKED);
  EXPECT_EQ(End(4), "1-2 blocked*\n2-2.5 in no call\n2.5-4 in no call\n");
}

TEST_F(Life, AThreadWithoutCallsIsBlockedAsSampled) {
  clock_.has_monitors = true;
  Tick(1);
  Sample(1, ACTIVITY_BLOCKED, 0, STATE_BLOCKED);
  EXPECT_EQ(End(2), "1-2 blocked\n");
}

TEST_F(Life, NativeCodeThatUsesNoCpuTimeMayWait) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS, 1, STATE_NATIVE);
  for (double tick : {2, 3, 4}) Tick(tick);
  EXPECT_EQ(End(5), "1-5 in no call\n");
}

TEST_F(Life, AVirtualThreadOffItsCarrierIsInNoCall) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Tick(2);
  Sample(2, ACTIVITY_NO_CALL, 0, STATE_UNMOUNTED);
  Event(3, EVENT_THREAD_PARK);
  Event(4, EVENT_THREAD_PARKED);
  EXPECT_EQ(End(5), "1-2 running\n2-3 in no call\n3-4 parked*\n4-5 in no call\n");
}

TEST_F(Life, IgnoresASampleThatIsOlderThanAnEvent) {
  Tick(1);
  Sample(1, ACTIVITY_RUNS);
  Tick(2);
  Event(2.25, EVENT_THREAD_SLEEP);
  Event(2.75, EVENT_THREAD_SLEPT);
  Sample(3, ACTIVITY_IO);
  EXPECT_EQ(End(4), "1-2.25 running\n2.25-2.75 sleeping*\n2.75-4 running\n");
}

TEST_F(Life, IsClippedToTheRange) {
  clock_.from = 2 * kS;
  clock_.to = 4 * kS;
  Event(1, EVENT_THREAD_SLEEP);
  Event(3, EVENT_THREAD_SLEPT);
  Event(5, EVENT_THREAD_PARK);
  EXPECT_EQ(End(4), "2-3 sleeping*\n3-4 in no call\n");
}

TEST_F(Life, KeepsTheInnermostCalls) {
  for (int i = 0; i < LIFE_NESTED + 2; i++) Event(1 + i, EVENT_TASK_JOIN);
  Event(20, EVENT_THREAD_SLEEP);
  Event(21, EVENT_THREAD_SLEPT);
  EXPECT_NE(End(22).find("20-21 sleeping*\n"), std::string::npos) << text_;
  EXPECT_EQ(life_.num_nested, 0u);
}

TEST_F(Life, AnEndedThreadIsNotRevivedByASample) {
  Event(1, EVENT_THREAD_STARTED);
  Event(2, EVENT_THREAD_ENDED);
  Sample(3, ACTIVITY_RUNS);
  Event(4, EVENT_THREAD_STARTED);  // another thread with the same hash
  EXPECT_EQ(End(5), "1-2 in no call\n4-5 in no call\n");
}

}  // namespace
