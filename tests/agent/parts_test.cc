#include <string>
#include <vector>

#include "agent/agent.h"
#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

constexpr int kDisabled = 5;  // events that parts_stop disables

// An agent that records in a fake JVM, whose writer takes no records. One thread blocks on a
// monitor.
class PartsTest : public testing::Test {
 protected:
  PartsTest() {
    struct options options;
    char error[1000] = "";
    static auto &all = *new std::vector<struct agent *>;  // never freed
    all.push_back(agent_ = new struct agent());
    agent_->ti = jvm_.Ti();
    EXPECT_TRUE(setup_init(agent_));
    EXPECT_TRUE(options_parse("out,interval=0", &options, error, sizeof error)) << error;
    recorder_begin(&agent_->recorder, &options);
    recorder_switch(&agent_->recorder, true);
    SwitchOn(JVMTI_EVENT_MONITOR_CONTENDED_ENTER);
    SwitchOn(JVMTI_EVENT_MONITOR_CONTENDED_ENTERED);
    thread_ = jvm_.AddThread("blocked", 0xA);
    monitor_ = jvm_.AddObject(jvm_.AddClass("LA;"), 0x10);
    FakeJvm::Running running(thread_);
    contention_enter(&agent_->contention, jvm_.Ti(), jvm_.Jni(), monitor_->Ref());
  }

  ~PartsTest() override {
    FakeJvm::Running running(thread_);
    context_end(&agent_->threads, jvm_.Ti(), jvm_.Jni());
    TakeEvents();
    queue_free(agent_->recorder.queue);
  }

  void SwitchOn(jvmtiEvent event) {
    jvm_.Ti()->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr);
  }

  // The blocked thread gets the monitor, which the JVM reports if the event is enabled, and calls
  // Object.wait.
  void GetMonitorAndWait() {
    FakeJvm::Running running(thread_);
    if (jvm_.IsEnabled(JVMTI_EVENT_MONITOR_CONTENDED_ENTERED)) {
      contention_entered(&agent_->contention, jvm_.Ti(), jvm_.Jni(), monitor_->Ref());
    }
    struct record wait = {};
    wait.kind = RECORD_EVENT;
    wait.event = EVENT_OBJECT_WAIT;
    wait.thread = 0xA;
    wait.object = 0x10;
    recorder_put(&agent_->recorder, context_known(&agent_->threads, jvm_.Ti(), jvm_.Jni())->lane,
                 &wait);
  }

  // Returns the names of the events that the thread has recorded.
  std::vector<std::string> TakeEvents() {
    std::vector<std::string> names;
    struct queue *q = agent_->recorder.queue;
    for (unsigned lane = 0; lane < queue_num_lanes(q); lane++) {
      struct record r;
      uint64_t complete;
      while (queue_take(q, lane, &r, 1, &complete) == 1) {
        if (r.event != EVENT_THREAD_STARTED) names.push_back(event_infos[r.event].name);
        record_release(&r);
      }
    }
    return names;
  }

  FakeJvm jvm_;
  struct agent *agent_;
  FakeThread *thread_;
  FakeObject *monitor_;
};

// The JVM reports no end of a contention once its event is disabled, and hooks record until the
// recorder is off.
class PartsStop : public PartsTest, public testing::WithParamInterface<int> {};

TEST_P(PartsStop, RecordsNoEventOfAThreadThatGotItsMonitorUnseen) {
  using Names = std::vector<std::string>;
  int before = jvm_.Calls(CALL_SetEventNotificationMode);
  bool has_gone_on = false, is_recorded = false;
  auto go_on = [&] {
    has_gone_on = true;
    is_recorded = recorder_is_on(&agent_->recorder);
    GetMonitorAndWait();
  };
  jvm_.During(CALL_SetEventNotificationMode, [&] {
    if (jvm_.Calls(CALL_SetEventNotificationMode) - before == GetParam()) go_on();
  });
  EXPECT_TRUE(parts_stop(agent_, jvm_.Jni(), "exit", true));
  EXPECT_FALSE(recorder_is_on(&agent_->recorder));
  EXPECT_FALSE(jvm_.IsEnabled(JVMTI_EVENT_MONITOR_CONTENDED_ENTER));
  EXPECT_FALSE(jvm_.IsEnabled(JVMTI_EVENT_MONITOR_CONTENDED_ENTERED));
  EXPECT_EQ(has_gone_on, GetParam() <= kDisabled);
  if (!has_gone_on) go_on();
  EXPECT_EQ(TakeEvents(),
            is_recorded ? Names({"MonitorContendedEnter", "MonitorContendedEntered", "ObjectWait"})
                        : Names({"MonitorContendedEnter"}));
}

// The thread goes on while the agent disables an event, each of them in turn, or after that.
INSTANTIATE_TEST_SUITE_P(WhileAnEventIsDisabled, PartsStop, testing::Range(1, kDisabled + 2));

}  // namespace
