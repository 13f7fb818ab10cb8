#include "tools/orca/pack/archive.h"

#include <stdlib.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/full_disk.h"
#include "tests/support/text.h"
#include "tests/tools/orca/dump/rotated.h"

namespace {

struct Written {
  bool ok;
  int error;
  struct archive_size size;
  std::string why;
};

Written WriteArchive(const std::string &prefix, const std::string &path) {
  Written w;
  struct builder why = {};
  struct output o = {};
  struct dump *d = dump_open(prefix.c_str(), &why);
  o.file = fopen(path.c_str(), "w");
  w.ok = archive_write(&o, d, &w.size, &why) && output_end(&o);
  w.error = o.error;
  w.why = std::string(why.data == nullptr ? "" : why.data, why.len);
  builder_free(&why);
  output_free(&o);
  fclose(o.file);
  dump_close(d);
  return w;
}

TEST(Archive, ContainsEveryFileOfEverySet) {
  RotatedFiles files;
  std::string path = files.Folder() + "/packed", folder = files.Folder() + "/unpacked";
  Written w = WriteArchive(files.Prefix(), path);
  EXPECT_TRUE(w.ok) << w.why;
  EXPECT_EQ(w.size.files, 21u);
  EXPECT_EQ(w.size.packed_bytes, std::filesystem::file_size(path));
  std::filesystem::create_directory(folder);
  ASSERT_EQ(system(("tar xzf " + path + " -C " + folder).c_str()), 0);
  uint64_t bytes = 0;
  size_t num = 0;
  for (const char *set : {"out.0001", "out.0002", "out"}) {
    for (const char *suffix : dump_suffixes) {
      std::string name = std::string("/") + set + suffix;
      EXPECT_EQ(ReadFile(folder + name), ReadFile(files.Folder() + name)) << name;
      bytes += std::filesystem::file_size(folder + name);
      num++;
    }
  }
  EXPECT_EQ(w.size.bytes, bytes);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}),
            static_cast<ptrdiff_t>(num));
}

TEST(Archive, TakesNamesAsTheyAre) {
  RotatedFiles files;
  for (const char *name : {"-rf", "a b\\n*"}) {
    std::string prefix = files.Folder() + "/" + name, path = files.Folder() + "/packed";
    files.Write(prefix, DUMP_EVENTS, "");
    Written w = WriteArchive(prefix, path);
    EXPECT_TRUE(w.ok) << w.why;
    EXPECT_EQ(w.size.files, 1u);
    files.Remove(prefix);
    ASSERT_EQ(system(("tar xzf " + path + " -C " + files.Folder()).c_str()), 0);
    EXPECT_TRUE(std::filesystem::exists(prefix + ".orca")) << prefix;
  }
}

TEST(Archive, FailsOnAFullDisk) {
  RotatedFiles files;
  std::string noise;
  for (unsigned i = 0, x = 1; i < 300000; i++)
    noise += static_cast<char>((x = x * 69069 + 1) >> 24);
  files.Write(files.Prefix(), DUMP_COUNTS, noise);
  FullDisk full(65536);
  Written w = WriteArchive(files.Prefix(), files.Folder() + "/packed");
  EXPECT_FALSE(w.ok);
  EXPECT_NE(w.error, 0);
}

TEST(Archive, SaysWhatTarCannotRead) {
  RotatedFiles files;
  files.Write(files.Prefix(), DUMP_COUNTS, "");
  std::string path = files.Prefix() + ".counts";
  std::filesystem::remove(path);
  std::filesystem::create_directory(path + "x");
  struct builder why = {};
  struct dump *d = dump_open(files.Prefix().c_str(), &why);
  struct output o = {};
  struct archive_size size;
  o.file = fopen("/dev/null", "w");
  ASSERT_EQ(setenv("PATH", "/no/such/folder", 1), 0);
  EXPECT_FALSE(archive_write(&o, d, &size, &why));
  EXPECT_EQ(std::string(why.data, why.len), "tar cannot be started: No such file or directory");
  ASSERT_EQ(setenv("PATH", "/usr/bin:/bin", 1), 0);
  EXPECT_EQ(o.error, 0);
  builder_free(&why);
  output_free(&o);
  fclose(o.file);
  dump_close(d);
}

}  // namespace
