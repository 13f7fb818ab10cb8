#include "sampler/sightings.h"

#include "gtest/gtest.h"

namespace {

const int kStack = 0, kOther = 0;  // two stacks

struct sighting MakeSighting(int64_t cpu_ns = 0, const void *stack = &kStack,
                             enum thread_state state = STATE_RUNNABLE) {
  struct sighting s = {};
  s.thread = 0xA;
  s.state = state;
  s.stack = stack;
  s.cpu_ns = cpu_ns;
  return s;
}

TEST(Sightings, FindsAddedThreads) {
  struct sightings list = {};
  EXPECT_EQ(sightings_find(&list, 0), nullptr);
  for (uint32_t thread = 0; thread < 1000; thread++) {  // 0 is a valid hash
    struct sighting s = MakeSighting(thread);
    s.thread = thread;
    ASSERT_TRUE(sightings_add(&list, &s));
  }
  for (uint32_t thread = 0; thread < 1000; thread++) {
    ASSERT_NE(sightings_find(&list, thread), nullptr);
    EXPECT_EQ(sightings_find(&list, thread)->cpu_ns, thread);
  }
  EXPECT_EQ(sightings_find(&list, 1000), nullptr);
  EXPECT_EQ(list.num, 1000u);
  sightings_free(&list);
  EXPECT_EQ(list.num, 0u);
  EXPECT_EQ(sightings_find(&list, 5), nullptr);
}

TEST(Sightings, KeepsTheFirstOfTwoThreadsWithOneHash) {
  struct sightings list = {};
  struct sighting first = MakeSighting(1), second = MakeSighting(2);
  EXPECT_TRUE(sightings_add(&list, &first));
  EXPECT_FALSE(sightings_add(&list, &second));
  EXPECT_EQ(sightings_find(&list, 0xA)->cpu_ns, 1);
  sightings_free(&list);
}

TEST(SightingCpu, IsTheDifference) {
  struct sighting before = MakeSighting(100), now = MakeSighting(150);
  EXPECT_EQ(sighting_cpu_used(&before, &now), 50);
  EXPECT_EQ(sighting_cpu_used(nullptr, &now), 150);
}

TEST(SightingCpu, IsNeverNegativeIfKnown) {
  struct sighting before = MakeSighting(100), now = MakeSighting(90);
  EXPECT_EQ(sighting_cpu_used(&before, &now), 0);
}

TEST(SightingCpu, IsUnknownIfOneTimeIsUnknown) {
  struct sighting unknown = MakeSighting(-1), known = MakeSighting(100);
  EXPECT_EQ(sighting_cpu_used(&known, &unknown), -1);
  EXPECT_EQ(sighting_cpu_used(&unknown, &known), -1);
  EXPECT_EQ(sighting_cpu_used(nullptr, &unknown), -1);
}

TEST(SightingHasChanged, IsTrueForANewThread) {
  struct sighting now = MakeSighting();
  EXPECT_TRUE(sighting_has_changed(nullptr, &now));
}

TEST(SightingHasChanged, IsFalseForAnEqualSighting) {
  struct sighting before = MakeSighting(), now = MakeSighting(), unknown = MakeSighting(-1);
  EXPECT_FALSE(sighting_has_changed(&before, &now));
  EXPECT_FALSE(sighting_has_changed(&unknown, &unknown));
}

TEST(SightingHasChanged, IsTrueForAnotherStateStackOrCpuTime) {
  struct sighting before = MakeSighting();
  struct sighting state = MakeSighting(0, &kStack, STATE_BLOCKED), stack = MakeSighting(0, &kOther),
                  cpu = MakeSighting(1);
  EXPECT_TRUE(sighting_has_changed(&before, &state));
  EXPECT_TRUE(sighting_has_changed(&before, &stack));
  EXPECT_TRUE(sighting_has_changed(&before, &cpu));
}

TEST(SightingHasChanged, IsTrueForAnUnsharedStack) {
  struct sighting before = MakeSighting(0, nullptr), now = MakeSighting(0, nullptr);
  EXPECT_TRUE(sighting_has_changed(&before, &now));
}

// --- states ----------------------------------------------------------------------------------

constexpr jint kAlive = JVMTI_THREAD_STATE_ALIVE;
constexpr jint kWaiting = kAlive | JVMTI_THREAD_STATE_WAITING;
constexpr jint kIndefinite = kWaiting | JVMTI_THREAD_STATE_WAITING_INDEFINITELY;
constexpr jint kTimed = kWaiting | JVMTI_THREAD_STATE_WAITING_WITH_TIMEOUT;
constexpr jint kRunnable = kAlive | JVMTI_THREAD_STATE_RUNNABLE;

// Combinations of bits that GetThreadState returns.
const struct {
  jint jvmti;
  enum thread_state state;
} kCases[] = {
    {kRunnable, STATE_RUNNABLE},
    {kRunnable | JVMTI_THREAD_STATE_IN_NATIVE, STATE_NATIVE},
    {kAlive | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER, STATE_BLOCKED},
    {kIndefinite | JVMTI_THREAD_STATE_IN_OBJECT_WAIT, STATE_WAITING},
    {kTimed | JVMTI_THREAD_STATE_IN_OBJECT_WAIT, STATE_TIMED_WAITING},
    {kIndefinite | JVMTI_THREAD_STATE_PARKED, STATE_PARKED},
    {kTimed | JVMTI_THREAD_STATE_PARKED, STATE_TIMED_PARKED},
    {kTimed | JVMTI_THREAD_STATE_SLEEPING, STATE_SLEEPING},
    {JVMTI_THREAD_STATE_TERMINATED, STATE_TERMINATED},
};

TEST(States, MapsEachJvmtiState) {
  for (const auto &c : kCases) EXPECT_EQ(sighting_state(c.jvmti), c.state) << std::hex << c.jvmti;
}

TEST(States, SuspendedOverridesTheOtherStates) {
  for (const auto &c : kCases) {
    if (c.state == STATE_TERMINATED) continue;
    EXPECT_EQ(sighting_state(c.jvmti | JVMTI_THREAD_STATE_SUSPENDED), STATE_SUSPENDED);
  }
}

TEST(States, IgnoresInterrupts) {
  for (const auto &c : kCases) {
    EXPECT_EQ(sighting_state(c.jvmti | JVMTI_THREAD_STATE_INTERRUPTED), c.state);
  }
}

TEST(States, WaitingOverridesNative) {
  EXPECT_EQ(sighting_state(kIndefinite | JVMTI_THREAD_STATE_IN_OBJECT_WAIT |
                           JVMTI_THREAD_STATE_IN_NATIVE),
            STATE_WAITING);
}

}  // namespace
