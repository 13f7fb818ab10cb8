#include "sampler/states.h"

#include "gtest/gtest.h"

namespace {

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
  for (const auto &c : kCases)
    EXPECT_EQ(convert_jvmti_state(c.jvmti), c.state) << std::hex << c.jvmti;
}

TEST(States, SuspendedOverridesTheOtherStates) {
  for (const auto &c : kCases) {
    if (c.state == STATE_TERMINATED) continue;
    EXPECT_EQ(convert_jvmti_state(c.jvmti | JVMTI_THREAD_STATE_SUSPENDED), STATE_SUSPENDED);
  }
}

TEST(States, IgnoresInterrupts) {
  for (const auto &c : kCases) {
    EXPECT_EQ(convert_jvmti_state(c.jvmti | JVMTI_THREAD_STATE_INTERRUPTED), c.state);
  }
}

TEST(States, WaitingOverridesNative) {
  EXPECT_EQ(convert_jvmti_state(kIndefinite | JVMTI_THREAD_STATE_IN_OBJECT_WAIT |
                                JVMTI_THREAD_STATE_IN_NATIVE),
            STATE_WAITING);
}

}  // namespace
