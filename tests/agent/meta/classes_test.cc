#include <algorithm>
#include <set>

#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/recording.h"

namespace {

uint32_t GetId(Recording *r, FakeClass *klass) { return class_id(r->meta, r->ti, klass->Ref()); }

TEST(ClassesTest, UsesTheHashOfTheClassAsItsId) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LPingPong;", 0x15DB9742, "PingPong.java");
  EXPECT_EQ(GetId(&r, klass), 0x15DB9742u);
  EXPECT_EQ(r.Classes(), Lines{"15DB9742,LPingPong;,PingPong.java"});
}

TEST(ClassesTest, DefinesAClassOnce) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LPingPong;", 0xA);
  EXPECT_EQ(GetId(&r, klass), 0xAu);
  EXPECT_EQ(GetId(&r, klass), 0xAu);
  EXPECT_EQ(r.Classes().size(), 1u);
  EXPECT_EQ(r.jvm.Calls(CALL_GetClassSignature), 1);
}

TEST(ClassesTest, ReturnsZeroForNull) {
  Recording r;
  EXPECT_EQ(class_id(r.meta, r.ti, nullptr), 0u);
  EXPECT_EQ(r.Classes(), Lines{});
}

TEST(ClassesTest, LeavesAMissingSourceFileEmpty) {
  Recording r;
  GetId(&r, r.jvm.AddClass("[I", 0xA));
  EXPECT_EQ(r.Classes(), Lines{"0000000A,[I,"});
}

TEST(ClassesTest, LeavesFieldsEmptyThatTheJvmRefuses) {
  Recording r;
  r.jvm.Fail(CALL_GetClassSignature);
  r.jvm.Fail(CALL_GetSourceFileName);
  EXPECT_EQ(GetId(&r, r.jvm.AddClass("LA;", 0xA, "A.java")), 0xAu);
  EXPECT_EQ(r.Classes(), Lines{"0000000A,,"});
}

TEST(ClassesTest, TakesAnotherIdForEqualHashes) {
  Recording r;
  FakeClass *a = r.jvm.AddClass("LA;", 0xA), *b = r.jvm.AddClass("LB;", 0xA),
            *c = r.jvm.AddClass("LC;", 0xB), *d = r.jvm.AddClass("LD;", 0xA);
  EXPECT_EQ(GetId(&r, a), 0xAu);
  EXPECT_EQ(GetId(&r, b), 0x80000000u);
  EXPECT_EQ(GetId(&r, c), 0xBu);
  EXPECT_EQ(GetId(&r, d), 0x80000001u);
  for (auto [klass, id] : {std::pair(a, 0xAu), {b, 0x80000000u}, {c, 0xBu}, {d, 0x80000001u}}) {
    EXPECT_EQ(GetId(&r, klass), id);
  }
  EXPECT_EQ(r.Classes().size(), 4u);
}

// Also when all marks are used, each class gets an id of its own.
TEST(ClassesTest, GivesEachOfManyClassesItsOwnId) {
  Recording r;
  std::set<uint32_t> ids;
  const uint32_t kMarks = 1 << 23;
  for (uint32_t i = 0; i < 2000; i++) {
    uint32_t id = 0, hash = 1 + i % 1000 + i / 1000 * kMarks;
    ASSERT_TRUE(class_define(r.meta, &id, hash, "LA;", ""));
    EXPECT_EQ(id < 0x80000000u, i < 1000) << i;
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 2000u);
}

TEST(ClassesTest, DoesNotUseHashZeroAsAnId) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;");
  klass->hash = 0;
  EXPECT_EQ(GetId(&r, klass), 0x80000000u);
}

TEST(ClassesTest, DoesNotReuseTheIdOfAnUnloadedClass) {
  Recording r;
  GetId(&r, r.jvm.AddClass("LGone;", 0xA));
  EXPECT_EQ(GetId(&r, r.jvm.AddClass("LNew;", 0xA)), 0x80000000u);  // the new class has no tag
}

TEST(ClassesTest, DefinesClassesAgainInTheNextRecordingWithTheSameIds) {
  Recording r;
  FakeClass *a = r.jvm.AddClass("LA;", 0xA, "A.java"), *b = r.jvm.AddClass("LB;", 0xA);
  GetId(&r, a);
  GetId(&r, b);
  r.Classes();
  r.Again();
  EXPECT_EQ(GetId(&r, b), 0x80000000u);
  EXPECT_EQ(GetId(&r, a), 0xAu);
  EXPECT_EQ(GetId(&r, b), 0x80000000u);
  EXPECT_EQ(r.Classes(), (Lines{"80000000,LB;,", "0000000A,LA;,A.java"}));
}

TEST(ClassesTest, DoesNotReuseAnIdOfTheLastRecording) {
  Recording r;
  GetId(&r, r.jvm.AddClass("LA;", 0xA));
  r.Again();
  EXPECT_EQ(GetId(&r, r.jvm.AddClass("LB;", 0xA)), 0x80000000u);
}

TEST(ClassesTest, UsesNoHashThatMayBeAnotherId) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;", -1);
  EXPECT_EQ(GetId(&r, klass), 0x80000000u);
  EXPECT_EQ(GetId(&r, klass), 0x80000000u);
  EXPECT_EQ(r.Classes().size(), 1u);
}

TEST(ClassesTest, DefinesAClassOnceWithManyThreads) {
  const int kThreads = 8, kClasses = 200;
  Recording r;
  std::vector<FakeClass *> classes;
  for (int i = 0; i < kClasses; i++) {
    classes.push_back(
        r.jvm.AddClass("LC" + std::to_string(i) + ";", 1 + i / 2));  // pairs of equal hashes
  }
  std::vector<std::vector<uint32_t>> ids(kThreads);
  RunConcurrently(kThreads, [&](int i) {
    for (FakeClass *klass : classes) ids[i].push_back(GetId(&r, klass));
  });
  for (const auto &thread_ids : ids) EXPECT_EQ(thread_ids, ids[0]);
  EXPECT_EQ(std::set<uint32_t>(ids[0].begin(), ids[0].end()).size(), size_t{kClasses});
  EXPECT_EQ(r.Classes().size(), size_t{kClasses});
}

}  // namespace
