#include "tests/tools/orca/export/exported.h"

namespace {

const std::vector<std::string> kLabels = {"host=h", "service=s", "version=v", "run=r"};

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
