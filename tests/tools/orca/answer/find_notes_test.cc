#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/model/machine_dump.h"

namespace {

// --- known methods --------------------------------------------------------------------------

TEST(FindKnownMethods, SayWhyAndWhatToDo) {
  SmallModel small;
  small.files.Replace(DUMP_CLASSES, "Lcom/acme/OrderService;", "Ljava/util/Hashtable;");
  small.files.Replace(DUMP_CLASSES, "Lcom/acme/Inventory;", "Ljava/util/Vector;");
  std::string text = Say(small.Read(), {FINDING_known_method});
  EXPECT_EQ(text.find("* Known: 3 threads waited 9.62 s (95 % of all waits) in Hashtable.run: all "
                      "calls share one lock. To do: "),
            0u)
      << text;
  EXPECT_TRUE(Has(text, "java.base/java/util/Hashtable.html")) << text;
}

TEST(FindKnownMethods, SayNothingOfOtherMethods) {
  SmallModel small;
  EXPECT_EQ(Say(small.Read(), {FINDING_known_method}), "");
}

// --- calls from before the recording -----------------------------------------------------------

TEST(FindUnasked, SayWhatIsMissing) {
  SmallModel small;
  small.files.Append(DUMP_INFO, "inventory.unnamed=2\ninventory.skipped=0\n");
  EXPECT_EQ(Say(small.Read(), {FINDING_unasked}),
            "* When the recording began, 2 virtual threads were blocked on a monitor. It is not "
            "known on which: before JDK 25, the JVM does not tell it.\n");
  SmallModel busy;
  busy.files.Append(DUMP_INFO, "inventory.skipped=1\n");
  EXPECT_EQ(
      Say(busy.Read(), {FINDING_unasked}),
      "* There was no time to ask 1 thread what it waited for when the recording began; calls "
      "that began before it are missing.\n");
}

TEST(FindUnasked, SayNothingIfAllIsKnown) {
  SmallModel small;
  small.files.Append(DUMP_INFO, "inventory.unnamed=0\ninventory.skipped=0\n");
  EXPECT_EQ(Say(small.Read(), {FINDING_unasked}), "");
}

// --- periods --------------------------------------------------------------------------------

class FindPeriods : public testing::Test {
 protected:
  FindPeriods() {
    m_ = said_.answer.model = small_.Read();
    m_->periods.num = 0;
  }
  struct period *Add(enum period_limit limit, double begin, double end) {
    struct period *p = &m_->periods.rows[m_->periods.num++];
    *p = {};
    p->limit = limit;
    p->begin = m_->recording.start + ticks_t(begin * TICKS_PER_S);
    p->end = m_->recording.start + ticks_t(end * TICKS_PER_S);
    return p;
  }

  MachineModel small_;
  Said said_;
  struct model *m_ = nullptr;
};

TEST_F(FindPeriods, ASinglePeriodIsNoFinding) {
  Add(PERIOD_LIMIT_LOCK, 0, 10);
  said_.Find(find_periods);
  EXPECT_EQ(said_.answer.findings.num, 0u);
}

TEST_F(FindPeriods, EachPeriodIsARow) {
  struct period *p = Add(PERIOD_LIMIT_LOCK, 0, 6.5);
  p->blocked = 3.04128;
  p->are_blocked = true;
  p->lock = 0xA1;
  p = Add(PERIOD_LIMIT_THREADS, 6.5, 10);
  p->ready = 1;
  p->cpus = 0.98;
  p->place = place(0x10, 88);
  said_.Find(find_periods);
  ASSERT_EQ(said_.answer.findings.num, 1u);
  EXPECT_EQ(said_.answer.findings.rows[0].weight, 0u);
  auto *found = static_cast<struct found_periods *>(said_.answer.findings.rows[0].row);
  EXPECT_EQ(found->cpus, 0.5);
  ASSERT_EQ(found->periods.num, 2u);
  auto *rows = static_cast<struct found_period *>(found->periods.rows);
  EXPECT_EQ(rows[0].begin, 0u);
  EXPECT_EQ(rows[0].end, 6500000000u);
  EXPECT_STREQ(rows[0].limit, "lock");
  EXPECT_EQ(rows[0].blocked, 3.0413);
  EXPECT_TRUE(rows[0].are_blocked);
  EXPECT_STREQ(rows[0].lock.text, "com.acme.Inventory@000000A1");
  EXPECT_EQ(rows[0].place.text, nullptr);
  EXPECT_EQ(rows[1].begin, 6500000000u);
  EXPECT_EQ(rows[1].used, 0.98);
  EXPECT_TRUE(rows[1].used_is_known);
  EXPECT_EQ(rows[1].lock.text, nullptr);
  EXPECT_STREQ(rows[1].place.text, "OrderService.price (OrderService.java:88)");
}

// --- places with many events ----------------------------------------------------------------

// A recording of one second, so that few events are many in a second.
class ManyEvents {
 public:
  ManyEvents() {
    for (enum dump_file file : {DUMP_EVENTS, DUMP_SAMPLES}) small.files.Write(file, "");
    small.files.Replace(DUMP_INFO, "start.monotonic=100.", "start.monotonic=109.");
  }
  // Adds events of one kind with stacks of one frame: Inventory.reserve.
  void Add(const std::string &event, int count) {
    char line[120];
    std::string text;
    for (int i = 0; i < count; i++) {
      snprintf(line, sizeof line, "109.%010d,%s,1;00000012;00000000\n", i, event.c_str());
      text += line;
    }
    small.files.Append(DUMP_EVENTS, text);
  }
  std::string SayThem(const struct filter *filter = nullptr) {
    return Say(small.Read(filter), {FINDING_many_events});
  }

  SmallModel small;
};

TEST(FindManyEvents, NamesThePlace) {
  ManyEvents many;
  many.Add("ObjectNotify,00000001,000000A1", 110000);
  EXPECT_EQ(
      many.SayThem(),
      "* Many events: ObjectNotify at Inventory.reserve (Inventory.java:42) made 110,000 events a "
      "second, 100 % of all, which slows these calls. The option events=all-notify leaves out "
      "these events.\n");
}

TEST(FindManyEvents, SaysNothingBelow100000ASecond) {
  ManyEvents many;
  many.Add("ObjectNotify,00000001,000000A1", 90000);
  EXPECT_EQ(many.SayThem(), "");
}

TEST(FindManyEvents, SaysNothingWithAFilter) {
  ManyEvents many;
  many.Add("ObjectNotify,00000001,000000A1", 110000);
  struct filter filter = MakeFilter();
  filter.threads = {{"main"}, 1};
  EXPECT_EQ(many.SayThem(&filter), "");
}

TEST(FindManyEvents, NamesTheOptionThatBoundsTheSite) {
  struct {
    const char *options, *event, *text;
  } cases[] = {
      {"locks=all", "LockRelease,00000001,000000A3", "The option locks=waits "},
      {"locks=waits", "LockRelease,00000001,000000A3", "The option events=all-lock "},
      {"events=all-park", "ObjectNotify,00000001,000000A1", "The option events=all-park-notify "},
      {"monitors=all", "MonitorExit,00000001,000000A1", "The option monitors=contended "},
  };
  for (const auto &c : cases) {
    ManyEvents many;
    many.Add(c.event, 110000);
    many.small.files.Replace(DUMP_INFO, "options=", std::string("options=x,") + c.options + ",");
    std::string text = many.SayThem();
    EXPECT_TRUE(Has(text, c.text)) << c.options << "\n" << text;
  }
}

TEST(FindManyEvents, NamesTheOptionThatRecordedTheSiteForAWhile) {
  ManyEvents many;
  many.Add("LockRelease,00000001,000000A3", 110000);
  many.small.files.Replace(DUMP_INFO, "options=", "options=x,locks=waits,");
  many.small.files.Replace(DUMP_INFO, "end.monotonic=",
                           "change=101.0000000000,101.0000000000,contention,locks=all\n"
                           "change=102.0000000000,102.0000000000,end,locks=waits\n"
                           "end.monotonic=");
  std::string text = many.SayThem();
  EXPECT_TRUE(Has(text, "The option locks=waits ")) << text;
}

}  // namespace
