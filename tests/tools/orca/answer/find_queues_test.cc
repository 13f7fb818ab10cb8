#include "tests/tools/orca/answer/time_lines.h"

namespace {

constexpr char kQueue[] = ",000000B7";

// Two writers put records into a queue, from which one thread takes.
class FindQueues : public IoLines {
 protected:
  FindQueues() {
    Start(1, "main");
    Start(2, "writer-1");
    Start(3, "writer-2");
    Start(4, "appender");
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D7,Ljava/util/concurrent/ArrayBlockingQueue;,A.java\n"
                        "100.0000000000,000000D8,Ljava/util/concurrent/SynchronousQueue;,S.java\n");
  }
  void DefineQueue(const std::string &class_id) {
    small_.files.Append(DUMP_OBJECTS, "100.0000000000,000000B7," + class_id + "\n");
  }
  void Put(uint32_t thread, double from, double to) {
    Call("QueueInsert", "QueueInserted", thread, from, to, kPrice, kQueue);
  }
  void Take(double from, double to) {
    Call("QueueRemove", "QueueRemoved", 4, from, to, kReserve, kQueue);
  }
  std::string SayQueues() {
    DefineQueue("000000D7");
    Said said(Read());
    bool is_told = !said.List({FINDING_full_queue}).empty();
    EXPECT_TRUE(!is_told || said.List({FINDING_idle, FINDING_pause}).empty());
    return said.Text({FINDING_full_queue});
  }
};

constexpr char kWriters[] =
    "* writer-1 and writer-2 waited 17.0 s in total in BlockingQueue.put at OrderService.price "
    "(OrderService.java:88) for room in java.util.concurrent.ArrayBlockingQueue@000000B7.";

TEST_F(FindQueues, NameBothSides) {
  Put(2, 0.5, 9.0);
  Put(3, 0.5, 9.0);
  Take(0.1, 0.2);
  Sampled(4, 0.3, 9.5, "Native", 1, kRead);
  EXPECT_EQ(SayQueues(), std::string(kWriters) +
                             " appender, which took from it, was in a socket read "
                             "(SocketDispatcher.read0) at Inventory.reserve (Inventory.java:42) "
                             "for 100 % of its time, by samples.\n");
}

TEST_F(FindQueues, SayLessWithoutSamples) {
  Put(2, 0.5, 9.0);
  Put(3, 0.5, 9.0);
  Take(0.1, 0.2);
  EXPECT_EQ(SayQueues(), std::string(kWriters) + " appender took from it.\n");
}

// Its method is the reason.
TEST_F(FindQueues, ComeAfterTheCpuTimeOfAThreadThatTakes) {
  Put(2, 0.5, 9.0);
  Take(0.1, 0.2);
  Sampled(4, 0.3, 9.5, "Runnable", 400, kReserve);
  Said said(Read());
  ASSERT_EQ(said.List({FINDING_full_queue}).size(), 1u);
  EXPECT_EQ(said.List({FINDING_full_queue})[0]->weight, 0u);
  EXPECT_EQ(said.List()[0]->kind, FINDING_cpu);
}

TEST_F(FindQueues, NameTheMethodOfTheJdkInWhichATakerRuns) {
  Put(2, 0.5, 9.0);
  Take(0.1, 0.2);
  Sampled(4, 0.3, 9.5, "Runnable", 400, "2;00000013;00000000;00000012;00000000");
  std::string text = SayQueues();
  EXPECT_TRUE(Has(text,
                  " appender, which took from it, was in HashMap.get at Inventory.reserve "
                  "(Inventory.java:42) for 100 % of its time, by samples.\n"))
      << text;
}

TEST_F(FindQueues, AreNoneIfTheyAreMostlyEmpty) {
  Put(2, 0.5, 4.0);
  Take(4.0, 9.0);
  EXPECT_EQ(SayQueues(), "");
}

TEST_F(FindQueues, AreNoneWithoutLongWaits) {
  Put(2, 0.5, 2.5);
  Take(0.1, 0.2);
  EXPECT_EQ(SayQueues(), "");
}

// 300 elements are put, and every fourth is taken without a wait.
class FindBacklogs : public FindQueues {
 protected:
  FindBacklogs() {
    small_.files.Append(
        DUMP_CLASSES,
        "100.0000000000,000000D9,Ljava/util/concurrent/LinkedBlockingQueue;,L.java\n");
    DefineQueue("000000D9");
    for (int i = 0; i < 300; i++) Put(2, 0.02 * i, 0.02 * i + 0.000001);
  }
  void TakeSome(int num, double waits) {
    for (int i = 0; i < num; i++) Take(0.05 * i + 0.5, 0.05 * i + 0.5 + waits);
  }
  std::string SayBacklogs() { return Said(Read()).Text({FINDING_backlog}); }
};

constexpr char kGrew[] =
    "* writer-1 put 300 elements into java.util.concurrent.LinkedBlockingQueue@000000B7 at "
    "OrderService.price (OrderService.java:88), but appender got only 75 of them by take or by "
    "poll "
    "with a time limit, and hardly waited for one (75.0 µs in total). Unless other calls removed "
    "elements, such as drainTo, the queue grew by 225.";

TEST_F(FindBacklogs, NameBothSides) {
  TakeSome(75, 0.000001);
  Sampled(4, 0.3, 9.5, "Native", 1, kRead);
  EXPECT_EQ(SayBacklogs(), std::string(kGrew) +
                               " The thread that took was in a socket read "
                               "(SocketDispatcher.read0) at Inventory.reserve (Inventory.java:42) "
                               "for 100 % of its time, by samples.\n");
}

TEST_F(FindBacklogs, SayLessWithoutSamples) {
  TakeSome(75, 0.000001);
  EXPECT_EQ(SayBacklogs(), std::string(kGrew) + "\n");
}

TEST_F(FindBacklogs, AreNoneIfTheThreadsThatTakeWait) {
  TakeSome(75, 0.02);
  EXPECT_EQ(SayBacklogs(), "");
}

TEST_F(FindBacklogs, AreNoneIfMostElementsAreTaken) {
  TakeSome(160, 0.000001);
  EXPECT_EQ(SayBacklogs(), "");
}

TEST_F(FindBacklogs, AreNoneIfNobodyTakes) { EXPECT_EQ(SayBacklogs(), ""); }

// A call without a line may have taken something.
TEST_F(FindBacklogs, AreNoneWithAThreshold) {
  small_.files.Append(DUMP_INFO, "options=threshold=10ms\n");
  TakeSome(75, 0.000001);
  EXPECT_EQ(SayBacklogs(), "");
}

TEST_F(FindQueues, HaveNoRoomIfTheyHandOver) {
  Put(2, 0.5, 9.0);
  Take(0.1, 0.2);
  DefineQueue("000000D8");
  EXPECT_TRUE(Has(Said(Read()).Text({FINDING_full_queue}),
                  " for a thread that takes from java.util.concurrent.SynchronousQueue@000000B7."));
}

}  // namespace
