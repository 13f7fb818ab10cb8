#include "agent/writer/snapshot_files.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/writer/set_files.h"
#include "tests/agent/writer/in_folder.h"

namespace {
int link_error = 0;  // the file system has no links; 0: it has
}

extern "C" {
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);
}

int __wrap_link(const char *from, const char *to) {
  if (link_error == 0) return __real_link(from, to);
  errno = link_error;
  return -1;
}

namespace {

// A recording with one finished set, number 7. Each of its files contains its name.
class SnapshotFilesTest : public DumpFolderTest {
 protected:
  void SetUp() override {
    DumpFolderTest::SetUp();
    for (const char *suffix : file_suffixes) {
      WriteFile(std::string("out.0007") + suffix, std::string(suffix) + " of 7\n");
    }
    name_ = folder_ + "/snap";
    snap_.name = name_.c_str();
    link_error = 0;
  }
  nlink_t CountLinks(const std::string &name) const {
    struct stat st = {};
    EXPECT_EQ(stat((folder_ + "/" + name).c_str(), &st), 0) << name;
    return st.st_nlink;
  }
  void ExpectFinishedSet() const {
    for (const char *suffix : file_suffixes) {
      EXPECT_EQ(ReadText(std::string("snap.0007") + suffix), std::string(suffix) + " of 7\n");
    }
  }

  std::string name_;
  struct snapshot_files snap_ = {};
};

TEST_F(SnapshotFilesTest, LinksTheFilesOfAFinishedSet) {
  ASSERT_TRUE(snapshot_files_add(&snap_, files_, 7));
  ExpectFinishedSet();
  for (const char *suffix : file_suffixes) {
    EXPECT_EQ(CountLinks(std::string("snap.0007") + suffix), 2u);
  }
  set_files_delete(files_, 7);
  ExpectFinishedSet();
  snapshot_files_remove(&snap_, 7);
  EXPECT_EQ(ListNames().size(), size_t{NUM_FILES});
}

TEST_F(SnapshotFilesTest, CopiesTheFilesWhereLinksAreImpossible) {
  std::string large(1000000, 'x');
  WriteFile("out.0007.samples", large);
  for (int error : {EXDEV, EPERM, EOPNOTSUPP, EMLINK}) {
    link_error = error;
    ASSERT_TRUE(snapshot_files_add(&snap_, files_, 7)) << error;
    EXPECT_EQ(ReadText("snap.0007.samples"), large);
    EXPECT_EQ(ReadText("snap.0007.orca"), ".orca of 7\n");
    EXPECT_EQ(CountLinks("snap.0007.orca"), 1u);
    struct stat st = {};
    EXPECT_EQ(stat((name_ + ".0007.orca").c_str(), &st), 0);
    EXPECT_EQ(st.st_mode & 07777, 0600u);
    snapshot_files_remove(&snap_, 7);
  }
  link_error = ENOSPC;  // a copy would fail too
  EXPECT_FALSE(snapshot_files_add(&snap_, files_, 7));
  EXPECT_EQ(errno, ENOSPC);
}

TEST_F(SnapshotFilesTest, CopiesTheCurrentSetUpToItsLastFlush) {
  builder_string(&files_[FILE_EVENTS].lines, "one\n");
  ASSERT_TRUE(dump_file_flush(&files_[FILE_EVENTS]));
  builder_string(&files_[FILE_EVENTS].lines, "two\n");
  WriteFile("out.orca", "one\nmore\n");
  ASSERT_TRUE(snapshot_files_add(&snap_, files_, 0));
  EXPECT_EQ(ReadText("snap.orca"), "one\n");
  EXPECT_EQ(CountLinks("snap.orca"), 1u);
  EXPECT_EQ(CountLinks("out.orca"), 1u);
}

TEST_F(SnapshotFilesTest, LeavesNoFileOfASetThatFails) {
  for (int error : {0, EXDEV}) {
    link_error = error;
    for (const char *suffix : file_suffixes) {
      std::string other = std::string("snap.0007") + suffix;
      WriteFile(other, "precious\n");
      EXPECT_FALSE(snapshot_files_add(&snap_, files_, 7));
      EXPECT_EQ(errno, EEXIST);
      EXPECT_EQ(snap_.path, folder_ + "/" + other);
      EXPECT_EQ(ReadText(other), "precious\n");
      EXPECT_EQ(ListNames().size(), 2u * NUM_FILES + 1);
      std::filesystem::remove(folder_ + "/" + other);
    }
  }
}

TEST_F(SnapshotFilesTest, FindsFilesOfTheSecondPrefix) {
  EXPECT_FALSE(snapshot_files_exist(&snap_));
  for (const char *name : {"snap.orca", "snap.info", "snap.0001.counts", "snap.12345.orca"}) {
    WriteFile(name, "");
    EXPECT_TRUE(snapshot_files_exist(&snap_));
    EXPECT_EQ(snap_.path, folder_ + "/" + name);
    std::filesystem::remove(folder_ + "/" + name);
  }
  for (const char *name : {"snap", "snap.txt", "snap2.orca", "snap.001.orca"}) WriteFile(name, "");
  EXPECT_FALSE(snapshot_files_exist(&snap_));
}

TEST_F(SnapshotFilesTest, KnowsWhereItCanWrite) {
  EXPECT_TRUE(snapshot_files_can_write(&snap_));
  name_ = folder_ + "/no/snap";
  snap_.name = name_.c_str();
  EXPECT_FALSE(snapshot_files_can_write(&snap_));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(snap_.path, name_ + ".orca");
}

}  // namespace
