#include "agent/base/clock.h"

#include <chrono>
#include <ctime>
#include <thread>

#include "gtest/gtest.h"

namespace {

uint64_t Monotonic() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
}

TEST(Clock, MonotonicIsTheClockOfThatName) {
  for (int i = 0; i < 1000; i++) {
    uint64_t before = Monotonic(), now = clock_monotonic_ns(), after = Monotonic();
    EXPECT_LE(before, now);
    EXPECT_LE(now, after);
  }
}

TEST(Clock, MonotonicNeverGoesBackAndGoesOn) {
  uint64_t start = clock_monotonic_ns(), last = start;
  for (int i = 0; i < 100000; i++) {
    uint64_t now = clock_monotonic_ns();
    ASSERT_GE(now, last);
    last = now;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GE(clock_monotonic_ns(), start + 2 * NS_PER_MS);
}

TEST(Clock, UtcIsTheWallClock) {
  using std::chrono::system_clock;
  auto wall = [] {
    auto since = system_clock::now().time_since_epoch();
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
  };
  double before = wall(), now = static_cast<double>(clock_utc_ns()), after = wall();
  EXPECT_GE(now, before - 1.0 * NS_PER_S);  // a second, should the clock be set right now
  EXPECT_LE(now, after + 1.0 * NS_PER_S);
}

}  // namespace
