#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

Outcome RunMethods(std::vector<std::string> args) {
  args.insert(args.begin(), "methods");
  return RunCommand(cmd_methods, args);
}

class CmdMethods : public testing::Test {
 protected:
  CmdMethods() {
    WriteSmallDump(&files_);
    files_.Write(DUMP_EVENTS,
                 "101.0000000000,MethodEntry,00000002,2;00000010;00000000;00000011;00000000\n"
                 "101.0010000000,MethodEntry,00000002,2;00000012;00000000;00000010;00000010\n"
                 "101.0020000000,MethodExit,00000002,00000000,-1,"
                 "2;00000012;00000000;00000010;00000010\n"
                 "101.0030000000,MethodExit,00000002,00000000,-1,"
                 "2;00000010;00000000;00000011;00000000\n");
  }

  DumpFiles files_;
};

TEST_F(CmdMethods, PrintsAllMethods) {
  Outcome o = RunMethods({files_.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out.find("Methods of the option track"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "\nOrderService.price      1  3.00 ms  2.00 ms")) << o.out;
  EXPECT_TRUE(Has(o.out, "\nInventory.reserve ")) << o.out;
  EXPECT_FALSE(Has(o.out, "took from")) << o.out;
}

TEST_F(CmdMethods, PrintsOneMethodInDetail) {
  for (std::vector<std::string> args :
       {std::vector<std::string>{"--method", "reserve"}, {"--method=Inventory.*"}}) {
    args.push_back(files_.Prefix());
    Outcome o = RunMethods(args);
    EXPECT_EQ(o.status, 0);
    EXPECT_FALSE(Has(o.out, "OrderService.price  ")) << o.out;
    EXPECT_TRUE(Has(o.out, "\nInventory.reserve\ntook from")) << o.out;
    EXPECT_TRUE(Has(o.out, "\ncalled from ")) << o.out;
  }
}

TEST_F(CmdMethods, PrintsAnOnlyMethodInDetail) {
  files_.Write(DUMP_EVENTS,
               "101.0000000000,MethodEntry,00000002,1;00000010;00000000\n"
               "101.0010000000,MethodExit,00000002,00000000,-1,1;00000010;00000000\n");
  EXPECT_TRUE(Has(RunMethods({files_.Prefix()}).out, "\nOrderService.price\ntook from"));
}

TEST_F(CmdMethods, MentionsTheThreshold) {
  files_.Replace(DUMP_INFO, "engine=weave", "threshold=10ms");
  EXPECT_TRUE(Has(RunMethods({files_.Prefix()}).out,
                  "\n\nCalls shorter than 10ms were not recorded (option threshold).\n"));
}

TEST_F(CmdMethods, ShowsSumsOfShortCalls) {
  files_.Replace(DUMP_INFO, "engine=weave", "threshold=1ms");
  files_.Write(DUMP_COUNTS,
               "102.0000000000,MethodEntry,00000000,700,70000000,900000,"
               "2;00000010;00000000;00000000;00000000\n"
               "102.0000000001,MethodEntry,00000000,9,2000000,800000,"
               "2;00000011;00000000;00000000;00000000\n");
  Outcome o = RunMethods({files_.Prefix()});
  EXPECT_TRUE(Has(o.out,
                  "\n    from OrderService.run (OrderService.java:20)\n"
                  "    and 700 calls shorter than 1ms, 70.0 ms together\n"))
      << o.out;
  EXPECT_TRUE(Has(o.out, "\n    and 9 calls shorter than 1ms, 2.00 ms together\n")) << o.out;
  EXPECT_TRUE(Has(o.out,
                  "\n\nCalls shorter than 1ms are in no column: only their sums were "
                  "recorded (option threshold).\n"))
      << o.out;
  o = RunMethods({"--format=csv", files_.Prefix()});
  EXPECT_TRUE(Has(o.out, ",cpu_ns,short_calls,short_calls_ns\n")) << o.out;
  EXPECT_TRUE(Has(o.out, ",,700,70000000\n")) << o.out;
  o = RunMethods({"--method", "OrderService.run", files_.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_FALSE(Has(o.out, "called from")) << o.out;
}

TEST_F(CmdMethods, ShowsSumsOfMethodsThatAreNotToldApart) {
  const char kSums[] =
      "\n9 calls shorter than 1ms, 2.00 ms together, are of tracked methods that are not told "
      "apart.\n";
  files_.Replace(DUMP_INFO, "engine=weave", "threshold=1ms");
  files_.Write(DUMP_COUNTS, "102.0000000000,MethodEntry,00000000,9,2000000,800000,0\n");
  EXPECT_TRUE(Has(RunMethods({files_.Prefix()}).out, kSums));
  files_.Write(DUMP_EVENTS, "");
  Outcome o = RunMethods({files_.Prefix()});
  EXPECT_EQ(o.out.find(kSums + 1), 0u) << o.out;
  o = RunMethods({"--method", "x", files_.Prefix()});
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(Has(o.out, "No call is known to be of a matching method; ")) << o.out;
  EXPECT_TRUE(Has(o.out, kSums)) << o.out;
  EXPECT_FALSE(Has(RunMethods({"--format=csv", files_.Prefix()}).out, "told apart"));
}

TEST_F(CmdMethods, SupportsTop) {
  Outcome o = RunMethods({"--top", "1", files_.Prefix()});
  EXPECT_TRUE(Has(o.out, "    and 1 more\n")) << o.out;
  EXPECT_FALSE(Has(o.out, "took from")) << o.out;
}

TEST_F(CmdMethods, SaysThatNoCallWasRecorded) {
  EXPECT_EQ(RunMethods({"--method", "x", files_.Prefix()}).status, 1);
  EXPECT_EQ(RunMethods({"--method", "x", files_.Prefix()}).out,
            "No call of a matching method was recorded; without --method all are listed.\n");
  files_.Write(DUMP_EVENTS, "");
  Outcome o = RunMethods({files_.Prefix()});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "No calls were recorded: the option track names the methods to record.\n");
}

}  // namespace
