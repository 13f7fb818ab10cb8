#include "agent/thread/ends.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

constexpr jint kJvmti8 = 0x30010203, kJvmti9 = 0x30090000, kJvmti10 = 0x300A0000;

class Ends : public testing::Test {
 protected:
  void Prepare(jint version) {
    jvm_.version = version;
    ends_prepare(jvm_.Ti());
  }
  bool Hold(FakeThread *thread) { return ends_hold(jvm_.Ti(), thread->Ref()); }
  uint32_t Hash(FakeThread *thread) {
    jint hash = 0;
    jvm_.Ti()->GetObjectHashCode(thread->Ref(), &hash);
    return static_cast<uint32_t>(hash);
  }

  FakeJvm jvm_;
  FakeThread *asker_ = jvm_.AddThread("asker");
  FakeThread *a_ = jvm_.AddThread("a"), *b_ = jvm_.AddThread("b");
  FakeJvm::Running running_{asker_};
};

TEST_F(Ends, NobodyAsksAboutAThreadThatHasEnded) {
  for (jint version : {kJvmti8, kJvmti9}) {
    Prepare(version);
    ASSERT_TRUE(Hold(b_));
    ends_release();
  }
  ends_note(Hash(a_));
  EXPECT_FALSE(Hold(a_));
  ASSERT_TRUE(Hold(b_));
  EXPECT_FALSE(Hold(a_)) << "also inside of another question";
  ends_release();
  ends_note(Hash(b_)); /* the lock is free again */
  EXPECT_FALSE(Hold(b_));
}

TEST_F(Ends, AThreadEndsAfterTheQuestionsAboutThreads) {
  Prepare(kJvmti8);
  std::atomic<bool> has_ended{false};
  ASSERT_TRUE(Hold(b_));
  ASSERT_TRUE(Hold(b_)) << "nested";
  std::thread ending([&, hash = Hash(a_)] {
    ends_note(hash);
    has_ended = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ends_release();
  EXPECT_FALSE(has_ended);
  ends_release();
  ending.join();
  EXPECT_FALSE(Hold(a_));
}

TEST_F(Ends, IsNotNeededFrom10On) {
  Prepare(kJvmti10);
  ends_note(Hash(a_));
  EXPECT_TRUE(Hold(a_));
  ends_note(Hash(b_)); /* does not wait */
  ends_release();
}

TEST_F(Ends, AsksNothingWithoutAnIdentity) {
  Prepare(kJvmti8);
  jvm_.Fail(CALL_GetObjectHashCode);
  EXPECT_FALSE(Hold(a_));
}

}  // namespace
