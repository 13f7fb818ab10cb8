#include "tools/orca/html/html.h"

#include "tests/tools/orca/html/page_of.h"

namespace {

TEST(Html, IsOnePageWithoutExternalResources) {
  SmallModel small;
  std::string page = PageOf(small.Read());
  EXPECT_EQ(page.find("<!doctype html>"), 0u);
  EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
  for (const char *mark : {"/* page.css */", "/* page.js */", "/* data */", "src=", "@import"}) {
    EXPECT_EQ(page.find(mark), std::string::npos) << mark;
  }
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(Html, NamesCannotEndTheData) {
  SmallModel small;
  small.files.Replace(DUMP_EVENTS, "00000002,worker-1", "00000002,</script><!--");
  std::string page = PageOf(small.Read());
  EXPECT_EQ(ReadPageData(page)["threads"].items[0].items[0].text, "</script><!--");
}

TEST(Html, TheSameDumpGivesTheSamePage) {
  SmallModel small;
  std::string first = PageOf(small.Read());
  EXPECT_EQ(PageOf(small.Read()), first);
}

}  // namespace
