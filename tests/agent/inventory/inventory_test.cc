#include "agent/inventory/inventory.h"

#include <stdlib.h>

#include <algorithm>
#include <future>

#include "agent/base/clock.h"
#include "tests/agent/inventory/inventory_case.h"
#include "tests/support/scarce.h"
#include "tests/support/virtual_time.h"

namespace {

constexpr jint kBlocked = JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER;
constexpr jint kParked = JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_PARKED;
constexpr jint kInWait = JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_IN_OBJECT_WAIT;

class Case : public InventoryCase {
 public:
  explicit Case(const std::string &options = "") : InventoryCase(options) {
    inventory.threads = r.threads;
  }

  bool Record() {
    FakeJvm::Running running(current);
    return inventory_record(&inventory, r.ti, r.jni);
  }
  bool Run() {
    FakeJvm::Running running(current);
    return inventory_run(&inventory, r.ti, r.jni);
  }
  // Returns the events without their stacks, except for the number of frames.
  Lines Search() {
    EXPECT_TRUE(Record());
    Lines lines = r.Events();
    for (std::string &line : lines) line = line.substr(0, line.find(';'));
    return lines;
  }

  // Two threads, each blocked on the monitor that the other one holds.
  void AddRing() {
    one = AddThread("one", 0x11, {enter, own, run}, kBlocked);
    two = AddThread("two", 0x12, {enter, own, run}, kBlocked);
    answers[one] = {{a}, {{b, 1}}};
    answers[two] = {{b}, {{a, 1}}};
  }

  VirtualTime time{1};  // a search may take a second; a recording waits for it
  struct inventory inventory = {};
  FakeClass *klass = r.jvm.AddClass("LMonitor;", 0xC2);
  FakeObject *a = r.jvm.AddObject(klass, 0xA1), *b = r.jvm.AddObject(klass, 0xB1);
  FakeMethod *enter = AddMethod(program, "enter", "()V"), *own = AddMethod(program, "own", "()V");
  FakeMethod *lock = AddBootMethod("java/util/concurrent/locks/ReentrantLock", "lock", "()V");
  FakeMethod *wait = AddBootMethod("java/lang/Object", "wait", "()V");
  FakeMethod *sleep = AddBootMethod("java/lang/Thread", "sleep", "(J)V");
  FakeMethod *park = AddBootMethod("jdk/internal/misc/Unsafe", "park", "(ZJ)V");
  FakeThread *one = nullptr, *two = nullptr;
};

const Lines kRing = {
    "MonitorHeld,00000011,000000B1,2",
    "MonitorHeld,00000012,000000A1,2",
    "OpenCall,00000011",
    "MonitorContendedEnter,00000011,000000A1,00000012,3",
    "OpenCall,00000012",
    "MonitorContendedEnter,00000012,000000B1,00000011,3",
};

TEST(InventoryTest, RecordsARingOfMonitors) {
  Case c;
  c.AddRing();
  EXPECT_EQ(c.Search(), kRing);
}

// Thread "one" ends after it was asked, while the others are.
TEST(InventoryTest, RecordsNothingOfAThreadThatHasEnded) {
  Case c;
  c.AddRing();
  c.r.jvm.During(CALL_GetAllThreads, [&] {
    if (c.r.jvm.Calls(CALL_GetAllThreads) < 3) return;
    std::thread([&] {
      FakeJvm::Running running(c.one);
      context_end(c.r.threads, c.r.ti, c.r.jni);
    }).join();
    c.one->alive = false;
  });
  EXPECT_EQ(c.Search(), (Lines{"MonitorHeld,00000012,000000A1,2", "OpenCall,00000012",
                               "MonitorContendedEnter,00000012,000000B1,00000000,3"}));
}

TEST(InventoryTest, AnnouncesTheThreadsFirst) {
  Case c;
  c.AddRing();
  EXPECT_TRUE(c.Record());
  Lines lines = c.r.Records();
  EXPECT_EQ(Lines(lines.begin(), lines.begin() + 2),
            (Lines{"ThreadStarted,00000011,one", "ThreadStarted,00000012,two"}));
}

TEST(InventoryTest, RecordsALockWithItsOwner) {
  Case c;
  FakeThread *owner = c.AddThread("owner", 0x21, {c.run}, JVMTI_THREAD_STATE_RUNNABLE);
  FakeThread *waiter = c.AddThread("waiter", 0x22, {c.park, c.lock, c.run}, kParked);
  c.answers[waiter].blocker = c.a;
  c.answers[waiter].owner = owner;
  EXPECT_EQ(c.Search(), (Lines{"OpenCall,00000022", "LockAcquire,00000022,000000A1,00000021,2"}));
}

TEST(InventoryTest, RecordsTheObjectOfEachCall) {
  Case c;
  FakeThread *waiter = c.AddThread("waiter", 0x22, {c.wait, c.run}, kInWait);
  c.answers[waiter] = {{c.a}};
  FakeThread *sleeper = c.AddThread("sleeper", 0x23, {c.sleep, c.run},
                                    JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_SLEEPING);
  c.answers[sleeper].blocker = c.b;
  EXPECT_EQ(c.Search(), (Lines{"OpenCall,00000022", "ObjectWait,00000022,000000A1,2",
                               "OpenCall,00000023", "ThreadSleep,00000023,2"}));
}

// A thread that was notified, and gets the monitor back, is in the wait still.
TEST(InventoryTest, RecordsOnlyTheWaitOfAThreadThatGetsItsMonitorBack) {
  Case c;
  FakeThread *waiter = c.AddThread("waiter", 0x22, {c.wait, c.run}, kBlocked);
  c.answers[waiter] = {{c.a}};
  EXPECT_EQ(c.Search(), (Lines{"OpenCall,00000022", "ObjectWait,00000022,000000A1,2"}));
}

TEST(InventoryTest, FindsAnOwnerThatRunsOrWaitsForSomethingElse) {
  Case c;
  FakeThread *waiter = c.AddThread("waiter", 0x22, {c.enter, c.run}, kBlocked);
  c.answers[waiter] = {{c.a}};
  FakeThread *owner = c.AddThread("owner", 0x23, {c.own, c.run}, JVMTI_THREAD_STATE_RUNNABLE);
  c.answers[owner] = {{}, {{c.a, 0}, {c.b, 1}}};  // nobody waits for b
  EXPECT_EQ(c.Search(), (Lines{"MonitorHeld,00000023,000000A1,2", "OpenCall,00000022",
                               "MonitorContendedEnter,00000022,000000A1,00000023,2"}));
}

TEST(InventoryTest, AsksNoRunningThreadIfNobodyIsBlocked) {
  Case c;
  FakeThread *owner = c.AddThread("owner", 0x23, {c.own, c.run}, JVMTI_THREAD_STATE_RUNNABLE);
  c.answers[owner] = {{}, {{c.a, 0}}};
  EXPECT_EQ(c.Search(), Lines{});
  EXPECT_EQ(c.r.jvm.Calls(CALL_CallStaticObjectMethod), 1);  // for the virtual threads
}

TEST(InventoryTest, RecordsVirtualThreads) {
  Case c;
  c.r.jvm.HaveVirtualThreads();
  c.AddRing();
  for (FakeThread *thread : {c.one, c.two}) {
    thread->is_virtual = true;
    c.virtual_threads.push_back(thread);
  }
  EXPECT_EQ(c.Search(), kRing);
}

TEST(InventoryTest, LeavesOutOrcasOwnThreads) {
  Case c;
  c.AddRing();
  {
    FakeJvm::Running running(c.current);
    EXPECT_TRUE(threads_hide(c.r.threads, c.r.jni, c.one->Ref()));
  }
  EXPECT_EQ(c.Search(), (Lines{
                            "OpenCall,00000012",
                            "MonitorContendedEnter,00000012,000000B1,00000000,3",
                        }));
}

TEST(InventoryTest, LeavesOutGroupsThatAreNotRecorded) {
  Case c("events=lock");
  c.AddRing();
  EXPECT_EQ(c.Search(), Lines{});
}

// The thread goes on while the JVM is asked about it.
TEST(InventoryTest, DropsAThreadThatGoesOn) {
  Case c;
  FakeThread *waiter = c.AddThread("waiter", 0x22, {c.wait, c.run}, kInWait);
  c.answers[waiter] = {{c.a}};
  int calls = 0;
  c.r.jvm.During(CALL_GetFrameCount, [&] {
    if (++calls == 2) waiter->frames.pop_back();
  });
  EXPECT_EQ(c.Search(), Lines{});
}

// Meanwhile it was out of its call, and is back in another one.
TEST(InventoryTest, AStackIsThatOfOneMoment) {
  Case c;
  FakeThread *sleeper = c.AddThread("sleeper", 0x22, {c.sleep, c.run}, kInWait);
  const auto frames = sleeper->frames;
  int looks = 0;
  c.r.jvm.During(CALL_GetThreadInfo, [&] { sleeper->frames.erase(sleeper->frames.begin()); });
  c.r.jvm.During(CALL_GetFrameCount, [&] {
    if (++looks == 2) sleeper->frames = frames;
  });
  EXPECT_EQ(c.Search(), (Lines{"OpenCall,00000022", "ThreadSleep,00000022,2"}));
}

TEST(InventoryTest, DropsAThreadThatIsInAnotherCallThen) {
  Case c;
  FakeThread *waiter = c.AddThread("waiter", 0x22, {c.wait, c.run}, kInWait);
  c.answers[waiter] = {{c.a}};
  int looks = 0;
  c.r.jvm.During(CALL_GetFrameCount, [&] {
    if (++looks == 2) waiter->frames[1].location++;
  });
  EXPECT_EQ(c.Search(), Lines{});
}

TEST(InventoryTest, KnowsNotWhereAThreadAcquiredThatGoesOn) {
  Case c;
  FakeThread *waiter = c.AddThread("waiter", 0x22, {c.enter, c.run}, kBlocked);
  c.answers[waiter] = {{c.a}};
  FakeThread *owner = c.AddThread("owner", 0x23, {c.own, c.run}, JVMTI_THREAD_STATE_RUNNABLE);
  c.answers[owner] = {{}, {{c.a, 0}}};
  c.r.jvm.During(CALL_CallStaticObjectMethod, [&] {
    if (c.r.jvm.Calls(CALL_CallStaticObjectMethod) == 3) owner->frames.pop_back();
  });
  EXPECT_EQ(c.Search(), (Lines{"MonitorHeld,00000023,000000A1,0", "OpenCall,00000022",
                               "MonitorContendedEnter,00000022,000000A1,00000023,2"}));
}

TEST(InventoryTest, CountsTheThreadsForWhichThereIsNoTime) {
  Case c;
  c.AddRing();
  bool slept = false;
  c.r.jvm.During(CALL_GetThreadState, [&] {
    if (!slept) c.time.Pass(2 * NS_PER_S);
    slept = true;
  });
  EXPECT_EQ(c.Search().size(), 2u);  // of the first thread
  EXPECT_EQ(figure_get(&c.r.recorder->figures.inventory_skipped), 1u);
}

// Before JDK 25 the JVM does not tell which monitor a virtual thread waits for.
TEST(InventoryTest, CountsVirtualThreadsThatAreBlockedOnAnUnknownMonitor) {
  for (int version : {21, 25}) {
    Case c;
    c.r.jvm.version = 0x30000000 + (version << 16);
    c.r.jvm.HaveVirtualThreads();
    c.AddThread("platform", 0x22, {c.run}, JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER);
    for (jint hash : {0x23, 0x24}) {
      FakeThread *thread =
          c.AddThread("virtual", hash, {c.run}, JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER);
      thread->is_virtual = true;
      c.virtual_threads.push_back(thread);
    }
    c.r.jvm.During(CALL_CallStaticObjectMethod, /* the second goes on */
                   [&] { c.virtual_threads[1]->state = JVMTI_THREAD_STATE_ALIVE; });
    c.Search();
    EXPECT_EQ(figure_get(&c.r.recorder->figures.inventory_unnamed), version < 25 ? 1u : 0u);
  }
}

TEST(InventoryTest, ATestCanGiveTheSearchMoreTime) {
  Case c;
  c.AddRing();
  c.r.jvm.During(CALL_GetThreadState, [&] { c.time.Pass(NS_PER_S); });
  setenv("ORCA_LIMIT_SECONDS", "60", 1);
  EXPECT_EQ(c.Search(), kRing);
  unsetenv("ORCA_LIMIT_SECONDS");
}

TEST(InventoryTest, RecordsAgainInTheNextRecording) {
  Case c;
  c.AddRing();
  EXPECT_EQ(c.Search(), kRing);
  c.r.Again();
  EXPECT_EQ(c.Search(), kRing);
}

TEST(InventoryTest, RecordsNothingIfTheClassCannotBeDefined) {
  Case c;
  c.AddRing();
  c.r.jvm.Fail(CALL_DefineClass);
  EXPECT_FALSE(c.Record());
  EXPECT_EQ(c.r.Events(), Lines{});
}

TEST(InventoryTest, RecordsNothingWhileTheQueueIsFull) {
  Case c("overflow=drop");
  c.AddRing();
  c.r.FillQueue();
  EXPECT_TRUE(c.Record());
  EXPECT_GT(figure_get(&c.r.recorder->figures.events_dropped), 0u);
}

// Each OpenCall comes before a begin event of its thread, whatever is missing.
void ExpectPairs(const Lines &lines) {
  for (size_t i = 0; i < lines.size(); i++) {
    if (lines[i].rfind("OpenCall,", 0) != 0) continue;
    ASSERT_LT(i + 1, lines.size());
    EXPECT_NE(lines[i + 1].find(lines[i].substr(9)), std::string::npos) << lines[i + 1];
  }
}

// The test fails if a JNI function is called while an exception is pending, or memory or a
// reference leaks.
TEST(InventoryTest, SurvivesTheFailureOfAnyCallOfTheJvm) {
  for (int call = 0; call < NUM_FAKE_CALLS; call++) {
    if (call == CALL_Deallocate || call == CALL_ExceptionCheck || call == CALL_GetObjectField ||
        call == CALL_GetObjectArrayElement || call == CALL_GetIntArrayRegion ||
        call == CALL_GetArrayLength || call == CALL_GetVersion || call == CALL_IsSameObject ||
        call == CALL_GetObjectClass) {
      continue;  // these cannot fail
    }
    for (int nth = 1, n = 1; nth <= n; nth++) {
      SCOPED_TRACE(std::to_string(call) + " " + std::to_string(nth));
      Case c;
      c.AddRing();
      FakeThread *waiter = c.AddThread("waiter", 0x22, {c.park, c.lock, c.run}, kParked);
      c.answers[waiter].blocker = c.a;
      c.virtual_threads = {c.AddThread("virtual", 0x23, {c.wait, c.run}, kInWait)};
      c.virtual_threads[0]->is_virtual = true;
      c.r.jvm.FailAt(static_cast<FakeCall>(call), nth);
      c.Record();
      n = c.r.jvm.Calls(static_cast<FakeCall>(call));
      c.r.jvm.During(static_cast<FakeCall>(call), nullptr);
      ExpectPairs(c.r.Events());
    }
  }
}

TEST(InventoryTest, SurvivesTheFailureOfAnyAllocation) {
  unsigned long num = 1;
  for (unsigned long nth = 1; nth <= num; nth++) {
    SCOPED_TRACE(nth);
    Case c;
    c.AddRing();
    scarce_fail(nth);
    c.Record();
    num = std::max(num, scarce_num());
    scarce_fail(0);
    ExpectPairs(c.r.Events());
    c.r.Again();
    EXPECT_EQ(c.Search(), kRing);
  }
  EXPECT_GT(num, 5u);
}

TEST(Inventory, RunsInAThreadOfItsOwn) {
  Case c;
  c.AddRing();
  EXPECT_TRUE(c.Run());
  c.r.jvm.JoinAgentThreads();
  EXPECT_EQ(c.r.Events().size(), kRing.size());
}

// As if the search needed a lock of the deadlock that it looks for.
TEST(Inventory, ARecordingDoesNotWaitForASearchThatHangs) {
  Case c;
  c.AddRing();
  std::promise<void> go_on;
  std::future<void> is_told = go_on.get_future();
  c.r.jvm.During(CALL_GetAllThreads, [&] {
    if (!is_told.valid()) return;
    c.time.Settle(); /* the recording waits */
    c.time.Pass(3 * NS_PER_S);
    is_told.get();
  });
  testing::internal::CaptureStderr();
  EXPECT_TRUE(c.Run());
  EXPECT_FALSE(c.Run()); /* the search still hangs */
  EXPECT_NE(testing::internal::GetCapturedStderr().find("orca: the JVM did not tell within 3 s"),
            std::string::npos);
  go_on.set_value();
  c.r.jvm.JoinAgentThreads();
  EXPECT_EQ(c.r.Events(), Lines());
  EXPECT_TRUE(c.Run());
  c.r.jvm.JoinAgentThreads();
  EXPECT_EQ(c.r.Events().size(), kRing.size());
}

}  // namespace
