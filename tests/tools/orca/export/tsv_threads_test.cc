#include "tests/tools/orca/export/exported.h"

namespace {

const std::vector<std::string> kLabels = {"host=h", "service=s", "version=v", "run=r"};

TEST(TsvThreads, WritesTheStatesAndTheDeadlock) {
  EXPECT_EQ(Exported().ExportTable("threads", kLabels),
            "host\tservice\tversion\trun\tthread\tthread_hash\tbegin_at\tend_at\talive\t"
            "cpu_ns\trunning_ns\trunnable_ns\tblocked_ns\twaiting_ns\tparked_ns\tsleeping_ns\t"
            "io_ns\thidden_ns\tno_call_ns\tdeadlock\tdeadlock_lock\n"
            "h\ts\tv\tr\tworker-1\t00000002\t1795174656223456789\t1795174666123456789\t1\t"
            "990000000\t5750000000\t0\t2750000000\t0\t0\t500000000\t0\t0\t900000000\t1\t"
            "com.acme.Inventory@000000A1\n"
            "h\ts\tv\tr\tpoller\t00000004\t1795174656323456789\t1795174665123456789\t0\t"
            "10000000\t10000000\t0\t0\t0\t0\t0\t8790000000\t0\t0\t0\t\n"
            "h\ts\tv\tr\tmain\t00000001\t1795174656123456789\t1795174666123456789\t1\t0\t0\t0\t"
            "0\t4500000000\t0\t0\t0\t0\t5500000000\t0\t\n"
            "h\ts\tv\tr\tworker-2\t00000003\t1795174656223456789\t1795174666123456789\t1\t0\t"
            "3625000000\t0\t2375000000\t1000000000\t0\t0\t0\t0\t2900000000\t1\t"
            "monitor in OrderService.price:88 (Object@000000A2)\n");
}

TEST(TsvThreads, AJoinInADeadlockNamesTheThread) {
  Exported e;
  e.files().Append(DUMP_EVENTS,
                   "109.1000000000,ThreadStarted,00000005,a\n"
                   "109.1000000000,ThreadStarted,00000006,b\n"
                   "109.2000000000,ThreadJoin,00000005,00000006,1;00000004;00000000\n"
                   "109.2000000000,ThreadJoin,00000006,00000005,1;00000004;00000000\n");
  std::string text = e.ExportTable("threads", kLabels);
  EXPECT_NE(text.find("\t2\tb\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\t2\ta\n"), std::string::npos) << text;
}

}  // namespace
