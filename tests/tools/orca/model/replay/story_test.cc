#include "tools/orca/model/replay/story.h"

#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"

namespace {

struct ToldEvent {
  struct story_event e;
  ticks_t time;
};

bool TakeEvent(void *arg, const struct story_event *e) {
  static_cast<std::vector<ToldEvent> *>(arg)->push_back({*e, e->line->time});
  return true;
}

class Story : public testing::Test {
 protected:
  ~Story() override { story_free(&story_); }

  void Tell(const struct filter *filter = nullptr) {
    small_.Read();
    story_start(&story_, small_.dump, filter);
    EXPECT_TRUE(story_tell(&story_, TakeEvent, &events_));
  }
  // Returns the first event at a time in hundredths of a second.
  const struct story_event &FindEvent(uint64_t hundredths) {
    for (const ToldEvent &event : events_) {
      if (event.time == kSecond / 100 * hundredths) return event.e;
    }
    ADD_FAILURE() << hundredths;
    return events_[0].e;
  }

  SmallModel small_;
  struct story story_ = {};
  std::vector<ToldEvent> events_;
};

TEST_F(Story, TellsAllEventsInOrder) {
  Tell();
  ASSERT_EQ(events_.size(), 22u);
  EXPECT_EQ(story_.num_events, 22u);
  for (size_t i = 1; i < events_.size(); i++) EXPECT_LE(events_[i - 1].time, events_[i].time);
}

// A thread keeps its name until the next thread with its hash starts. Reading names ahead counts
// each fault once.
TEST_F(Story, ReadsNamesAhead) {
  small_.files.Write(DUMP_EVENTS,
                     "100.0000000000,ThreadEnded,00000001\n"
                     "rubbish\n"
                     "100.1000000000,ThreadStarted,00000001,first\n"
                     "100.2000000000,ThreadStarted,00000001,second\n"
                     "rubbish\n");
  small_.Read();
  std::vector<std::string> names;
  story_start(&story_, small_.dump, nullptr);
  struct NameReader {
    struct story *story;
    std::vector<std::string> *names;
  } reader = {&story_, &names};
  auto take = [](void *to, const struct story_event *e) {
    NameReader *r = static_cast<NameReader *>(to);
    const struct thread *thread = threads_find(&r->story->threads, e->line->thread);
    r->names->push_back(thread == nullptr || thread->name == nullptr ? "none" : thread->name);
    return true;
  };
  EXPECT_TRUE(story_tell(&story_, take, &reader));
  EXPECT_EQ(names, (std::vector<std::string>{"first", "first", "second"}));
  uint64_t num = 0;
  const struct faults *faults = dump_faults(small_.dump);
  for (size_t i = 0; i < faults->num; i++) {
    if (faults->rows[i].file == DUMP_EVENTS) num += faults->rows[i].count;
  }
  EXPECT_EQ(num, 2u);
}

TEST_F(Story, TellsTheDurationOfPairs) {
  Tell();
  EXPECT_FALSE(FindEvent(10100).ends_pair);
  EXPECT_EQ(FindEvent(10150).took, kSecond / 2);
  EXPECT_EQ(FindEvent(10550).took, kSecond * 15 / 10);
  EXPECT_EQ(FindEvent(10675).took, kSecond * 75 / 100);
  // The sum is that of the model, less 6.5 s of pairs that never ended.
  ticks_t sum = 0, of_model = 0;
  for (const ToldEvent &event : events_) sum += event.e.took;
  const struct stalls &stalls = small_.model.stalls;
  for (size_t i = 0; i < stalls.num; i++) of_model += stalls.rows[i].total;
  EXPECT_EQ(sum + kSecond * 65 / 10, of_model);
}

TEST_F(Story, TellsOwnersAndWakers) {
  Tell();
  EXPECT_EQ(FindEvent(10100).owner, 3u);
  EXPECT_EQ(FindEvent(10200).owner, 0u);
  EXPECT_EQ(FindEvent(10550).woken_by, 2u);  // the notifyAll of worker-1
  EXPECT_EQ(FindEvent(10675).woken_by, 2u);  // the release of worker-1
  EXPECT_EQ(FindEvent(10150).woken_by, 0u);
}

TEST_F(Story, TellsTheStatesBeforeAndAfter) {
  Tell();
  EXPECT_EQ(FindEvent(10000).before, unsigned{STORY_NEW});
  EXPECT_EQ(FindEvent(10000).after, unsigned{ACTIVITY_RUNS});
  EXPECT_EQ(FindEvent(10100).before, unsigned{ACTIVITY_RUNS});
  EXPECT_EQ(FindEvent(10100).after, unsigned{ACTIVITY_BLOCKED});
  EXPECT_EQ(FindEvent(10150).before, unsigned{ACTIVITY_BLOCKED});
  EXPECT_EQ(FindEvent(10150).after, unsigned{ACTIVITY_RUNS});
  EXPECT_EQ(FindEvent(10500).before, unsigned{STORY_NONE});  // a notifyAll
  EXPECT_EQ(FindEvent(10900).after, unsigned{STORY_ENDED});
  EXPECT_STREQ(story_state_name(FindEvent(10100).after), "blocked");
  EXPECT_STREQ(story_state_name(STORY_NEW), "new");
  EXPECT_STREQ(story_state_name(STORY_ENDED), "ended");
  EXPECT_EQ(story_state_name(STORY_NONE), nullptr);
}

TEST_F(Story, AppliesTheFilterButReadsEarlierEvents) {
  struct filter filter = MakeFilter(kSecond * 1012 / 10, 103 * kSecond);
  filter.threads = {{"worker-1"}, 1};
  Tell(&filter);
  ASSERT_EQ(events_.size(), 3u);
  EXPECT_EQ(FindEvent(10150).took, kSecond / 2);  // it began before the range
  EXPECT_EQ(story_.num_shown, 3u);
  EXPECT_EQ(story_.num_events, 9u);  // up to 103 s; later events are not read
}

TEST_F(Story, TellsTheStatesOfNestedCalls) {
  small_.files.Write(DUMP_EVENTS,
                     "100.0000000000,ThreadJoin,00000001,00000002,1;00000004;00000000\n"
                     "101.0000000000,ThreadSleep,00000001,2;00000003;FFFFFFFF;00000004;00000000\n"
                     "102.0000000000,ThreadSlept,00000001,2;00000003;FFFFFFFF;00000004;00000000\n"
                     "103.0000000000,ThreadJoined,00000001,00000002,1;00000004;00000000\n");
  Tell();
  EXPECT_EQ(FindEvent(10100).before, unsigned{ACTIVITY_WAITS});
  EXPECT_EQ(FindEvent(10100).after, unsigned{ACTIVITY_SLEEPS});
  EXPECT_EQ(FindEvent(10200).after, unsigned{ACTIVITY_WAITS});
  EXPECT_EQ(FindEvent(10300).after, unsigned{ACTIVITY_RUNS});
  EXPECT_EQ(FindEvent(10300).took, 3 * kSecond);
}

TEST_F(Story, TellsTheDurationOfMethodCalls) {
  small_.files.Write(
      DUMP_EVENTS,
      "101.0000000000,MethodEntry,00000002,1;00000010;00000000\n"
      "101.1000000000,MethodEntry,00000002,2;00000010;00000000;00000010;00000010\n"
      "101.2000000000,MethodExit,00000002,00000000,-1,2;00000010;00000000;00000010;00000010\n"
      "101.5000000000,MethodExit,00000002,00000000,700,1;00000010;00000000\n"
      "102.0000000000,MethodExit,00000002,00000000,700,1;00000010;00000000\n");
  Tell();
  EXPECT_EQ(FindEvent(10100).method, 0x10u);
  EXPECT_EQ(FindEvent(10120).took, kSecond / 10);
  EXPECT_EQ(FindEvent(10150).took, kSecond / 2);
  EXPECT_FALSE(FindEvent(10200).ends_pair);  // no entry
}

TEST_F(Story, TellsTheFirstSignalAsTheWaker) {
  small_.files.Write(DUMP_EVENTS,
                     "100.0000000000,ObjectWait,00000001,000000A2,1;00000001;FFFFFFFF\n"
                     "101.0000000000,ObjectNotify,00000002,000000A2,1;00000002;FFFFFFFF\n"
                     "102.0000000000,ObjectNotify,00000003,000000A2,1;00000002;FFFFFFFF\n"
                     "103.0000000000,ObjectWaited,00000001,000000A2,1;00000001;FFFFFFFF\n"
                     "104.0000000000,ObjectWait,00000001,000000A2,1;00000001;FFFFFFFF\n"
                     "105.0000000000,ObjectNotifyAll,00000003,000000A2,1;00000002;FFFFFFFF\n"
                     "106.0000000000,ObjectNotifyAll,00000002,000000A2,1;00000002;FFFFFFFF\n"
                     "107.0000000000,ObjectWaited,00000001,000000A2,1;00000001;FFFFFFFF\n");
  Tell();
  EXPECT_EQ(FindEvent(10300).woken_by, 2u);
  EXPECT_EQ(FindEvent(10700).woken_by, 3u);
}

}  // namespace
