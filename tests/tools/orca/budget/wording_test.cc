#include "tools/orca/budget/wording.h"

#include "tests/tools/orca/budget/judged.h"

namespace {

// Returns the row at this place of all rows of a verdict.
const struct verdict_row &FindRow(const Judged &j, enum budget_kind kind) {
  for (size_t i = 0; i < j.verdict.num; i++) {
    if (j.verdict.rows[i].kind == kind) return j.verdict.rows[i];
  }
  ADD_FAILURE() << "no row of this kind";
  return j.verdict.rows[0];
}

std::string Name(const Judged &j, enum budget_kind kind) {
  struct builder b = {};
  wording_name(&b, &FindRow(j, kind));
  return TakeText(&b);
}
std::string Limit(const Judged &j, enum budget_kind kind) {
  struct builder b = {};
  wording_limit(&b, &FindRow(j, kind));
  return TakeText(&b);
}
std::string Message(const Judged &j, enum budget_kind kind) {
  struct builder b = {};
  wording_message(&b, &j.verdict, &FindRow(j, kind));
  return TakeText(&b);
}
std::string ListRuns(const Judged &j, enum budget_kind kind) {
  struct builder b = {};
  wording_runs(&b, &j.verdict, &FindRow(j, kind), "- ");
  return TakeText(&b);
}
std::string Command(const Judged &j, enum budget_kind kind) {
  struct builder b = {};
  wording_command(&b, &FindRow(j, kind));
  return TakeText(&b);
}
std::string Sum(const Judged &j) {
  struct builder b = {};
  wording_sum(&b, &j.verdict);
  return TakeText(&b);
}

TEST(Wording, SaysWhatIsAllowedAndWhatWasFound) {
  Runs runs;
  runs.Run("/tmp/a").Add(BUDGET_ORDER, "A > B", 1, 0, "one asks for B\nstack");
  runs.Run("/tmp/b").Lock("A at m", 1312, 1500).Add(BUDGET_BLOCKED, "", 125);
  runs.Add(BUDGET_LOST, "", 1);
  Judged j("blocked = 5%\nlock: A at m = 20 waits, longest 100ms\n", runs);
  EXPECT_EQ(Name(j, BUDGET_ORDER), "order: A > B");
  EXPECT_EQ(Name(j, BUDGET_DEADLOCK), "deadlock");
  EXPECT_EQ(Limit(j, BUDGET_ORDER), "only those in the file");
  EXPECT_EQ(Limit(j, BUDGET_DEADLOCK), "none");
  EXPECT_EQ(Limit(j, BUDGET_BLOCKED), "at most 5%");
  EXPECT_EQ(Limit(j, BUDGET_LOCK), "at most 20 waits, longest 100ms");
  EXPECT_EQ(Message(j, BUDGET_ORDER),
            "order: A > B; allowed: only those in the file; found in 1 of 2 runs: one asks "
            "for B");
  EXPECT_EQ(
      Message(j, BUDGET_LOCK),
      "lock: A at m; allowed: at most 20 waits, longest 100ms; found 1,312 waits, longest 1.50 "
      "s in 1 of 2 runs: Threads waited");
  EXPECT_EQ(Message(j, BUDGET_LOST), "lost; allowed: at most 0; found 1 in 1 of 2 runs");
  EXPECT_EQ(ListRuns(j, BUDGET_ORDER), "- /tmp/a\n");
  EXPECT_EQ(ListRuns(j, BUDGET_BLOCKED), "- /tmp/b: 12 %\n");
  EXPECT_EQ(Sum(j), "2 budgets are broken, 6 are kept, in 2 runs");
}

TEST(Wording, SaysByHowMuchLimitsGrow) {
  Runs runs;
  runs.Run("a", 2340).Lock("A", 900, 9000);
  EXPECT_EQ(
      ListRuns(Judged("lock: A = 1 waits, longest 1ms\n", runs), BUDGET_LOCK),
      "- a: 900 waits, longest 9.00 s (threads waited for a CPU, so the limits are 2.3 times as "
      "large)\n");
}

TEST(Wording, NamesTheNextCommandForAShell) {
  Runs runs;
  runs.Run("/tmp/it's $HOME").Add(BUDGET_SLEEP, "A");
  Judged j("", runs);
  EXPECT_EQ(Command(j, BUDGET_SLEEP), "orca locks --stack '/tmp/it'\\''s $HOME'");
  EXPECT_EQ(Command(j, BUDGET_DEADLOCK), "orca deadlocks PREFIX");
  Runs plain;
  plain.Run("/tmp/a-1.x").Add(BUDGET_DEADLOCK, "A");
  EXPECT_EQ(Command(Judged("", plain), BUDGET_DEADLOCK), "orca deadlocks /tmp/a-1.x");
}

// The other commands refuse a digest.
TEST(Wording, NamesNoDigestInTheNextCommand) {
  Runs runs;
  runs.Run("a.digest").Add(BUDGET_DEADLOCK, "A");
  runs.runs.back().is_digest = true;
  EXPECT_EQ(Command(Judged("", runs), BUDGET_DEADLOCK), "orca deadlocks PREFIX");
}

TEST(Wording, SumsUpOne) {
  Runs runs;
  runs.Run("a").Add(BUDGET_IO, "A").Unproven(BUDGET_ORDER, "no");
  EXPECT_EQ(Sum(Judged("", runs)), "1 budget is broken, 4 are kept, 1 is not proven, in 1 run");
}

}  // namespace
