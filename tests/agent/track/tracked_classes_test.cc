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

// FakeJvm counts references and memory: a leak fails the test.
class TrackedClassesTest : public testing::Test {
 protected:
  Classes FindClasses() {
    Classes classes;
    visit_tracked_classes(jvm_.Ti(), jvm_.Jni(), AddClass, &classes);
    return classes;
  }
  Methods FindMethods(FakeClass *klass) {
    Methods methods;
    visit_tracked_methods(jvm_.Ti(), jvm_.Jni(), klass->Ref(), AddMethod, &methods);
    return methods;
  }
  int FindReleaseRow() { return tracked_find(semaphore_->signature.c_str(), "release", "()V"); }

  FakeJvm jvm_;
  FakeClass *thread_ = jvm_.ThreadClass();
  FakeClass *string_ = jvm_.AddClass("Ljava/lang/String;");
  FakeClass *semaphore_ = jvm_.AddClass("Ljava/util/concurrent/Semaphore;");
  FakeMethod *permits_ = jvm_.AddMethod(semaphore_, "availablePermits", "()I");
  FakeMethod *release_ = jvm_.AddMethod(semaphore_, "release", "()V");
};

TEST_F(TrackedClassesTest, TrackedClassesAreVisited) {
  EXPECT_EQ(FindClasses(), (Classes{thread_, semaphore_}));
}

TEST_F(TrackedClassesTest, AClassOfTheSameNameInAnotherLoaderIsNotVisited) {
  semaphore_->loader = string_;
  EXPECT_EQ(FindClasses(), Classes{thread_});
}

TEST_F(TrackedClassesTest, AnUnpreparedClassIsVisited) {
  semaphore_->prepared = false;
  EXPECT_EQ(FindClasses(), (Classes{thread_, semaphore_}));
}

TEST_F(TrackedClassesTest, NoClassIsVisitedIfTheJvmRefusesTheList) {
  jvm_.Fail(CALL_GetLoadedClasses);
  EXPECT_EQ(FindClasses(), Classes{});
}

TEST_F(TrackedClassesTest, AClassWhoseSignatureOrLoaderIsUnknownIsNotVisited) {
  jvm_.Fail(CALL_GetClassSignature);
  EXPECT_EQ(FindClasses(), Classes{semaphore_});
  jvm_.Fail(CALL_GetClassLoader);
  EXPECT_EQ(FindClasses(), Classes{semaphore_});
}

TEST_F(TrackedClassesTest, ClassesAreVisitedIfThereIsNoRoomForReferences) {
  jvm_.Fail(CALL_EnsureLocalCapacity);
  EXPECT_EQ(FindClasses(), (Classes{thread_, semaphore_}));
}

TEST_F(TrackedClassesTest, AnUnmodifiableClassIsNotVisited) {
  semaphore_->modifiable = false;
  EXPECT_EQ(FindClasses(), Classes{thread_});
  semaphore_->modifiable = true;
  jvm_.FailAt(CALL_IsModifiableClass, 2);
  EXPECT_EQ(FindClasses(), Classes{thread_});
}

TEST_F(TrackedClassesTest, LoadedClassesAreVisitedIfTheyAreWanted) {
  struct Visits {
    Lines candidates;
    Classes visited;
  } visits;
  FakeClass *mine = jvm_.AddClass("LMine;");
  mine->loader = string_;
  jvm_.AddClass("[LMine;");
  jvm_.AddClass("I");
  auto wants = [](void *arg, const char *signature, bool is_boot) {
    auto *v = static_cast<Visits *>(arg);
    v->candidates.push_back(std::string(signature) + (is_boot ? " boot" : ""));
    return strstr(signature, "Mine") != nullptr || strstr(signature, "String") != nullptr;
  };
  auto visit = [](void *arg, jclass klass) {
    AddClass(&static_cast<Visits *>(arg)->visited, klass);
  };
  visit_loaded_classes(jvm_.Ti(), jvm_.Jni(), wants, visit, &visits);
  EXPECT_EQ(visits.candidates, (Lines{"Ljava/lang/Thread; boot", "Ljava/lang/String; boot",
                                      "Ljava/util/concurrent/Semaphore; boot", "LMine;"}));
  EXPECT_EQ(visits.visited, (Classes{string_, mine}));
  EXPECT_EQ(jvm_.Calls(CALL_IsModifiableClass), 2) << "only for the wanted classes";
}

TEST_F(TrackedClassesTest, TrackedMethodsAreVisited) {
  EXPECT_EQ(FindMethods(semaphore_), (Methods{{release_->Id(), FindReleaseRow()}}));
}

TEST_F(TrackedClassesTest, MethodsOfOtherClassesAreNotVisited) {
  jvm_.AddMethod(string_, "release", "()V");
  EXPECT_EQ(FindMethods(string_), Methods{});
  semaphore_->loader = string_;
  EXPECT_EQ(FindMethods(semaphore_), Methods{});
}

TEST_F(TrackedClassesTest, NoMethodOfAnUnpreparedClassIsVisited) {
  semaphore_->prepared = false;
  EXPECT_EQ(FindMethods(semaphore_), Methods{});
}

TEST_F(TrackedClassesTest, AMethodWhoseNameIsUnknownIsNotVisited) {
  FakeMethod *acquire = jvm_.AddMethod(semaphore_, "acquire", "()V");
  permits_->unloaded = release_->unloaded = true;
  ASSERT_EQ(FindMethods(semaphore_).size(), 1u);
  EXPECT_EQ(FindMethods(semaphore_)[0].first, acquire->Id());
}

}  // namespace
