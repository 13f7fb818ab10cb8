#include "tests/tools/orca/export/exported.h"

namespace {

const std::vector<std::string> kLabels = {"host=h", "service=s", "version=v", "run=r"};

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

}  // namespace
