#include "tests/tools/orca/render/view/shown.h"

namespace {

std::string ShowRow(const struct model *m) {
  struct builder b = {};
  view_cost(&b, m);
  return TakeText(&b);
}

// A recording of 10 s in which the Java threads use 1 s of CPU time.
class ViewCost : public testing::Test {
 protected:
  // Adds events of one kind with stacks of one frame: Inventory.reserve.
  void Add(const char *event, int count) {
    char line[120];
    std::string text;
    for (int i = 0; i < count; i++) {
      snprintf(line, sizeof line, "109.%010d,%s,1;00000012;00000000\n", ++ticks_, event);
      text += line;
    }
    small_.files.Append(DUMP_EVENTS, text);
  }

  SmallModel small_;
  int ticks_ = 0;
};

TEST_F(ViewCost, SaysNothingAboutALittle) { EXPECT_EQ(ShowRow(small_.Read()), ""); }

TEST_F(ViewCost, SaysHowMuchRecordingTook) {
  // 100,000 stacks of one frame take 100,000 * (250 + 8) ns, the events before them about 7 µs.
  Add("ObjectNotify,00000001,000000A1", 100000);
  std::string text = ShowRow(small_.Read());
  EXPECT_EQ(text.find("recording took about 2.6 % of the CPU time: 25.8 ms in Java threads, "
                      "estimated from 100,022 events and 0 CPU samples; "),
            0u)
      << text;
  EXPECT_TRUE(Has(text, " MB a second written")) << text;
  EXPECT_TRUE(Has(ShowView(&small_.model, view_header), "\nCost      recording took about 2.6 %"));
}

// The time of the samples in hooks counts, not the number of events.
TEST_F(ViewCost, SaysWhatWasMeasured) {
  Add("ObjectNotify,00000001,000000A1", 10);
  std::string samples;
  for (int i = 0; i < 5; i++) {
    samples += "109." + std::to_string(9000000000 + i) + ",Cpu,00000001,20000000,0,Hook\n";
  }
  small_.files.Append(DUMP_SAMPLES, samples);
  std::string text = ShowRow(small_.Read());
  EXPECT_TRUE(Has(text,
                  "of the CPU time: 100 ms in Java threads, 100 ms of it in hooks, measured by "
                  "5 CPU samples of 5"))
      << text;
}

TEST_F(ViewCost, IsSilentWithAFilter) {
  Add("ObjectNotify,00000001,000000A1", 100000);
  struct filter filter = {};
  const char *pattern = "main";
  filter.threads.texts[0] = pattern;
  filter.threads.num = 1;
  filter.to = FILTER_NO_END;
  EXPECT_EQ(ShowRow(small_.Read(&filter)), "");
}

TEST_F(ViewCost, IsNeverMoreThanTheThreadsUsed) {
  small_.files.Append(DUMP_INFO, "threshold.pairs=1000000000\n");
  std::string text = ShowRow(small_.Read());
  EXPECT_EQ(text.find("recording took nearly all of the CPU time: 1.00 s in Java threads, "
                      "estimated from 22 events, 1,000,000,000 pairs left out and "),
            0u)
      << text;
}

}  // namespace
