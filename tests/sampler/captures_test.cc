#include "sampler/captures.h"

#include <set>

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
