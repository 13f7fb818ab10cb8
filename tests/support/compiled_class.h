#pragma once
/* Compiles Java classes of the agent, to compare them with the bytes that the agent contains. */
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/jvm.h"

/* CompileClass compiles a file of the workspace for Java 8, into `folder`, and returns the bytes of
   the class, which is named like "java/lang/OrcaHook". */
inline std::string CompileClass(const Jdk &jdk, const std::string &folder,
                                const std::string &source, const std::string &name) {
  std::string command = "'" + jdk.home + "/bin/javac' -source 8 -target 8 -Xlint:-options -g:none" +
                        " -d '" + folder + "' '" + Runfile(source) + "'";
  EXPECT_EQ(system(command.c_str()), 0) << command;
  std::ifstream file(folder + "/" + name + ".class", std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/* ExpectCurrent checks that `bytes` are those of the class that the source is compiled to, by each
   javac of this machine from version 17 on. Older ones do not know all classes that it uses. */
inline void ExpectCurrent(const unsigned char *bytes, size_t len, const std::string &source,
                          const std::string &name) {
  std::string embedded(reinterpret_cast<const char *>(bytes), len);
  int num = 0;
  for (const Jdk &jdk : FindJdks()) {
    if (jdk.version < 17 || !std::filesystem::exists(jdk.home + "/bin/javac")) continue;
    num++;
    std::string compiled = CompileClass(jdk, testing::TempDir() + "/" + jdk.name, source, name);
    EXPECT_TRUE(embedded == compiled) << "the bytes of " << name << " are not those of " << source
                                      << " by " << jdk.home << "; run tools/renew-classes";
  }
  EXPECT_GT(num, 0) << "no javac of version 17 or later";
}
