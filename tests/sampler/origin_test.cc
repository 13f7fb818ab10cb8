// Tests which CPU time belongs to a Java thread, on a fake JVM. slow_start_test in tests/e2e tests
// it on real JVMs.
#include "sampler/origin.h"

#include <time.h>

#include <thread>

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

void Burn(int64_t ns) {
  struct timespec t;
  do {
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  } while (t.tv_sec * INT64_C(1000000000) + t.tv_nsec < ns);
}

class Origin : public testing::Test {
 protected:
  // Returns the result for a kernel thread that used `ms` of CPU time before it became `thread`.
  bool IsJava(FakeThread *thread, int64_t ms) {
    bool is = false;
    std::thread([&] {
      FakeJvm::Running running(thread);
      Burn(ms * 1000000);
      is = origin_is_java(&origin_, jvm_.Jni(), reinterpret_cast<jthread>(thread->Ref()));
    }).join();
    return is;
  }
  FakeField *AddTarget() {
    return jvm_.AddField(jvm_.ThreadClass(), "target", "Ljava/lang/Runnable;");
  }

  FakeJvm jvm_;
  FakeClass *task_class_ = jvm_.AddClass("LTask;");
  FakeThread *thread_ = jvm_.AddThread("A");
  struct origin origin_ = {};
};

TEST_F(Origin, AThreadThatUsedLittleIsNew) {
  EXPECT_TRUE(IsJava(thread_, 0));
  EXPECT_EQ(jvm_.Calls(CALL_GetObjectClass), 0);
}

TEST_F(Origin, APlainThreadWithoutATaskBecameAJavaThreadLater) {
  AddTarget();
  origin_init(&origin_, jvm_.Jni());
  EXPECT_FALSE(IsJava(thread_, 10));
}

TEST_F(Origin, AThreadWithATaskWasMadeForIt) {
  thread_->fields[AddTarget()] = jvm_.AddObject(task_class_);
  EXPECT_FALSE(IsJava(thread_, 10)); /* the fields are not looked up yet */
  origin_init(&origin_, jvm_.Jni());
  origin_init(&origin_, jvm_.Jni());
  EXPECT_TRUE(IsJava(thread_, 10));
}

TEST_F(Origin, ANewerJdkHasTheTaskInAHolder) {
  FakeClass *holder_class = jvm_.AddClass("Ljava/lang/Thread$FieldHolder;");
  FakeField *task = jvm_.AddField(holder_class, "task", "Ljava/lang/Runnable;");
  FakeField *field = jvm_.AddField(jvm_.ThreadClass(), "holder", "Ljava/lang/Thread$FieldHolder;");
  FakeObject *holder = jvm_.AddObject(holder_class);
  thread_->fields[field] = holder;
  origin_init(&origin_, jvm_.Jni());
  EXPECT_FALSE(IsJava(thread_, 10));
  holder->fields[task] = jvm_.AddObject(task_class_);
  EXPECT_TRUE(IsJava(thread_, 10));
}

TEST_F(Origin, AThreadOfASubclassWasMadeForIt) {
  AddTarget();
  origin_init(&origin_, jvm_.Jni());
  thread_->klass = jvm_.AddClass("LWorker;");
  EXPECT_TRUE(IsJava(thread_, 10));
}

// Its second Java thread does not own the CPU time of its first.
TEST_F(Origin, AKernelThreadIsNewOnlyOnce) {
  std::thread([&] {
    FakeJvm::Running running(thread_);
    auto thread = reinterpret_cast<jthread>(thread_->Ref());
    EXPECT_TRUE(origin_is_java(&origin_, jvm_.Jni(), thread));
    EXPECT_FALSE(origin_is_java(&origin_, jvm_.Jni(), thread));
  }).join();
}

TEST_F(Origin, WithoutTheClassOnlyTheClockTells) {
  jvm_.Fail(CALL_FindClass, 5);
  origin_init(&origin_, jvm_.Jni());
  EXPECT_TRUE(IsJava(thread_, 0));
  EXPECT_FALSE(IsJava(thread_, 10));
}

}  // namespace
