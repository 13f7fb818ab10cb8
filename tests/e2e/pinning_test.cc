/* Tests that the agent pins no virtual thread to its carrier, and what it records of one that the
   program or the JDK pins. JDK Flight Recorder runs beside the agent and counts pinned threads. If
   the program itself pins one, both must record it. */
#include <set>
#include <string>

#include "agent/event/line.h"
#include "gtest/gtest.h"
#include "tests/e2e/compare.h"
#include "tests/e2e/scratch.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

constexpr int kSynchronizedUnpins = 24; /* JEP 491 */
constexpr const char *kPinned = "jdk.VirtualThreadPinned";

/* Returns the number of these events from the summary of a recording; -1 if the summary has none.
 */
int ReadCount(const std::string &summary, const std::string &event) {
  size_t at = summary.find(event + " ");
  return at == std::string::npos ? -1 : atoi(summary.c_str() + at + event.size());
}

class PinningTest : public testing::TestWithParam<Jdk> {
 protected:
  void SetUp() override {
    if (GetParam().version < kSynchronizedUnpins)
      GTEST_SKIP() << "synchronized itself pins threads in this JDK";
  }

  /* Runs a workload and returns how often Flight Recorder saw a pinned thread. Expects that the
     dump matches the account. */
  int CountPinned(const std::string &workload) {
    Scratch scratch;
    std::string file = scratch.dir() + "/pinned.jfr", event = kPinned;
    std::string recording = "settings=none,filename=" + file + ",+" + event + "#enabled=true,+" +
                            event +
                            "#threshold=0ns"; /* Flight Recorder ignores a setting without '+' */
    Session session(GetParam(),
                    Program({"counted." + workload}, FlightRecorder(recording, scratch.dir())));
    session.Wait();
    EXPECT_TRUE(session.story().complete) << session.result().err;
    ExpectSame(session.story(), session.dump());
    Result summary =
        RunProcess({GetParam().home + "/bin/jfr", "summary", file}, {}, scratch.dir(), 60);
    EXPECT_EQ(summary.status, 0) << summary.err;
    return ReadCount(summary.out, kPinned);
  }
};

TEST_P(PinningTest, TheAgentPinsNoThread) {
  EXPECT_EQ(CountPinned("ManyVirtual"), 0);
  EXPECT_EQ(CountPinned("PinnedMonitor"), 0);
}

TEST_P(PinningTest, RecordsAThreadThatTheProgramPins) { EXPECT_EQ(CountPinned("Pinned"), 1); }

/* --- a virtual thread that sleeps while it owns a monitor ------------------------------------- */

bool IsInStack(const Dump &dump, struct span stack, const std::string &method) {
  struct span rest = stack_frames(stack);
  for (struct frame frame; stack_next(&rest, &frame);) {
    auto found = dump.methods.find(frame.method);
    if (found != dump.methods.end() && found->second.name == method) return true;
  }
  return false;
}

bool IsThread(const Session &session, uint32_t thread, const std::string &name) {
  auto found = session.story().threads.find(thread);
  return found != session.story().threads.end() && found->second == name;
}

/* Returns the time at which the thread of this name ends its sleep; 0 if it does not. */
ticks_t FindEndOfSleep(const Session &session, const std::string &name) {
  for (const std::string &line : SplitLines(ReadFile(session.prefix() + ".orca"))) {
    struct event_line e;
    if (event_line_read({line.data(), line.size()}, &e) != nullptr) continue;
    if (e.kind == EVENT_THREAD_SLEPT && IsThread(session, e.thread, name)) return e.time;
  }
  return 0;
}

/* Returns the state in the last sample of the thread of this name before `time`, which is true up
   to then. STATE_UNMOUNTED if there is no sample. Expects the method in the stack of any other
   state. */
enum thread_state FindState(const Session &session, const std::string &name,
                            const std::string &method, ticks_t time) {
  enum thread_state state = STATE_UNMOUNTED;
  std::set<uint64_t> inside; /* numbers of stacks with the method */
  bool is_inside = false;
  for (const std::string &line : SplitLines(ReadFile(session.prefix() + ".samples"))) {
    struct sample_line s;
    if (sample_line_read({line.data(), line.size()}, &s) != nullptr || s.time >= time) continue;
    if (s.kind == SAMPLE_STACK && IsInStack(session.dump(), s.stack, method)) {
      inside.insert(s.stack_id);
    }
    if (s.kind != SAMPLE_THREAD || !IsThread(session, s.thread, name)) continue;
    state = s.state;
    is_inside = inside.count(s.stack_id) != 0;
  }
  EXPECT_TRUE(is_inside || state == STATE_UNMOUNTED) << name;
  return state;
}

class PinnedMonitorTest : public testing::TestWithParam<Jdk> {};

/* Returns the threads that were blocked on a monitor of the workload and whose owner is `owner`. */
std::set<std::string> FindWaiters(const Session &session, const std::string &owner) {
  std::set<std::string> waiters;
  for (const Event &e : session.dump().events) {
    bool is_about_lock = session.story().locks.count(e.object) != 0;
    if (!is_about_lock || e.owner == 0 || !IsThread(session, e.owner, owner)) continue;
    waiters.insert(session.story().threads.at(e.thread));
  }
  return waiters;
}

/* The owner is a virtual thread, pinned or not; its carrier is never named. A line may name the
   platform thread, which owns the monitor after it, while the virtual thread still blocks. */
TEST_P(PinnedMonitorTest, TheOwnerAndItsWaitersAreVirtualThreadsAndNotTheirCarriers) {
  Session session(GetParam(),
                  Program({"counted.PinnedMonitor"}, {"-Djdk.virtualThreadScheduler.parallelism=4"},
                          ",interval=5ms"));
  session.Wait();
  ASSERT_EQ(session.result().status, 0) << session.result().err;
  if (!session.story().skipped.empty()) GTEST_SKIP() << session.story().skipped;
  ExpectSame(session.story(), session.dump());
  session.ExpectQuiet();
  session.ExpectChecked();
  EXPECT_EQ(FindWaiters(session, "holder"), (std::set<std::string>{"platform", "virtual"}));
  for (const Event &e : session.dump().events) {
    bool is_about_lock = session.story().locks.count(e.object) != 0;
    bool is_later_owner = e.kind == EVENT_MONITOR_OWNER && IsThread(session, e.owner, "platform");
    bool is_named = e.owner != 0 && !IsThread(session, e.owner, "holder");
    EXPECT_TRUE(!is_about_lock || !is_named || is_later_owner) << e.owner;
  }
  bool is_pinned = GetParam().version < kSynchronizedUnpins;
  ticks_t end = FindEndOfSleep(session, "holder");
  EXPECT_EQ(FindState(session, "platform", "contend", end), STATE_BLOCKED);
  EXPECT_EQ(FindState(session, "virtual", "contend", end),
            is_pinned ? STATE_BLOCKED : STATE_UNMOUNTED);
  EXPECT_EQ(FindState(session, "holder", "napPinned", end),
            is_pinned ? STATE_TIMED_PARKED : STATE_UNMOUNTED);
}

INSTANTIATE_TEST_SUITE_P(Jvm, PinnedMonitorTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(Jvm, PinningTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
