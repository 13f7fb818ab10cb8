#include "tests/support/text.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

constexpr char kTasks[] =
    "101.0000000000,TaskQueued,00000001,000000B1,0\n"
    "101.0500000000,TaskTaken,00000003,000000B1,0\n";
constexpr char kSums[] = "109.6000000000,TaskQueued,00000000,1000,800000000,9000000,0\n";

std::string Show(SmallModel *small, enum format format = FORMAT_TEXT) {
  const struct model *m = small->Read();
  return ShowPage([&](struct page *p) { view_queued_tasks(p, m); }, format);
}

TEST(ViewQueuedTasks, TellsShortAndLongTimes) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_EVENTS, kTasks);
  small.files.Append(DUMP_COUNTS, kSums);
  EXPECT_EQ(
      Show(&small),
      "\nTasks were in queues of executors 1,001 times for 850 ms in total (longest 50.0 ms; 1 "
      "time for 10ms\nor longer, 50.0 ms).\n");
}

TEST(ViewQueuedTasks, SaysThatNoTaskWaitedLong) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_COUNTS, "109.6000000000,TaskQueued,00000000,1,8000000,8000000,0\n");
  EXPECT_EQ(
      Show(&small),
      "\nTasks were in queues of executors 1 time for 8.00 ms in total (longest 8.00 ms; never "
      "for 10ms or\nlonger).\n");
}

TEST(ViewQueuedTasks, ProgramsGetATable) {
  SmallModel small;
  AddShortCalls(&small.files);
  small.files.Append(DUMP_EVENTS, kTasks);
  small.files.Append(DUMP_COUNTS, kSums);
  EXPECT_TRUE(
      Has(Show(&small, FORMAT_JSON),
          "\"queued_tasks\":[{\"count\":1001,\"total_ns\":850000000,\"longest_ns\":50000000,"
          "\"long_count\":1,\"long_total_ns\":50000000}]"));
}

// Other recordings have the same views as before.
TEST(ViewQueuedTasks, ShowsNothingWithoutSums) {
  SmallModel text, json;
  for (SmallModel *small : {&text, &json}) small->files.Append(DUMP_EVENTS, kTasks);
  EXPECT_EQ(Show(&text), "");
  EXPECT_FALSE(Has(Show(&json, FORMAT_JSON), "queued_tasks"));
}

}  // namespace
