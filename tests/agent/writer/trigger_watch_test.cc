#include "agent/writer/trigger_watch.h"

#include <string>

#include "gtest/gtest.h"

namespace {

constexpr uint64_t kS = 1000000000;

class TriggerWatch : public testing::Test {
 protected:
  TriggerWatch() {
    figures_init(&figures_);
    suspects_init(&suspects_);
    input_.figures = &figures_;
    input_.signals = &signals_;
    input_.suspects = &suspects_;
    input_.cpus = 2;
    input_.options = &options_;
  }
  ~TriggerWatch() override { trigger_watch_end(&watch_); }
  void Begin(const char *triggers) {
    ASSERT_TRUE(triggers_parse(triggers, &options_.trigger, nullptr));
    trigger_watch_begin(&watch_, &input_);
  }
  void Event(double time, enum event_kind kind, uint32_t thread) {
    struct record r = {};
    r.kind = RECORD_EVENT;
    r.event = static_cast<uint8_t>(kind);
    r.time_ns = static_cast<uint64_t>(time * kS);
    r.thread = thread;
    trigger_watch_follow(&watch_, &input_, &r);
  }
  void Start(uint32_t thread, std::string name) {
    struct record r = {};
    r.event = EVENT_THREAD_STARTED;
    r.thread = thread;
    r.u.name.text = name.data();
    r.u.name.len = name.size();
    trigger_watch_follow(&watch_, &input_, &r);
  }
  // The thread of the call for which the trigger `method` has fired.
  std::string ReportedName() const {
    const struct long_call &c = watch_.alarm.reported;
    return std::string(c.name, c.name_len);
  }
  std::string Look(double time) {
    char why[160] = "";
    uint64_t now = static_cast<uint64_t>(time * kS);
    enum trigger found = trigger_watch_look(&watch_, &input_, now, now, why, sizeof why);
    return found == NUM_TRIGGERS ? "" : trigger_names[found];
  }

  struct recording_figures figures_ = {};
  struct suspects suspects_;
  unsigned signals_ = 5; /* of earlier recordings */
  struct options options_ = {};
  struct writer_input input_ = {};
  struct trigger_watch watch_ = {};
};

TEST_F(TriggerWatch, IsOffWithoutTriggers) {
  EXPECT_FALSE(trigger_watch_is_on(&watch_));
  input_.signals = nullptr;
  trigger_watch_begin(&watch_, &input_);
  EXPECT_FALSE(trigger_watch_is_on(&watch_));
  EXPECT_EQ(Look(1), "");
}

TEST_F(TriggerWatch, FiresForASignalAfterItsBegin) {
  Begin("signal=USR1");
  EXPECT_EQ(Look(1), "");
  signals_++;
  EXPECT_EQ(Look(1.1), "signal");
  EXPECT_EQ(Look(3), "");
}

TEST_F(TriggerWatch, ForgetsOpenCallsWhenEventsWereLost) {
  Begin("blocked>2s");
  Event(10, EVENT_MONITOR_CONTENDED_ENTER, 0xA);
  figures_.events_dropped++;
  EXPECT_EQ(Look(15), "");  // the end of the call may be lost
  Event(20, EVENT_MONITOR_CONTENDED_ENTER, 0xB);
  EXPECT_EQ(Look(23), "blocked");
}

TEST_F(TriggerWatch, FiresWhenTheAnswerIsARing) {
  Begin("deadlock");
  Event(10, EVENT_MONITOR_CONTENDED_ENTER, 0xA);
  Event(10, EVENT_MONITOR_CONTENDED_ENTER, 0xB);
  EXPECT_EQ(Look(12), "");
  ASSERT_FALSE(suspects_are_free(&suspects_));  // it has asked
  ASSERT_EQ(suspects_.num, 2u);
  const uint32_t ring[] = {0xA, 0xB};
  suspects_answer(&suspects_, ring, 2);
  EXPECT_EQ(Look(12.5), "");  // a call that has ended could be in the queue
  EXPECT_EQ(Look(14), "deadlock");
}

TEST_F(TriggerWatch, KnowsTheThreadOfALongCall) {
  options_.track = true;
  Begin("method>1s");
  Start(0xA, "worker");
  Event(10, EVENT_METHOD_ENTRY, 0xA);
  Event(12, EVENT_METHOD_EXIT, 0xA);
  Event(12, EVENT_THREAD_ENDED, 0xA);
  EXPECT_EQ(Look(13), "method");
  EXPECT_EQ(ReportedName(), "worker");
  EXPECT_EQ(carryover_count(&watch_.threads), 0u);
}

// `orca set` may switch the trigger on after the threads have begun.
TEST_F(TriggerWatch, AChangeOfTheTriggersKeepsTheNames) {
  options_.track = true;
  Begin("off");
  Start(0xA, "worker");
  ASSERT_TRUE(triggers_parse("method>1s", &options_.trigger, nullptr));
  trigger_watch_change(&watch_, &input_);
  Event(10, EVENT_METHOD_ENTRY, 0xA);
  EXPECT_EQ(Look(13), "method");
  EXPECT_EQ(ReportedName(), "worker");
}

TEST_F(TriggerWatch, KeepsNoNamesThatNobodyWants) {
  Begin("blocked>1s");
  Start(0xA, "worker");
  EXPECT_EQ(carryover_count(&watch_.threads), 0u);
}

TEST_F(TriggerWatch, TheEndForgetsAll) {
  Begin("blocked>2s");
  Event(10, EVENT_MONITOR_CONTENDED_ENTER, 0xA);
  trigger_watch_end(&watch_);
  EXPECT_FALSE(trigger_watch_is_on(&watch_));
  EXPECT_EQ(Look(20), "");
}

}  // namespace
