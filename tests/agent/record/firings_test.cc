#include "agent/record/firings.h"

#include <thread>

#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

class FiringsTest : public testing::Test {
 protected:
  FiringsTest() { firings_init(&firings_); }
  uint32_t WaitMs(uint64_t ms) {
    return firings_wait(&firings_, clock_monotonic_ns() + ms * NS_PER_MS);
  }

  struct firings firings_;
};

TEST_F(FiringsTest, ReturnsEachFiringOnce) {
  firings_note(&firings_, 1);
  firings_note(&firings_, 4);
  EXPECT_EQ(WaitMs(10000), 1u << 1 | 1u << 4);
  EXPECT_EQ(WaitMs(0), 0u); /* the second post */
  EXPECT_EQ(WaitMs(0), 0u);
}

TEST_F(FiringsTest, WaitsUntilATime) {
  uint64_t before = clock_monotonic_ns();
  EXPECT_EQ(WaitMs(20), 0u);
  EXPECT_GE(clock_monotonic_ns() - before, 20 * NS_PER_MS);
}

TEST_F(FiringsTest, WakesTheWaiter) {
  std::thread writer([this] { firings_note(&firings_, 2); });
  EXPECT_EQ(WaitMs(10000), 1u << 2);
  writer.join();
  std::thread stopper([this] { firings_end(&firings_); });
  uint64_t before = clock_monotonic_ns();
  EXPECT_EQ(WaitMs(10000), 0u);
  EXPECT_LT(clock_monotonic_ns() - before, 9000 * NS_PER_MS);
  stopper.join();
}

TEST_F(FiringsTest, ForgetsAllAtAReset) {
  firings_note(&firings_, 3);
  firings_end(&firings_);
  firings_reset(&firings_);
  EXPECT_EQ(WaitMs(1), 0u);
}

}  // namespace
