// Definitions that fail without memory are made at the next use.
#include "agent/meta/meta.h"
#include "agent/record/stack.h"
#include "gtest/gtest.h"
#include "tests/support/recording.h"
#include "tests/support/scarce.h"

namespace {

// Calls `act` and interns a stack once for each allocation, which fails. Each time, then repeats
// both with enough memory. Each time in a new recording.
template <typename Act>
void CallWithEachAllocationFailing(const Act &act) {
  unsigned long num = 1;
  for (unsigned long nth = 1; nth <= num; nth++) {
    SCOPED_TRACE(nth);
    Recording r;
    FakeClass *klass = r.jvm.AddClass("LA;", 0xA);
    jmethodID method = r.jvm.AddMethod(klass, "f", "()V", {{0, 1}})->Id();
    FakeObject *object = r.jvm.AddObject(klass, 0x10);
    jvmtiFrameInfo frames[] = {{method, 5}};
    auto run = [&] {
      act(r, object->Ref());
      return stack_of(r.meta, r.ti, r.jni, frames, 1, 1);
    };
    scarce_fail(nth);
    struct stack *first = run();
    num = scarce_num() > num ? scarce_num() : num;
    scarce_fail(0);
    struct stack *second = run();
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(std::string(second->text, second->text_len).substr(0, 2), "1;");
    EXPECT_EQ(r.Classes(), Lines{"0000000A,LA;,"});
    EXPECT_EQ(r.Objects(), Lines{"00000010,0000000A"});
    EXPECT_EQ(r.Methods().size(), 1u);
    stack_release(first);
    stack_release(second);
  }
  EXPECT_GT(num, 5u);
}

TEST(MetaMemoryTest, RetriesEachDefinitionThatFailed) {
  CallWithEachAllocationFailing(
      [](Recording &r, jobject object) { object_hash(r.meta, r.ti, r.jni, object); });
}

}  // namespace
