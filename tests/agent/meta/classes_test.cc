#include <algorithm>
#include <set>

#include "agent/meta/meta.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/recording.h"

namespace {

uint32_t IdOf(Recording *r, FakeClass *klass) { return class_id(r->meta, r->ti, klass->Ref()); }

TEST(Classes, TheIdIsTheHashOfTheClass) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LPingPong;", 0x15DB9742, "PingPong.java");
  EXPECT_EQ(IdOf(&r, klass), 0x15DB9742u);
  EXPECT_EQ(r.Classes(), Lines{"15DB9742,LPingPong;,PingPong.java"});
}

TEST(Classes, EachIsDefinedOnce) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LPingPong;", 0xA);
  EXPECT_EQ(IdOf(&r, klass), 0xAu);
  EXPECT_EQ(IdOf(&r, klass), 0xAu);
  EXPECT_EQ(r.Classes().size(), 1u);
  EXPECT_EQ(r.jvm.Calls(CALL_GetClassSignature), 1);
}

TEST(Classes, NoneIsZero) {
  Recording r;
  EXPECT_EQ(class_id(r.meta, r.ti, nullptr), 0u);
  EXPECT_EQ(r.Classes(), Lines{});
}

TEST(Classes, WithoutSourceFileTheFieldIsEmpty) {
  Recording r;
  IdOf(&r, r.jvm.AddClass("[I", 0xA));
  EXPECT_EQ(r.Classes(), Lines{"0000000A,[I,"});
}

TEST(Classes, WhatTheJvmDoesNotTellIsEmpty) {
  Recording r;
  r.jvm.Fail(CALL_GetClassSignature);
  r.jvm.Fail(CALL_GetSourceFileName);
  EXPECT_EQ(IdOf(&r, r.jvm.AddClass("LA;", 0xA, "A.java")), 0xAu);
  EXPECT_EQ(r.Classes(), Lines{"0000000A,,"});
}

TEST(Classes, OfEqualHashesTheNextFreeNumberIsTaken) {
  Recording r;
  FakeClass *a = r.jvm.AddClass("LA;", 0xA), *b = r.jvm.AddClass("LB;", 0xA),
            *c = r.jvm.AddClass("LC;", 0xB), *d = r.jvm.AddClass("LD;", 0xA);
  EXPECT_EQ(IdOf(&r, a), 0xAu);
  EXPECT_EQ(IdOf(&r, b), 0xBu);
  EXPECT_EQ(IdOf(&r, c), 0xCu);
  EXPECT_EQ(IdOf(&r, d), 0xDu);
  for (auto [klass, id] : {std::pair(a, 0xAu), {b, 0xBu}, {c, 0xCu}, {d, 0xDu}}) {
    EXPECT_EQ(IdOf(&r, klass), id);
  }
  EXPECT_EQ(r.Classes().size(), 4u);
}

TEST(Classes, HashZeroGetsAnotherNumberSinceZeroIsNone) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;");
  klass->hash = 0;
  EXPECT_EQ(IdOf(&r, klass), 1u);
}

TEST(Classes, TheNumberOfAnUnloadedClassIsNotUsedAgain) {
  Recording r;
  IdOf(&r, r.jvm.AddClass("LGone;", 0xA));
  EXPECT_EQ(IdOf(&r, r.jvm.AddClass("LNew;", 0xA)), 0xBu);  // it has no tag of the other's
}

TEST(Classes, AreDefinedAgainInTheNextRecordingUnderTheirNumbers) {
  Recording r;
  FakeClass *a = r.jvm.AddClass("LA;", 0xA, "A.java"), *b = r.jvm.AddClass("LB;", 0xA);
  IdOf(&r, a);
  IdOf(&r, b);
  r.Classes();
  r.Again();
  EXPECT_EQ(IdOf(&r, b), 0xBu);
  EXPECT_EQ(IdOf(&r, a), 0xAu);
  EXPECT_EQ(IdOf(&r, b), 0xBu);
  EXPECT_EQ(r.Classes(), (Lines{"0000000B,LB;,", "0000000A,LA;,A.java"}));
}

TEST(Classes, ANewOneInTheNextRecordingTakesNoNumberOfTheLast) {
  Recording r;
  IdOf(&r, r.jvm.AddClass("LA;", 0xA));
  r.Again();
  EXPECT_EQ(IdOf(&r, r.jvm.AddClass("LB;", 0xA)), 0xBu);
}

TEST(Classes, TheHighestNumberIsNotTakenForARecording) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;", -1);
  EXPECT_EQ(IdOf(&r, klass), 0xFFFFFFFFu);
  EXPECT_EQ(IdOf(&r, klass), 0xFFFFFFFFu);
  EXPECT_EQ(r.Classes().size(), 1u);
}

TEST(Classes, EachIsDefinedOnceThoughManyThreadsMeetItAtTheSameTime) {
  const int kThreads = 8, kClasses = 200;
  Recording r;
  std::vector<FakeClass *> classes;
  for (int i = 0; i < kClasses; i++) {
    classes.push_back(
        r.jvm.AddClass("LC" + std::to_string(i) + ";", 1 + i / 2));  // in clashing pairs
  }
  std::vector<std::vector<uint32_t>> ids(kThreads);
  AtOnce(kThreads, [&](int i) {
    for (FakeClass *klass : classes) ids[i].push_back(IdOf(&r, klass));
  });
  for (const auto &of_thread : ids) EXPECT_EQ(of_thread, ids[0]);
  EXPECT_EQ(std::set<uint32_t>(ids[0].begin(), ids[0].end()).size(), size_t{kClasses});
  EXPECT_EQ(r.Classes().size(), size_t{kClasses});
}

}  // namespace
