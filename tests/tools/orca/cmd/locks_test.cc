#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

class CmdLocks : public testing::Test {
 protected:
  CmdLocks() { WriteSmallDump(&files_); }
  Outcome RunLocks(std::vector<std::string> words) {
    words.insert(words.begin(), "locks");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_locks, words);
  }

  DumpFiles files_;
};

TEST_F(CmdLocks, PrintsLocksAndContenders) {
  Outcome o = RunLocks({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("Locks, worst first"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "    while others waited, its holder was at ")) << o.out;
  EXPECT_TRUE(Has(o.out, "\nWho was blocked by whom")) << o.out;
}

TEST_F(CmdLocks, SupportsByClassAndStack) {
  files_.Replace(DUMP_OBJECTS, "000000A2,000000C1", "000000A2,000000C5");
  EXPECT_TRUE(Has(RunLocks({"--by-class"}).out, "\ncom.acme.Inventory (2 objects)\n"));
  EXPECT_TRUE(Has(RunLocks({"--stack"}).out, "\n      OrderService.run (OrderService.java:20)\n"));
}

TEST_F(CmdLocks, SupportsFiltersAndFormats) {
  Outcome o = RunLocks({"--lock=Semaphore", "--format=csv"});
  size_t first = o.out.find("\nlocks,");
  EXPECT_TRUE(Has(o.out.substr(first), ",750000000,")) << o.out;
  EXPECT_EQ(o.out.find("\nlocks,", first + 1), std::string::npos) << o.out;
  EXPECT_TRUE(Has(RunLocks({"--format=json"}).out, "\"contenders\":[{\"blocked\":\"worker-1\""));
}

}  // namespace
