/* Puts the stored recordings of tests/recordings/data through every view. The facts that the
   recorded program printed must be in them. README.md says how the recordings were made. */
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <set>

#include "gtest/gtest.h"
#include "tests/recordings/agreement.h"
#include "tests/recordings/cases.h"
#include "tests/recordings/findings.h"
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

const std::vector<int> kVersions = {17, 25}; /* of the JDKs that made the recordings */

std::string GetFolder() { return Runfile("tests/recordings/data"); }

std::vector<Stored> ListStored() {
  std::vector<Stored> all;
  for (const Case &c : ListCases()) {
    for (int version : kVersions) {
      if (version >= c.least_version) all.push_back({c, StoredName(c, version)});
    }
  }
  return all;
}

/* All views take most of the time of this test, and those of both JDKs have lines of the same
   kinds. So the views of the older one are for the long suite: $ORCA_EVERY_VIEW. */
std::vector<Stored> ListViewed() {
  std::vector<Stored> all = ListStored(), viewed;
  for (const Stored &stored : all) {
    bool is_newest = stored.name == StoredName(stored.made_by, kVersions.back());
    if (is_newest || getenv("ORCA_EVERY_VIEW") != nullptr) viewed.push_back(stored);
  }
  return viewed;
}

/* The unpacked files of a recording: to unpack them once is quicker than in each command. */
class Unpacked {
 public:
  explicit Unpacked(const std::string &name) : folder_(testing::TempDir() + "/" + name) {
    const std::string stored = GetFolder() + "/" + name;
    fs::create_directories(folder_);
    EXPECT_EQ(system(("tar xzf '" + stored + ".tar.gz' -C '" + folder_ + "'").c_str()), 0);
    recording_ = std::make_unique<Recording>(folder_ + "/dump", ReadFile(stored + ".txt"));
  }
  ~Unpacked() { fs::remove_all(folder_); }

  const std::string &folder() const { return folder_; }
  const Recording &recording() const { return *recording_; }

 private:
  std::string folder_;
  std::unique_ptr<Recording> recording_;
};

class StoredRecording : public testing::TestWithParam<Stored> {
 protected:
  StoredRecording() : unpacked_(GetParam().name) {}
  const Recording &recording() const { return unpacked_.recording(); }

  Unpacked unpacked_;
};

TEST_P(StoredRecording, ShowsTheFactsOfTheProgram) { GetParam().made_by.check(recording()); }

TEST_P(StoredRecording, HasViewsThatAgree) { ExpectAgreement(recording()); }

TEST_P(StoredRecording, HasFindingsThatFollowFromTheirJson) { ExpectFindings(recording()); }

std::string Name(const testing::TestParamInfo<Stored> &info) {
  std::string name = info.param.name;
  name[name.find('-')] = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, StoredRecording, testing::ValuesIn(ListStored()), Name);

class ViewedRecording : public StoredRecording {};

TEST_P(ViewedRecording, HasEveryView) { ExpectEveryView(recording(), unpacked_.folder()); }

INSTANTIATE_TEST_SUITE_P(All, ViewedRecording, testing::ValuesIn(ListViewed()), Name);

/* Every command reads packs in the same way. */
TEST(StoredRecordings, AreReadFromThePackToo) {
  const std::string name = ListStored().at(0).name;
  Unpacked unpacked(name);
  Recording pack(GetFolder() + "/" + name + ".tar.gz", "");
  for (const char *view : {"report", "locks", "log"}) {
    EXPECT_EQ(pack.RunView(view), unpacked.recording().RunView(view)) << view;
  }
}

TEST(StoredRecordings, HaveACase) {
  std::set<std::string> wanted, found;
  for (const Stored &stored : ListStored()) {
    for (const char *suffix : {".tar.gz", ".txt"}) wanted.insert(stored.name + suffix);
  }
  for (const auto &entry : fs::directory_iterator(GetFolder())) {
    found.insert(entry.path().filename());
  }
  EXPECT_EQ(found, wanted);
}

TEST(EveryView, IncludesEachCommand) {
  for (const struct command_row &row : commands) {
    const std::string operands = row.operands;
    bool reads = operands.find("PREFIX") != std::string::npos && operands.find("PID") != 0;
    EXPECT_TRUE(!reads || IsCovered(row.name)) << row.name;
  }
}

}  // namespace
