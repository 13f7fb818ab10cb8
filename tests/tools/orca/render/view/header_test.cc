#include <map>

#include "tests/tools/orca/render/view/shown.h"

namespace {

TEST(ViewHeader, DescribesTheRecording) {
  SmallModel small;
  EXPECT_EQ(ShowView(small.Read(), view_header),
            "Command   java -cp shop.jar com.acme.OrderService\n"
            "JVM       17.0.9, pid 4711\n"
            "Recorded  10.0 s from 2026-11-20 11:37:36 UTC; ended by exit\n"
            "CPU time  1.00 s in Java threads: 0.10 CPUs busy on average\n"
            "Threads   4, 3 of them alive at the end\n"
            "Events    22, engine weave\n"
            "Sampled   at safepoints, 5 times, every 2.00 s; this stopped the JVM for 7.00 ms in "
            "total (0.1 %),\n"
            "          longest pause 3.00 ms\n");
}

TEST(ViewHeader, IsBriefWithoutTheRowOfTheSampler) {
  SmallModel small;
  const struct model *m = small.Read();
  std::string full = ShowView(m, view_header), brief = ShowView(m, view_brief_header);
  EXPECT_EQ(brief, full.substr(0, full.find("Sampled ")));
}

TEST(ViewHeader, NamesTheTestOfBazel) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "options=", "test.target=//app:cart\\u000A_test\noptions=");
  EXPECT_TRUE(Has(ShowView(small.Read(), view_header), "\nTest      //app:cart\\u000A_test\nJVM "));
  SmallModel shard;
  shard.files.Replace(DUMP_INFO,
                      "options=", "test.target=//a:b\ntest.shard=2 of 4\ntest.run=3\noptions=");
  EXPECT_TRUE(Has(ShowView(shard.Read(), view_header), "\nTest      //a:b, shard 2 of 4, run 3\n"));
}

TEST(ViewHeader, SaysWhichTriggerFiredLast) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "end.monotonic=",
                      "trigger=101.0000000000,cpu,the process used 1.9 of 2 CPUs\n"
                      "trigger=103.5000000000,deadlock,2 threads block each other in a ring\n"
                      "end.monotonic=");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(
      Has(text, "\nTrigger   deadlock after 3.50 s: 2 threads block each other in a ring\n"))
      << text;
}

TEST(ViewHeader, NamesTheOptionsThatChanged) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "end.monotonic=",
                      "change=102.0000000000,102.5000000000,set,threshold=1ms\n"
                      "change=103.0000000000,103.0000000000,cpu,locks=all\n"
                      "change=105.0000000000,106.0000000000,end,locks=waits\n"
                      "end.monotonic=");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text,
                  "\nChanged   threshold=1ms since 11:37:38 UTC; locks=all since 11:37:39 UTC "
                  "(trigger cpu); locks=waits\n"
                  "          since 11:37:42 UTC\n"))
      << text;
}

TEST(ViewHeader, LeavesOutATriggerThatItCannotRead) {
  for (const char *value : {"", "103", "103.5000000000,deadlock", "x,deadlock,reason",
                            "99.0000000000,deadlock,before the start"}) {
    SmallModel small;
    small.files.Replace(DUMP_INFO,
                        "end.monotonic=", std::string("trigger=") + value + "\nend.monotonic=");
    EXPECT_FALSE(Has(ShowView(small.Read(), view_header), "Trigger")) << value;
  }
}

TEST(ViewHeader, DescribesAKilledJvmWithoutSamples) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "end.monotonic=110.0000000000\n", "");
  small.files.Write(DUMP_SAMPLES, "");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text,
                  "Recorded  9.00 s from 2026-11-20 11:37:36 UTC; the JVM was killed, or it "
                  "is still running\n"))
      << text;
  EXPECT_TRUE(Has(text, "CPU time  not known\n")) << text;
  EXPECT_TRUE(Has(text, "Sampled   none\n")) << text;
}

TEST(ViewHeader, SaysWhyARecordingEnds) {
  const struct {
    const char *reason, *text;
  } kEnds[] = {{"stop", "; ended by orca stop\n"},
               {"duration", "; ended by the option duration\n"},
               {"flush", "; the recording went on after a flush\n"},
               {"snapshot", "; the recording went on after this snapshot\n"},
               {"rotated", "; the next set of files follows\n"},
               {"signal TERM", "; ended by signal TERM\n"},
               {"error", "; ended because a file could not be written\n"},
               {"frost", "; ended by frost\n"}};
  for (const auto &end : kEnds) {
    SmallModel small;
    small.files.Replace(DUMP_INFO, "end.reason=exit", std::string("end.reason=") + end.reason);
    std::string text = ShowView(small.Read(), view_header);
    EXPECT_TRUE(Has(text, "Recorded  10.0 s from 2026-11-20 11:37:36 UTC" + std::string(end.text)))
        << text;
  }
}

TEST(ViewHeader, CountsPairsBelowTheThreshold) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "options=", "options=x,threshold=10ms,");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text, "Events    22, engine weave; pairs shorter than 10ms left out\n")) << text;
  SmallModel ended;
  ended.files.Replace(DUMP_INFO, "options=", "options=x,threshold=10ms,");
  ended.files.Append(DUMP_INFO, "threshold.pairs=123456\n");
  text = ShowView(ended.Read(), view_header);
  EXPECT_TRUE(Has(text, "; 123,456 pairs shorter than 10ms left out\n")) << text;
}

TEST(ViewHeader, SaysThatPairsBelowTheThresholdHaveSums) {
  SmallModel small, with_wakes;
  AddShortCalls(&small.files);
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text, "; 1,710 pairs shorter than 10ms only as sums\n")) << text;
  AddShortCalls(&with_wakes.files);
  with_wakes.files.Append(DUMP_INFO, "threshold.wakes=5\n");
  text = ShowView(with_wakes.Read(), view_header);
  EXPECT_TRUE(Has(text, "1,710 pairs shorter than 10ms only as sums, 5 wake-ups left out\n"))
      << text;
}

TEST(ViewHeader, CountsVirtualThreadsBelowTheThreshold) {
  SmallModel none, two;
  for (SmallModel *m : {&none, &two})
    m->files.Replace(DUMP_INFO, "options=", "options=x,threshold=10ms,");
  none.files.Append(DUMP_INFO, "threshold.threads=0\n");
  two.files.Append(DUMP_INFO, "threshold.threads=2\n");
  EXPECT_FALSE(Has(ShowView(none.Read(), view_header), "virtual thread"));
  std::string text = ShowView(two.Read(), view_header);
  EXPECT_TRUE(Has(text, "alive at the end; 2 virtual threads that ended before 10ms left out\n"))
      << text;
}

// They are those of the whole recording.
TEST(ViewHeader, CountsNoVirtualThreadsBelowTheThresholdWithAFilter) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "options=", "options=x,threshold=10ms,");
  small.files.Append(DUMP_INFO, "threshold.threads=2\n");
  struct filter filter = MakeFilter(TICKS_PER_S * 101, TICKS_PER_S * 102);
  EXPECT_FALSE(Has(ShowView(small.Read(&filter), view_header), "virtual thread"));
}

TEST(ViewHeader, SaysThatTheCommandWasNotRecorded) {
  SmallModel small;
  small.files.Replace(DUMP_INFO,
                      "java -agentpath:/opt/liborca.so=out -cp shop.jar com.acme.OrderService", "");
  small.files.Replace(DUMP_INFO, "options=", "options=x,command=off,");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_EQ(text.find("Command   not recorded (command=off)\nJVM "), 0u) << text;
}

TEST(ViewHeader, ShowsAMaskedCommand) {
  SmallModel small;
  small.files.Replace(DUMP_INFO, "-cp shop.jar", "-Dpassword=*** -cp shop.jar");
  small.files.Replace(DUMP_INFO, "options=", "options=x,command=masked,");
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_EQ(text.find("Command   java -Dpassword=*** -cp shop.jar com.acme.OrderService\n"), 0u)
      << text;
}

TEST(ViewHeader, NamesJdk8WhoseJvmHasAVersionOfItsOwn) {
  for (const auto &[version, shown] :
       std::map<std::string, std::string>{{"25.504-b01", "25.504-b01 (JDK 8)"},
                                          {"25.0.3+9-LTS", "25.0.3+9-LTS"},
                                          {"25-beta+1-b", "25-beta+1-b"}}) {
    SmallModel small;
    small.files.Replace(DUMP_INFO, "17.0.9", version);
    EXPECT_TRUE(Has(ShowView(small.Read(), view_header), "\nJVM       " + shown + ", pid "));
  }
}

TEST(ViewHeader, WorksWithoutInfo) {
  SmallModel small;
  small.files.Remove(DUMP_INFO);
  std::string text = ShowView(small.Read(), view_header);
  EXPECT_TRUE(Has(text, "Command   not known\nJVM       not known\n")) << text;
}

// --- the facts as JSON ---

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
