#include "tests/tools/orca/answer/said.h"

namespace {

struct found_class_waiters MakeWaiters(const char *threads, unsigned num, const char *place) {
  struct found_class_waiters waiters = {};
  waiters.threads = threads;
  waiters.num_threads = num;
  waiters.place.text = place;
  return waiters;
}

struct found_class_wait MakeWait() {
  static struct found_class_waiters waiters = MakeWaiters("one", 1, "A.b (A.java:7)");
  struct found_class_wait wait = {};
  wait.waiters.rows = &waiters;
  wait.waiters.num = wait.num_threads = 1;
  wait.longest = 3000000000;
  wait.class_name = "A";
  wait.initializer = "two";
  wait.initializer_place.text = "A.c (A.java:8)";
  return wait;
}

std::string SayWait(struct found_class_wait wait) { return SayRow(FINDING_class_wait, &wait); }

TEST(SayClassInits, SaysWhatTheInitializerDoes) {
  struct found_class_wait wait = MakeWait();
  const std::string start =
      "Stuck when the recording ended: one waits at A.b (A.java:7) until two has initialized A, "
      "for "
      "3.00 s. Meanwhile two ";
  EXPECT_EQ(SayWait(wait), start + "was last seen at A.c (A.java:8).");
  wait.does = "parked";
  EXPECT_EQ(SayWait(wait), start + "is parked at A.c (A.java:8).");
  wait.does = "waits";
  wait.call = "Object.wait";
  EXPECT_EQ(SayWait(wait), start + "waits in Object.wait at A.c (A.java:8).");
}

TEST(SayClassInits, AWaitMayHaveBegunBefore) {
  struct found_class_wait wait = MakeWait();
  wait.num_threads = 2;
  wait.longest_is_least = true;
  EXPECT_NE(SayWait(wait).find(" has initialized A, for at least 3.00 s. "), std::string::npos);
}

TEST(SayClassInits, SaysWhereWhichThreadsWait) {
  struct found_class_wait wait = MakeWait();
  struct found_class_waiters places[] = {MakeWaiters("one and four", 2, "A.b"),
                                         MakeWaiters("three", 1, "A.d")};
  wait.waiters.rows = places;
  wait.waiters.num = 2;
  wait.num_threads = 3;
  EXPECT_TRUE(Has(SayWait(wait),
                  "ended: one and four wait at A.b and three waits at A.d until two has "
                  "initialized A, for up to "));
  wait.num_threads = 5;
  EXPECT_TRUE(Has(SayWait(wait),
                  "ended: one and four wait at A.b, three waits at A.d and 2 more "
                  "until two has initialized A, "));
}

TEST(SayClassInits, CountsFurtherThreads) {
  struct found_class_link link = {};
  struct found_class_deadlock row = {};
  link.thread = "one";
  link.class_name = "A";
  row.threads = 1;
  row.links.rows = row.others.rows = &link;
  row.links.num = row.others.num = 1;
  row.num_others = 3;
  EXPECT_EQ(
      SayRow(FINDING_class_deadlock, &row),
      "DEADLOCK of class initialization: one waits at an unknown place for A. So one waits for "
      "A, too; and 2 more threads.");
}

}  // namespace
