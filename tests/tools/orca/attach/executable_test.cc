#include "tools/orca/attach/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <string.h>
#include <unistd.h>

#include <string>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

/* An ELF file with a segment that is no loader, and one with the path of the loader. */
std::string MakeProgram(const std::string &loader) {
  Elf64_Ehdr header = {};
  Elf64_Phdr rows[2] = {};
  memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof rows[0];
  header.e_phnum = 2;
  rows[0].p_type = PT_PHDR;
  rows[1].p_type = PT_INTERP;
  rows[1].p_offset = sizeof header + sizeof rows;
  return std::string(reinterpret_cast<char *>(&header), sizeof header) +
         std::string(reinterpret_cast<char *>(rows), sizeof rows) + loader;
}

std::string FindObstacle(const std::string &bytes) {
  std::string path = MakeFolder() + "/java";
  WriteFile(path, bytes);
  int fd = open(path.c_str(), O_RDONLY);
  const char *obstacle = executable_find_obstacle(fd);
  close(fd);
  return obstacle == nullptr ? "none" : obstacle;
}

TEST(Executable, WithMuslCannotLoadTheAgent) {
  EXPECT_EQ(FindObstacle(MakeProgram("/lib/ld-musl-x86_64.so.1")), EXECUTABLE_HAS_MUSL);
  EXPECT_EQ(FindObstacle(MakeProgram("/lib64/ld-linux-x86-64.so.2")), "none");
}

TEST(Executable, With32BitsCannotLoadTheAgent) {
  std::string bytes = MakeProgram("/lib/ld-linux.so.2");
  bytes[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(FindObstacle(bytes), EXECUTABLE_HAS_32_BITS);
}

TEST(Executable, OfThisTestHasNoObstacle) {
  int fd = open("/proc/self/exe", O_RDONLY);
  EXPECT_EQ(executable_find_obstacle(fd), nullptr);
  close(fd);
}

TEST(Executable, ThatIsBrokenOrAScriptHasNoObstacle) {
  std::string bytes = MakeProgram("/lib/ld-musl-x86_64.so.1");
  for (size_t len : {0, 5, 63, 64, 100}) EXPECT_EQ(FindObstacle(bytes.substr(0, len)), "none");
  EXPECT_EQ(FindObstacle("#!/bin/sh\nexec /usr/lib/jvm/jdk/bin/java \"$@\" # a long enough line\n"),
            "none");
  EXPECT_EQ(executable_find_obstacle(-1), nullptr);
}

}  // namespace
