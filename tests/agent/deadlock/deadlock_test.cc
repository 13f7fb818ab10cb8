#include "agent/deadlock/deadlock.h"

#include <vector>

#include "gtest/gtest.h"

namespace {

// A thread that waits for a monitor, or for a lock of `owner`, and holds monitors.
struct deadlock_node Node(uint32_t thread, uint32_t monitor, uint32_t owner,
                          const std::vector<uint32_t> &held = {}) {
  struct deadlock_node node = {};
  node.thread = thread;
  node.monitor = monitor;
  node.owner = owner;
  for (uint32_t object : held) node.held[node.num_held++] = object;
  return node;
}

std::vector<uint32_t> Ring(const std::vector<struct deadlock_node> &nodes) {
  std::vector<uint32_t> ring(nodes.size());
  ring.resize(deadlock_find_ring(nodes.data(), nodes.size(), ring.data()));
  return ring;
}

using Threads = std::vector<uint32_t>;

TEST(DeadlockSearch, NoThreads) { EXPECT_EQ(Ring({}), Threads()); }

TEST(DeadlockSearch, TwoMonitors) {
  EXPECT_EQ(Ring({Node(1, 0xB, 0, {0xA}), Node(2, 0xA, 0, {0xB})}), (Threads{1, 2}));
}

TEST(DeadlockSearch, LocksAndMonitors) {
  EXPECT_EQ(Ring({Node(1, 0, 2), Node(2, 0xC, 0), Node(3, 0, 1, {0xC})}), (Threads{1, 2, 3}));
}

TEST(DeadlockSearch, ATailIsNotInTheRing) {
  EXPECT_EQ(Ring({Node(9, 0, 1), Node(1, 0, 2), Node(2, 0, 1)}), (Threads{1, 2}));
}

TEST(DeadlockSearch, AChainIsNoRing) {
  EXPECT_EQ(Ring({Node(1, 0, 2), Node(2, 0, 3), Node(3, 0, 77)}), Threads());
  EXPECT_EQ(Ring({Node(1, 0xA, 0), Node(2, 0xA, 0)}), Threads());
}

// A thread in Object.wait, or one that got its monitor meanwhile, holds what it waits for.
TEST(DeadlockSearch, AThreadDoesNotWaitForItsOwnMonitor) {
  EXPECT_EQ(Ring({Node(1, 0xA, 0, {0xA}), Node(2, 0xA, 0)}), Threads());
}

TEST(DeadlockSearch, ManyThreadsInOneQueueAreNoRing) {
  std::vector<struct deadlock_node> nodes;
  for (uint32_t thread = 1; thread <= 4000; thread++) nodes.push_back(Node(thread, 0, thread + 1));
  EXPECT_EQ(Ring(nodes), Threads());
  nodes.push_back(Node(4001, 0, 3999));
  EXPECT_EQ(Ring(nodes), (Threads{3999, 4000, 4001}));
}

}  // namespace
