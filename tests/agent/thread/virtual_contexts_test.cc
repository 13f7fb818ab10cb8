#include "agent/thread/virtual_contexts.h"

#include <memory>
#include <vector>

#include "agent/thread/context.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"

namespace {

class VirtualContexts : public testing::Test {
 protected:
  VirtualContexts() { virtual_contexts_init(&v_); }
  ~VirtualContexts() override { free(v_.places); }

  struct context *Add(uint32_t thread) {
    contexts_.push_back(std::make_unique<struct context>());
    contexts_.back()->thread = thread;
    virtual_contexts_add(&v_, contexts_.back().get());
    return contexts_.back().get();
  }
  enum virtual_answer Ask(uint32_t thread) {
    asked_ = nullptr;
    auto keep = [](const struct context *c, void *arg) {
      *static_cast<const struct context **>(arg) = c;
    };
    return virtual_contexts_ask(&v_, thread, keep, &asked_);
  }

  struct virtual_contexts v_;
  std::vector<std::unique_ptr<struct context>> contexts_;
  const struct context *asked_ = nullptr;
};

TEST_F(VirtualContexts, ArePresentUntilTheyAreRemoved) {
  EXPECT_EQ(virtual_contexts_bytes(&v_), 0u);
  EXPECT_EQ(Ask(1), VIRTUAL_NONE);
  struct context *c = Add(1);
  EXPECT_GT(virtual_contexts_bytes(&v_), 0u);
  EXPECT_EQ(Ask(1), VIRTUAL_FOUND);
  EXPECT_EQ(asked_, c);
  EXPECT_EQ(Ask(2), VIRTUAL_NONE);
  virtual_contexts_remove(&v_, c);
  EXPECT_EQ(Ask(1), VIRTUAL_UNKNOWN);
  EXPECT_EQ(asked_, nullptr);
}

TEST_F(VirtualContexts, TheLastOneOfAPlaceStays) {
  struct context *first = Add(1);
  struct context *second = Add(1 + VIRTUAL_PLACES);
  EXPECT_EQ(Ask(1), VIRTUAL_UNKNOWN);
  virtual_contexts_remove(&v_, first);
  EXPECT_EQ(Ask(1 + VIRTUAL_PLACES), VIRTUAL_FOUND);
  EXPECT_EQ(asked_, second);
}

TEST_F(VirtualContexts, WithoutMemoryNothingIsCertain) {
  v_.is_incomplete = true;
  EXPECT_EQ(Ask(1), VIRTUAL_UNKNOWN);
}

TEST_F(VirtualContexts, WorkWithManyThreads) {
  const int kThreads = 4, kEach = 2000;
  std::vector<std::vector<struct context>> own(kThreads, std::vector<struct context>(kEach));
  RunConcurrently(kThreads, [&](int i) {
    for (int k = 0; k < kEach; k++) {
      struct context *c = &own[static_cast<size_t>(i)][static_cast<size_t>(k)];
      c->thread = static_cast<uint32_t>(k * kThreads + i + 1);
      virtual_contexts_add(&v_, c);
      auto check = [](const struct context *found, void *arg) { EXPECT_EQ(found, arg); };
      EXPECT_EQ(virtual_contexts_ask(&v_, c->thread, check, c), VIRTUAL_FOUND);
      virtual_contexts_remove(&v_, c);
    }
  });
}

}  // namespace
