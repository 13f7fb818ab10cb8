#include "tests/tools/orca/export/exported.h"

#include <sstream>

#include "tests/tools/orca/model/cpu_lines.h"

namespace {

const std::vector<std::string> kLabels = {"host=h", "service=s", "version=v", "run=r"};

TEST(TsvRuns, WritesTheFiguresOfTheRecording) {
  EXPECT_EQ(Exported().ExportTable("runs", kLabels),
            "host\tservice\tversion\trun\tbegin_at\tend_at\trecorded_ns\tprogram\tjvm\tpid\t"
            "ended_by\tthreads\tevents\tdropped\tcpu_ns\tblocked_ns\tdeadlocks\n"
            "h\ts\tv\tr\t1795174656123456789\t1795174666123456789\t10000000000\t"
            "com.acme.OrderService\t17.0.9\t4711\texit\t4\t22\t0\t1000000000\t4375000000\t1\n");
}

TEST(TsvRuns, ACommandThatWasNotRecordedHasNoProgram) {
  Exported e;
  e.files().Replace(DUMP_INFO,
                    "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", "");
  std::string text = e.ExportTable("runs", kLabels);
  EXPECT_NE(text.find("\t10000000000\t\t17.0.9\t4711\t"), std::string::npos) << text;
}

TEST(TsvRuns, AKilledJvmHasNoReason) {
  Exported e;
  e.files().Replace(DUMP_INFO, "end.reason=exit\n", "");
  std::string text = e.ExportTable("runs", kLabels);
  EXPECT_NE(text.find("\t17.0.9\t4711\t\t4\t22\t"), std::string::npos) << text;
}

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

TEST(TsvSamples, WritesEachSample) {
  EXPECT_EQ(Exported().ExportTable("samples", kLabels),
            "host\tservice\tversion\trun\tsampled_at\tkind\tthread\tthread_hash\tstate\t"
            "cpu_ns\tmethod\tstack\n"
            "h\ts\tv\tr\t1795174657123456789\tthread\tworker-1\t00000002\trunning\t300000000\t"
            "com.acme.OrderService.price\t17142236025503589082\n"
            "h\ts\tv\tr\t1795174657123456789\tthread\tpoller\t00000004\tin I/O\t10000000\t"
            "sun.nio.ch.EPoll.wait\t17859429271404876553\n"
            "h\ts\tv\tr\t1795174658123456789\tthread\tworker-1\t00000002\tblocked\t100000000\t"
            "com.acme.Inventory.reserve\t12369981313997073446\n"
            "h\ts\tv\tr\t1795174659123456789\tthread\tworker-1\t00000002\trunning\t200000000\t"
            "java.util.HashMap.get\t1941955790964647414\n"
            "h\ts\tv\tr\t1795174660123456789\tthread\tworker-1\t00000002\trunning\t390000000\t"
            "com.acme.OrderService.price\t5711567028769062653\n"
            "h\ts\tv\tr\t1795174660123456789\tthread\tworker-2\t00000003\trunning\t0\t"
            "com.acme.OrderService.price\t17142236025503589082\n"
            "h\ts\tv\tr\t1795174661123456789\tthread\tworker-2\t00000003\twaiting\t0\t"
            "com.acme.Inventory.reserve\t12369981313997073446\n");
}

TEST(TsvSamples, CpuLinesHaveAllCpuTime) {
  Exported e;
  AddCpuLines(&e.files());
  std::istringstream lines(e.ExportTable("samples", kLabels));
  std::string line;
  std::getline(lines, line);
  uint64_t cpu_ns = 0, cpu_rows = 0;
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream row(line);
    for (std::string field; std::getline(row, field, '\t');) fields.push_back(field);
    cpu_ns += std::stoull(fields.at(9));
    cpu_rows += fields.at(5) == "cpu";
    if (fields.at(5) == "thread") {
      EXPECT_EQ(fields.at(9), "0");
    }
  }
  EXPECT_GT(cpu_rows, 0u);
  EXPECT_EQ(cpu_ns, e.small.model.cpu.total_ns);
}

TEST(TsvLocks, WritesTheRowsOfTheView) {
  EXPECT_EQ(Exported().ExportTable("locks", kLabels),
            "host\tservice\tversion\trun\tbegin_at\tlock\ttitle\tname\tclass\tsort\tis_signal\t"
            "acquired\twaited\tfailed\topen\tblocked_ns\tp99_blocked_ns\tlongest_blocked_ns\t"
            "holds\theld_ns\tlongest_held_ns\thandoff_ns\tmethod\tline\twaiter\tholder\t"
            "holder_method\tholder_line\twaited_is_least\n"
            "h\ts\tv\tr\t1795174656123456789\tcom.acme.Inventory@000000A1\t"
            "com.acme.Inventory@000000A1\tcom.acme.Inventory\tcom.acme.Inventory\tmonitor\t0\t"
            "\\N\t4\t0\t1\t2875000000\t2000000000\t2000000000\t0\t\\N\t\\N\t0\t"
            "com.acme.Inventory.reserve\t42\tworker-1\tworker-2\tcom.acme.OrderService.price\t"
            "88\t0\n"
            "h\ts\tv\tr\t1795174656123456789\tjava.lang.Object@000000A2\t"
            "monitor in OrderService.price:88 (Object@000000A2)\t"
            "monitor in com.acme.OrderService.price (java.lang.Object)\tjava.lang.Object\t"
            "monitor\t0\t\\N\t1\t0\t1\t1500000000\t1500000000\t1500000000\t0\t\\N\t\\N\t0\t"
            "com.acme.OrderService.price\t88\tworker-2\tworker-1\tcom.acme.Inventory.reserve\t"
            "42\t0\n"
            "h\ts\tv\tr\t1795174656123456789\tjava.util.concurrent.Semaphore@000000A3\t"
            "semaphore in OrderService.price:90 (Semaphore@000000A3)\t"
            "semaphore in com.acme.OrderService.price (java.util.concurrent.Semaphore)\t"
            "java.util.concurrent.Semaphore\tsemaphore\t1\t1\t1\t0\t0\t750000000\t750000000\t"
            "750000000\t0\t\\N\t\\N\t50000000\tcom.acme.OrderService.price\t90\tworker-2\t\t\t"
            "0\t0\n");
}

TEST(TsvLocks, ContainsShortWaits) {
  Exported e;
  AddShortCalls(&e.files());
  e.files().Append(DUMP_COUNTS, "109.6000000000,LockAcquire,00000000,30,60000000,3000000,0\n");
  std::string text = e.ExportTable("locks", kLabels);
  EXPECT_NE(text.find("\tmonitor\t0\t\\N\t1004\t0\t1\t6875000000\t9000000\t2000000000\t"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\t1\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("\t1\n"), text.rfind("\t1\n")) << "only the semaphore may have waited more";
  EXPECT_NE(text.find("6789\t\t\tseveral objects, not told "
                      "apart\t\tlock\t0\t\\N\t30\t0\t0\t60000000\t3000000\t3000000\t"),
            std::string::npos)
      << text;
}

TEST(TsvLocks, SaysThatALockMayHaveWaitedMore) {
  Exported e;
  AddShortCalls(&e.files());
  e.files().Append(DUMP_COUNTS,
                   "109.6000000000,MonitorContendedEnter,00000000,30,60000000,3000000,0\n");
  std::string text = e.ExportTable("locks", kLabels);
  EXPECT_NE(text.find("\t1004\t0\t1\t6875000000\t10000000\t"), std::string::npos) << text;
  EXPECT_NE(text.find("\tcom.acme.OrderService.price\t88\t1\n"), std::string::npos) << text;
}

TEST(TsvLocks, WritesWhatIsNotKnownAsNull) {
  Exported e;
  e.files().Remove(DUMP_OBJECTS);
  std::string text = e.ExportTable("locks", kLabels);
  EXPECT_NE(text.find("\t(unknown class)\t\tmonitor\t0\t\\N\t4\t"), std::string::npos) << text;
}

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

TEST(TsvStacks, WritesEachStackWithItsTimes) {
  EXPECT_EQ(Exported().ExportTable("stacks", kLabels),
            "host\tservice\tversion\trun\tbegin_at\tstack\tmethod\tmethods\tlines\tcpu_ns\t"
            "wall_ns\tblocked_ns\twaits_ns\n"
            "h\ts\tv\tr\t1795174656123456789\t0\t(no Java frames)\t[]\t[]\t10000000\t0\t0\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t12369981313997073446\t"
            "com.acme.Inventory.reserve\t"
            "['com.acme.Inventory.reserve','com.acme.OrderService.run']\t[42,20]\t0\t"
            "6000000000\t2750000000\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t17142236025503589082\t"
            "com.acme.OrderService.price\t"
            "['com.acme.OrderService.price','com.acme.OrderService.run']\t[90,20]\t300000000\t"
            "2000000000\t0\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t17859429271404876553\tsun.nio.ch.EPoll.wait\t"
            "['sun.nio.ch.EPoll.wait']\t[0]\t0\t8000000000\t0\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t7066166171185674564\t"
            "com.acme.OrderService.price\t"
            "['com.acme.OrderService.price','com.acme.OrderService.run']\t[88,20]\t0\t0\t"
            "1625000000\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t1941955790964647414\tjava.util.HashMap.get\t"
            "['java.util.HashMap.get','com.acme.OrderService.price','com.acme.OrderService.run'"
            "]\t[571,88,20]\t300000000\t1000000000\t0\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t17681832155739100911\tjava.lang.Object.wait\t"
            "['java.lang.Object.wait','com.acme.OrderService.run']\t[0,20]\t0\t0\t0\t"
            "1500000000\n"
            "h\ts\tv\tr\t1795174656123456789\t5711567028769062653\t"
            "com.acme.OrderService.price\t"
            "['com.acme.OrderService.price','com.acme.OrderService.price','com.acme.OrderServic"
            "e.run']\t[88,90,20]\t390000000\t6000000000\t0\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t9112644667110785705\tjava.lang.Object.notifyAll\t"
            "['java.lang.Object.notifyAll']\t[0]\t0\t0\t0\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t8369641718822629033\tjava.lang.Thread.sleep\t"
            "['java.lang.Thread.sleep','com.acme.Inventory.reserve']\t[0,42]\t0\t0\t0\t"
            "500000000\n"
            "h\ts\tv\tr\t1795174656123456789\t17981848434753759202\t"
            "java.util.concurrent.Semaphore.acquire\t"
            "['java.util.concurrent.Semaphore.acquire','com.acme.OrderService.price']\t"
            "[318,90]\t0\t0\t750000000\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t11552438191881932238\t"
            "java.util.concurrent.Semaphore.release\t"
            "['java.util.concurrent.Semaphore.release']\t[432]\t0\t0\t0\t0\n"
            "h\ts\tv\tr\t1795174656123456789\t4223604927276859300\tjava.lang.Thread.join\t"
            "['java.lang.Thread.join','com.acme.OrderService.run']\t[0,20]\t0\t0\t0\t"
            "3000000000\n");
}

TEST(TsvStacks, StacksWithTheSameNamesShareARow) {
  Exported e;
  e.files().Append(DUMP_EVENTS,
                   "109.1000000000,ThreadSleep,00000001,1;00000010;00000000\n"
                   "109.2000000000,ThreadSlept,00000001,1;00000010;00000000\n"
                   "109.3000000000,ThreadSleep,00000001,1;00000010;00000001\n"
                   "109.5000000000,ThreadSlept,00000001,1;00000010;00000001\n");
  std::string text = e.ExportTable("stacks", kLabels);
  EXPECT_NE(text.find("\t['com.acme.OrderService.price']\t[88]\t0\t0\t0\t300000000\n"),
            std::string::npos)
      << text;
}

TEST(TsvStacks, EscapesNamesInLists) {
  Exported e;
  e.files().Replace(DUMP_METHODS, "00000012,reserve,", "00000012,re'ser\\u005Cve,");
  std::string text = e.ExportTable("stacks", kLabels);
  EXPECT_NE(text.find("['com.acme.Inventory.re\\'ser\\\\ve','com.acme.OrderService.run']"),
            std::string::npos)
      << text;
}

}  // namespace
