#include "agent/base/memory.h"

#include <stdlib.h>

#include <string>

#include "gtest/gtest.h"
#include "tests/support/scarce.h"

namespace {

TEST(Memory, AllocatesAsRequested) {
  char *zeroed = static_cast<char *>(memory_new_zeroed(10, 10));
  for (int i = 0; i < 100; i++) EXPECT_EQ(zeroed[i], 0);
  char *text = memory_new_text("text");
  EXPECT_STREQ(text, "text");
  text = static_cast<char *>(memory_resize(text, 1000));
  EXPECT_STREQ(text, "text");
  void *aligned = memory_new_aligned(64, 128);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(aligned) % 64, 0u);
  void *plain = memory_new(10);
  EXPECT_NE(plain, nullptr);
  for (void *p : {static_cast<void *>(zeroed), static_cast<void *>(text), aligned, plain}) free(p);
}

TEST(Memory, CountsEachFailureAndReportsTheFirst) {
  uint64_t before = memory_failed();
  void *kept = memory_new(10), *results[5];
  testing::internal::CaptureStderr();
  for (void *&p : results) {
    scarce_fail(1);
    switch (&p - results) {
      case 0:
        p = memory_new(10);
        break;
      case 1:
        p = memory_new_zeroed(1, 10);
        break;
      case 2:
        p = memory_new_aligned(16, 16);
        break;
      case 3:
        p = memory_resize(kept, 20);
        break;
      default:
        p = memory_new_text("text");
    }
    scarce_fail(0);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "orca: there is no memory for 10 more bytes; Orca goes on without them\n");
  for (void *p : results) EXPECT_EQ(p, nullptr);
  EXPECT_EQ(memory_failed(), before + 5);
  free(kept);
}

}  // namespace
