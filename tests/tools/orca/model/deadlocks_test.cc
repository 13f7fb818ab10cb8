#include "tools/orca/model/deadlocks.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class Deadlocks : public testing::Test {
 protected:
  Deadlocks() { holders_.coverage = &coverage_; }
  ~Deadlocks() override {
    pairs_free(&pairs_);
    holders_free(&holders_);
    deadlocks_free(&found_);
  }

  static struct event_line MakeLine(uint32_t thread, uint32_t object, enum event_kind kind) {
    struct event_line line = {};
    line.time = 1;
    line.kind = kind;
    line.thread = thread;
    line.object = object;
    return line;
  }
  void AddBlocked(uint32_t thread, uint32_t object, uint32_t owner,
                  enum event_kind kind = EVENT_MONITOR_CONTENDED_ENTER) {
    struct event_line line = MakeLine(thread, object, kind);
    line.owner = owner;
    struct pair pair;
    pairs_feed(&pairs_, &line, 0, &pair);
  }
  void Acquire(uint32_t thread, uint32_t object, enum event_kind kind) {
    struct event_line line = MakeLine(thread, object, kind);
    bool is_released;
    ticks_t time;
    EXPECT_TRUE(holders_event(&holders_, nullptr, &line, thread + 70, &is_released, &time));
  }
  /* A permit has an owner if it was seen that who acquires it releases it. */
  void UseSemaphore(uint32_t thread, uint32_t object) {
    Acquire(thread, object, EVENT_SEMAPHORE_ACQUIRED);
    struct event_line line = MakeLine(thread, object, EVENT_SEMAPHORE_RELEASE);
    bool is_released;
    ticks_t time;
    EXPECT_TRUE(holders_event(&holders_, nullptr, &line, 0, &is_released, &time));
  }
  void FindAll() {
    struct wait_sources sources = {&pairs_,       &holders_, nullptr, &stacks_, &threads_,
                                   &class_inits_, &pools_,   &tasks_, true};
    EXPECT_TRUE(deadlocks_find(&found_, &sources));
  }

  struct pairs pairs_ = {};
  struct coverage coverage_ = {};
  struct holders holders_ = {};
  struct stacks stacks_ = {};
  struct threads threads_ = {};
  struct class_inits class_inits_ = {};
  struct pools pools_ = {};
  struct task_queues tasks_ = {};
  struct deadlocks found_ = {};
};

TEST_F(Deadlocks, FindsARingOfTwoThreads) {
  AddBlocked(1, 0xA, 2);
  AddBlocked(2, 0xB, 1);
  FindAll();
  ASSERT_EQ(found_.num_rings, 1u);
  ASSERT_EQ(found_.num, 2u);
  EXPECT_EQ(found_.links[0].wait.pair.thread, 1u);
  EXPECT_EQ(found_.links[1].wait.pair.thread, 2u);
  EXPECT_EQ(found_.links[1].wait.pair.object, 0xBu);
}

// The first owner has released the monitor since.
TEST_F(Deadlocks, UsesTheLastOwnerThatAnEventNames) {
  AddBlocked(1, 0xA, 3);
  AddBlocked(2, 0xB, 1);
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
  deadlocks_free(&found_);
  AddBlocked(1, 0xA, 2, EVENT_MONITOR_OWNER);
  FindAll();
  EXPECT_EQ(found_.num_rings, 1u);
}

// 1 owned B when 2 and 3 began to wait. Then 3 got B, and 1 waits for 2: 2 waits for 3, which runs.
TEST_F(Deadlocks, AnOwnerIsTheLastThreadThatGotTheLock) {
  for (enum event_kind kind : {EVENT_MONITOR_CONTENDED_ENTER, EVENT_LOCK_ACQUIRE}) {
    AddBlocked(3, 0xB, 1, kind);
    AddBlocked(2, 0xB, 1, kind);
    AddBlocked(1, 0xA, 2, kind);
    FindAll();
    EXPECT_EQ(found_.num_rings, 1u);
    deadlocks_free(&found_);
    struct event_line end = MakeLine(3, 0xB, event_end(kind, false));
    end.time = 2;
    struct pair pair;
    ASSERT_EQ(pairs_feed(&pairs_, &end, 0, &pair), PAIRS_DONE);
    EXPECT_TRUE(holders_follow(&holders_, &pairs_, &end, &pair));
    FindAll();
    EXPECT_EQ(found_.num_rings, 0u);
    pairs_free(&pairs_);
    holders_free(&holders_);
  }
}

// The owner has released the lock, and another thread may have it.
TEST_F(Deadlocks, AnOwnerThatWokeAWaiterOwnsTheLockNoMore) {
  AddBlocked(1, 0xA, 2, EVENT_LOCK_ACQUIRE);
  AddBlocked(2, 0xB, 1, EVENT_LOCK_ACQUIRE);
  struct event_line unpark = MakeLine(2, 1, EVENT_THREAD_UNPARK);
  unpark.time = 2;
  EXPECT_TRUE(holders_follow(&holders_, &pairs_, &unpark, nullptr));
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
}

TEST_F(Deadlocks, WaitersOfARingAreNotPartOfIt) {
  AddBlocked(9, 0xA, 1);
  AddBlocked(1, 0xA, 2);
  AddBlocked(2, 0xB, 3);
  AddBlocked(3, 0xC, 1);
  AddBlocked(8, 0xC, 1);
  AddBlocked(5, 0xE, 6);
  AddBlocked(6, 0xF, 5);
  FindAll();
  EXPECT_EQ(found_.num_rings, 2u);
  EXPECT_EQ(found_.num, 5u);
  for (size_t i = 0; i < found_.num; i++) EXPECT_LT(found_.links[i].wait.pair.thread, 7u);
  EXPECT_EQ(found_.links[2].ring, 0u);
  EXPECT_EQ(found_.links[3].ring, 1u);
}

TEST_F(Deadlocks, AChainIsNotADeadlock) {
  AddBlocked(1, 0xA, 2);
  AddBlocked(2, 0xB, 3);
  AddBlocked(4, 0xC, 0);
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
}

// 1 holds the monitor A and waits for the lock B of 2, which waits for the semaphore C of 3.
TEST_F(Deadlocks, ARingCanMixAMonitorALockAndASemaphore) {
  AddBlocked(1, 0xB, 2, EVENT_LOCK_ACQUIRE);
  UseSemaphore(5, 0xC);
  Acquire(3, 0xC, EVENT_SEMAPHORE_ACQUIRED);
  AddBlocked(2, 0xC, 0, EVENT_SEMAPHORE_ACQUIRE);
  AddBlocked(3, 0xA, 1);
  FindAll();
  ASSERT_EQ(found_.num_rings, 1u);
  ASSERT_EQ(found_.num, 3u);
  EXPECT_EQ(found_.links[0].wait.pair.kind, EVENT_LOCK_ACQUIRE);
  EXPECT_EQ(found_.links[0].wait.owner, 2u);
  EXPECT_EQ(found_.links[0].wait.owner_stack, 0u);
  EXPECT_EQ(found_.links[1].wait.pair.object, 0xCu);
  EXPECT_EQ(found_.links[1].wait.owner, 3u);
  EXPECT_EQ(found_.links[1].wait.owner_stack, 73u);
}

TEST_F(Deadlocks, AnAttemptWithATimeLimitIsNotStuck) {
  AddBlocked(1, 0xB, 2, EVENT_LOCK_TRY);
  AddBlocked(2, 0xA, 1);
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
}

// The holders are newer than the owner that the event names.
TEST_F(Deadlocks, PrefersTheHoldersToTheOwnerOfThePair) {
  AddBlocked(1, 0xB, 2);
  Acquire(3, 0xB, EVENT_MONITOR_ENTERED);
  AddBlocked(2, 0xA, 1);
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
  AddBlocked(3, 0xA, 1);
  FindAll();
  EXPECT_EQ(found_.num_rings, 1u);
}

TEST_F(Deadlocks, ASemaphoreNeedsOneHolderThatCanRunOn) {
  for (int i = 0; i < 2; i++) UseSemaphore(5, 0xB);
  Acquire(2, 0xB, EVENT_SEMAPHORE_ACQUIRED);
  Acquire(3, 0xB, EVENT_SEMAPHORE_ACQUIRED);
  AddBlocked(1, 0xB, 0, EVENT_SEMAPHORE_ACQUIRE);
  AddBlocked(2, 0xA, 1);
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
  AddBlocked(3, 0xA, 1);
  FindAll();
  EXPECT_EQ(found_.num_rings, 1u);
  EXPECT_EQ(found_.num, 2u);
}

// Nobody has released a permit yet, so any thread may hand out more.
TEST_F(Deadlocks, PermitsThatNobodyReleasedAreCredits) {
  Acquire(2, 0xB, EVENT_SEMAPHORE_ACQUIRED);
  AddBlocked(1, 0xB, 0, EVENT_SEMAPHORE_ACQUIRE);
  AddBlocked(2, 0xA, 1);
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
}

// Each has a permit that it did not release, and wants one more: no order of locks is wrong.
TEST_F(Deadlocks, OneSemaphoreIsNoRing) {
  for (int i = 0; i < 2; i++) UseSemaphore(5, 0xB);
  for (uint32_t thread : {1, 2}) Acquire(thread, 0xB, EVENT_SEMAPHORE_ACQUIRED);
  for (uint32_t thread : {1, 2}) AddBlocked(thread, 0xB, 0, EVENT_SEMAPHORE_ACQUIRE);
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
}

TEST_F(Deadlocks, AWriterNeedsAllReaders) {
  coverage_.has_all_uses = true;
  Acquire(2, 0xB, EVENT_READ_LOCK_ACQUIRED);
  Acquire(3, 0xB, EVENT_READ_LOCK_ACQUIRED);
  AddBlocked(1, 0xB, 0, EVENT_WRITE_LOCK_ACQUIRE);
  AddBlocked(2, 0xA, 1);
  FindAll();
  ASSERT_EQ(found_.num_rings, 1u);
  EXPECT_EQ(found_.links[0].wait.owner, 2u);
}

// A reader that asks for the write lock waits for itself.
TEST_F(Deadlocks, AReaderThatWantsToWriteIsARingOfOne) {
  coverage_.has_all_uses = true;
  Acquire(1, 0xB, EVENT_READ_LOCK_ACQUIRED);
  AddBlocked(1, 0xB, 0, EVENT_WRITE_LOCK_ACQUIRE);
  FindAll();
  ASSERT_EQ(found_.num, 1u);
  EXPECT_EQ(found_.links[0].wait.owner, 1u);
}

// A semaphore may be released by any thread, so its holder does not wait for itself.
TEST_F(Deadlocks, AHolderCanAcquireItsSemaphoreAgain) {
  Acquire(1, 0xB, EVENT_SEMAPHORE_ACQUIRED);
  AddBlocked(1, 0xB, 0, EVENT_SEMAPHORE_ACQUIRE);
  FindAll();
  EXPECT_EQ(found_.num_rings, 0u);
}

TEST_F(Deadlocks, WithoutPairsThereIsNoDeadlock) {
  FindAll();
  EXPECT_EQ(found_.num, 0u);
}

// 1 joins 2, which waits for a monitor that 1 holds. 3 joins itself, which keeps a program alive,
// and 4 joins a running thread.
TEST_F(Deadlocks, ARingCanContainAJoin) {
  Acquire(1, 0xA, EVENT_MONITOR_ENTERED);
  AddBlocked(1, 2, 0, EVENT_THREAD_JOIN);
  AddBlocked(2, 0xA, 0);
  AddBlocked(3, 3, 0, EVENT_THREAD_JOIN);
  AddBlocked(4, 5, 0, EVENT_THREAD_JOIN);
  FindAll();
  ASSERT_EQ(found_.num_rings, 1u);
  ASSERT_EQ(found_.num, 2u);
  EXPECT_EQ(found_.links[0].wait.pair.kind, EVENT_THREAD_JOIN);
  EXPECT_EQ(found_.links[0].wait.owner, 2u);
  EXPECT_EQ(found_.links[0].wait.owner_stack, 0u);
  EXPECT_EQ(found_.links[1].wait.owner, 1u);
  EXPECT_EQ(found_.links[1].wait.owner_stack, 71u);
  EXPECT_EQ(found_.links[1].wait.owner_since, 1u);
}

// 1 waits for the class 0xC of 2, which waits for a monitor of 1.
TEST_F(Deadlocks, ARingCanContainAClass) {
  struct class_init wait = {};
  wait.thread = 1;
  wait.class_id = 0xC;
  wait.initializer = 2;
  wait.is_open = true;
  class_inits_.waits = &wait;
  class_inits_.num = 1;
  AddBlocked(2, 0xA, 1);
  AddBlocked(3, 0xA, 1);
  FindAll();
  ASSERT_EQ(found_.num_rings, 1u);
  ASSERT_EQ(found_.num, 2u);
  EXPECT_TRUE(deadlocks_has_thread(&found_, 1));
  EXPECT_TRUE(deadlocks_has_thread(&found_, 2));
  EXPECT_FALSE(deadlocks_has_thread(&found_, 3));
  EXPECT_FALSE(deadlocks_are_classes(&found_, 0));
}

// A join with a time limit ends by itself.
TEST_F(Deadlocks, AJoinWithATimeLimitIsNotADeadlock) {
  for (const char *signature : {"()V", "(J)V"}) {
    SmallModel small;
    small.files.Write(DUMP_EVENTS,
                      "107.0000000000,ThreadJoin,00000001,00000002,1;00000004;00000000\n"
                      "108.0000000000,ThreadJoin,00000002,00000001,1;00000004;00000000\n");
    small.files.Replace(DUMP_METHODS, "join,()V", std::string("join,") + signature);
    EXPECT_EQ(small.Read()->deadlocks.num_rings, signature == std::string("()V") ? 1u : 0u);
  }
}

// A limit of 0 is none: the samples show that the threads wait without one.
TEST_F(Deadlocks, AJoinWithALimitOfZeroIsADeadlock) {
  for (const char *state : {"Waiting", "TimedWaiting"}) {
    SmallModel small;
    small.files.Write(DUMP_EVENTS,
                      "107.0000000000,ThreadJoin,00000001,00000002,1;00000004;00000000\n"
                      "108.0000000000,ThreadJoin,00000002,00000001,1;00000004;00000000\n");
    small.files.Write(DUMP_SAMPLES,
                      "109.0000000000,Tick,1,1000000,4\n"
                      "109.0000000000,Stack,1,1;00000004;00000000\n"
                      "109.0000000000,Sample,00000001,Waiting,0,1\n"
                      "109.0000000000,Sample,00000002," +
                          std::string(state) + ",0,1\n");
    small.files.Replace(DUMP_METHODS, "join,()V", "join,(J)V");
    EXPECT_EQ(small.Read()->deadlocks.num_rings, state == std::string("Waiting") ? 1u : 0u);
  }
}

}  // namespace
