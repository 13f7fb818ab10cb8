#include <unistd.h>

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/cmd/commands.h"

namespace {

class CmdTop : public testing::Test {
 protected:
  CmdTop() { WriteSmallDump(&files_); }
  Outcome RunTop(std::vector<std::string> words) {
    words.insert(words.begin(), "top");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_top, words);
  }

  DumpFiles files_;
};

TEST_F(CmdTop, PrintsTheLastSeconds) {
  Outcome o = RunTop({"--once", "--window", "2"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out.find("11:37:46 UTC, the last 2.00 s\n"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "\n3 threads: 2 blocked, 1 waiting\n")) << o.out;
  EXPECT_TRUE(
      Has(o.out,
          "\nDEADLOCK: worker-1 waits for com.acme.Inventory@000000A1 of worker-2; worker-2 "
          "waits for monitor in OrderService.price:88 (Object@000000A2) of worker-1\n"))
      << o.out;
  EXPECT_TRUE(Has(o.out, "\n   2.00 s      1.0      0    1  com.acme.Inventory@000000A1 "))
      << o.out;
  EXPECT_TRUE(Has(o.out, "worker-2, blocked at OrderService.price:88\n")) << o.out;
  EXPECT_TRUE(Has(o.out, "\n2.00 s  worker-1  Inventory.reserve:42   com.acme.Inventory@000000A1"))
      << o.out;
}

TEST_F(CmdTop, PrintsMethods) {
  Outcome o = RunTop({"--window", "100"});  // no terminal: the same as --once
  EXPECT_TRUE(Has(o.out, "\n690 ms  70 %  com.acme.OrderService.price ")) << o.out;
}

TEST_F(CmdTop, PrintsJson) {
  Outcome o = RunTop({"--format=json", "--window", "100"});
  EXPECT_EQ(o.status, 0);
  for (const char *part :
       {"\"window_ns\":10000000000,", "\"events\":22,", "\"blocked\":2,", "\"deadlocks\":1,",
        "{\"blocked_ns\":2875000000,\"waits\":3,\"threads_now\":1,\"lock\":\"com.acme.Inventory@"
        "000000A1\",\"hash\":\"000000A1\",",
        "{\"cpu_ns\":690000000,\"method\":\"com.acme.OrderService.price\","}) {
    EXPECT_TRUE(Has(o.out, part)) << part << "\n" << o.out;
  }
}

TEST_F(CmdTop, PrintsSumsOfShortWaits) {
  EXPECT_FALSE(Has(RunTop({"--format=json"}).out, "short"));
  AddShortCalls(&files_);
  files_.Append(DUMP_COUNTS,
                "109.5000000004,MonitorContendedEnter,00000000,30,60000000,3000000,0\n");
  Outcome o = RunTop({"--format=json", "--window", "100"});
  EXPECT_EQ(o.status, 0);
  for (const char *part :
       {"\"deadlocks\":1,\"short_begin_ns\":100000000000,\"short_end_ns\":109500000000,",
        "{\"blocked_ns\":2875000000,\"waits\":3,\"threads_now\":1,\"short_waits\":1000,"
        "\"short_blocked_ns\":4000000000,\"short_longest_ns\":9000000,\"short_is_least\":\"yes\","
        "\"lock\":\"com.acme.Inventory@000000A1\",",
        "\"short_waits\":0,\"short_blocked_ns\":0,\"short_longest_ns\":0,\"short_is_least\":"
        "\"yes\","
        "\"lock\":\"monitor in ",
        "\"short_waits\":30,\"short_blocked_ns\":60000000,\"short_longest_ns\":3000000,"
        "\"short_is_least\":\"no\",\"lock\":\"several objects, not told apart (monitor)\","}) {
    EXPECT_TRUE(Has(o.out, part)) << part << "\n" << o.out;
  }
  o = RunTop({"--once", "--window", "100"});
  EXPECT_TRUE(
      Has(o.out, "\nlock waits shorter than 10ms are in short: sums of 9.50 s up to 11:37:45\n"))
      << o.out;
}

// The first sums of these files may be about calls in sets that were deleted.
TEST_F(CmdTop, PrintsNoSumsOfAnUnknownTime) {
  AddShortCalls(&files_);
  files_.Append(DUMP_INFO, "set.number=3\nset.recording=50.0000000000\n");
  files_.Write(DUMP_COUNTS,
               "105.0000000000,MonitorContendedEnter,000000A1,400,1000000000,9000000,0\n");
  Outcome o = RunTop({"--format=json"});
  EXPECT_TRUE(Has(o.out, "\"short_begin_ns\":null,\"short_end_ns\":null,")) << o.out;
  EXPECT_TRUE(Has(o.out,
                  "\"short_waits\":null,\"short_blocked_ns\":null,\"short_longest_ns\":null,"
                  "\"short_is_least\":null,"))
      << o.out;
  o = RunTop({"--once"});
  EXPECT_TRUE(Has(o.out, "\nlock waits shorter than 10ms are not shown: no sums of this time\n"))
      << o.out;
}

TEST_F(CmdTop, RefusesWrongWords) {
  ExpectMisuses(cmd_top, "top",
                {{{"--window", "0"}, "--window takes a number of seconds from 1, not 0"},
                 {{"--format=csv"}, "--format takes text or json, not csv"}});
  Outcome o = RunCommand(cmd_top, {"top", std::to_string(getpid())});
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(Has(o.err, " writes no recording that this user can read\n")) << o.err;
}

}  // namespace
