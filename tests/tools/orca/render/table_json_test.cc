#include <string>

#include "gtest/gtest.h"
#include "tools/orca/render/cells.h"

namespace {

constexpr struct column kColumns[] = {{NULL, ALIGN_LEFT, false, "lock", nullptr, 0, false},
                                      {"share", ALIGN_RIGHT, false, NULL, nullptr, 0, false},
                                      {"time", ALIGN_RIGHT, false, "time_ns", nullptr, 0, false}};

std::string Json(const struct table *t) {
  struct builder out = {};
  struct json j = {&out, false};
  table_json(&j, t);
  std::string text(out.data, out.len);
  builder_free(&out);
  return text;
}

TEST(TableJson, WritesAnObjectPerRow) {
  struct table *t = table_new(kColumns, 3);
  EXPECT_EQ(Json(t), "[]");
  cell_text(t, "a \"quoted\" one");
  cell_share(t, 1, 2);
  cell_ns(t, 1204);
  builder_string(table_text(t), "for a person");
  table_note(t);
  cell_text(t, "");
  cell_empty(t);
  cell_unknown(t);
  EXPECT_EQ(Json(t),
            "[{\"lock\":\"a \\\"quoted\\\" one\",\"time_ns\":1204},"
            "{\"lock\":\"\",\"time_ns\":null}]");
  table_free(t);
  EXPECT_EQ(Json(nullptr), "[]");
}

// A JSON text is the value as it is; an empty one is null.
TEST(TableJson, AColumnMayBeJson) {
  static const struct column columns[] = {{NULL, ALIGN_LEFT, false, "lock", nullptr, 0, true},
                                          {NULL, ALIGN_LEFT, false, "n", nullptr, 0, false}};
  struct table *t = table_new(columns, 2);
  cell_text(t, "{\"class\":\"Cart\"}");
  cell_count(t, 7);
  cell_text(t, "");
  cell_count(t, 8);
  EXPECT_EQ(Json(t), "[{\"lock\":{\"class\":\"Cart\"},\"n\":7},{\"lock\":null,\"n\":8}]");
  table_free(t);
}

}  // namespace
