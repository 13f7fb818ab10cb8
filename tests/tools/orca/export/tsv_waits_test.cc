#include <sstream>
#include "tests/tools/orca/export/exported.h"

namespace {

const std::vector<std::string> kLabels = {"host=h", "service=s", "version=v", "run=r"};

TEST(TsvWaits, WritesEachPairWithItsLockAndOwner) {
  EXPECT_EQ(Exported().ExportTable("waits", kLabels),
            "host\tservice\tversion\trun\tbegin_at\twait_ns\tevent\tsort\tcontended\tfailed\t"
            "open\tthread\tthread_hash\tobject\tclass\tname\towner\towner_hash\tmethod\tline\t"
            "stack\n"
            "h\ts\tv\tr\t1795174657123456789\t500000000\tMonitorContendedEnter\tmonitor\t1\t0\t"
            "0\tworker-1\t00000002\tcom.acme.Inventory@000000A1\tcom.acme.Inventory\t"
            "com.acme.Inventory\tworker-2\t00000003\tcom.acme.Inventory.reserve\t42\t"
            "12369981313997073446\n"
            "h\ts\tv\tr\t1795174658123456789\t250000000\tMonitorContendedEnter\tmonitor\t1\t0\t"
            "0\tworker-1\t00000002\tcom.acme.Inventory@000000A1\tcom.acme.Inventory\t"
            "com.acme.Inventory\t\t\tcom.acme.Inventory.reserve\t42\t12369981313997073446\n"
            "h\ts\tv\tr\t1795174659123456789\t125000000\tMonitorContendedEnter\tmonitor\t1\t0\t"
            "0\tworker-2\t00000003\tcom.acme.Inventory@000000A1\tcom.acme.Inventory\t"
            "com.acme.Inventory\tworker-1\t00000002\tcom.acme.OrderService.price\t88\t"
            "7066166171185674564\n"
            "h\ts\tv\tr\t1795174660123456789\t1500000000\tObjectWait\t\t1\t0\t0\tmain\t"
            "00000001\tjava.lang.Object@000000A2\tjava.lang.Object\t\t\t\t"
            "com.acme.OrderService.run\t20\t17681832155739100911\n"
            "h\ts\tv\tr\t1795174662123456789\t500000000\tThreadSleep\t\t1\t0\t0\tworker-1\t"
            "00000002\t\t\t\t\t\tcom.acme.Inventory.reserve\t42\t8369641718822629033\n"
            "h\ts\tv\tr\t1795174662123456789\t750000000\tSemaphoreAcquire\tsemaphore\t1\t0\t0\t"
            "worker-2\t00000003\tjava.util.concurrent.Semaphore@000000A3\t"
            "java.util.concurrent.Semaphore\t"
            "semaphore in com.acme.OrderService.price (java.util.concurrent.Semaphore)\t\t\t"
            "com.acme.OrderService.price\t90\t17981848434753759202\n"
            "h\ts\tv\tr\t1795174664123456789\t2000000000\tMonitorContendedEnter\tmonitor\t1\t"
            "0\t1\tworker-1\t00000002\tcom.acme.Inventory@000000A1\tcom.acme.Inventory\t"
            "com.acme.Inventory\tworker-2\t00000003\tcom.acme.Inventory.reserve\t42\t"
            "12369981313997073446\n"
            "h\ts\tv\tr\t1795174663123456789\t3000000000\tThreadJoin\t\t1\t0\t1\tmain\t"
            "00000001\tjava.lang.Thread@00000002\tjava.lang.Thread\t\t\t\t"
            "com.acme.OrderService.run\t20\t4223604927276859300\n"
            "h\ts\tv\tr\t1795174664623456789\t1500000000\tMonitorContendedEnter\tmonitor\t1\t"
            "0\t1\tworker-2\t00000003\tjava.lang.Object@000000A2\tjava.lang.Object\t"
            "monitor in com.acme.OrderService.price (java.lang.Object)\tworker-1\t00000002\t"
            "com.acme.OrderService.price\t88\t7066166171185674564\n");
}

// The sums over the rows are the figures of the views of locks and waits.
TEST(TsvWaits, SumsUpToTheViews) {
  Exported e;
  std::string text = e.ExportTable("waits", kLabels);
  uint64_t locks_ns = 0, waits_ns = 0;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream row(line);
    for (std::string field; std::getline(row, field, '\t');) fields.push_back(field);
    (fields.at(7).empty() ? waits_ns : locks_ns) += std::stoull(fields.at(5));
  }
  ticks_t stalls = 0;
  for (size_t i = 0; i < e.small.model.stalls.num; i++) {
    const struct stall &stall = e.small.model.stalls.rows[i];
    if (!lock_event_asks(stall.kind)) stalls += stall.total;
  }
  EXPECT_EQ(locks_ns, e.small.model.locks.blocked / TICKS_PER_NS);
  EXPECT_EQ(waits_ns, stalls / TICKS_PER_NS);
}

TEST(TsvWaits, MarksAcquisitionsThatFoundTheLockFree) {
  Exported e;
  e.files().Append(DUMP_EVENTS,
                   "109.1000000000,SemaphoreAcquire,00000004,000000A3,1;00000010;00000000\n"
                   "109.1000001000,SemaphoreAcquired,00000004,000000A3,1;00000010;00000000\n");
  std::string text = e.ExportTable("waits", kLabels);
  EXPECT_NE(text.find("\t100\tSemaphoreAcquire\tsemaphore\t0\t0\t0\tpoller\t"), std::string::npos)
      << text;
}

}  // namespace
