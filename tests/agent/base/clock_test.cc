#include "agent/base/clock.h"

#include <chrono>
#include <ctime>
#include <thread>

#include "gtest/gtest.h"

namespace {

uint64_t ReadMonotonic() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
}

TEST(Clock, MonotonicReadsClockMonotonic) {
  for (int i = 0; i < 1000; i++) {
    uint64_t before = ReadMonotonic(), now = clock_monotonic_ns(), after = ReadMonotonic();
    EXPECT_LE(before, now);
    EXPECT_LE(now, after);
  }
}

TEST(Clock, MonotonicAdvancesAndNeverGoesBack) {
  uint64_t start = clock_monotonic_ns(), last = start;
  for (int i = 0; i < 100000; i++) {
    uint64_t now = clock_monotonic_ns();
    ASSERT_GE(now, last);
    last = now;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_GE(clock_monotonic_ns(), start + 2 * NS_PER_MS);
}

TEST(Clock, UtcReadsTheWallClock) {
  using std::chrono::system_clock;
  auto read_wall_ns = [] {
    auto since = system_clock::now().time_since_epoch();
    return static_cast<double>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
  };
  double before = read_wall_ns(), now = static_cast<double>(clock_utc_ns()), after = read_wall_ns();
  EXPECT_GE(now, before - 1.0 * NS_PER_S);  // in case the clock is set during the test
  EXPECT_LE(now, after + 1.0 * NS_PER_S);
}

}  // namespace
