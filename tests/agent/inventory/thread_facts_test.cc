#include "agent/inventory/thread_facts.h"

#include "tests/agent/inventory/inventory_case.h"

namespace {

class ThreadFactsTest : public testing::Test {
 protected:
  ThreadFactsTest() : running_(c_.current) {
    EXPECT_TRUE(facts_open(&facts_, c_.r.meta, c_.r.jni));
  }
  ~ThreadFactsTest() override { facts_close(&facts_, c_.r.jni); }

  bool Read(struct thread_facts *out) {
    return facts_read(&facts_, c_.r.ti, c_.r.jni, thread_->Ref(), thread_->frames.data(),
                      static_cast<int>(thread_->frames.size()), true, out);
  }
  struct thread_facts ReadGood() {
    struct thread_facts out;
    EXPECT_TRUE(Read(&out));
    return out;
  }

  InventoryCase c_;
  FakeJvm::Running running_;
  FakeClass *klass_ = c_.r.jvm.AddClass("LMonitor;", 0xC2);
  FakeObject *a_ = c_.r.jvm.AddObject(klass_, 0xA1), *b_ = c_.r.jvm.AddObject(klass_, 0xB1);
  FakeMethod *enter_ = c_.AddMethod(c_.program, "enter", "()V");
  FakeMethod *hidden_ = c_.AddMethod(c_.program, "hidden", "()V");
  FakeThread *thread_ = c_.AddThread("T", 0x2, {enter_, hidden_, c_.run},
                                     JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER);
  struct facts facts_ = {};
};

TEST_F(ThreadFactsTest, ReadsMonitors) {
  c_.answers[thread_] = {{a_}, {{b_, 2}}};
  struct thread_facts facts = ReadGood();
  EXPECT_EQ(facts.monitor, 0xA1u);
  ASSERT_EQ(facts.num_held, 1);
  EXPECT_EQ(facts.held[0].object, 0xB1u);
  EXPECT_EQ(facts.held[0].depth, 2);
  EXPECT_EQ(c_.r.Objects(), (Lines{"000000A1,000000C2", "000000B1,000000C2"}));
}

TEST_F(ThreadFactsTest, ReadsTheBlockerAndItsOwner) {
  FakeThread *owner = c_.r.jvm.AddThread("owner", 0x3);
  c_.answers[thread_].blocker = a_;
  c_.answers[thread_].owner = owner;
  struct thread_facts facts = ReadGood();
  EXPECT_EQ(facts.blocker, 0xA1u);
  EXPECT_EQ(facts.owner, 0x3u);
  EXPECT_EQ(facts.monitor, 0u);
  EXPECT_EQ(facts.num_held, 0);
}

TEST_F(ThreadFactsTest, FindsTheClassOfAMonitorByItsName) {
  c_.r.jvm.AddClass("[I", 0xC3);
  c_.r.jvm.AddClass("Lcom/acme/Cart$Lock;", 0xC4);
  FakeObject *c = c_.r.jvm.AddObject(klass_, 0xA2), *d = c_.r.jvm.AddObject(klass_, 0xA3);
  c_.answers[thread_] = {{a_, 0, "com.acme.Cart$Lock"},
                         {{b_, 0, "Monitor"}, {c, 0, "[I"}, {d, 0, "Unknown"}}};
  EXPECT_EQ(ReadGood().num_held, 3);
  EXPECT_EQ(c_.r.Objects(), (Lines{"000000A1,000000C4", "000000B1,000000C2", "000000A2,000000C3"}));
}

TEST_F(ThreadFactsTest, FindsFramesBetweenHiddenOnes) {
  c_.answers[thread_] = {{a_}, {{b_, 1}}, nullptr, nullptr, {"enter", "run"}};
  EXPECT_EQ(ReadGood().held[0].depth, 2);
}

TEST_F(ThreadFactsTest, KnowsNoFrameThatTheStackDoesNotContain) {
  for (const std::vector<std::string> &methods :
       {std::vector<std::string>{"enter", "other"}, {"enter"}, {"run", "enter"}}) {
    c_.answers[thread_] = {{a_}, {{b_, 1}}, nullptr, nullptr, methods};
    EXPECT_EQ(ReadGood().held[0].depth, -1);
  }
  c_.answers[thread_] = {{a_}, {{b_, -1}}};
  EXPECT_EQ(ReadGood().held[0].depth, -1);
}

TEST_F(ThreadFactsTest, ReadsALimitedNumberOfMonitors) {
  for (int i = 0; i < FACTS_MAX_HELD + 5; i++) {
    c_.answers[thread_].held.push_back({c_.r.jvm.AddObject(klass_), 0});
  }
  EXPECT_EQ(ReadGood().num_held, FACTS_MAX_HELD);
}

TEST_F(ThreadFactsTest, HasNoAnswerAboutAnUnknownThread) {
  c_.answers.erase(thread_);
  struct thread_facts out;
  EXPECT_FALSE(Read(&out));
}

TEST_F(ThreadFactsTest, FindsVirtualThreads) {
  c_.virtual_threads = {thread_};
  jobjectArray found = facts_find_virtual_threads(&facts_, c_.r.jni, 10);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ((*c_.r.jni).functions->GetArrayLength(c_.r.jni, found), 1);
  (*c_.r.jni).functions->DeleteLocalRef(c_.r.jni, found);
  c_.r.jvm.Fail(CALL_CallStaticObjectMethod);
  EXPECT_EQ(facts_find_virtual_threads(&facts_, c_.r.jni, 10), nullptr);
}

TEST_F(ThreadFactsTest, OpensAgain) {
  facts_close(&facts_, c_.r.jni);
  EXPECT_EQ(facts_.klass, nullptr);
  facts_close(&facts_, c_.r.jni);
  EXPECT_TRUE(facts_open(&facts_, c_.r.meta, c_.r.jni));
  c_.answers[thread_] = {{a_}};
  EXPECT_EQ(ReadGood().monitor, 0xA1u);
}

// The test fails if a JNI function is called while an exception is pending, or a reference leaks.
TEST_F(ThreadFactsTest, DoesNotOpenIfAnyCallFails) {
  facts_close(&facts_, c_.r.jni);
  for (FakeCall call : {CALL_GetFieldID, CALL_GetStaticMethodID, CALL_CallStaticVoidMethod,
                        CALL_NewGlobalRef, CALL_FindClass}) {
    int before = c_.r.jvm.Calls(call);
    ASSERT_TRUE(facts_open(&facts_, c_.r.meta, c_.r.jni));
    facts_close(&facts_, c_.r.jni);
    int n = c_.r.jvm.Calls(call) - before;
    EXPECT_GT(n, 0) << call;
    for (int nth = 1; nth <= n; nth++) {
      c_.r.jvm.FailAt(call, nth);
      EXPECT_FALSE(facts_open(&facts_, c_.r.meta, c_.r.jni)) << call << " " << nth;
    }
    c_.r.jvm.During(call, nullptr);
  }
  EXPECT_TRUE(facts_open(&facts_, c_.r.meta, c_.r.jni));
}

// Before JDK 19, the JVM would call the method of the program.
TEST_F(ThreadFactsTest, AsksForNoMonitorsIfAThreadOverridesGetId) {
  FakeClass *thread_class = c_.r.jvm.ThreadClass();
  bool asked = true;
  c_.r.jvm.During(CALL_CallStaticObjectMethod, [&] { asked = !facts_.without_monitors; });
  c_.AddMethod(thread_class, "getId", "()J");
  EXPECT_TRUE(facts_check_threads(&facts_, c_.r.ti, c_.r.jni));
  ReadGood();
  EXPECT_TRUE(asked);
  FakeClass *own = c_.r.jvm.AddClass("LOwnThread;");
  own->super = thread_class;
  thread_->klass = own;
  EXPECT_TRUE(facts_check_threads(&facts_, c_.r.ti, c_.r.jni));
  c_.AddMethod(own, "getId", "()J");
  EXPECT_FALSE(facts_check_threads(&facts_, c_.r.ti, c_.r.jni));
  ReadGood();
  EXPECT_FALSE(asked);
  c_.AddMethod(thread_class, "threadId", "()J");
  EXPECT_TRUE(facts_check_threads(&facts_, c_.r.ti, c_.r.jni));
}

TEST_F(ThreadFactsTest, SurvivesTheFailureOfAnyCall) {
  c_.answers[thread_] = {{a_}, {{b_, 2, "Monitor"}, {a_, 1}}, b_, c_.current};
  for (int call = 0; call < NUM_FAKE_CALLS; call++) {
    auto fake_call = static_cast<FakeCall>(call);
    int before = c_.r.jvm.Calls(fake_call);
    ReadGood();
    int n = c_.r.jvm.Calls(fake_call) - before;
    if (call == CALL_Deallocate || call == CALL_ExceptionCheck || call == CALL_GetObjectField ||
        call == CALL_GetArrayLength || call == CALL_GetObjectClass ||
        call == CALL_GetObjectArrayElement || call == CALL_GetIntArrayRegion) {
      continue;  // these cannot fail
    }
    for (int nth = 1; nth <= n; nth++) {
      SCOPED_TRACE(std::to_string(call) + " " + std::to_string(nth));
      struct thread_facts out;
      c_.r.jvm.FailAt(fake_call, nth);
      Read(&out);
    }
    c_.r.jvm.During(fake_call, nullptr);
  }
  EXPECT_EQ(ReadGood().num_held, 2);
}

}  // namespace
