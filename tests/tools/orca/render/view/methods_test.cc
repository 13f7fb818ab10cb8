#include "tests/tools/orca/render/view/shown.h"

namespace {

// Methods of the small dump: 10 is OrderService.price, 11 OrderService.run, 12 Inventory.reserve.
// run calls price twice, for 1 ms and 3 ms. A third call of price does not end and takes 9 s. price
// calls reserve for 2 ms.
class ViewMethods : public testing::Test {
 protected:
  ViewMethods() {
    small_.files.Write(
        DUMP_EVENTS,
        "100.9970000000,MethodEntry,00000002,2;00000010;00000000;00000011;00000000\n"
        "100.9980000000,MethodExit,00000002,00000000,800000,2;00000010;00000000;00000011;00000000\n"
        "101.0000000000,MethodEntry,00000002,2;00000010;00000000;00000011;00000000\n"
        "101.0010000000,MethodEntry,00000002,2;00000012;00000000;00000010;00000010\n"
        "101.0030000000,MethodExit,00000002,00000000,-1,2;00000012;00000000;00000010;00000010\n"
        "101.0030000001,MethodExit,00000002,000000C6,200000,"
        "2;00000010;00000000;00000011;00000000\n"
        "101.0030000002,MethodEntry,00000002,1;00000010;00000000\n");
  }

  std::string Table(size_t top = 10, const char *pattern = nullptr) {
    return ShowPage([&](struct page *p) { view_methods(p, ReadModel(), top, pattern); });
  }
  std::string Details(const char *pattern) {
    return ShowPage([&](struct page *p) { view_method_details(p, ReadModel(), 10, pattern); });
  }
  const struct model *ReadModel() { return small_.dump == nullptr ? small_.Read() : &small_.model; }

  SmallModel small_;
};

TEST_F(ViewMethods, ShowsCallsTimesAndCallers) {
  EXPECT_EQ(Table(),
            "\n"
            "Methods of the option track (total: with callees; self: without)\n"
            "method              calls    total     self     mean      p50      p99  longest      "
            "CPU\n"
            "OrderService.price      3   9.00 s   9.00 s  2.00 ms  1.00 ms  3.00 ms  3.00 ms  "
            "1.00 ms\n"
            "    from (root of the thread) >99 %, OrderService.run (OrderService.java:20) <0.1 %\n"
            "    threw 1 time: java.util.HashMap\n"
            "    1 call not finished at the end, after 9.00 s\n"
            "Inventory.reserve       1  2.00 ms  2.00 ms  2.00 ms  2.00 ms  2.00 ms  2.00 ms     "
            "   -\n"
            "    from OrderService.price (OrderService.java:90)\n");
}

TEST_F(ViewMethods, TheCallerOfACutStackIsNotKnown) {
  small_.files.Replace(DUMP_INFO, "options=out,", "options=out,depth=1,");
  EXPECT_TRUE(Has(Table(), "    from an unknown place >99 %"));
}

TEST_F(ViewMethods, WithoutCpuTimesThereIsNoCpuColumn) {
  small_.files.Replace(DUMP_EVENTS, "800000", "-1");
  small_.files.Replace(DUMP_EVENTS, "200000", "-1");
  EXPECT_FALSE(Has(Table(), "CPU"));
}

TEST_F(ViewMethods, TopAndPatternLimitTheRows) {
  EXPECT_TRUE(Has(Table(1), "    and 1 more\n"));
  EXPECT_FALSE(Has(Table(1), "Inventory.reserve  "));
  EXPECT_FALSE(Has(Table(10, "reserve"), "OrderService.price  "));
  EXPECT_TRUE(Has(Table(10, "reserve"), "Inventory.reserve  "));
  EXPECT_EQ(Table(10, "nothing"), "");
  EXPECT_EQ(view_methods_num(ReadModel(), nullptr), 2u);
  EXPECT_EQ(view_methods_num(ReadModel(), "Inventory.*"), 1u);
}

TEST_F(ViewMethods, OverloadsShowTheirParameters) {
  small_.files.Append(DUMP_METHODS,
                      "100.0000000000,00000021,price,(Ljava/lang/String;)V,000000C4,-1\n");
  small_.files.Append(DUMP_EVENTS, "102.0000000000,MethodEntry,00000003,1;00000021;00000000\n");
  std::string text = Table();
  EXPECT_TRUE(Has(text, "OrderService.price() ")) << text;
  EXPECT_TRUE(Has(text, "OrderService.price(String) ")) << text;
  EXPECT_TRUE(Has(text, "Inventory.reserve ")) << text;
}

TEST_F(ViewMethods, ShowsTheDetailsOfAMethod) {
  EXPECT_EQ(Details("price"),
            "\n"
            "OrderService.price\n"
            "took from       to  calls\n"
            "   524 µs  1.05 ms      1  50 %  ████████████████████████████████████████\n"
            "  1.05 ms  2.10 ms      0   0 %\n"
            "  2.10 ms  4.19 ms      1  50 %  ████████████████████████████████████████\n"
            "\n"
            "called from                              calls           time             mean\n"
            "(root of the thread)                         1  33 %   9.00 s   >99 %   9.00 s\n"
            "OrderService.run (OrderService.java:20)      2  67 %  4.00 ms  <0.1 %  2.00 ms\n");
}

TEST_F(ViewMethods, NoTrackedMethodNoTable) {
  small_.files.Write(DUMP_EVENTS, "");
  EXPECT_EQ(Table(), "");
  EXPECT_EQ(Details(nullptr), "");
}

}  // namespace
