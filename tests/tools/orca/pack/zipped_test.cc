#include "tools/orca/pack/zipped.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/tools/orca/dump/rotated.h"

namespace {

namespace fs = std::filesystem;

class Zipped : public testing::Test {
 protected:
  Zipped() {
    fs::create_directory(Temporary());
    setenv("TMPDIR", Temporary().c_str(), 1);
  }
  ~Zipped() override {
    EXPECT_TRUE(fs::is_empty(Temporary()));
    unsetenv("TMPDIR");
    fs::remove_all(files_.Folder() + "/sub");
  }

  std::string Temporary() const { return files_.Folder() + "/tmp"; }
  std::string Zip() const { return files_.Folder() + "/outputs.zip"; }

  // Runs a line of shell in the folder of the files.
  void RunShell(const std::string &line) {
    ASSERT_EQ(system(("cd " + files_.Folder() + " && " + line).c_str()), 0) << line;
  }
  // Returns the message, "" if the recording was unpacked. Its stem and number of sets are kept.
  std::string Open(const char *recording = nullptr) {
    struct unpacked u;
    struct builder why = {}, stem = {};
    bool ok = zipped_open(&u, Zip().c_str(), recording, &stem, &why);
    std::string message(why.data == nullptr ? "" : why.data, why.len);
    EXPECT_EQ(ok, message.empty()) << message;
    stem_ = ok ? stem.data : "";
    struct dump *d = ok ? dump_open(u.prefix, &why) : nullptr;
    num_sets_ = d == nullptr ? 0 : dump_sets(d)->num;
    dump_close(d);
    if (ok) unpacked_remove(&u);
    builder_free(&why);
    builder_free(&stem);
    return message;
  }
  // Replaces bytes of the zip file, everywhere.
  void Patch(const std::string &from, const std::string &to) {
    std::ostringstream text;
    text << std::ifstream(Zip(), std::ios::binary).rdbuf();
    std::string bytes = text.str();
    ASSERT_NE(bytes.find(from), std::string::npos);
    for (size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; at += to.size()) {
      bytes.replace(at, from.size(), to);
    }
    std::ofstream(Zip(), std::ios::binary) << bytes;
  }
  // Sets the size of the first file in the directory of the zip file.
  void PatchSize(const std::string &four_bytes) {
    std::ostringstream text;
    text << std::ifstream(Zip(), std::ios::binary).rdbuf();
    std::string bytes = text.str();
    size_t at = bytes.find("PK\1\2");
    ASSERT_NE(at, std::string::npos);
    std::ofstream(Zip(), std::ios::binary) << bytes.replace(at + 24, 4, four_bytes);
  }

  RotatedFiles files_;
  std::string stem_;
  size_t num_sets_ = 0;
};

TEST_F(Zipped, ListsTheRecordings) {
  struct stems stems = {};
  struct builder why = {};
  RunShell("mkdir -p sub && cp out.* sub && zip -q outputs.zip out.* sub/out.*");
  EXPECT_TRUE(zipped_list(Zip().c_str(), &stems, &why));
  ASSERT_EQ(stems.num, 2u);
  EXPECT_STREQ(stems.names[0], "out");
  EXPECT_STREQ(stems.names[1], "sub/out");
  stems_free(&stems);
  std::ofstream(Zip()) << "no zip";
  EXPECT_FALSE(zipped_list(Zip().c_str(), &stems, &why));
  EXPECT_EQ(std::string(why.data, why.len), Zip() + " is incomplete, or not a zip file");
  why.len = 0;
  EXPECT_FALSE(zipped_list("/none.zip", &stems, &why));
  EXPECT_EQ(std::string(why.data, why.len), "cannot read /none.zip: No such file or directory");
  builder_free(&why);
}

TEST_F(Zipped, RecognizesZipFiles) {
  RunShell("zip -q outputs.zip out.orca; cp outputs.zip other; : >empty.zip; mkdir a.zip");
  EXPECT_TRUE(zipped_is_zip(Zip().c_str()));
  EXPECT_TRUE(zipped_is_zip((files_.Folder() + "/other").c_str()));
  EXPECT_TRUE(zipped_is_zip((files_.Folder() + "/empty.zip").c_str()));
  EXPECT_FALSE(zipped_is_zip((files_.Folder() + "/a.zip").c_str()));
  EXPECT_FALSE(zipped_is_zip((files_.Folder() + "/out.orca").c_str()));
  EXPECT_FALSE(zipped_is_zip("/no/such.zip"));
}

TEST_F(Zipped, UnpacksTheOnlyRecordingBetweenOtherFiles) {
  RunShell(
      "mkdir sub; echo x >sub/report.txt; ln -s /etc sub/link; zip -qry outputs.zip out*.* sub");
  EXPECT_EQ(Open(), "");
  EXPECT_EQ(stem_, "out");
  EXPECT_EQ(num_sets_, 3u);
}

TEST_F(Zipped, UnpacksStoredFilesAndZip64) {
  for (const char *option : {"-q0", "-q0fz", "-qfz"}) {
    RunShell(std::string("rm -f outputs.zip; zip ") + option + " outputs.zip out*.*");
    EXPECT_EQ(Open(), "") << option;
    EXPECT_EQ(num_sets_, 3u);
  }
}

TEST_F(Zipped, UnpacksTheRecordingThatIsNamed) {
  RunShell(
      "mkdir sub; for f in out*.*; do cp $f sub/\"-a [x]?\\\\${f#out}\"; done; "
      "zip -qr outputs.zip out*.* sub");
  EXPECT_EQ(Open(), Zip() + " contains 2 recordings: out, sub/-a [x]?\\; name one of them, as in " +
                        Zip() + "/out");
  EXPECT_EQ(Open("none"),
            "no recording none: " + Zip() +
                " contains 2 recordings: out, sub/-a [x]?\\; name one of them, as in " + Zip() +
                "/out");
  for (const char *name : {"out", "out.orca", "out.0001.info", "sub/-a [x]?\\"}) {
    EXPECT_EQ(Open(name), "");
    EXPECT_EQ(num_sets_, 3u) << name;
  }
}

TEST_F(Zipped, UnpacksANameThatBeginsLikeAnOption) {
  RunShell(
      "mkdir sub; for f in out*.*; do cp $f \"sub/-d${f#out}\"; done; "
      "cd sub; zip -qr ../outputs.zip .");
  EXPECT_EQ(Open(), "");
  EXPECT_EQ(stem_, "-d");
  EXPECT_EQ(num_sets_, 3u);
}

TEST_F(Zipped, RefusesFilesThatAreNoZip) {
  for (const char *make :
       {"echo text >outputs.zip", ": >outputs.zip", "printf 'PK\\3\\4' >outputs.zip"}) {
    RunShell(make);
    EXPECT_EQ(Open(), Zip() + " is incomplete, or not a zip file") << make;
  }
  RunShell("rm outputs.zip");
  EXPECT_EQ(Open(), "cannot read " + Zip() + ": No such file or directory");
  RunShell("echo a >report.txt; zip -q outputs.zip report.txt");
  EXPECT_EQ(Open(), Zip() + " contains no recording");
}

TEST_F(Zipped, RefusesAZipThatIsCutAnywhere) {
  RunShell("zip -q whole out*.*");
  auto size = fs::file_size(files_.Folder() + "/whole.zip");
  for (uintmax_t len = 0; len < size; len += size / 20) {
    RunShell("head -c " + std::to_string(len) + " whole.zip >outputs.zip");
    EXPECT_EQ(Open(), Zip() + " is incomplete, or not a zip file") << len;
  }
}

TEST_F(Zipped, RefusesPathsThatLeadElsewhere) {
  RunShell("mkdir sub; cp out.orca sub; zip -q outputs.zip sub/out.orca");
  Patch("sub/out.orca", "../aout.orca");
  EXPECT_EQ(Open(),
            Zip() + " cannot be unpacked: \"../aout.orca\" has a path that leads elsewhere");
}

TEST_F(Zipped, RefusesAbsolutePaths) {
  RunShell("mkdir sub; cp out.orca sub; zip -q outputs.zip sub/out.orca");
  Patch("sub/out.orca", "/tmp/ut.orca");
  EXPECT_EQ(Open(),
            Zip() + " cannot be unpacked: \"/tmp/ut.orca\" has a path that leads elsewhere");
}

TEST_F(Zipped, RefusesLinksAndPasswords) {
  RunShell("ln -s /etc/passwd x.orca; zip -qy outputs.zip x.orca; rm x.orca");
  EXPECT_EQ(Open(), Zip() + " cannot be unpacked: \"x.orca\" is no plain file");
  RunShell("rm outputs.zip; zip -qP secret outputs.zip out.orca");
  EXPECT_EQ(Open(), Zip() + " cannot be unpacked: \"out.orca\" is encrypted");
}

TEST_F(Zipped, RefusesAFileThatIsThereTwice) {
  RunShell("cp out.orca oux.orca; zip -q outputs.zip out.orca oux.orca; rm oux.orca");
  Patch("oux.orca", "out.orca");
  EXPECT_EQ(Open(), Zip() + " cannot be unpacked: \"out.orca\" is there twice");
}

// The list says less than unzip writes, as in a zip bomb.
TEST_F(Zipped, RefusesAFileThatIsLargerOrSmallerThanTheListSays) {
  RunShell("head -c 1000000 /dev/zero >big.orca; zip -q outputs.zip big.orca; rm big.orca");
  PatchSize(std::string("\1\0\0\0", 4));
  EXPECT_EQ(Open().find(Zip() + " cannot be unpacked: big.orca: "), 0u);
  PatchSize(std::string("\0\0\0\1", 4));
  EXPECT_EQ(Open().find(Zip() + " cannot be unpacked: big.orca: "), 0u);
}

TEST_F(Zipped, RefusesABrokenFile) {
  RunShell("head -c 100 /dev/zero | tr '\\0' 'a' >a.orca; zip -q0 outputs.zip a.orca; rm a.orca");
  Patch("aaaaaaaaaa", "aaaaabaaaa");
  EXPECT_EQ(Open(), Zip() + " cannot be unpacked: a.orca: unzip finds it broken");
}

TEST_F(Zipped, RefusesWhatDoesNotFit) {
  RunShell("echo a >a.orca; zip -q outputs.zip a.orca; rm a.orca");
  PatchSize(std::string("\xfe\xff\xff\xff", 4));
  std::string message = Open();
  if (message.find("does not fit") == std::string::npos) { /* a folder with room for 4 GB */
    EXPECT_EQ(message.find(Zip() + " cannot be unpacked: a.orca: "), 0u) << message;
  }
}

}  // namespace
