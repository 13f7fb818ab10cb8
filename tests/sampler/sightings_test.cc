#include "sampler/sightings.h"

#include "gtest/gtest.h"

namespace {

const int kStack = 0, kOther = 0;  // two identities

struct sighting Seen(int64_t cpu_ns = 0, const void *stack = &kStack,
                     enum thread_state state = STATE_RUNNABLE) {
  return {0xA, state, stack, cpu_ns, /* is_virtual */ false, /* mounted */ 0};
}

TEST(Seen, FindsWhatWasAdded) {
  struct sightings list = {};
  EXPECT_EQ(sightings_find(&list, 0), nullptr);
  for (uint32_t thread = 0; thread < 1000; thread++) {  // hash 0 too
    struct sighting s = Seen(thread);
    s.thread = thread;
    ASSERT_TRUE(sightings_add(&list, &s));
  }
  for (uint32_t thread = 0; thread < 1000; thread++) {
    ASSERT_NE(sightings_find(&list, thread), nullptr);
    EXPECT_EQ(sightings_find(&list, thread)->cpu_ns, thread);
  }
  EXPECT_EQ(sightings_find(&list, 1000), nullptr);
  EXPECT_EQ(list.num, 1000u);
  sightings_free(&list);
  EXPECT_EQ(list.num, 0u);
  EXPECT_EQ(sightings_find(&list, 5), nullptr);
}

TEST(Seen, OfTwoThreadsWithOneHashTheFirstCounts) {
  struct sightings list = {};
  struct sighting first = Seen(1), second = Seen(2);
  EXPECT_TRUE(sightings_add(&list, &first));
  EXPECT_FALSE(sightings_add(&list, &second));
  EXPECT_EQ(sightings_find(&list, 0xA)->cpu_ns, 1);
  sightings_free(&list);
}

TEST(SeenCpu, IsTheDifference) {
  struct sighting before = Seen(100), now = Seen(150);
  EXPECT_EQ(sighting_cpu_used(&before, &now), 50);
  EXPECT_EQ(sighting_cpu_used(nullptr, &now), 150);
}

TEST(SeenCpu, IsNeverLessThanNothing) {
  struct sighting before = Seen(100), now = Seen(90);
  EXPECT_EQ(sighting_cpu_used(&before, &now), 0);
}

TEST(SeenCpu, IsUnknownWhereTheJvmDoesNotTell) {
  struct sighting unknown = Seen(-1), known = Seen(100);
  EXPECT_EQ(sighting_cpu_used(&known, &unknown), -1);
  EXPECT_EQ(sighting_cpu_used(&unknown, &known), -1);
  EXPECT_EQ(sighting_cpu_used(nullptr, &unknown), -1);
}

TEST(SeenChanged, ANewThreadDeservesALine) {
  struct sighting now = Seen();
  EXPECT_TRUE(sighting_has_changed(nullptr, &now));
}

TEST(SeenChanged, TheSameAgainDoesNot) {
  struct sighting before = Seen(), now = Seen(), unknown = Seen(-1);
  EXPECT_FALSE(sighting_has_changed(&before, &now));
  EXPECT_FALSE(sighting_has_changed(&unknown, &unknown));
}

TEST(SeenChanged, StateStackAndCpuTimeAreChanges) {
  struct sighting before = Seen();
  struct sighting state = Seen(0, &kStack, STATE_BLOCKED), stack = Seen(0, &kOther), cpu = Seen(1);
  EXPECT_TRUE(sighting_has_changed(&before, &state));
  EXPECT_TRUE(sighting_has_changed(&before, &stack));
  EXPECT_TRUE(sighting_has_changed(&before, &cpu));
}

TEST(SeenChanged, AStackWithoutIdentityIsUnlikeAnyOther) {
  struct sighting before = Seen(0, nullptr), now = Seen(0, nullptr);
  EXPECT_TRUE(sighting_has_changed(&before, &now));
}

}  // namespace
