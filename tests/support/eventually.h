#pragma once
// How tests wait: for a condition, and long enough for any machine. A deadline costs nothing when
// it is met.
#include <stdint.h>
#include <stdlib.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "gtest/gtest.h"

constexpr double kPatienceSeconds = 60;
constexpr uint64_t kPatienceNs = UINT64_C(60'000'000'000);

// Calls `condition` repeatedly until it returns true, at most for `seconds`. If it does not become
// true, the result is false, and its message has what `show` returned last.
// $ORCA_PATIENCE: how many times as long all tests wait.
//   EXPECT_TRUE(Eventually([&] { return ReadLines().size() == 3; }, [&] { return ReadText(); }));
inline testing::AssertionResult Eventually(const std::function<bool()> &condition,
                                           const std::function<std::string()> &show = nullptr,
                                           double seconds = kPatienceSeconds) {
  const char *patience = getenv("ORCA_PATIENCE");
  std::chrono::duration<double> limit(seconds * (patience == nullptr ? 1 : atof(patience)));
  auto end = std::chrono::steady_clock::now() + limit;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) {
      return testing::AssertionFailure()
             << "it was not so within " << limit.count()
             << " s; last: " << (show == nullptr ? "(not shown)" : show());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return testing::AssertionSuccess();
}
