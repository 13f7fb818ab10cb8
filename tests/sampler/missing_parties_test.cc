// What the fields of a latch or a phaser tell about the thread that waits for it.
#include "sampler/missing_parties.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/recording.h"

namespace {

class MissingParties : public testing::Test {
 protected:
  MissingParties() {
    blocker_ = r_.jvm.AddField(r_.jvm.ThreadClass(), "parkBlocker", "Ljava/lang/Object;");
    thread_ = r_.jvm.AddThread("starter", 0xA1);
  }
  // The thread is parked on an object of this class.
  FakeObject *Park(const std::string &name) {
    FakeClass *klass = r_.jvm.AddClass("Ljava/util/concurrent/" + name + ";", 0xC1);
    return thread_->fields[blocker_] = r_.jvm.AddObject(klass, 0x21);
  }
  FakeField *Field(FakeObject *object, const char *name, const char *type) {
    return r_.jvm.AddField(object->klass, name, type);
  }
  void ParkOnLatch(jlong count) {
    FakeObject *sync = Park("CountDownLatch$Sync");
    sync->values[Field(sync, "state", "I")] = count;
  }
  // In the phase 7.
  void ParkOnPhaser(jlong phase, jlong parties, jlong unarrived) {
    FakeObject *node = Park("Phaser$QNode");
    phaser_ = r_.jvm.AddObject(r_.jvm.AddClass("Ljava/util/concurrent/Phaser;", 0xC2), 0x22);
    phaser_->values[Field(phaser_, "state", "J")] = phase << 32 | parties << 16 | unarrived;
    node->fields[Field(node, "phaser", "Ljava/util/concurrent/Phaser;")] = phaser_;
    node->values[Field(node, "phase", "I")] = 7;
  }
  std::string Read() {
    struct missing_parties parties;
    jfieldID field = missing_parties_find_field(r_.jni);
    if (field == nullptr) return "no field";
    enum event_kind kind = missing_parties_read(r_.ti, r_.jni, thread_->Ref(), field, &parties);
    if (kind == NUM_EVENTS) return "unknown";
    return std::string(event_infos[kind].name) + " " + std::to_string(parties.missing) + " of " +
           std::to_string(parties.of);
  }

  Recording r_;
  FakeField *blocker_;
  FakeThread *thread_;
  FakeObject *phaser_ = nullptr;
};

TEST_F(MissingParties, TheCountOfALatch) {
  ParkOnLatch(2);
  EXPECT_EQ(Read(), "LatchLacks 2 of -1");
}

TEST_F(MissingParties, AnOpenLatchLacksNothing) {
  ParkOnLatch(0);
  EXPECT_EQ(Read(), "unknown");
}

TEST_F(MissingParties, ThePartiesOfAPhaser) {
  ParkOnPhaser(7, 3, 1);
  EXPECT_EQ(Read(), "PhaserLacks 1 of 3");
}

TEST_F(MissingParties, APhaserInALaterPhaseLacksNothing) {
  ParkOnPhaser(8, 3, 3);
  EXPECT_EQ(Read(), "unknown");
}

TEST_F(MissingParties, APhaserWithoutParties) {
  ParkOnPhaser(7, 0, 1);
  EXPECT_EQ(Read(), "unknown");
}

TEST_F(MissingParties, ANodeThatHasJustGivenUpItsPhaser) {
  ParkOnPhaser(7, 3, 1);
  thread_->fields[blocker_]->fields.clear();
  EXPECT_EQ(Read(), "unknown");
}

TEST_F(MissingParties, OtherWaits) {
  EXPECT_EQ(Read(), "unknown");
  Park("Semaphore$NonfairSync");
  EXPECT_EQ(Read(), "unknown");
}

TEST_F(MissingParties, WithoutTheFieldsNothingIsKnown) {
  ParkOnPhaser(7, 3, 1);
  for (int nth = 1; nth <= 4; nth++) {
    r_.jvm.FailAt(CALL_GetFieldID, nth, JVMTI_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(Read(), nth == 1 ? "no field" : "unknown") << nth;
  }
  r_.jvm.FailAt(CALL_FindClass, 1, JVMTI_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Read(), "no field");
  r_.jvm.FailAt(CALL_FindClass, 2, JVMTI_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Read(), "unknown");
  r_.jvm.Fail(CALL_GetClassSignature, 1, JVMTI_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Read(), "unknown");
  EXPECT_EQ(Read(), "PhaserLacks 1 of 3");
  ParkOnLatch(1);
  r_.jvm.FailAt(CALL_GetFieldID, 2, JVMTI_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Read(), "unknown");
}

}  // namespace
