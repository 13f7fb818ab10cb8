#include "agent/base/bounded_lock.h"

#include <atomic>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

TEST(BoundedLock, LocksAFreeMutex) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  for (int i = 0; i < 2; i++) {
    bool is_locked = bounded_lock(&lock);
    EXPECT_TRUE(is_locked);
    bounded_unlock(&lock, is_locked);
  }
}

TEST(BoundedLock, ExcludesOtherThreads) {
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

TEST(BoundedLock, GivesUpAfterASecond) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  bool is_locked = true;
  uint64_t took = 0;
  std::thread([&] {
    uint64_t start = clock_monotonic_ns();
    is_locked = bounded_lock(&lock);
    took = clock_monotonic_ns() - start;
    bounded_unlock(&lock, is_locked);  // must not unlock the mutex of the other thread
  }).join();
  EXPECT_FALSE(is_locked);
  EXPECT_GE(took,
            NS_PER_S * 9 / 10);  // ThreadSanitizer builds use the realtime clock, which may be set
  EXPECT_LT(took, 10 * NS_PER_S);
  EXPECT_NE(pthread_mutex_trylock(&lock), 0);
  pthread_mutex_unlock(&lock);
}

}  // namespace
