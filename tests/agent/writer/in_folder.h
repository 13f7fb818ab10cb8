#pragma once
// The files of a dump in a folder of its own, written as the writer does.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "agent/writer/dump_file.h"
#include "gtest/gtest.h"
#include "tests/agent/writer/define.h"

using Lines = std::vector<std::string>;

class InFolder : public testing::Test {
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

  // What waits to be written, line by line, less the times; it is gone then.
  Lines Take(enum file file) {
    struct builder *b = &files_[file].lines;
    std::istringstream in(b->len == 0 ? "" : std::string(b->data, b->len));
    Lines lines;
    for (std::string line; std::getline(in, line);) {
      lines.push_back(line.substr(line.find(',') + 1));
    }
    b->len = 0;
    return lines;
  }

  // The names in the folder, in order.
  Lines Names() const {
    Lines names;
    for (const auto &entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string Text(const std::string &name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ + "/" + name).rdbuf();
    return text.str();
  }
  void Write(const std::string &name, const std::string &text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }

  std::string folder_;
  struct dump_file files_[NUM_FILES] = {};
};
