#include "agent/jvm/jvm.h"

#include <fstream>
#include <iterator>
#include <string>

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

// --- which JVM this is -----------------------------------------------------------------------

// FakeJvm counts allocations: a leak fails the test.
class Product : public testing::Test {
 protected:
  /* Returns the refusal of a JVM with this name; "": it is supported. */
  std::string Refuse(const std::string &name) {
    char error[300] = "";
    jvm_.vm_name = name;
    bool good = jvm_is_supported(jvm_.Ti(), error, sizeof error);
    EXPECT_EQ(good, error[0] == '\0');
    return error;
  }

  FakeJvm jvm_;
};

TEST_F(Product, SupportsHotSpot) {
  for (const char *name : {"OpenJDK 64-Bit Server VM", "Java HotSpot(TM) 64-Bit Server VM",
                           "OpenJDK 64-Bit Client VM", "OpenJDK 64-Bit Zero VM"}) {
    EXPECT_EQ(Refuse(name), "");
  }
}

TEST_F(Product, RefusesOpenJ9) {
  EXPECT_EQ(Refuse("Eclipse OpenJ9 VM"),
            "this JVM is Eclipse OpenJ9 VM; Orca needs HotSpot, because OpenJ9 has other monitors "
            "and other classes of java.lang, which Orca does not know");
  EXPECT_NE(Refuse("IBM J9 VM"), "");
}

TEST_F(Product, RefusesANativeImage) {
  EXPECT_EQ(Refuse("Substrate VM"),
            "this JVM is Substrate VM; Orca needs HotSpot, because a native image contains no "
            "classes that an agent could change");
}

TEST_F(Product, SupportsAJvmThatDoesNotTellItsName) {
  jvm_.Fail(CALL_GetSystemProperty);
  EXPECT_EQ(Refuse("Eclipse OpenJ9 VM"), "");
}

TEST_F(Product, CutsALongName) {
  std::string refusal = Refuse("J9" + std::string(1000, 'x'));
  EXPECT_EQ(refusal.find("; Orca needs HotSpot"), sizeof "this JVM is " - 1 + 100);
}

TEST(Products, AreDocumented) {
  std::ifstream in("docs/platforms.md");
  std::string text(std::istreambuf_iterator<char>(in), {});
#define PRODUCT(word, reason) EXPECT_NE(text.find(reason), std::string::npos) << (reason);
#include "agent/jvm/product.def"
}

}  // namespace
