#include "tools/orca/model/pools.h"

#include "tests/tools/orca/model/pool_lines.h"

namespace {

constexpr uint32_t kPool = 0xE1, kOther = 0xE2, kTask = 0xF0;

class Pools : public PoolLines {
 protected:
  bool IsComplete() {
    const struct pools *p = &Read()->pools;
    const struct pool *pool = pools_find(p, kPool);
    return pool != nullptr && pool_is_complete(p, pool);
  }
  size_t CountWorkers(uint32_t executor) {
    const struct pool *pool = pools_find(&Read()->pools, executor);
    return pool == nullptr ? 0 : pool->num_workers;
  }
  struct model *Read() {
    if (model_ == nullptr) model_ = small_.Read();
    return model_;
  }

 private:
  struct model *model_ = nullptr;
};

TEST_F(Pools, KnowWorkersByTheirStartAndTheirTasks) {
  Size(kPool, 2, 2);
  Work(1, kPool, 2, kTask);
  Thread(3, "prestarted");
  Queue(1, kPool, kTask + 1);
  Take(3, kTask + 1);
  EXPECT_EQ(CountWorkers(kPool), 2u);
  EXPECT_TRUE(IsComplete());
  EXPECT_EQ(Read()->pools.workers[0].task, kTask);
  EXPECT_EQ(Read()->pools.workers[1].task, kTask + 1);
}

TEST_F(Pools, AWorkerThatEndsHasASuccessor) {
  Size(kPool, 1, 1);
  Work(1, kPool, 2, kTask);
  StartWorker(2, 3, "00000035");
  Ended(2);
  EXPECT_EQ(CountWorkers(kPool), 1u);
  EXPECT_TRUE(IsComplete());
}

TEST_F(Pools, AScheduledPoolStartsWorkersBesideTheirTasks) {
  Size(kPool, 1, INT32_MAX);
  Queue(1, kPool, kTask);
  StartWorker(1, 2, "00000034");
  EXPECT_TRUE(IsComplete());
  EXPECT_EQ(Read()->pools.workers[0].task, 0u);
  EXPECT_EQ(task_queues_executor(&Read()->queued_tasks.waiting, kTask), kPool);
}

TEST_F(Pools, APoolThatCanGrowIsNotComplete) {
  Size(kPool, 1, 2, 10);
  Work(1, kPool, 2, kTask);
  EXPECT_FALSE(IsComplete());
}

TEST_F(Pools, AnEndlessQueueKeepsAPoolAtItsCoreSize) {
  Size(kPool, 1, 8);
  Work(1, kPool, 2, kTask);
  EXPECT_TRUE(IsComplete());
}

TEST_F(Pools, APoolWithoutCoreThreadsHasOneForItsQueue) {
  Size(kPool, 0, 8);
  Work(1, kPool, 2, kTask);
  EXPECT_TRUE(IsComplete());
}

TEST_F(Pools, WithAMissingWorkerAPoolIsNotComplete) {
  Size(kPool, 2, 2);
  Work(1, kPool, 2, kTask);
  EXPECT_FALSE(IsComplete());
}

TEST_F(Pools, APoolThatMayGrowIsNotComplete) {
  Size(kPool, 1, 1);
  Work(1, kPool, 2, kTask);
  Size(kPool, 2, 2);
  Queue(1, kPool, kTask + 1);
  EXPECT_FALSE(IsComplete());
}

TEST_F(Pools, AQueueWithRoomRefusesNoTask) {
  Size(kPool, 1, 1, 2);
  Work(1, kPool, 2, kTask);
  Queue(2, kPool, kTask + 1);
  Queue(2, kPool, kTask + 2);
  EXPECT_TRUE(IsComplete());
}

TEST_F(Pools, AFullQueueMayRefuseATask) {
  Size(kPool, 1, 1, 2);
  Work(1, kPool, 2, kTask);
  for (uint32_t i = 1; i < 4; i++) Queue(2, kPool, kTask + i);
  EXPECT_FALSE(IsComplete());
}

TEST_F(Pools, AQueueOfAnotherClassMayRefuseATask) {
  Size(kPool, 1, 1, -1);
  Work(1, kPool, 2, kTask);
  EXPECT_FALSE(IsComplete());
}

TEST_F(Pools, TasksFromBeforeTheRecordingCanFillAQueue) {
  Size(kPool, 1, 1, 2);
  Line("OpenCall,00000001");
  Line("ThreadSleep,00000001,1;00000003;FFFFFFFF");
  Work(1, kPool, 2, kTask);
  EXPECT_FALSE(IsComplete());
}

TEST_F(Pools, WithoutASizeNothingIsKnown) {
  Work(1, kPool, 2, kTask);
  EXPECT_FALSE(IsComplete());
}

TEST_F(Pools, TwoPoolsCanHaveOneQueue) {
  Size(kPool, 1, 1);
  Size(kOther, 1, 1);
  Work(1, kPool, 2, kTask);
  Work(1, kOther, 3, kTask + 1);
  Queue(1, kPool, kTask + 2);
  Take(3, kTask + 2);
  EXPECT_FALSE(IsComplete());
  EXPECT_EQ(CountWorkers(kOther), 0u);
}

}  // namespace
