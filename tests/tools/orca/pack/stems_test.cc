#include "tools/orca/pack/stems.h"

#include <string>
#include <vector>

#include "tests/support/dump_files.h"

namespace {

std::string FindStem(const std::string &file) {
  struct span stem;
  bool found = stems_find({file.data(), file.size()}, &stem);
  return found ? std::string(stem.data, stem.len) : "none";
}

TEST(Stems, AreTheNamesOfFilesOfARecordingWithoutTheirEnd) {
  EXPECT_EQ(FindStem("shop.orca"), "shop");
  EXPECT_EQ(FindStem("a/shop.0001.info"), "a/shop");
  for (const char *other : {"shop", "shop.txt", ".orca", "a/.orca", "", "orca", "shop.orca/"}) {
    EXPECT_EQ(FindStem(other), "none") << other;
  }
}

TEST(Stems, AreInOrderAndEachOnce) {
  struct stems s = {};
  for (std::string name : {"b", "a", "c", "a", "b", "aa"}) {
    EXPECT_TRUE(stems_add(&s, {name.data(), name.size()}));
  }
  EXPECT_EQ(std::vector<std::string>(s.names, s.names + s.num),
            (std::vector<std::string>{"a", "aa", "b", "c"}));
  stems_free(&s);
  EXPECT_EQ(s.num, 0u);
}

TEST(Stems, AreReadFromAFolder) {
  DumpFiles files;
  struct stems s = {};
  files.Write(DUMP_EVENTS, "");
  files.Write(DUMP_INFO, "");
  EXPECT_TRUE(stems_read(&s, files.Folder().c_str()));
  EXPECT_TRUE(stems_read(&s, "/no/such/folder"));
  ASSERT_EQ(s.num, 1u);
  EXPECT_STREQ(s.names[0], "out");
  stems_free(&s);
}

TEST(Stems, AreNamedInAMessage) {
  struct stems s = {};
  struct builder why = {};
  stems_add(&s, {"a", 1});
  stems_put_choice(&s, "/x/o.zip", &why);
  EXPECT_EQ(std::string(why.data, why.len), "/x/o.zip contains only a");
  why.len = 0;
  stems_add(&s, {"b\x1b", 2});
  stems_put_choice(&s, "/x/o.zip", &why);
  EXPECT_EQ(std::string(why.data, why.len),
            "/x/o.zip contains 2 recordings: a, b?; name one of them, as in /x/o.zip/a");
  why.len = 0;
  for (int i = 0; i < 10; i++) {
    std::string name = "c" + std::to_string(i);
    stems_add(&s, {name.data(), name.size()});
  }
  stems_put_choice(&s, "folder/", &why);
  EXPECT_EQ(
      std::string(why.data, why.len),
      "folder/ contains 12 recordings: a, b?, c0, c1, c2, c3, c4, c5, …; name one of them, as "
      "in folder/a");
  builder_free(&why);
  stems_free(&s);
}

}  // namespace
