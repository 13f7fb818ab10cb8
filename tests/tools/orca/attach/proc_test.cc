#include "tools/orca/attach/proc.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

struct span MakeSpan(const std::string &s) {
  return {s.data(), s.size()};
}

const char kStatus[] =
    "Name:\tjava State:\tZ\n"
    "Umask:\t0022\n"
    "State:\tS (sleeping)\n"
    "Tgid:\t4711\n"
    "Pid:\t4711\n"
    "Uid:\t1000\t1001\t1002\t1003\n"
    "Gid:\t100\t101\t102\t103\n"
    "NSpid:\t4711\t23\t1\n"
    "SigBlk:\t0000000000000000\n"
    "SigCgt:\t0000000101005ccd\n";

std::string RemoveLine(const std::string &line) {
  std::string text = kStatus;
  size_t at = text.find("\n" + line) + 1;
  return text.erase(at, text.find('\n', at) + 1 - at);
}

TEST(ProcStatus, IsReadForAJvmInAContainer) {
  struct proc_status s;
  ASSERT_TRUE(proc_status_read(MakeSpan(kStatus), &s));
  EXPECT_EQ(s.state, 'S');
  EXPECT_EQ(s.process, 4711);
  EXPECT_EQ(s.inner_pid, 1);
  EXPECT_EQ(s.uid, 1001u);
  EXPECT_EQ(s.gid, 101u);
  EXPECT_EQ(s.caught, 0x101005ccdu);
  EXPECT_TRUE(s.caught >> (SIGQUIT - 1) & 1);
}

TEST(ProcStatus, UsesThePidWithoutNamespaces) {
  struct proc_status s;
  ASSERT_TRUE(proc_status_read(MakeSpan(RemoveLine("NSpid")), &s));
  EXPECT_EQ(s.inner_pid, 4711);
}

TEST(ProcStatus, RequiresEveryOtherLine) {
  struct proc_status s;
  for (const char *line : {"State", "Tgid", "Uid", "Gid", "SigCgt"}) {
    EXPECT_FALSE(proc_status_read(MakeSpan(RemoveLine(line)), &s)) << line;
  }
  EXPECT_FALSE(proc_status_read({nullptr, 0}, &s));
}

TEST(ProcStatus, RefusesMalformedNumbers) {
  for (const char *bad : {"Tgid:\tx\n", "Tgid:\t\n", "Tgid:\t-1\n", "Tgid:\t2147483648\n",
                          "Uid:\t1\n", "Gid:\t1\t4294967296\n", "SigCgt:\tfffffffffffffffff\n"}) {
    std::string key(bad, strchr(bad, ':'));
    struct proc_status s;
    EXPECT_FALSE(proc_status_read(MakeSpan(RemoveLine(key) + bad), &s)) << bad;
  }
}

TEST(ProcStatus, IsReadForThisProcess) {
  struct proc_status s;
  ASSERT_TRUE(proc_status_read(MakeSpan(ReadFile("/proc/self/status")), &s));
  EXPECT_EQ(s.process, getpid());
  EXPECT_EQ(s.uid, geteuid());
  EXPECT_EQ(s.gid, getegid());
}

TEST(ProcStart, IsReadAfterANameWithAnyCharacters) {
  uint64_t start;
  const std::string rest = " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987654 20 21\n";
  ASSERT_TRUE(proc_start_read(MakeSpan("12 (a b) c)" + rest), &start));
  EXPECT_EQ(start, 987654u);
  EXPECT_FALSE(proc_start_read(MakeSpan("12 (java) S 1 2 3"), &start));
  EXPECT_FALSE(proc_start_read(MakeSpan("12 java"), &start));
  EXPECT_FALSE(proc_start_read({nullptr, 0}, &start));
  EXPECT_TRUE(proc_start_read(MakeSpan(ReadFile("/proc/self/stat")), &start));
}

std::vector<std::string> ReadMappings(const std::string &maps) {
  std::vector<std::string> paths;
  struct span rest = MakeSpan(maps), path;
  while (proc_next_mapping(&rest, &path)) paths.emplace_back(path.data, path.len);
  return paths;
}

TEST(ProcMappings, AreThePathsOfMappedFiles) {
  EXPECT_EQ(ReadMappings(
                "7fc1f8600000-7fc1f8851000 r--p 00000000 fe:00 318057    /usr/lib/libjvm.so\n"
                "7fc1f8600000-7fc1f8851000 rw-p 00000000 00:00 0 \n"
                "7fc1f8600000-7fc1f8851000 rw-p 00000000 00:00 0    [heap]\n"
                "7fc1f8600000-7fc1f8851000 r-xp 00000000 fe:00 9    /a b/liborca.so (deleted)\n"),
            (std::vector<std::string>{"/usr/lib/libjvm.so", "/a b/liborca.so"}));
  EXPECT_EQ(ReadMappings("").size(), 0u);
}

std::string GetFileName(const std::string &path) {
  struct span name = proc_file_name(MakeSpan(path));
  return std::string(name.data, name.len);
}

TEST(ProcFileName, IsTheLastPart) {
  EXPECT_EQ(GetFileName("/usr/lib/libjvm.so"), "libjvm.so");
  EXPECT_EQ(GetFileName("libjvm.so"), "libjvm.so");
  EXPECT_EQ(GetFileName("/usr/"), "");
}

std::vector<std::string> ReadOptions(const std::string &text, bool has_comments = false) {
  std::vector<std::string> options;
  struct span rest = MakeSpan(text);
  struct builder option = {};
  while (proc_next_option(&rest, has_comments, &option)) {
    options.push_back(option.len == 0 ? "" : std::string(option.data, option.len));
  }
  builder_free(&option);
  return options;
}

TEST(ProcOption, EndsAtSpacesOutsideOfQuotes) {
  using Options = std::vector<std::string>;
  EXPECT_EQ(ReadOptions(""), Options{});
  EXPECT_EQ(ReadOptions(" \n"), Options{});
  EXPECT_EQ(ReadOptions("-a  -b\t-c\n"), (Options{"-a", "-b", "-c"}));
  EXPECT_EQ(ReadOptions("-Da=\"b c\" '-d e' \"it's\""), (Options{"-Da=b c", "-d e", "it's"}));
  EXPECT_EQ(ReadOptions("'-open end"), Options{"-open end"});
}

TEST(ProcOption, LeavesOutComments) {
  std::string text = "# -a -b\n-c # -d\n-e#f\n#";
  EXPECT_EQ(ReadOptions(text, true), (std::vector<std::string>{"-c", "-e#f"}));
  EXPECT_EQ(ReadOptions("#a"), std::vector<std::string>{"#a"});
}

std::string ReadVariable(const std::string &name) {
  static const char environ[] = "A=1\0NAME=x=y\0NAMES=2\0EMPTY=\0broken";
  struct span value;
  if (!proc_variable({environ, sizeof environ - 1}, name.c_str(), &value)) return "none";
  return std::string(value.data, value.len);
}

TEST(ProcVariable, IsTheTextAfterItsName) {
  EXPECT_EQ(ReadVariable("A"), "1");
  EXPECT_EQ(ReadVariable("NAME"), "x=y");
  EXPECT_EQ(ReadVariable("EMPTY"), "");
  EXPECT_EQ(ReadVariable("broken"), "none");
  EXPECT_EQ(ReadVariable("B"), "none");
}

}  // namespace
