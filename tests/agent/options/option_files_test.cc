#include "agent/options/option_files.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "agent/options/options.h"
#include "gtest/gtest.h"

namespace {

class OptionFiles : public testing::Test {
 protected:
  // Returns the path of a new file.
  std::string Write(const std::string &text, const std::string &name = "service.options") {
    std::string path = testing::TempDir() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  std::string Expand(const std::string &text) {
    struct builder out = {};
    char error[1000] = "";
    EXPECT_TRUE(option_files_expand(text.c_str(), &out, error, sizeof error)) << error;
    std::string expanded = error[0] == '\0' ? out.data : "";
    builder_free(&out);
    return expanded;
  }
  std::string Refuse(const std::string &text) {
    struct builder out = {};
    char error[1000] = "";
    EXPECT_FALSE(option_files_expand(text.c_str(), &out, error, sizeof error)) << text;
    builder_free(&out);
    return error;
  }
};

TEST_F(OptionFiles, ATextWithoutAFileStaysAsItIs) {
  for (const char *text : {"", "shop", "shop,keep=3,track=a.B.c", "keep=3"}) {
    EXPECT_EQ(Expand(text), text);
  }
}

TEST_F(OptionFiles, TheOptionsOfAFileStandInItsPlace) {
  std::string path = Write("# for the shop\n\n  keep=3 \r\nmaxsize=1MB\n\ttrack=a.B.c");
  EXPECT_EQ(Expand("shop,@" + path + ",keep=5"), "shop,keep=3,maxsize=1MB,track=a.B.c,keep=5");
  EXPECT_EQ(Expand("@" + path), "keep=3,maxsize=1MB,track=a.B.c");
  EXPECT_EQ(Expand("shop,@" + Write("# nothing\n", "empty")), "shop");
}

TEST_F(OptionFiles, AreReadByOptionsParse) {
  struct options o;
  char error[1000];
  std::string text = "shop,@" + Write("keep=3\nmaxsize=1MB\n");
  ASSERT_TRUE(options_parse(text.c_str(), &o, error, sizeof error)) << error;
  EXPECT_STREQ(o.prefix, "shop");
  EXPECT_EQ(o.keep, 3u);
  EXPECT_FALSE(options_parse("shop,@/no/such/file", &o, error, sizeof error));
  EXPECT_STREQ(error,
               "the file of options \"/no/such/file\" cannot be read: No such file or directory");
}

TEST_F(OptionFiles, TheRefusalOfALineNamesIt) {
  std::string path = Write("keep=3\nshop\n");
  EXPECT_EQ(Refuse("@" + path), "line 2 of the file of options " + path + " is not key=value");
  path = Write("=3\n");
  EXPECT_EQ(Refuse("@" + path), "line 1 of the file of options " + path + " is not key=value");
  path = Write("\n# a, b\nkeep=3,maxsize=1MB\n");
  EXPECT_EQ(Refuse("@" + path),
            "line 3 of the file of options " + path + " contains a comma; give one option a line");
  path = Write(std::string("keep=\0", 6));
  EXPECT_EQ(Refuse("@" + path), "line 1 of the file of options " + path + " contains a NUL byte");
  path = Write("@other\n");
  EXPECT_EQ(Refuse("@" + path), "line 1 of the file of options " + path + " is not key=value");
}

TEST_F(OptionFiles, AFileThatCannotBeReadIsRefused) {
  EXPECT_EQ(Refuse("a,@"), "the file of options \"\" cannot be read: No such file or directory");
  EXPECT_EQ(Refuse("@" + testing::TempDir()),
            "the file of options \"" + testing::TempDir() + "\" cannot be read: Is a directory");
  EXPECT_EQ(Refuse("@/dev/zero"),
            "the file of options \"/dev/zero\" cannot be read: it is longer than 64 KB");
  EXPECT_EQ(Refuse("@" + std::string(5000, 'x')),
            "the file of options \"\" cannot be read: the name is too long");
}

}  // namespace
