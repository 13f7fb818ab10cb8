#include "tools/orca/html/data.h"

#include "tests/tools/orca/html/page_of.h"

namespace {

TEST(Data, HasExactlyTheseParts) {
  SmallModel small;
  Json data = DataOf(small.Read());
  std::string keys;
  for (const auto &member : data.members) keys += member.first + " ";
  EXPECT_EQ(keys,
            "asked blocked cpu events facts frames framesCut graph length locks log losses methods "
            "objects path prefix process profile slices threads timeline verdicts ");
  EXPECT_EQ(data["length"].Integer(), 10000000000u);
  EXPECT_EQ(data["cpu"].Integer(), small.model.cpu.total_ns);
  EXPECT_EQ(data["blocked"].Integer(), small.model.locks.blocked / TICKS_PER_NS);
}

TEST(Data, ObjectsAreNamedOnce) {
  SmallModel small;
  Json data = DataOf(small.Read());
  std::string names;
  for (const Json &name : data["objects"].items) names += name.text + " ";
  EXPECT_EQ(names,
            "com.acme.Inventory@000000A1 monitor in OrderService.price:88 (Object@000000A2) "
            "semaphore in OrderService.price:90 (Semaphore@000000A3) worker-1 ");
}

TEST(Data, AnEmptyDumpHasEmptyParts) {
  SmallModel small;
  for (enum dump_file file :
       {DUMP_EVENTS, DUMP_SAMPLES, DUMP_OBJECTS, DUMP_METHODS, DUMP_CLASSES}) {
    small.files.Write(file, "");
  }
  Json data = DataOf(small.Read());
  EXPECT_EQ(data["threads"].items.size(), 0u);
  EXPECT_EQ(data["log"]["rows"].items.size(), 0u);
  EXPECT_EQ(data["frames"].items.size(), 0u);
}

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
