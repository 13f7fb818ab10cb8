#include "tools/orca/budget/verdict.h"

#include "tests/tools/orca/budget/judged.h"

namespace {

TEST(Verdict, WithoutFiguresEveryBudgetIsKept) {
  Judged j("unheard = 0\nblocked = 0%\nlock: * = 0 waits, longest 0ms\n", Runs().Run("a"));
  EXPECT_EQ(j.Broken(), Names());
  EXPECT_EQ(j.List(VERDICT_KEPT), Names({"lost", "deadlock", "order", "value", "sleep", "io",
                                         "unheard", "blocked", "lock *"}));
}

TEST(Verdict, OneRunBreaksAnExactBudget) {
  for (enum budget_kind kind :
       {BUDGET_DEADLOCK, BUDGET_ORDER, BUDGET_VALUE, BUDGET_SLEEP, BUDGET_IO}) {
    Runs runs;
    runs.Run("a").Run("b").Add(kind, "A at m").Run("c");
    Judged j("", runs);
    EXPECT_EQ(j.Broken(), Names({budget_kinds[kind].word + std::string(" A at m")}));
    EXPECT_EQ(j.verdict.num_broken, 1u);
    const struct verdict_row *row = nullptr;
    for (size_t i = 0; i < j.verdict.num; i++) {
      if (j.verdict.rows[i].state == VERDICT_BROKEN) row = &j.verdict.rows[i];
    }
    EXPECT_STREQ(row->worst_run->name, "b");
    EXPECT_EQ(row->found[0], nullptr);
    EXPECT_NE(row->found[1], nullptr);
  }
}

TEST(Verdict, AKnownProblemBreaksNothing) {
  Runs runs;
  runs.Run("a").Add(BUDGET_ORDER, "A > B").Add(BUDGET_ORDER, "B > C").Add(BUDGET_SLEEP, "A > B");
  Judged j("order: A > B\n", runs);
  EXPECT_EQ(j.Broken(), Names({"order B > C", "sleep A > B"}));
}

// Which inversions such a run has is chance.
TEST(Verdict, AnOrderOfARunThatLacksSomeBreaksOnlyAFileWithoutOrders) {
  Runs runs;
  runs.Run("a").Add(BUDGET_ORDER, "B > C").Unproven(BUDGET_ORDER, figures_lack_orders);
  EXPECT_EQ(Judged("", runs).Broken(), Names({"order B > C"}));
  Judged j("order: A > B\n", runs);
  EXPECT_EQ(j.Broken(), Names());
  EXPECT_EQ(j.List(VERDICT_UNPROVEN), Names({"order B > C"}));
  EXPECT_EQ(Judged("order: B > C\n", runs).List(VERDICT_UNPROVEN), Names({"order"}));
  runs.Run("b").Add(BUDGET_ORDER, "B > C");
  EXPECT_EQ(Judged("order: A > B\n", runs).Broken(), Names({"order B > C"}));
}

TEST(Verdict, AProblemOfSeveralRunsIsOneRow) {
  Runs runs;
  runs.Run("a").Add(BUDGET_IO, "A").Run("b").Add(BUDGET_IO, "A");
  EXPECT_EQ(Judged("", runs).Broken(), Names({"io A"}));
}

TEST(Verdict, SignalsCountOnlyIfTheFileSaysSo) {
  Runs runs;
  runs.Run("a").Add(BUDGET_UNHEARD, "", 3).Run("b").Add(BUDGET_UNHEARD, "", 5);
  EXPECT_EQ(Judged("", runs).Broken(), Names());
  EXPECT_EQ(Judged("unheard = 5\n", runs).Broken(), Names());
  EXPECT_EQ(Judged("unheard = 4\n", runs).Broken(), Names({"unheard"}));
}

TEST(Verdict, NoEventMayBeLostUnlessTheFileSaysSo) {
  Runs runs;
  runs.Run("a").Add(BUDGET_LOST, "", 3);
  EXPECT_EQ(Judged("", runs).Broken(), Names({"lost"}));
  EXPECT_EQ(Judged("lost = 3\n", runs).Broken(), Names());
}

TEST(Verdict, ATimeIsBrokenOnlyIfEachRunBreaksIt) {
  Runs runs;
  runs.Run("a").Lock("A at m", 30, 10).Add(BUDGET_BLOCKED, "", 200);
  runs.Run("b").Lock("A at m", 10, 200).Add(BUDGET_BLOCKED, "", 60);
  const std::string file = "blocked = 5%\nlock: A at m = 20 waits, longest 100ms\n";
  EXPECT_EQ(Judged(file, runs).Broken(), Names({"blocked", "lock A at m"}));
  runs.Run("c").Lock("A at m", 20, 100).Add(BUDGET_BLOCKED, "", 50);
  EXPECT_EQ(Judged(file, runs).Broken(), Names());
}

// Each lock may have had 10 more waits.
TEST(Verdict, ALeastNumberProvesOnlyThatABudgetIsBroken) {
  const std::string file = "lock: A at m = 20 waits, longest 100ms\n";
  Runs more, open, less, none;
  more.Run("a").More(10, 9).Lock("A at m", 21, 10);
  EXPECT_EQ(Judged(file, more).Broken(), Names({"lock A at m"}));
  open.Run("a").More(10, 9).Lock("A at m", 11, 10);
  EXPECT_EQ(Judged(file, open).List(VERDICT_UNPROVEN), Names({"lock A at m"}));
  less.Run("a").More(10, 9).Lock("A at m", 10, 10);
  EXPECT_EQ(Judged(file, less).List(VERDICT_UNPROVEN), Names());
  none.Run("a").More(21, 9);
  EXPECT_EQ(Judged(file, none).List(VERDICT_UNPROVEN), Names({"lock A at m"}));
  none.Run("b").Lock("A at m", 20, 10);
  EXPECT_EQ(Judged(file, none).List(VERDICT_UNPROVEN), Names()) << "one run keeps it for sure";
  Runs longer;
  longer.Run("a").More(1, 101).Lock("A at m", 1, 10);
  EXPECT_EQ(Judged(file, longer).List(VERDICT_UNPROVEN), Names({"lock A at m"}));
}

// A lock has a row of its own if only its own waits leave it open.
TEST(Verdict, TheBudgetOfAllLocksIsOpenForEachOfThem) {
  const std::string file = "lock: * = 20 waits, longest 100ms\n";
  Runs some, many;
  some.Run("a").More(10, 9).Lock("A at m", 11, 10).Lock("B at m", 5, 10);
  EXPECT_EQ(Judged(file, some).List(VERDICT_UNPROVEN), Names({"lock A at m"}));
  many.Run("a").More(30, 9).Lock("A at m", 11, 10).Lock("B at m", 21, 10);
  EXPECT_EQ(Judged(file, many).Broken(), Names({"lock B at m"}));
  Runs only_more;
  only_more.Run("a").More(30, 9).Lock("A at m", 11, 10);
  EXPECT_EQ(Judged(file, only_more).List(VERDICT_UNPROVEN), Names({"lock *"}));
}

// Neither run proves that the budget is kept: one breaks it, the other may.
TEST(Verdict, ARunThatBreaksABudgetDoesNotProveThatItIsKept) {
  for (const char *key : {"A at m", "*"}) {
    const std::string file = std::string("lock: ") + key + " = 15 waits, longest 100ms\n";
    Runs first, last, only_more, doubtful, loaded;
    first.Run("a").Lock("A at m", 20, 1).Run("b").More(1000, 1).Lock("A at m", 10, 1);
    last.Run("b").More(1000, 1).Lock("A at m", 10, 1).Run("a").Lock("A at m", 20, 1);
    only_more.Run("a").More(1000, 1).Run("b").Lock("A at m", 20, 1);
    doubtful.Run("a").Unproven(BUDGET_LOCK, "no locks").Run("b").Lock("A at m", 20, 1);
    loaded.Run("a", 3000).Lock("A at m", 20, 1).Run("b").More(1000, 1);
    for (Runs *runs : {&first, &last, &only_more, &doubtful, &loaded}) {
      EXPECT_EQ(Judged(file, *runs).Broken(), Names());
      EXPECT_EQ(Judged(file, *runs).List(VERDICT_UNPROVEN), Names({"lock A at m"}));
      runs->Run("c").Lock("A at m", 15, 1);
      EXPECT_EQ(Judged(file, *runs).List(VERDICT_UNPROVEN), Names()) << "the last run proves it";
    }
  }
}

TEST(Verdict, WaitsOfLocksOfAnotherSortLeaveNothingOpen) {
  const std::string file = "lock: A at m = 15 waits, longest 100ms\n";
  Runs other, same, missing;
  other.Run("a").More(1000, 1, LOCK_MONITOR).Lock("A at m", 10, 1).Of(LOCK_LOCK);
  EXPECT_EQ(Judged(file, other).List(VERDICT_UNPROVEN), Names());
  same.Run("a").More(1000, 1, LOCK_LOCK).Lock("A at m", 10, 1).Of(LOCK_LOCK);
  EXPECT_EQ(Judged(file, same).List(VERDICT_UNPROVEN), Names({"lock A at m"}));
  missing.Run("a").More(1000, 1, LOCK_MONITOR).Run("b").Lock("A at m", 20, 1).Of(LOCK_LOCK);
  EXPECT_EQ(Judged(file, missing).List(VERDICT_UNPROVEN), Names()) << "the first run has none";
}

bool IsRetryable(const std::string &file, const Runs &runs) {
  Judged j(file, runs);
  return verdict_is_retryable(&j.verdict);
}

TEST(Verdict, OneMoreRunMayKeepTimesOnly) {
  Runs runs;
  runs.Run("a").Lock("A at m", 30, 10).Add(BUDGET_BLOCKED, "", 200);
  EXPECT_FALSE(IsRetryable("", runs)) << "nothing is broken";
  EXPECT_TRUE(IsRetryable("blocked = 5%\n", runs));
  const std::string file = "blocked = 5%\nlock: * = 20 waits, longest 100ms\n";
  EXPECT_TRUE(IsRetryable(file, runs));
  runs.Add(BUDGET_ORDER, "A > B");
  EXPECT_FALSE(IsRetryable(file, runs));
  EXPECT_TRUE(IsRetryable(file + "order: A > B\n", runs));
}

TEST(Verdict, ARunWithoutTheLockKeepsItsBudget) {
  Runs runs;
  runs.Run("a").Lock("A at m", 30, 10).Run("b");
  EXPECT_EQ(Judged("lock: A at m = 20 waits, longest 100ms\n", runs).Broken(), Names());
}

TEST(Verdict, ALineOfItsOwnReplacesThatOfAllLocks) {
  Runs runs;
  runs.Run("a").Lock("A at m", 30, 10).Lock("B at m", 30, 10).Lock("C at m", 1, 1);
  EXPECT_EQ(
      Judged("lock: * = 20 waits, longest 100ms\nlock: A at m = 30 waits, longest 10ms\n", runs)
          .Broken(),
      Names({"lock B at m"}));
  EXPECT_EQ(Judged("lock: A at m = 30 waits, longest 9ms\n", runs).Broken(),
            Names({"lock A at m"}));
}

TEST(Verdict, ALoadedMachineHasLargerLimits) {
  Runs runs;
  runs.Run("a", 3000).Lock("A at m", 60, 300).Add(BUDGET_BLOCKED, "", 150);
  const std::string file = "blocked = 5%\nlock: * = 20 waits, longest 100ms\n";
  EXPECT_EQ(Judged(file, runs).Broken(), Names());
  EXPECT_EQ(Judged(file, runs).List(VERDICT_UNPROVEN), Names({"blocked", "lock A at m"}));
  runs.runs[0].scale = 2900;
  EXPECT_EQ(Judged(file, runs).Broken(), Names({"blocked", "lock A at m"}));
}

// The second run keeps the limits of an idle machine.
TEST(Verdict, OneRunWithinTheLimitsProvesThem) {
  Runs runs;
  runs.Run("a", 3000).Lock("A at m", 60, 300).Run("b", 3000).Lock("A at m", 20, 100);
  Judged j("lock: * = 20 waits, longest 100ms\n", runs);
  EXPECT_EQ(j.Broken(), Names());
  EXPECT_EQ(j.List(VERDICT_UNPROVEN), Names());
}

TEST(Verdict, WhatARecordingLeavesOutIsNotProven) {
  Runs runs;
  runs.Run("a").Run("b").Unproven(BUDGET_ORDER, "no orders").Unproven(BUDGET_LOCK, "no locks");
  Judged one("lock: * = 1 waits, longest 1ms\n", runs);
  EXPECT_EQ(one.List(VERDICT_UNPROVEN), Names({"order"})) << "the other run proves the time";
  runs.runs[0].unproven[BUDGET_LOCK] = "no locks";
  Judged both("lock: * = 1 waits, longest 1ms\n", runs);
  EXPECT_EQ(both.List(VERDICT_UNPROVEN), Names({"order", "lock *"}));
  EXPECT_EQ(both.verdict.num_unproven, 2u);
  EXPECT_STREQ(both.verdict.rows[2].why, "no orders");
}

TEST(Verdict, TheWorstRunHasTheLargestFigure) {
  Runs runs;
  runs.Run("a").Lock("A", 5, 30).Run("b").Lock("A", 5, 50).Run("c", 4000).Lock("A", 5, 60);
  Judged j("lock: A = 1 waits, longest 1ms\n", runs);
  EXPECT_STREQ(j.verdict.rows[j.verdict.num - 1].worst_run->name, "b");
}

}  // namespace
