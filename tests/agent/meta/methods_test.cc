#include <algorithm>
#include <set>

#include "agent/meta/meta.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/recording.h"

namespace {

uint32_t GetId(Recording *r, FakeMethod *method) {
  return method_id(r->meta, r->ti, r->jni, method->Id());
}

TEST(MethodsTest, DefinesMethodsWithTheirClassAndLines) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LPingPong;", 0x15DB9742, "PingPong.java");
  FakeMethod *method =
      r.jvm.AddMethod(klass, "main", "([Ljava/lang/String;)V", {{0, 70}, {8, 71}, {16, 73}});
  uint32_t id = GetId(&r, method);
  EXPECT_EQ(id, 1u);
  EXPECT_EQ(r.Methods(), Lines{"00000001,main,([Ljava/lang/String;)V,15DB9742,"
                               "3;00000000;00000046;00000008;00000047;00000010;00000049"});
  EXPECT_EQ(r.Classes(), Lines{"15DB9742,LPingPong;,PingPong.java"});
}

TEST(MethodsTest, DefinesEachMethodOnceWithItsOwnId) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;", 0xA);
  FakeMethod *f = r.jvm.AddMethod(klass, "f", "()V"), *g = r.jvm.AddMethod(klass, "g", "()V");
  EXPECT_EQ(GetId(&r, f), 1u);
  EXPECT_EQ(GetId(&r, g), 2u);
  EXPECT_EQ(GetId(&r, f), 1u);
  EXPECT_EQ(r.Methods(), (Lines{"00000001,f,()V,0000000A,-1", "00000002,g,()V,0000000A,-1"}));
  EXPECT_EQ(r.Classes().size(), 1u);
}

TEST(MethodsTest, EscapesSeparatorsInNames) {
  Recording r;
  GetId(&r, r.jvm.AddMethod(r.jvm.AddClass("LA;", 0xA), "a,b\nc\\", "()V"));
  EXPECT_EQ(r.Methods(), Lines{"00000001,a\\u002Cb\\u000Ac\\u005C,()V,0000000A,-1"});
}

TEST(MethodsTest, DefinesAStandInForAnUnloadedClass) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;", 0xA);
  FakeMethod *f = r.jvm.AddMethod(klass, "f", "()V"), *g = r.jvm.AddMethod(klass, "g", "()V");
  f->unloaded = g->unloaded = true;
  EXPECT_EQ(GetId(&r, f), 1u);
  EXPECT_EQ(GetId(&r, f), 1u);
  EXPECT_EQ(GetId(&r, g), 2u);  // each method has its own id
  EXPECT_EQ(r.Classes(), Lines{"00000001,L$unloaded;,"});
  EXPECT_EQ(r.Methods(), (Lines{"00000001,$unloaded,()V,00000001,-1",  //
                                "00000002,$unloaded,()V,00000001,-1"}));
  EXPECT_EQ(r.recorder->figures.methods_unloaded, 2u);
}

TEST(MethodsTest, KeepsTheIdWhenTheClassIsUnloadedLater) {
  Recording r;
  FakeMethod *f = r.jvm.AddMethod(r.jvm.AddClass("LA;", 0xA), "f", "()V");
  EXPECT_EQ(GetId(&r, f), 1u);
  f->unloaded = true;
  EXPECT_EQ(GetId(&r, f), 1u);
  EXPECT_EQ(r.recorder->figures.methods_unloaded, 0u);
}

TEST(MethodsTest, DefinesMethodsAgainInTheNextRecordingWithTheSameIds) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;", 0xA);
  FakeMethod *f = r.jvm.AddMethod(klass, "f", "()V", {{0, 70}}),
             *g = r.jvm.AddMethod(klass, "g", "()V");
  GetId(&r, f);
  Lines classes = r.Classes(), methods = r.Methods();
  r.Again();
  EXPECT_EQ(GetId(&r, g), 2u);
  EXPECT_EQ(GetId(&r, f), 1u);
  EXPECT_EQ(GetId(&r, f), 1u);
  EXPECT_EQ(r.Classes(), classes);
  EXPECT_EQ(r.Methods(), (Lines{"00000002,g,()V,0000000A,-1", methods[0]}));
}

TEST(MethodsTest, DefinesTheStandInAgainInTheNextRecording) {
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;", 0xA);
  FakeMethod *f = r.jvm.AddMethod(klass, "f", "()V"), *g = r.jvm.AddMethod(klass, "g", "()V");
  f->unloaded = true;
  GetId(&r, f);
  GetId(&r, g);
  r.Classes(), r.Methods();
  g->unloaded = true;  // between the recordings
  r.Again();
  GetId(&r, f);
  GetId(&r, g);
  EXPECT_EQ(r.Classes(), Lines{"00000001,L$unloaded;,"});
  EXPECT_EQ(r.Methods(), (Lines{"00000001,$unloaded,()V,00000001,-1",  //
                                "00000002,$unloaded,()V,00000001,-1"}));
}

TEST(MethodsTest, DefinesAStandInWithoutAName) {
  Recording r;
  FakeMethod *f = r.jvm.AddMethod(r.jvm.AddClass("LA;", 0xA), "f", "()V");
  r.jvm.Fail(CALL_GetMethodName);
  GetId(&r, f);
  EXPECT_EQ(r.Methods(), Lines{"00000001,$unloaded,()V,00000001,-1"});
}

TEST(MethodsTest, DefinesAMethodOnceWithManyThreads) {
  const int kThreads = 8, kMethods = 200;
  Recording r;
  FakeClass *klass = r.jvm.AddClass("LA;", 0xA);
  std::vector<FakeMethod *> methods;
  for (int i = 0; i < kMethods; i++) {
    methods.push_back(r.jvm.AddMethod(klass, "f" + std::to_string(i), "()V", {{0, i + 1}}));
  }
  std::vector<std::vector<uint32_t>> ids(kThreads);
  RunConcurrently(kThreads, [&](int i) {
    for (FakeMethod *method : methods) ids[i].push_back(GetId(&r, method));
  });
  for (const auto &thread_ids : ids) EXPECT_EQ(thread_ids, ids[0]);
  EXPECT_EQ(std::set<uint32_t>(ids[0].begin(), ids[0].end()).size(), size_t{kMethods});
  EXPECT_EQ(r.Methods().size(), size_t{kMethods});
}

}  // namespace
