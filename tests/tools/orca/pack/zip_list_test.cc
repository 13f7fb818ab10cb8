#include "tools/orca/pack/zip_list.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

class ZipList : public testing::Test {
 protected:
  ~ZipList() override { zip_list_free(&list_); }

  // Returns the message, "" if the line was taken.
  std::string Take(const std::string &line) {
    struct builder why = {};
    bool ok = zip_list_take(&list_, {line.data(), line.size()}, "o.zip", &why);
    std::string message(why.data == nullptr ? "" : why.data, why.len);
    builder_free(&why);
    EXPECT_EQ(ok, message.empty()) << message;
    return message;
  }

  std::string End() {
    struct builder why = {};
    bool ok = zip_list_end(&list_, "o.zip", &why);
    std::string message(why.data == nullptr ? "" : why.data, why.len);
    builder_free(&why);
    EXPECT_EQ(ok, message.empty()) << message;
    return message;
  }

  struct zip_list list_ = {};
};

TEST_F(ZipList, TakesTheFilesOfRecordings) {
  for (const char *line :
       {"Archive:  /dev/fd/0", "Zip file size: 1215 bytes, number of entries: 8",
        "-rw-r--r--  3.0 unx      312 tx      100 defN 26-Nov-23 23:16 orca-1.info",
        "-rw-r--r--  3.0 unx  5000000000 bX 100 stor 26-Nov-23 23:16 sub/x y.0001.orca",
        "drwxr-xr-x  3.0 unx        0 bx        0 stor 26-Nov-23 23:16 sub.orca/",
        "-rw-a--     2.0 fat        2 t-        2 stor 26-Nov-23 23:16 report.txt",
        "?rw-------  2.0 unx        7 b-        2 stor 26-Nov-23 23:16 orca-1.orca",
        "8 files, 25 bytes uncompressed, 25 bytes compressed:  0.0%", ""}) {
    EXPECT_EQ(Take(line), "") << line;
  }
  ASSERT_EQ(list_.num, 3u);
  EXPECT_STREQ(list_.files[0].path, "orca-1.info");
  EXPECT_EQ(list_.files[0].size, 312u);
  EXPECT_EQ(list_.files[0].stem_len, 6u);
  EXPECT_STREQ(list_.files[1].path, "sub/x y.0001.orca");
  EXPECT_EQ(list_.files[1].size, 5000000000u);
  EXPECT_EQ(list_.files[1].stem_len, 7u);
  EXPECT_EQ(list_.files[2].size, 7u);
  EXPECT_EQ(std::vector<std::string>(list_.stems.names, list_.stems.names + list_.stems.num),
            (std::vector<std::string>{"orca-1", "sub/x y"}));
}

TEST_F(ZipList, RefusesFilesThatMustNotBeUnpacked) {
  const struct {
    const char *mode, *size, *flags, *path, *problem;
  } cases[] = {
      {"lrwxrwxrwx", "11", "bx", "x.orca", "is no plain file"},
      {"prw-r--r--", "0", "bx", "x.orca", "is no plain file"},
      {"crw-r--r--", "0", "bx", "x.orca", "is no plain file"},
      {"-rw-r--r--", "1", "TX", "x.orca", "is encrypted"},
      {"-rw-r--r--", "1", "BX", "x.orca", "is encrypted"},
      {"-rw-r--r--", "-1", "tx", "x.orca", "has no size"},
      {"-rw-r--r--", "many", "tx", "x.orca", "has no size"},
      {"-rw-r--r--", "99999999999999999999", "tx", "x.orca", "has no size"},
      {"-rw-r--r--", "1", "tx", "/tmp/x.orca", "has a path that leads elsewhere"},
      {"-rw-r--r--", "1", "tx", "../x.orca", "has a path that leads elsewhere"},
      {"-rw-r--r--", "1", "tx", "a/../../x.orca", "has a path that leads elsewhere"},
      {"-rw-r--r--", "1", "tx", "a//x.orca", "has a path that leads elsewhere"},
      {"-rw-r--r--", "1", "tx", "./x.orca", "has a path that leads elsewhere"},
  };
  for (const auto &c : cases) {
    std::string line = std::string(c.mode) + "  3.0 unx " + c.size + " " + c.flags +
                       " 1 stor 26-Nov-23 23:16 " + c.path;
    EXPECT_EQ(Take(line), std::string("o.zip cannot be unpacked: \"") + c.path + "\" " + c.problem);
  }
  EXPECT_EQ(list_.num, 0u);
}

TEST_F(ZipList, RefusesAFileThatIsThereTwice) {
  const char *line = "-rw-r--r--  3.0 unx 1 tx 1 stor 26-Nov-23 23:16 x.orca";
  const char *other = "-rw-r--r--  3.0 unx 1 tx 1 stor 26-Nov-23 23:16 a.orca";
  EXPECT_EQ(Take(line), "");
  EXPECT_EQ(Take(other), "");
  EXPECT_EQ(End(), "");
  EXPECT_STREQ(list_.files[0].path, "a.orca") << "in order";
  EXPECT_EQ(Take(line), "");
  EXPECT_EQ(End(), "o.zip cannot be unpacked: \"x.orca\" is there twice");
}

TEST_F(ZipList, RefusesTooManyFiles) {
  const std::string line = "-rw-r--r--  3.0 unx 1 tx 1 stor 26-Nov-23 23:16 x";
  for (int i = 0; i < ZIP_LIST_MAX; i++) ASSERT_EQ(Take(line + std::to_string(i) + ".orca"), "");
  EXPECT_EQ(Take(line + ".orca"), "o.zip cannot be unpacked: \"x.orca\" is one file too many");
}

}  // namespace
