#include "tools/orca/model/miss.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// What is said of a reading that found something or not.
std::string Miss(const struct filter &filter, bool found = false) {
  SmallModel small;
  const struct model *m = small.Read(&filter);
  EXPECT_EQ(m->recording.num_events > 0, found);
  struct builder b = {};
  miss_write(&b, &m->matcher, &m->threads, found);
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

TEST(Miss, Objects) {
  struct filter f = None();
  f.locks = {{"Inventry"}, 1};
  std::string text = Miss(f);
  EXPECT_EQ(text.find("no object is Inventry; there are com.acme.Inventory@000000A1, "), 0u)
      << text;
}

TEST(Miss, Classes) {
  struct filter f = None();
  f.classes = {{"OrderServce"}, 1};
  std::string text = Miss(f);
  EXPECT_EQ(text.find("no class is OrderServce; there are com.acme.OrderService, "), 0u) << text;
}

TEST(Miss, EachThereButNotTogether) {
  struct filter f = None();
  f.threads = {{"poller"}, 1};
  f.events = {{"monitor"}, 1};
  EXPECT_EQ(Miss(f), "nothing in the recording matches --thread poller --event monitor");
  f = None();
  f.threads = {{"main"}, 1};
  f.locks = {{"Semaphore"}, 1};  // of others
  EXPECT_EQ(Miss(f), "nothing in the recording matches --thread main --lock Semaphore");
}

TEST(Miss, Methods) {
  SmallModel small;
  const struct dump *d = small.Read()->dump;
  struct builder b = {};
  miss_write_method(&b, d, "OrderService.*");
  EXPECT_EQ(Taken(&b), "");
  miss_write_method(&b, d, "pryce");
  EXPECT_EQ(Taken(&b).find("no method is pryce; there are OrderService.price, "), 0u);
}

TEST(Miss, NothingInThatTime) {
  struct filter f = None();
  f.locks = {{"Semaphore"}, 1};
  f.to = 103 * kSecond;
  EXPECT_EQ(Miss(f), "nothing in the recording matches --lock Semaphore in the selected time");
}

TEST(Miss, OneOfSeveralThatMeansNothing) {
  struct filter f = None();
  f.threads = {{"main", "wrker-2"}, 2};
  EXPECT_EQ(Miss(f, true), "no thread is wrker-2; there are worker-2, worker-1, poller, main");
  f = None();
  f.locks = {{"Inventory", "000000a3", "Inventory@000000A2"}, 3};
  EXPECT_EQ(Miss(f, true).find("no object is Inventory@000000A2; there are "), 0u);
}

TEST(Miss, NothingIsSaidWhereAllMeanSomething) {
  struct filter f = None();
  f.threads = {{"main", "worker-*", "00000004"}, 3};
  f.locks = {{"Inventory", "000000a3"}, 2};
  f.classes = {{"OrderService", "com.acme.*"}, 2};
  EXPECT_EQ(Miss(f, true), "");
}

}  // namespace
