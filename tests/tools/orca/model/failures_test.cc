#include "tools/orca/model/failures.h"

#include "tests/support/text.h"
#include "tests/tools/orca/model/small_dump.h"

namespace {

TEST(Failures, AreThoseOfThreadsAndTasks) {
  SmallModel small;
  small.files.Append(
      DUMP_EVENTS,
      "109.1000000000,ThreadFailed,00000002,000000E1,com.acme.Cart.add (Cart.java:7)\n"
      "109.2000000000,ThreadFailed,00000003,000000E2,\n"
      "109.3000000000,TaskFailed,00000004,000000E3,Shop.pay (Shop.java:9)\n");
  const struct failures &f = small.Read()->failures;
  ASSERT_NE(failures_find(&f, 2), nullptr);
  EXPECT_EQ(failures_find(&f, 2)->exception, 0xE1u);
  EXPECT_EQ(Text(failures_find(&f, 2)->thrower), "com.acme.Cart.add (Cart.java:7)");
  EXPECT_EQ(failures_find(&f, 2)->time, TICKS_PER_S * 1091 / 10);
  EXPECT_EQ(failures_find(&f, 3)->thrower.len, 0u);
  EXPECT_EQ(failures_find(&f, 4), nullptr) << "only its task";
  EXPECT_EQ(f.num_tasks, 1u);
  EXPECT_EQ(f.tasks[0].thread, 4u);
}

TEST(Failures, OfTheLastTaskOfAThread) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS,
                     "109.1000000000,TaskFailed,00000004,000000E1,Shop.pay (Shop.java:9)\n"
                     "109.2000000000,TaskFailed,00000004,000000E3,Shop.pay (Shop.java:9)\n"
                     "109.3000000000,TaskFailed,00000005,000000E4,\n"
                     "109.4000000000,TaskTaken,00000005,000000E5,0\n");
  const struct failures &f = small.Read()->failures;
  ASSERT_NE(failures_last_task(&f, 4), nullptr);
  EXPECT_EQ(failures_last_task(&f, 4)->exception, 0xE3u);
  EXPECT_EQ(Text(failures_last_task(&f, 4)->thrower), "Shop.pay (Shop.java:9)");
  EXPECT_EQ(failures_last_task(&f, 5), nullptr) << "it had another task";
}

TEST(Failures, OfTasksAreTheFirstOnes) {
  SmallModel small;
  for (int i = 0; i < 9; i++) {
    small.files.Append(DUMP_EVENTS, "109.1" + std::to_string(i) +
                                        "00000000,TaskFailed,00000004,000000E3,Shop.pay\n");
  }
  const struct failures &f = small.Read()->failures;
  EXPECT_EQ(f.num_tasks, 9u);
  EXPECT_EQ(f.tasks[FAILURES_KEPT - 1].time, TICKS_PER_S * 10912 / 100);
}

}  // namespace
