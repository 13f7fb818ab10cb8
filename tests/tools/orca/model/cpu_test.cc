#include "tools/orca/model/cpu.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

struct cpu_method FindMethod(const struct cpu &c, uint32_t method) {
  for (size_t i = 0; i < c.num_methods; i++) {
    if (c.methods[i].method == method) return c.methods[i];
  }
  ADD_FAILURE() << "no method " << method;
  return {};
}

TEST(Cpu, SumsSelfAndTotalTimeByMethod) {
  SmallModel small;
  const struct cpu &c = small.Read()->cpu;
  EXPECT_EQ(c.total_ns, 1000 * kMs);
  ASSERT_EQ(c.num_methods, 3u);
  EXPECT_EQ(c.methods[0].method, 0x10u);  // the hottest first
  EXPECT_EQ(c.methods[1].method, 0x13u);
  EXPECT_EQ(c.methods[2].method, 0x11u);
  // price has 300 ms, and 390 ms in a stack that contains it twice; get, which it calls, has 300 ms
  EXPECT_EQ(FindMethod(c, 0x10).self_ns, 690 * kMs);
  EXPECT_EQ(FindMethod(c, 0x10).total_ns, 990 * kMs);
  EXPECT_EQ(FindMethod(c, 0x13).self_ns, 300 * kMs);
  EXPECT_EQ(FindMethod(c, 0x13).total_ns, 300 * kMs);
  EXPECT_EQ(FindMethod(c, 0x11).self_ns, 0u);
  EXPECT_EQ(FindMethod(c, 0x11).total_ns, 990 * kMs);
}

TEST(Cpu, FindsTheHottestLineAndTheCallerOfTheJdk) {
  SmallModel small;
  const struct cpu &c = small.Read()->cpu;
  EXPECT_EQ(FindMethod(c, 0x10).place, place(0x10, 88));  // 390 ms there, 300 ms in line 90
  EXPECT_EQ(FindMethod(c, 0x10).caller, 0u);
  EXPECT_EQ(FindMethod(c, 0x13).place, place(0x13, 571));
  EXPECT_EQ(FindMethod(c, 0x13).caller, place(0x10, 88));
  EXPECT_EQ(FindMethod(c, 0x11).place, place(0x11, 20));
}

TEST(Cpu, ThreadsThatNeverRanHaveTimeWithoutAStack) {
  SmallModel small;
  const struct cpu &c = small.Read()->cpu;
  EXPECT_EQ(c.no_stack_ns, 10 * kMs);  // poller's
  EXPECT_EQ(c.num_samples, 3u);
}

class CpuCarry : public testing::Test {
 protected:
  ~CpuCarry() override {
    cpu_free(&cpu_);
    stacks_free(&stacks_);
  }

  stack_id_t Intern(const std::string &text) {
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&stacks_, OpenDump(), Span(text), &id));
    return id;
  }
  struct dump *OpenDump() {
    if (small_.dump == nullptr) small_.Read();
    return small_.dump;
  }

  SmallModel small_;
  struct stacks stacks_ = {};
  struct cpu cpu_ = {};
};

TEST_F(CpuCarry, TimeGoesToTheNextStackInWhichTheThreadRuns) {
  stack_id_t price = Intern("1;00000010;00000000"), run = Intern("1;00000011;00000000");
  EXPECT_TRUE(cpu_sample(&cpu_, 7, 5, price));
  EXPECT_TRUE(cpu_sample(&cpu_, 7, 20, 0));
  EXPECT_TRUE(cpu_sample(&cpu_, 8, 1000, 0));   // another thread, which is never seen running
  EXPECT_TRUE(cpu_sample(&cpu_, 7, 0, price));  // it used no CPU time
  EXPECT_TRUE(cpu_sample(&cpu_, 7, 1, run));
  EXPECT_TRUE(cpu_rank(&cpu_, &stacks_, OpenDump()));
  EXPECT_EQ(FindMethod(cpu_, 0x10).self_ns, 5u);
  EXPECT_EQ(FindMethod(cpu_, 0x11).self_ns, 21u);
  EXPECT_EQ(cpu_.no_stack_ns, 1000u);
  EXPECT_EQ(cpu_.total_ns, 1026u);
}

TEST_F(CpuCarry, RemainingTimeGoesToTheLastStackInWhichTheThreadRan) {
  EXPECT_TRUE(cpu_sample(&cpu_, 7, 5, Intern("1;00000010;00000000")));
  EXPECT_TRUE(cpu_sample(&cpu_, 7, 20, 0));
  EXPECT_TRUE(cpu_rank(&cpu_, &stacks_, OpenDump()));
  EXPECT_EQ(FindMethod(cpu_, 0x10).self_ns, 25u);
  EXPECT_EQ(cpu_.no_stack_ns, 0u);
}

TEST_F(CpuCarry, WithoutSamplesThereAreNoMethods) {
  EXPECT_TRUE(cpu_rank(&cpu_, &stacks_, OpenDump()));
  EXPECT_EQ(cpu_.num_methods, 0u);
  EXPECT_EQ(cpu_.total_ns, 0u);
}

}  // namespace
