// The future that a task completes.
#include "agent/track/task_futures.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

constexpr char kFuture[] = "Ljava/util/concurrent/CompletableFuture;";

class TaskFuturesTest : public testing::Test {
 protected:
  ~TaskFuturesTest() override { free(futures_); }

  // A task of a class with the field.
  FakeObject *AddTask(const std::string &signature, jint class_id) {
    FakeClass *klass = r_.jvm.AddClass(signature, class_id);
    FakeField *dep = r_.jvm.AddField(klass, "dep", kFuture);
    FakeObject *task = r_.jvm.AddObject(klass, 0x20);
    task->fields[dep] = future_;
    return task;
  }
  bool Finds(FakeObject *task, uint32_t class_id) {
    jobject found = task_futures_find(futures_, r_.ti, r_.jni,
                                      task == nullptr ? nullptr : task->Ref(), class_id);
    jint hash = 0;
    if (found == nullptr) return false;
    r_.ti->GetObjectHashCode(found, &hash);
    r_.jni->DeleteLocalRef(found);
    return hash == 0x30;
  }

  Recording r_;
  FakeObject *future_ = r_.jvm.AddObject(r_.jvm.AddClass(kFuture, 0xC0), 0x30);
  struct task_futures *futures_ = task_futures_new();
};

TEST_F(TaskFuturesTest, TasksOfTheJdkHaveOne) {
  FakeObject *task = AddTask("Ljava/util/concurrent/CompletableFuture$AsyncSupply;", 0xC1);
  for (int i = 0; i < 3; i++) EXPECT_TRUE(Finds(task, 0xC1)) << i;
  FakeObject *other = AddTask("Ljava/util/concurrent/CompletableFuture$UniApply;", 0xC2);
  EXPECT_TRUE(Finds(other, 0xC2));
  EXPECT_TRUE(Finds(task, 0xC1));
}

TEST_F(TaskFuturesTest, OtherTasksHaveNone) {
  FakeObject *task = AddTask("Lcom/acme/Task;", 0xC1);
  for (int i = 0; i < 2; i++) EXPECT_FALSE(Finds(task, 0xC1)) << i;
  FakeClass *klass = r_.jvm.AddClass("Ljava/util/concurrent/CompletableFuture$Timeout;", 0xC2);
  EXPECT_FALSE(Finds(r_.jvm.AddObject(klass, 0x21), 0xC2));
  EXPECT_FALSE(Finds(nullptr, 0xC3));
  EXPECT_FALSE(Finds(task, 0));
}

}  // namespace
