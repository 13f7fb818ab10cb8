#include "tools/orca/model/base/near.h"

#include <string.h>

#include <string>

#include "gtest/gtest.h"

namespace {

std::string FindSimilar(const char *pattern, std::initializer_list<const char *> names) {
  struct near n = {};
  struct builder b = {};
  n.pattern = pattern;
  for (const char *name : names) near_add(&n, {name, strlen(name)});
  near_write(&b, &n);
  std::string text = b.len == 0 ? "" : std::string(b.data, b.len);
  builder_free(&b);
  return text;
}

TEST(Near, SortsNamesBySimilarity) {
  EXPECT_EQ(FindSimilar("wrker-1", {"main", "worker-2", "worker-1"}), "worker-1, worker-2, main");
  EXPECT_EQ(FindSimilar("Wrk*", {"audit", "worker-17"}), "worker-17, audit");
  EXPECT_EQ(FindSimilar("inventry", {"java.lang.Object", "com.acme.Inventory"}),
            "com.acme.Inventory, java.lang.Object");
}

TEST(Near, ShowsFewNamesAndCountsTheRest) {
  EXPECT_EQ(FindSimilar("a", {"a1", "b22", "c333", "d4444", "e55555", "f666666", "g"}),
            "a1, g, b22, c333, d4444, 2 more");
  EXPECT_EQ(FindSimilar("a", {}), "");
  EXPECT_EQ(FindSimilar("a", {"b", "b", ""}), "b");
}

TEST(Near, CutsLongNames) {
  EXPECT_EQ(FindSimilar("a", {std::string(200, 'x').c_str()}).size(), size_t{NEAR_LENGTH});
}

}  // namespace
