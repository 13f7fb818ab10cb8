#include <string>

#include "tests/tools/orca/html/page_of.h"
#include "tools/orca/render/view/findings.h"

namespace {

TEST(DataWords, VerdictsAreThoseOfTheReport) {
  SmallModel small;
  struct model *m = small.Read();
  Json data = DataOf(m);
  struct answer a = {};
  struct page page;
  page_start(&page, -1, FORMAT_TEXT, false);
  page.style = {100000, false, false};
  ASSERT_TRUE(answer_read(&a, m, &m->locks));
  view_findings(&page, &a);
  std::string text = TakeText(&page.out), all = "\nIn short\n";
  page_free(&page);
  answer_free(&a);
  for (const Json &verdict : data["verdicts"].items) all += "* " + verdict.text + "\n";
  EXPECT_EQ(all, text);
  EXPECT_EQ(data["verdicts"].items[0].text.find("DEADLOCK: "), 0u);
}

TEST(DataWords, SplitsFactsIntoLabelAndText) {
  SmallModel small;
  Json data = DataOf(small.Read());
  std::string text;
  for (const Json &fact : data["facts"].items) {
    ASSERT_EQ(fact.items.size(), 2u);
    text += fact.items[0].text + "|" + fact.items[1].text + "\n";
  }
  EXPECT_EQ(text.find("Command|java -cp shop.jar com.acme.OrderService\nJVM|17.0.9, pid 4711\n"),
            0u)
      << text;
  EXPECT_NE(text.find("CPU time|1.00 s in Java threads"), std::string::npos) << text;
}

TEST(DataWords, LossesShowBrokenLines) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS, "rubbish\n");
  Json data = DataOf(small.Read());
  std::string text;
  for (const Json &loss : data["losses"].items) text += loss.text + "\n";
  EXPECT_NE(text.find("out.orca:23: "), std::string::npos) << text;
}

}  // namespace
