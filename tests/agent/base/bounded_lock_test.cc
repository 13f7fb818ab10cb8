#include "agent/base/bounded_lock.h"

#include <atomic>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/virtual_time.h"

namespace {

TEST(BoundedLock, TakesAFreeLock) {
  struct semaphore lock;
  bounded_lock_init(&lock);
  for (int i = 0; i < 2; i++) {
    bool is_locked = bounded_lock(&lock);
    EXPECT_TRUE(is_locked);
    bounded_unlock(&lock, is_locked);
  }
}

TEST(BoundedLock, ExcludesOtherThreads) {
  struct semaphore lock;
  bounded_lock_init(&lock);
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
  struct semaphore lock;
  bounded_lock_init(&lock);
  ASSERT_TRUE(bounded_lock(&lock));
  VirtualTime time(1);
  bool is_locked = true;
  std::thread other([&] {
    is_locked = bounded_lock(&lock);
    bounded_unlock(&lock, is_locked);  // must not free the lock of the other thread
  });
  time.Advance(900 * NS_PER_MS);  // it waits until then
  time.Pass(200 * NS_PER_MS);
  other.join();
  EXPECT_FALSE(is_locked);
  EXPECT_FALSE(semaphore_try(&lock));
  bounded_unlock(&lock, true);
  EXPECT_TRUE(semaphore_try(&lock));
}

}  // namespace
