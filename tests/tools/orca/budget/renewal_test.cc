#include "tools/orca/budget/renewal.h"

#include "tests/tools/orca/budget/judged.h"

namespace {

const char kAny[] = "lock: * = 20 waits, longest 100ms\n";

std::string Renew(const std::string &text, const Runs &runs, bool accepts = false) {
  Budget old(text);
  struct budget renewed = {};
  struct builder b = {};
  EXPECT_TRUE(renewal_make(&renewed, &old.budget, runs.runs.data(), runs.runs.size(), accepts));
  budget_write(&b, &renewed);
  budget_free(&renewed);
  return TakeText(&b);
}

TEST(Renewal, AFirstFileHasTheLocksThatNeedALine) {
  Runs runs;
  runs.Run("a").Lock("A at m", 306, 59).Lock("B at m", 3, 2).Add(BUDGET_BLOCKED, "", 103);
  runs.Run("b").Lock("A at m", 290, 61).Add(BUDGET_BLOCKED, "", 98);
  EXPECT_EQ(
      Renew("", runs),
      "# What the locks of this program may cost. Check recordings: orca budget FILE PREFIX...\n"
      "# Make this file anew from several runs: orca budget --update FILE PREFIX...\n"
      "\n"
      "blocked = 21%\n"
      "lock: * = 20 waits, longest 100ms\n"
      "lock: A at m = 620 waits, longest 130ms\n");
}

TEST(Renewal, AFirstFileKeepsTheCommentsThatWereThere) {
  Runs runs;
  runs.Run("a");
  EXPECT_EQ(Renew("# one\n\n# two\n", runs),
            std::string("# one\n\nblocked = 5%\n") + kAny + "# two\n");
  std::string text = Renew("# one\n", runs);
  EXPECT_EQ(text.substr(text.size() - 6), "# one\n") << text;
}

TEST(Renewal, AFirstFileListsNoProblem) {
  Runs runs;
  runs.Run("a").Add(BUDGET_ORDER, "A > B").Add(BUDGET_DEADLOCK, "A > B").Add(BUDGET_UNHEARD, "", 4);
  EXPECT_EQ(Renew("", runs).find("order"), std::string::npos);
  std::string accepted = Renew("", runs, true);
  EXPECT_NE(accepted.find("\norder: A > B\n"), std::string::npos) << accepted;
  EXPECT_EQ(accepted.find("deadlock"), std::string::npos) << accepted;
  EXPECT_EQ(accepted.find("unheard"), std::string::npos) << accepted;
}

TEST(Renewal, KnownProblemsOnlyShrink) {
  Runs runs;
  runs.Run("a").Add(BUDGET_ORDER, "A > B").Add(BUDGET_ORDER, "C > D").Add(BUDGET_IO, "A");
  runs.Run("b").Add(BUDGET_SLEEP, "A");
  const std::string old = "# why\norder: A > B\norder: gone\nvalue: gone\n# kept\nsleep: A\n";
  EXPECT_EQ(Renew(old, runs), "# why\norder: A > B\n# kept\nsleep: A\n");
  EXPECT_EQ(Renew(old, runs, true), "# why\norder: A > B\norder: C > D\n# kept\nsleep: A\nio: A\n");
}

TEST(Renewal, AProblemStaysKnownIfARunCannotProveThatItIsGone) {
  Runs runs;
  runs.Run("a").Unproven(BUDGET_ORDER, "not recorded");
  EXPECT_EQ(Renew("order: A > B\nio: A\n", runs), "order: A > B\n");
}

TEST(Renewal, ACountOnlyShrinks) {
  Runs runs;
  runs.Run("a").Add(BUDGET_UNHEARD, "", 4).Run("b").Add(BUDGET_UNHEARD, "", 7);
  EXPECT_EQ(Renew("unheard = 10\n", runs), "unheard = 7\n");
  EXPECT_EQ(Renew("unheard = 5\n", runs), "unheard = 5\n");
  runs.Unproven(BUDGET_UNHEARD, "not recorded");
  EXPECT_EQ(Renew("unheard = 10\n", runs), "unheard = 10\n");
}

TEST(Renewal, EqualProgramsGiveEqualFiles) {
  Runs runs;
  runs.Run("a").Lock("A at m", 310, 50).Add(BUDGET_BLOCKED, "", 90);
  const std::string file =
      std::string("blocked = 21%\n") + kAny + "lock: A at m = 620 waits, longest 130ms\n";
  EXPECT_EQ(Renew(file, runs), file);
}

// One of its limits is that of all locks, which the runs do not need.
TEST(Renewal, ALimitOfAllLocksInALineStays) {
  Runs runs;
  runs.Run("a").Lock("A at m", 2, 500);
  const std::string file = std::string(kAny) + "lock: A at m = 20 waits, longest 1s\n";
  EXPECT_EQ(Renew(kAny, runs), file);
  EXPECT_EQ(Renew(file, runs), file);
}

TEST(Renewal, LimitsFollowTheRuns) {
  Runs more, less;
  more.Run("a").Lock("A at m", 700, 150).Add(BUDGET_BLOCKED, "", 300);
  less.Run("a").Lock("A at m", 60, 60).Add(BUDGET_BLOCKED, "", 20);
  const std::string file =
      std::string("blocked = 21%\n") + kAny + "lock: A at m = 620 waits, longest 130ms\n";
  EXPECT_EQ(Renew(file, more),
            std::string("blocked = 60%\n") + kAny + "lock: A at m = 1400 waits, longest 300ms\n");
  EXPECT_EQ(Renew(file, less),
            std::string("blocked = 5%\n") + kAny + "lock: A at m = 120 waits, longest 130ms\n");
}

TEST(Renewal, DropsALineThatIsNotNeededAnyMore) {
  Runs few, none;
  few.Run("a").Lock("A at m", 2, 1);
  none.Run("a");
  const std::string loose = std::string(kAny) + "lock: A at m = 620 waits, longest 130ms\n";
  EXPECT_EQ(Renew(loose, few), kAny);
  EXPECT_EQ(Renew(loose, none), kAny);
}

// The waits of the lock may be among those of several locks.
TEST(Renewal, KeepsALineIfTheLockMayHaveMoreWaits) {
  Runs runs;
  runs.Run("a").More(300, 9);
  const std::string loose = std::string(kAny) + "lock: A at m = 620 waits, longest 130ms\n";
  EXPECT_EQ(Renew(loose, runs), loose);
}

TEST(Renewal, NeverLowersALimitIfTheLockMayHaveMoreWaits) {
  const std::string loose = std::string(kAny) + "lock: A at m = 620 waits, longest 200ms\n";
  const std::string alone = "lock: A at m = 620 waits, longest 200ms\n";
  Runs few, many, other;
  few.Run("a").More(1000, 9).Lock("A at m", 10, 5);
  EXPECT_EQ(Renew(loose, few), loose);
  EXPECT_EQ(Renew(alone, few), alone);
  few.Run("b").Lock("A at m", 20, 5);
  EXPECT_EQ(Renew(loose, few), loose) << "one of the runs may have had more";
  many.Run("a").More(1000, 9).Lock("A at m", 700, 5);
  EXPECT_EQ(Renew(alone, many), "lock: A at m = 1400 waits, longest 200ms\n");
  other.Run("a").More(1000, 9, LOCK_MONITOR).Lock("A at m", 10, 5).Of(LOCK_LOCK);
  EXPECT_EQ(Renew(alone, other), "lock: A at m = 20 waits, longest 10ms\n");
}

TEST(Renewal, KeepsALineThatIsStricterThanThatOfAllLocks) {
  Runs few, none;
  few.Run("a").Lock("A at m", 1, 1);
  none.Run("a");
  const std::string strict = std::string(kAny) + "lock: A at m = 1 waits, longest 1ms\n";
  EXPECT_EQ(Renew(strict, few), strict);
  EXPECT_EQ(Renew(strict, none), strict);
}

// The thread that holds A sleeps for 600 ms, on any machine.
TEST(Renewal, AnIdleMachineKeepsTheLimitsOfALoadedOne) {
  Runs loaded, idle;
  loaded.Run("a", 5000).Lock("A at m", 43, 650).Add(BUDGET_BLOCKED, "", 200);
  idle.Run("b").Lock("A at m", 43, 600).Add(BUDGET_BLOCKED, "", 180);
  Budget made(Renew("", loaded));
  struct verdict v = {};
  EXPECT_TRUE(verdict_find(&v, &made.budget, idle.runs.data(), idle.runs.size()));
  EXPECT_EQ(v.num_broken, 0u);
  verdict_free(&v);
}

TEST(Renewal, TheLoadOfTheMachineDoesNotRaiseLimitsThatItKeeps) {
  Runs runs;
  runs.Run("a", 2000).Lock("A at m", 600, 200).Add(BUDGET_BLOCKED, "", 90);
  const std::string file =
      std::string("blocked = 5%\n") + kAny + "lock: A at m = 400 waits, longest 110ms\n";
  EXPECT_EQ(Renew(file, runs), file);
}

TEST(Renewal, KeepsTheComments) {
  Runs runs;
  runs.Run("a");
  const std::string file = std::string("# Ours.\n\n# all\n") + kAny + "# end\n";
  EXPECT_EQ(Renew(file, runs), file);
  EXPECT_EQ(Renew("# Ours.\n\n", runs).find("# Ours.\n\nblocked = 5%\n"), 0u);
}

}  // namespace
