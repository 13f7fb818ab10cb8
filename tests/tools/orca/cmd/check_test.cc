#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/dump_files.h"
#include "tests/tools/orca/cmd/command.h"

namespace {

Outcome RunCheck(std::vector<std::string> args) {
  args.insert(args.begin(), "check");
  return RunCommand(cmd_check, args);
}

TEST(CmdCheck, PrintsTheTotalsOfAValidDump) {
  DumpFiles files;
  WriteGoodDump(&files);
  Outcome o = RunCheck({files.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, files.Prefix() +
                       ": 21 events, 5 samples, 9 methods, 5 classes, 5 objects, all right\n");
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(RunCheck({"--", files.Path(DUMP_EVENTS)}).out, o.out);
}

TEST(CmdCheck, PrintsCutFilesAndDroppedEvents) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_METHODS, "100.0");
  files.Replace(DUMP_INFO, "events.dropped=0", "events.dropped=3");
  Outcome o = RunCheck({files.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_NE(o.out.find("all right; events were dropped, so the pairs were not checked; .methods "
                       "ends within a line\n"),
            std::string::npos)
      << o.out;
}

TEST(CmdCheck, SaysThatAllocationsFailed) {
  const struct {
    const char *line, *says;
  } cases[] = {{"memory.failed=0\n", ""},
               {"memory.failed=1\n",
                ": 1 allocation of the agent failed, as there was no memory: lines or their "
                "definitions may be missing\n"},
               {"memory.failed=12\n",
                ": 12 allocations of the agent failed, as there was no memory: lines or their "
                "definitions may be missing\n"}};
  for (const auto &c : cases) {
    DumpFiles files;
    WriteGoodDump(&files);
    std::string good = RunCheck({files.Prefix()}).out;
    files.Append(DUMP_INFO, c.line);
    std::string says = *c.says == 0 ? "" : files.Prefix() + c.says;
    EXPECT_EQ(RunCheck({files.Prefix()}).out, good + says);
    files.Append(DUMP_EVENTS, "200.0000000031,rubbish\n");
    Outcome bad = RunCheck({files.Prefix()});
    EXPECT_EQ(bad.status, 1);
    EXPECT_EQ(bad.out.substr(bad.out.size() - says.size()), says);
    EXPECT_EQ(bad.out.find("allocation") != std::string::npos, !says.empty());
  }
}

TEST(CmdCheck, PrintsOneLineForEachBrokenRule) {
  DumpFiles files;
  WriteGoodDump(&files);
  files.Append(DUMP_EVENTS, "200.0000000030,ThreadSleep,0000000A,0\n200.0000000031,rubbish\n");
  files.Replace(DUMP_INFO, "written=21", "written=23");
  files.Append(DUMP_OBJECTS, "100.0000000030,000000FF,000000FF\n");
  Outcome o = RunCheck({files.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, files.Prefix() + ".orca:23: no event has this name\n" + files.Prefix() +
                       ".objects:6: the class 000000FF of the object has no line in .classtable\n");
  EXPECT_EQ(o.err, "");
}

TEST(CmdCheck, NeedsAPrefixAfterTheLastOption) {
  Outcome o = RunCheck({"--"});
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "orca: check: which recording? PREFIX is missing; see orca check --help\n");
}

}  // namespace
