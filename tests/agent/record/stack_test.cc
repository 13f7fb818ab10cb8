#include "agent/record/stack.h"

#include <atomic>
#include <cstdlib>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {
std::atomic<void *> watched;  // a stack
std::atomic<int> frees;       // of that stack
}  // namespace

// The linker lets the code under test call __wrap_free.
extern "C" {
void __real_free(void *p);
void __wrap_free(void *p) {
  if (p != nullptr && p == watched) frees++;
  __real_free(p);
}
}

namespace {

// Makes a stack that is not shared, and counts how often it is freed.
struct stack *MakeOwnStack(uint32_t uses) {
  auto *s = static_cast<struct stack *>(calloc(1, sizeof(struct stack)));
  s->uses = uses;
  frees = 0;
  watched = s;
  return s;
}

TEST(Stack, ReleaseIgnoresNullAndSharedStacks) {
  auto *shared = MakeOwnStack(0);
  stack_release(nullptr);
  for (int i = 0; i < 10; i++) stack_release(shared);
  EXPECT_EQ(shared->uses, 0u);
  EXPECT_EQ(frees, 0);
  free(shared);
}

TEST(Stack, TheLastUseFreesAnUnsharedStack) {
  struct stack *s = MakeOwnStack(3);
  stack_release(s);
  stack_release(s);
  EXPECT_EQ(s->uses, 1u);
  EXPECT_EQ(frees, 0);
  stack_release(s);
  EXPECT_EQ(frees, 1);
}

TEST(Stack, TheLastUseMayBeInAnyThread) {
  for (int i = 0; i < 200; i++) {
    struct stack *s = MakeOwnStack(2);
    RunConcurrently(2, [&](int) { stack_release(s); });
    EXPECT_EQ(frees, 1);
    watched = nullptr;  // other memory may be at the same address
  }
}

}  // namespace
