#include "tools/model/miss.h"

#include "tests/tools/model/small_dump.h"

namespace {

std::string Miss(const struct filter &filter) {
  SmallModel small;
  const struct model *m = small.Read(&filter);
  EXPECT_EQ(m->recording.num_events, 0u);
  struct builder b = {};
  miss_write(&b, &m->matcher, &m->threads);
  return Taken(&b);
}

struct filter None() {
  return {{}, {}, {}, {}, 0, FILTER_NO_END};
}

TEST(Miss, ThreadsThatThereAre) {
  struct filter f = None();
  f.threads = {{"wrker-2"}, 1};
  EXPECT_EQ(Miss(f), "no thread is wrker-2; there are worker-2, worker-1, poller, main");
}

TEST(Miss, ObjectsOfEvents) {
  struct filter f = None();
  f.locks = {{"Inventry"}, 1};
  std::string text = Miss(f);
  EXPECT_EQ(text.find("no event is about Inventry; there are com.acme.Inventory@000000A1, "), 0u)
      << text;
}

TEST(Miss, ClassesInTheStacks) {
  struct filter f = None();
  f.classes = {{"OrderServce"}, 1};
  std::string text = Miss(f);
  EXPECT_EQ(text.find("no class in the stacks is OrderServce; there are com.acme.OrderService, "),
            0u)
      << text;
}

TEST(Miss, EachThereButNotTogether) {
  struct filter f = None();
  f.threads = {{"poller"}, 1};
  f.events = {{"monitor"}, 1};
  EXPECT_EQ(Miss(f), "nothing in this dump is what is asked for");
}

}  // namespace
