#include "tools/orca/answer/find.h"

#include "tests/tools/orca/answer/said.h"

namespace {

class FinderNames : public testing::Test {
 protected:
  FinderNames() { f_.m = said_.answer.model = small_.Read(); }

  SmallModel small_;
  Said said_;
  struct finder f_ = {&said_.answer, nullptr, &said_.answer.findings};
};

TEST_F(FinderNames, ArePlaces) {
  struct named_place name = name_place(&f_, place(0x12, 42));
  EXPECT_STREQ(name.text, "Inventory.reserve (Inventory.java:42)");
  EXPECT_EQ(name.place, place(0x12, 42));
  stack_id_t stack = 0;
  EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump,
                            Span("2;00000003;FFFFFFFF;00000012;00000000"), &stack));
  EXPECT_STREQ(name_stack(&f_, stack).text, "Inventory.reserve (Inventory.java:42)");
}

TEST_F(FinderNames, OfNothingHaveNoText) {
  EXPECT_EQ(name_place(&f_, 0).text, nullptr);
  EXPECT_EQ(name_stack(&f_, 0).text, nullptr);
  EXPECT_EQ(name_lock(&f_, LOCK_READ_SIDE, 0).text, nullptr);
  EXPECT_EQ(name_thread(&f_, 0), nullptr);
  EXPECT_EQ(name_class(&f_, 0), nullptr);
  EXPECT_EQ(name_method(&f_, 0), nullptr);
  EXPECT_EQ(name_info(&f_, INFO_CPUS_QUOTA), nullptr);
  EXPECT_FALSE(said_.answer.findings.failed);
}

// The title of a lock that has none of a program's class begins with a noun.
TEST_F(FinderNames, OfLocksAreTheirTitles) {
  struct named_lock name = name_lock(&f_, LOCK_MONITOR, 0xA1);
  EXPECT_STREQ(name.text, "com.acme.Inventory@000000A1");
  EXPECT_FALSE(name.is_described);
  EXPECT_EQ(name.object, 0xA1u);
  name = name_lock(&f_, LOCK_SEMAPHORE, 0xA3);
  EXPECT_STREQ(name.text, "semaphore in OrderService.price:90 (Semaphore@000000A3)");
  EXPECT_TRUE(name.is_described);
  EXPECT_EQ(name.sort, LOCK_SEMAPHORE);
}

TEST(FinderNamesOfClasses, TellThatTheLockIsAClass) {
  SmallModel small;
  small.files.Append(DUMP_CLASSES, "100.0000000000,000000C8,Ljava/lang/Class;,Class.java\n");
  small.files.Append(DUMP_OBJECTS, "101.0000000000,000000C5,000000C8\n");
  Said said(small.Read());
  struct finder f = {&said.answer, said.answer.model, &said.answer.findings};
  struct named_lock name = name_lock(&f, LOCK_MONITOR, 0xC5);
  EXPECT_STREQ(name.text, "class com.acme.Inventory");
  EXPECT_TRUE(name.is_class);
  EXPECT_FALSE(name_lock(&f, LOCK_MONITOR, 0xA1).is_class);
}

TEST_F(FinderNames, AreThreadsObjectsClassesAndMethods) {
  EXPECT_STREQ(name_thread(&f_, 2), "worker-1");
  EXPECT_STREQ(name_object(&f_, 0xA2), "java.lang.Object@000000A2");
  EXPECT_STREQ(name_class(&f_, 0xC4), "com.acme.OrderService");
  EXPECT_STREQ(name_method(&f_, 0x13), "HashMap.get");
  EXPECT_STREQ(name_info(&f_, INFO_PID), "4711");
}

TEST_F(FinderNames, OfTheThresholdAreItsOption) {
  EXPECT_STREQ(name_threshold(&f_), "the threshold");
  SmallModel with_threshold;
  AddShortCalls(&with_threshold.files);
  f_.m = with_threshold.Read();
  EXPECT_STREQ(name_threshold(&f_), "10ms");
}

TEST_F(FinderNames, OfSharesAreTheLargestThree) {
  struct tally tally = {};
  struct found_rows shares = {};
  for (uint32_t line : {42, 43, 44, 45}) {
    EXPECT_TRUE(tally_add(&tally, 1, place(0x12, line), 1, line * TICKS_PER_NS));
  }
  tally_sort(&tally);
  EXPECT_EQ(name_shares(&f_, &tally, 1, &shares), 42u + 43 + 44 + 45);
  ASSERT_EQ(shares.num, 3u);
  auto *rows = static_cast<struct found_share *>(shares.rows);
  EXPECT_STREQ(rows[0].name, "Inventory.reserve (Inventory.java:45)");
  EXPECT_EQ(rows[0].part, 45u);
  EXPECT_EQ(rows[2].part, 43u);
  tally_free(&tally);
}

TEST_F(FinderNames, OfSharesCountIfThereIsNoTime) {
  struct tally tally = {};
  struct found_rows shares = {};
  EXPECT_TRUE(tally_add(&tally, 1, 0, 5, 0));
  tally_sort(&tally);
  EXPECT_EQ(name_shares(&f_, &tally, 1, &shares), 5u);
  ASSERT_EQ(shares.num, 1u);
  EXPECT_EQ(static_cast<struct found_share *>(shares.rows)->name, nullptr);
  tally_free(&tally);
}

TEST(FoundTime, IsRoundedToNanoseconds) {
  EXPECT_EQ(found_ns(0), 0u);
  EXPECT_EQ(found_ns(4), 0u);
  EXPECT_EQ(found_ns(5), 1u);
  EXPECT_EQ(found_ns(25), 3u);
  EXPECT_EQ(found_ns(kSecond), 1000000000u);
}

}  // namespace
