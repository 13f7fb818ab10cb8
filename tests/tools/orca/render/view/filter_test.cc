#include "tests/tools/orca/model/cpu_lines.h"
#include "tests/tools/orca/render/view/shown.h"

namespace {

TEST(ViewFilter, CountsTheEventsAndSamplesThatMatch) {
  SmallModel small;
  struct filter filter = MakeFilter(101 * kSecond, 103 * kSecond);
  filter.threads = {{"worker-*", "main"}, 2};
  EXPECT_EQ(
      ShowView(small.Read(&filter), view_filter),
      "Shown     5 of 22 events, 3 of 7 samples match --thread 'worker-*' --thread main, from "
      "1.00 s to\n          3.00 s\n");
}

TEST(ViewFilter, AFilterForLocksLeavesOutSamples) {
  SmallModel small;
  struct filter filter = MakeFilter();
  filter.locks = {{"Inventory"}, 1};
  const struct model *m = small.Read(&filter);
  EXPECT_EQ(ShowView(m, view_filter), "Shown     7 of 22 events match --lock Inventory\n");
  EXPECT_TRUE(Has(ShowView(m, view_header), "Sampled   left out, because samples have no lock"));
}

TEST(ViewFilter, CountsTheCpuSamplesThatMatch) {
  SmallModel small;
  AddCpuLines(&small.files);
  struct filter filter = MakeFilter();
  filter.threads = {{"worker-1"}, 1};
  EXPECT_TRUE(Has(ShowView(small.Read(&filter), view_filter),
                  " of 7 samples, 2 of 43 CPU samples match --thread worker-1\n"));
}

TEST(ViewFilter, ShowsATimeRangeWithoutPatterns) {
  SmallModel small;
  struct filter filter = MakeFilter(109 * kSecond);
  EXPECT_EQ(ShowView(small.Read(&filter), view_filter),
            "Shown     1 of 22 events, 0 of 7 samples are from 9.00 s to 10.0 s\n");
}

// A sum has no threads, few frames, and one time.
TEST(ViewFilter, SaysWhatItDoesToSumsOfShortCalls) {
  struct filter thread = MakeFilter(), code = MakeFilter(), lock = MakeFilter();
  struct filter range = MakeFilter(109 * kSecond);
  thread.threads = {{"worker-1"}, 1};
  code.classes = {{"com.acme.*"}, 1};
  lock.locks = {{"*"}, 1};
  const struct {
    const struct filter *filter;
    const char *words;
  } cases[] = {
      {&thread, "\nShort     calls shorter than 10ms are left out: only their sums are recorded, "},
      {&code,
       "\nShort     calls shorter than 10ms are recorded as sums. Their stacks end with the "},
      {&range, "\nShort     calls shorter than 10ms are recorded as sums, which count when they "}};
  for (const auto &c : cases) {
    SmallModel small, old;
    AddShortCalls(&small.files);
    std::string text = ShowView(small.Read(c.filter), view_filter);
    EXPECT_TRUE(Has(text, c.words)) << text;
    EXPECT_FALSE(Has(ShowView(old.Read(c.filter), view_filter), "Short "));
  }
  SmallModel small;
  AddShortCalls(&small.files);
  EXPECT_FALSE(Has(ShowView(small.Read(&lock), view_filter), "Short "));
}

TEST(ViewFilter, NoFilterNoRow) {
  SmallModel small;
  EXPECT_EQ(ShowView(small.Read(), view_filter), "");
}

}  // namespace
