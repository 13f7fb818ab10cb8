#include "tools/orca/pack/unpacked.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/tools/orca/dump/rotated.h"

namespace {

namespace fs = std::filesystem;

class Unpacked : public testing::Test {
 protected:
  Unpacked() {
    fs::create_directory(Temporary());
    setenv("TMPDIR", Temporary().c_str(), 1);
  }
  ~Unpacked() override {
    EXPECT_TRUE(fs::is_empty(Temporary()));
    unsetenv("TMPDIR");
  }

  std::string Temporary() const { return files_.Folder() + "/tmp"; }
  std::string Pack() const { return files_.Folder() + "/pack.tar.gz"; }

  // Runs a line of shell in the folder of the files.
  void RunShell(const std::string &line) {
    ASSERT_EQ(system(("cd " + files_.Folder() + " && " + line).c_str()), 0) << line;
  }
  // Returns the message, "" if the file was unpacked.
  std::string Open() {
    struct unpacked u;
    struct builder why = {};
    bool ok = unpacked_open(&u, Pack().c_str(), &why);
    std::string message(why.data == nullptr ? "" : why.data, why.len);
    EXPECT_EQ(ok, message.empty());
    if (ok) unpacked_remove(&u);
    builder_free(&why);
    return message;
  }

  RotatedFiles files_;
};

TEST_F(Unpacked, RecognizesPacks) {
  RunShell("tar czf pack.tar.gz out.orca; cp pack.tar.gz other; : >empty.tgz; mkdir a.tar.gz");
  EXPECT_TRUE(unpacked_is_pack(Pack().c_str()));
  EXPECT_TRUE(unpacked_is_pack((files_.Folder() + "/other").c_str()));
  EXPECT_TRUE(unpacked_is_pack((files_.Folder() + "/empty.tgz").c_str()));
  EXPECT_FALSE(unpacked_is_pack((files_.Folder() + "/a.tar.gz").c_str()));
  EXPECT_FALSE(unpacked_is_pack((files_.Folder() + "/out.orca").c_str()));
  EXPECT_FALSE(unpacked_is_pack(files_.Prefix().c_str()));
  EXPECT_EQ(unpacked_stem_len("a.tar.gz"), 1u);
  EXPECT_EQ(unpacked_stem_len("ab.tgz"), 2u);
  EXPECT_EQ(unpacked_stem_len("abc"), 3u);
}

TEST_F(Unpacked, UnpacksTheSetsIntoAPrivateFolder) {
  RunShell("tar czf pack.tar.gz out*.*");
  struct unpacked u;
  struct builder why = {};
  ASSERT_TRUE(unpacked_open(&u, Pack().c_str(), &why)) << std::string(why.data, why.len);
  struct stat st;
  ASSERT_EQ(stat(u.temporary.folder, &st), 0);
  EXPECT_EQ(st.st_mode & 07777, 0700u);
  EXPECT_EQ(fs::path(u.temporary.folder).parent_path(), Temporary());
  struct dump *d = dump_open(u.prefix, &why);
  ASSERT_NE(d, nullptr) << std::string(why.data, why.len);
  EXPECT_EQ(dump_sets(d)->num, 3u);
  dump_close(d);
  std::string folder = u.temporary.folder;
  unpacked_remove(&u);
  EXPECT_FALSE(fs::exists(folder));
  unpacked_remove(&u);  // has no effect
}

TEST_F(Unpacked, RefusesFilesThatAreNoPack) {
  struct {
    const char *make, *message;
  } cases[] = {
      {"echo text >pack.tar.gz", " is incomplete, or not a file of orca pack ("},
      {": >pack.tar.gz", " is incomplete, or not a file of orca pack ("},
      {"echo text | gzip >pack.tar.gz", " is not a file of orca pack: it contains no file"},
      {"tar czf pack.tar.gz --files-from=/dev/null",
       " is not a file of orca pack: it contains no file"},
      {"echo a >a; tar czf pack.tar.gz a", " is not a file of orca pack: it contains \"a\""},
      {"cp out.orca b.orca; tar czf pack.tar.gz out.orca b.orca; rm b.orca",
       " is not a file of orca pack: it contains \"b.orca\""},
  };
  for (const auto &c : cases) {
    RunShell(c.make);
    EXPECT_EQ(Open().find(Pack() + c.message), 0u) << c.make << ": " << Open();
  }
}

TEST_F(Unpacked, RefusesAPackThatIsCutAnywhere) {
  RunShell("tar czf whole out*.*");
  auto size = fs::file_size(files_.Folder() + "/whole");
  for (uintmax_t len = 0; len < size; len += size / 20) {
    RunShell("head -c " + std::to_string(len) + " whole >pack.tar.gz");
    std::string message = Open();
    EXPECT_EQ(message.find(Pack() + " is incomplete, or not a file of orca pack ("), 0u) << message;
    EXPECT_TRUE(len == 0 || message.find("unexpected end of file)") != std::string::npos)
        << message;
  }
}

TEST_F(Unpacked, RefusesNamesInOtherFolders) {
  for (const char *name : {"../out.orca", "/tmp/out.orca", "a/out.orca", "./out.orca"}) {
    RunShell(std::string("tar czf pack.tar.gz -P --transform 's,^out.orca$,") + name +
             ",' out.orca");
    EXPECT_EQ(Open(), Pack() + " is not a file of orca pack: it contains \"" + name + "\"");
  }
}

TEST_F(Unpacked, RefusesWhatIsNotAPlainFile) {
  for (const char *make :
       {"ln -s /etc/passwd x.orca", "mkfifo x.orca", "mkdir x.orca", "ln out.orca x.orca"}) {
    RunShell(std::string(make) + "; tar czf pack.tar.gz out.orca x.orca; rm -rf x.orca");
    EXPECT_EQ(Open().find(Pack() + " is not a file of orca pack: it contains \""), 0u) << make;
  }
}

TEST_F(Unpacked, RefusesWhatDoesNotFit) {
  RunShell(
      "truncate -s 4P out.counts 2>/dev/null || truncate -s 15T out.counts; "
      "tar --sparse -czf pack.tar.gz out.orca out.counts");
  std::string message = Open();
  EXPECT_EQ(message.find(Pack() + " does not fit into the temporary folder: its files have more "
                                  "than "),
            0u)
      << message;
  EXPECT_NE(message.find("; set TMPDIR to a folder with more room"), std::string::npos);
}

}  // namespace
