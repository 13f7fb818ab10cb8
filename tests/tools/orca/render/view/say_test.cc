#include "tools/orca/render/view/say.h"

#include "tests/tools/orca/answer/said.h"

namespace {

std::string SayShares(std::vector<struct found_share> rows, uint64_t more, uint64_t whole) {
  struct found_rows shares = {rows.data(), rows.size()};
  struct builder b = {};
  say_shares(&b, &shares, more, whole);
  return TakeText(&b);
}

std::string SayTheLock(const struct named_lock &lock) {
  struct builder b = {};
  say_the_lock(&b, &lock);
  return TakeText(&b);
}

TEST(SayFinding, IsTheSentenceOfItsKind) {
  struct found_jit row = {1000000000, 4000000000};
  EXPECT_EQ(SayRow(FINDING_jit, &row),
            "The JIT compiler used 25 % of the CPU time of the process (1.00 s of 4.00 s).");
}

TEST(SayFinding, APartIsNone) {
  struct found_share row = {"A.b", 7};
  EXPECT_EQ(SayRow(PART_share, &row), "");
  struct builder b = {};
  say_share(&b, &row);
  EXPECT_EQ(TakeText(&b), "A.b 7");
}

TEST(SayAt, NamesThePlace) {
  struct builder b = {};
  struct named_place place = {"A.b (A.java:7)", 0}, unknown = {};
  say_at(&b, &place);
  say_at(&b, &unknown);
  EXPECT_EQ(TakeText(&b), " at A.b (A.java:7) at an unknown place");
}

TEST(SayTheLock, HasAnArticleIfTheTitleIsANoun) {
  struct named_lock lock = {};
  EXPECT_EQ(SayTheLock(lock), "an unknown lock");
  lock.text = "A@000000A1";
  EXPECT_EQ(SayTheLock(lock), "A@000000A1");
  lock.text = "monitor in A.b:7 (Object@000000A1)";
  lock.is_described = true;
  EXPECT_EQ(SayTheLock(lock), "the monitor in A.b:7 (Object@000000A1)");
}

TEST(SayShares, NameEachWithItsPart) {
  EXPECT_EQ(SayShares({{"A.b", 10}}, 0, 10), "A.b");
  EXPECT_EQ(SayShares({{"A.b", 6}, {"A.c", 3}}, 5, 10), "A.b 60 %, A.c 30 %, 5 more");
  EXPECT_EQ(SayShares({{nullptr, 6}, {"A.c", 4}}, 0, 10), "an unknown place 60 %, A.c 40 %");
}

}  // namespace
