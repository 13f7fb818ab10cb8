#include "agent/record/record.h"

#include <stdlib.h>
#include <string.h>

#include "agent/record/blocked.h"
#include "agent/record/stack.h"
#include "gtest/gtest.h"

namespace {

struct record MakeEvent(enum event_kind kind) {
  struct record r = {};
  r.kind = RECORD_EVENT;
  r.event = static_cast<uint8_t>(kind);
  return r;
}

// Makes a stack that is not shared and has two uses.
struct stack *MakeOwnStack() {
  auto *s = static_cast<struct stack *>(calloc(1, sizeof(struct stack)));
  s->uses = 2;
  return s;
}

// AddressSanitizer finds memory that is freed twice or never.
TEST(Record, ReleasesItsName) {
  struct record r = MakeEvent(EVENT_THREAD_STARTED);
  r.u.name.text = strdup("main");
  r.u.name.len = 4;
  record_release(&r);
}

TEST(Record, EveryKindReleasesOneUseOfItsStack) {
  struct record event = MakeEvent(EVENT_THREAD_SLEEP), sample = {};
  event.stack = sample.stack = MakeOwnStack();
  sample.kind = RECORD_SAMPLE;
  sample.u.cpu_ns = -1;  // in the place of a pointer; it must not be freed
  record_release(&event);
  EXPECT_EQ(sample.stack->uses, 1u);
  record_release(&sample);
}

TEST(Record, ContendedEnterReleasesItsSlot) {
  static struct blocked_pool *pool = blocked_pool_new(); /* never freed */
  struct blocked_on on = {};
  for (int i = 0; i < 10000; i++) {  // more than the pool has slots
    struct record r = MakeEvent(EVENT_MONITOR_CONTENDED_ENTER);
    r.u.blocked = blocked_begin(pool, &on);
    ASSERT_NE(r.u.blocked, nullptr) << i;
    record_release(&r);
    blocked_end(r.u.blocked);
    blocked_release(blocked_take_unseen(pool));
  }
}

TEST(Record, ReleasesNothingWithoutOwnedMemory) {
  struct record enter = MakeEvent(EVENT_MONITOR_CONTENDED_ENTER),
                ended = MakeEvent(EVENT_THREAD_ENDED), tick = {};
  tick.kind = RECORD_TICK;
  tick.u.tick.number = 1;
  for (const struct record *r : {&enter, &ended, &tick}) record_release(r);
}

}  // namespace
