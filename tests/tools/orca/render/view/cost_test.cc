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

// Makes a recording of one second, so that few events are many in a second.
void Shorten(SmallModel *small) {
  for (enum dump_file file : {DUMP_EVENTS, DUMP_SAMPLES}) small->files.Write(file, "");
  small->files.Replace(DUMP_INFO, "start.monotonic=100.", "start.monotonic=109.");
}

TEST_F(ViewCost, NamesThePlaceWithTooManyEvents) {
  Shorten(&small_);
  Add("ObjectNotify,00000001,000000A1", 110000);
  EXPECT_EQ(
      ShowView(small_.Read(), view_busy_sites),
      "* Many events: ObjectNotify at Inventory.reserve (Inventory.java:42) made 110,000 events "
      "a second,\n"
      "  100 % of all, which slows these calls. The option events=all-notify leaves out these "
      "events.\n");
}

TEST_F(ViewCost, SaysNothingBelow100000ASecond) {
  Shorten(&small_);
  Add("ObjectNotify,00000001,000000A1", 90000);
  EXPECT_EQ(ShowView(small_.Read(), view_busy_sites), "");
}

TEST_F(ViewCost, NamesTheOptionThatBoundsTheSite) {
  struct {
    const char *options, *event, *text;
  } cases[] = {
      {"locks=all", "LockRelease,00000001,000000A3", "The option locks=waits "},
      {"locks=waits", "LockRelease,00000001,000000A3", "The option events=all-lock "},
      {"events=all-park", "ObjectNotify,00000001,000000A1", "The option events=all-park-notify "},
      {"monitors=all", "MonitorExit,00000001,000000A1", "The option monitors=contended "},
  };
  for (const auto &c : cases) {
    SmallModel small;
    Shorten(&small);
    std::string text;
    char line[120];
    for (int i = 0; i < 110000; i++) {
      snprintf(line, sizeof line, "109.%010d,%s,1;00000012;00000000\n", i, c.event);
      text += line;
    }
    small.files.Write(DUMP_EVENTS, text);
    small.files.Replace(DUMP_INFO, "options=", std::string("options=x,") + c.options + ",");
    std::string shown = ShowView(small.Read(), view_busy_sites);
    for (size_t at; (at = shown.find("\n  ")) != std::string::npos;) shown.replace(at, 3, " ");
    EXPECT_TRUE(Has(shown, c.text)) << c.options << "\n" << shown;
  }
}

}  // namespace
