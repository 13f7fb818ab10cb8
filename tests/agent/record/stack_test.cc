#include "agent/record/stack.h"

#include <cstdlib>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

// Makes a stack that is not shared. Its last use frees it; AddressSanitizer finds one use too few
// or too many.
struct stack *MakeOwnStack(uint32_t uses) {
  auto *s = static_cast<struct stack *>(calloc(1, sizeof(struct stack)));
  s->uses = uses;
  return s;
}

TEST(Stack, ReleaseIgnoresNull) { stack_release(nullptr); }

TEST(Stack, SharedStacksStay) {
  struct stack shared = {};
  for (int i = 0; i < 10; i++) stack_release(&shared);
  EXPECT_EQ(shared.uses, 0u);
}

TEST(Stack, TheLastUseFreesAnUnsharedStack) {
  struct stack *s = MakeOwnStack(3);
  stack_release(s);
  stack_release(s);
  EXPECT_EQ(s->uses, 1u);
  stack_release(s);
}

TEST(Stack, TheLastUseMayBeInAnyThread) {
  for (int i = 0; i < 200; i++) {
    struct stack *s = MakeOwnStack(2);
    RunConcurrently(2, [&](int) { stack_release(s); });
  }
}

}  // namespace
