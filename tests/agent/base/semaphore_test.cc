#include "agent/base/semaphore.h"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <thread>
#include <vector>

#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

struct semaphore New(uint32_t count) {
  struct semaphore s;
  semaphore_init(&s, count);
  return s;
}

TEST(Semaphore, TakesAsOftenAsItsCount) {
  struct semaphore s = New(2);
  EXPECT_TRUE(semaphore_try(&s));
  EXPECT_TRUE(semaphore_wait(&s, 0));
  EXPECT_FALSE(semaphore_try(&s));
  semaphore_post(&s);
  EXPECT_TRUE(semaphore_try(&s));
}

TEST(Semaphore, WaitsUntilTheGivenTime) {
  struct semaphore s = New(0);
  EXPECT_FALSE(semaphore_wait(&s, 0)); /* a time in the past */
  uint64_t until = clock_monotonic_ns() + 20 * NS_PER_MS;
  EXPECT_FALSE(semaphore_wait(&s, until));
  EXPECT_GE(clock_monotonic_ns(), until);
  EXPECT_EQ(s.waiters, 0u);
}

TEST(Semaphore, WakesAWaiter) {
  struct semaphore s = New(0);
  std::thread poster([&] {
    while (__atomic_load_n(&s.waiters, __ATOMIC_RELAXED) == 0) std::this_thread::yield();
    semaphore_post(&s);
  });
  EXPECT_TRUE(semaphore_wait(&s, SEMAPHORE_FOREVER));
  poster.join();
}

/* A lost wake-up would leave a waiter asleep, and lost memory would show old values. */
TEST(Semaphore, LosesNoPost) {
  constexpr int ROUNDS = 20000;
  struct semaphore full = New(0), empty = New(1);
  int value = 0, wrong = 0; /* not atomic: the semaphores order all accesses */
  std::thread consumer([&] {
    for (int i = 1; i <= ROUNDS; i++) {
      semaphore_wait(&full, SEMAPHORE_FOREVER);
      if (value != i) wrong++;
      semaphore_post(&empty);
    }
  });
  for (int i = 1; i <= ROUNDS; i++) {
    semaphore_wait(&empty, SEMAPHORE_FOREVER);
    value = i;
    semaphore_post(&full);
  }
  consumer.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Semaphore, GivesEachPostToOneThread) {
  struct semaphore s = New(0);
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      while (semaphore_wait(&s, clock_monotonic_ns() + 100 * NS_PER_MS)) taken++;
    });
  }
  for (int i = 0; i < 1000; i++) semaphore_post(&s);
  for (std::thread &t : threads) t.join();
  EXPECT_EQ(taken, 1000);
  EXPECT_EQ(s.count, 0u);
}

TEST(Semaphore, ContinuesItsWaitAfterASignal) {
  struct sigaction action = {}, old;
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, &old);
  struct semaphore s = New(0);
  pthread_t self = pthread_self();
  std::thread poster([&] {
    while (__atomic_load_n(&s.waiters, __ATOMIC_RELAXED) == 0) std::this_thread::yield();
    for (int i = 0; i < 10; i++) {
      pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    semaphore_post(&s);
  });
  EXPECT_TRUE(semaphore_wait(&s, SEMAPHORE_FOREVER));
  poster.join();
  sigaction(SIGUSR1, &old, nullptr);
}

}  // namespace
