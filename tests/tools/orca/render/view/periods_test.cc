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

TEST_F(ViewPeriods, AreNotShownIfThereIsOne) {
  m_->periods.num = 0;
  Add(PERIOD_LIMIT_LOCK, 0, 10);
  EXPECT_EQ(Table().find('\n'), Table().size() - 1) << "only the keys: " << Table();
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
