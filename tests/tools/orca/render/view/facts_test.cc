#include "tests/tools/orca/render/view/shown.h"

namespace {

std::string Facts(const struct model *m) {
  return ShowPage([&](struct page *p) { view_facts(p, m); }, FORMAT_JSON);
}

TEST(ViewFacts, FactsArePlainNumbers) {
  SmallModel small;
  EXPECT_EQ(Facts(small.Read()),
            "{\"recording\":{\"command\":\"java -agentpath:/opt/liborca.so=out -cp shop.jar "
            "com.acme.OrderService\",\"pid\":\"4711\",\"java_version\":\"17.0.9\","
            "\"start_utc\":\"2026-11-20T11:37:36.123456789Z\",\"end_reason\":\"exit\","
            "\"length_ns\":10000000000,\"from_ns\":0,\"to_ns\":10000000000,\"events\":22,"
            "\"all_events\":22,\"samples\":7,\"all_samples\":7,\"ticks\":5,"
            "\"sampler\":\"safepoint\",\"cpu_samples\":0,"
            "\"pause_ns\":7000000,\"longest_pause_ns\":3000000,\"threads\":4,"
            "\"cpu_ns\":1000000000,"
            "\"process_cpu_ns\":null,\"jit_cpu_ns\":null,\"gc_cpu_ns\":null,\"vm_cpu_ns\":null,"
            "\"native_cpu_ns\":null,\"orca_cpu_ns\":null,\"unknown_cpu_ns\":null,"
            "\"cpu_wait_ns\":null,\"throttled_ns\":null,\"gc_pauses\":null,\"gc_pause_ns\":null,"
            "\"longest_gc_pause_ns\":null,\"cpus_allowed\":null,\"cpus_quota\":null}");
}

// Those of the whole recording, whatever the filter.
TEST(ViewFacts, CountsVirtualThreadsBelowTheThreshold) {
  struct filter filter = MakeFilter(TICKS_PER_S * 101, TICKS_PER_S * 102);
  for (const struct filter *f : {static_cast<struct filter *>(nullptr), &filter}) {
    SmallModel none, two;
    none.files.Append(DUMP_INFO, "threshold.threads=0\n");
    two.files.Append(DUMP_INFO, "threshold.threads=2\n");
    EXPECT_TRUE(Has(Facts(none.Read(f)), ",\"short_threads\":0,"));
    EXPECT_TRUE(Has(Facts(two.Read(f)), ",\"short_threads\":2,"));
  }
}

TEST(ViewFacts, UnknownFactsAreNull) {
  SmallModel small;
  small.files.Remove(DUMP_INFO);
  EXPECT_TRUE(Has(Facts(small.Read()), "\"command\":null,\"pid\":null"));
}

TEST(ViewFacts, ACommandThatWasNotRecordedIsNull) {
  SmallModel small;
  small.files.Replace(DUMP_INFO,
                      "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", "");
  EXPECT_TRUE(Has(Facts(small.Read()), "\"command\":null,\"pid\":\"4711\""));
}

TEST(ViewFacts, FactsFollowTheFilter) {
  SmallModel small;
  struct filter filter = {};
  filter.from = 101 * kSecond;
  filter.to = 102 * kSecond;
  std::string text = Facts(small.Read(&filter));
  EXPECT_TRUE(Has(text, "\"from_ns\":1000000000,\"to_ns\":2000000000,\"events\":3,")) << text;
}

TEST(ViewFacts, SentencesAreTextOrAnArray) {
  SmallModel small;
  const struct model *m = small.Read();
  auto missing = [&](struct page *p) { view_missing(p, m); };
  EXPECT_EQ(ShowPage(missing), ShowView(m, view_losses));
  EXPECT_EQ(ShowPage(missing, FORMAT_CSV), "");
  EXPECT_EQ(ShowPage(missing, FORMAT_JSON).find("{\"missing\":[\""), 0u);
}

}  // namespace
