#pragma once
// The open files of a dump in a temporary folder.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "agent/files/dump_file.h"
#include "gtest/gtest.h"
#include "tests/agent/files/define.h"
#include "tests/support/text.h"

using Lines = std::vector<std::string>;

class DumpFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string path = testing::TempDir() + "/files_XXXXXX";
    ASSERT_NE(mkdtemp(path.data()), nullptr);
    folder_ = path;
    for (int i = 0; i < NUM_FILES; i++) {
      ASSERT_TRUE(dump_file_open(&files_[i], Prefix().c_str(), file_suffixes[i]));
    }
  }
  void TearDown() override {
    for (struct dump_file &f : files_) dump_file_close(&f);
    std::filesystem::remove_all(folder_);
  }

  std::string Prefix() const { return folder_ + "/out"; }

  // Removes and returns the lines that are not flushed yet, without their timestamps.
  Lines TakeLines(enum file file) {
    struct builder *b = &files_[file].lines;
    std::istringstream in(b->len == 0 ? "" : std::string(b->data, b->len));
    Lines lines;
    for (std::string line; std::getline(in, line);) {
      lines.push_back(line.substr(line.find(',') + 1));
    }
    b->len = 0;
    return lines;
  }

  // Returns the sorted names of the files in the folder.
  Lines ListNames() const {
    Lines names;
    for (const auto &entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string ReadText(const std::string &name) const { return ReadFile(folder_ + "/" + name); }
  void WriteFile(const std::string &name, const std::string &text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }

  std::string folder_;
  struct dump_file files_[NUM_FILES] = {};
};
