#include "agent/thread/signal_thread.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

std::string ReasonIn(Recording *r, const std::string &thread) {
  FakeJvm::Running running(r->jvm.AddThread(thread));
  return signal_thread_reason(r->ti, r->jni, "exit");
}

TEST(SignalThread, NamesTheSignalThatEndsTheJvm) {
  Recording r;
  EXPECT_EQ(ReasonIn(&r, "SIGTERM handler"), "signal TERM");
  EXPECT_EQ(ReasonIn(&r, "SIGINT handler"), "signal INT");
  EXPECT_EQ(ReasonIn(&r, "SIGHUP handler"), "signal HUP");
  EXPECT_EQ(r.jvm.NumLocalRefs(), 0);
}

TEST(SignalThread, KeepsTheReasonOfOtherThreads) {
  Recording r;
  for (const char *name : {"main", "DestroyJavaVM", "", "SIGUSR2 handler", "SIGTERM handler 2"}) {
    EXPECT_EQ(ReasonIn(&r, name), "exit") << name;
  }
  EXPECT_EQ(r.jvm.NumLocalRefs(), 0);
}

TEST(SignalThread, KeepsTheReasonIfTheJvmDoesNotTell) {
  Recording r;
  r.jvm.Fail(CALL_GetThreadInfo);
  EXPECT_EQ(ReasonIn(&r, "SIGTERM handler"), "exit");
}

}  // namespace
