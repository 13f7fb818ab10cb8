#include "agent/jvm/jvm.h"

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

// FakeJvm counts references: a leak fails the test.
class Jvm : public testing::Test {
 protected:
  jclass Define(const char *name) {
    return jvm_define_class(jni_, name, reinterpret_cast<const unsigned char *>("x"), 1);
  }
  bool HasException() { return jni_->ExceptionCheck() == JNI_TRUE; }

  FakeJvm jvm_;
  FakeThread *thread_ = jvm_.AddThread("main");
  FakeJvm::Running running_{thread_};
  JNIEnv *jni_ = jvm_.Jni();
  jvmtiEnv *ti_ = jvm_.Ti();
};

TEST_F(Jvm, ClearsAnException) {
  EXPECT_FALSE(jvm_clear_exception(jni_));
  FakeJvm::Throw();
  EXPECT_TRUE(jvm_clear_exception(jni_));
  EXPECT_FALSE(HasException());
}

TEST_F(Jvm, LeavesNoExceptionIfThereIsNoRoomForReferences) {
  jvm_reserve_references(jni_, 100);
  jvm_.Fail(CALL_EnsureLocalCapacity);
  jvm_reserve_references(jni_, 100);
  EXPECT_EQ(jvm_.Calls(CALL_EnsureLocalCapacity), 2);
  EXPECT_FALSE(HasException());
}

TEST_F(Jvm, AsksWhetherAThreadIsAlive) {
  EXPECT_TRUE(jvm_is_alive(jni_, thread_->Ref()));
  thread_->alive = false;
  EXPECT_FALSE(jvm_is_alive(jni_, thread_->Ref()));
  for (FakeCall call : {CALL_GetMethodID, CALL_CallBooleanMethod}) {
    jvm_.Fail(call);
    EXPECT_TRUE(jvm_is_alive(jni_, thread_->Ref())) << call;
    EXPECT_FALSE(HasException());
  }
}

TEST_F(Jvm, FindsAClassThatIsDefinedAlready) {
  FakeClass *known = jvm_.AddClass("Ljava/lang/Known;");
  jvm_.Fail(CALL_DefineClass);
  jclass klass = Define("java/lang/Known");
  EXPECT_TRUE(jni_->IsSameObject(klass, known->Ref()));
  EXPECT_FALSE(HasException());
  jni_->DeleteLocalRef(klass);
}

TEST_F(Jvm, DefinesNoClassIfTheJvmRefuses) {
  jvm_.Fail(CALL_DefineClass);
  EXPECT_EQ(Define("java/lang/Unknown"), nullptr);
  EXPECT_FALSE(HasException());
}

TEST_F(Jvm, CodeOfTheBootLoaderIsNotOfTheProgram) {
  FakeClass *jdk = jvm_.AddClass("Ljava/lang/Object;"), *program = jvm_.AddClass("LShop;");
  program->loader = jvm_.AddObject(jdk);
  FakeMethod *wait = jvm_.AddMethod(jdk, "wait", "()V");
  FakeMethod *serve = jvm_.AddMethod(program, "serve", "()V");
  EXPECT_FALSE(jvm_is_program_class(ti_, jni_, jdk->Ref()));
  EXPECT_TRUE(jvm_is_program_class(ti_, jni_, program->Ref()));
  EXPECT_FALSE(jvm_is_program_method(ti_, jni_, wait->Id()));
  EXPECT_TRUE(jvm_is_program_method(ti_, jni_, serve->Id()));
  jvm_.Fail(CALL_GetMethodDeclaringClass);
  EXPECT_FALSE(jvm_is_program_method(ti_, jni_, serve->Id()));
}

}  // namespace
