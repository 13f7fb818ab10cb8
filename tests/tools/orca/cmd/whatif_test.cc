#include <string>
#include <vector>

#include "tests/support/text.h"
#include "tests/tools/orca/causal/whatif/recorded.h"
#include "tests/tools/orca/cmd/command.h"
#include "tools/orca/cmd/commands.h"

namespace {

class CmdWhatif : public testing::Test {
 protected:
  CmdWhatif() : recorded_(Make()) {}

  static machine::Program Make() {
    machine::Program p;
    p.threads.assign(
        2, Rounds(20, {{machine::kLock}, {machine::kCompute, 0, 10}, {machine::kUnlock}}));
    return p;
  }

  Outcome Run(std::vector<std::string> words) {
    words.insert(words.begin(), "whatif");
    words.push_back(recorded_.files.Prefix());
    return RunCommand(cmd_whatif, words);
  }

  Recorded recorded_;
};

TEST_F(CmdWhatif, PredictsAnEdit) {
  Outcome o = Run({"--drop", "000000A0"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(Has(o.out, "1.9 to 2.1 times as fast (400 ms ->")) << o.out;
}

TEST_F(CmdWhatif, PredictsSeveralEditsAtOnce) {
  Outcome o = Run({"--drop=000000A0", "--cpus=1"});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(Has(o.out, " and with 1 CPU: no gain")) << o.out;
}

TEST_F(CmdWhatif, PrintsJsonAndCsv) {
  Outcome json = Run({"--drop", "000000A0", "--format", "json"});
  EXPECT_TRUE(
      Has(json.out, "\"refused\":null,\"edits\":[{\"kind\":\"drop\",\"text\":\"000000A0\"}]"))
      << json.out;
  EXPECT_TRUE(Has(json.out, "\"gain\":1.99") || Has(json.out, "\"gain\":2.0")) << json.out;
  Outcome csv = Run({"--drop", "000000A0", "--format", "csv"});
  EXPECT_EQ(csv.out.find("edits,recorded_s,baseline_s,refused,predicted_s,gain,gain_low,gain_high,"
                         "next\ndrop 000000A0,0.4"),
            0u)
      << csv.out;
}

TEST_F(CmdWhatif, SaysWhichHoldsAreNotKnown) {
  EXPECT_FALSE(Has(Run({"--shrink", "000000A0=50%"}).out, "The holds of this lock"));
  Recorded contended(Make(), machine::kContended);
  Outcome o = RunCommand(cmd_whatif, {"whatif", "--shrink=000000A0=50%", contended.files.Prefix()});
  EXPECT_TRUE(Has(o.out, "The holds of this lock are known only as far as")) << o.out << o.err;
}

TEST_F(CmdWhatif, WithoutAnEditItNamesTheLimit) {
  Outcome o = Run({});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(Has(o.out, "\nThe limit is: ")) << o.out;
}

TEST_F(CmdWhatif, MakesAPlan) {
  Outcome o = Run({"--plan"});
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(Has(o.out, "\n1. W")) << o.out;
}

TEST_F(CmdWhatif, SaysWhatDoesNotExist) {
  Outcome o = Run({"--drop", "Cart"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_TRUE(Has(o.err, "whatif: no lock is Cart; there are ")) << o.err;
  o = Run({"--faster", "Cart.add=50%"});
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(Has(o.err, "whatif: no method is Cart.add")) << o.err;
  o = Run({"--pool", "pool-1=2x"});
  EXPECT_EQ(o.status, 1);
  EXPECT_TRUE(Has(o.err, "whatif: no pool is pool-1: the recording has no tasks of a ")) << o.err;
  o = Run({"--work", "Cart.add"});
  EXPECT_EQ(o.status, 1);
}

TEST_F(CmdWhatif, RefusesWrongOptions) {
  EXPECT_EQ(Run({"--shrink", "Cart=2"}).status, 2);
  EXPECT_TRUE(Has(Run({"--shrink", "Cart=2"}).err,
                  "--shrink takes a lock and a part: LOCK=50%, not Cart=2"));
  EXPECT_TRUE(Has(Run({"--pool", "pool-1"}).err, "--pool takes a pool and a factor up to 1024x"));
  EXPECT_EQ(Run({"--plan", "--cpus", "4"}).status, 2);
  EXPECT_EQ(Run({"--thread", "main"}).status, 2);
}

// Each operation takes less time than its line.
TEST_F(CmdWhatif, ACostlyRecordingIsRefusedWithAdvice) {
  machine::Program p;
  p.threads.assign(2, Rounds(300, {{machine::kLock},
                                   {machine::kCompute, 0, 0.001},
                                   {machine::kUnlock},
                                   {machine::kCompute, 0, 0.001}}));
  Recorded costly(p);
  recorded_.files.Write(DUMP_EVENTS, costly.files.Text(DUMP_EVENTS));
  recorded_.files.Write(DUMP_SAMPLES, costly.files.Text(DUMP_SAMPLES));
  recorded_.files.Append(DUMP_INFO, "walk.fallback=no HotSpot\n");  // stacks cost more
  Outcome o = Run({"--drop", "000000A0"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out.find("No prediction: recording took about "), 0u) << o.out;
  EXPECT_TRUE(Has(o.out, "(neither locks=all nor monitors=all)")) << o.out;
}

TEST_F(CmdWhatif, ARefusalIsAResultWithStatusOne) {
  recorded_.files.Replace(DUMP_INFO, "interval=20ms", "interval=20ms,threshold=10ms");
  Outcome o = Run({"--drop", "000000A0"});
  EXPECT_EQ(o.status, 1);
  EXPECT_EQ(o.out.find("No prediction: short waits were not recorded; record without the option"),
            0u)
      << o.out;
  recorded_.files.Append(DUMP_COUNTS, "102.0000000000,ThreadSleep,00000000,9,2000000,800000,0\n");
  o = Run({"--drop", "000000A0"});
  EXPECT_EQ(o.out.find("No prediction: short waits were recorded only as sums; record "), 0u)
      << o.out;
}

}  // namespace
