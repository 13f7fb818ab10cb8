#include "tools/orca/model/stream_inits.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// The static initializer of Inventory (C5) waits for a stream; a worker runs a lambda of it.
const char kInit[] = "00000051;00000000;", kLambda[] = "00000052;00000000;";
const char kStream[] = "00000053;00000000;", kTask[] = "00000054;00000000;";
const char kAwait[] = "00000055;00000000;", kWorker[] = "00000056;00000000";
const char kRun[] = "00000011;00000000", kSort[] = "00000057;00000000;";

// Threads: 5 initializes the class, 6 and 7 are workers of a ForkJoinPool.
class StreamInits : public testing::Test {
 protected:
  StreamInits() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D5,Lcom/acme/Inventory$$Lambda$5;,\n"
                        "100.0000000000,000000D6,Ljava/util/stream/ReferencePipeline;,\n"
                        "100.0000000000,000000D7,Ljava/util/concurrent/ForkJoinTask;,\n"
                        "100.0000000000,000000D8,Ljava/util/concurrent/ForkJoinPool;,\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000051,<clinit>,()V,000000C5,-1\n"
                        "100.0000000000,00000052,apply,()V,000000D5,-1\n"
                        "100.0000000000,00000053,collect,()V,000000D6,-1\n"
                        "100.0000000000,00000054,doExec,()I,000000D7,-1\n"
                        "100.0000000000,00000055,awaitDone,()I,000000D7,-1\n"
                        "100.0000000000,00000056,runWorker,()V,000000D8,-1\n"
                        "100.0000000000,00000057,invoke,()V,000000D8,-1\n");
    events_ =
        "100.1000000000,ThreadStarted,00000005,analyzer\n"
        "100.1000000000,ThreadStarted,00000006,ForkJoinPool.commonPool-worker-1\n"
        "100.1000000000,ThreadStarted,00000007,ForkJoinPool.commonPool-worker-2\n";
    samples_ = "101.0000000000,Tick,1,1000,3\n";
  }
  void Seen(int thread, const char *state, const std::string &stack) {
    std::string number = std::to_string(thread);
    samples_ += "101.0000000000,Stack," + number + "," + stack + "\n101.0000000000,Sample,0000000" +
                number + "," + state + ",1000," + number + "\n";
  }
  void Initializes(const std::string &stack = Stack(4, {kAwait, kStream, kInit, kRun}),
                   const char *state = "Parked") {
    Seen(5, state, stack);
  }
  // Asks at 102 s.
  void WaitsForClass(int thread, const std::string &stack = TaskStack()) {
    Seen(thread, "Runnable", stack);
    events_ += "102.0000000000,ClassInitWait,0000000" + std::to_string(thread) +
               ",000000C5,00000005," + stack + "\n";
  }
  void Idle(int thread) { Seen(thread, "Parked", Stack(1, {kWorker})); }
  static std::string Stack(int depth, const std::vector<const char *> &frames) {
    std::string stack = std::to_string(depth) + ";";
    for (const char *frame : frames) stack += frame;
    return stack;
  }
  static std::string TaskStack() { return Stack(4, {kLambda, kStream, kTask, kWorker}); }
  size_t CountRings() {
    small_.files.Write(DUMP_EVENTS, events_);
    small_.files.Write(DUMP_SAMPLES, samples_);
    model_ = small_.Read();
    return model_->deadlocks.num_rings;
  }

  SmallModel small_;
  std::string events_, samples_;
  struct model *model_ = nullptr;
};

TEST_F(StreamInits, AStreamWhoseTasksNeedTheClassIsADeadlock) {
  Initializes();
  WaitsForClass(6);
  WaitsForClass(7);
  ASSERT_EQ(CountRings(), 1u);
  ASSERT_EQ(model_->deadlocks.num, 2u);
  const struct wait_link &first = model_->deadlocks.links[0].wait;
  const struct wait_link &second = model_->deadlocks.links[1].wait;
  EXPECT_NE(first.pair.kind, second.pair.kind);
  EXPECT_EQ(first.owner, second.pair.thread);
  EXPECT_EQ(second.owner, first.pair.thread);
}

// On some JDKs, the wait has an event.
TEST_F(StreamInits, AnEventOrASampleShowsTheWait) {
  events_ += "101.0000000000,ThreadPark,00000005,000000A2," +
             Stack(4, {kAwait, kStream, kInit, kRun}) + "\n";
  WaitsForClass(6);
  Idle(7);
  ASSERT_EQ(CountRings(), 1u);
  bool is_first = model_->deadlocks.links[0].wait.pair.thread == 5;
  EXPECT_EQ(model_->deadlocks.links[is_first ? 0 : 1].wait.pair.kind, EVENT_TASK_JOIN);
}

TEST_F(StreamInits, AnIdleWorkerFindsNoTask) {
  Initializes();
  WaitsForClass(6);
  Idle(7);
  EXPECT_EQ(CountRings(), 1u);
}

TEST_F(StreamInits, AnotherThreadThatRunsATaskMayBeTheOne) {
  Initializes();
  WaitsForClass(6);
  Seen(7, "Sleeping", Stack(4, {kLambda, kStream, kTask, kWorker}));
  EXPECT_EQ(CountRings(), 0u);
}

TEST_F(StreamInits, AWorkerThatWasNotSeenMayRunATask) {
  Initializes();
  WaitsForClass(6);
  EXPECT_EQ(CountRings(), 0u);
}

// The tasks of the program's own stream may be others than those that the initializer waits for.
TEST_F(StreamInits, ATaskOfOtherCodeMayBeOfAnotherStream) {
  Initializes();
  WaitsForClass(6, Stack(4, {"00000010;00000000;", kStream, kTask, kWorker}));
  Idle(7);
  EXPECT_EQ(CountRings(), 0u);
}

// Another thread may cancel or complete a task of the program's own.
TEST_F(StreamInits, ATaskOfTheProgramMayEndOtherwise) {
  Initializes(Stack(4, {kAwait, kSort, kInit, kRun}));
  WaitsForClass(6);
  Idle(7);
  EXPECT_EQ(CountRings(), 0u);
}

TEST_F(StreamInits, AnInitializerInCodeOfTheProgramMayGoOn) {
  Initializes(Stack(5, {kAwait, kStream, "00000010;00000000;", kInit, kRun}));
  WaitsForClass(6);
  Idle(7);
  EXPECT_EQ(CountRings(), 0u);
}

TEST_F(StreamInits, AnInitializerThatRunsMayGoOn) {
  Initializes(Stack(4, {kAwait, kStream, kInit, kRun}), "Runnable");
  WaitsForClass(6);
  Idle(7);
  EXPECT_EQ(CountRings(), 0u);
}

}  // namespace
