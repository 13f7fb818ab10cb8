#include "agent/classfile/status.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace {

TEST(WeaveStatus, EachHasItsOwnNameAndText) {
  std::set<std::string> names, texts;
  for (int s = 0; s < NUM_WEAVE_STATUSES; s++) {
    names.insert(weave_status_name(static_cast<enum weave_status>(s)));
    texts.insert(weave_status_text(static_cast<enum weave_status>(s)));
  }
  EXPECT_EQ(names.size(), static_cast<size_t>(NUM_WEAVE_STATUSES));
  EXPECT_EQ(texts.size(), static_cast<size_t>(NUM_WEAVE_STATUSES));
  EXPECT_EQ(names.count(""), 0u);
  EXPECT_EQ(texts.count(""), 0u);
}

TEST(WeaveStatus, SaysWhatItIs) {
  EXPECT_STREQ(weave_status_name(WEAVE_CODE_FULL), "CODE_FULL");
  EXPECT_STREQ(weave_status_text(WEAVE_CODE_FULL), "the code would grow over 65,535 bytes");
}

}  // namespace
