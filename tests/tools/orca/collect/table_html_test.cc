#include "tools/orca/collect/table_html.h"

#include <string>

#include "gtest/gtest.h"
#include "tools/orca/render/cells.h"

namespace {

constexpr struct column kColumns[] = {{"time", ALIGN_RIGHT, false, NULL, nullptr, 0, false},
                                      {NULL, ALIGN_LEFT, false, "hidden", nullptr, 0, false},
                                      {"a & b", ALIGN_LEFT, false, NULL, nullptr, 0, false}};

std::string Html(const struct table *t) {
  struct builder b = {};
  table_html(&b, t);
  std::string text(b.data == nullptr ? "" : b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(TableHtml, WritesTheColumnsThatHaveATitle) {
  struct table *t = table_new(kColumns, 3);
  cell_ns(t, 1500000);
  cell_raw(t, 7);
  cell_text(t, "<lock>");
  EXPECT_EQ(
      Html(t),
      "<table><thead><tr><th class=\"number\">time</th><th>a &amp; b</th></tr></thead><tbody>\n"
      "<tr><td class=\"number\">1.50 ms</td><td>&lt;lock&gt;</td></tr>\n"
      "</tbody></table>\n");
  table_free(t);
  EXPECT_EQ(Html(nullptr), "");
}

}  // namespace
