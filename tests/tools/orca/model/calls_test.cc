#include "tools/orca/model/calls.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Methods of the small dump: 10 OrderService.price, 11 OrderService.run, 12 Inventory.reserve.
const char kPrice[] = "2;00000010;00000000;00000011;00000000";
const char kReserve[] = "3;00000012;00000000;00000010;00000010;00000011;00000000";
const char kPriceInPrice[] = "3;00000010;00000000;00000010;00000010;00000011;00000000";

class Calls : public testing::Test {
 protected:
  Calls() {
    small_.files.Write(DUMP_EVENTS, "");
    small_.files.Write(DUMP_SAMPLES, "");
  }

  // Adds an event at 101 s plus `ms`.
  void AddEntry(int ms, const std::string &stack, int thread = 2) {
    AddLine(ms, "MethodEntry", thread, stack);
  }
  void AddExit(int ms, const std::string &stack, int thread = 2,
               const std::string &outcome = "00000000,-1") {
    AddLine(ms, "MethodExit", thread, outcome + "," + stack);
  }
  void AddLine(int ms, const char *event, int thread, const std::string &rest) {
    char start[80];
    snprintf(start, sizeof start, "101.%03d0000000,%s,%08X,", ms, event, thread);
    small_.files.Append(DUMP_EVENTS, start + rest + "\n");
  }
  const struct calls &Read() { return small_.Read()->calls; }
  const struct called *FindMethod(uint32_t method) {
    const struct calls &calls = small_.model.calls;
    for (size_t i = 0; i < calls.num; i++) {
      if (calls.rows[i].method == method) return &calls.rows[i];
    }
    return nullptr;
  }

  SmallModel small_;
};

constexpr ticks_t kTicksPerMs = kSecond / 1000;

TEST_F(Calls, SelfTimeExcludesTrackedCalls) {
  AddEntry(0, kPrice);
  AddEntry(10, kReserve);
  AddExit(40, kReserve);
  AddEntry(50, kReserve);
  AddExit(60, kReserve);
  AddExit(100, kPrice);
  Read();
  const struct called *price = FindMethod(0x10), *reserve = FindMethod(0x12);
  ASSERT_NE(price, nullptr);
  ASSERT_NE(reserve, nullptr);
  EXPECT_EQ(price->calls, 1u);
  EXPECT_EQ(price->total, kTicksPerMs * 100);
  EXPECT_EQ(price->self, kTicksPerMs * 60);
  EXPECT_EQ(reserve->calls, 2u);
  EXPECT_EQ(reserve->total, kTicksPerMs * 40);
  EXPECT_EQ(reserve->self, kTicksPerMs * 40);
  EXPECT_EQ(reserve->sum, kTicksPerMs * 40);
  EXPECT_EQ(reserve->times.num, 2u);
  EXPECT_EQ(reserve->times.least, 10 * kMs);
  EXPECT_EQ(reserve->times.most, 30 * kMs);
  EXPECT_EQ(price->cpu_calls, 0u);
  EXPECT_EQ(small_.model.calls.without_end + small_.model.calls.without_begin, 0u);
}

// What needs the single calls does not contain them.
TEST_F(Calls, KeepShortCallsApart) {
  AddEntry(0, kPrice);
  AddExit(100, kPrice);
  small_.files.Write(DUMP_COUNTS,
                     "102.0000000000,MethodEntry,00000000,7,70000000,9000000,"
                     "2;00000010;00000000;00000000;00000000\n"
                     "102.0000000001,MethodEntry,00000000,90,300000000,8000000,"
                     "2;00000012;00000000;00000000;00000000\n"
                     "102.0000000002,MethodEntry,00000000,3,3000,2000,0\n"
                     "102.0000000003,ThreadSleep,00000000,3,3000,2000,"
                     "2;00000003;00000000;00000000;00000000\n");
  ASSERT_EQ(Read().num, 2u);
  EXPECT_EQ(small_.model.calls.rows[0].method, 0x12u);  // the longest time comes first
  const struct called *price = FindMethod(0x10), *reserve = FindMethod(0x12);
  EXPECT_EQ(price->calls, 1u);
  EXPECT_EQ(price->total, kTicksPerMs * 100);
  EXPECT_EQ(price->short_calls.num, 7u);
  EXPECT_EQ(reserve->calls, 0u);
  EXPECT_EQ(reserve->short_calls.num, 90u);
  EXPECT_EQ(reserve->short_calls.total, kTicksPerMs * 300);
  EXPECT_EQ(small_.model.calls.several.num, 3u);
  EXPECT_EQ(small_.model.calls.several.total, kTicksPerMs * 3 / 1000);
}

TEST_F(Calls, TotalTimeCountsRecursionOnce) {
  AddEntry(0, kPrice);
  AddEntry(10, kPriceInPrice);
  AddExit(30, kPriceInPrice, 2, "00000000,20000000");
  AddExit(100, kPrice, 2, "00000000,70000000");
  AddEntry(200, kPrice);
  AddExit(210, kPrice, 2, "00000000,5000000");
  Read();
  const struct called *price = FindMethod(0x10);
  ASSERT_NE(price, nullptr);
  EXPECT_EQ(price->calls, 3u);
  EXPECT_EQ(price->total, kTicksPerMs * 110);
  EXPECT_EQ(price->self, kTicksPerMs * 110);
  EXPECT_EQ(price->sum, kTicksPerMs * 130);
  EXPECT_EQ(price->cpu_calls, 3u);
  EXPECT_EQ(price->cpu_ns, 75 * kMs);
}

TEST_F(Calls, CallsOfThreadsAreSeparate) {
  AddEntry(0, kPrice, 2);
  AddEntry(10, kPrice, 3);
  AddExit(20, kPrice, 2);
  AddExit(40, kPrice, 3);
  Read();
  EXPECT_EQ(FindMethod(0x10)->total, kTicksPerMs * 50);
}

TEST_F(Calls, CountsExceptionsByClass) {
  for (int i = 0; i < 3; i++) {
    AddEntry(10 * i, kPrice);
    AddExit(10 * i + 5, kPrice, 2, i < 2 ? "000000C6,-1" : "000000C5,-1");
  }
  const struct calls &calls = Read();
  EXPECT_EQ(FindMethod(0x10)->threw, 3u);
  size_t num;
  const struct tally_row *thrown = tally_of(&calls.thrown, FindMethod(0x10)->id, &num);
  ASSERT_EQ(num, 2u);
  EXPECT_EQ(thrown[0].key, 0xC6u);
  EXPECT_EQ(thrown[0].count, 2u);
}

TEST_F(Calls, CountsCallersByPlace) {
  AddEntry(0, kReserve);
  AddExit(10, kReserve);
  AddEntry(20, "2;00000012;00000000;00000011;00000000");
  AddExit(50, "2;00000012;00000000;00000011;00000000");
  AddEntry(60, "1;00000012;00000000");
  AddExit(65, "1;00000012;00000000");
  const struct calls &calls = Read();
  size_t num;
  const struct tally_row *callers = tally_of(&calls.callers, FindMethod(0x12)->id, &num);
  ASSERT_EQ(num, 3u);
  EXPECT_EQ(callers[0].key, place(0x11, 20));
  EXPECT_EQ(callers[0].total, kTicksPerMs * 30);
  EXPECT_EQ(callers[1].key, place(0x10, 90));
  EXPECT_EQ(callers[1].count, 1u);
  EXPECT_EQ(callers[2].key, place(pseudo_method(PSEUDO_ROOT), 0));
}

// The recording ends at 110 s.
TEST_F(Calls, OpenCallsCountUpToTheEnd) {
  AddEntry(0, kPrice);
  AddEntry(500, kReserve);
  Read();
  const struct called *price = FindMethod(0x10), *reserve = FindMethod(0x12);
  EXPECT_EQ(price->calls, 1u);
  EXPECT_EQ(price->open, 1u);
  EXPECT_EQ(price->total, 9 * kSecond);
  EXPECT_EQ(price->self, kSecond / 2);
  EXPECT_EQ(price->longest_open, 9 * kSecond);
  EXPECT_EQ(price->times.num, 0u);
  EXPECT_EQ(reserve->total, kSecond * 85 / 10);
}

TEST_F(Calls, CallsWithoutExitOrEntryAreCounted) {
  AddEntry(0, kPrice);
  AddEntry(10, kReserve);
  AddExit(100, kPrice);
  AddExit(110, kPrice);
  AddEntry(200, kPrice);
  AddLine(210, "ThreadEnded", 2, "");
  small_.files.Replace(DUMP_EVENTS, "ThreadEnded,00000002,", "ThreadEnded,00000002");
  const struct calls &calls = Read();
  EXPECT_EQ(calls.without_end, 2u);
  EXPECT_EQ(calls.without_begin, 1u);
  EXPECT_EQ(FindMethod(0x10)->total, kTicksPerMs * 100);
  EXPECT_EQ(FindMethod(0x10)->self, kTicksPerMs * 100);
  EXPECT_EQ(FindMethod(0x10)->open, 0u);
  EXPECT_EQ(FindMethod(0x12)->total, 0u);
}

TEST_F(Calls, SortsByTotalTimeAndReusesSlots) {
  AddEntry(0, kReserve);
  AddExit(10, kReserve);
  AddEntry(20, kPrice);
  AddExit(50, kPrice);
  const struct calls &calls = Read();
  ASSERT_EQ(calls.num, 2u);
  EXPECT_EQ(calls.rows[0].method, 0x10u);
  EXPECT_EQ(calls.num_slots, 1u);  // slots are used again
}

}  // namespace
