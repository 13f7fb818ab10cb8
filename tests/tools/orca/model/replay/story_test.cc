#include "tools/orca/model/replay/story.h"

#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"

namespace {

struct Told {
  struct story_event e;
  ticks_t time;
};

bool Take(void *to, const struct story_event *e) {
  static_cast<std::vector<Told> *>(to)->push_back({*e, e->line->time});
  return true;
}

class Story : public testing::Test {
 protected:
  ~Story() override { story_free(&story_); }

  void Tell(const struct filter *filter = nullptr) {
    small_.Read();
    story_start(&story_, small_.dump, filter);
    EXPECT_TRUE(story_tell(&story_, Take, &told_));
  }
  // The first event at this time, in hundredths of a second.
  const struct story_event &At(uint64_t hundredths) {
    for (const Told &told : told_) {
      if (told.time == kSecond / 100 * hundredths) return told.e;
    }
    ADD_FAILURE() << hundredths;
    return told_[0].e;
  }

  SmallModel small_;
  struct story story_ = {};
  std::vector<Told> told_;
};

TEST_F(Story, TellsAllInOrder) {
  Tell();
  ASSERT_EQ(told_.size(), 22u);
  EXPECT_EQ(story_.num_events, 22u);
  for (size_t i = 1; i < told_.size(); i++) EXPECT_LE(told_[i - 1].time, told_[i].time);
}

TEST_F(Story, WhatAPairTook) {
  Tell();
  EXPECT_FALSE(At(10100).ends_pair);
  EXPECT_EQ(At(10150).took, kSecond / 2);
  EXPECT_EQ(At(10550).took, kSecond * 15 / 10);
  EXPECT_EQ(At(10675).took, kSecond * 75 / 100);
  // All together as the model has it, less the 6.5 s of what never ended.
  ticks_t sum = 0, of_model = 0;
  for (const Told &told : told_) sum += told.e.took;
  const struct stalls &stalls = small_.model.stalls;
  for (size_t i = 0; i < stalls.num; i++) of_model += stalls.rows[i].total;
  EXPECT_EQ(sum + kSecond * 65 / 10, of_model);
}

TEST_F(Story, OwnersAndWhoWakes) {
  Tell();
  EXPECT_EQ(At(10100).owner, 3u);
  EXPECT_EQ(At(10200).owner, 0u);
  EXPECT_EQ(At(10550).woken_by, 2u);  // by the notifyAll of worker-1
  EXPECT_EQ(At(10675).woken_by, 2u);  // by its release
  EXPECT_EQ(At(10150).woken_by, 0u);
}

TEST_F(Story, StatesBeforeAndBehind) {
  Tell();
  EXPECT_EQ(At(10000).before, unsigned{STORY_NEW});
  EXPECT_EQ(At(10000).after, unsigned{TIMELINE_RUNS});
  EXPECT_EQ(At(10100).before, unsigned{TIMELINE_RUNS});
  EXPECT_EQ(At(10100).after, unsigned{TIMELINE_BLOCKED});
  EXPECT_EQ(At(10150).before, unsigned{TIMELINE_BLOCKED});
  EXPECT_EQ(At(10150).after, unsigned{TIMELINE_RUNS});
  EXPECT_EQ(At(10500).before, unsigned{STORY_NONE});  // a notifyAll
  EXPECT_EQ(At(10900).after, unsigned{STORY_ENDED});
  EXPECT_STREQ(story_state_name(At(10100).after), "blocked");
  EXPECT_STREQ(story_state_name(STORY_NEW), "new");
  EXPECT_STREQ(story_state_name(STORY_ENDED), "ended");
  EXPECT_EQ(story_state_name(STORY_NONE), nullptr);
}

TEST_F(Story, OnlyWhatIsAskedForButWithWhatWentBefore) {
  struct filter filter = {{{"worker-1"}, 1}, {}, {}, {}, kSecond * 1012 / 10, 103 * kSecond};
  Tell(&filter);
  ASSERT_EQ(told_.size(), 3u);
  EXPECT_EQ(At(10150).took, kSecond / 2);  // it began before
  EXPECT_EQ(story_.num_shown, 3u);
  EXPECT_EQ(story_.num_events, 9u);  // up to 103 s; nothing behind it is read
}

TEST_F(Story, CallsInsideOfCalls) {
  small_.files.Write(DUMP_EVENTS,
                     "100.0000000000,ThreadJoin,00000001,00000002,1;00000004;00000000\n"
                     "101.0000000000,ThreadSleep,00000001,2;00000003;FFFFFFFF;00000004;00000000\n"
                     "102.0000000000,ThreadSlept,00000001,2;00000003;FFFFFFFF;00000004;00000000\n"
                     "103.0000000000,ThreadJoined,00000001,00000002,1;00000004;00000000\n");
  Tell();
  EXPECT_EQ(At(10100).before, unsigned{TIMELINE_WAITS});
  EXPECT_EQ(At(10100).after, unsigned{TIMELINE_SLEEPS});
  EXPECT_EQ(At(10200).after, unsigned{TIMELINE_WAITS});
  EXPECT_EQ(At(10300).after, unsigned{TIMELINE_RUNS});
  EXPECT_EQ(At(10300).took, 3 * kSecond);
}

TEST_F(Story, CallsOfMethods) {
  small_.files.Write(
      DUMP_EVENTS,
      "101.0000000000,MethodEntry,00000002,1;00000010;00000000\n"
      "101.1000000000,MethodEntry,00000002,2;00000010;00000000;00000010;00000010\n"
      "101.2000000000,MethodExit,00000002,00000000,-1,2;00000010;00000000;00000010;00000010\n"
      "101.5000000000,MethodExit,00000002,00000000,700,1;00000010;00000000\n"
      "102.0000000000,MethodExit,00000002,00000000,700,1;00000010;00000000\n");
  Tell();
  EXPECT_EQ(At(10100).method, 0x10u);
  EXPECT_EQ(At(10120).took, kSecond / 10);
  EXPECT_EQ(At(10150).took, kSecond / 2);
  EXPECT_FALSE(At(10200).ends_pair);  // without an entry
}

TEST_F(Story, TheFirstSignalWakes) {
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
  EXPECT_EQ(At(10300).woken_by, 2u);
  EXPECT_EQ(At(10700).woken_by, 3u);
}

}  // namespace
