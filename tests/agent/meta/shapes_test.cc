#include "agent/meta/shapes.h"

#include <thread>
#include <vector>

#include "agent/record/stack.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

struct physical_key MakeKey(uint64_t n) {
  struct physical_key key = {1, 2};
  physical_add(&key, n);
  return key;
}

struct stack *GetStack(struct shapes *s, uint64_t n) {
  struct physical_key key = MakeKey(n);
  return shapes_get(s, &key);
}

void PutStack(struct shapes *s, uint64_t n, struct stack *stack) {
  struct physical_key key = MakeKey(n);
  shapes_put(s, &key, stack);
}

/* Tables are never freed, like in the agent. */
struct shapes *MakeShapes() {
  static std::vector<struct shapes *> all;
  all.push_back(shapes_new());
  return all.back();
}

TEST(Shapes, FindsWhatWasPut) {
  struct shapes *s = MakeShapes();
  struct stack a = {}, b = {};
  EXPECT_EQ(GetStack(s, 1), nullptr);
  PutStack(s, 1, &a);
  PutStack(s, 2, &b);
  EXPECT_EQ(GetStack(s, 1), &a);
  EXPECT_EQ(GetStack(s, 2), &b);
  EXPECT_EQ(shapes_size(s).entries, 2u);
  PutStack(s, 1, &b);
  EXPECT_EQ(GetStack(s, 1), &b);
  EXPECT_EQ(shapes_size(s).entries, 2u);
}

TEST(Shapes, ComparesTheWholeKey) {
  struct shapes *s = MakeShapes();
  struct stack a = {};
  struct physical_key key = {5, 6}, like = {5, 7};
  shapes_put(s, &key, &a);
  EXPECT_EQ(shapes_get(s, &key), &a);
  EXPECT_EQ(shapes_get(s, &like), nullptr);
}

TEST(Shapes, NeverGrow) {
  struct shapes *s = MakeShapes();
  std::vector<struct stack> stacks(200000);
  size_t found = 0, bytes = shapes_size(s).bytes;
  for (uint64_t n = 0; n < stacks.size(); n++) {
    PutStack(s, n, &stacks[n]);
    ASSERT_EQ(GetStack(s, n), &stacks[n]);
  }
  for (uint64_t n = 0; n < stacks.size(); n++) {
    struct stack *stack = GetStack(s, n);
    ASSERT_TRUE(stack == nullptr || stack == &stacks[n]);
    found += stack != nullptr;
  }
  EXPECT_EQ(shapes_size(s).entries, found);
  EXPECT_GT(found, 10000u);
  EXPECT_LT(found, 20000u);
  EXPECT_EQ(shapes_size(s).bytes, bytes);
}

TEST(Shapes, GiveNoWrongStackWhileThreadsReplaceEachOther) {
  struct shapes *s = MakeShapes();
  constexpr uint64_t kKeys = 60000; /* more than there is room for */
  std::vector<struct stack> stacks(kKeys);
  RunConcurrently(4, [&](int thread) {
    for (uint64_t i = 0; i < kKeys; i++) {
      uint64_t n = i * (2 * static_cast<uint64_t>(thread) + 1) % kKeys;
      PutStack(s, n, &stacks[n]);
      struct stack *stack = GetStack(s, (n * 7) % kKeys);
      ASSERT_TRUE(stack == nullptr || stack == &stacks[(n * 7) % kKeys]);
    }
  });
}

}  // namespace
