#include "agent/writer/mailbox.h"

#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <string>
#include <thread>

#include "agent/base/clock.h"
#include "gtest/gtest.h"
#include "tests/support/virtual_time.h"

namespace {

constexpr uint64_t kLong = 10 * NS_PER_S;

// A writer thread that only answers. While it is paused it answers nothing.
class Mailbox : public testing::Test {
 protected:
  Mailbox() { mailbox_init(&mailbox_); }
  ~Mailbox() override { EndThread(); }

  void Begin() {
    mailbox_open(&mailbox_);
    thread_ = std::thread([this] { Serve(); });
  }
  bool Stop() {
    bool is_answered = mailbox_ask_stop(&mailbox_, "exit", kLong);
    if (thread_.joinable()) thread_.join();
    return is_answered;
  }
  std::string Change(uint64_t limit_ns) {
    auto *c = static_cast<struct change *>(calloc(1, sizeof(struct change)));
    char error[200] = "";
    bool good = mailbox_ask_change(&mailbox_, c, limit_ns, error, sizeof error);
    return good ? "good" : error;
  }
  std::string Snapshot(uint64_t limit_ns) {
    struct snapshot s = {};
    snprintf(s.name, sizeof s.name, "asked");
    bool good = mailbox_ask_snapshot(&mailbox_, &s, limit_ns);
    return good ? s.name : s.error;
  }
  void Pause() { is_paused_ = true; }
  void GoOn() {
    is_paused_ = false;
    mailbox_wake(&mailbox_);
  }

  struct mailbox mailbox_;
  std::atomic<bool> is_paused_{false}, succeeds_{true};
  std::atomic<int> changes_{0}, snapshots_{0}, taken_{0};
  std::atomic<bool> holds_{false};  // the thread keeps what it has taken
  std::string reason_;              // of the last stop, after the thread has ended

 private:
  void EndThread() {
    is_paused_ = holds_ = false;
    Stop();
  }
  void Serve() {
    while (!mailbox_has_stop(&mailbox_) || is_paused_) {
      mailbox_wait(&mailbox_, 20 * NS_PER_MS);
      if (!is_paused_) Answer();
    }
    reason_ = mailbox_stop_reason(&mailbox_);
    mailbox_close(&mailbox_);
  }
  void Answer() {
    struct request *r = mailbox_take(&mailbox_);
    if (r == nullptr) return;
    taken_++;
    while (holds_) mailbox_wait(&mailbox_, NS_PER_MS);
    (r->kind == REQUEST_CHANGE ? changes_ : snapshots_)++;
    if (succeeds_) strcpy(r->snapshot.name, "made");
    if (!succeeds_) strcpy(r->snapshot.error, "no room");
    mailbox_answer(r, succeeds_);
  }
  std::thread thread_;
};

TEST_F(Mailbox, WithoutAWriterNobodyWaits) {
  EXPECT_FALSE(mailbox_is_open(&mailbox_));
  EXPECT_TRUE(mailbox_ask_stop(&mailbox_, "exit", kLong));
  EXPECT_EQ(Snapshot(kLong), "nothing is being recorded");
  EXPECT_EQ(Change(kLong), "nothing is being recorded");
  EXPECT_EQ(mailbox_take(&mailbox_), nullptr);
}

TEST_F(Mailbox, EachIsAnsweredOnce) {
  Begin();
  for (int i = 1; i <= 100; i++) {
    ASSERT_EQ(Change(kLong), "good");
    ASSERT_EQ(Snapshot(kLong), "made");
    ASSERT_EQ(changes_, i);
    ASSERT_EQ(snapshots_, i);
  }
  EXPECT_TRUE(mailbox_is_open(&mailbox_));
  EXPECT_TRUE(Stop());
  EXPECT_FALSE(mailbox_is_open(&mailbox_));
  EXPECT_EQ(reason_, "exit");
}

TEST_F(Mailbox, AFailureReachesTheRequester) {
  succeeds_ = false;
  Begin();
  EXPECT_EQ(Snapshot(kLong), "no room");
  EXPECT_EQ(Change(kLong), "there is no memory for a change");
}

TEST_F(Mailbox, NobodyWaitsLongerThanTheLimit) {
  Pause();
  Begin();
  EXPECT_EQ(Snapshot(20 * NS_PER_MS), "the snapshot is not finished after 0 s");
  EXPECT_FALSE(mailbox_ask_stop(&mailbox_, "late", 20 * NS_PER_MS));
  EXPECT_TRUE(mailbox_is_open(&mailbox_));
}

// What nobody has taken when its requester gives up is not done later.
TEST_F(Mailbox, AnUntakenSnapshotIsTakenBack) {
  Pause();
  Begin();
  EXPECT_EQ(Snapshot(20 * NS_PER_MS), "the snapshot is not finished after 0 s");
  EXPECT_FALSE(mailbox_has_request(&mailbox_));
  GoOn();
  EXPECT_EQ(Change(kLong), "good");
  EXPECT_EQ(snapshots_, 0);
}

// The hooks follow it already.
TEST_F(Mailbox, AnUntakenChangeIsMadeLater) {
  Pause();
  Begin();
  EXPECT_EQ(Change(20 * NS_PER_MS), "the change is not finished after 0 s");
  EXPECT_TRUE(mailbox_has_request(&mailbox_));
  EXPECT_EQ(Snapshot(kLong), "the last snapshot or change has not begun yet");
  GoOn();
  while (changes_ == 0) std::this_thread::yield();
  EXPECT_FALSE(mailbox_has_request(&mailbox_));
  EXPECT_EQ(Snapshot(kLong), "made");
}

// The stop is no request in this sense.
TEST_F(Mailbox, AnUntakenChangeEndsWithTheRecording) {
  Pause();
  Begin();
  EXPECT_EQ(Change(20 * NS_PER_MS), "the change is not finished after 0 s");
  EXPECT_FALSE(mailbox_ask_stop(&mailbox_, "exit", 20 * NS_PER_MS));
  EXPECT_FALSE(mailbox_has_request(&mailbox_));
  GoOn();
  EXPECT_TRUE(Stop());
  EXPECT_EQ(changes_, 0);
}

// Its requester has gone, and the mailbox is free for the next one, which gets its own answer.
TEST_F(Mailbox, ALateAnswerIsNotMistakenForTheNext) {
  holds_ = true;
  Begin();
  EXPECT_EQ(Change(20 * NS_PER_MS), "the change is not finished after 0 s");
  std::thread next([this] { EXPECT_EQ(Snapshot(kLong), "made"); });
  while (taken_ == 0) std::this_thread::yield();
  holds_ = false;
  next.join();
  EXPECT_EQ(snapshots_, 1);
  EXPECT_TRUE(Stop());
}

TEST_F(Mailbox, OneRequestWaitsAtATime) {
  Pause();
  Begin();
  std::thread first([this] { EXPECT_EQ(Snapshot(kLong), "made"); });
  while (__atomic_load_n(&mailbox_.waiting, __ATOMIC_ACQUIRE) == nullptr) std::this_thread::yield();
  EXPECT_EQ(Change(kLong), "the last snapshot or change has not begun yet");
  GoOn();
  first.join();
}

// A stop does not wait for the request, and its requester does not wait for the thread.
TEST_F(Mailbox, AStopReplacesWhatWaits) {
  Pause();
  Begin();
  std::thread first([this] { EXPECT_EQ(Change(kLong), "the recording ended before the change"); });
  while (__atomic_load_n(&mailbox_.waiting, __ATOMIC_ACQUIRE) == nullptr) std::this_thread::yield();
  EXPECT_FALSE(mailbox_ask_stop(&mailbox_, "exit", 20 * NS_PER_MS));
  first.join();
  EXPECT_TRUE(mailbox_is_open(&mailbox_));
  EXPECT_EQ(Snapshot(kLong), "nothing is being recorded");
  GoOn();
  EXPECT_TRUE(Stop());
  EXPECT_EQ(changes_, 0);
}

// A thread that ends by itself.
TEST_F(Mailbox, TheEndAnswersWhatWaits) {
  mailbox_open(&mailbox_);
  std::thread ends([this] {
    while (__atomic_load_n(&mailbox_.waiting, __ATOMIC_ACQUIRE) == nullptr)
      std::this_thread::yield();
    mailbox_close(&mailbox_);
  });
  EXPECT_EQ(Change(kLong), "the recording ended before the change");
  ends.join();
}

// VMDeath may come while another thread stops the recording or waits for a snapshot.
TEST_F(Mailbox, AllThatWaitForTheEndAreAnswered) {
  for (int i = 0; i < 20; i++) {
    Begin();
    std::atomic<int> answered{0};
    std::thread user([&] {
      Snapshot(kLong);
      answered += mailbox_ask_stop(&mailbox_, "stop", SEMAPHORE_FOREVER / 2);
    });
    std::thread death(
        [&] { answered += mailbox_ask_stop(&mailbox_, "exit", SEMAPHORE_FOREVER / 2); });
    user.join();
    death.join();
    EXPECT_EQ(answered, 2);
    EXPECT_TRUE(Stop());
    EXPECT_TRUE(reason_ == "stop" || reason_ == "exit") << reason_;
  }
}

TEST_F(Mailbox, TheFirstReasonCounts) {
  Pause();
  Begin();
  EXPECT_FALSE(mailbox_ask_stop(&mailbox_, "stop", NS_PER_MS));
  GoOn();
  EXPECT_TRUE(Stop());
  EXPECT_EQ(reason_, "stop");
}

// Requests that time out, are answered, and are replaced by a stop, all at the same time.
TEST_F(Mailbox, NoRequestIsLostInARace) {
  for (int i = 0; i < 50; i++) {
    Begin();
    std::thread user([&] {
      for (int n = 0; n < 20; n++) {
        std::string answer = n % 2 == 0 ? Change(NS_PER_MS / 50) : Snapshot(NS_PER_MS / 50);
        if (answer == "nothing is being recorded") break;
      }
    });
    if (i % 2 == 0) std::this_thread::yield();
    EXPECT_TRUE(Stop());
    user.join();
    EXPECT_EQ(taken_, changes_ + snapshots_);
  }
}

TEST_F(Mailbox, SeveralWakesCountAsOne) {
  for (int i = 0; i < 5; i++) mailbox_wake(&mailbox_);
  VirtualTime time(1);
  uint64_t begin = clock_monotonic_ns();
  mailbox_wait(&mailbox_, kLong);
  EXPECT_LT(clock_monotonic_ns() - begin, NS_PER_MS);
  std::thread waiter([&] { mailbox_wait(&mailbox_, 50 * NS_PER_MS); });
  time.Advance(40 * NS_PER_MS);  // it waits until then, so no wake is left
  time.Pass(20 * NS_PER_MS);
  waiter.join();
}

TEST_F(Mailbox, ServesTheNextRecording) {
  for (int i = 1; i <= 50; i++) {
    Begin();
    ASSERT_EQ(Snapshot(kLong), "made");
    ASSERT_TRUE(Stop());
    ASSERT_EQ(snapshots_, i);
  }
}

}  // namespace
