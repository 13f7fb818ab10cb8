#include "agent/thread/registry.h"

#include <deque>

#include "agent/thread/context.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

class RegistryTest : public testing::Test {
 protected:
  RegistryTest() { registry_init(&r_); }

  struct context *AddContext(uint32_t thread) {
    contexts_.push_back({});
    contexts_.back().thread = thread;
    registry_add(&r_, &contexts_.back());
    return &contexts_.back();
  }

  struct registry r_;
  std::deque<struct context> contexts_;
};

TEST_F(RegistryTest, FindsWhatWasAdded) {
  struct context *a = AddContext(1), *same_bucket = AddContext(1 + REGISTRY_BUCKETS),
                 *c = AddContext(2);
  EXPECT_EQ(registry_find(&r_, 1), a);
  EXPECT_EQ(registry_find(&r_, 1 + REGISTRY_BUCKETS), same_bucket);
  EXPECT_EQ(registry_find(&r_, 2), c);
  EXPECT_EQ(registry_find(&r_, 3), nullptr);
  EXPECT_EQ(registry_find(&r_, 1 + 2 * REGISTRY_BUCKETS), nullptr);
}

TEST_F(RegistryTest, AdoptsEachContextOnce) {
  EXPECT_EQ(registry_adopt(&r_, 1, false), nullptr);
  struct context *a = AddContext(1), *b = AddContext(1);
  struct context *first = registry_adopt(&r_, 1, false), *second = registry_adopt(&r_, 1, false);
  EXPECT_NE(first, second);
  EXPECT_TRUE(first == a || first == b);
  EXPECT_TRUE(second == a || second == b);
  EXPECT_EQ(registry_adopt(&r_, 1, false), nullptr);
}

TEST_F(RegistryTest, AdoptsOnlyAContextOfTheSameSort) {
  struct context *platform = AddContext(1), *virtual_one = AddContext(1);
  virtual_one->is_virtual = true;
  EXPECT_EQ(registry_adopt(&r_, 1, true), virtual_one);
  EXPECT_EQ(registry_adopt(&r_, 1, true), nullptr);
  EXPECT_EQ(registry_adopt(&r_, 1, false), platform);
}

TEST_F(RegistryTest, RemovesAThreadThatGoesOn) {
  struct context *a = AddContext(1), *b = AddContext(1 + REGISTRY_BUCKETS);
  registry_remove(&r_, a);
  registry_remove(&r_, a);
  EXPECT_EQ(registry_find(&r_, 1), nullptr);
  EXPECT_EQ(registry_find(&r_, 1 + REGISTRY_BUCKETS), b);
  EXPECT_FALSE(registry_has_ended(&r_, 1));
}

TEST_F(RegistryTest, RemovesAndRemembersAThreadThatEnded) {
  struct context *a = AddContext(1), *b = AddContext(1 + REGISTRY_BUCKETS);
  EXPECT_FALSE(registry_has_ended(&r_, 1));
  registry_end(&r_, a);
  EXPECT_EQ(registry_find(&r_, 1), nullptr);
  EXPECT_TRUE(registry_has_ended(&r_, 1));
  EXPECT_EQ(registry_find(&r_, 1 + REGISTRY_BUCKETS), b);
  EXPECT_FALSE(registry_has_ended(&r_, 1 + REGISTRY_BUCKETS));
  AddContext(1);
  EXPECT_FALSE(registry_has_ended(&r_, 1)) << "another thread has its hash now";
}

TEST_F(RegistryTest, IgnoresTheEndOfAnUnknownContext) {
  struct context c = {};
  c.thread = 1;
  registry_end(&r_, &c);
  EXPECT_FALSE(registry_has_ended(&r_, 1));
}

TEST_F(RegistryTest, RemembersOnlyTheLastThreadsThatEnded) {
  for (uint32_t i = 1; i <= REGISTRY_ENDED + 1; i++) registry_end(&r_, AddContext(i));
  EXPECT_FALSE(registry_has_ended(&r_, 1));
  EXPECT_TRUE(registry_has_ended(&r_, 2));
  EXPECT_TRUE(registry_has_ended(&r_, REGISTRY_ENDED + 1));
}

TEST_F(RegistryTest, RemembersPlatformThreadsHoweverManyVirtualOnesEnd) {
  registry_end(&r_, AddContext(1));
  for (uint32_t i = 2; i <= REGISTRY_ENDED + 2; i++) {
    struct context *c = AddContext(i);
    c->is_virtual = true;
    registry_end(&r_, c);
  }
  EXPECT_TRUE(registry_has_ended(&r_, 1));
  EXPECT_FALSE(registry_has_ended(&r_, 2));
  EXPECT_TRUE(registry_has_ended(&r_, 3));
}

void CountCalls(const struct context *, void *arg) { ++*static_cast<int *>(arg); }

TEST_F(RegistryTest, AsksOnlyAboutAUniqueHash) {
  int calls = 0;
  EXPECT_EQ(registry_ask(&r_, 1, CountCalls, &calls), 0);
  EXPECT_EQ(calls, 0);
  AddContext(1);
  EXPECT_EQ(registry_ask(&r_, 1, CountCalls, &calls), 1);
  EXPECT_EQ(calls, 1);
  AddContext(1);
  EXPECT_EQ(registry_ask(&r_, 1, CountCalls, &calls), 2);
  EXPECT_EQ(calls, 1);
}

TEST_F(RegistryTest, VisitsAllContextsUntilToldToStop) {
  for (uint32_t i = 1; i <= 5; i++) AddContext(i * REGISTRY_BUCKETS + REGISTRY_SLICE - i);
  AddContext(REGISTRY_SLICE);
  struct Visits {
    int num = 0, max = 0;
  } all = {0, 100}, some = {0, 3};
  auto visit = [](struct context *, void *arg) {
    auto *visits = static_cast<Visits *>(arg);
    return ++visits->num < visits->max;
  };
  registry_visit(&r_, 0, visit, &all);
  registry_visit(&r_, 0, visit, &some);
  EXPECT_EQ(all.num, 5);
  EXPECT_EQ(some.num, 3);
  for (int slice = 1; slice < REGISTRY_SLICES; slice++) registry_visit(&r_, slice, visit, &all);
  EXPECT_EQ(all.num, 6);
}

TEST_F(RegistryTest, WorksWithManyThreads) {
  const int kThreads = 4, kEach = 2000;
  std::vector<std::vector<struct context>> own(kThreads, std::vector<struct context>(kEach));
  RunConcurrently(kThreads, [&](int i) {
    for (int k = 0; k < kEach; k++) {
      struct context *c = &own[static_cast<size_t>(i)][static_cast<size_t>(k)];
      c->thread = static_cast<uint32_t>(k * kThreads + i + 1);
      registry_add(&r_, c);
      EXPECT_EQ(registry_adopt(&r_, c->thread, false), c);
      int calls = 0;
      registry_ask(&r_, static_cast<uint32_t>(k), CountCalls, &calls);
      registry_end(&r_, c);
    }
  });
  for (const struct context *bucket : r_.buckets) EXPECT_EQ(bucket, nullptr);
  EXPECT_EQ(r_.ended_platform.num, static_cast<unsigned>(kThreads * kEach));
}

}  // namespace
