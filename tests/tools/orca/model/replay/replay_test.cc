#include "tools/orca/model/replay/replay.h"

#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

struct Seen {
  uint64_t events = 0, ticks = 0, threads = 0, pairs = 0, open = 0, matching = 0;
  ticks_t pair_time = 0, last = 0;
  std::string owners;
  bool is_ascending = true;
  uint64_t until = ~uint64_t{0};
};

bool TakeStep(void *arg, const struct step *step) {
  auto *seen = static_cast<Seen *>(arg);
  seen->is_ascending &= step->time >= seen->last;
  seen->last = step->time;
  seen->events += step->event != nullptr;
  seen->matching += step->matches;
  if (step->sample != nullptr) {
    (step->sample->kind == SAMPLE_TICK ? seen->ticks : seen->threads)++;
  }
  if (step->pair != nullptr) {
    (step->event != nullptr ? seen->pairs : seen->open)++;
    seen->pair_time += step->pair->end - step->pair->begin;
  }
  if (step->owner != 0) seen->owners += std::to_string(step->owner) + " ";
  return seen->events < seen->until;
}

TEST(Replay, HandsOnEveryLineInOrder) {
  SmallModel small;
  struct model *m = small.Read();
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &seen));
  EXPECT_TRUE(seen.is_ascending);
  EXPECT_EQ(seen.events, m->recording.num_events);
  EXPECT_EQ(seen.ticks, m->recording.ticks);
  EXPECT_EQ(seen.threads, 7u);
}

TEST(Replay, HandsOnThePairsOfTheModel) {
  SmallModel small;
  struct model *m = small.Read();
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &seen));
  EXPECT_EQ(seen.pairs, 6u);
  EXPECT_EQ(seen.open, 3u);
  ticks_t all = 0;
  for (size_t i = 0; i < m->stalls.num; i++) all += m->stalls.rows[i].total;
  EXPECT_EQ(seen.pair_time, all);
  EXPECT_EQ(seen.owners, "3 2 3 2 ");
}

TEST(Replay, MarksTheLinesThatMatchTheFilter) {
  struct filter filter = MakeFilter(102 * kSecond, 106 * kSecond);
  filter.threads = {{"worker-1"}, 1};
  SmallModel small;
  struct model *m = small.Read(&filter);
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &seen));
  EXPECT_EQ(seen.events, 22u);                            // all lines are handed on
  EXPECT_EQ(seen.pair_time, 10 * kSecond + kSecond / 8);  // nothing is clipped
  // Events, samples, ticks and open pairs, whatever their time.
  EXPECT_EQ(seen.matching, 10u + 4 + 4 + 1);
}

TEST(Replay, StopsWhenTheListenerReturnsFalse) {
  SmallModel small;
  Seen seen;
  seen.until = 3;
  EXPECT_FALSE(replay(small.Read(), REPLAY_LINES, TakeStep, &seen));
  EXPECT_EQ(seen.events, 3u);
}

TEST(Replay, DoesNotCountFaultsTwice) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS, "rubbish\n");
  struct model *m = small.Read();
  uint64_t before = CountFaults(dump_faults(m->dump));
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, TakeStep, &seen));
  EXPECT_EQ(CountFaults(dump_faults(m->dump)), before);
}

}  // namespace
