#include "tools/orca/model/replay/machine.h"

#include "tests/tools/orca/model/machine_dump.h"

namespace {

class MachineTimesTest : public testing::Test {
 protected:
  ~MachineTimesTest() override { machine_times_free(&times_); }
  void Read(size_t max_spells, size_t max_pauses, const struct filter *filter = nullptr) {
    ASSERT_TRUE(machine_times_read(&times_, small_.Read(filter), max_spells, max_pauses));
  }

  MachineModel small_;
  struct machine_times times_ = {};
};

TEST_F(MachineTimesTest, ASpellLastsFromOneProcessLineToTheNext) {
  Read(10, 10);
  ASSERT_EQ(times_.num, 2u);
  EXPECT_EQ(times_.spells[0].begin, 100 * kSecond);
  EXPECT_EQ(times_.spells[0].end, 105 * kSecond + 6);
  EXPECT_EQ(times_.spells[0].jit_ns, 1500 * kMs);
  EXPECT_EQ(times_.spells[0].gc_ns, 300 * kMs);
  EXPECT_EQ(times_.spells[0].process_ns, 2500 * kMs);
  EXPECT_EQ(times_.spells[1].begin, 105 * kSecond + 6);
  EXPECT_EQ(times_.spells[1].jit_ns, 500 * kMs);
}

TEST_F(MachineTimesTest, SortsPausesByLength) {
  Read(10, 2);
  ASSERT_EQ(times_.pauses.num, 2u);
  EXPECT_EQ(times_.pauses.seen, 3u);
  EXPECT_EQ(times_.pauses.rows[0].begin, 106 * kSecond - 400 * kMs * TICKS_PER_NS);
  EXPECT_EQ(times_.pauses.rows[0].end, 106 * kSecond);
  EXPECT_EQ(times_.pauses.rows[1].end, 107 * kSecond);
}

TEST_F(MachineTimesTest, MergesNeighborsToKeepTheMaximum) {
  std::string lines;
  for (int i = 0; i < 100; i++) {
    std::string time = "109." + std::to_string(1000 + i) + "00000";
    lines += time + "0,Task,20,Jit,7,0,C2\n" + time + "1,Process,10,-1\n";
  }
  small_.files.Append(DUMP_SAMPLES, lines);
  Read(8, 2);
  EXPECT_LE(times_.num, 8u);
  uint64_t jit = 0, process = 0;
  for (size_t i = 0; i < times_.num; i++) {
    jit += times_.spells[i].jit_ns;
    process += times_.spells[i].process_ns;
    if (i == 0) continue;
    EXPECT_EQ(times_.spells[i].begin, times_.spells[i - 1].end);
  }
  EXPECT_EQ(jit, 2000 * kMs + 700);
  EXPECT_EQ(process, 4000 * kMs + 1000);
}

TEST_F(MachineTimesTest, ClipsToTheTimeRangeOfTheFilter) {
  struct filter filter = {};
  filter.from = 106 * kSecond;
  filter.to = FILTER_NO_END;
  Read(10, 10, &filter);
  ASSERT_EQ(times_.num, 1u);
  EXPECT_EQ(times_.spells[0].begin, 106 * kSecond);
  ASSERT_EQ(times_.pauses.num, 1u);
  EXPECT_EQ(times_.pauses.rows[0].end, 107 * kSecond);
}

TEST(MachineTimes, AreEmptyWithoutProcessLines) {
  SmallModel small;
  struct machine_times times;
  ASSERT_TRUE(machine_times_read(&times, small.Read(), 10, 10));
  EXPECT_EQ(times.num, 0u);
  EXPECT_EQ(times.pauses.num, 0u);
  machine_times_free(&times);
}

}  // namespace
