#include "agent/base/bounded_lock.h"

#include <atomic>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

TEST(BoundedLock, AFreeLockIsHad) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < 2; i++) {
    bool got_it = bounded_lock(&lock);
    EXPECT_TRUE(got_it);
    bounded_unlock(&lock, got_it);
  }
}

TEST(BoundedLock, OnlyOneHasItAtATime) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  int counter = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      for (int n = 0; n < 5000; n++) {
        while (!bounded_lock(&lock)) continue;
        counter++;
        bounded_unlock(&lock, true);
      }
    });
  }
  for (std::thread &t : threads) t.join();
  EXPECT_EQ(counter, 20000);
}

TEST(BoundedLock, AfterASecondACallerGoesOnWithoutIt) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  bool got_it = true;
  uint64_t took = 0;
  std::thread([&] {
    uint64_t start = clock_monotonic_ns();
    got_it = bounded_lock(&lock);
    took = clock_monotonic_ns() - start;
    bounded_unlock(&lock, got_it);  // leaves it with the one who has it
  }).join();
  EXPECT_FALSE(got_it);
  EXPECT_GE(took, NS_PER_S * 9 / 10);  // under tsan by a clock that may be set
  EXPECT_LT(took, 10 * NS_PER_S);
  EXPECT_NE(pthread_mutex_trylock(&lock), 0);
  pthread_mutex_unlock(&lock);
}

}  // namespace
