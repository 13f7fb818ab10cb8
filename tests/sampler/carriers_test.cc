#include "sampler/carriers.h"

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

// What is not given back fails each test: FakeJvm counts it.
class MountedTest : public testing::Test {
 protected:
  MountedTest() { carrier_->mounted = virtual_; }

  FakeClass *AddCarriers() {
    FakeClass *klass = jvm_.AddClass("Ljdk/internal/misc/CarrierThread;");
    klass->super = jvm_.ThreadClass();
    carrier_->klass = klass;
    return klass;
  }
  // A JVM that tells, in which a virtual thread has begun.
  void Begin() {
    AddCarriers();
    jvm_.ShowMounted();
    carriers_init(&mounted_, jvm_.Ti());
    carriers_expect(&mounted_);
  }
  // What the thread runs; nullptr: nothing.
  FakeObject *On(FakeThread *thread) {
    jthread found = carriers_find_mounted(&mounted_, jvm_.Ti(), jvm_.Jni(), thread->Ref());
    EXPECT_FALSE(jvm_.Jni()->ExceptionCheck());
    if (found == nullptr) return nullptr;
    FakeObject *object = reinterpret_cast<FakeRef *>(found)->object;
    jvm_.Jni()->DeleteLocalRef(found);
    return object;
  }

  FakeJvm jvm_;
  FakeThread *carrier_ = jvm_.AddThread("ForkJoinPool-1-worker-1");
  FakeThread *virtual_ = jvm_.AddThread("");
  FakeThread *other_ = jvm_.AddThread("main");
  struct carriers mounted_ = {};
};

TEST_F(MountedTest, ACarrierTellsWhatItRuns) {
  Begin();
  EXPECT_EQ(On(carrier_), virtual_);
  carrier_->mounted = nullptr;
  EXPECT_EQ(On(carrier_), nullptr) << "it is idle";
}

TEST_F(MountedTest, OfAnotherThreadNothingIsAsked) {
  Begin();
  EXPECT_EQ(On(other_), nullptr);
  EXPECT_EQ(jvm_.Calls(CALL_GetVirtualThread), 0);
}

TEST_F(MountedTest, UntilAVirtualThreadBeginsNoClassIsLookedFor) {
  AddCarriers();
  jvm_.ShowMounted();
  carriers_init(&mounted_, jvm_.Ti());
  EXPECT_EQ(On(carrier_), nullptr);
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 0);
  carriers_expect(&mounted_);
  EXPECT_EQ(On(carrier_), virtual_);
  EXPECT_EQ(On(carrier_), virtual_);
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 1);
}

TEST_F(MountedTest, WithoutTheFunctionNothingIsEverMounted) {
  AddCarriers();
  carriers_expect(&mounted_);
  EXPECT_EQ(On(carrier_), nullptr) << "before it is looked for";
  carriers_init(&mounted_, jvm_.Ti());
  EXPECT_EQ(On(carrier_), nullptr) << "the JVM has others only";
  jvm_.ShowMounted();
  jvm_.Fail(CALL_GetExtensionFunctions);
  carriers_init(&mounted_, jvm_.Ti());
  EXPECT_EQ(On(carrier_), nullptr) << "the JVM tells of none";
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 0);
}

TEST_F(MountedTest, WithoutTheClassOfCarriersItIsLookedForOnce) {
  jvm_.ShowMounted();
  carriers_init(&mounted_, jvm_.Ti());
  carriers_expect(&mounted_);
  EXPECT_EQ(On(carrier_), nullptr);
  EXPECT_EQ(On(carrier_), nullptr);
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 1);
}

TEST_F(MountedTest, WhereTheJvmDoesNotTellThereIsNothing) {
  Begin();
  jvm_.Fail(CALL_NewGlobalRef);
  EXPECT_EQ(On(carrier_), nullptr);
  EXPECT_EQ(On(carrier_), virtual_) << "a reference is to be had again";
  jvm_.Fail(CALL_GetVirtualThread, 1, JVMTI_ERROR_THREAD_NOT_ALIVE);
  EXPECT_EQ(On(carrier_), nullptr);
  EXPECT_EQ(On(carrier_), virtual_);
}

TEST_F(MountedTest, TheNextRecordingGoesOnWithWhatIsKnown) {
  Begin();
  EXPECT_EQ(On(carrier_), virtual_);
  carriers_init(&mounted_, jvm_.Ti());
  EXPECT_EQ(On(carrier_), virtual_);
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 1);
}

}  // namespace
