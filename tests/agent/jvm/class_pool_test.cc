#include "agent/jvm/class_pool.h"

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

// The pool has one entry, the text "A".
FakeClass *AddClass(FakeJvm *jvm) {
  FakeClass *klass = jvm->AddClass("LA;", 0xA);
  klass->pool = std::string("\1\0\1A", 4);
  klass->pool_count = 2;
  return klass;
}

TEST(ClassPool, IsReadAsInAClassFile) {
  FakeJvm jvm;
  FakeJvm::Running running(jvm.AddThread("main"));
  struct class_pool pool;
  ASSERT_TRUE(class_pool_read(&pool, jvm.Ti(), AddClass(&jvm)->Ref()));
  EXPECT_TRUE(span_is(pool_utf8(&pool.pool, 1), "A"));
  EXPECT_EQ(pool_utf8(&pool.pool, 2).data, nullptr);
  class_pool_free(&pool);
}

TEST(ClassPool, MayNotBeKnown) {
  FakeJvm jvm;
  FakeJvm::Running running(jvm.AddThread("main"));
  struct class_pool pool;
  FakeClass *klass = AddClass(&jvm);
  klass->pool_count = 3;
  EXPECT_FALSE(class_pool_read(&pool, jvm.Ti(), klass->Ref())) << "it is cut";
  jvm.Fail(CALL_GetConstantPool);
  EXPECT_FALSE(class_pool_read(&pool, jvm.Ti(), klass->Ref()));
}

}  // namespace
