#include "tools/orca/model/replay/replay.h"

#include <string>

#include "tests/tools/orca/model/small_dump.h"

namespace {

struct Seen {
  uint64_t events = 0, ticks = 0, threads = 0, pairs = 0, open = 0, meant = 0;
  ticks_t paired = 0, last = 0;
  std::string owners;
  bool ascends = true;
  uint64_t until = ~uint64_t{0};
};

bool Take(void *to, const struct step *step) {
  auto *seen = static_cast<Seen *>(to);
  seen->ascends &= step->time >= seen->last;
  seen->last = step->time;
  seen->events += step->event != nullptr;
  seen->meant += step->matches;
  if (step->sample != nullptr) {
    (step->sample->kind == SAMPLE_TICK ? seen->ticks : seen->threads)++;
  }
  if (step->pair != nullptr) {
    (step->event != nullptr ? seen->pairs : seen->open)++;
    seen->paired += step->pair->end - step->pair->begin;
  }
  if (step->owner != 0) seen->owners += std::to_string(step->owner) + " ";
  return seen->events < seen->until;
}

TEST(Replay, HandsOnEveryLineInOrder) {
  SmallModel small;
  struct model *m = small.Read();
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, Take, &seen));
  EXPECT_TRUE(seen.ascends);
  EXPECT_EQ(seen.events, m->recording.num_events);
  EXPECT_EQ(seen.ticks, m->recording.ticks);
  EXPECT_EQ(seen.threads, 7u);
}

TEST(Replay, PairsAreThoseOfTheModel) {
  SmallModel small;
  struct model *m = small.Read();
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, Take, &seen));
  EXPECT_EQ(seen.pairs, 6u);
  EXPECT_EQ(seen.open, 3u);
  ticks_t all = 0;
  for (size_t i = 0; i < m->stalls.num; i++) all += m->stalls.rows[i].total;
  EXPECT_EQ(seen.paired, all);
  EXPECT_EQ(seen.owners, "3 2 3 2 ");
}

TEST(Replay, TellsWhatWasAskedFor) {
  struct filter filter = {{{"worker-1"}, 1}, {}, {}, {}, 102 * kSecond, 106 * kSecond};
  SmallModel small;
  struct model *m = small.Read(&filter);
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, Take, &seen));
  EXPECT_EQ(seen.events, 22u);                         // it hands on all
  EXPECT_EQ(seen.paired, 10 * kSecond + kSecond / 8);  // and clips nothing
  // Events, samples, ticks, and what never ended; whatever their time.
  EXPECT_EQ(seen.meant, 10u + 4 + 4 + 1);
}

TEST(Replay, StopsWhereItIsToldTo) {
  SmallModel small;
  Seen seen;
  seen.until = 3;
  EXPECT_FALSE(replay(small.Read(), REPLAY_LINES, Take, &seen));
  EXPECT_EQ(seen.events, 3u);
}

TEST(Replay, FaultsAreNotCountedTwice) {
  SmallModel small;
  small.files.Append(DUMP_EVENTS, "rubbish\n");
  struct model *m = small.Read();
  uint64_t before = faults_total(dump_faults(m->dump));
  Seen seen;
  EXPECT_TRUE(replay(m, REPLAY_LINES, Take, &seen));
  EXPECT_EQ(faults_total(dump_faults(m->dump)), before);
}

}  // namespace
