#include "tools/orca/cmd/commands.h"

#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/cmd/command.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

class CmdWaits : public testing::Test {
 protected:
  CmdWaits() { WriteSmallDump(&files_); }
  Outcome RunWaits(std::vector<std::string> words) {
    words.insert(words.begin(), "waits");
    words.push_back(files_.Prefix());
    return RunCommand(cmd_waits, words);
  }

  DumpFiles files_;
};

TEST_F(CmdWaits, PrintsWaitsWakersAndWaiters) {
  Outcome o = RunWaits({});
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out.find("Waits, sleeps, joins"), 0u) << o.out;
  for (const char *part : {"\nObjects waited on", "\nWho got through how often", "\nWho woke whom",
                           "\nworker-1  main          1  Object.wait"}) {
    EXPECT_TRUE(Has(o.out, part)) << part << " is not in\n" << o.out;
  }
}

// The filter also applies to waits that have not ended. Objects without a match have no row.
TEST_F(CmdWaits, SupportsAThreadFilter) {
  files_.Replace(DUMP_EVENTS, "109.0000000000,ThreadEnded",
                 "108.9000000000,ObjectWait,00000004,000000A3,1;00000001;FFFFFFFF\n"
                 "109.0000000000,ThreadEnded");
  Outcome o = RunWaits({"--thread=poller"});
  EXPECT_TRUE(Has(o.out, "1 thread STILL WAITING at the end")) << o.out;
  EXPECT_TRUE(Has(o.out, "000000A3")) << o.out;
  EXPECT_FALSE(Has(o.out, "000000A2")) << o.out;
  o = RunWaits({"--thread=main"});
  EXPECT_FALSE(Has(o.out, "000000A3")) << o.out;
  EXPECT_TRUE(Has(o.out, "000000A2")) << o.out;
  EXPECT_FALSE(Has(o.out, "poller")) << o.out;
}

TEST_F(CmdWaits, SupportsFiltersAndFormats) {
  Outcome o = RunWaits({"--format=csv", "--event=ObjectWait"});
  EXPECT_EQ(o.out.find("table,call,event,object,count,"), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "\nwaits,Object.wait,ObjectWait,")) << o.out;
  EXPECT_TRUE(Has(o.out, "\ntable,object,")) << o.out;
  EXPECT_FALSE(Has(o.out, "Thread.join")) << o.out;
  o = RunWaits({"--format=json"});
  EXPECT_TRUE(Has(o.out, "\"wakers\":[{\"waker\":\"worker-1\",\"woken\":\"main\",\"times\":1,"))
      << o.out;
}

}  // namespace
