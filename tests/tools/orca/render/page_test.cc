#include "tools/orca/render/page.h"

#include <string>

#include "gtest/gtest.h"
#include "tools/orca/render/cells.h"

namespace {

constexpr struct column kColumns[] = {{"name", ALIGN_LEFT, false, "name", nullptr, 0, false}};

struct table *Names(std::initializer_list<const char *> names) {
  struct table *t = table_new(kColumns, 1);
  for (const char *name : names) cell_text(t, name);
  return t;
}

std::string Printed(struct page *page) {
  testing::internal::CaptureStdout();
  EXPECT_TRUE(page_print(page));
  fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

std::string Page(enum format format, bool several) {
  struct page page;
  page_start(&page, -1, format, several);
  struct builder prose = {};
  builder_string(&prose, "\nIn short\n* One.\n* Two.\n");
  page_sentences(&page, "verdicts", &prose);
  page_table(&page, "threads", "Threads", Names({"main", "a,b"}), 1204);
  page_table(&page, "locks", "Locks", Names({}), 0);
  return Printed(&page);
}

TEST(Page, FindsFormats) {
  enum format format = FORMAT_TEXT;
  EXPECT_TRUE(format_find("json", &format));
  EXPECT_EQ(format, FORMAT_JSON);
  EXPECT_TRUE(format_find("csv", &format));
  EXPECT_TRUE(format_find("text", &format));
  EXPECT_FALSE(format_find("xml", &format));
  EXPECT_FALSE(format_find("", &format));
}

TEST(Page, OnlyATerminalCutsNames) {
  std::string name(150, 'n');
  struct page page;
  page_start(&page, -1, FORMAT_TEXT, false);
  page_table(&page, "threads", "Threads", Names({name.c_str()}), 0);
  EXPECT_EQ(Printed(&page), "Threads\nname\n" + name + "\n");
}

TEST(Page, TextHasHeadingsAndProse) {
  EXPECT_EQ(Page(FORMAT_TEXT, true),
            "In short\n* One.\n* Two.\n\nThreads\nname\nmain\na,b\n    and 1,204 more\n");
}

TEST(Page, JsonIsOneObject) {
  EXPECT_EQ(Page(FORMAT_JSON, true),
            "{\"verdicts\":[\"One.\",\"Two.\"],"
            "\"threads\":[{\"name\":\"main\"},{\"name\":\"a,b\"}],\"locks\":[]}\n");
}

TEST(Page, CsvHasOneOrSeveralTables) {
  EXPECT_EQ(Page(FORMAT_CSV, true), "table,name\nthreads,main\nthreads,\"a,b\"\ntable,name\n");
  struct page page;
  page_start(&page, -1, FORMAT_CSV, false);
  page_table(&page, "threads", "Threads", Names({"main"}), 0);
  EXPECT_EQ(Printed(&page), "name\nmain\n");
}

TEST(Page, OutOfMemoryPrintsNothing) {
  struct page page;
  page_start(&page, -1, FORMAT_JSON, false);
  page_table(&page, "threads", "Threads", nullptr, 0);
  testing::internal::CaptureStdout();
  EXPECT_FALSE(page_print(&page));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Page, SentencesInJsonAreNotWrapped) {
  struct page page;
  page_start(&page, -1, FORMAT_JSON, false);
  EXPECT_GT(page_style(&page).width, 1000000u);
  page_free(&page);
}

TEST(Page, OnlyJsonHasASchema) {
  for (enum format format : {FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON}) {
    struct page page;
    page_start(&page, -1, format, false);
    page_put_schema(&page);
    EXPECT_EQ(Printed(&page), format == FORMAT_JSON ? "{\"schema\":2}\n" : "");
  }
}

}  // namespace
