#include "agent/meta/method_ids.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

class MethodIdsTest : public testing::Test {
 protected:
  jmethodID AddMethod(const char *klass) {
    return jvm_.AddMethod(jvm_.AddClass(klass), "f", "()V")->Id();
  }

  FakeJvm jvm_;
  struct method_ids *ids_ = MakeIds();

 private:
  static struct method_ids *MakeIds() {
    static auto &all = *new std::vector<struct method_ids *>; /* never freed, as in the agent */
    all.push_back(method_ids_new());
    return all.back();
  }
};

TEST_F(MethodIdsTest, HasMethodsOfAddedClasses) {
  FakeClass *a = jvm_.AddClass("LA;");
  jmethodID f = jvm_.AddMethod(a, "f", "()V")->Id(), g = jvm_.AddMethod(a, "g", "()V")->Id();
  jmethodID other = AddMethod("LB;");
  method_ids_add_class(ids_, jvm_.Ti(), a->Ref());
  EXPECT_TRUE(method_ids_has(ids_, f));
  EXPECT_TRUE(method_ids_has(ids_, g));
  EXPECT_FALSE(method_ids_has(ids_, other));
  EXPECT_FALSE(method_ids_has(ids_, nullptr));
}

TEST_F(MethodIdsTest, AddAllAddsAllLoadedClasses) {
  jmethodID a = AddMethod("LA;"), b = AddMethod("LB;");
  method_ids_add_all(ids_, jvm_.Ti(), jvm_.Jni());
  EXPECT_TRUE(method_ids_has(ids_, a));
  EXPECT_TRUE(method_ids_has(ids_, b));
  EXPECT_EQ(jvm_.NumLocalRefs(), 0);
}

TEST_F(MethodIdsTest, LacksMethodsThatTheJvmRefuses) {
  jmethodID a = AddMethod("LA;");
  jvm_.Fail(CALL_GetLoadedClasses);
  method_ids_add_all(ids_, jvm_.Ti(), jvm_.Jni());
  EXPECT_FALSE(method_ids_has(ids_, a));
  jvm_.Fail(CALL_GetClassMethods, 1000);
  method_ids_add_all(ids_, jvm_.Ti(), jvm_.Jni());
  EXPECT_FALSE(method_ids_has(ids_, a));
}

// The fake JVM lists only the classes that it has. The ids of others are those of unloaded classes.
TEST_F(MethodIdsTest, DropsUnloadedClassesOnceThereAreMany) {
  FakeJvm other;
  FakeClass *gone = other.AddClass("LGone;");
  std::vector<jmethodID> old;
  auto add = [&](int num) {
    for (int i = 0; i < num; i++) {
      old.push_back(other.AddMethod(gone, "f" + std::to_string(old.size()), "()V")->Id());
    }
    method_ids_add_class(ids_, jvm_.Ti(), gone->Ref());
  };
  jmethodID living = AddMethod("LA;");
  method_ids_add_all(ids_, jvm_.Ti(), jvm_.Jni());
  add(1000);
  method_ids_drop_unloaded(ids_, jvm_.Ti(), jvm_.Jni());
  EXPECT_TRUE(method_ids_has(ids_, old[0])) << "too few";
  add(20000);
  jvm_.Fail(CALL_GetLoadedClasses);
  method_ids_drop_unloaded(ids_, jvm_.Ti(), jvm_.Jni());
  EXPECT_TRUE(method_ids_has(ids_, old[0])) << "not known which are unloaded";
  method_ids_drop_unloaded(ids_, jvm_.Ti(), jvm_.Jni());
  for (jmethodID id : old) ASSERT_FALSE(method_ids_has(ids_, id));
  EXPECT_TRUE(method_ids_has(ids_, living));
  method_ids_add_class(ids_, jvm_.Ti(), gone->Ref());
  EXPECT_TRUE(method_ids_has(ids_, old[0]));
}

TEST_F(MethodIdsTest, WithoutASetOnlyRequestsTheIds) {
  AddMethod("LA;");
  method_ids_add_all(nullptr, jvm_.Ti(), jvm_.Jni());
  EXPECT_GT(jvm_.Calls(CALL_GetClassMethods), 0);
}

}  // namespace
