#include "sampler/ended_threads.h"

#include <map>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

using Told = std::map<uint32_t, int64_t>;

Told Take(struct ended_threads *e) {
  Told told;
  ended_threads_take(
      e,
      [](void *arg, uint32_t thread, int64_t cpu_ns) {
        EXPECT_TRUE(static_cast<Told *>(arg)->emplace(thread, cpu_ns).second);
      },
      &told);
  return told;
}

TEST(Ended, AreToldOnceEach) {
  struct ended_threads e = {};
  ended_threads_open(&e);
  ended_threads_add(&e, 0xA, 5);
  ended_threads_add(&e, 0xB, 0);
  EXPECT_EQ(Take(&e), (Told{{0xA, 5}, {0xB, 0}}));
  EXPECT_EQ(Take(&e), Told{});
  ended_threads_add(&e, 0xA, 6);
  EXPECT_EQ(Take(&e), (Told{{0xA, 6}}));
}

TEST(Ended, WhoEndsWhileNobodyTakesThemIsNotKept) {
  struct ended_threads e = {};
  ended_threads_add(&e, 0xA, 5);
  EXPECT_EQ(Take(&e), Told{});
  ended_threads_open(&e);
  ended_threads_add(&e, 0xA, 5);
  ended_threads_close(&e);
  ended_threads_add(&e, 0xB, 5);
  EXPECT_EQ(Take(&e), Told{});
}

TEST(Ended, OfVeryManyTheLastAreForgotten) {
  struct ended_threads e = {};
  ended_threads_open(&e);
  for (uint32_t i = 1; i <= 150000; i++) ended_threads_add(&e, i, i);
  Told told = Take(&e);
  EXPECT_EQ(told.size(), 100000u);
  EXPECT_EQ(told.rbegin()->first, 100000u);
  ended_threads_add(&e, 7, 8);
  EXPECT_EQ(Take(&e), (Told{{7, 8}}));
}

TEST(Ended, ManyThreadsAddWhileOneTakes) {
  constexpr int kThreads = 4, kEach = 2000;
  struct ended_threads e = {};
  ended_threads_open(&e);
  Told all;
  AtOnce(kThreads + 1, [&](int i) {
    for (uint32_t n = 0; i < kThreads && n < kEach; n++) {
      ended_threads_add(&e, static_cast<uint32_t>(i) * kEach + n + 1, n);
    }
    for (int n = 0; i == kThreads && n < 1000; n++) all.merge(Take(&e));
  });
  all.merge(Take(&e));
  EXPECT_EQ(all.size(), size_t{kThreads} * kEach);
  ended_threads_close(&e);
}

}  // namespace
