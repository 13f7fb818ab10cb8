#include "tools/orca/render/view/say.h"

#include "tests/tools/orca/answer/said.h"
#include "tests/tools/orca/model/machine_dump.h"

namespace {

std::string SayShares(std::vector<struct found_share> rows, uint64_t more, uint64_t whole) {
  struct found_rows shares = {rows.data(), rows.size()};
  struct builder b = {};
  say_shares(&b, &shares, more, whole);
  return TakeText(&b);
}

std::string SayTheLock(const struct named_lock &lock) {
  struct builder b = {};
  say_the_lock(&b, &lock);
  return TakeText(&b);
}

TEST(SayFinding, IsTheSentenceOfItsKind) {
  struct found_jit row = {};
  row.cpu = 1000000000;
  row.process_cpu = 4000000000;
  EXPECT_EQ(SayRow(FINDING_jit, &row),
            "The JIT compiler used 25 % of the CPU time of the process (1.00 s of 4.00 s).");
}

TEST(SayFinding, BeginsWithACapitalIfNoNameIsFirst) {
  struct found_rest rest = {};
  rest.threads = "threads, mostly main,";
  rest.num_threads = 5;
  rest.does = "waits";
  rest.call = "BlockingQueue.put";
  struct found_full_queue row = {};
  row.queue = "a queue";
  row.waits = {&rest, 1};
  std::string text = SayRow(FINDING_full_queue, &row);
  EXPECT_EQ(text.find("Threads, mostly main, waited "), 0u) << text;
}

TEST(SayFinding, APartIsNone) {
  struct found_share row = {"A.b", 7};
  EXPECT_EQ(SayRow(PART_share, &row), "");
  struct builder b = {};
  say_share(&b, &row);
  EXPECT_EQ(TakeText(&b), "A.b 7");
}

TEST(SayAt, NamesThePlace) {
  struct builder b = {};
  struct named_place place = {"A.b (A.java:7)", 0}, unknown = {};
  say_at(&b, &place);
  say_at(&b, &unknown);
  EXPECT_EQ(TakeText(&b), " at A.b (A.java:7) at an unknown place");
}

TEST(SayTheLock, HasAnArticleIfTheTitleIsANoun) {
  struct named_lock lock = {};
  EXPECT_EQ(SayTheLock(lock), "an unknown lock");
  lock.text = "A@000000A1";
  EXPECT_EQ(SayTheLock(lock), "A@000000A1");
  lock.text = "monitor in A.b:7 (Object@000000A1)";
  lock.is_described = true;
  EXPECT_EQ(SayTheLock(lock), "the monitor in A.b:7 (Object@000000A1)");
}

TEST(SayShares, NameEachWithItsPart) {
  EXPECT_EQ(SayShares({{"A.b", 10}}, 0, 10), "A.b");
  EXPECT_EQ(SayShares({{"A.b", 6}, {"A.c", 3}}, 5, 10), "A.b 60 %, A.c 30 %, 5 more");
  EXPECT_EQ(SayShares({{nullptr, 6}, {"A.c", 4}}, 0, 10), "an unknown place 60 %, A.c 40 %");
}

// The periods of a model, in the place of those that it found.
class SayPeriods : public testing::Test {
 protected:
  SayPeriods() {
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
  std::string SayThem() {
    said_.Find(find_periods);
    return said_.Text();
  }

  MachineModel small_;
  Said said_;
  struct model *m_ = nullptr;
};

TEST_F(SayPeriods, SayWhatLimits) {
  struct period *p = Add(PERIOD_LIMIT_THREADS, 0, 2);
  p->ready = 1;
  p->cpus = 0.98;
  p->place = place(0x10, 88);
  p = Add(PERIOD_LIMIT_LOCK, 2, 6.5);
  p->blocked = 3.04;
  p->lock = 0xA1;
  p = Add(PERIOD_LIMIT_CPUS, 6.5, 8);
  p->cpus = 0.5;
  p = Add(PERIOD_LIMIT_IO, 8, 9);
  p->io = 1.5;
  p->place = place(0x12, 42);
  p = Add(PERIOD_LIMIT_REST, 9, 10);
  p->quiet = 0.93;
  p->place = place(0x10, 88);
  EXPECT_EQ(
      SayThem(),
      "* The program's limit changed; averages of its 5 periods: from 0 s to 2.00 s 1.0 "
      "thread ran or was ready to run, 0.98 of 0.5 CPUs were used, mostly at "
      "OrderService.price (OrderService.java:88); from 2.00 s to 6.50 s 3.0 threads were "
      "blocked, mostly for com.acme.Inventory@000000A1; from 6.50 s to 8.00 s its CPUs were "
      "full: 0.50 of 0.5 CPUs were used; from 8.00 s to 9.00 s 1.5 threads were in I/O, "
      "mostly at Inventory.reserve (Inventory.java:42); from 9.00 s to 10.0 s no Java thread ran, "
      "was blocked or was in I/O for at least 93 % of the time; threads slept or waited mostly at "
      "OrderService.price (OrderService.java:88).\n");
}

TEST_F(SayPeriods, SayThatTheyLackCpusOrStopForTheCollector) {
  struct period *p = Add(PERIOD_LIMIT_CROWD, 0, 2);
  p->ready = 4;
  p->cpus = 0.5;
  p->are_blocked = true;
  p->blocked = 5;
  p->lock = 0xA1;
  p->place = place(0x10, 88);
  p = Add(PERIOD_LIMIT_STARVED, 2, 4);
  p->queued = 0.7;
  p->cpus = 0.1;
  p = Add(PERIOD_LIMIT_PAUSES, 4, 6);
  p->paused = 0.42;
  p = Add(PERIOD_LIMIT_REST, 6, 10);
  p->quiet = 1;
  EXPECT_EQ(
      SayThem(),
      "* The program's limit changed; averages of its 4 periods: from 0 s to 2.00 s 4.0 "
      "threads were ready to run or ran, more than the CPUs that it may use; 0.50 of 0.5 CPUs were "
      "used, mostly at OrderService.price (OrderService.java:88), and 5.0 threads were "
      "blocked, mostly for com.acme.Inventory@000000A1; from 2.00 s to 4.00 s 0.7 threads "
      "waited for a CPU, 0.10 of 0.5 CPUs were used; from 4.00 s to 6.00 s the garbage "
      "collector stopped the program for 42 % of the time; from 6.00 s to 10.0 s hardly any "
      "Java thread ran, was blocked or was in I/O.\n");
}

// --- wake-ups -----------------------------------------------------------------------------------

TEST(SayUselessWakeups, HasMeansPerCall) {
  struct found_useless_wakeups row = {};
  row.signal = "notifyAll";
  row.object = "A@000000A1";
  row.place.text = "A.b (A.java:7)";
  row.calls = 100;
  row.wakeups = 400;
  row.useless = 300;
  EXPECT_EQ(SayRow(FINDING_useless_wakeups, &row),
            "notifyAll on A@000000A1 woke 4.0 threads per call, of which 1.0 could go on: 75 % of "
            "the wake-ups were useless (300 of 400 went straight back to waiting), at A.b "
            "(A.java:7).");
  row.useless_is_least = true;
  std::string text = SayRow(FINDING_useless_wakeups, &row);
  EXPECT_TRUE(Has(text, "of which at most 1.0 could go on: 75 % ")) << text;
  EXPECT_TRUE(Has(text, "(at least 300 of 400 went ")) << text;
}

// --- many events --------------------------------------------------------------------------------

TEST(SayManyEvents, SaysWhatToDo) {
  struct found_many_events row = {};
  row.event = "MethodEntered";
  row.per_second = 110000;
  row.count = 1;
  row.whole = 2;
  auto say_remedy = [&](const char *remedy) {
    row.remedy = remedy;
    std::string text = SayRow(FINDING_many_events, &row);
    const std::string fact =
        "Many events: MethodEntered made 110,000 events a second, 50 % of all, which slows these "
        "calls. ";
    EXPECT_EQ(text.find(fact), 0u) << text;
    return text.substr(fact.size());
  };
  EXPECT_EQ(say_remedy("track"), "A pattern with ! in the option track leaves this method out.");
  EXPECT_EQ(say_remedy("locks=waits"),
            "The option locks=waits only counts the acquisitions that need not wait.");
  EXPECT_EQ(say_remedy("events=all-park"), "The option events=all-park leaves out these events.");
  EXPECT_EQ(say_remedy("monitors=contended").find("The option monitors=contended leaves out "), 0u);
}

}  // namespace
