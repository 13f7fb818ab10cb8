/* Tests the archive of a release: its files, what its programs need, and that two builds are equal.
 */
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/text.h"

namespace {

namespace fs = std::filesystem;

/* The archive is for the CPU of this test. */
#ifdef __aarch64__
const char kCpu[] = "aarch64", kLoader[] = "ld-linux-aarch64.so.1";
#else
const char kCpu[] = "x86_64", kLoader[] = "ld-linux-x86-64.so.2";
#endif

/* README.md promises that this version of glibc is enough for the agent. */
constexpr int GLIBC_MAJOR = 2, GLIBC_MINOR = 17;

std::string RunShell(const std::string &line) {
  std::string out;
  FILE *pipe = popen(line.c_str(), "r");
  for (int c; (c = getc(pipe)) != EOF;) out += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << line;
  return out;
}

std::vector<std::string> RunLines(const std::string &line) {
  std::istringstream out(RunShell(line));
  std::vector<std::string> lines;
  for (std::string text; std::getline(out, text);) lines.push_back(text);
  return lines;
}

class Release : public testing::Test {
 protected:
  Release() {
    std::string version = ReadFile("VERSION");
    version_ = version.substr(0, version.find('\n'));
    name_ = "orca-" + version_ + "-linux-" + kCpu;
    folder_ = testing::TempDir() + "/release";
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    RunShell("tar -C '" + folder_ + "' -xzf " + Archive());
  }
  ~Release() override { fs::remove_all(folder_); }

  std::string Archive() { return "tools/release/release/" + name_ + ".tar.gz"; }

  /* Program returns the shell's words that start the program. With --config=arm64 the test runs
     under qemu, but the shell is the machine's own. */
  std::string Program() {
    bool is_native = RunShell("uname -m") == std::string(kCpu) + "\n";
    return (is_native ? "" : "qemu-" + std::string(kCpu) + "-static ") + File("bin/orca");
  }

  /* File returns the path of an extracted file. */
  std::string File(const std::string &path) { return folder_ + "/" + name_ + "/" + path; }

  std::string Readelf(const std::string &options, const std::string &path) {
    return RunShell("LC_ALL=C readelf -W " + options + " '" + File(path) + "'");
  }

  /* FindNeeded returns the libraries that a file is linked with. */
  std::set<std::string> FindNeeded(const std::string &path) {
    std::set<std::string> needed;
    std::istringstream lines(Readelf("-d", path));
    for (std::string line; std::getline(lines, line);) {
      size_t start = line.find('['), end = line.find(']');
      if (line.find("(NEEDED)") == std::string::npos || end == std::string::npos) continue;
      needed.insert(line.substr(start + 1, end - start - 1));
    }
    return needed;
  }

  /* FindTooNew returns the symbols of newer versions of glibc than the promised one. */
  std::vector<std::string> FindTooNew(const std::string &path) {
    const std::string mark = "@GLIBC_";
    std::vector<std::string> found;
    std::istringstream words(Readelf("--dyn-syms", path));
    for (std::string word; words >> word;) {
      size_t at = word.find(mark);
      if (at == std::string::npos) continue;
      int major = 0, minor = 0;
      int num = sscanf(word.c_str() + at + mark.size(), "%d.%d", &major, &minor);
      bool is_old = major == GLIBC_MAJOR && minor <= GLIBC_MINOR;
      if (num < 2 || !is_old) found.push_back(word);
    }
    return found;
  }

  std::string version_, name_, folder_;
};

TEST_F(Release, ContainsEveryPart) {
  for (const char *path : {"README.md", "bin/orca", "lib/liborca.so", "lib/liborca.so.debug",
                           "share/bash-completion/completions/orca", "share/man/man1/orca.1",
                           "share/man/man1/orca-report.1", "share/man/man7/orca-options.7"}) {
    EXPECT_TRUE(fs::is_regular_file(File(path))) << path;
  }
  EXPECT_EQ(ReadFile(File("README.md")), ReadFile("README.md"));
}

TEST_F(Release, RunsFromItsFolder) {
  EXPECT_EQ(RunShell(Program() + " version").rfind("orca " + version_, 0), 0u);
}

TEST_F(Release, FindsItsAgent) {
  /* The command fails: what matters is that the program starts it with the agent of the archive. */
  std::string out = RunShell(Program() + " run -o '" + folder_ +
                             "/x' -- sh -c 'echo $JAVA_TOOL_OPTIONS' 2>&1 || true");
  EXPECT_NE(out.find("/lib/liborca.so=" + folder_ + "/x"), std::string::npos) << out;
}

TEST_F(Release, NeedsNothingForTheProgram) {
  EXPECT_EQ(FindNeeded("bin/orca"), std::set<std::string>());
  EXPECT_EQ(Readelf("-l", "bin/orca").find("INTERP"), std::string::npos);
}

/* All of these are parts of glibc; a new one keeps the first three as empty files. */
TEST_F(Release, NeedsOnlyGlibcForTheAgent) {
  EXPECT_EQ(
      FindNeeded("lib/liborca.so"),
      (std::set<std::string>{"libdl.so.2", "libpthread.so.0", "librt.so.1", kLoader, "libc.so.6"}));
}

TEST_F(Release, NeedsOnlyThePromisedGlibc) {
  EXPECT_EQ(FindTooNew("lib/liborca.so"), std::vector<std::string>());
  std::string promise =
      "glibc " + std::to_string(GLIBC_MAJOR) + "." + std::to_string(GLIBC_MINOR) + " or later";
  EXPECT_NE(ReadFile("README.md").find(promise), std::string::npos) << promise;
}

TEST_F(Release, HasTheSymbolsOfTheAgentApart) {
  EXPECT_EQ(Readelf("-S", "lib/liborca.so").find(".symtab"), std::string::npos);
  EXPECT_NE(Readelf("-p .gnu_debuglink", "lib/liborca.so").find("liborca.so.debug"),
            std::string::npos);
  EXPECT_NE(Readelf("-s", "lib/liborca.so.debug").find(" recorder_put\n"), std::string::npos);
  EXPECT_NE(Readelf("-S", "lib/liborca.so.debug").find(".debug_info"), std::string::npos);
}

TEST_F(Release, HasTheSumOfTheArchive) {
  RunShell("cd tools/release/release && sha256sum --quiet -c " + name_ + ".tar.gz.sha256");
}

/* Without these, two builds of the same files would differ. */
TEST_F(Release, HasEntriesWithoutOwnerAndTime) {
  std::vector<std::string> entries = RunLines("tar --utc --full-time -tvzf " + Archive());
  EXPECT_GT(entries.size(), 8u);
  for (const std::string &entry : entries) {
    EXPECT_NE(entry.find(" 0/0 "), std::string::npos) << entry;
    EXPECT_NE(entry.find(" 1980-01-01 00:00:00 "), std::string::npos) << entry;
  }
  std::vector<std::string> names = RunLines("tar -tzf " + Archive());
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST_F(Release, HasAGzipHeaderWithoutNameAndTime) {
  std::string header = ReadFile(Archive()).substr(3, 5); /* flags, 4 bytes of the time */
  EXPECT_EQ(header, std::string(5, '\0'));
}

/* The program knows the name bazel-out, but no folder in it. */
TEST_F(Release, ContainsNoPathOfTheBuild) {
  for (const char *path : {"bin/orca", "lib/liborca.so", "lib/liborca.so.debug"}) {
    EXPECT_EQ(ReadFile(File(path)).find("execroot"), std::string::npos) << path;
    EXPECT_EQ(ReadFile(File(path)).find("bazel-out/k8"), std::string::npos) << path;
  }
}

}  // namespace
