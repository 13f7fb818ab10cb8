#include "tools/orca/pack/located.h"

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "tests/support/dump_files.h"

namespace {

class Located : public testing::Test {
 protected:
  Located() { files_.Write(DUMP_EVENTS, ""); }
  ~Located() override {
    for (const auto &entry : std::filesystem::directory_iterator(files_.Folder())) {
      std::filesystem::remove_all(entry.path());
    }
  }

  void RunShell(const std::string &line) {
    ASSERT_EQ(system(("cd " + files_.Folder() + " && " + line).c_str()), 0) << line;
  }
  // Returns "dump PATH", "pack PATH", "zip PATH RECORDING" or the message. FOLDER is left out.
  std::string Find(const std::string &name) {
    static const char *const kKinds[] = {"dump ", "pack ", "zip "};
    struct located l;
    struct builder why = {};
    std::string full = files_.Folder() + "/" + name, found;
    if (located_find(&l, full.c_str(), &why)) {
      found = std::string(kKinds[l.kind]) + l.path.data;
      if (l.recording != nullptr) found += std::string(" ") + l.recording;
    } else {
      found = std::string(why.data, why.len);
    }
    located_free(&l);
    builder_free(&why);
    std::string folder = files_.Folder() + "/";
    for (size_t at; (at = found.find(folder)) != std::string::npos;) found.erase(at, folder.size());
    return found;
  }

  DumpFiles files_;
};

TEST_F(Located, IsADumpOrAPackOrAZip) {
  RunShell("zip -q o.zip out.orca; tar czf p.tar.gz out.orca; cp o.zip other");
  EXPECT_EQ(Find("out"), "dump out");
  EXPECT_EQ(Find("out.orca"), "dump out.orca");
  EXPECT_EQ(Find("p.tar.gz"), "pack p.tar.gz");
  EXPECT_EQ(Find("o.zip"), "zip o.zip");
  EXPECT_EQ(Find("other"), "zip other");
  EXPECT_EQ(Find("none"), "dump none");
  EXPECT_EQ(Find("none/x"), "dump none/x");
}

TEST_F(Located, IsARecordingInAZip) {
  RunShell("zip -q o.zip out.orca");
  EXPECT_EQ(Find("o.zip/out"), "zip o.zip out");
  EXPECT_EQ(Find("o.zip/sub/out"), "zip o.zip sub/out");
  EXPECT_EQ(Find("out.orca/x"), "dump out.orca/x");
}

TEST_F(Located, IsWhatAFolderContains) {
  RunShell(
      "mkdir one two none; cp out.orca one/a.orca; cp out.orca two/a.orca; cp out.orca "
      "two/b.orca");
  EXPECT_EQ(Find("one"), "dump one/a");
  EXPECT_EQ(Find("one/"), "dump one/a");
  EXPECT_EQ(Find("two"), "two contains 2 recordings: a, b; name one of them, as in two/a");
  EXPECT_EQ(Find("two/b"), "dump two/b");
  EXPECT_EQ(Find("none"), "dump none");
}

TEST_F(Located, IsInTheZipThatBazelLeavesInAFolder) {
  RunShell("mkdir test.outputs; zip -q test.outputs/outputs.zip out.orca");
  EXPECT_EQ(Find("test.outputs"), "zip test.outputs/outputs.zip");
  EXPECT_EQ(Find("test.outputs/out"), "zip test.outputs/outputs.zip out");
  EXPECT_EQ(Find("test.outputs/sub/out"), "zip test.outputs/outputs.zip sub/out");
}

TEST_F(Located, PrefersADumpToAFolderOfItsName) {
  RunShell("mkdir out; cp out.orca out/a.orca");
  EXPECT_EQ(Find("out"), "dump out");
}

}  // namespace
