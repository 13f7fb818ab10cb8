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

TEST_F(FindQueues, HaveNoRoomIfTheyHandOver) {
  Put(2, 0.5, 9.0);
  Take(0.1, 0.2);
  DefineQueue("000000D8");
  EXPECT_TRUE(Has(Said(Read()).Text({FINDING_full_queue}),
                  " for a thread that takes from java.util.concurrent.SynchronousQueue@000000B7."));
}

}  // namespace
