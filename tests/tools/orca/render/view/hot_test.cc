#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

TEST(ViewHot, ShowsSelfTimeTotalTimeAndLine) {
  SmallModel small;
  EXPECT_EQ(
      ShowView(small.Read(), view_hot),
      "\n"
      "Methods by CPU time (total: with callees)\n"
      "self          total          method              hottest line          main caller\n"
      "69 %  690 ms   99 %  990 ms  OrderService.price  OrderService.java:88  OrderService.run\n"
      "30 %  300 ms   30 %  300 ms  HashMap.get         HashMap.java:571      "
      "OrderService.price\n"
      " 0 %     0 s   99 %  990 ms  OrderService.run    OrderService.java:20  "
      "(root of the thread)\n"
      "    sampled at safepoints: shares can be wrong for loops without calls\n");
}

TEST(ViewHot, TimeInNativeCodeAndInTheJvmIsSelfTime) {
  SmallModel small;
  AddCpuLines(&small.files);
  AddCpu(&small.files, "00000001,1000000,6,Native", 60);
  AddCpu(&small.files, "00000001,1000000,6,Vm", 20);
  EXPECT_EQ(ShowView(small.Read(), view_hot, 10, FORMAT_CSV),
            "self_ns,total_ns,method,class,hottest_line,main_caller,native_ns,jvm_ns\n"
            "310000000,310000000,HashMap.get,java.util.HashMap,HashMap.java:571,OrderService.price,"
            "0,0\n"
            "223333333,533333333,OrderService.price,com.acme.OrderService,OrderService.java:90,"
            "OrderService.run,103333333,0\n"
            "106666667,106666667,EPoll.wait,sun.nio.ch.EPoll,(native method),OrderService.run,"
            "0,26666667\n"
            "60000000,60000000,Inventory.reserve,com.acme.Inventory,Inventory.java:42,"
            "OrderService.run,0,0\n"
            "7000000,7000000,(not sampled),,,,0,0\n"
            "0,700000000,OrderService.run,com.acme.OrderService,OrderService.java:20,"
            "(root of the thread),0,0\n");
  std::string text = ShowView(&small.model, view_hot);
  EXPECT_TRUE(Has(text, "  of self\n")) << text;
  EXPECT_TRUE(Has(text, "  46 % native\n")) << text;
  EXPECT_TRUE(Has(text, "  (native method)       OrderService.run      25 % JVM\n")) << text;
  EXPECT_FALSE(Has(text, "safepoints"));
}

TEST(ViewHot, TopLimitsTheRows) {
  SmallModel small;
  std::string text = ShowView(small.Read(), view_hot, 1);
  EXPECT_FALSE(Has(text, "HashMap.get")) << text;
  EXPECT_TRUE(Has(text, "    and 2 more\n")) << text;
}

TEST(ViewHot, NoSamplesNoTable) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES, "");
  EXPECT_EQ(ShowView(small.Read(), view_hot), "");
}

}  // namespace
