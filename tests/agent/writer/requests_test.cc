#include "agent/writer/requests.h"

#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/virtual_time.h"

namespace {

constexpr uint64_t kLong = 10 * NS_PER_S;

// A writer thread that only answers. While it is paused it answers nothing.
class Requests : public testing::Test {
 protected:
  Requests() { requests_init(&requests_); }
  ~Requests() override { EndThread(); }

  void Begin() {
    requests_begin(&requests_);
    thread_ = std::thread([this] { Serve(); });
  }
  bool Stop() {
    bool is_answered = requests_stop(&requests_, "exit", kLong);
    if (thread_.joinable()) thread_.join();
    return is_answered;
  }
  std::string Change(uint64_t limit_ns) {
    auto *c = static_cast<struct change *>(calloc(1, sizeof(struct change)));
    char error[200] = "";
    bool good = requests_change(&requests_, c, limit_ns, error, sizeof error);
    return good ? "good" : error;
  }
  std::string Snapshot(uint64_t limit_ns) {
    struct snapshot s = {};
    snprintf(s.name, sizeof s.name, "asked");
    bool good = requests_snapshot(&requests_, &s, limit_ns);
    return good ? s.name : s.error;
  }
  void Pause() { is_paused_ = true; }
  void GoOn() {
    is_paused_ = false;
    requests_wake(&requests_);
  }

  struct requests requests_;
  std::atomic<bool> is_paused_{false}, succeeds_{true};
  std::atomic<int> flushes_{0}, changes_{0}, snapshots_{0}, waits_{0};

 private:
  void EndThread() {
    is_paused_ = false;
    Stop();
  }
  void Serve() {
    while (!requests_want_stop(&requests_) || is_paused_) {
      requests_wait(&requests_, 20 * NS_PER_MS);
      waits_++;
      if (!is_paused_) Answer();
    }
    requests_answer_stop(&requests_);
  }
  void Answer() {
    unsigned flush = requests_take_flush(&requests_);
    if (flush != 0) {
      flushes_++;
      requests_answer_flush(&requests_, flush);
    }
    struct wish *wish = requests_take_wish(&requests_);
    if (wish == nullptr) return;
    (wish->change != nullptr ? changes_ : snapshots_)++;
    if (succeeds_) strcpy(wish->snapshot.name, "made");
    if (!succeeds_) strcpy(wish->snapshot.error, "no room");
    requests_answer_wish(&requests_, wish, succeeds_);
  }
  std::thread thread_;
};

TEST_F(Requests, WithoutAWriterNobodyWaits) {
  EXPECT_FALSE(requests_are_served(&requests_));
  EXPECT_FALSE(requests_flush(&requests_, kLong));
  EXPECT_TRUE(requests_stop(&requests_, "exit", kLong));
  EXPECT_EQ(Snapshot(kLong), "nothing is being recorded");
  EXPECT_EQ(Change(kLong), "the recording ended before the change");
  EXPECT_EQ(requests_take_wish(&requests_), nullptr);  // it was withdrawn
}

TEST_F(Requests, EachIsAnsweredOnce) {
  Begin();
  for (int i = 1; i <= 100; i++) {
    ASSERT_TRUE(requests_flush(&requests_, kLong));
    ASSERT_EQ(Change(kLong), "good");
    ASSERT_EQ(Snapshot(kLong), "made");
    ASSERT_EQ(flushes_, i);
    ASSERT_EQ(changes_, i);
    ASSERT_EQ(snapshots_, i);
  }
  EXPECT_TRUE(requests_are_served(&requests_));
  EXPECT_TRUE(Stop());
  EXPECT_FALSE(requests_are_served(&requests_));
  EXPECT_STREQ(requests_.reason, "exit");
}

TEST_F(Requests, AFailureReachesTheRequester) {
  succeeds_ = false;
  Begin();
  EXPECT_EQ(Snapshot(kLong), "no room");
  EXPECT_NE(Change(kLong), "good");
}

TEST_F(Requests, NobodyWaitsLongerThanTheLimit) {
  Pause();
  Begin();
  EXPECT_FALSE(requests_flush(&requests_, 20 * NS_PER_MS));
  EXPECT_EQ(Snapshot(20 * NS_PER_MS), "the snapshot is not finished after 0 s");
  EXPECT_FALSE(requests_stop(&requests_, "late", 20 * NS_PER_MS));
  EXPECT_TRUE(requests_are_served(&requests_));
}

// What nobody has taken when its requester gives up is not done later.
TEST_F(Requests, AnUntakenWishIsWithdrawn) {
  Pause();
  Begin();
  EXPECT_EQ(Change(20 * NS_PER_MS), "the change is not finished after 0 s");
  GoOn();
  ASSERT_TRUE(requests_flush(&requests_, kLong));
  EXPECT_EQ(changes_, 0);
}

TEST_F(Requests, ALateAnswerIsNotMistakenForTheNext) {
  Pause();
  Begin();
  EXPECT_FALSE(requests_flush(&requests_, 20 * NS_PER_MS));
  EXPECT_FALSE(requests_flush(&requests_, 20 * NS_PER_MS));
  GoOn();
  ASSERT_TRUE(requests_flush(&requests_, kLong));
  EXPECT_LE(flushes_, 2);  // the last one answers those before it
  EXPECT_TRUE(Stop());
}

TEST_F(Requests, AStopEndsThoseThatWait) {
  requests_begin(&requests_);  // a thread that only ends
  std::thread ends([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    requests_answer_stop(&requests_);
  });
  EXPECT_EQ(Change(kLong), "the recording ended before the change");
  ends.join();
}

TEST_F(Requests, SeveralWakesCountAsOne) {
  for (int i = 0; i < 5; i++) requests_wake(&requests_);
  VirtualTime time(1);
  uint64_t begin = clock_monotonic_ns();
  requests_wait(&requests_, kLong);
  EXPECT_LT(clock_monotonic_ns() - begin, NS_PER_MS);
  std::thread waiter([&] { requests_wait(&requests_, 50 * NS_PER_MS); });
  time.Advance(40 * NS_PER_MS);  // it waits until then, so no wake is left
  time.Pass(20 * NS_PER_MS);
  waiter.join();
}

TEST_F(Requests, ServesTheNextRecording) {
  for (int i = 1; i <= 50; i++) {
    Begin();
    ASSERT_TRUE(requests_flush(&requests_, kLong));
    ASSERT_TRUE(Stop());
    ASSERT_EQ(flushes_, i);
  }
}

}  // namespace
