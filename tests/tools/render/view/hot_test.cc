#include "tests/tools/render/view/shown.h"

namespace {

TEST(ViewHot, SelfTotalAndWhere) {
  SmallModel small;
  EXPECT_EQ(Shown(small.Read(), view_hot),
            "\n"
            "Methods by CPU time (total: with what they call)\n"
            "self          total          method              hottest line          main caller\n"
            "69 %  690 ms   99 %  990 ms  OrderService.price  OrderService.java:88\n"
            "30 %  300 ms   30 %  300 ms  HashMap.get         HashMap.java:571      "
            "OrderService.price\n");
}

TEST(ViewHot, TopBoundsTheRows) {
  SmallModel small;
  std::string text = Shown(small.Read(), view_hot, 1);
  EXPECT_FALSE(Has(text, "HashMap.get")) << text;
  EXPECT_TRUE(Has(text, "    and 1 more\n")) << text;
}

TEST(ViewHot, NothingWithoutSamples) {
  SmallModel small;
  small.files.Write(DUMP_SAMPLES, "");
  EXPECT_EQ(Shown(small.Read(), view_hot), "");
}

}  // namespace
