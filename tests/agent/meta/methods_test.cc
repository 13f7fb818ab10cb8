#include <algorithm>
#include <atomic>
#include <set>

#include "agent/meta/meta.h"
#include "agent/meta/tables.h"
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

// --- loops that a time ends
// -----------------------------------------------------------------------

// A pool with System.nanoTime as entry 6, and "while (System.nanoTime() < 0) {}".
FakeMethod *AddClockLoop(Recording *r, const std::string &signature) {
  FakeClass *klass = r->jvm.AddClass(signature, 0xA);
  klass->pool = std::string("\1\0\x10java/lang/System", 19) + std::string("\7\0\1", 3) +
                std::string("\1\0\x08nanoTime", 11) + std::string("\1\0\3()J", 6) +
                std::string("\x0c\0\3\0\4", 5) + std::string("\x0a\0\2\0\5", 5);
  klass->pool_count = 7;
  FakeMethod *method = r->jvm.AddMethod(klass, "f", "()V");
  method->bytecodes = {0xb8, 0, 6, 0x09, 0x94, 0x9b, 0xff, 0xfb, 0xb1};
  return method;
}

TEST(MethodsTest, KeepsLoopsThatATimeEnds) {
  Recording r;
  GetId(&r, AddClockLoop(&r, "LA;"));
  const struct clock_loops &loops = r.recorder->figures.clock_loops;
  ASSERT_EQ(loops.num, 1u);
  EXPECT_EQ(loops.rows[0].method, 1u);
  EXPECT_EQ(loops.rows[0].from, 0u);
  EXPECT_EQ(loops.rows[0].to, 5u);
}

// "while (go()) {}", and "boolean go() { return System.nanoTime() < 0; }".
TEST(MethodsTest, KeepsLoopsWhoseMethodReadsTheClock) {
  for (bool compares : {true, false}) {
    Recording r;
    FakeMethod *loop = AddClockLoop(&r, "LA;");
    loop->klass->pool += std::string("\1\0\1A", 4) + std::string("\7\0\7", 3) +
                         std::string("\1\0\2go", 5) + std::string("\1\0\3()Z", 6) +
                         std::string("\x0c\0\x9\0\xa", 5) + std::string("\x0a\0\x8\0\xb", 5);
    loop->klass->pool_count = 13;
    loop->bytecodes = {0xb8, 0, 12, 0x9a, 0xff, 0xfd, 0xb1};
    FakeMethod *go = r.jvm.AddMethod(loop->klass, "go", "()Z");
    go->bytecodes = {0xb8, 0, 6, 0x09, 0x94, 0x9c, 0, 7, 0x04, 0xa7, 0, 4, 0x03, 0xac};
    if (!compares) go->bytecodes = {0x04, 0xac};
    GetId(&r, loop);
    EXPECT_EQ(r.recorder->figures.clock_loops.num, compares ? 1u : 0u);
  }
}

TEST(MethodsTest, KeepsNoLoopsOfTheJdkOrOfOldCode) {
  Recording r;
  GetId(&r, AddClockLoop(&r, "Ljava/util/A;"));
  FakeMethod *old = AddClockLoop(&r, "LB;");
  old->obsolete = true;
  GetId(&r, old);
  for (auto call : {CALL_GetBytecodes, CALL_GetConstantPool, CALL_IsMethodObsolete}) {
    FakeMethod *method = AddClockLoop(&r, "LC;");
    r.jvm.Fail(call);
    GetId(&r, method);
  }
  EXPECT_EQ(r.recorder->figures.clock_loops.num, 0u);
}

// --- unloaded classes ---------------------------------------------------------------------------

void Unload(FakeMethod *method) { method->unloaded = method->klass->unloaded = true; }

bool DropUnloaded(Recording *r) {
  struct living_classes *l = meta_find_living(r->meta, r->ti, r->jni);
  if (l == nullptr) return false;
  meta_drop_unloaded(r->meta, l);
  living_classes_free(l);
  return true;
}

TEST(MethodsTest, ForgetsTheMethodsOfUnloadedClasses) {
  Recording r;
  FakeMethod *f = r.jvm.AddMethod(r.jvm.AddClass("LA;", 0xA), "f", "()V"),
             *g = r.jvm.AddMethod(r.jvm.AddClass("LB;", 0xB), "g", "()V");
  EXPECT_EQ(GetId(&r, f), 1u);
  EXPECT_EQ(GetId(&r, g), 2u);
  ASSERT_TRUE(DropUnloaded(&r));
  EXPECT_EQ(methods_count(r.meta->methods), 2u);
  uint32_t generation = meta_generation(r.meta);
  Unload(f);
  ASSERT_TRUE(DropUnloaded(&r));
  EXPECT_EQ(methods_count(r.meta->methods), 1u);
  EXPECT_NE(meta_generation(r.meta), generation);
  r.Methods();
  EXPECT_EQ(GetId(&r, g), 2u);
  EXPECT_EQ(r.Methods(), Lines{});
  EXPECT_EQ(GetId(&r, f), 3u) << "a new number: the old one meant another method";
  EXPECT_EQ(r.Methods(), Lines{"00000003,$unloaded,()V,00000001,-1"});
  ASSERT_TRUE(DropUnloaded(&r));
  EXPECT_EQ(methods_count(r.meta->methods), 1u) << "the stand-in is not kept either";
}

TEST(MethodsTest, KeepsMethodsIfTheLivingClassesAreNotKnown) {
  Recording r;
  FakeMethod *f = r.jvm.AddMethod(r.jvm.AddClass("LA;", 0xA), "f", "()V");
  GetId(&r, f);
  r.jvm.Fail(CALL_GetLoadedClasses);
  EXPECT_FALSE(DropUnloaded(&r));
  EXPECT_EQ(GetId(&r, f), 1u);
}

// The class may have been loaded after the JVM listed its classes.
TEST(MethodsTest, KeepsMethodsThatAreNewerThanTheLivingClasses) {
  Recording r;
  struct living_classes *l = meta_find_living(r.meta, r.ti, r.jni);
  FakeMethod *f = r.jvm.AddMethod(r.jvm.AddClass("LA;", 0xA), "f", "()V");
  EXPECT_EQ(GetId(&r, f), 1u);
  meta_drop_unloaded(r.meta, l);
  living_classes_free(l);
  EXPECT_EQ(methods_count(r.meta->methods), 1u);
}

TEST(MethodsTest, IsSweptOnlyAfterItHasGrown) {
  Recording r;
  EXPECT_FALSE(meta_has_grown(r.meta));
  FakeClass *klass = r.jvm.AddClass("LA;", 0xA);
  for (int i = 0; i < 5000; i++) {
    GetId(&r, r.jvm.AddMethod(klass, "f" + std::to_string(i), "()V"));
  }
  EXPECT_TRUE(meta_has_grown(r.meta));
  ASSERT_TRUE(DropUnloaded(&r));
  EXPECT_FALSE(meta_has_grown(r.meta)) << "they all live";
  for (int i = 0; i < 5000; i++) {
    uint32_t id = 0;
    class_define(r.meta, &id, 1000 + static_cast<uint32_t>(i), "LB;", "");
  }
  EXPECT_TRUE(meta_has_grown(r.meta));
}

// Some threads look up living methods while another one drops the rest.
TEST(MethodsTest, FindsLivingMethodsWhileOthersAreDropped) {
  Recording r;
  std::vector<FakeMethod *> living, dead;
  for (int i = 0; i < 200; i++) {
    for (auto *methods : {&living, &dead}) {
      FakeClass *klass = r.jvm.AddClass("LC;", 1 + 2 * i + (methods == &dead));
      methods->push_back(r.jvm.AddMethod(klass, "f", "()V"));
      GetId(&r, methods->back());
    }
  }
  std::vector<uint32_t> ids;
  for (FakeMethod *method : living) ids.push_back(GetId(&r, method));
  std::atomic<int> wrong{0}, left{20};
  RunConcurrently(4, [&](int thread) {
    if (thread == 0) {
      for (; left > 0; left--) {
        for (size_t i = 0; i < dead.size(); i += static_cast<size_t>(left)) Unload(dead[i]);
        DropUnloaded(&r);
      }
    }
    while (left > 0) {
      for (size_t i = 0; i < living.size(); i++) wrong += GetId(&r, living[i]) != ids[i];
    }
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(methods_count(r.meta->methods), living.size());
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
