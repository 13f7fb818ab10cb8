#include "agent/record/outbox.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

struct Box : outbox {
  Box() { outbox_init(this); }
};

bool Put(struct outbox *box, const std::string &text) {
  struct builder body = {};
  builder_bytes(&body, text.data(), text.size());
  outbox_lock(box);
  bool good = outbox_put(box, 0xA, 0xC1, &body);
  outbox_unlock(box);
  builder_free(&body);
  return good;
}

struct Definition {
  uint64_t time_ns;
  std::string body;
  uint32_t id, class_id;
};

std::vector<Definition> TakeAll(struct outbox *box) {
  std::vector<Definition> all;
  for (struct definition *d = outbox_take(box), *next; d != nullptr; d = next) {
    next = d->next;
    all.push_back({d->time_ns, std::string(d->body, d->len), d->id, d->class_id});
    free(d);
  }
  return all;
}

TEST(Outbox, ReturnsEachDefinitionOnceInOrder) {
  Box box;
  EXPECT_TRUE(TakeAll(&box).empty());
  EXPECT_TRUE(Put(&box, "first\n"));
  EXPECT_TRUE(Put(&box, "second\n"));
  auto definitions = TakeAll(&box);
  ASSERT_EQ(definitions.size(), 2u);
  EXPECT_EQ(definitions[0].body, "first\n");
  EXPECT_EQ(definitions[1].body, "second\n");
  EXPECT_EQ(definitions[1].id, 0xAu);
  EXPECT_EQ(definitions[1].class_id, 0xC1u);
  EXPECT_TRUE(TakeAll(&box).empty());
  EXPECT_TRUE(Put(&box, "third\n"));
  ASSERT_EQ(TakeAll(&box).size(), 1u);
}

TEST(Outbox, KeepsACopy) {
  Box box;
  struct builder body = {};
  builder_string(&body, "as it was\n");
  outbox_lock(&box);
  outbox_put(&box, 0xA, 0xC1, &body);
  outbox_unlock(&box);
  body.data[0] = 'X';
  builder_free(&body);
  EXPECT_EQ(TakeAll(&box)[0].body, "as it was\n");
}

TEST(Outbox, SetsTheTimeOfPut) {
  Box box;
  uint64_t before = clock_monotonic_ns();
  Put(&box, "x\n");
  uint64_t after = clock_monotonic_ns();
  Definition d = TakeAll(&box)[0];
  EXPECT_GE(d.time_ns, before);
  EXPECT_LE(d.time_ns, after);
}

TEST(Outbox, RefusesAFailedBody) {
  Box box;
  struct builder body = {};
  body.failed = true;
  outbox_lock(&box);
  EXPECT_FALSE(outbox_put(&box, 0xA, 0xC1, &body));
  outbox_unlock(&box);
  EXPECT_TRUE(TakeAll(&box).empty());
}

TEST(Outbox, LosesNothingWithManyProducers) {
  Box box;
  const int kThreads = 4, kEach = 2000;
  std::vector<Definition> all;
  RunConcurrently(kThreads + 1, [&](int i) {
    if (i < kThreads) {
      for (int n = 0; n < kEach; n++) Put(&box, std::to_string(i) + "," + std::to_string(n));
      return;
    }
    while (all.size() < size_t{kThreads} * kEach) {
      for (const Definition &d : TakeAll(&box)) all.push_back(d);
    }
  });
  std::vector<int> next(kThreads);
  uint64_t last_ns = 0;
  for (const Definition &d : all) {
    EXPECT_GE(d.time_ns, last_ns);
    last_ns = d.time_ns;
    int thread = d.body[0] - '0';
    EXPECT_EQ(d.body, std::to_string(thread) + "," + std::to_string(next[thread]++));
  }
}

}  // namespace
