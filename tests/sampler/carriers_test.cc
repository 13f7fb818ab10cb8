#include "sampler/carriers.h"

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

// FakeJvm fails a test that leaks JVMTI memory or JNI references.
class CarriersTest : public testing::Test {
 protected:
  CarriersTest() { carrier_->mounted = virtual_; }

  FakeClass *AddCarrierClass() {
    FakeClass *klass = jvm_.AddClass("Ljdk/internal/misc/CarrierThread;");
    klass->super = jvm_.ThreadClass();
    carrier_->klass = klass;
    return klass;
  }
  // Makes the JVM offer GetVirtualThread, and starts a virtual thread.
  void PrepareJvm() {
    AddCarrierClass();
    jvm_.ShowMounted();
    carriers_init(&carriers_, jvm_.Ti());
    carriers_note_virtual_thread(&carriers_);
  }
  // Returns the virtual thread that `thread` runs; nullptr if there is none.
  FakeObject *FindMounted(FakeThread *thread) {
    jthread found = carriers_find_mounted(&carriers_, jvm_.Ti(), jvm_.Jni(), thread->Ref());
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
  struct carriers carriers_ = {};
};

TEST_F(CarriersTest, FindsTheVirtualThreadOfACarrier) {
  PrepareJvm();
  EXPECT_EQ(FindMounted(carrier_), virtual_);
  carrier_->mounted = nullptr;
  EXPECT_EQ(FindMounted(carrier_), nullptr) << "the carrier is idle";
}

TEST_F(CarriersTest, AsksTheJvmOnlyAboutCarriers) {
  PrepareJvm();
  EXPECT_EQ(FindMounted(other_), nullptr);
  EXPECT_EQ(jvm_.Calls(CALL_GetVirtualThread), 0);
}

TEST_F(CarriersTest, LooksUpTheClassAfterTheFirstVirtualThreadStarts) {
  AddCarrierClass();
  jvm_.ShowMounted();
  carriers_init(&carriers_, jvm_.Ti());
  EXPECT_EQ(FindMounted(carrier_), nullptr);
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 0);
  carriers_note_virtual_thread(&carriers_);
  EXPECT_EQ(FindMounted(carrier_), virtual_);
  EXPECT_EQ(FindMounted(carrier_), virtual_);
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 1);
}

TEST_F(CarriersTest, FindsNothingWithoutTheExtensionFunction) {
  AddCarrierClass();
  carriers_note_virtual_thread(&carriers_);
  EXPECT_EQ(FindMounted(carrier_), nullptr) << "before carriers_init";
  carriers_init(&carriers_, jvm_.Ti());
  EXPECT_EQ(FindMounted(carrier_), nullptr) << "the JVM has other extension functions only";
  jvm_.ShowMounted();
  jvm_.Fail(CALL_GetExtensionFunctions);
  carriers_init(&carriers_, jvm_.Ti());
  EXPECT_EQ(FindMounted(carrier_), nullptr) << "GetExtensionFunctions fails";
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 0);
}

TEST_F(CarriersTest, LooksUpAMissingClassOnlyOnce) {
  jvm_.ShowMounted();
  carriers_init(&carriers_, jvm_.Ti());
  carriers_note_virtual_thread(&carriers_);
  EXPECT_EQ(FindMounted(carrier_), nullptr);
  EXPECT_EQ(FindMounted(carrier_), nullptr);
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 1);
}

TEST_F(CarriersTest, FindsNothingWhenTheJvmFails) {
  PrepareJvm();
  jvm_.Fail(CALL_NewGlobalRef);
  EXPECT_EQ(FindMounted(carrier_), nullptr);
  EXPECT_EQ(FindMounted(carrier_), virtual_) << "NewGlobalRef works again";
  jvm_.Fail(CALL_GetVirtualThread, 1, JVMTI_ERROR_THREAD_NOT_ALIVE);
  EXPECT_EQ(FindMounted(carrier_), nullptr);
  EXPECT_EQ(FindMounted(carrier_), virtual_);
}

TEST_F(CarriersTest, KeepsItsClassForTheNextRecording) {
  PrepareJvm();
  EXPECT_EQ(FindMounted(carrier_), virtual_);
  carriers_init(&carriers_, jvm_.Ti());
  EXPECT_EQ(FindMounted(carrier_), virtual_);
  EXPECT_EQ(jvm_.Calls(CALL_FindClass), 1);
}

}  // namespace
