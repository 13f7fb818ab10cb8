#include "tools/orca/cmd/dump_command.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/dump_files.h"

namespace {

int Prefix(struct dump *d, const void *arg) {
  *static_cast<std::string *>(const_cast<void *>(arg)) = dump_prefix(d);
  return 42;
}

TEST(OnDump, GivesWhatTheCommandGives) {
  DumpFiles files;
  WriteGoodDump(&files);
  std::string prefix;
  EXPECT_EQ(dump_command(files.Prefix().c_str(), Prefix, &prefix), 42);
  EXPECT_EQ(prefix, files.Prefix());
}

TEST(OnDump, WhereThereIsNoneItSaysSoAndRunsNothing) {
  std::string prefix = "untouched";
  testing::internal::CaptureStderr();
  EXPECT_EQ(dump_command("/no/such/dump", Prefix, &prefix), MISUSED);
  std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(said.rfind("orca: no dump at /no/such/dump", 0), 0u) << said;
  EXPECT_EQ(prefix, "untouched");
}

int End(struct dump *d, const void *arg) {
  struct stream *s = dump_stream(d, DUMP_EVENTS);
  for (struct event_line line; stream_event(s, &line);) {
  }
  stream_close(s);
  return dump_command_end("peek", d, *static_cast<const int *>(arg));
}

struct Said {
  int status;
  std::string text;
};

Said EndOf(const DumpFiles &files, int status_of_run = DONE) {
  testing::internal::CaptureStderr();
  int status = dump_command(files.Prefix().c_str(), End, &status_of_run);
  return {status, testing::internal::GetCapturedStderr()};
}

TEST(OnDumpEnd, NothingIsWrong) {
  DumpFiles files;
  WriteGoodDump(&files);
  EXPECT_EQ(EndOf(files).status, DONE);
  EXPECT_EQ(EndOf(files).text, "");
}

TEST(OnDumpEnd, WhatTheCommandSaysComesFirst) {
  DumpFiles files;
  WriteGoodDump(&files);
  EXPECT_EQ(EndOf(files, WRONG).status, WRONG);
  files.Write(DUMP_EVENTS, "rubbish\n");
  EXPECT_EQ(EndOf(files, MISUSED).status, MISUSED);
  EXPECT_EQ(EndOf(files, MISUSED).text, "");
}

// With file and line, by file and line, the same kind once, and not without an end.
TEST(OnDumpEnd, WhatIsBroken) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Write(DUMP_EVENTS, "rubbish\n1.0000000000,Wine,0\nrubbish\n");
  files.Remove(DUMP_SAMPLES);
  const std::string events = "orca: peek: " + files.Path(DUMP_EVENTS);
  EXPECT_EQ(EndOf(files).status, WRONG);
  EXPECT_EQ(EndOf(files).text,
            events + ":1: the timestamp is not seconds with ten decimals (2 times)\n" + events +
                ":2: no event has this name\n");
  files.Append(DUMP_EVENTS, "2.0000000000\n3.0000000000,ThreadEnded,x\n");
  EXPECT_EQ(EndOf(files).text.substr(EndOf(files).text.rfind("orca: ")),
            "orca: peek: and more in the files is broken; see orca check " + files.Prefix() + "\n");
}

}  // namespace
