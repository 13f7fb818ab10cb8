#include "agent/writer/claim.h"

#include <errno.h>
#include <unistd.h>

#include "tests/agent/writer/in_folder.h"

namespace {

class ClaimTest : public DumpFolderTest {
 protected:
  // Returns 0 if PREFIX can be claimed, else the errno. Closes the file again.
  int Claim(const std::string &name, const char *run) const {
    struct dump_file info;
    bool good = claim_info(&info, (folder_ + "/" + name).c_str(), run);
    int why = good ? 0 : errno;
    dump_file_close(&info);
    return why;
  }
  static std::string MakeInfo(const std::string &run) {
    return "format=1\npid=7\nrun=" + run + "\njava.version=17\n";
  }
};

TEST_F(ClaimTest, TakesAFreePrefixAndOneOfAnotherRun) {
  EXPECT_EQ(Claim("new", "1.2"), 0);
  EXPECT_EQ(Claim("newer", nullptr), 0);
  WriteFile("old.info", MakeInfo("1.1"));
  EXPECT_EQ(Claim("old", "1.2"), 0);
  EXPECT_EQ(ReadText("old.info"), MakeInfo("1.1"));  // it is not changed yet
  WriteFile("older.info", "format=1\npid=7\njava.version=run=1.2\n");
  EXPECT_EQ(Claim("older", "1.2"), 0);
}

TEST_F(ClaimTest, RefusesAFinishedRecordingOfTheSameRun) {
  WriteFile("first.info", MakeInfo("1.2"));
  EXPECT_EQ(Claim("first", "1.2"), EWOULDBLOCK);
  EXPECT_EQ(Claim("first", "1.22"), 0);
  EXPECT_EQ(Claim("first", nullptr), 0);
}

TEST_F(ClaimTest, RefusesARecordingThatIsBeingWritten) {
  EXPECT_EQ(Claim("out", "1.2"), EWOULDBLOCK);
  EXPECT_EQ(Claim("out", nullptr), EWOULDBLOCK);
}

TEST_F(ClaimTest, RefusesARecordingBetweenTwoSets) {
  WriteFile("long.0001.info", MakeInfo("1.1"));
  EXPECT_EQ(Claim("long", "1.2"), 0);
  unlink((folder_ + "/long.info").c_str());
  WriteFile("long.0002.info", MakeInfo("1.2"));
  EXPECT_EQ(Claim("long", "1.2"), EWOULDBLOCK);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/long.info"));
}

TEST_F(ClaimTest, SaysWhyAFileCannotBeMade) {
  EXPECT_EQ(Claim("none/out", "1.2"), ENOENT);
  EXPECT_EQ(Claim(std::string(5000, 'x'), "1.2"), ENAMETOOLONG);
}

}  // namespace
