#include "agent/meta/meta.h"

#include <algorithm>
#include <set>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/recording.h"

namespace {

TEST(MetaTest, InitMakesTablesAndEmptyBoxes) {
  static struct meta m; /* never freed */
  static struct recording_figures figures;
  ASSERT_TRUE(meta_init(&m, &figures));
  EXPECT_NE(m.classes, nullptr);
  EXPECT_NE(m.methods, nullptr);
  EXPECT_NE(m.objects, nullptr);
  EXPECT_NE(m.stacks, nullptr);
  for (struct outbox *box : {&m.class_box, &m.method_box, &m.object_box}) {
    EXPECT_EQ(outbox_take(box), nullptr);
  }
  EXPECT_EQ(m.figures, &figures);
  EXPECT_EQ(meta_recording(&m), 0u);  // no recording yet
}

TEST(MetaTest, BeginDiscardsDefinitionsOfTheLastRecording) {
  Recording r;
  EXPECT_EQ(meta_recording(r.meta), 1u);
  object_hash(r.meta, r.ti, r.jni, r.jvm.AddObject(r.jvm.AddClass("LA;"))->Ref());
  r.Again();
  EXPECT_EQ(meta_recording(r.meta), 2u);
  EXPECT_EQ(r.Classes(), Lines{});
  EXPECT_EQ(r.Objects(), Lines{});
}

// --- objects ---------------------------------------------------------------------------------

uint32_t GetHash(Recording *r, FakeObject *object) {
  return object_hash(r->meta, r->ti, r->jni, object->Ref());
}

TEST(ObjectsTest, DefinesAnObjectOnceWithItsClass) {
  Recording r;
  FakeObject *object = r.jvm.AddObject(r.jvm.AddClass("LLock;", 0xC1), 0xA);
  EXPECT_EQ(GetHash(&r, object), 0xAu);
  EXPECT_EQ(GetHash(&r, object), 0xAu);
  EXPECT_EQ(r.Objects(), Lines{"0000000A,000000C1"});
  EXPECT_EQ(r.Classes(), Lines{"000000C1,LLock;,"});
}

// A reader finds the class of a lock of a static method by the hash of the lock.
TEST(ObjectsTest, DefinesTheClassThatAnObjectRepresents) {
  Recording r;
  FakeClass *registry = r.jvm.AddClass("Lcom/acme/Registry;", 0xA);
  registry->klass = r.jvm.AddClass("Ljava/lang/Class;", 0xC1);
  EXPECT_EQ(GetHash(&r, registry), 0xAu);
  EXPECT_EQ(GetHash(&r, registry), 0xAu);
  EXPECT_EQ(r.Objects(), Lines{"0000000A,000000C1"});
  EXPECT_EQ(r.Classes(), (Lines{"000000C1,Ljava/lang/Class;,", "0000000A,Lcom/acme/Registry;,"}));
}

TEST(ObjectsTest, ReturnsZeroWithoutAnObjectOrHash) {
  Recording r;
  EXPECT_EQ(object_hash(r.meta, r.ti, r.jni, nullptr), 0u);
  r.jvm.Fail(CALL_GetObjectHashCode);
  EXPECT_EQ(GetHash(&r, r.jvm.AddObject(r.jvm.AddClass("LA;"))), 0u);
  EXPECT_EQ(r.Objects(), Lines{});
}

TEST(ObjectsTest, DefinesBothObjectsOfOneHash) {
  Recording r;
  FakeClass *a = r.jvm.AddClass("LA;", 0xC1), *b = r.jvm.AddClass("LB;", 0xC2);
  EXPECT_EQ(GetHash(&r, r.jvm.AddObject(a, 0xA)), 0xAu);
  EXPECT_EQ(GetHash(&r, r.jvm.AddObject(b, 0xA)), 0xAu);
  EXPECT_EQ(GetHash(&r, r.jvm.AddObject(a, 0xA)),
            0xAu);  // hash and class are those of the first object
  EXPECT_EQ(r.Objects(), (Lines{"0000000A,000000C1", "0000000A,000000C2"}));
}

TEST(ObjectsTest, DefinesObjectsAgainInTheNextRecording) {
  Recording r;
  FakeObject *object = r.jvm.AddObject(r.jvm.AddClass("LLock;", 0xC1), 0xA);
  GetHash(&r, object);
  r.Objects();
  r.Again();
  EXPECT_EQ(GetHash(&r, object), 0xAu);
  EXPECT_EQ(GetHash(&r, object), 0xAu);
  EXPECT_EQ(r.Objects(), Lines{"0000000A,000000C1"});
}

TEST(ObjectsTest, DefinesAnObjectByItsHashAlone) {
  Recording r;
  object_define(r.meta, 0xA, 0xC1);
  object_define(r.meta, 0xA, 0xC1);
  EXPECT_EQ(GetHash(&r, r.jvm.AddObject(r.jvm.AddClass("LLock;", 0xC1), 0xA)), 0xAu);
  EXPECT_EQ(r.Objects(), Lines{"0000000A,000000C1"});
}

TEST(ObjectsTest, PublishesADefinitionBeforeTheHashIsReturned) {
  const int kThreads = 4, kObjects = 500;
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;", 0xC1);
  std::vector<FakeObject *> objects;
  for (int i = 0; i < kObjects; i++) objects.push_back(r.jvm.AddObject(klass, 1 + i));
  std::atomic<int> not_defined{0};
  std::set<std::string> defined;
  std::mutex lock;
  RunConcurrently(kThreads, [&](int) {
    for (FakeObject *object : objects) {
      GetHash(&r, object);
      char line[32];
      snprintf(line, sizeof line, "%08X,000000C1", static_cast<unsigned>(object->hash));
      std::lock_guard<std::mutex> guard(lock);
      for (const std::string &fresh : r.Objects()) EXPECT_TRUE(defined.insert(fresh).second);
      if (defined.count(line) == 0) not_defined++;
    }
  });
  EXPECT_EQ(not_defined, 0);
  EXPECT_EQ(defined.size(), size_t{kObjects});
}

// At its bound the table is emptied. Objects that are used again get a second line.
TEST(ObjectsTest, DefinesEveryObjectAtTheBoundOfTheTable) {
  const int kBound = (1 << 20) / 4 * 3;
  Recording r;
  FakeObject *object = r.jvm.AddObject(r.jvm.AddClass("LA;", 0xC1));
  for (int i = 1; i <= kBound; i++) {
    object->hash = i;
    GetHash(&r, object);
    if (i % 65536 != 0) continue;
    ASSERT_EQ(r.Objects().size(), 65536u);
  }
  object->hash = 1;
  GetHash(&r, object);
  EXPECT_EQ(r.Objects(), Lines{});  // not emptied yet: the table is exactly full
  object->hash = kBound + 1;
  GetHash(&r, object);
  object->hash = 1;
  GetHash(&r, object);
  GetHash(&r, object);
  EXPECT_EQ(r.Objects(), (Lines{"000C0001,000000C1", "00000001,000000C1"}));
}

}  // namespace
