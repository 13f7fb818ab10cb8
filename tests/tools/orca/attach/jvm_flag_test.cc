#include "tools/orca/attach/jvm_flag.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/tools/orca/attach/fake_jvm.h"

namespace {

/* A process with this command line and environment, in its own folder. */
class Sleeper {
 public:
  Sleeper(std::vector<std::string> words, std::vector<std::string> environment,
          const std::string &folder = MakeFolder()) {
    words.insert(words.begin() + 1, {"-c", "read x"}); /* it is a shell, whatever its name */
    std::vector<char *> argv, envp;
    for (std::string &word : words) argv.push_back(word.data());
    for (std::string &line : environment) envp.push_back(line.data());
    argv.push_back(nullptr);
    envp.push_back(nullptr);
    int input[2], started[2];
    EXPECT_EQ(pipe2(input, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(started, O_CLOEXEC), 0);
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (dup2(input[0], 0) == 0 && chdir(folder.c_str()) == 0) {
        execve("/bin/sh", argv.data(), envp.data());
      }
      _exit(127);
    }
    close(started[1]);
    char byte;
    (void)!read(started[0], &byte, 1); /* returns when exec closes the other end */
    close(started[0]);
    close(input[0]);
    input_ = input[1];
    target_.pid = pid_;
    target_.user = {geteuid(), getegid()};
    target_.proc = open(("/proc/" + std::to_string(pid_)).c_str(), O_RDONLY | O_DIRECTORY);
  }
  ~Sleeper() {
    close(target_.proc);
    close(input_);
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Sleeper(const Sleeper &) = delete;
  Sleeper &operator=(const Sleeper &) = delete;

  /* "off", or the place that switches Flag on. */
  std::string FindFlag() const {
    const char *where;
    bool is_on = jvm_flag_is_on(&target_, "Flag", &where);
    return !is_on ? "off" : where[0] == '\0' ? "command" : where;
  }

 private:
  pid_t pid_;
  int input_;
  struct target target_ = {};
};

std::string FindFlag(const std::vector<std::string> &words,
                     const std::vector<std::string> &environment = {}) {
  return Sleeper(words, environment).FindFlag();
}

TEST(JvmFlag, IsTheLastOneOfTheCommandLine) {
  EXPECT_EQ(FindFlag({"java", "Main"}), "off");
  EXPECT_EQ(FindFlag({"java", "-XX:+Flag", "Main"}), "command");
  EXPECT_EQ(FindFlag({"java", "-XX:+Flag", "-XX:-Flag", "Main"}), "off");
  EXPECT_EQ(FindFlag({"java", "-XX:-Flag", "-XX:+Flag", "Main"}), "command");
  EXPECT_EQ(FindFlag({"java", "-XX:+Flags", "-XX:", "-XX:+", "+Flag"}), "off");
}

TEST(JvmFlag, IsFoundInVariables) {
  EXPECT_EQ(FindFlag({"java"}, {"JAVA_TOOL_OPTIONS=-Xmx1g -XX:+Flag"}), "JAVA_TOOL_OPTIONS");
  EXPECT_EQ(FindFlag({"java"}, {"JAVA_TOOL_OPTIONS=\"-XX:+Flag\""}), "JAVA_TOOL_OPTIONS");
  EXPECT_EQ(FindFlag({"java"}, {"JAVA_TOOL_OPTIONS='-Da=x -XX:+Flag'"}), "off");
  EXPECT_EQ(FindFlag({"java", "-XX:-Flag"}, {"JAVA_TOOL_OPTIONS=-XX:+Flag"}), "off");
  EXPECT_EQ(FindFlag({"java", "-XX:+Flag"}, {"_JAVA_OPTIONS=-XX:-Flag"}), "off");
  EXPECT_EQ(FindFlag({"java", "-XX:-Flag"}, {"_JAVA_OPTIONS=-XX:+Flag"}), "_JAVA_OPTIONS");
  EXPECT_EQ(FindFlag({"java"}, {"JAVA_OPTS=-XX:+Flag"}), "off");
}

TEST(JvmFlag, OnlyTheLauncherReadsItsVariable) {
  EXPECT_EQ(FindFlag({"/jdk/bin/java"}, {"JDK_JAVA_OPTIONS=-XX:+Flag"}), "JDK_JAVA_OPTIONS");
  EXPECT_EQ(FindFlag({"/jdk/bin/jshell"}, {"JDK_JAVA_OPTIONS=-XX:+Flag"}), "off");
}

TEST(JvmFlag, IsFoundInFiles) {
  std::string folder = MakeFolder(), where = "an @ file of its command line";
  WriteFile(folder + "/on", "# options\n-Xmx1g\n-XX:+Flag # on\n");
  WriteFile(folder + "/off", "# -XX:+Flag\n");
  EXPECT_EQ(Sleeper({"java", "@on"}, {}, folder).FindFlag(), where);
  EXPECT_EQ(Sleeper({"java", "@" + folder + "/on"}, {}).FindFlag(), where);
  EXPECT_EQ(Sleeper({"java", "@off", "@none", "@", "@/dev/zero"}, {}, folder).FindFlag(), "off");
  EXPECT_EQ(Sleeper({"java", "@on", "-XX:-Flag"}, {}, folder).FindFlag(), "off");
  EXPECT_EQ(Sleeper({"java", "-XX:VMOptionsFile=on"}, {}, folder).FindFlag(),
            "the file of -XX:VMOptionsFile");
  EXPECT_EQ(Sleeper({"java"}, {"JDK_JAVA_OPTIONS=@on"}, folder).FindFlag(), where);
}

}  // namespace
