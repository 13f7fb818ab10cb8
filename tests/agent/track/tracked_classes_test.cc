#include "agent/track/tracked_classes.h"

#include <string.h>

#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/fake_jvm.h"

namespace {

using Lines = std::vector<std::string>;
using Classes = std::vector<FakeClass *>;
using Methods = std::vector<std::pair<jmethodID, int>>;

void AddClass(void *arg, jclass klass) {
  FakeObject *object = reinterpret_cast<FakeRef *>(klass)->object;
  static_cast<Classes *>(arg)->push_back(static_cast<FakeClass *>(object));
}

void AddMethod(void *arg, jmethodID method, int row) {
  static_cast<Methods *>(arg)->emplace_back(method, row);
}

// What is not given back fails each test: FakeJvm counts it.
class TrackedClassesTest : public testing::Test {
 protected:
  Classes Visited() {
    Classes classes;
    visit_tracked_classes(jvm_.Ti(), jvm_.Jni(), AddClass, &classes);
    return classes;
  }
  Methods MethodsOf(FakeClass *klass) {
    Methods methods;
    visit_tracked_methods(jvm_.Ti(), jvm_.Jni(), klass->Ref(), AddMethod, &methods);
    return methods;
  }
  int ReleaseRow() { return tracked_find(semaphore_->signature.c_str(), "release", "()V"); }

  FakeJvm jvm_;
  FakeClass *thread_ = jvm_.ThreadClass();
  FakeClass *string_ = jvm_.AddClass("Ljava/lang/String;");
  FakeClass *semaphore_ = jvm_.AddClass("Ljava/util/concurrent/Semaphore;");
  FakeMethod *permits_ = jvm_.AddMethod(semaphore_, "availablePermits", "()I");
  FakeMethod *release_ = jvm_.AddMethod(semaphore_, "release", "()V");
};

TEST_F(TrackedClassesTest, ClassesThatRowsNameAreVisited) {
  EXPECT_EQ(Visited(), (Classes{thread_, semaphore_}));
}

TEST_F(TrackedClassesTest, AClassOfTheNameInAnotherLoaderIsNot) {
  semaphore_->loader = string_;
  EXPECT_EQ(Visited(), Classes{thread_});
}

TEST_F(TrackedClassesTest, AClassThatIsNotYetPreparedIsVisited) {
  semaphore_->prepared = false;
  EXPECT_EQ(Visited(), (Classes{thread_, semaphore_}));
}

TEST_F(TrackedClassesTest, WhenTheJvmGivesNoClassesNoneIsVisited) {
  jvm_.Fail(CALL_GetLoadedClasses);
  EXPECT_EQ(Visited(), Classes{});
}

TEST_F(TrackedClassesTest, AClassThatTheJvmSaysNothingOfIsLeftOut) {
  jvm_.Fail(CALL_GetClassSignature);
  EXPECT_EQ(Visited(), Classes{semaphore_});
  jvm_.Fail(CALL_GetClassLoader);
  EXPECT_EQ(Visited(), Classes{semaphore_});
}

TEST_F(TrackedClassesTest, WithoutRoomForReferencesItGoesOnWithoutAnException) {
  jvm_.Fail(CALL_EnsureLocalCapacity);
  EXPECT_EQ(Visited(), (Classes{thread_, semaphore_}));
}

TEST_F(TrackedClassesTest, AClassThatMayNotBeChangedIsNot) {
  semaphore_->modifiable = false;
  EXPECT_EQ(Visited(), Classes{thread_});
  semaphore_->modifiable = true;
  jvm_.FailAt(CALL_IsModifiableClass, 2);
  EXPECT_EQ(Visited(), Classes{thread_});
}

TEST_F(TrackedClassesTest, OfAllLoadedClassesThoseThatAreWantedAreVisited) {
  struct Walk {
    Lines asked;
    Classes visited;
  } walk;
  FakeClass *mine = jvm_.AddClass("LMine;");
  mine->loader = string_;
  jvm_.AddClass("[LMine;");
  jvm_.AddClass("I");
  auto wants = [](void *arg, const char *signature, bool is_boot) {
    auto *w = static_cast<Walk *>(arg);
    w->asked.push_back(std::string(signature) + (is_boot ? " boot" : ""));
    return strstr(signature, "Mine") != nullptr || strstr(signature, "String") != nullptr;
  };
  auto visit = [](void *arg, jclass klass) { AddClass(&static_cast<Walk *>(arg)->visited, klass); };
  visit_loaded_classes(jvm_.Ti(), jvm_.Jni(), wants, visit, &walk);
  EXPECT_EQ(walk.asked, (Lines{"Ljava/lang/Thread; boot", "Ljava/lang/String; boot",
                               "Ljava/util/concurrent/Semaphore; boot", "LMine;"}));
  EXPECT_EQ(walk.visited, (Classes{string_, mine}));
  EXPECT_EQ(jvm_.Calls(CALL_IsModifiableClass), 2) << "of those that are wanted";
}

TEST_F(TrackedClassesTest, MethodsWithARowAreVisited) {
  EXPECT_EQ(MethodsOf(semaphore_), (Methods{{release_->Id(), ReleaseRow()}}));
}

TEST_F(TrackedClassesTest, MethodsOfOtherClassesAreNot) {
  jvm_.AddMethod(string_, "release", "()V");
  EXPECT_EQ(MethodsOf(string_), Methods{});
  semaphore_->loader = string_;
  EXPECT_EQ(MethodsOf(semaphore_), Methods{});
}

TEST_F(TrackedClassesTest, AClassThatIsNotYetPreparedHasNoMethods) {
  semaphore_->prepared = false;
  EXPECT_EQ(MethodsOf(semaphore_), Methods{});
}

TEST_F(TrackedClassesTest, AMethodThatTheJvmDoesNotNameIsLeftOut) {
  FakeMethod *acquire = jvm_.AddMethod(semaphore_, "acquire", "()V");
  permits_->unloaded = release_->unloaded = true;
  ASSERT_EQ(MethodsOf(semaphore_).size(), 1u);
  EXPECT_EQ(MethodsOf(semaphore_)[0].first, acquire->Id());
}

}  // namespace
