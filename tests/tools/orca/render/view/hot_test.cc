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
            "self_ns,total_ns,method,class,hottest_line,main_caller,native_ns,jvm_ns,classes\n"
            "310000000,310000000,HashMap.get,java.util.HashMap,HashMap.java:571,OrderService.price,"
            "0,0,1\n"
            "223333333,533333333,OrderService.price,com.acme.OrderService,OrderService.java:90,"
            "OrderService.run,103333333,0,1\n"
            "106666667,106666667,EPoll.wait,sun.nio.ch.EPoll,(native method),OrderService.run,"
            "0,26666667,1\n"
            "60000000,60000000,Inventory.reserve,com.acme.Inventory,Inventory.java:42,"
            "OrderService.run,0,0,1\n"
            "7000000,7000000,(not sampled),,,,0,0,1\n"
            "0,700000000,OrderService.run,com.acme.OrderService,OrderService.java:20,"
            "(root of the thread),0,0,1\n");
  std::string text = ShowView(&small.model, view_hot);
  EXPECT_TRUE(Has(text, "  of self\n")) << text;
  EXPECT_TRUE(Has(text, "  46 % native\n")) << text;
  EXPECT_TRUE(Has(text, "  (native method)       OrderService.run      25 % JVM\n")) << text;
  EXPECT_FALSE(Has(text, "safepoints"));
}

// A method of two hidden classes of one origin is one row.
TEST(ViewHot, AddsUpMethodsOfHiddenClasses) {
  SmallModel small;
  small.files.Replace(DUMP_CLASSES, "Lcom/acme/OrderService;", "Lcom/acme/Query.0x00000008;");
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000D4,Lcom/acme/Query.0x00000009;,OrderService.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000030,price,()V,000000D4,"
                     "2;00000000;00000058;00000010;0000005A\n");
  small.files.Append(DUMP_SAMPLES,
                     "108.0000000000,Stack,7,1;00000030;00000010\n"
                     "108.0000000001,Sample,00000002,Runnable,1010000000,7\n");
  std::string text = ShowView(small.Read(), view_hot);
  EXPECT_TRUE(
      Has(text, "85 %  1.70 s  >99 %  2.00 s  Query.price (2 classes)  OrderService.java:90 "))
      << text;
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

// --- threads ---

std::string Threads(enum profile_value value, size_t top = 10) {
  SmallModel small;
  const struct model *m = small.Read();
  return ShowPage([&](struct page *p) { view_hot_threads(p, m, value, top); });
}

TEST(ViewHotThreads, ShowsTheTimeAndTheHottestMethod) {
  EXPECT_EQ(Threads(PROFILE_CPU),
            "\n"
            "Threads by CPU time, 1.00 s in all\n"
            " time           thread    hash      most in\n"
            " 99 %   990 ms  worker-1  00000002  OrderService.price   690 ms\n"
            "1.0 %  10.0 ms  poller    00000004                      10.0 ms\n");
}

TEST(ViewHotThreads, RanksByOtherValues) {
  std::string text = Threads(PROFILE_WAITS, 1);
  EXPECT_TRUE(Has(text, "\n90 %  4.50 s  main    00000001  Thread.join  3.00 s\n    and 1 more\n"))
      << text;
}

TEST(ViewHotThreads, UsesCpuLines) {
  SmallModel small;
  AddCpuLines(&small.files);
  AddCpu(&small.files, "00000001,10000000,1,Vm", 200);
  const struct model *m = small.Read();
  EXPECT_EQ(ShowPage([&](struct page *p) { view_hot_threads(p, m, PROFILE_CPU, 10); }),
            "\n"
            "Threads by CPU time, 2.63 s in all\n"
            " time           thread    hash      most in\n"
            " 93 %   2.44 s  main      00000001  OrderService.price   2.13 s\n"
            "4.6 %   120 ms  worker-2  00000003  OrderService.price  60.0 ms\n"
            "2.3 %  60.0 ms  worker-1  00000002  OrderService.price  60.0 ms\n"
            "0.3 %  7.00 ms  poller    00000004  (not sampled)       7.00 ms\n");
}

}  // namespace
