#include "tools/orca/model/state/task_queues.h"

#include "gtest/gtest.h"

namespace {

constexpr uint32_t kTask = 0xC1;

class TaskQueues : public testing::Test {
 protected:
  ~TaskQueues() override { task_queues_free(&queues_); }

  void Put(uint32_t object, uint32_t thread, ticks_t time, uint32_t executor = 0) {
    struct wake_signal queued = {time, thread, EVENT_TASK_QUEUED, 0};
    EXPECT_TRUE(task_queues_put(&queues_, object, executor, &queued));
  }

  // Returns the time when the task was queued; 0: there is none.
  ticks_t Take(uint32_t object) {
    struct wake_signal queued = {};
    return task_queues_take(&queues_, object, &queued, &is_certain_) ? queued.time : 0;
  }

  struct task_queues queues_ = {};
  bool is_certain_ = false;
};

TEST_F(TaskQueues, ReturnTheTasksOfAnObjectInTheirOrder) {
  Put(kTask, 1, 100);
  Put(0xC2, 1, 101);
  Put(kTask, 1, 102);
  EXPECT_EQ(Take(kTask), 100u);
  EXPECT_TRUE(is_certain_);
  EXPECT_TRUE(task_queues_has(&queues_, kTask));
  EXPECT_EQ(Take(kTask), 102u);
  EXPECT_FALSE(task_queues_has(&queues_, kTask));
  EXPECT_TRUE(task_queues_had(&queues_, kTask));
  EXPECT_FALSE(task_queues_had(&queues_, 0xC3));
  EXPECT_EQ(Take(kTask), 0u);
  EXPECT_EQ(Take(0xC2), 101u);
  EXPECT_EQ(Take(0xC3), 0u);
}

TEST_F(TaskQueues, SayWhetherItIsCertainWhoQueuedATask) {
  Put(kTask, 1, 100);
  Put(kTask, 2, 101);
  Put(kTask, 2, 102);
  EXPECT_EQ(Take(kTask), 100u);
  EXPECT_FALSE(is_certain_);
  EXPECT_EQ(Take(kTask), 101u);
  EXPECT_TRUE(is_certain_);
}

TEST_F(TaskQueues, KnowTheNewestTaskOfOneThread) {
  struct wake_signal queued = {};
  EXPECT_FALSE(task_queues_newest(&queues_, kTask, &queued));
  Put(kTask, 1, 100);
  Put(kTask, 1, 101);
  ASSERT_TRUE(task_queues_newest(&queues_, kTask, &queued));
  EXPECT_EQ(queued.time, 101u);
  EXPECT_EQ(queued.thread, 1u);
  Put(kTask, 2, 102);
  EXPECT_FALSE(task_queues_newest(&queues_, kTask, &queued));
}

TEST_F(TaskQueues, WithdrawTheTaskThatAThreadQueuedLast) {
  Put(kTask, 1, 100);
  Put(kTask, 2, 101);
  task_queues_withdraw(&queues_, 1);
  task_queues_withdraw(&queues_, 3);
  EXPECT_EQ(Take(kTask), 101u);
  task_queues_withdraw(&queues_, 2);  // it was taken
  Put(kTask, 5, 102);
  EXPECT_EQ(Take(kTask), 102u);
}

TEST_F(TaskQueues, AWithdrawnTaskDoesNotWait) {
  Put(kTask, 1, 100);
  task_queues_withdraw(&queues_, 1);
  EXPECT_FALSE(task_queues_has(&queues_, kTask));
  Put(kTask, 1, 101);
  EXPECT_TRUE(task_queues_has(&queues_, kTask));
}

TEST_F(TaskQueues, KnowTheExecutorOfTheTasksThatWait) {
  EXPECT_EQ(task_queues_executor(&queues_, kTask), 0u);
  Put(kTask, 1, 100, 0xE1);
  Put(kTask, 1, 101, 0xE1);
  EXPECT_EQ(task_queues_executor(&queues_, kTask), 0xE1u);
  Put(kTask, 1, 102, 0xE2);
  EXPECT_EQ(task_queues_executor(&queues_, kTask), 0u);
  Take(kTask);
  Take(kTask);
  EXPECT_EQ(task_queues_executor(&queues_, kTask), 0xE2u);
}

}  // namespace
