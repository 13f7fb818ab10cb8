#include "tools/orca/render/output.h"

#include <errno.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/full_disk.h"

namespace {

class OutputTest : public testing::Test {
 protected:
  OutputTest() { out_.file = fopen(path_.c_str(), "w"); }
  ~OutputTest() override {
    if (out_.file != nullptr) fclose(out_.file);
    output_free(&out_);
    unlink(path_.c_str());
  }
  std::string File() {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  void Append(size_t bytes) {
    std::string text(bytes, 'x');
    builder_bytes(&out_.text, text.data(), text.size());
  }

  std::string path_ = testing::TempDir() + "/output_test.txt";
  struct output out_ = {};
};

TEST_F(OutputTest, WritesEverythingAtTheEnd) {
  Append(10);
  EXPECT_TRUE(output_write_if_large(&out_));
  EXPECT_EQ(out_.text.len, 10u);  // less than a block is not written yet
  EXPECT_TRUE(output_end(&out_));
  EXPECT_EQ(File(), "xxxxxxxxxx");
}

TEST_F(OutputTest, MemoryDoesNotGrowWithTheFile) {
  for (int i = 0; i < 1000; i++) {
    Append(1000);
    ASSERT_TRUE(output_write_if_large(&out_));
    ASSERT_LT(out_.text.len, size_t{100} << 10);
  }
  EXPECT_TRUE(output_end(&out_));
  EXPECT_EQ(File().size(), 1000000u);
}

TEST_F(OutputTest, NoTextIsAnEmptyFile) {
  EXPECT_TRUE(output_end(&out_));
  EXPECT_EQ(File(), "");
}

TEST_F(OutputTest, ReportsAFullDisk) {
  FullDisk disk(1000);
  Append(5000);
  EXPECT_FALSE(output_end(&out_));
  EXPECT_EQ(out_.error, EFBIG);
  EXPECT_FALSE(output_end(&out_));  // the error remains
}

TEST_F(OutputTest, ReportsLackOfMemory) {
  out_.text.failed = true;
  EXPECT_FALSE(output_end(&out_));
  EXPECT_EQ(out_.error, 0);
}

}  // namespace
