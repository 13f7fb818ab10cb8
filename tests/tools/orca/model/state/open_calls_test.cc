#include "tools/orca/model/state/open_calls.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// The stacks are of methods of the small dump: 1 Object.wait, 3 Thread.sleep, 0x10 price, 0x11 run,
// 0x12 reserve, 0x13 HashMap.get.
constexpr char kWait[] = "2;00000001;FFFFFFFF;00000011;00000005";

class OpenCalls : public testing::Test {
 protected:
  OpenCalls() {
    // A woven version of Object.wait has an id of its own.
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,wait,(J)V,000000C1,-1\n");
    small_.Read();
  }
  ~OpenCalls() override {
    open_calls_free(&calls_);
    stacks_free(&stacks_);
  }

  stack_id_t Intern(const std::string &text) {
    stack_id_t id = 99;
    EXPECT_TRUE(stacks_intern(&stacks_, small_.dump, Span(text), &id));
    return id;
  }
  static struct event_line MakeLine(enum event_kind kind, uint32_t thread, uint32_t object = 0) {
    struct event_line line = {};
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    return line;
  }
  // Returns whether the event begins an open call.
  bool Note(enum event_kind kind, uint32_t thread, uint32_t object = 0,
            const std::string &stack = "0") {
    bool is_open = false;
    struct event_line line = MakeLine(kind, thread, object);
    EXPECT_TRUE(open_calls_note(&calls_, &line, Intern(stack), &is_open));
    return is_open;
  }
  void Begin(enum event_kind kind, uint32_t thread, uint32_t object, const std::string &stack) {
    EXPECT_FALSE(Note(EVENT_OPEN_CALL, thread));
    EXPECT_TRUE(Note(kind, thread, object, stack));
  }
  // Returns the ends that the sign shows: "EVENT OBJECT" in a row.
  std::string Infer(struct open_calls_sign sign) {
    std::string ends;
    struct event_line out;
    stack_id_t stack;
    while (open_calls_infer_end(&calls_, small_.dump, &stacks_, &sign, &out, &stack)) {
      EXPECT_EQ(out.thread, sign.thread);
      EXPECT_EQ(out.time, sign.time);
      char object[16];
      snprintf(object, sizeof object, " %X;", out.object);
      ends += event_infos[out.kind].name + std::string(object);
      last_stack_ = stack;
    }
    return ends;
  }
  std::string SeeSample(uint32_t thread, const std::string &stack, bool is_running = false) {
    return Infer({thread, 7, Intern(stack), nullptr, is_running});
  }
  std::string SeeEvent(enum event_kind kind, uint32_t thread, const std::string &stack) {
    struct event_line line = MakeLine(kind, thread);
    return Infer({thread, 7, Intern(stack), &line, false});
  }

  SmallModel small_;
  struct stacks stacks_ = {};
  struct open_calls calls_ = {};
  stack_id_t last_stack_ = 0;
};

TEST_F(OpenCalls, BeginWithTheNextEventOfTheThread) {
  EXPECT_FALSE(Note(EVENT_OBJECT_WAIT, 1));
  EXPECT_FALSE(open_calls_has(&calls_, 1));
  EXPECT_FALSE(Note(EVENT_OPEN_CALL, 1));
  EXPECT_FALSE(Note(EVENT_OBJECT_WAIT, 2));
  EXPECT_TRUE(Note(EVENT_OBJECT_WAIT, 1, 0xA2, kWait));
  EXPECT_TRUE(open_calls_has(&calls_, 1));
  EXPECT_FALSE(open_calls_has(&calls_, 2));
  EXPECT_FALSE(Note(EVENT_OBJECT_WAIT, 1, 0xA2, kWait));
}

TEST_F(OpenCalls, GoOnWhileTheStackContainsThem) {
  Begin(EVENT_OBJECT_WAIT, 1, 0xA2, kWait);
  EXPECT_EQ(SeeSample(1, kWait), "");
  EXPECT_EQ(SeeSample(1, "3;00000013;00000000;00000001;00000002;00000011;00000005", true), "");
  EXPECT_EQ(SeeSample(2, "1;00000011;00000000"), "");  // another thread
  EXPECT_TRUE(open_calls_has(&calls_, 1));
}

TEST_F(OpenCalls, EndAtTheFirstSampleWithoutThem) {
  Begin(EVENT_OBJECT_WAIT, 1, 0xA2, kWait);
  EXPECT_EQ(SeeSample(1, "1;00000011;00000005"), "ObjectWaited A2;");
  EXPECT_EQ(last_stack_, Intern(kWait));
  EXPECT_FALSE(open_calls_has(&calls_, 1));
  EXPECT_EQ(SeeSample(1, "1;00000011;00000006"), "");
}

TEST_F(OpenCalls, EndIfACallerIsAtAnotherPlace) {
  Begin(EVENT_OBJECT_WAIT, 1, 0xA2, kWait);
  EXPECT_EQ(SeeSample(1, "2;00000001;FFFFFFFF;00000011;00000006"), "ObjectWaited A2;");
}

TEST_F(OpenCalls, GoOnInAnotherVersionOfTheMethod) {
  Begin(EVENT_OBJECT_WAIT, 1, 0xA2, kWait);
  EXPECT_EQ(SeeSample(1, "2;00000021;FFFFFFFF;00000011;00000005"), "");
}

// Method 0 is the mark of a stack that the option depth cut.
TEST_F(OpenCalls, CompareCutStacksAsFarAsTheyGo) {
  Begin(EVENT_OBJECT_WAIT, 1, 0xA2, "3;00000001;FFFFFFFF;00000011;00000005;00000000;00000000");
  EXPECT_EQ(
      SeeSample(1, "4;00000001;FFFFFFFF;00000011;00000005;00000010;00000001;00000011;00000000"),
      "");
  EXPECT_EQ(SeeSample(1, "2;00000001;FFFFFFFF;00000000;00000000"), "");
  EXPECT_EQ(SeeSample(1, "3;00000001;FFFFFFFF;00000012;00000005;00000000;00000000"),
            "ObjectWaited A2;");
}

TEST_F(OpenCalls, EndWhenTheThreadCallsTheSameMethodAgain) {
  Begin(EVENT_OBJECT_WAIT, 1, 0xA2, kWait);
  EXPECT_EQ(SeeEvent(EVENT_OBJECT_WAIT, 1, kWait), "ObjectWaited A2;");
}

TEST_F(OpenCalls, GoOnAtAnEventInside) {
  Begin(EVENT_FUTURE_AWAIT, 1, 0xA2, kWait);
  EXPECT_EQ(
      SeeEvent(EVENT_OBJECT_NOTIFY, 1, "3;00000002;FFFFFFFF;00000001;00000001;00000011;00000005"),
      "");
  EXPECT_EQ(SeeEvent(EVENT_OBJECT_NOTIFY, 1, "2;00000002;FFFFFFFF;00000011;00000005"),
            "FutureAwaited A2;");
}

TEST_F(OpenCalls, GoOnAtAnEventWithoutAStack) {
  Begin(EVENT_FUTURE_AWAIT, 1, 0xA2, kWait);
  EXPECT_EQ(SeeEvent(EVENT_THREAD_UNPARK, 1, "0"), "");
  EXPECT_TRUE(open_calls_has(&calls_, 1));
}

TEST_F(OpenCalls, EndWithTheirThread) {
  Begin(EVENT_OBJECT_WAIT, 1, 0xA2, kWait);
  EXPECT_EQ(SeeEvent(EVENT_THREAD_ENDED, 1, "0"), "ObjectWaited A2;");
}

TEST_F(OpenCalls, EndFromTheInnermost) {
  Begin(EVENT_THREAD_JOIN, 1, 2, "2;00000004;00000000;00000011;00000005");
  Begin(EVENT_OBJECT_WAIT, 1, 0xA2, "3;00000001;FFFFFFFF;00000004;00000000;00000011;00000005");
  Begin(EVENT_OBJECT_WAIT, 2, 0xA1, kWait);
  EXPECT_EQ(SeeSample(1, "2;00000004;00000003;00000011;00000005"), "ObjectWaited A2;");
  EXPECT_EQ(SeeSample(1, "1;00000011;00000007"), "ThreadJoined 2;");
  EXPECT_TRUE(open_calls_has(&calls_, 2));
}

TEST_F(OpenCalls, AContentionEndsWhenTheThreadRunsInItsFrame) {
  const std::string in_reserve = "2;00000012;00000000;00000011;00000005";
  Begin(EVENT_MONITOR_CONTENDED_ENTER, 1, 0xA1, in_reserve);
  EXPECT_EQ(SeeSample(1, in_reserve), "");
  EXPECT_EQ(SeeSample(1, in_reserve, true), "MonitorContendedEntered A1;");
}

TEST_F(OpenCalls, AnAttemptCountsAsFailed) {
  Begin(EVENT_LOCK_TRY, 1, 0xA3, kWait);
  EXPECT_EQ(SeeSample(1, "0"), "LockTryAcquireFailed A3;");
}

TEST_F(OpenCalls, ForgetACallWithAnEnd) {
  Begin(EVENT_MONITOR_CONTENDED_ENTER, 1, 0xA1, kWait);
  struct event_line other = MakeLine(EVENT_MONITOR_CONTENDED_ENTERED, 1, 0xA2);
  open_calls_forget(&calls_, &other);
  EXPECT_TRUE(open_calls_has(&calls_, 1));
  struct event_line end = MakeLine(EVENT_MONITOR_CONTENDED_ENTERED, 1, 0xA1);
  open_calls_forget(&calls_, &end);
  EXPECT_FALSE(open_calls_has(&calls_, 1));
  EXPECT_EQ(SeeSample(1, "1;00000011;00000000"), "");
}

}  // namespace
