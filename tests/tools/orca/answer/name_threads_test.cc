#include <utility>
#include <vector>

#include "tests/tools/orca/answer/said.h"

namespace {

// The name of threads with these names and times.
std::string GetName(const std::vector<std::pair<std::string, uint64_t>> &threads) {
  SmallModel small;
  std::string lines;
  struct tally tally = {};
  for (size_t i = 0; i < threads.size(); i++) {
    char hash[16];
    snprintf(hash, sizeof hash, "%08X", static_cast<unsigned>(i + 1));
    lines += "100.0000000000,ThreadStarted," + std::string(hash) + "," + threads[i].first + "\n";
    EXPECT_TRUE(tally_add(&tally, 7, i + 1, 1, threads[i].second));
  }
  tally_sort(&tally);
  small.files.Write(DUMP_EVENTS, lines);
  Said said;
  struct finder f = {&said.answer, small.Read(), &said.answer.findings};
  std::string name = name_threads(&f, &tally, 7);
  EXPECT_EQ(count_threads(&tally, 7), threads.size());
  tally_free(&tally);
  return name;
}

TEST(NameThreads, NamesUpToThreeThreads) {
  EXPECT_EQ(GetName({{"main", 5}}), "main");
  EXPECT_EQ(GetName({{"main", 5}, {"audit", 6}}), "audit and main");
  EXPECT_EQ(GetName({{"main", 5}, {"audit", 6}, {"counter", 4}}), "audit, main and counter");
  EXPECT_EQ(GetName({{"a", 9}, {"b", 8}, {"c", 7}, {"d", 6}}), "a, b and 2 more");
}

TEST(NameThreads, NamesThreadsWithMostOfTheTime) {
  EXPECT_EQ(GetName({{"main", 95}, {"audit", 5}}), "threads, mostly main,");
  EXPECT_EQ(GetName({{"main", 89}, {"audit", 11}}), "main and audit");
  EXPECT_EQ(GetName({{"w-1", 30}, {"w-2", 30}, {"w-3", 35}, {"main", 5}}),
            "threads, mostly w-1…3,");
  EXPECT_EQ(GetName({{"main", 0}, {"audit", 0}}), "main and audit");  // ranked by count
  EXPECT_EQ(GetName({{"a", 93}, {"b", 1}, {"c", 1}}), "threads, mostly a,");
  EXPECT_EQ(GetName({{"a", 10}, {"b", 1}, {"c", 1}, {"d", 1}}), "a, b and 2 more");  // as much as b
}

TEST(NameThreads, MergesNumberedNames) {
  EXPECT_EQ(GetName({{"w-1", 1}, {"w-2", 1}, {"w-3", 1}, {"w-4", 1}}), "w-1…4");
  EXPECT_EQ(GetName({{"w-2", 1}, {"w-1", 1}}), "w-2 and w-1");
  EXPECT_EQ(GetName({{"w-1", 1}, {"w-12", 1}, {"w-5", 1}}), "w-1, w-5 and w-12");
  EXPECT_EQ(GetName({{"w-1", 1}, {"w-2", 1}, {"w-3", 1}, {"w-5", 1}, {"w-6", 1}}), "5 of w-1…6");
  EXPECT_EQ(GetName({{"w-1", 1}, {"w-2", 1}, {"w-4000", 1}}), "3 of w-1…4000");
  EXPECT_EQ(GetName({{"w-1", 1}, {"w-2", 1}, {"v-3", 1}}), "w-1, w-2 and v-3");
  EXPECT_EQ(GetName({{"1", 1}, {"2", 1}, {"3", 1}}), "1, 2 and 3");
  EXPECT_EQ(GetName({{"w-1", 1}, {"w-1", 1}, {"w-2", 1}}), "2 threads w-1 and w-2");
  EXPECT_EQ(GetName({{"consumer", 2}, {"consumer", 1}}), "2 threads consumer");
  EXPECT_EQ(GetName({{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"a", 1}}),
            "2 threads a, b and 2 more");
  EXPECT_EQ(GetName({{"virtual thread 3 of A.b:7", 1},
                     {"virtual thread 1 of A.b:7", 1},
                     {"virtual thread 2 of A.b:7", 1}}),
            "virtual thread 1…3 of A.b:7");
  EXPECT_EQ(GetName({{"virtual thread 3 of A.b:7", 1},
                     {"virtual thread 1 of A.b:8", 1},
                     {"virtual thread 2", 1}}),
            "virtual thread 3 of A.b:7, virtual thread 1 of A.b:8 and virtual thread 2");
  EXPECT_EQ(GetName({{"w-01", 1}, {"w-02", 1}, {"w-03", 1}}), "w-01, w-02 and w-03");
}

}  // namespace
