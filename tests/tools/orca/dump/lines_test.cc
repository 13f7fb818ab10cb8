#include "tools/orca/dump/lines.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

class Lines : public testing::Test {
 protected:
  Lines() : path_(testing::TempDir() + "/lines." + std::to_string(getpid())) {}
  ~Lines() override { unlink(path_.c_str()); }

  // Returns all lines; a line that is too long is "<long>".
  std::vector<std::string> Read(const std::string &text) {
    std::ofstream(path_, std::ios::binary) << text;
    const char *why;
    struct lines *l = lines_open(path_.c_str(), &why);
    EXPECT_NE(l, nullptr);
    std::vector<std::string> all;
    struct span line;
    enum lines_result result;
    while ((result = lines_next(l, &line)) != LINES_END) {
      EXPECT_NE(result, LINES_FAILED);
      all.push_back(result == LINES_LINE ? std::string(line.data, line.len) : "<long>");
      EXPECT_EQ(lines_number(l), all.size());
    }
    cut_ = lines_is_cut(l);
    lines_close(l);
    return all;
  }

  std::string path_;
  bool cut_ = false;
};

using Strings = std::vector<std::string>;

TEST_F(Lines, ReadsNoLineFromAnEmptyFile) {
  EXPECT_EQ(Read(""), Strings{});
  EXPECT_FALSE(cut_);
}

TEST_F(Lines, ReturnsLinesWithoutNewlines) {
  EXPECT_EQ(Read("one\n\nthree\n"), (Strings{"one", "", "three"}));
  EXPECT_FALSE(cut_);
}

TEST_F(Lines, ReportsALineWithoutANewlineAsCut) {
  EXPECT_EQ(Read("one\ntw"), Strings{"one"});
  EXPECT_TRUE(cut_);
  EXPECT_EQ(Read("on"), Strings{});
  EXPECT_TRUE(cut_);
}

// The lengths are chosen around the buffer sizes, so that lines cross the end of the buffer.
TEST_F(Lines, ReturnsLinesAcrossTheEndOfTheBuffer) {
  Strings lines;
  std::string text;
  for (size_t len : {0, 1, 262143, 262144, 262145, 7, 600000, 1000, 524287, 3}) {
    lines.push_back(std::string(len, static_cast<char>('a' + lines.size())));
    text += lines.back() + "\n";
  }
  EXPECT_EQ(Read(text), lines);
}

TEST_F(Lines, SkipsLinesOverTheMaximumLength) {
  std::string longest(LINES_MAX_LENGTH, 'x');
  EXPECT_EQ(Read("a\n" + longest + "\nb\n"), (Strings{"a", longest, "b"}));
  EXPECT_EQ(Read("a\n" + longest + "x\nb\n"), (Strings{"a", "<long>", "b"}));
  EXPECT_EQ(Read(longest + longest + longest + "\nb\n"), (Strings{"<long>", "b"}));
}

TEST_F(Lines, ReportsALongLineWithoutANewlineAsCut) {
  EXPECT_EQ(Read("a\n" + std::string(LINES_MAX_LENGTH * 2, 'x')), Strings{"a"});
  EXPECT_TRUE(cut_);
}

TEST_F(Lines, EndsAtAnEarlierByteUntilThatMoves) {
  std::string text = "one\ntwo\n" + std::string(100000, 'x') + "\n";
  std::ofstream(path_, std::ios::binary) << text;
  const char *why;
  struct lines *l = lines_open(path_.c_str(), &why);
  struct span line;
  EXPECT_FALSE(lines_end_at(l, 5));
  ASSERT_EQ(lines_next(l, &line), LINES_LINE);
  EXPECT_EQ(std::string(line.data, line.len), "one");
  EXPECT_EQ(lines_next(l, &line), LINES_END);
  EXPECT_TRUE(lines_is_cut(l));
  EXPECT_FALSE(lines_end_at(l, 5));
  EXPECT_TRUE(lines_end_at(l, 8));
  ASSERT_EQ(lines_next(l, &line), LINES_LINE);
  EXPECT_EQ(std::string(line.data, line.len), "two");
  EXPECT_EQ(lines_next(l, &line), LINES_END);
  EXPECT_FALSE(lines_is_cut(l));
  EXPECT_TRUE(lines_end_at(l, UINT64_MAX));
  ASSERT_EQ(lines_next(l, &line), LINES_LINE);
  EXPECT_EQ(line.len, 100000u);
  EXPECT_EQ(lines_number(l), 3u);
  lines_close(l);
}

TEST_F(Lines, OpensOnlyRegularFiles) {
  const char *why = nullptr;
  EXPECT_EQ(lines_open((path_ + ".none").c_str(), &why), nullptr);
  EXPECT_STREQ(why, "does not exist");
  EXPECT_EQ(lines_open(testing::TempDir().c_str(), &why), nullptr);
  EXPECT_STREQ(why, "is not a regular file");
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(lines_open(path_.c_str(), &why),
            nullptr);  // open does not block until there is a writer
  EXPECT_STREQ(why, "is not a regular file");
}

}  // namespace
