#include "tests/tools/orca/collect/collected.h"

namespace {

TEST(AnswerHtml, IsOnePage) {
  Collected c;
  c.AddBoth();
  std::string page = c.Write(answer_html);
  EXPECT_EQ(page.find("<!DOCTYPE html>"), 0u);
  EXPECT_TRUE(Has(page, "<b>deadlock</b> "));
  EXPECT_TRUE(Has(page, "<code>orca deadlocks /out/one.zip/run</code>"));
  EXPECT_TRUE(Has(page, "<td class=\"number\">5.50 s</td>"));
  EXPECT_TRUE(Has(page, "<td>//d:far</td>"));
  EXPECT_TRUE(Has(page, "</body></html>\n"));
  for (const char *other : {"<script", "src=", "href=", "url("}) EXPECT_FALSE(Has(page, other));
}

// Names of a build, a class or a file cannot become elements.
TEST(AnswerHtml, EscapesNames) {
  Collected c;
  SmallModel small;
  small.files.Replace(DUMP_CLASSES, "Lcom/acme/Inventory;", "Lcom/acme/<img>Inventory;");
  c.Add(0, "/o/<b>", &small);
  collection_end(&c.all);
  std::string page = c.Write(answer_html);
  EXPECT_FALSE(Has(page, "<img"));
  EXPECT_TRUE(Has(page, "com.acme.&lt;img&gt;Inventory"));
  EXPECT_TRUE(Has(page, "/o/&lt;b&gt;"));
}

}  // namespace
