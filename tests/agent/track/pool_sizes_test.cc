// The sizes of a ThreadPoolExecutor, read from its fields.
#include "agent/track/pool_sizes.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "agent/base/clock.h"
#include "agent/record/intern.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

constexpr char kPool[] = "Ljava/util/concurrent/ThreadPoolExecutor;";

class PoolSizesTest : public testing::Test {
 protected:
  PoolSizesTest() : sizes_(pool_sizes_new()) {
    pool_class_ = r_.jvm.AddClass(kPool, 0xC1);
    core_ = r_.jvm.AddField(pool_class_, "corePoolSize", "I");
    maximum_ = r_.jvm.AddField(pool_class_, "maximumPoolSize", "I");
    queue_ = r_.jvm.AddField(pool_class_, "workQueue", "Ljava/util/concurrent/BlockingQueue;");
    pool_ = r_.jvm.AddObject(pool_class_, 0x20);
    pool_->values = {{core_, 4}, {maximum_, 8}};
  }
  ~PoolSizesTest() override { free(sizes_); }
  FakeObject *SetQueue(const std::string &name) {
    FakeClass *klass = r_.jvm.AddClass("Ljava/util/concurrent/" + name + ";", next_++);
    return pool_->fields[queue_] = r_.jvm.AddObject(klass, next_++);
  }
  std::string Read(FakeObject *executor) {
    struct pool_size size;
    if (!pool_sizes_read(sizes_, r_.jni, executor->Ref(), &size)) return "unknown";
    int32_t capacity = pool_sizes_read_capacity(sizes_, r_.ti, r_.jni, executor->Ref());
    return std::to_string(size.core) + " " + std::to_string(size.maximum) + " " +
           std::to_string(capacity);
  }
  bool Add(uint32_t executor, uint32_t epoch = 1, int core = 4, int maximum = 8) {
    struct pool_size size = {core, maximum, -1};
    return pool_sizes_add(sizes_, executor, epoch, &size);
  }
  // Hashes of executors that have the same set as the first one.
  static std::vector<uint32_t> FindNeighbours(size_t num) {
    std::vector<uint32_t> found;
    for (uint32_t hash = 1; found.size() < num; hash++) {
      if (hash_word(hash) % 128 == hash_word(1) % 128) found.push_back(hash);
    }
    return found;
  }

  Recording r_;
  struct pool_sizes *sizes_;
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

TEST_F(PoolSizesTest, WithoutItsFieldsAPoolHasNoSize) {
  for (FakeCall call : {CALL_FindClass, CALL_GetFieldID}) {
    r_.jvm.Fail(call, 1, JVMTI_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(Read(pool_), "unknown");
  }
  struct pool_size size;
  EXPECT_FALSE(pool_sizes_read(sizes_, r_.jni, nullptr, &size));
  pool_->values[maximum_] = 0;
  EXPECT_EQ(Read(pool_), "unknown");
}

TEST_F(PoolSizesTest, TheFieldsAreSearchedOnce) {
  EXPECT_EQ(Read(pool_), "4 8 -1");
  int num = r_.jvm.Calls(CALL_FindClass);
  pool_->values[core_] = 5;
  EXPECT_EQ(Read(pool_), "5 8 -1");
  EXPECT_EQ(r_.jvm.Calls(CALL_FindClass), num);
}

TEST_F(PoolSizesTest, AnExecutorIsNewOnceInEachEpoch) {
  EXPECT_TRUE(Add(0x20));
  EXPECT_FALSE(Add(0x20));
  EXPECT_TRUE(Add(0x21));
  EXPECT_TRUE(Add(0x20, 2));
}

TEST_F(PoolSizesTest, AChangedSizeIsNew) {
  EXPECT_TRUE(Add(0x20, 1, 4, 8));
  EXPECT_TRUE(Add(0x20, 1, 4, 9));
  EXPECT_TRUE(Add(0x20, 1, 5, 9));
  EXPECT_FALSE(Add(0x20, 1, 5, 9));
}

TEST_F(PoolSizesTest, ExecutorsInOneSetDoNotForgetEachOther) {
  std::vector<uint32_t> pools = FindNeighbours(8);
  for (uint32_t pool : pools) EXPECT_TRUE(Add(pool));
  for (uint32_t pool : pools) EXPECT_FALSE(Add(pool));
  for (uint32_t pool : pools) EXPECT_TRUE(Add(pool, 2));  // those of the old epoch make room
}

TEST_F(PoolSizesTest, TooManyExecutorsInOneSetAreWrittenOnceInAMillisecond) {
  std::vector<uint32_t> pools = FindNeighbours(9);
  for (size_t i = 0; i < 8; i++) EXPECT_TRUE(Add(pools[i]));
  uint64_t begin_ns = clock_monotonic_ns(), num = 0;
  EXPECT_TRUE(Add(pools[8]));  // instead of another one
  for (size_t i = 0; i < 1000; i++) num += Add(pools[i % 9]);
  EXPECT_LE(num, (clock_monotonic_ns() - begin_ns) / NS_PER_MS);
}

}  // namespace
