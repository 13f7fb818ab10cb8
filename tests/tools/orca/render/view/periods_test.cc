#include "tests/tools/orca/model/machine_dump.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

class ViewPeriods : public testing::Test {
 protected:
  ViewPeriods() { m_ = small_.Read(); }
  struct period *Add(enum period_limit limit, double begin, double end) {
    struct period *p = &m_->periods.rows[m_->periods.num++];
    *p = {};
    p->limit = limit;
    p->begin = m_->recording.start + ticks_t(begin * TICKS_PER_S);
    p->end = m_->recording.start + ticks_t(end * TICKS_PER_S);
    return p;
  }
  // The sentence on one line.
  std::string Sentence() {
    std::string text = ShowView(m_, view_periods_verdict);
    for (size_t at; (at = text.find("\n  ")) != std::string::npos;) text.replace(at, 3, " ");
    return text;
  }
  std::string Table() {
    struct page p;
    page_start(&p, -1, FORMAT_CSV, false);
    view_periods(&p, m_);
    std::string text(p.out.data == nullptr ? "" : p.out.data, p.out.len);
    page_free(&p);
    return text;
  }

  MachineModel small_;
  struct model *m_ = nullptr;
};

TEST_F(ViewPeriods, SayNothingOfASinglePeriod) {
  m_->periods.num = 0;
  Add(PERIOD_LIMIT_LOCK, 0, 10);
  EXPECT_EQ(Sentence(), "");
  EXPECT_EQ(Table().find('\n'), Table().size() - 1) << "only the keys: " << Table();
}

TEST_F(ViewPeriods, SayWhatLimits) {
  m_->periods.num = 0;
  struct period *p = Add(PERIOD_LIMIT_THREADS, 0, 2);
  p->ready = 1;
  p->cpus = 0.98;
  p->place = place(0x10, 88);
  p = Add(PERIOD_LIMIT_LOCK, 2, 6.5);
  p->blocked = 3.04;
  p->lock = 0xA1;
  p = Add(PERIOD_LIMIT_CPUS, 6.5, 8);
  p->cpus = 0.5;
  p = Add(PERIOD_LIMIT_IO, 8, 9);
  p->io = 1.5;
  p->place = place(0x12, 42);
  p = Add(PERIOD_LIMIT_REST, 9, 10);
  p->quiet = 0.93;
  p->place = place(0x10, 88);
  EXPECT_EQ(
      Sentence(),
      "* The program's limit changed; averages of its 5 periods: from 0 s to 2.00 s 1.0 "
      "thread ran or was ready to run, 0.98 of 0.5 CPUs were used, mostly at "
      "OrderService.price (OrderService.java:88); from 2.00 s to 6.50 s 3.0 threads were "
      "blocked, mostly for com.acme.Inventory@000000A1; from 6.50 s to 8.00 s its CPUs were "
      "full: 0.50 of 0.5 CPUs were used; from 8.00 s to 9.00 s 1.5 threads were in I/O, "
      "mostly at Inventory.reserve (Inventory.java:42); from 9.00 s to 10.0 s no Java thread ran, "
      "was blocked or was in I/O for at least 93 % of the time; threads slept or waited mostly at "
      "OrderService.price (OrderService.java:88).\n");
}

TEST_F(ViewPeriods, SayThatTheyLackCpusOrStopForTheCollector) {
  m_->periods.num = 0;
  struct period *p = Add(PERIOD_LIMIT_CROWD, 0, 2);
  p->ready = 4;
  p->cpus = 0.5;
  p->are_blocked = true;
  p->blocked = 5;
  p->lock = 0xA1;
  p->place = place(0x10, 88);
  p = Add(PERIOD_LIMIT_STARVED, 2, 4);
  p->queued = 0.7;
  p->cpus = 0.1;
  p = Add(PERIOD_LIMIT_PAUSES, 4, 6);
  p->paused = 0.42;
  p = Add(PERIOD_LIMIT_REST, 6, 10);
  p->quiet = 1;
  EXPECT_EQ(
      Sentence(),
      "* The program's limit changed; averages of its 4 periods: from 0 s to 2.00 s 4.0 "
      "threads were ready to run or ran, more than the CPUs that it may use; 0.50 of 0.5 CPUs were "
      "used, mostly at OrderService.price (OrderService.java:88), and 5.0 threads were "
      "blocked, mostly for com.acme.Inventory@000000A1; from 2.00 s to 4.00 s 0.7 threads "
      "waited for a CPU, 0.10 of 0.5 CPUs were used; from 4.00 s to 6.00 s the garbage "
      "collector stopped the program for 42 % of the time; from 6.00 s to 10.0 s hardly any "
      "Java thread ran, was blocked or was in I/O.\n");
}

TEST_F(ViewPeriods, TheTableHasNanosecondsAndThousandths) {
  m_->periods.num = 0;
  struct period *p = Add(PERIOD_LIMIT_LOCK, 0, 2.5);
  p->blocked = 3.04;
  p->lock = 0xA1;
  p->cpus = 0.25;
  Add(PERIOD_LIMIT_REST, 2.5, 10);
  EXPECT_EQ(Table(),
            "begin_ns,end_ns,cpus_1000,ready_1000,queued_1000,blocked_1000,io_1000,limit,what\n"
            "0,2500000000,250,0,0,3040,0,lock,\"threads were blocked, mostly for "
            "com.acme.Inventory@000000A1\"\n"
            "2500000000,10000000000,0,0,0,0,0,rest,threads mostly slept or waited\n");
}

}  // namespace
