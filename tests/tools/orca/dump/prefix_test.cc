#include "tools/orca/dump/prefix.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "tests/support/dump_files.h"

namespace {

// Returns the prefix, or "!" and the message. The folder of the test is replaced by "DIR".
std::string FindPrefix(const std::string &name, const std::string &folder) {
  struct builder out = {}, why = {};
  bool found = prefix_find(name.c_str(), &out, &why);
  std::string text = found ? std::string(out.data) : "!" + std::string(why.data, why.len);
  for (size_t at; (at = text.find(folder)) != std::string::npos;) {
    text.replace(at, folder.size(), "DIR");
  }
  builder_free(&out);
  builder_free(&why);
  return text;
}

TEST(Prefix, AcceptsThePrefixOrAnyFileName) {
  DumpFiles files;
  WriteGoodDump(&files);
  EXPECT_EQ(FindPrefix(files.Prefix(), files.Folder()), "DIR/out");
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    EXPECT_EQ(FindPrefix(files.Path(static_cast<enum dump_file>(file)), files.Folder()), "DIR/out");
  }
}

TEST(Prefix, ListsTheDumpsOfTheFolder) {
  DumpFiles files;
  WriteGoodDump(&files);
  std::string other = files.Folder() + "/bar.orca";
  std::ofstream(other) << "";
  EXPECT_EQ(
      FindPrefix(files.Folder() + "/foo", files.Folder()),
      "!no recording at DIR/foo: DIR/foo.orca does not exist (found there: DIR/bar, DIR/out)");
  EXPECT_EQ(
      FindPrefix(files.Folder() + "/foo.orca", files.Folder()),
      "!no recording at DIR/foo.orca: DIR/foo.orca does not exist (found there: DIR/bar, DIR/out)");
  EXPECT_EQ(FindPrefix(files.Folder(), files.Folder()),
            "!DIR is a folder, not the prefix of a recording (found there: DIR/bar, DIR/out)");
  EXPECT_EQ(FindPrefix(files.Folder() + "/", files.Folder()),
            "!DIR/ is a folder, not the prefix of a recording (found there: DIR/bar, DIR/out)");
  unlink(other.c_str());
}

TEST(Prefix, ListsNoSetThatHasNotBegun) {
  DumpFiles files;
  std::ofstream(files.Folder() + "/a.next.orca");
  std::ofstream(files.Folder() + "/b.next.orca") << "1.0000000000,ThreadEnded,0000000A\n";
  struct builder out = {}, why = {};
  EXPECT_FALSE(prefix_find((files.Folder() + "/none").c_str(), &out, &why));
  std::string text(why.data, why.len);
  EXPECT_EQ(text.find("a.next"), std::string::npos) << text;
  EXPECT_NE(text.find("b.next"), std::string::npos) << text;  // a recording of this name
  builder_free(&out);
  builder_free(&why);
  for (const char *name : {"/a.next.orca", "/b.next.orca"}) unlink((files.Folder() + name).c_str());
}

TEST(Prefix, SaysThatTheFolderHasNoDump) {
  DumpFiles files;
  EXPECT_EQ(FindPrefix(files.Prefix(), files.Folder()),
            "!no recording at DIR/out: DIR/out.orca does not exist (no recording is there)");
  EXPECT_EQ(
      FindPrefix(files.Folder() + "/no/out", files.Folder()),
      "!no recording at DIR/no/out: DIR/no/out.orca does not exist (the folder cannot be read: No "
      "such file or directory)");
}

TEST(Prefix, ListsAtMostEightDumps) {
  DumpFiles files;
  for (char c = 'z'; c >= 'a'; c--) std::ofstream(files.Folder() + "/" + c + ".orca") << "";
  EXPECT_EQ(
      FindPrefix(files.Prefix(), files.Folder()),
      "!no recording at DIR/out: DIR/out.orca does not exist (found there: DIR/a, DIR/b, DIR/c, "
      "DIR/d, DIR/e, DIR/f, DIR/g, DIR/h, …)");
  for (char c = 'a'; c <= 'z'; c++) unlink((files.Folder() + "/" + c + ".orca").c_str());
}

TEST(Prefix, ReplacesControlCharacters) {
  EXPECT_EQ(
      FindPrefix("/nowhere/\x1b[31m\n", "/nothing"),
      "!no recording at /nowhere/?[31m?: /nowhere/?[31m?.orca does not exist (the folder cannot be "
      "read: No such file or directory)");
}

TEST(Prefix, RefusesAnEmptyName) {
  EXPECT_EQ(FindPrefix("", "/nothing").substr(0, 19), "!no recording at : ");
}

}  // namespace
