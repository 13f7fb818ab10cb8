#include "tests/tools/orca/render/view/shown.h"

namespace {

TEST(ViewKnown, SaysWhyAndWhatToDo) {
  SmallModel small;
  small.files.Replace(DUMP_CLASSES, "Lcom/acme/OrderService;", "Ljava/util/Hashtable;");
  small.files.Replace(DUMP_CLASSES, "Lcom/acme/Inventory;", "Ljava/util/Vector;");
  std::string text = ShowView(small.Read(), view_known);
  EXPECT_EQ(text.find("* Known: 3 threads waited 9.62 s (95 % of all waits) in Hashtable.run: all "
                      "calls share one lock. To\n"),
            0u)
      << text;
  EXPECT_TRUE(Has(text, "java.base/java/util/Hashtable.html")) << text;
}

TEST(ViewKnown, SaysNothingOfOtherMethods) {
  SmallModel small;
  EXPECT_EQ(ShowView(small.Read(), view_known), "");
}

}  // namespace
