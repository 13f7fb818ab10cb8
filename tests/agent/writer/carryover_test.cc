#include "agent/writer/carryover.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <string>
#include <vector>

#include "agent/record/stack.h"
#include "gtest/gtest.h"

namespace {

using Lines = std::vector<std::string>;

class Standing : public testing::Test {
 protected:
  ~Standing() override { carryover_free(&carryover_); }

  void Started(uint32_t thread, std::string name) {
    struct record r = {};
    r.event = EVENT_THREAD_STARTED;
    r.thread = thread;
    r.u.name.text = name.data();
    r.u.name.len = name.size();
    carryover_follow(&carryover_, &r);
  }
  void Event(enum event_kind kind, uint32_t thread) {
    struct record r = {};
    r.event = static_cast<uint8_t>(kind);
    r.thread = thread;
    carryover_follow(&carryover_, &r);
  }
  void Tick(int64_t number) {
    struct record r = {};
    r.kind = RECORD_TICK;
    r.u.tick = {number, 5000, 3};
    carryover_follow(&carryover_, &r);
  }
  void Sample(uint32_t thread, enum thread_state state, struct stack *stack) {
    struct record r = {};
    r.kind = RECORD_SAMPLE;
    r.thread = thread;
    r.state = static_cast<uint8_t>(state);
    r.stack = stack;
    r.u.cpu_ns = 99;
    carryover_follow(&carryover_, &r);
  }

  static void Receive(void *lines, const struct record *r) {
    std::string line;
    EXPECT_EQ(r->time_ns, 4711u);
    switch (static_cast<enum record_kind>(r->kind)) {
      case RECORD_EVENT:
        line = std::to_string(r->thread) + " " + std::string(r->u.name.text, r->u.name.len);
        free(r->u.name.text);
        break;
      case RECORD_TICK:
        line = "tick " + std::to_string(r->u.tick.number) + " " +
               std::to_string(r->u.tick.pause_ns) + " " + std::to_string(r->u.tick.threads);
        break;
      case RECORD_SAMPLE:
        line = std::to_string(r->thread) + " " + thread_state_names[r->state] + " " +
               std::to_string(r->u.cpu_ns) + " " +
               (r->stack == nullptr ? "-" : std::string(r->stack->text, r->stack->text_len));
        stack_release(r->stack);
        break;
      default:
        line = "a kind that does not stand at a moment";
        break;
    }
    static_cast<Lines *>(lines)->push_back(line);
  }
  Lines Said() {
    Lines lines;
    carryover_say(&carryover_, 4711, Receive, &lines);
    return lines;
  }

  struct carryover carryover_ = {};
};

struct stack Shared(const char *text) {
  struct stack s = {};
  s.text = text;
  s.text_len = strlen(text);
  return s;
}

TEST_F(Standing, NothingStandsAtFirst) { EXPECT_EQ(Said(), Lines{}); }

TEST_F(Standing, ThreadsThatLiveAreSaidWithTheirNames) {
  Started(1, "one");
  Started(2, "");
  Started(3, "three");
  Event(EVENT_THREAD_SLEEP, 4);  // says nothing of its life
  Event(EVENT_THREAD_ENDED, 1);
  EXPECT_EQ(Said(), (Lines{"2 ", "3 three"}));
  EXPECT_EQ(Said(), (Lines{"2 ", "3 three"}));  // as often as one likes
  EXPECT_EQ(carryover_.num_living, 2u);
}

TEST_F(Standing, TwoThatLiveMayShareAHash) {
  Started(1, "a");
  Started(1, "b");
  Event(EVENT_THREAD_ENDED, 1);
  EXPECT_EQ(Said().size(), 1u);
  Event(EVENT_THREAD_ENDED, 1);
  Event(EVENT_THREAD_ENDED, 1);  // one too many
  EXPECT_EQ(Said(), Lines{});
}

TEST_F(Standing, SamplesAreSaidBehindTheLastTickWithoutTimeThatWasUsed) {
  static struct stack a = Shared("1;00000001;00000000"), b = Shared("0");  // immortal, as they are
  Tick(7);
  Sample(1, STATE_RUNNABLE, &a);
  Sample(2, STATE_PARKED, &b);
  Sample(3, STATE_BLOCKED, &b);
  Tick(8);
  Sample(1, STATE_SLEEPING, &b);
  Sample(3, STATE_TERMINATED, nullptr);
  EXPECT_EQ(Said(), (Lines{"tick 8 0 3", "1 Sleeping 0 0", "2 Parked 0 0"}));
  EXPECT_EQ(carryover_.num_sampled, 2u);
  Sample(2, STATE_UNMOUNTED, nullptr);
  EXPECT_EQ(Said(), (Lines{"tick 8 0 3", "1 Sleeping 0 0"}));
}

TEST_F(Standing, AThreadThatEndedStandsUntilTheSamplerSaysSo) {
  Tick(1);
  Started(1, "one");
  Sample(1, STATE_RUNNABLE, nullptr);
  Event(EVENT_THREAD_ENDED, 1);
  EXPECT_EQ(Said(), (Lines{"tick 1 0 3", "1 Runnable 0 -"}));
  Started(1, "again");
  EXPECT_EQ(Said(), (Lines{"1 again", "tick 1 0 3", "1 Runnable 0 -"}));
}

// A stack that is not shared goes with its records: AddressSanitizer tells if it is lost or late.
TEST_F(Standing, AStackThatIsNotSharedIsCopied) {
  auto *own = static_cast<struct stack *>(malloc(sizeof(struct stack) + 19));
  *own = {};
  own->uses = 1;
  own->text = static_cast<char *>(memcpy(own + 1, "1;00000001;00000002", 19));
  own->text_len = 19;
  Tick(1);
  Sample(1, STATE_RUNNABLE, own);
  stack_release(own);
  for (int i = 0; i < 3; i++) {
    EXPECT_EQ(Said(), (Lines{"tick 1 0 3", "1 Runnable 0 1;00000001;00000002"}));
  }
}

TEST_F(Standing, MemoryGoesByThreadsThatLive) {
  for (uint32_t i = 1; i <= 100000; i++) {
    Started(i, "a name");
    Sample(i, STATE_RUNNABLE, nullptr);
    if (i <= 10) continue;
    Event(EVENT_THREAD_ENDED, i - 10);
    Sample(i - 10, STATE_TERMINATED, nullptr);
  }
  EXPECT_EQ(carryover_.num_living, 10u);
  EXPECT_LE(carryover_.num_slots, 20u);
  EXPECT_LT(hashmap_size(&carryover_.by_hash), 2000u);
  EXPECT_EQ(Said().size(), 10u);
}

}  // namespace
