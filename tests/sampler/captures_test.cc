#include "sampler/captures.h"

#include <string.h>

#include <set>
#include <thread>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

TEST(Captures, TakesEachCaptureOnce) {
  struct captures *c = captures_new(3);
  std::set<struct capture *> all;
  for (int i = 0; i < 3; i++) all.insert(captures_take(c));
  EXPECT_EQ(all.size(), 3u);
  EXPECT_EQ(all.count(nullptr), 0u);
  EXPECT_EQ(captures_take(c), nullptr);
  captures_return(c, *all.begin());
  EXPECT_EQ(captures_take(c), *all.begin());
  captures_free(c);
}

TEST(Captures, ReturnsFilledCapturesOldestFirst) {
  struct captures *c = captures_new(3);
  EXPECT_EQ(captures_take_filled(c), nullptr);
  for (uint32_t i = 1; i <= 3; i++) {
    struct capture *one = captures_take(c);
    one->thread = i;
    captures_put(c, one);
  }
  struct capture *filled = captures_take_filled(c);
  EXPECT_EQ(captures_take_filled(c), nullptr);
  for (uint32_t i = 1; i <= 3; i++) {
    ASSERT_NE(filled, nullptr);
    EXPECT_EQ(filled->thread, i);
    filled = static_cast<struct capture *>(filled->next);
  }
  EXPECT_EQ(filled, nullptr);
  captures_free(c);
}

/* Fails on a CPU that moves the loads of one thread behind its push, or the stores before it, if
   the stacks do not order them. x86-64 never does, and neither does qemu on it. */
TEST(Captures, ChangesNoCaptureWhileItIsRead) {
  constexpr int kThreads = 2, kEach = 2000, kWords = 16;
  struct captures *c = captures_new(8); /* few, so that each is used again at once */
  uint64_t taken = 0, wrong = 0;
  auto check = [&](struct capture *one) {
    uint64_t words[kWords], first;
    memcpy(words, one->stack, sizeof words);
    memcpy(&first, one->stack, sizeof first);
    for (uint64_t word : words)
      wrong += word != first || word != static_cast<uint64_t>(one->cpu_ns);
  };
  RunConcurrently(kThreads + 1, [&](int thread) {
    while (thread == kThreads && taken < uint64_t{kThreads} * kEach) {
      for (struct capture *one = captures_take_filled(c); one != nullptr; taken++) {
        auto *next = static_cast<struct capture *>(one->next);
        check(one);
        captures_return(c, one);
        one = next;
      }
      std::this_thread::yield();
    }
    for (int i = 0; thread < kThreads && i < kEach; i++) {
      struct capture *one;
      while ((one = captures_take(c)) == nullptr) std::this_thread::yield();
      uint64_t words[kWords];
      for (uint64_t &word : words) word = static_cast<uint64_t>(thread * kEach + i);
      memcpy(one->stack, words, sizeof words);
      one->cpu_ns = thread * kEach + i;
      captures_put(c, one);
    }
  });
  EXPECT_EQ(wrong, 0u);
  captures_free(c);
}

TEST(Captures, LosesNoCaptureBetweenThreads) {
  constexpr int kThreads = 3, kEach = 20000;
  struct captures *c = captures_new(16);
  uint64_t sum = 0, taken = 0;
  auto drain = [&] {
    for (struct capture *one = captures_take_filled(c); one != nullptr;) {
      auto *next = static_cast<struct capture *>(one->next);
      sum += static_cast<uint64_t>(one->cpu_ns);
      taken++;
      captures_return(c, one);
      one = next;
    }
  };
  RunConcurrently(kThreads + 1, [&](int thread) {
    if (thread == kThreads) {
      while (taken < uint64_t{kThreads} * kEach) drain();
      return;
    }
    for (int i = 0; i < kEach; i++) {
      struct capture *one;
      while ((one = captures_take(c)) == nullptr) std::this_thread::yield();
      one->cpu_ns = i;
      captures_put(c, one);
    }
  });
  EXPECT_EQ(sum, uint64_t{kThreads} * kEach * (kEach - 1) / 2);
  captures_free(c);
}

}  // namespace
