#include "sampler/seen.h"

#include "gtest/gtest.h"

namespace {

const int kStack = 0, kOther = 0;  // two identities

struct seen Seen(int64_t cpu_ns = 0, const void *stack = &kStack,
                 enum thread_state state = STATE_RUNNABLE) {
  return {0xA, state, stack, cpu_ns, /* is_virtual */ false, /* carries */ 0};
}

TEST(Seen, FindsWhatWasAdded) {
  struct seen_list list = {};
  EXPECT_EQ(seen_find(&list, 0), nullptr);
  for (uint32_t thread = 0; thread < 1000; thread++) {  // hash 0 too
    struct seen s = Seen(thread);
    s.thread = thread;
    ASSERT_TRUE(seen_add(&list, &s));
  }
  for (uint32_t thread = 0; thread < 1000; thread++) {
    ASSERT_NE(seen_find(&list, thread), nullptr);
    EXPECT_EQ(seen_find(&list, thread)->cpu_ns, thread);
  }
  EXPECT_EQ(seen_find(&list, 1000), nullptr);
  EXPECT_EQ(list.num, 1000u);
  seen_free(&list);
  EXPECT_EQ(list.num, 0u);
  EXPECT_EQ(seen_find(&list, 5), nullptr);
}

TEST(Seen, OfTwoThreadsWithOneHashTheFirstCounts) {
  struct seen_list list = {};
  struct seen first = Seen(1), second = Seen(2);
  EXPECT_TRUE(seen_add(&list, &first));
  EXPECT_FALSE(seen_add(&list, &second));
  EXPECT_EQ(seen_find(&list, 0xA)->cpu_ns, 1);
  seen_free(&list);
}

TEST(SeenCpu, IsTheDifference) {
  struct seen before = Seen(100), now = Seen(150);
  EXPECT_EQ(seen_cpu_used(&before, &now), 50);
  EXPECT_EQ(seen_cpu_used(nullptr, &now), 150);
}

TEST(SeenCpu, IsNeverLessThanNothing) {
  struct seen before = Seen(100), now = Seen(90);
  EXPECT_EQ(seen_cpu_used(&before, &now), 0);
}

TEST(SeenCpu, IsUnknownWhereTheJvmDoesNotTell) {
  struct seen unknown = Seen(-1), known = Seen(100);
  EXPECT_EQ(seen_cpu_used(&known, &unknown), -1);
  EXPECT_EQ(seen_cpu_used(&unknown, &known), -1);
  EXPECT_EQ(seen_cpu_used(nullptr, &unknown), -1);
}

TEST(SeenChanged, ANewThreadDeservesALine) {
  struct seen now = Seen();
  EXPECT_TRUE(seen_changed(nullptr, &now));
}

TEST(SeenChanged, TheSameAgainDoesNot) {
  struct seen before = Seen(), now = Seen(), unknown = Seen(-1);
  EXPECT_FALSE(seen_changed(&before, &now));
  EXPECT_FALSE(seen_changed(&unknown, &unknown));
}

TEST(SeenChanged, StateStackAndCpuTimeAreChanges) {
  struct seen before = Seen();
  struct seen state = Seen(0, &kStack, STATE_BLOCKED), stack = Seen(0, &kOther), cpu = Seen(1);
  EXPECT_TRUE(seen_changed(&before, &state));
  EXPECT_TRUE(seen_changed(&before, &stack));
  EXPECT_TRUE(seen_changed(&before, &cpu));
}

TEST(SeenChanged, AStackWithoutIdentityIsUnlikeAnyOther) {
  struct seen before = Seen(0, nullptr), now = Seen(0, nullptr);
  EXPECT_TRUE(seen_changed(&before, &now));
}

}  // namespace
