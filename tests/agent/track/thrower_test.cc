#include "agent/track/thrower.h"

#include <string>

#include "agent/tracked/orca_classes.h"
#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

// FakeJvm counts references: a leak fails the test.
class Thrower : public testing::Test {
 protected:
  std::string Name() {
    struct builder b = {};
    thrower_name(jni_, exception_->Ref(), &b);
    std::string name = b.len == 0 ? "" : std::string(b.data, b.len);
    builder_free(&b);
    EXPECT_FALSE(jni_->ExceptionCheck());
    return name;
  }
  void AddHook() {
    hook_ = jvm_.AddClass("L" + std::string(ORCA_HOOK_CLASS) + ";");
    jvm_.AddMethod(hook_, "findThrower", "(Ljava/lang/Throwable;)Ljava/lang/String;");
  }
  // An exception of a class that does not override getStackTrace.
  void AddThrowable() {
    throwable_ = jvm_.AddClass("Ljava/lang/Throwable;");
    jvm_.AddMethod(throwable_, "getStackTrace", "()[Ljava/lang/StackTraceElement;");
    klass_->super = throwable_;
  }
  void AnswerPlace() {
    jvm_.AnswerObjects([this](const FakeMethod &, FakeObject *thrown) {
      EXPECT_EQ(thrown, exception_);
      return place_;
    });
  }
  FakeObject *AddText(const std::string &text) {
    FakeObject *object = jvm_.AddObject(klass_);
    object->text = text;
    return object;
  }

  FakeJvm jvm_;
  FakeThread *thread_ = jvm_.AddThread("main");
  FakeJvm::Running running_{thread_};
  JNIEnv *jni_ = jvm_.Jni();
  FakeClass *klass_ = jvm_.AddClass("LOops;"), *hook_ = nullptr, *throwable_ = nullptr;
  FakeObject *exception_ = jvm_.AddObject(klass_), *place_ = AddText("Cart.add (Cart.java:7)");
};

TEST_F(Thrower, IsThePlaceThatJavaFinds) {
  AddThrowable();
  AddHook();
  AnswerPlace();
  EXPECT_EQ(Name(), "Cart.add (Cart.java:7)");
  place_ = AddText("Cart.a,b (Cart.java:7)");
  EXPECT_EQ(Name(), "Cart.a\\u002Cb (Cart.java:7)");
}

// That would run code of the program.
TEST_F(Thrower, IsNotAskedOfAClassThatOverridesTheMethod) {
  AddThrowable();
  AddHook();
  AnswerPlace();
  jvm_.AddMethod(klass_, "getStackTrace", "()[Ljava/lang/StackTraceElement;");
  EXPECT_EQ(Name(), "");
}

TEST_F(Thrower, IsOnlyThatOfTheFirstExceptions) {
  AddThrowable();
  AddHook();
  AnswerPlace();
  for (int i = 0; i < 100; i++) Name();
  EXPECT_EQ(Name(), "");
}

TEST_F(Thrower, IsNotKnownWithoutAStack) {
  AddThrowable();
  AddHook();
  EXPECT_EQ(Name(), "");
}

TEST_F(Thrower, IsNotKnownIfTheJvmLacksTheClass) {
  AddThrowable();
  AnswerPlace();
  EXPECT_EQ(Name(), "");
}

TEST_F(Thrower, IsNotKnownIfACallFails) {
  AddHook();
  AnswerPlace();
  for (FakeCall call : {CALL_FindClass, CALL_GetStaticMethodID, CALL_CallStaticObjectMethod,
                        CALL_GetStringUTFChars}) {
    jvm_.Fail(call);
    EXPECT_EQ(Name(), "") << call;
  }
}

}  // namespace
