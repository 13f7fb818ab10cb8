#include "tools/orca/model/unmatched.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Returns what unmatched_write says about a filter. `found` is whether it matches any event.
std::string Explain(const struct filter &filter, bool found = false) {
  SmallModel small;
  const struct model *m = small.Read(&filter);
  EXPECT_EQ(m->recording.num_events > 0, found);
  struct builder b = {};
  unmatched_write(&b, &m->matcher, &m->threads, found);
  return TakeText(&b);
}

struct filter MakeFilter() {
  return {{}, {}, {}, {}, 0, FILTER_NO_END};
}

TEST(Miss, NamesSimilarThreads) {
  struct filter f = MakeFilter();
  f.threads = {{"wrker-2"}, 1};
  EXPECT_EQ(Explain(f), "no thread is wrker-2; there are worker-2, worker-1, poller, main");
}

TEST(Miss, NamesSimilarObjects) {
  struct filter f = MakeFilter();
  f.locks = {{"Inventry"}, 1};
  std::string text = Explain(f);
  EXPECT_EQ(text.find("no object is Inventry; there are com.acme.Inventory@000000A1, "), 0u)
      << text;
}

TEST(Miss, NamesSimilarClasses) {
  struct filter f = MakeFilter();
  f.classes = {{"OrderServce"}, 1};
  std::string text = Explain(f);
  EXPECT_EQ(text.find("no class is OrderServce; there are com.acme.OrderService, "), 0u) << text;
}

TEST(Miss, ShowsTheWholeFilterIfEachPatternMatches) {
  struct filter f = MakeFilter();
  f.threads = {{"poller"}, 1};
  f.events = {{"monitor"}, 1};
  EXPECT_EQ(Explain(f), "nothing in the recording matches --thread poller --event monitor");
  f = MakeFilter();
  f.threads = {{"main"}, 1};
  f.locks = {{"Semaphore"}, 1};  // only other threads use it
  EXPECT_EQ(Explain(f), "nothing in the recording matches --thread main --lock Semaphore");
}

TEST(Miss, NamesSimilarMethods) {
  SmallModel small;
  const struct dump *d = small.Read()->dump;
  struct builder b = {};
  unmatched_write_method(&b, d, "OrderService.*");
  EXPECT_EQ(TakeText(&b), "");
  unmatched_write_method(&b, d, "pryce");
  EXPECT_EQ(TakeText(&b).find("no method is pryce; there are OrderService.price, "), 0u);
}

TEST(Miss, MentionsTheRangeOfTime) {
  struct filter f = MakeFilter();
  f.locks = {{"Semaphore"}, 1};
  f.to = 103 * kSecond;
  EXPECT_EQ(Explain(f), "nothing in the recording matches --lock Semaphore in the selected time");
}

TEST(Miss, NamesOneOfSeveralPatternsThatMatchesNothing) {
  struct filter f = MakeFilter();
  f.threads = {{"main", "wrker-2"}, 2};
  EXPECT_EQ(Explain(f, true), "no thread is wrker-2; there are worker-2, worker-1, poller, main");
  f = MakeFilter();
  f.locks = {{"Inventory", "000000a3", "Inventory@000000A2"}, 3};
  EXPECT_EQ(Explain(f, true).find("no object is Inventory@000000A2; there are "), 0u);
}

TEST(Miss, IsSilentIfAllPatternsMatch) {
  struct filter f = MakeFilter();
  f.threads = {{"main", "worker-*", "00000004"}, 3};
  f.locks = {{"Inventory", "000000a3"}, 2};
  f.classes = {{"OrderService", "com.acme.*"}, 2};
  EXPECT_EQ(Explain(f, true), "");
}

}  // namespace
