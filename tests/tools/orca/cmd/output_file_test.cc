#include "tools/orca/cmd/output_file.h"

#include <unistd.h>

#include <fstream>
#include <string>

#include "tests/support/dump_files.h"
#include "tests/support/full_disk.h"
#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tools/orca/cmd/dump_command.h"

namespace {

// Appends "hello" this many times. Fails like a lack of memory if the number is negative.
bool WriteHellos(struct output *o, void *arg) {
  int times = *static_cast<int *>(arg);
  for (int i = 0; i < times; i++) builder_string(&o->text, "hello");
  return times >= 0;
}

class OutputFile : public testing::Test {
 protected:
  OutputFile() { files_.Write(DUMP_EVENTS, "100.0000000000,ThreadStarted,00000001,main\n"); }
  ~OutputFile() override { unlink(GetPath().c_str()); }

  std::string GetPath() const { return files_.Folder() + "/written"; }
  int RunOutput(const std::string &name, int times) {
    struct builder why = {};
    struct dump *d = dump_open(files_.Prefix().c_str(), &why);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int status = output_file_write("make", &d, 1, name.c_str(), WriteHellos, &times);
    fflush(stdout);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    dump_close(d);
    builder_free(&why);
    return status;
  }

  DumpFiles files_;
  std::string out_, err_;
};

TEST_F(OutputFile, IsTheNamedFileOrStdout) {
  EXPECT_EQ(RunOutput(GetPath(), 2), DONE);
  EXPECT_EQ(ReadFile(GetPath()), "hellohello");
  EXPECT_EQ(out_ + err_, "");
  EXPECT_EQ(RunOutput("-", 1), DONE);
  EXPECT_EQ(out_, "hello");
  EXPECT_EQ(RunOutput(GetPath(), 0), DONE);
  EXPECT_EQ(ReadFile(GetPath()), "");
}

TEST_F(OutputFile, IsRefusedIfItCannotBeCreated) {
  EXPECT_EQ(RunOutput("/no/such/folder/x", 1), MISUSED);
  EXPECT_EQ(err_, "orca: make: cannot write /no/such/folder/x: No such file or directory\n");
}

TEST_F(OutputFile, IsRefusedIfItBelongsToTheRecording) {
  std::string name = files_.Path(DUMP_EVENTS), before = ReadFile(name);
  EXPECT_EQ(RunOutput(name, 1), MISUSED);
  EXPECT_NE(err_.find("which is a file of the recording"), std::string::npos) << err_;
  EXPECT_EQ(ReadFile(name), before);
}

TEST_F(OutputFile, IsRefusedIfItBelongsToAnEarlierSet) {
  std::string name = files_.Prefix() + ".0001.orca";
  std::ofstream(name) << "100.0000000000,ThreadStarted,00000001,main\n";
  std::ofstream(files_.Prefix() + ".0001.info") << "start.monotonic=100.0000000000\nset.number=1\n";
  files_.Write(DUMP_INFO, "start.monotonic=100.0000000000\nset.number=2\n");
  std::string before = ReadFile(name);
  EXPECT_EQ(RunOutput(name, 1), MISUSED);
  EXPECT_EQ(ReadFile(name), before);
  for (const char *suffix : {".orca", ".info"})
    unlink((files_.Prefix() + ".0001" + suffix).c_str());
}

TEST_F(OutputFile, FailsOnAFullDisk) {
  FullDisk disk(1000);
  EXPECT_EQ(RunOutput(GetPath(), 1000), WRONG);
  EXPECT_EQ(err_, "orca: make: cannot write " + GetPath() + ": File too large\n");
}

TEST_F(OutputFile, FailsWithoutMemory) {
  EXPECT_EQ(RunOutput(GetPath(), -1), WRONG);
  EXPECT_EQ(err_, "orca: make: out of memory\n");
}

}  // namespace
