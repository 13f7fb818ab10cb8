#include "agent/record/readers.h"

#include <atomic>
#include <memory>
#include <thread>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

TEST(Readers, NobodyReadsAtFirst) {
  struct readers r = {};
  uint32_t waiting = READERS_ALL;
  EXPECT_TRUE(readers_have_left(&r, &waiting));
}

TEST(Readers, WaitsForAReaderThatEnteredBefore) {
  struct readers r = {};
  uint64_t *outer = readers_enter(&r), *inner = readers_enter(&r);
  uint32_t waiting = READERS_ALL;
  EXPECT_FALSE(readers_have_left(&r, &waiting));
  readers_leave(inner);
  EXPECT_FALSE(readers_have_left(&r, &waiting));
  readers_leave(outer);
  EXPECT_TRUE(readers_have_left(&r, &waiting));
}

TEST(Readers, DoesNotWaitForAReaderThatEnteredLater) {
  struct readers r = {};
  uint32_t waiting = READERS_ALL;
  EXPECT_TRUE(readers_have_left(&r, &waiting));
  uint64_t *late = readers_enter(&r);
  EXPECT_TRUE(readers_have_left(&r, &waiting));
  readers_leave(late);
}

// One thread replaces a number and frees the old one when its readers have left. Sanitizers find a
// reader that still uses it.
TEST(Readers, NoReaderUsesWhatIsFreed) {
  static struct readers r;
  static std::atomic<uint64_t *> current;
  std::atomic<bool> is_over{false};
  std::atomic<uint64_t> wrong{0};
  current = new uint64_t(7);
  RunConcurrently(4, [&](int i) {
    if (i != 0) {
      while (!is_over) {
        uint64_t *entered = readers_enter(&r);
        wrong += *current.load() % 7 != 0;
        readers_leave(entered);
      }
      return;
    }
    for (uint64_t n = 2; n < 2000; n++) {
      std::unique_ptr<uint64_t> old(current.exchange(new uint64_t(7 * n)));
      for (uint32_t waiting = READERS_ALL; !readers_have_left(&r, &waiting);) {
        std::this_thread::yield();
      }
      *old = 1;
    }
    is_over = true;
  });
  EXPECT_EQ(wrong, 0u);
  delete current.load();
}

}  // namespace
