#pragma once
// The orca program in its own folder, with a fake agent, and a fake java that writes a dump to the
// prefix of the agent, or to PREFIX-PID if a java of the same run has written PREFIX. The dump says
// that it used $CPU seconds of CPU time.
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/support/text.h"

class OrcaProgram {
 public:
  OrcaProgram() {
    std::string path = testing::TempDir() + "/orca_XXXXXX";
    folder = std::filesystem::canonical(mkdtemp(path.data()));
    EXPECT_EQ(system(("cp -L tools/orca/orca " + folder + "/orca").c_str()), 0);
    Write("liborca.so", "");
    WriteScript(
        "java",
        "for word; do case $word in -agentpath:*) option=${word#-agentpath:} ;; esac; done\n"
        "if [ -z \"${option:-}\" ]; then option=$(eval echo \"${JAVA_TOOL_OPTIONS#-agentpath:}\"); "
        "fi\n"
        "given=${option#*=}\n"
        "prefix=$(echo \"${given%%,*}\" | sed s/%p/$$/)\n"
        "if grep -qsx \"run=$ORCA_RUN\" \"$prefix.info\"; then prefix=$prefix-$$; fi\n"
        "echo agent=\"${option%%=*}\" given=\"$given\" options=\"${JAVA_TOOL_OPTIONS:-}\" \"$@\"\n"
        "printf '1.0000000000,ThreadStarted,00000001,main\\n' >\"$prefix.orca\"\n"
        "printf 'pid=%d\\nrun=%s\\nstart.monotonic=0.5000000000\\n' $$ \"$ORCA_RUN\" "
        ">\"$prefix.info\"\n"
        "printf 'command=java %s\\n' \"$*\" >>\"$prefix.info\"\n"
        "printf '2.0000000000,Process,%d000000000,-1\\n' ${CPU:-1} >\"$prefix.samples\"\n"
        "exit ${EXIT:-0}\n");
  }
  ~OrcaProgram() { EXPECT_EQ(system(("rm -rf " + folder).c_str()), 0); }

  void Write(const std::string &name, const std::string &text) {
    std::ofstream(folder + "/" + name) << text;
  }
  void WriteScript(const std::string &name, const std::string &text) {
    Write(name, "#!/bin/sh\n" + text);
    chmod((folder + "/" + name).c_str(), 0755);
  }
  std::string Read(const std::string &name) { return ReadFile(folder + "/" + name); }

  // Runs a line of shell in the folder of orca and java, and sets out and err. Returns the exit
  // status.
  int RunShell(const std::string &line) {
    int status =
        system(("cd " + folder +
                " && unset TEST_UNDECLARED_OUTPUTS_DIR TEST_TARGET JAVA_TOOL_OPTIONS ORCA_RUN; "
                "PATH=.:$PATH; { " +
                line + "; } >out 2>err")
                   .c_str());
    out = Read("out");
    err = Read("err");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  bool OutHas(const std::string &part) const { return Has(out, part); }
  bool ErrHas(const std::string &part) const { return Has(err, part); }

  std::string folder, out, err;
};
