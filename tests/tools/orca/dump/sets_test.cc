#include "tools/orca/dump/sets.h"

#include <string.h>

#include <vector>

#include "tests/support/instead_of_sleep.h"
#include "tests/tools/orca/dump/rotated.h"

namespace {

using Numbers = std::vector<unsigned>;

class Sets : public testing::Test {
 protected:
  ~Sets() override { sets_free(&sets_); }

  Numbers FindNumbers(const std::string &name = "out") {
    sets_free(&sets_);
    prefix_ = files_.Folder() + "/" + name;
    EXPECT_TRUE(sets_find(&sets_, prefix_.data()));
    Numbers numbers;
    for (size_t i = 0; i < sets_.num; i++) numbers.push_back(sets_.sets[i].number);
    return numbers;
  }
  std::string GetPath(size_t at, enum dump_file file) {
    struct builder b = {};
    sets_path(&sets_, at, file, &b);
    std::string path = b.data;
    builder_free(&b);
    return path.substr(files_.Folder().size() + 1);
  }

  RotatedFiles files_;
  std::string prefix_;
  struct sets sets_ = {};
};

TEST_F(Sets, FindsAllSetsOfARecordingInOrder) {
  EXPECT_EQ(FindNumbers(), (Numbers{1, 2, 3}));
  EXPECT_EQ(sets_.first, 1u);
  EXPECT_EQ(sets_.missing, 0u);
  EXPECT_EQ(sets_.sets[2].thread_lines, 1u);
  EXPECT_EQ(sets_.sets[2].sample_lines, 3u);
  EXPECT_EQ(GetPath(0, DUMP_EVENTS), "out.0001.orca");
  EXPECT_EQ(GetPath(2, DUMP_EVENTS), "out.orca");
}

TEST_F(Sets, FindsOneFinishedSetByItsPrefix) {
  EXPECT_EQ(FindNumbers("out.0002"), Numbers{2});
  EXPECT_EQ(sets_.first, 2u);
  EXPECT_EQ(GetPath(0, DUMP_INFO), "out.0002.info");
}

TEST_F(Sets, AcceptsThatTheOldestSetIsDeleted) {
  files_.Remove(files_.Prefix() + ".0001");
  EXPECT_EQ(FindNumbers(), (Numbers{2, 3}));
  EXPECT_EQ(sets_.first, 2u);
  EXPECT_EQ(sets_.missing, 0u);
}

TEST_F(Sets, CountsAMissingSetInBetween) {
  files_.Remove(files_.Prefix() + ".0002");
  EXPECT_EQ(FindNumbers(), (Numbers{1, 3}));
  EXPECT_EQ(sets_.missing, 1u);
}

TEST_F(Sets, IgnoresSetsOfOtherRecordings) {
  files_.Replace(files_.Prefix() + ".0001", DUMP_INFO, "set.recording=99", "set.recording=98");
  EXPECT_EQ(FindNumbers(), (Numbers{2, 3}));
  files_.Replace(files_.Prefix() + ".0002", DUMP_INFO, "pid=4711", "pid=4712");
  EXPECT_EQ(FindNumbers(), Numbers{3});
  files_.Write(files_.Prefix(), DUMP_INFO, "pid=4711\n");  // a recording without the option maxsize
  EXPECT_EQ(FindNumbers(), Numbers{0});
  EXPECT_EQ(sets_.first, 1u);
  EXPECT_EQ(GetPath(0, DUMP_INFO), "out.info");
}

TEST_F(Sets, IgnoresASetNumberedAfterTheLastOne) {
  files_.Write(files_.Prefix() + ".0009", DUMP_EVENTS, "");
  EXPECT_EQ(FindNumbers(), (Numbers{1, 2, 3}));
}

// --- while the writer switches sets -----------------------------------------------------------

TEST_F(Sets, FindsFilesThatAreRenamedMeanwhile) {
  FindNumbers();
  files_.Rename(files_.Prefix(), files_.Prefix() + ".0003", DUMP_EVENTS);
  EXPECT_EQ(GetPath(2, DUMP_EVENTS), "out.0003.orca");
  EXPECT_EQ(GetPath(2, DUMP_METHODS), "out.methods");
}

TEST_F(Sets, EndsWithTheNewestFinishedSetIfNoOtherIsWritten) {
  files_.Rename(files_.Prefix(), files_.Prefix() + ".0003");
  EXPECT_EQ(FindNumbers(), (Numbers{1, 2, 3}));
  EXPECT_EQ(GetPath(2, DUMP_EVENTS), "out.0003.orca");
  files_.Write(files_.Prefix(), DUMP_EVENTS, "");  // of the next set, before its .info has keys
  files_.Write(files_.Prefix(), DUMP_INFO, "");
  EXPECT_EQ(FindNumbers(), (Numbers{1, 2, 3}));
}

TEST_F(Sets, WaitsForTheWriterToBeginTheNextSet) {
  files_.Rename(files_.Prefix(), files_.Prefix() + ".0003");
  int num_sleeps = 0;
  InsteadOfSleep writer([&] {
    if (++num_sleeps != 4) return;
    files_.Write(files_.Prefix(), DUMP_EVENTS, "");
    files_.Write(files_.Prefix(), DUMP_INFO, RotatedFiles::Info(4, "400.0", 0, 0, "", 0, 0));
  });
  EXPECT_EQ(FindNumbers(), (Numbers{1, 2, 3, 4}));
}

// --- names ------------------------------------------------------------------------------------

TEST(SetNames, EndWithANumberInFinishedSets) {
  for (auto [name, stem] :
       std::vector<std::pair<const char *, const char *>>{{"out", "out"},
                                                          {"out.0001", "out"},
                                                          {"out.12345", "out"},
                                                          {"out.001", "out.001"},
                                                          {"0001", "0001"},
                                                          {".0001", ".0001"},
                                                          {"", ""},
                                                          {"out0001", "out0001"},
                                                          {"out.0001.0002", "out.0001"}}) {
    EXPECT_EQ(std::string(name).substr(0, sets_stem_len(name, strlen(name))), stem) << name;
  }
}

TEST(SetNames, AreFoundInTheFolder) {
  RotatedFiles files;
  EXPECT_TRUE(sets_exist(files.Prefix().c_str()));
  EXPECT_FALSE(sets_exist((files.Prefix() + ".0001").c_str()));
  EXPECT_FALSE(sets_exist((files.Folder() + "/ou").c_str()));
  EXPECT_FALSE(sets_exist((files.Folder() + "/none/out").c_str()));
}

}  // namespace
