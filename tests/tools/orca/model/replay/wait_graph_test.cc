#include "tools/orca/model/replay/wait_graph.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

bool TakeStep(void *arg, const struct step *step) {
  return wait_graph_take(static_cast<struct wait_graph *>(arg), step);
}

class WaitGraph : public testing::Test {
 protected:
  ~WaitGraph() override { wait_graph_free(&graph_); }

  void Read(ticks_t at = WAIT_AT_THE_END, const struct filter *filter = nullptr) {
    struct model *m = small_.Read(filter);
    wait_graph_start(&graph_, m, at);
    EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &graph_));
    EXPECT_TRUE(wait_graph_end(&graph_));
  }
  // Adds an event of a thread on a lock, a millisecond after the previous one.
  void AddEvent(int thread, const char *event, const char *object, const char *owner = "") {
    char line[160];
    snprintf(line, sizeof line, "10%d.%03d0000000,%s,%08X,000000%s%s,1;00000012;00000000\n",
             ms_ / 1000, ms_ % 1000, event, thread, object, owner);
    ms_++;
    events_ += line;
    small_.files.Write(DUMP_EVENTS, events_);
  }

  SmallModel small_;
  struct wait_graph graph_ = {};
  std::string events_;
  int ms_ = 0;
};

TEST_F(WaitGraph, RecordsTheWaitsAtTheEnd) {
  Read();
  ASSERT_EQ(graph_.num_moment, 3u);
  EXPECT_EQ(graph_.moment[0].pair.thread, 1u);  // the longest wait
  EXPECT_EQ(graph_.moment[0].pair.kind, EVENT_THREAD_JOIN);
  EXPECT_EQ(graph_.moment[0].owner, 2u);
  EXPECT_EQ(graph_.moment[1].pair.thread, 2u);
  EXPECT_EQ(graph_.moment[1].pair.object, 0xA1u);
  EXPECT_EQ(graph_.moment[1].pair.begin, 108 * kSecond);
  EXPECT_EQ(graph_.moment[2].owner, 2u);
}

TEST_F(WaitGraph, RecordsTheWaitsAtAMoment) {
  Read(101 * kSecond + kSecond / 4);
  ASSERT_EQ(graph_.num_moment, 1u);
  EXPECT_EQ(graph_.moment[0].pair.thread, 2u);
  EXPECT_EQ(graph_.moment[0].owner, 3u);
}

TEST_F(WaitGraph, RecordsNoWaitsBetweenWaits) {
  Read(103 * kSecond + kSecond / 2);
  EXPECT_EQ(graph_.num_moment, 0u);
}

TEST_F(WaitGraph, AppliesTheFilter) {
  struct filter filter = {};
  filter.to = FILTER_NO_END;
  filter.threads = {{"worker-2"}, 1};
  Read(WAIT_AT_THE_END, &filter);
  ASSERT_EQ(graph_.num_moment, 1u);
  EXPECT_EQ(graph_.moment[0].pair.thread, 3u);
}

TEST_F(WaitGraph, RecordsTheLongestChain) {
  Read();  // main waits for worker-1 before worker-1 is blocked
  ASSERT_EQ(graph_.num_chain, 1u);
  small_.files.Replace(DUMP_EVENTS, "107.0000000000,ThreadJoin", "108.2000000000,ThreadJoin");
  wait_graph_free(&graph_);
  small_.files.Write(DUMP_EVENTS,
                     "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000003,"
                     "1;00000012;00000000\n"
                     "108.2000000000,ThreadJoin,00000001,00000002,1;00000004;00000000\n");
  Read();
  ASSERT_EQ(graph_.num_chain, 2u);
  EXPECT_EQ(graph_.chain[0].pair.thread, 1u);
  EXPECT_EQ(graph_.chain[1].pair.thread, 2u);
  EXPECT_EQ(graph_.chain_time, 108 * kSecond + kSecond / 5);
}

// Each of 1 and 2 holds a lock and tries to acquire the other one. 2 gives up.
TEST_F(WaitGraph, RecordsARingThatEnds) {
  small_.files.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,locks=all");
  const char none[] = ",00000000";
  AddEvent(1, "LockAcquire", "A1", none), AddEvent(1, "LockAcquired", "A1");
  AddEvent(2, "LockAcquire", "A2", none), AddEvent(2, "LockAcquired", "A2");
  AddEvent(1, "LockAcquire", "A2", none);
  AddEvent(2, "LockTryAcquire", "A1", none);
  ms_ += 100;
  AddEvent(2, "LockTryAcquireFailed", "A1");
  AddEvent(2, "LockRelease", "A2"), AddEvent(1, "LockAcquired", "A2");
  Read();
  EXPECT_EQ(graph_.all_rings, 1u);
  ASSERT_EQ(graph_.num_rings, 1u);
  const struct wait_ring *ring = &graph_.rings[0];
  ASSERT_EQ(ring->num, 2u);
  EXPECT_TRUE(ring->ended);
  EXPECT_EQ(ring->end - ring->begin, kSecond * 101 / 1000);
  EXPECT_EQ(graph_.links[ring->first].pair.thread, 2u);
  EXPECT_EQ(graph_.links[ring->first].owner, 1u);
  EXPECT_EQ(graph_.links[ring->first].owner_since, 100 * kSecond + kSecond / 1000);
  EXPECT_EQ(graph_.links[ring->first + 1].owner, 2u);
  EXPECT_EQ(graph_.num_moment, 0u);
}

TEST_F(WaitGraph, AnOwnerThatBecomesKnownLaterClosesARing) {
  small_.files.Replace(DUMP_EVENTS,
                       "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000003",
                       "108.0000000000,MonitorContendedEnter,00000002,000000A1,00000000");
  small_.files.Replace(DUMP_EVENTS, "109.0000000000,",
                       "108.6000000000,MonitorOwner,00000003,000000A2,00000002,0\n"
                       "108.7000000000,MonitorOwner,00000002,000000A1,00000003,0\n"
                       "108.8000000000,MonitorOwner,00000002,000000A1,00000003,0\n"
                       "109.0000000000,");
  Read();
  ASSERT_EQ(graph_.num_rings, 1u);
  EXPECT_EQ(graph_.rings[0].begin, 108 * kSecond + kSecond * 7 / 10);
  EXPECT_FALSE(graph_.rings[0].ended);
  ASSERT_EQ(small_.model.deadlocks.num_rings, 1u);
}

// Another thread acquired the lock meanwhile.
TEST_F(WaitGraph, ARingEndsWithAnotherOwner) {
  small_.files.Replace(DUMP_EVENTS, "109.0000000000,",
                       "108.7000000000,MonitorOwner,00000002,000000A1,00000004,0\n109.0000000000,");
  Read();
  EXPECT_EQ(graph_.all_rings, 1u);
  EXPECT_EQ(graph_.rings[0].end, 108 * kSecond + kSecond * 7 / 10);
  EXPECT_EQ(small_.model.deadlocks.num_rings, 0u);
}

// 2 releases A1 for 1, and waits for 1 before 1 runs.
TEST_F(WaitGraph, AReleasedLockIsInNoRing) {
  AddEvent(1, "LockAcquire", "A1", ",00000002");
  AddEvent(2, "ThreadUnpark", "01");
  AddEvent(2, "LockAcquire", "A2", ",00000001");
  Read();
  EXPECT_EQ(graph_.num_rings, 0u);
  EXPECT_EQ(graph_.moment[0].owner, 0u);
}

// 2 releases A1 at 1 ms for 3, which gets it at 2 ms.
TEST_F(WaitGraph, KnowsTheOwnerAtEachMoment) {
  const uint32_t owners[] = {2, 0, 3};
  AddEvent(1, "LockAcquire", "A1", ",00000002");
  AddEvent(3, "LockAcquire", "A1", ",00000002");
  AddEvent(2, "ThreadUnpark", "03");
  AddEvent(3, "LockAcquired", "A1");
  AddEvent(3, "ThreadSleep", "A1");
  for (int i = 0; i < 3; i++) {
    Read(100 * kSecond + kSecond * (3 + 2 * i) / 2000);
    EXPECT_EQ(graph_.moment[0].pair.thread, 1u);
    EXPECT_EQ(graph_.moment[0].owner, owners[i]) << i;
    wait_graph_free(&graph_);
  }
  Read();
}

// 3 gets the monitor and releases it; 2 gets it again before 3 waits once more.
TEST_F(WaitGraph, AnOwnerThatAnotherWaiterNamesLaterIsTheOwner) {
  AddEvent(1, "MonitorContendedEnter", "A1", ",00000002");
  AddEvent(3, "MonitorContendedEnter", "A1", ",00000002");
  AddEvent(3, "MonitorContendedEntered", "A1");
  AddEvent(3, "MonitorContendedEnter", "A1", ",00000002");
  Read();
  EXPECT_EQ(graph_.moment[0].pair.thread, 1u);
  EXPECT_EQ(graph_.moment[0].owner, 2u);
}

TEST_F(WaitGraph, AThreadThatWaitsAgainIsNotTheOwner) {
  AddEvent(1, "MonitorContendedEnter", "A1", ",00000002");
  AddEvent(3, "MonitorContendedEnter", "A1", ",00000002");
  AddEvent(3, "MonitorContendedEntered", "A1");
  AddEvent(3, "MonitorContendedEnter", "A1", ",00000000");
  Read();
  EXPECT_EQ(graph_.moment[0].pair.thread, 1u);
  EXPECT_EQ(graph_.moment[0].owner, 0u);
}

// The small dump ends in a deadlock.
// 1 and 2 wait for each other, and 3 waits for 1.
TEST_F(WaitGraph, AChainThatLeadsIntoARingNamesEachThreadOnce) {
  AddEvent(1, "MonitorContendedEnter", "A2", ",00000002");
  AddEvent(2, "MonitorContendedEnter", "A1", ",00000001");
  AddEvent(3, "MonitorContendedEnter", "A1", ",00000001");
  Read();
  EXPECT_EQ(graph_.num_rings, 1u);
  ASSERT_EQ(graph_.num_chain, 3u);
  EXPECT_EQ(graph_.chain[0].pair.thread, 3u);
  EXPECT_EQ(graph_.chain[1].pair.thread, 1u);
  EXPECT_EQ(graph_.chain[2].pair.thread, 2u);
}

TEST_F(WaitGraph, ADeadlockDoesNotEnd) {
  Read();
  EXPECT_EQ(graph_.all_rings, 0u);
  ASSERT_EQ(graph_.num_rings, 1u);
  EXPECT_FALSE(graph_.rings[0].ended);
}

}  // namespace
