// Who woke whom is one answer: the log, the tables of waits and the arrows of a trace all give it.
#include <map>

#include "tests/tools/orca/export/trace_reader.h"
#include "tools/orca/model/replay/story.h"

namespace {

// Who woke, and whom -> how often.
using Wakes = std::map<std::pair<uint64_t, uint64_t>, uint64_t>;

// Events a millisecond apart.
class Events {
 public:
  void Add(const std::string &name, uint32_t thread, const std::string &object = "",
           const std::string &rest = ",0") {
    char head[80];
    snprintf(head, sizeof head, "%u.%03u0000000,%s,%08X", 101 + num_ / 1000, num_ % 1000,
             name.c_str(), thread);
    text_ += head + (object.empty() ? "" : ",000000" + object) + rest + "\n";
    num_++;
  }
  // Pairs: all begin, then signals come, then all end.
  void All(const std::string &name, const std::vector<uint32_t> &threads,
           const std::string &object) {
    for (uint32_t thread : threads) {
      bool owner = name == "LockAcquire" || name == "WriteLockAcquire";
      Add(name, thread, object, owner ? ",00000000,0" : ",0");
    }
  }

  const std::string &text() const { return text_; }
  // The time of the event that comes next.
  ticks_t Now() const { return kSecond * 101 + kSecond / 1000 * num_; }

 private:
  std::string text_;
  unsigned num_ = 0;
};

void ObjectWaits(Events *e, Wakes *expected) {
  e->All("ObjectWait", {1, 2, 3}, "A2");
  e->Add("ObjectNotify", 4, "A2"), e->Add("ObjectNotify", 5, "A2");
  e->All("ObjectWaited", {2, 1, 3}, "A2");  // the time of 3 ran out
  ++(*expected)[{4, 1}], ++(*expected)[{5, 2}];
  e->All("ObjectWait", {1, 2, 3}, "A2");
  for (int i = 0; i < 2; i++) e->Add("ObjectNotify", 4, "A2");
  for (int i = 0; i < 9; i++) e->Add("ObjectNotifyAll", 5 + i % 2, "A2");
  e->All("ObjectWaited", {3, 2, 1}, "A2");
  ++(*expected)[{4, 1}], ++(*expected)[{4, 2}], ++(*expected)[{5, 3}];
}

void Conditions(Events *e, Wakes *expected) {
  e->All("ConditionAwait", {1, 2, 3, 6}, "B1");
  e->Add("ConditionSignal", 4, "B1"), e->Add("ConditionSignal", 5, "B1");
  e->Add("ConditionSignalAll", 4, "B1");
  e->All("ConditionAwaited", {1, 2, 3}, "B1");
  e->Add("ConditionAwaitFailed", 6, "B1");
  ++(*expected)[{4, 1}], ++(*expected)[{5, 2}], ++(*expected)[{4, 3}];
  e->All("ConditionAwait", {1}, "B1");
  e->Add("ConditionAwaitFailed", 1, "B1");
}

void Releases(Events *e, Wakes *expected) {
  e->All("SemaphoreAcquire", {1, 2}, "A3");
  e->Add("SemaphoreRelease", 4, "A3"), e->Add("SemaphoreRelease", 4, "A3");
  e->All("SemaphoreAcquired", {1, 2}, "A3");
  ++(*expected)[{4, 1}], ++(*expected)[{4, 2}];
  e->All("SemaphoreAcquire", {1, 2}, "A3");  // which of the two is not known
  e->Add("SemaphoreRelease", 4, "A3"), e->Add("SemaphoreRelease", 5, "A3");
  e->All("SemaphoreAcquired", {1, 2}, "A3");
  e->All("LockAcquire", {1}, "B2");
  e->Add("LockRelease", 5, "B2");
  e->All("LockAcquired", {1}, "B2");
  ++(*expected)[{5, 1}];
  e->All("WriteLockAcquire", {2}, "B3");
  e->Add("ReadLockRelease", 6, "B3");
  e->All("WriteLockAcquired", {2}, "B3");
  ++(*expected)[{6, 2}];
}

void Latches(Events *e, Wakes *expected) {
  e->All("LatchAwait", {1, 2, 3}, "B4");
  e->Add("LatchCountDown", 4, "B4"), e->Add("LatchCountDown", 5, "B4");
  e->All("LatchAwaited", {1, 2}, "B4");
  e->Add("LatchAwaitFailed", 3, "B4");
  ++(*expected)[{5, 1}], ++(*expected)[{5, 2}];
  e->All("PhaserAwait", {1, 2}, "B5");
  e->Add("PhaserArrive", 6, "B5");
  e->All("PhaserAwaited", {1, 2}, "B5");
  ++(*expected)[{6, 1}], ++(*expected)[{6, 2}];
}

void ParksAndJoins(Events *e, Wakes *expected) {
  e->All("ThreadPark", {1, 2}, "B6");
  e->Add("ThreadUnpark", 4, "01");
  e->All("ThreadParked", {1, 2}, "B6");
  ++(*expected)[{4, 1}];
  e->Add("ThreadStart", 4, "08");
  e->Add("ThreadStarted", 8, "", ",short");
  e->All("ThreadJoin", {1, 2}, "08");
  e->Add("ThreadEnded", 8, "", "");
  e->All("ThreadJoined", {1, 2}, "08");
  ++(*expected)[{8, 1}], ++(*expected)[{8, 2}];
}

bool TakeWoken(void *to, const struct story_event *e) {
  if (e->woken_by != 0) ++(*static_cast<Wakes *>(to))[{e->woken_by, e->line->thread}];
  return true;
}

Wakes OfStory(struct dump *dump, const struct filter *filter = nullptr) {
  struct story story;
  Wakes wakes;
  story_start(&story, dump, filter);
  EXPECT_TRUE(story_tell(&story, TakeWoken, &wakes));
  story_free(&story);
  return wakes;
}

Wakes OfWakeups(const struct wakeups &wakeups) {
  Wakes wakes;
  for (size_t i = 0; i < wakeups.by.num; i++) {
    const struct tally_row &row = wakeups.by.rows[i];
    wakes[{row.key >> 32, static_cast<uint32_t>(row.key)}] += row.count;
  }
  return wakes;
}

Wakes OfArrows(const std::vector<TraceEvent> &events) {
  std::map<uint64_t, uint64_t> wakers;
  Wakes wakes;
  for (const TraceEvent &from : Only(events, 's', "wakes")) wakers[from.id] = from.thread;
  for (const TraceEvent &to : Only(events, 'f', "wakes")) ++wakes[{wakers.at(to.id), to.thread}];
  return wakes;
}

class WhoWoke : public testing::Test {
 protected:
  WhoWoke() {
    for (auto add : {ObjectWaits, Conditions, Releases, Latches, ParksAndJoins}) {
      add(&events_, &expected_);
    }
    e_.files().Write(DUMP_EVENTS, events_.text());
  }

  Events events_;
  Wakes expected_;
  Exported e_;
};

TEST_F(WhoWoke, AllViewsSayTheSame) {
  std::vector<TraceEvent> trace = ReadTrace(e_.In("perfetto"));
  EXPECT_EQ(OfStory(e_.small.dump), expected_);
  EXPECT_EQ(OfWakeups(e_.small.model.wakeups), expected_);
  EXPECT_EQ(OfArrows(trace), expected_);
  EXPECT_EQ(Only(trace, 's', "starts").size(), 1u);
}

// Then nothing is counted; but what is said, both say.
TEST_F(WhoWoke, AlsoWhereEventsAreMissing) {
  e_.files().Replace(DUMP_INFO, "events.dropped=0", "events.dropped=7");
  std::vector<TraceEvent> trace = ReadTrace(e_.In("perfetto"));
  Wakes wakes = OfStory(e_.small.dump);
  EXPECT_EQ(wakes, OfArrows(trace));
  EXPECT_EQ((wakes[{8, 1}]), 1u);
  EXPECT_TRUE(OfWakeups(e_.small.model.wakeups).empty());
}

// A wait whose signal came before the time that is asked for.
TEST_F(WhoWoke, AlsoOfPartOfTheTime) {
  Events events;
  struct filter filter = {};
  events.All("ObjectWait", {1, 2}, "A2");
  events.All("LatchAwait", {3}, "B4");
  events.Add("ObjectNotifyAll", 4, "A2");
  events.Add("LatchCountDown", 5, "B4");
  events.All("ObjectWaited", {1}, "A2");
  filter.from = events.Now();
  events.All("ObjectWaited", {2}, "A2");
  events.All("LatchAwaited", {3}, "B4");
  filter.to = FILTER_NO_END;
  e_.files().Write(DUMP_EVENTS, events.text());
  Wakes expected = {{{4, 2}, 1}, {{5, 3}, 1}};
  struct model *m = e_.small.Read(&filter);
  EXPECT_EQ(OfStory(e_.small.dump, &filter), expected);
  EXPECT_EQ(OfWakeups(m->wakeups), expected);
}

}  // namespace
