#include "agent/classfile/status.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace {

TEST(WeaveStatus, EachStatusHasItsOwnText) {
  std::set<std::string> texts;
  for (int s = 0; s < NUM_WEAVE_STATUSES; s++) {
    texts.insert(weave_status_text(static_cast<enum weave_status>(s)));
  }
  EXPECT_EQ(texts.size(), static_cast<size_t>(NUM_WEAVE_STATUSES));
  EXPECT_EQ(texts.count(""), 0u);
}

TEST(WeaveStatus, TextDescribesTheStatus) {
  EXPECT_STREQ(weave_status_text(WEAVE_CODE_FULL), "the code would grow over 65,535 bytes");
}

}  // namespace
