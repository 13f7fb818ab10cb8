#include "tools/orca/model/spending.h"

#include "tests/support/scarce.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

constexpr ticks_t kStart = 100 * kSecond;
const char kReserve[] = "2;00000012;00000000;00000011;00000000";
const char kPrice[] = "2;00000010;00000000;00000011;00000000";

// Times are in seconds since the start of the recording.
class Spending : public testing::Test {
 protected:
  Spending() {
    // A renamed class, and one whose name only ends like an idle one.
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D1,Lshaded/java/util/TimerThread;,T.java\n"
                        "100.0000000000,000000D2,Lcom/acme/MyThreadPoolExecutor;,M.java\n"
                        "100.0000000000,000000D3,LThreadPoolExecutor;,T.java\n"
                        "100.0000000000,000000D4,Ljava/util/TimerThread;,T.java\n"
                        "100.0000000000,000000D5,Ljava/util/concurrent/ForkJoinPool;,F.java\n"
                        "100.0000000000,000000D6,Ljava/util/concurrent/ForkJoinTask;,F.java\n"
                        "100.0000000000,000000D7,Ljava/lang/ref/NativeReferenceQueue;,N.java\n"
                        "100.0000000000,000000D8,Ljava/lang/ref/Reference;,R.java\n"
                        "100.0000000000,000000D9,Ljava/lang/UNIXProcess;,U.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000021,mainLoop,()V,000000D1,-1\n"
                        "100.0000000000,00000022,getTask,()V,000000D2,-1\n"
                        "100.0000000000,00000023,getTask,()V,000000D3,-1\n"
                        "100.0000000000,00000024,mainLoops,()V,000000D1,-1\n"
                        "100.0000000000,00000025,mainLoop,()V,000000D4,-1\n"
                        "100.0000000000,00000026,runWorker,()V,000000D5,-1\n"
                        "100.0000000000,00000027,doExec,()V,000000D6,-1\n"
                        "100.0000000000,00000028,remove,()V,000000D7,-1\n"
                        "100.0000000000,00000029,tryHandlePending,()V,000000D8,-1\n"
                        "100.0000000000,0000002A,waitForProcessExit,()V,000000D9,-1\n");
    small_.Read();
    Start();
  }
  ~Spending() override { spending_free(&s_); }

  void Start(ticks_t from = kStart) {
    spending_free(&s_);
    spending_start(&s_, small_.dump, &small_.model.stacks, from);
  }
  stack_id_t Intern(const std::string &text) {
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(text), &id));
    return id;
  }
  bool Add(uint32_t thread, double begin, double end, enum activity activity,
           const std::string &stack = "0", int call = -1) {
    struct life_call life_call = {};
    life_call.kind = static_cast<enum event_kind>(call < 0 ? 0 : call);
    struct life_part part = {};
    part.begin = kStart + static_cast<ticks_t>(begin * kSecond);
    part.end = kStart + static_cast<ticks_t>(end * kSecond);
    part.activity = activity;
    part.call = call < 0 ? nullptr : &life_call;
    part.stack = Intern(stack);
    return spending_add(&s_, thread, &part);
  }
  void End(double to) { spending_end(&s_, At(to)); }
  static ticks_t At(double time) { return kStart + static_cast<ticks_t>(time * kSecond); }
  // In seconds, within a slice.
  static double Seconds(ticks_t time) { return static_cast<double>(time) / kSecond; }

  SmallModel small_;
  struct spending s_ = {};
};

// One place, reached in two ways.
TEST_F(Spending, ARowHasTheStackOfMostOfItsTime) {
  const std::string brief = "1;00000012;00000000", most = kReserve;
  Add(1, 0, 0.5, ACTIVITY_IO, brief);
  Add(1, 0.5, 3, ACTIVITY_IO, most);
  Add(2, 0, 1, ACTIVITY_IO, brief);
  Add(2, 1, 3, ACTIVITY_IO, most);
  End(4);
  ASSERT_EQ(s_.num, 1u);
  EXPECT_EQ(s_.rows[0].total, 6 * kSecond);
  EXPECT_EQ(s_.rows[0].stack, Intern(most));
}

TEST_F(Spending, ARowIsAStateACallAndAPlace) {
  Add(1, 0, 1, ACTIVITY_WAITS, kReserve, EVENT_OBJECT_WAIT);
  Add(2, 0, 0.5, ACTIVITY_WAITS, kReserve, EVENT_OBJECT_WAIT);
  Add(1, 1, 1.25, ACTIVITY_WAITS, kReserve, EVENT_THREAD_JOIN);
  Add(1, 1.25, 1.5, ACTIVITY_WAITS, kPrice, EVENT_OBJECT_WAIT);
  Add(1, 1.5, 3.5, ACTIVITY_SLEEPS, kReserve);
  End(4);
  ASSERT_EQ(s_.num, 4u);
  EXPECT_EQ(s_.rows[0].total, 2 * kSecond);
  EXPECT_EQ(s_.rows[0].activity, ACTIVITY_SLEEPS);
  EXPECT_EQ(s_.rows[0].call, -1);
  EXPECT_EQ(s_.rows[1].total, kSecond * 3 / 2);
  EXPECT_EQ(s_.rows[1].call, EVENT_OBJECT_WAIT);
  EXPECT_EQ(s_.rows[1].place, place(0x12, 42));
  size_t num;
  const struct tally_row *threads = tally_of(&s_.threads, s_.rows[1].id, &num);
  ASSERT_EQ(num, 2u);
  EXPECT_EQ(threads[0].key, 1u);
  EXPECT_EQ(threads[0].total, kSecond);
  EXPECT_EQ(threads[1].total, kSecond / 2);
  EXPECT_EQ(s_.in_activity[ACTIVITY_WAITS], 2 * kSecond);
  EXPECT_EQ(spending_largest(&s_, ACTIVITY_WAITS), &s_.rows[1]);
  EXPECT_EQ(spending_largest(&s_, ACTIVITY_IO), nullptr);
}

TEST_F(Spending, QuietTimeIsWithoutBusyThreads) {
  for (enum activity busy : {ACTIVITY_RUNS, ACTIVITY_RUNNABLE, ACTIVITY_BLOCKED, ACTIVITY_IO}) {
    Start();
    Add(1, 0, 2, ACTIVITY_SLEEPS, kReserve);
    Add(2, 0.5, 1, busy, kPrice);
    Add(3, 0.5, 1, busy, kPrice);
    End(2);
    EXPECT_NEAR(Seconds(s_.quiet), 1.5, 0.02) << activity_names[busy];
    EXPECT_NEAR(Seconds(spending_largest(&s_, ACTIVITY_SLEEPS)->quiet), 1.5, 0.02);
    EXPECT_EQ(spending_worked(&s_), kSecond);
  }
  for (enum activity rests : {ACTIVITY_WAITS, ACTIVITY_PARKED, ACTIVITY_NO_CALL, ACTIVITY_HIDDEN}) {
    Start();
    Add(2, 0, 2, rests, kPrice);
    End(2);
    EXPECT_EQ(s_.quiet, 2 * kSecond) << activity_names[rests];
    EXPECT_EQ(spending_worked(&s_), 0u);
  }
}

TEST_F(Spending, TimeBeforeTheStartIsLeftOut) {
  Start(At(1));
  Add(1, 0, 3, ACTIVITY_SLEEPS, kReserve);
  Add(2, 0, 1, ACTIVITY_RUNS, kPrice);
  End(3);
  ASSERT_EQ(s_.num, 1u);
  EXPECT_EQ(s_.rows[0].total, 2 * kSecond);
  EXPECT_EQ(s_.quiet, 2 * kSecond);
}

TEST_F(Spending, WithoutAStartTheFirstPartIsTheStart) {
  Start(0);
  Add(1, 2, 3, ACTIVITY_SLEEPS, kReserve);
  End(3);
  EXPECT_EQ(s_.quiet, kSecond);
}

// The slices are 10 ms long at first: 2.56 s.
TEST_F(Spending, SlicesGrowWithTheRecording) {
  for (int second = 0; second < 1000; second++) {
    Add(1, second, second + 0.25, ACTIVITY_RUNS, kPrice);
    Add(1, second + 0.25, second + 1, ACTIVITY_SLEEPS, kReserve);
  }
  End(1000);
  EXPECT_GE(s_.slice * SPENDING_SLICES, 1000 * kSecond);
  EXPECT_LT(s_.slice * SPENDING_SLICES, 2100 * kSecond);
  EXPECT_NEAR(Seconds(s_.quiet), 750, 1);
  const struct spending_row *sleeps = spending_largest(&s_, ACTIVITY_SLEEPS);
  EXPECT_EQ(sleeps->total, 750 * kSecond);
  ticks_t sum = 0;
  for (ticks_t slice : sleeps->slices) sum += slice;
  EXPECT_EQ(sum, sleeps->total);
}

TEST_F(Spending, AThreadThatWaitsForWorkIsIdle) {
  const struct {
    const char *stack;
    bool is_idle;
  } cases[] = {
      {"1;00000021;FFFFFFFF", true},                    // another package in front
      {"2;00000001;FFFFFFFF;00000021;FFFFFFFF", true},  // not innermost
      {"1;00000023;FFFFFFFF", true},                    // no package
      {"1;00000022;FFFFFFFF", false},                   // MyThreadPoolExecutor
      {"1;00000024;FFFFFFFF", false},                   // another method
      {"1;000000FF;FFFFFFFF", false},                   // an unknown method
      {"1;00000014;FFFFFFFF", true},                    // EPoll.wait
      {"1;00000028;FFFFFFFF", true},                    // JDK 21's Finalizer
      {"1;00000029;FFFFFFFF", true},                    // JDK 8's Reference Handler
      {"1;0000002A;FFFFFFFF", true},                    // JDK 8's process reaper
      {"2;00000001;FFFFFFFF;00000025;00000000", true},  // the JDK's waits for a task
      {"3;00000003;FFFFFFFF;00000012;00000000;00000025;00000000", false},  // a task of the program
      {"3;00000003;FFFFFFFF;00000012;00000000;00000021;00000000", true},   // not the JDK's
      {"2;00000001;FFFFFFFF;00000026;00000000", true},  // a worker of a pool of JDK 11
      {"3;00000001;FFFFFFFF;00000027;00000000;00000026;00000000", false},  // its task
      {"0", false},
  };
  for (const auto &c : cases) {
    EXPECT_EQ(spending_is_idle(&s_, Intern(c.stack)), c.is_idle) << c.stack;
    Start();
    Add(1, 0, 1, ACTIVITY_WAITS, c.stack);
    Add(1, 1, 2, ACTIVITY_WAITS, c.stack);
    End(2);
    ASSERT_EQ(s_.num, 1u);
    EXPECT_EQ(s_.rows[0].is_idle, c.is_idle);
    EXPECT_EQ(spending_largest(&s_, ACTIVITY_WAITS), c.is_idle ? nullptr : &s_.rows[0]);
    EXPECT_EQ(s_.in_activity[ACTIVITY_WAITS], c.is_idle ? 0 : 2 * kSecond);
  }
}

// The same thread waits in another method on another version.
TEST(SpendingOfTheJdk, AThreadThatWaitsForWorkIsIdleOnEachVersion) {
  const std::pair<const char *, const char *> methods[] = {
      {"java/lang/ref/Reference", "tryHandlePending"},   // 8
      {"java/lang/UNIXProcess", "waitForProcessExit"},   // 8
      {"java/lang/ref/NativeReferenceQueue", "remove"},  // 21
      {"sun/nio/ch/EPollPort$EventHandlerTask", "run"},  // all
      {"sun/nio/fs/AbstractWatchService", "take"},       // all
  };
  for (const auto &[class_name, method] : methods) {
    SmallModel small;
    struct spending s = {};
    stack_id_t id = 0;
    small.files.Append(DUMP_CLASSES,
                       std::string("100.0000000000,000000D1,L") + class_name + ";,T.java\n");
    small.files.Append(DUMP_METHODS,
                       std::string("100.0000000000,00000021,") + method + ",()V,000000D1,-1\n");
    small.Read();
    spending_start(&s, small.dump, &small.model.stacks, kStart);
    ASSERT_TRUE(stacks_intern(&small.model.stacks, small.dump,
                              Span("2;00000001;FFFFFFFF;00000021;00000000"), &id));
    EXPECT_TRUE(spending_is_idle(&s, id)) << class_name;
    spending_free(&s);
  }
}

// Epoll is I/O, but a thread that waits for events is no reason for slowness. The same thread works
// when it runs.
TEST_F(Spending, AnIdleThreadIsBusyOnlyWhileItRuns) {
  Add(1, 0, 1, ACTIVITY_IO, "1;00000014;FFFFFFFF");
  Add(1, 1, 2, ACTIVITY_RUNS, "1;00000014;FFFFFFFF");
  End(2);
  EXPECT_EQ(s_.quiet, kSecond);
  EXPECT_EQ(spending_worked(&s_), kSecond);
}

// The Reference Handler of JDK 17, after it called notifyAll.
TEST_F(Spending, AThreadThatIsOnlyAssumedToBeReadyIsIdle) {
  Add(1, 0, 1, ACTIVITY_RUNNABLE);
  End(1);
  EXPECT_EQ(s_.quiet, kSecond);
  EXPECT_EQ(spending_worked(&s_), 0u);
  EXPECT_EQ(spending_largest(&s_, ACTIVITY_RUNNABLE), nullptr);
}

TEST_F(Spending, ACallThatDoesNotEndIsStill) {
  Add(1, 0, 1, ACTIVITY_RUNS, kPrice);
  Add(1, 1, 3, ACTIVITY_IO, kReserve);
  EXPECT_LT(spending_still(&s_, At(3)), kSecond / 50);
  spending_stand(&s_, At(1), At(3));
  EXPECT_NEAR(Seconds(spending_still(&s_, At(3))), 2, 0.02);
}

// 2 s of CPU time in 4 s, half of them before the first slice.
TEST_F(Spending, FiguresOfTheProcessAreInTheSlicesOfTheirTime) {
  Start(At(2));
  spending_process(&s_, At(0), At(4), 2 * kSecond, kSecond);
  spending_pause(&s_, At(1), At(2.5));
  spending_process(&s_, At(0), At(1), kSecond, kSecond);
  ticks_t cpu = 0, queued = 0, paused = 0, late = 0;
  for (size_t i = 0; i < SPENDING_SLICES; i++) {
    cpu += s_.cpu[i];
    queued += s_.queued[i];
    paused += s_.paused[i];
    if (i * s_.slice >= kSecond) late += s_.cpu[i];
  }
  EXPECT_NEAR(Seconds(cpu), 1, 0.001);
  EXPECT_NEAR(Seconds(late), 0.5, 0.01);
  EXPECT_NEAR(Seconds(queued), 0.5, 0.001);
  EXPECT_NEAR(Seconds(paused), 0.5, 0.001);
  Add(1, 0, 1000, ACTIVITY_RUNS, kPrice);
  EXPECT_NEAR(Seconds(s_.cpu[0]), 1, 0.001) << "slices are joined";
}

// A selector that returns at once: its thread is always ready to run, but has an idle stack.
TEST_F(Spending, TimeInWhichAThreadWaitedForACpuIsNotQuiet) {
  Start(At(0));
  Add(1, 0, 4, ACTIVITY_SLEEPS, kReserve);
  spending_process(&s_, At(1), At(3), kSecond, kSecond);
  End(4);
  EXPECT_NEAR(Seconds(s_.quiet), 3, 0.05);
}

// ThreadPoolExecutor.getTask is idle; the stack of kReserve is not.
TEST_F(Spending, WaitedForWorkIsTheIdleTimeOfOneThread) {
  const std::string idle = "1;00000023;00000000";
  Add(1, 0, 3, ACTIVITY_PARKED, idle);
  Add(1, 3, 5, ACTIVITY_WAITS, kReserve);
  Add(1, 5, 6, ACTIVITY_WAITS, idle);
  Add(2, 0, 8, ACTIVITY_PARKED, idle);
  spending_end(&s_, At(8));
  EXPECT_NEAR(Seconds(spending_waited_for_work(&s_, 1)), 4, 0.01);
  EXPECT_NEAR(Seconds(spending_waited_for_work(&s_, 2)), 8, 0.01);
  EXPECT_EQ(spending_waited_for_work(&s_, 3), 0u);
}

TEST_F(Spending, StillTimeIsWithoutActivityAtTheEnd) {
  Add(1, 0, 1, ACTIVITY_RUNS, kPrice);
  Add(1, 1, 2.5, ACTIVITY_WAITS, kReserve);
  EXPECT_NEAR(Seconds(spending_still(&s_, At(2.5))), 1.5, 0.02);
  Add(1, 2.5, 2.55, ACTIVITY_RUNS, kPrice);
  EXPECT_LT(spending_still(&s_, At(2.55)), kSecond / 50);
  EXPECT_EQ(spending_still(&s_, kStart), 0u);
  Start();
  EXPECT_EQ(spending_still(&s_, At(2)), 2 * kSecond);
}

TEST_F(Spending, ThreadsWaitAtOnceIfNoneCanHaveWaitedForTheOthers) {
  Add(1, 0, 1.5, ACTIVITY_WAITS, kReserve);
  Add(2, 0.5, 2, ACTIVITY_WAITS, kReserve);
  Add(3, 0, 0.5, ACTIVITY_SLEEPS, kPrice);
  Add(4, 0.5, 1, ACTIVITY_SLEEPS, kPrice);  // in turn
  End(2);
  const struct spending_row *waits = spending_largest(&s_, ACTIVITY_WAITS);
  const struct spending_row *sleeps = spending_largest(&s_, ACTIVITY_SLEEPS);
  EXPECT_NEAR(Seconds(spending_at_once(&s_, waits, 2)), 1, 0.03);
  EXPECT_EQ(spending_at_once(&s_, sleeps, 2), 0u);
  EXPECT_EQ(spending_at_once(&s_, sleeps, 1), kSecond);
  EXPECT_EQ(spending_at_once(&s_, sleeps, 0), 0u);
  EXPECT_NEAR(Seconds(spending_overlap(waits, sleeps)), 1, 0.03);
  EXPECT_EQ(spending_overlap(waits, sleeps), spending_overlap(sleeps, waits));
}

TEST_F(Spending, FailsWithoutMemory) {
  for (unsigned long nth = 1;; nth++) {
    Start();
    Intern(kReserve);  // not part of the test
    Intern(kPrice);
    scarce_fail(nth);
    bool good = Add(1, 0, 1, ACTIVITY_SLEEPS, kReserve) && Add(1, 1, 2, ACTIVITY_RUNS, kPrice);
    bool is_enough = scarce_num() < nth;
    scarce_fail(0);
    if (is_enough) {
      EXPECT_TRUE(good);
      return;
    }
    if (good) End(2);
  }
}

// --- in a model -----------------------------------------------------------------------------

TEST_F(Spending, AModelHasAllThreads) {
  const struct spending *s = &small_.model.spending;
  const struct spending_row *blocked = spending_largest(s, ACTIVITY_BLOCKED);
  ASSERT_NE(blocked, nullptr);
  EXPECT_EQ(blocked->place, place(0x12, 42));
  EXPECT_EQ(blocked->total, kSecond * 275 / 100);
  EXPECT_EQ(s->in_activity[ACTIVITY_IO], 0u);  // only the poller, which is idle
}

TEST(SpendingOfModel, AFilterForThreadsSelectsTheirTime) {
  SmallModel small;
  struct filter f = {};
  f.threads = {{"worker-2"}, 1};
  f.to = FILTER_NO_END;
  const struct spending *s = &small.Read(&f)->spending;
  const struct spending_row *blocked = spending_largest(s, ACTIVITY_BLOCKED);
  ASSERT_NE(blocked, nullptr);
  EXPECT_EQ(blocked->place, place(0x10, 88));
  size_t num;
  EXPECT_EQ(tally_of(&s->threads, blocked->id, &num)->key, 3u);
  EXPECT_EQ(num, 1u);
}

TEST(SpendingOfModel, AFilterForTimeSelectsItsPart) {
  SmallModel small;
  struct filter f = {};
  f.from = 108 * kSecond;
  f.to = 109 * kSecond;
  const struct spending *s = &small.Read(&f)->spending;
  EXPECT_EQ(s->from, 108 * kSecond);
  EXPECT_EQ(s->in_activity[ACTIVITY_BLOCKED], kSecond * 3 / 2);
  EXPECT_LE(s->quiet, kSecond);
}

// --- tasks ----------------------------------------------------------------------------------

// Two threads sleep at one place, the first in a task of a timer.
TEST_F(Spending, KnowsWhatThreadsDoInTasks) {
  const char task[] = "3;00000010;00000000;00000011;00000000;00000025;FFFFFFFF";
  ASSERT_TRUE(Add(1, 0, 4, ACTIVITY_SLEEPS, task, EVENT_THREAD_SLEEP));
  ASSERT_TRUE(Add(2, 0, 3, ACTIVITY_SLEEPS, kPrice, EVENT_THREAD_SLEEP));
  ASSERT_TRUE(Add(2, 3, 4, ACTIVITY_SLEEPS, kReserve, EVENT_THREAD_SLEEP));
  ASSERT_TRUE(Add(1, 4, 5, ACTIVITY_WAITS, "1;00000025;FFFFFFFF", EVENT_OBJECT_WAIT));
  End(5);
  ASSERT_EQ(s_.num, 3u);
  size_t num;
  const struct tally_row *tasks = tally_of(&s_.tasks, RUNNER_TIMER, &num);
  ASSERT_EQ(num, 1u);
  EXPECT_EQ(tasks[0].key, spending_task_key(s_.rows[0].id, 1));
  EXPECT_EQ(Seconds(tasks[0].total), 4);
  EXPECT_TRUE(spending_is_in_tasks(&s_, &s_.rows[0]));
  EXPECT_FALSE(spending_is_in_tasks(&s_, &s_.rows[1]));
}

}  // namespace
