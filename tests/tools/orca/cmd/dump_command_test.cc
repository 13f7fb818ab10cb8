#include "tools/orca/cmd/dump_command.h"

#include <stdlib.h>

#include <string>

#include "gtest/gtest.h"
#include "tests/support/dump_files.h"
#include "tools/orca/cmd/commands.h"

namespace {

int StorePrefix(struct dump *d, const void *arg) {
  *static_cast<std::string *>(const_cast<void *>(arg)) = dump_prefix(d);
  return 42;
}

TEST(DumpCommand, ReturnsTheResultOfTheCommand) {
  DumpFiles files;
  WriteGoodDump(&files);
  std::string prefix;
  EXPECT_EQ(dump_command_run(files.Prefix().c_str(), StorePrefix, &prefix), 42);
  EXPECT_EQ(prefix, files.Prefix());
}

TEST(DumpCommand, OpensTheRecordingInAZip) {
  DumpFiles files;
  WriteGoodDump(&files);
  std::string prefix, folder = files.Folder() + "/test.outputs";
  ASSERT_EQ(system(("cd " + files.Folder() +
                    " && mkdir test.outputs && echo x >report.txt && zip -q "
                    "test.outputs/outputs.zip report.txt out.* && rm report.txt")
                       .c_str()),
            0);
  for (const char *name : {"", "/", "/out", "/outputs.zip", "/outputs.zip/out"}) {
    EXPECT_EQ(dump_command_run((folder + name).c_str(), StorePrefix, &prefix), 42) << name;
    EXPECT_EQ(prefix, folder + "/out") << name;
  }
  testing::internal::CaptureStderr();
  EXPECT_EQ(dump_command_run((folder + "/none").c_str(), StorePrefix, &prefix), MISUSED);
  std::string message = testing::internal::GetCapturedStderr();
  EXPECT_EQ(message, "orca: no recording none: " + folder + "/outputs.zip contains only out\n");
  EXPECT_EQ(system(("rm -r " + folder).c_str()), 0);
}

TEST(DumpCommand, PrintsTheReasonIfThereIsNoDump) {
  std::string prefix = "untouched";
  testing::internal::CaptureStderr();
  EXPECT_EQ(dump_command_run("/no/such/dump", StorePrefix, &prefix), MISUSED);
  std::string message = testing::internal::GetCapturedStderr();
  EXPECT_EQ(message.rfind("orca: no recording at /no/such/dump", 0), 0u) << message;
  EXPECT_EQ(prefix, "untouched");
}

int ReadAndEnd(struct dump *d, const void *arg) {
  struct stream *s = dump_stream(d, DUMP_EVENTS);
  for (struct event_line line; stream_event(s, &line);) {
  }
  stream_close(s);
  return dump_command_end("peek", d, *static_cast<const int *>(arg));
}

struct EndResult {
  int status;
  std::string text;
};

EndResult RunAndEnd(const DumpFiles &files, int status_of_run = DONE) {
  testing::internal::CaptureStderr();
  int status = dump_command_run(files.Prefix().c_str(), ReadAndEnd, &status_of_run);
  return {status, testing::internal::GetCapturedStderr()};
}

TEST(DumpCommandEnd, PrintsNothingWithoutFaults) {
  DumpFiles files;
  WriteGoodDump(&files);
  EXPECT_EQ(RunAndEnd(files).status, DONE);
  EXPECT_EQ(RunAndEnd(files).text, "");
}

TEST(DumpCommandEnd, KeepsTheStatusOfTheCommand) {
  DumpFiles files;
  WriteGoodDump(&files);
  EXPECT_EQ(RunAndEnd(files, WRONG).status, WRONG);
  files.Write(DUMP_EVENTS, "rubbish\n");
  EXPECT_EQ(RunAndEnd(files, MISUSED).status, MISUSED);
  EXPECT_EQ(RunAndEnd(files, MISUSED).text, "");
}

// Sorted by file and line, one line for each kind of fault, and only three kinds.
TEST(DumpCommandEnd, PrintsTheFirstFaults) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Write(DUMP_EVENTS, "rubbish\n1.0000000000,Wine,0\nrubbish\n");
  files.Remove(DUMP_SAMPLES);
  const std::string events = "orca: peek: " + files.Path(DUMP_EVENTS);
  EXPECT_EQ(RunAndEnd(files).status, WRONG);
  EXPECT_EQ(RunAndEnd(files).text,
            events + ":1: the timestamp is not seconds with ten decimals (2 times)\n" + events +
                ":2: no event has this name\n");
  files.Append(DUMP_EVENTS, "2.0000000000\n3.0000000000,ThreadEnded,x\n");
  EXPECT_EQ(RunAndEnd(files).text.substr(RunAndEnd(files).text.rfind("orca: ")),
            "orca: peek: the files have more faults; see orca check " + files.Prefix() + "\n");
}

}  // namespace
