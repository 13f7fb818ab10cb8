#include "tests/tools/orca/html/page_of.h"

namespace {

TEST(DataThreads, ThreadsAreThoseOfTheModel) {
  SmallModel small;
  struct model *m = small.Read();
  Json data = DataOf(m);
  ASSERT_EQ(data["threads"].items.size(), m->threads.num);
  for (size_t i = 0; i < m->threads.num; i++) {
    const std::vector<Json> &row = data["threads"].items[i].items;
    const struct thread &thread = m->threads.rows[i];
    ASSERT_EQ(row.size(), 6u);
    EXPECT_EQ(row[0].text, thread.name);
    EXPECT_EQ(row[2].Integer(), (thread.first - 100 * kSecond) / TICKS_PER_NS);
    EXPECT_EQ(row[3].Integer(), (thread.last - 100 * kSecond) / TICKS_PER_NS);
    EXPECT_EQ(row[4].Integer(), thread.alive);
    EXPECT_EQ(row[5].Integer(), thread.cpu_ns);
  }
  EXPECT_EQ(data["threads"].items[0].items[1].text, "00000002");
}

}  // namespace
