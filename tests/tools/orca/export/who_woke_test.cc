// The log, the tables of waits and the arrows of a trace must agree on who woke whom.
#include <map>

#include "tests/tools/orca/export/trace_reader.h"
#include "tools/orca/model/replay/story.h"

namespace {

// Waker and woken thread -> number of wake-ups.
using Wakes = std::map<std::pair<uint64_t, uint64_t>, uint64_t>;

// Builds events that are one millisecond apart.
class Events {
 public:
  void AddOne(const std::string &name, uint32_t thread, const std::string &object = "",
              const std::string &rest = ",0") {
    char head[80];
    snprintf(head, sizeof head, "%u.%03u0000000,%s,%08X", 101 + num_ / 1000, num_ % 1000,
             name.c_str(), thread);
    text_ += head + (object.empty() ? "" : ",000000" + object) + rest + "\n";
    num_++;
  }
  // Adds an event of each thread. Two calls make pairs: first the begin events, then the end
  // events.
  void AddAll(const std::string &name, const std::vector<uint32_t> &threads,
              const std::string &object) {
    for (uint32_t thread : threads) {
      bool owner = name == "LockAcquire" || name == "WriteLockAcquire";
      AddOne(name, thread, object, owner ? ",00000000,0" : ",0");
    }
  }

  const std::string &text() const { return text_; }
  // The time of the next event.
  ticks_t Now() const { return kSecond * 101 + kSecond / 1000 * num_; }

 private:
  std::string text_;
  unsigned num_ = 0;
};

void ObjectWaits(Events *e, Wakes *expected) {
  e->AddAll("ObjectWait", {1, 2, 3}, "A2");
  e->AddOne("ObjectNotify", 4, "A2"), e->AddOne("ObjectNotify", 5, "A2");
  e->AddAll("ObjectWaited", {2, 1, 3}, "A2");  // thread 3 timed out
  ++(*expected)[{4, 1}], ++(*expected)[{5, 2}];
  e->AddAll("ObjectWait", {1, 2, 3}, "A2");
  for (int i = 0; i < 2; i++) e->AddOne("ObjectNotify", 4, "A2");
  for (int i = 0; i < 9; i++) e->AddOne("ObjectNotifyAll", 5 + i % 2, "A2");
  e->AddAll("ObjectWaited", {3, 2, 1}, "A2");
  ++(*expected)[{4, 1}], ++(*expected)[{4, 2}], ++(*expected)[{5, 3}];
}

void Conditions(Events *e, Wakes *expected) {
  e->AddAll("ConditionAwait", {1, 2, 3, 6}, "B1");
  e->AddOne("ConditionSignal", 4, "B1"), e->AddOne("ConditionSignal", 5, "B1");
  e->AddOne("ConditionSignalAll", 4, "B1");
  e->AddAll("ConditionAwaited", {1, 2, 3}, "B1");
  e->AddOne("ConditionAwaitFailed", 6, "B1");
  ++(*expected)[{4, 1}], ++(*expected)[{5, 2}], ++(*expected)[{4, 3}];
  e->AddAll("ConditionAwait", {1}, "B1");
  e->AddOne("ConditionAwaitFailed", 1, "B1");
}

void Releases(Events *e, Wakes *expected) {
  e->AddAll("SemaphoreAcquire", {1, 2}, "A3");
  e->AddOne("SemaphoreRelease", 4, "A3"), e->AddOne("SemaphoreRelease", 4, "A3");
  e->AddAll("SemaphoreAcquired", {1, 2}, "A3");
  ++(*expected)[{4, 1}], ++(*expected)[{4, 2}];
  e->AddAll("SemaphoreAcquire", {1, 2}, "A3");  // it is not known who woke which thread
  e->AddOne("SemaphoreRelease", 4, "A3"), e->AddOne("SemaphoreRelease", 5, "A3");
  e->AddAll("SemaphoreAcquired", {1, 2}, "A3");
  e->AddAll("LockAcquire", {1}, "B2");
  e->AddOne("LockRelease", 5, "B2");
  e->AddAll("LockAcquired", {1}, "B2");
  ++(*expected)[{5, 1}];
  e->AddAll("WriteLockAcquire", {2}, "B3");
  e->AddOne("ReadLockRelease", 6, "B3");
  e->AddAll("WriteLockAcquired", {2}, "B3");
  ++(*expected)[{6, 2}];
}

void Latches(Events *e, Wakes *expected) {
  e->AddAll("LatchAwait", {1, 2, 3}, "B4");
  e->AddOne("LatchCountDown", 4, "B4"), e->AddOne("LatchCountDown", 5, "B4");
  e->AddAll("LatchAwaited", {1, 2}, "B4");
  e->AddOne("LatchAwaitFailed", 3, "B4");
  ++(*expected)[{5, 1}], ++(*expected)[{5, 2}];
  e->AddAll("PhaserAwait", {1, 2}, "B5");
  e->AddOne("PhaserArrive", 6, "B5");
  e->AddAll("PhaserAwaited", {1, 2}, "B5");
  ++(*expected)[{6, 1}], ++(*expected)[{6, 2}];
}

void ParksAndJoins(Events *e, Wakes *expected) {
  e->AddAll("ThreadPark", {1, 2}, "B6");
  e->AddOne("ThreadUnpark", 4, "01");
  e->AddAll("ThreadParked", {1, 2}, "B6");
  ++(*expected)[{4, 1}];
  e->AddOne("ThreadStart", 4, "08");
  e->AddOne("ThreadStarted", 8, "", ",short");
  e->AddAll("ThreadJoin", {1, 2}, "08");
  e->AddOne("ThreadEnded", 8, "", "");
  e->AddAll("ThreadJoined", {1, 2}, "08");
  ++(*expected)[{8, 1}], ++(*expected)[{8, 2}];
}

void Unparks(Events *e, Wakes *expected) {
  e->AddAll("QueueRemove", {1, 2}, "B7");
  e->AddAll("FutureAwait", {3}, "B8");
  e->AddOne("ThreadUnpark", 4, "01"), e->AddOne("ThreadUnpark", 5, "03");
  e->AddAll("QueueRemoved", {1, 2}, "B7");
  e->AddAll("FutureAwaited", {3}, "B8");
  ++(*expected)[{4, 1}], ++(*expected)[{5, 3}];
  e->AddAll("BarrierAwait", {1, 2, 3}, "B9");
  e->AddAll("BarrierAwaited", {2, 1, 3}, "B9");
  ++(*expected)[{3, 1}], ++(*expected)[{3, 2}];
}

bool TakeWoken(void *to, const struct story_event *e) {
  if (e->woken_by != 0) ++(*static_cast<Wakes *>(to))[{e->woken_by, e->line->thread}];
  return true;
}

Wakes WakesOfStory(struct dump *dump, const struct filter *filter = nullptr) {
  struct story story;
  Wakes wakes;
  story_start(&story, dump, filter);
  EXPECT_TRUE(story_tell(&story, TakeWoken, &wakes));
  story_free(&story);
  return wakes;
}

Wakes WakesOfTables(const struct wakeups &wakeups) {
  Wakes wakes;
  for (size_t i = 0; i < wakeups.by.num; i++) {
    const struct tally_row &row = wakeups.by.rows[i];
    wakes[{row.key >> 32, static_cast<uint32_t>(row.key)}] += row.count;
  }
  return wakes;
}

Wakes WakesOfArrows(const std::vector<TraceEvent> &events) {
  std::map<uint64_t, uint64_t> wakers;
  Wakes wakes;
  for (const TraceEvent &from : Only(events, 's', "wakes")) wakers[from.id] = from.thread;
  for (const TraceEvent &to : Only(events, 'f', "wakes")) ++wakes[{wakers.at(to.id), to.thread}];
  return wakes;
}

class WhoWoke : public testing::Test {
 protected:
  WhoWoke() {
    for (auto add : {ObjectWaits, Conditions, Releases, Latches, ParksAndJoins, Unparks}) {
      add(&events_, &expected_);
    }
    e_.files().Write(DUMP_EVENTS, events_.text());
  }

  Events events_;
  Wakes expected_;
  Exported e_;
};

TEST_F(WhoWoke, AllViewsAgree) {
  std::vector<TraceEvent> trace = ReadTrace(e_.ExportAs("perfetto"));
  EXPECT_EQ(WakesOfStory(e_.small.dump), expected_);
  EXPECT_EQ(WakesOfTables(e_.small.model.wakeups), expected_);
  EXPECT_EQ(WakesOfArrows(trace), expected_);
  EXPECT_EQ(Only(trace, 's', "starts").size(), 1u);
}

// If events are missing, wake-ups are not counted. The log and the trace still agree.
TEST_F(WhoWoke, ViewsAgreeIfEventsAreMissing) {
  e_.files().Replace(DUMP_INFO, "events.dropped=0", "events.dropped=7");
  std::vector<TraceEvent> trace = ReadTrace(e_.ExportAs("perfetto"));
  Wakes wakes = WakesOfStory(e_.small.dump);
  EXPECT_EQ(wakes, WakesOfArrows(trace));
  EXPECT_EQ((wakes[{8, 1}]), 1u);
  EXPECT_TRUE(WakesOfTables(e_.small.model.wakeups).empty());
}

// Waits whose signal came before the filter's time.
TEST_F(WhoWoke, ViewsAgreeOnPartOfTheTime) {
  Events events;
  struct filter filter = {};
  events.AddAll("ObjectWait", {1, 2}, "A2");
  events.AddAll("LatchAwait", {3}, "B4");
  events.AddOne("ObjectNotifyAll", 4, "A2");
  events.AddOne("LatchCountDown", 5, "B4");
  events.AddAll("ObjectWaited", {1}, "A2");
  filter.from = events.Now();
  events.AddAll("ObjectWaited", {2}, "A2");
  events.AddAll("LatchAwaited", {3}, "B4");
  filter.to = FILTER_NO_END;
  e_.files().Write(DUMP_EVENTS, events.text());
  Wakes expected = {{{4, 2}, 1}, {{5, 3}, 1}};
  struct model *m = e_.small.Read(&filter);
  EXPECT_EQ(WakesOfStory(e_.small.dump, &filter), expected);
  EXPECT_EQ(WakesOfTables(m->wakeups), expected);
}

}  // namespace
