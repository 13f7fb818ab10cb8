// The sizes of a ThreadPoolExecutor, read from its fields.
#include "agent/track/pool_sizes.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

constexpr char kPool[] = "Ljava/util/concurrent/ThreadPoolExecutor;";

class PoolSizesTest : public testing::Test {
 protected:
  PoolSizesTest() {
    pool_class_ = r_.jvm.AddClass(kPool, 0xC1);
    core_ = r_.jvm.AddField(pool_class_, "corePoolSize", "I");
    maximum_ = r_.jvm.AddField(pool_class_, "maximumPoolSize", "I");
    queue_ = r_.jvm.AddField(pool_class_, "workQueue", "Ljava/util/concurrent/BlockingQueue;");
    pool_ = r_.jvm.AddObject(pool_class_, 0x20);
    pool_->values = {{core_, 4}, {maximum_, 8}};
  }
  FakeObject *SetQueue(const std::string &name) {
    FakeClass *klass = r_.jvm.AddClass("Ljava/util/concurrent/" + name + ";", next_++);
    return pool_->fields[queue_] = r_.jvm.AddObject(klass, next_++);
  }
  std::string Read(FakeObject *executor) {
    struct pool_size size;
    if (!pool_sizes_read(r_.ti, r_.jni, executor->Ref(), &size)) return "unknown";
    return std::to_string(size.core) + " " + std::to_string(size.maximum) + " " +
           std::to_string(size.capacity);
  }

  Recording r_;
  FakeClass *pool_class_;
  FakeField *core_, *maximum_, *queue_;
  FakeObject *pool_;
  jint next_ = 0x100;
};

TEST_F(PoolSizesTest, TheQueueTellsItsCapacity) {
  for (const char *name : {"LinkedBlockingQueue", "LinkedBlockingDeque"}) {
    FakeObject *queue = SetQueue(name);
    FakeClass *klass = queue->klass;
    queue->values[r_.jvm.AddField(klass, "capacity", "I")] = 100;
    EXPECT_EQ(Read(pool_), "4 8 100") << name;
  }
  FakeObject *array = SetQueue("ArrayBlockingQueue");
  FakeObject *items = r_.jvm.AddObject(r_.jvm.AddClass("[Ljava/lang/Object;", 0xC3), 0x22);
  items->items.resize(7);
  array->fields[r_.jvm.AddField(array->klass, "items", "[Ljava/lang/Object;")] = items;
  EXPECT_EQ(Read(pool_), "4 8 7");
  SetQueue("SynchronousQueue");
  EXPECT_EQ(Read(pool_), "4 8 0");
  for (const char *name : {"PriorityBlockingQueue", "LinkedTransferQueue",
                           "ScheduledThreadPoolExecutor$DelayedWorkQueue"}) {
    SetQueue(name);
    EXPECT_EQ(Read(pool_), "4 8 2147483647") << name;
  }
}

TEST_F(PoolSizesTest, TheCapacityOfAnotherClassIsNotKnown) {
  EXPECT_EQ(Read(pool_), "4 8 -1");
  SetQueue("TaskQueue");
  EXPECT_EQ(Read(pool_), "4 8 -1");
  SetQueue("ArrayBlockingQueue");
  EXPECT_EQ(Read(pool_), "4 8 -1");
}

TEST_F(PoolSizesTest, OtherObjectsHaveNoSize) {
  EXPECT_EQ(Read(r_.jvm.AddObject(r_.jvm.AddClass("LPool;", 0xC2), 0x21)), "unknown");
  pool_->values.erase(maximum_);
  EXPECT_EQ(Read(pool_), "unknown");
  for (FakeCall call : {CALL_FindClass, CALL_GetFieldID}) {
    r_.jvm.Fail(call, 1, JVMTI_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(Read(pool_), "unknown");
  }
}

TEST_F(PoolSizesTest, AnExecutorIsNewOnceInEachEpoch) {
  struct pool_sizes *sizes = pool_sizes_new();
  EXPECT_TRUE(pool_sizes_add(sizes, 0x20, 1));
  EXPECT_FALSE(pool_sizes_add(sizes, 0x20, 1));
  EXPECT_TRUE(pool_sizes_add(sizes, 0x21, 1));
  EXPECT_TRUE(pool_sizes_add(sizes, 0x20, 2));
  free(sizes);
}

}  // namespace
