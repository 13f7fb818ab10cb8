#include "tools/orca/export/labels.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

class Labels : public testing::Test {
 protected:
  std::string Add(const char *text) {
    const char *problem = labels_add(&labels_, text);
    return problem == nullptr ? "" : problem;
  }

  struct labels labels_ = LABELS_NONE;
};

TEST_F(Labels, BeginWithFour) {
  std::vector<std::string> keys;
  for (size_t i = 0; i < labels_.num; i++) keys.push_back(Text(labels_.rows[i].key));
  EXPECT_EQ(keys, (std::vector<std::string>{"host", "service", "version", "run"}));
  EXPECT_FALSE(labels_.has_values);
}

TEST_F(Labels, KeepTheirPlacesAndTheOrderOfOthers) {
  EXPECT_EQ(Add("zone=eu=1"), "");
  EXPECT_EQ(Add("version="), "");
  EXPECT_EQ(Add("a_1=x"), "");
  EXPECT_EQ(labels_.num, 6u);
  EXPECT_TRUE(labels_.has_values);
  EXPECT_EQ(Text(labels_.rows[4].key), "zone");
  EXPECT_EQ(Text(labels_.rows[4].value), "eu=1");
  EXPECT_NE(labels_.rows[LABEL_VERSION].value.data, nullptr);
  EXPECT_EQ(labels_.rows[LABEL_HOST].value.data, nullptr);
  EXPECT_EQ(Text(labels_.rows[5].key), "a_1");
}

TEST_F(Labels, RefuseWrongTexts) {
  for (const char *text :
       {"", "host", "=a", "1a=b", "_a=b", "A=b", "a-b=c", "a b=c", "\xC3\xBC=1"}) {
    EXPECT_EQ(Add(text).find("a label is key=value"), 0u) << text;
  }
  EXPECT_EQ(Add((std::string(65, 'a') + "=b").c_str()).find("a label is key=value"), 0u);
  EXPECT_EQ(Add("blocked_ns=b"), "a column of the tables has the name of the label ");
  EXPECT_FALSE(labels_.has_values);
}

TEST_F(Labels, RefuseASecondValue) {
  EXPECT_EQ(Add("host=a"), "");
  EXPECT_EQ(Add("zone="), "");
  EXPECT_EQ(Add("host=a"), "this label is given twice: ");
  EXPECT_EQ(Add("zone=x"), "this label is given twice: ");
}

TEST_F(Labels, HaveABound) {
  std::vector<std::string> texts;
  for (int i = 0; i < LABELS_MAX; i++) texts.push_back("k" + std::to_string(i) + "=v");
  for (int i = 0; i < LABELS_MAX - NUM_FIXED_LABELS; i++) EXPECT_EQ(Add(texts[i].c_str()), "");
  EXPECT_EQ(Add(texts.back().c_str()), "there are more than 32 labels with ");
  EXPECT_EQ(labels_.num, static_cast<size_t>(LABELS_MAX));
}

}  // namespace
