#include "tools/orca/model/diff_limit.h"

#include "tests/tools/orca/model/two_runs.h"

namespace {

std::string Reread(const char *text) {
  struct diff_limit limit = {};
  struct builder b = {};
  if (!diff_limit_parse(text, &limit)) return "refused";
  diff_limit_write(&b, &limit);
  std::string written(b.data, b.len);
  builder_free(&b);
  return written;
}

struct diff_limit Parse(const char *text) {
  struct diff_limit limit = {};
  EXPECT_TRUE(diff_limit_parse(text, &limit)) << text;
  return limit;
}

bool Breaks(const char *text, double before, double after, enum diff_verdict verdict = DIFF_MORE) {
  struct diff_limit limit = Parse(text);
  struct diff_row row = {};
  row.rates[0] = before;
  row.rates[1] = after;
  row.verdict = verdict;
  return diff_limit_is_broken(&limit, &row);
}

std::string FindWhy(const struct comparison *c, const char *text) {
  struct diff_limit limit = Parse(text);
  const char *why = diff_limit_find_why(&limit, c);
  return why == nullptr ? "" : why;
}

TEST(DiffLimit, ReadsEachKind) {
  for (const char *text :
       {"lock+10%", "blocked+0%", "wait+12.5%", "waiting+100000%", "method+3%", "cpu+20%"}) {
    EXPECT_EQ(Reread(text), text);
  }
}

TEST(DiffLimit, RefusesAnyOtherText) {
  for (const char *text : {"", "lock", "lock+", "lock+%", "lock+10", "lock-10%", "+10%",
                           "locks+10%", "lock+-1%", "lock+10.25%", "lock+1.%", "lock+100001%",
                           "lock+10%%", "lock+10% ", "lock+99999999999999%", "p99+10%"}) {
    EXPECT_EQ(Reread(text), "refused") << text;
  }
}

// Returns why a limit is open for a row with these rates, if up to so much more belongs to it.
std::string FindWhyOpen(const char *text, double before, double after, double more_before,
                        double more_after) {
  struct diff_limit limit = Parse(text);
  struct comparison c = {};
  struct diff_row row = {};
  row.rates[0] = before;
  row.rates[1] = after;
  row.sides[0].more = more_before;
  row.sides[1].more = more_after;
  row.verdict = after > before ? DIFF_MORE : DIFF_SAME;
  c.parts[COMPARE_LOCKS].rows = &row;
  c.parts[COMPARE_LOCKS].num = 1;
  const char *why = diff_limit_find_why_open(&limit, &c);
  EXPECT_FALSE(why != nullptr && diff_limit_is_broken(&limit, &row)) << "it is broken for sure";
  return why == nullptr ? "" : why;
}

TEST(DiffLimit, IsOpenIfSeveralObjectsCanBreakIt) {
  EXPECT_EQ(FindWhyOpen("lock+10%", 100e6, 120e6, 0, 0), "");
  EXPECT_NE(FindWhyOpen("lock+10%", 100e6, 120e6, 20e6, 0), "") << "A may have had as much";
  EXPECT_EQ(FindWhyOpen("lock+10%", 100e6, 100e6, 20e6, 0), "");
  EXPECT_NE(FindWhyOpen("lock+10%", 100e6, 100e6, 0, 20e6), "") << "B may have more";
  EXPECT_EQ(FindWhyOpen("lock+10%", 100e6, 100e6, 0, 9e6), "");
  EXPECT_EQ(FindWhyOpen("blocked+10%", 100e6, 100e6, 0, 20e6), "") << "the total has all";
}

TEST(DiffLimit, IsBrokenByMoreThanItsPercent) {
  EXPECT_FALSE(Breaks("lock+10%", 100e6, 110e6));
  EXPECT_TRUE(Breaks("lock+10%", 100e6, 110.1e6));
  EXPECT_FALSE(Breaks("lock+12.5%", 100e6, 112.5e6));
  EXPECT_TRUE(Breaks("lock+12.4%", 100e6, 112.5e6));
  EXPECT_TRUE(Breaks("lock+100000%", 0, 10e6, DIFF_NEW));
}

TEST(DiffLimit, IsNotBrokenByChanceOrByLittle) {
  EXPECT_FALSE(Breaks("lock+10%", 100e6, 400e6, DIFF_SAME));
  EXPECT_FALSE(Breaks("lock+10%", 400e6, 100e6, DIFF_LESS));
  EXPECT_FALSE(Breaks("lock+10%", 100e6, 0, DIFF_GONE));
  EXPECT_FALSE(Breaks("lock+10%", 0, 9.9e6, DIFF_NEW));
  EXPECT_FALSE(Breaks("lock+10%", 1e6, 10.9e6));
}

TEST(DiffLimit, CompleteRecordingsProveEachKind) {
  TwoRuns runs({}, {});
  const struct comparison *c = runs.Compare();
  for (const char *text :
       {"lock+1%", "blocked+1%", "wait+1%", "waiting+1%", "method+1%", "cpu+1%"}) {
    EXPECT_EQ(FindWhy(c, text), "") << text;
  }
}

TEST(DiffLimit, LostEventsProveNothingAboutWaits) {
  TwoRuns runs({}, {.options = "interval=100ms,overflow=drop"});
  const struct comparison *c = runs.Compare();
  EXPECT_EQ(FindWhy(c, "lock+1%"), "a recording lacks events (overflow=drop)");
  EXPECT_EQ(FindWhy(c, "cpu+1%"), "");
}

TEST(DiffLimit, OtherOptionsProveNothingAboutWaits) {
  TwoRuns threshold({}, {.options = "threshold=10ms"}), events({.options = "events=lock"}, {});
  const struct comparison *c = threshold.Compare();
  EXPECT_EQ(FindWhy(c, "blocked+1%"), "the recordings have different options events or threshold");
  EXPECT_EQ(FindWhy(events.Compare(), "wait+1%"),
            "the recordings have different options events or threshold");
  EXPECT_EQ(FindWhy(c, "method+1%"), "");
}

TEST(DiffLimit, SumsOfShortWaitsInOneRunProveNothingAboutWaits) {
  const Recorded run = {.options = "threshold=10ms"};
  TwoRuns one(run, run), both(run, run);
  TwoRuns::AddSum(&one.B());
  EXPECT_EQ(FindWhy(one.Compare(), "blocked+1%"),
            "only one recording has the sums of all waits below the threshold");
  TwoRuns::AddSum(&both.A());
  TwoRuns::AddSum(&both.B());
  EXPECT_EQ(FindWhy(both.Compare(), "blocked+1%"), "");
}

TEST(DiffLimit, OtherSamplersProveNothingAboutMethods) {
  TwoRuns runs({}, {});
  runs.B().Append(DUMP_SAMPLES, "109.9900000000,Cpu,00000002,9000000000,2,Java\n");
  const struct comparison *c = runs.Compare();
  EXPECT_EQ(FindWhy(c, "method+1%"),
            "one recording was sampled by signals, the other at safepoints");
  EXPECT_EQ(FindWhy(c, "cpu+1%"), "");
}

TEST(DiffLimit, NoSamplesProveNothingAboutCpuTime) {
  TwoRuns runs({}, {});
  runs.B().Write(DUMP_SAMPLES, "");
  const struct comparison *c = runs.Compare();
  EXPECT_EQ(FindWhy(c, "cpu+1%"), "a recording has no samples with CPU time");
  EXPECT_EQ(FindWhy(c, "lock+1%"), "");
}

}  // namespace
