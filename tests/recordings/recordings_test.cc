/* Puts the stored recordings of tests/recordings/data through every view. The facts that the
   recorded program printed must be in them. README.md says how the recordings were made. */
#include <stdlib.h>

#include <filesystem>
#include <set>

#include "gtest/gtest.h"
#include "tests/recordings/agreement.h"
#include "tests/recordings/cases.h"
#include "tests/recordings/views.h"
#include "tests/support/jvm.h"
#include "tests/support/text.h"

namespace {

namespace fs = std::filesystem;

struct Stored {
  Case made_by;
  std::string name;
};

void PrintTo(const Stored &stored, std::ostream *out) { *out << stored.name; }

std::string GetFolder() { return Runfile("tests/recordings/data"); }

std::vector<Stored> ListStored() {
  std::vector<Stored> all;
  for (const Case &c : ListCases()) {
    for (int version : {17, 25}) {
      if (version >= c.least_version) all.push_back({c, StoredName(c, version)});
    }
  }
  return all;
}

class StoredRecording : public testing::TestWithParam<Stored> {
 protected:
  /* Unpacks the files, since to do so once is quicker than in each command. */
  StoredRecording() : folder_(testing::TempDir() + "/" + GetParam().name) {
    const std::string stored = GetFolder() + "/" + GetParam().name;
    fs::create_directories(folder_);
    EXPECT_EQ(system(("tar xzf '" + stored + ".tar.gz' -C '" + folder_ + "'").c_str()), 0);
    std::string out = ReadFile(stored + ".txt");
    recording_ = std::make_unique<Recording>(folder_ + "/dump", out);
    pack_ = std::make_unique<Recording>(stored + ".tar.gz", out);
  }
  ~StoredRecording() override { fs::remove_all(folder_); }

  std::string folder_;
  std::unique_ptr<Recording> recording_, pack_;
};

TEST_P(StoredRecording, ShowsTheFactsOfTheProgram) { GetParam().made_by.check(*recording_); }

TEST_P(StoredRecording, HasEveryView) { ExpectEveryView(*recording_, folder_); }

TEST_P(StoredRecording, HasViewsThatAgree) { ExpectAgreement(*recording_); }

TEST_P(StoredRecording, IsReadFromThePackToo) {
  EXPECT_EQ(pack_->RunView("locks"), recording_->RunView("locks"));
}

INSTANTIATE_TEST_SUITE_P(All, StoredRecording, testing::ValuesIn(ListStored()),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           name[name.find('-')] = '_';
                           return name;
                         });

TEST(StoredRecordings, HaveACase) {
  std::set<std::string> files;
  for (const Stored &stored : ListStored()) {
    for (const char *suffix : {".tar.gz", ".txt"}) files.insert(stored.name + suffix);
  }
  for (const auto &entry : fs::directory_iterator(GetFolder())) {
    EXPECT_EQ(files.count(entry.path().filename()), 1u) << entry.path().filename();
  }
}

TEST(EveryView, IncludesEachCommand) {
  for (const char *command : {
#define COMMAND(name, help) #name,
#include "tools/orca/cmd/commands.def"
       }) {
    EXPECT_TRUE(IsCovered(command)) << command;
  }
}

}  // namespace
