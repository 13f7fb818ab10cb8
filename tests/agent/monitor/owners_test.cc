#include "agent/monitor/owners.h"

#include <set>

#include "tests/agent/monitor/owners_case.h"

namespace {

TEST_F(OwnersTest, AllQueriesImmediately) {
  BeginRecording("owners=all");
  EXPECT_EQ(RequestOwner(), nullptr);
  EXPECT_EQ(owner_, 0xBu);
  EXPECT_EQ(r_->recorder->figures.owners_asked, 1u);
}

TEST_F(OwnersTest, ReturnsZeroWithoutAnOwner) {
  BeginRecording("owners=all");
  lock_->owner = nullptr;
  RequestOwner();
  EXPECT_EQ(owner_, 0u);
  r_->jvm.Fail(CALL_GetObjectMonitorUsage);
  lock_->owner = holder_;
  RequestOwner();
  EXPECT_EQ(owner_, 0u);
}

TEST_F(OwnersTest, ReturnsZeroForOrcasOwnThread) {
  BeginRecording("owners=all");
  threads_hide(r_->threads, r_->jni, holder_->Ref());
  RequestOwner();
  EXPECT_EQ(owner_, 0u);
}

TEST_F(OwnersTest, ReturnsNoSlotWhenThePoolIsFull) {
  BeginRecording("owners=late");
  while (RequestOwner() != nullptr) continue;
  EXPECT_EQ(r_->recorder->figures.owners_not_asked, 1u);
  EXPECT_EQ(r_->jvm.NumWeakRefs(), 4096);  // the failed request left none
  while (struct blocked *b = blocked_take_unseen(owners_->pool)) {
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(b)->monitor));
  }
}

TEST_F(OwnersTest, WorksWithoutTheWatchAfterARecordingWithIt) {
  BeginRecording("owners=late");
  StartWatch();
  owners_stop(owners_);
  r_->Again("owners=all");
  StartWatch();
  EXPECT_EQ(RequestOwner(), nullptr);
  EXPECT_EQ(owner_, 0xBu);
  EXPECT_EQ(r_->jvm.Calls(CALL_RunAgentThread), 1);
}

TEST_F(OwnersTest, StartFailsIfTheJvmRefusesTheThread) {
  BeginRecording("owners=late");
  r_->jvm.Fail(CALL_RunAgentThread);
  EXPECT_FALSE(owners_start(owners_, r_->ti, r_->jni));
}

// --- the watch of owners=late ----------------------------------------------------------------

using WatchTest = OwnersTest;

TEST_F(WatchTest, IgnoresAnOwnerThatGotTheMonitorLater) {
  BeginRecording("owners=late");
  struct blocked *b = RequestOwner();
  context_->entered = 0x10;
  context_->entered_ns = clock_monotonic_ns();
  RunOneRound();
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 1);
  EXPECT_EQ(blocked_take_owner(b), 0u);
  blocked_end(b);
}

// The JVM gives a thread the monitor a moment before it sends its MonitorContendedEntered. So a
// thread that is still marked as blocking on the monitor got it only now.
TEST_F(WatchTest, IgnoresAnOwnerThatIsStillMarkedAsBlocking) {
  BeginRecording("owners=late");
  context_->blocking = true;
  context_->monitor = 0x10;
  struct blocked *b = RequestOwner();
  RunOneRound();
  EXPECT_EQ(blocked_take_owner(b), 0u);
  blocked_end(b);
}

TEST_F(WatchTest, FindsTheOwnerForAThreadThatStillBlocks) {
  BeginRecording("owners=late");
  StartWatch();
  uint64_t start = clock_monotonic_ns(), asked_ns = 0;
  r_->jvm.During(CALL_GetObjectMonitorUsage, [&] { asked_ns = clock_monotonic_ns(); });
  struct blocked *b = RequestOwner();
  ASSERT_NE(b, nullptr);
  time_.Advance(2 * OWNERS_LATE_NS);
  EXPECT_EQ(CountQueries(), 1u);
  EXPECT_GE(asked_ns - start, OWNERS_LATE_NS);
  StopWatch();
  EXPECT_EQ(blocked_take_owner(b), 0xBu);
  blocked_end(b);
}

TEST_F(WatchTest, MakesNoQueryForAThreadThatGotTheMonitor) {
  BeginRecording("owners=late");
  struct blocked *b = RequestOwner();
  blocked_end(b);
  StartWatch();
  ASSERT_TRUE(AreSlotsReleased());
  EXPECT_EQ(blocked_take_owner(b), 0u);
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 0);
  EXPECT_EQ(r_->recorder->figures.owners_not_asked, 0u);
}

TEST_F(WatchTest, DropsAnAnswerAfterTheWaiterGotTheMonitor) {
  BeginRecording("owners=late");
  struct blocked *b = RequestOwner();
  r_->jvm.During(CALL_GetObjectMonitorUsage, [&] { blocked_end(b); });
  StartWatch();
  ASSERT_TRUE(AreSlotsReleased());
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 1);
  EXPECT_EQ(blocked_take_owner(b), 0u);
}

TEST_F(WatchTest, FindsNoOwnerOfACollectedMonitor) {
  BeginRecording("owners=late");
  lock_->collected = true;
  struct blocked *b = RequestOwner();
  StartWatch();
  time_.Advance(10 * NS_PER_S);
  EXPECT_EQ(blocked_take_unseen(owners_->pool), nullptr) << "the watch has not seen it";
  blocked_end(b);
  StopWatch();
  EXPECT_EQ(r_->jvm.Calls(CALL_GetObjectMonitorUsage), 0);
  EXPECT_EQ(blocked_take_owner(b), 0u);
}

TEST_F(WatchTest, QueriesForAllWaitersWhileQueriesAreShort) {
  BeginRecording("owners=late");
  std::vector<struct blocked *> all;
  for (int i = 0; i < 10; i++) all.push_back(RequestOwner(AddLock(0x20 + i)));
  RunOneRound();
  EXPECT_EQ(r_->recorder->figures.owners_asked, 10u);
  EXPECT_EQ(r_->recorder->figures.owners_not_asked, 0u);
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
}

TEST_F(WatchTest, UsesOneAnswerForAllWaitersOfAMonitor) {
  BeginRecording("owners=late");
  std::vector<struct blocked *> all;
  for (int i = 0; i < 10; i++) all.push_back(RequestOwner());
  struct blocked *other = RequestOwner(AddLock(0x20));
  RunOneRound();
  EXPECT_EQ(r_->recorder->figures.owners_asked, 2u);
  EXPECT_EQ(r_->recorder->figures.owners_not_asked, 0u);
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
  EXPECT_EQ(blocked_take_owner(other), 0xBu);
}

// The holder got the monitor after the first waiter blocked, so it is not the reason for that.
TEST_F(WatchTest, FindsNoOwnerForAWaiterThatBlockedBeforeTheOwnerCame) {
  BeginRecording("owners=late");
  struct blocked *early = RequestOwner();
  context_->entered_ns = clock_monotonic_ns();
  context_->entered = 0x10;
  struct blocked *late = RequestOwner();
  RunOneRound();
  EXPECT_EQ(r_->recorder->figures.owners_asked, 1u);
  EXPECT_EQ(blocked_take_owner(early), 0u);
  EXPECT_EQ(blocked_take_owner(late), 0xBu);
}

// Fifteen queries are charged with the assumed duration. The sixteenth is charged with 25 ms, which
// exhausts the budget.
TEST_F(WatchTest, LimitsQueriesToTheirShareOfTheTime) {
  BeginRecording("owners=late");
  r_->jvm.During(CALL_GetObjectMonitorUsage, [this] { time_.Pass(25 * NS_PER_MS); });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 20; i++) all.push_back(RequestOwner(AddLock(0x20 + i)));
  RunOneRound();
  EXPECT_EQ(r_->recorder->figures.owners_asked, 16u);
  EXPECT_EQ(r_->recorder->figures.owners_not_asked, 4u);
  for (size_t i = 0; i < 16; i++) EXPECT_EQ(blocked_take_owner(all[i]), 0xBu);
  for (size_t i = 16; i < 20; i++) EXPECT_EQ(blocked_take_owner(all[i]), 0u);
}

TEST_F(WatchTest, ChargesLongQueriesLikeTheShortestOne) {
  BeginRecording("owners=late");
  int num_queries = 0;
  r_->jvm.During(CALL_GetObjectMonitorUsage,
                 [&] { time_.Pass(num_queries++ % 8 == 0 ? 0 : 25 * NS_PER_MS); });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 40; i++) all.push_back(RequestOwner(AddLock(0x20 + i)));
  RunOneRound();
  EXPECT_EQ(r_->recorder->figures.owners_asked, 40u);
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xBu);
}

TEST_F(WatchTest, WakesFromItsSleepForANewWaiter) {
  BeginRecording("owners=late");
  StartWatch();
  for (int i = 0; i < 5; i++) {
    struct blocked *b = RequestOwner();
    blocked_end(b);
    ASSERT_TRUE(AreSlotsReleased()) << i;
    blocked_take_owner(b);
  }
}

TEST_F(WatchTest, AnswersInTheNextRecording) {
  BeginRecording("owners=late");
  for (int i = 0; i < 2; i++) {
    StartWatch();
    struct blocked *b = RequestOwner();
    time_.Advance(2 * OWNERS_LATE_NS);
    StopWatch();
    EXPECT_EQ(r_->recorder->figures.owners_asked, 1u) << i;
    EXPECT_EQ(blocked_take_owner(b), 0xBu);
    blocked_end(b);
    r_->Again("owners=late");
  }
}

TEST_F(WatchTest, PushesAMonitorOwnerIfTheLineIsAlreadyWritten) {
  BeginRecording("owners=late");
  struct blocked *b = RequestOwner();
  EXPECT_EQ(blocked_take_owner(b), 0u);
  RunOneRound();
  EXPECT_EQ(r_->Events(), Lines{"MonitorOwner,0000000A,00000010,0000000B,0"});
  blocked_end(b);
}

// Once for all waiters of a monitor.
TEST_F(WatchTest, PushesAMonitorHeld) {
  BeginRecording("owners=late");
  owners_->acquisitions.has_capability = true;
  FakeMethod *method = r_->jvm.AddMethod(r_->jvm.AddClass("LB;", 0xC2), "hold", "()V");
  holder_->frames = {{method->Id(), 7}};
  holder_->held = {{lock_, 0}};
  r_->Events();
  struct blocked *first = RequestOwner(), *second = RequestOwner();
  RunOneRound();
  EXPECT_EQ(r_->Events(), Lines{"MonitorHeld,0000000B,00000010,1;00000001;00000007"});
  EXPECT_EQ(blocked_take_owner(first), 0xBu);
  EXPECT_EQ(blocked_take_owner(second), 0xBu);
}

// The holder released the monitor before it was asked where it acquired it.
TEST_F(WatchTest, PushesNoMonitorHeldIfTheOwnerHasReleasedTheMonitor) {
  BeginRecording("owners=late");
  owners_->acquisitions.has_capability = true;
  r_->Events();
  struct blocked *b = RequestOwner();
  RunOneRound();
  EXPECT_EQ(r_->Events(), Lines{});
  EXPECT_EQ(blocked_take_owner(b), 0xBu);
}

// The budget is exhausted before the last waiters. They get their first query before the others get
// their second.
TEST_F(WatchTest, QueriesLaterForAWaiterWithoutAFirstQuery) {
  BeginRecording("owners=late");
  r_->jvm.During(CALL_GetObjectMonitorUsage, [this] { time_.Pass(5 * NS_PER_MS); });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 30; i++) all.push_back(RequestOwner(AddLock(0x20 + i)));
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0u);
  StartWatch();
  std::set<std::string> events;
  time_.Advance(60 * NS_PER_S);
  for (const std::string &line : r_->Events()) events.insert(line);
  EXPECT_EQ(events.size(), all.size());
  owners_stop(owners_);
  EXPECT_GE(r_->recorder->figures.owners_not_asked, 1u);
  EXPECT_EQ(*events.begin(), "MonitorOwner,0000000A,00000020,0000000B,0");
  for (struct blocked *b : all) blocked_end(b);
}

// Another thread is the owner later. An answer without an owner in between is ignored.
TEST_F(WatchTest, RepeatsTheQueryForALongWaiter) {
  BeginRecording("owners=late");
  FakeThread *other = r_->jvm.AddThread("other", 0xC);
  {
    FakeJvm::Running running(other);
    struct context *c = context_here(r_->threads, r_->ti, r_->jni);
    r_->Events();
    struct blocked *b = RequestOwner();
    c->entered_ns = clock_monotonic_ns();
    c->entered = 0x10;
    int num_queries = 0;
    r_->jvm.During(CALL_GetObjectMonitorUsage, [&] {
      FakeThread *owners[] = {holder_, nullptr, other};
      lock_->owner = owners[num_queries++ % 3];
    });
    StartWatch();
    time_.Advance(4 * NS_PER_S);
    EXPECT_EQ(CountQueries(), 3u);  // after 5 ms, 1 s and 3 s
    StopWatch();
    EXPECT_EQ(blocked_take_owner(b), 0xBu);
    EXPECT_EQ(r_->Events(), Lines{"MonitorOwner,0000000A,00000010,0000000C,0"});
    blocked_end(b);
  }
}

// JDK 25 returns no virtual thread as the owner. So it is asked what it holds.
TEST_F(WatchTest, FindsAVirtualOwnerForAllWaiters) {
  BeginRecording("owners=late");
  owners_->acquisitions.has_capability = true;
  r_->jvm.version = 0x30190000;
  r_->jvm.HaveVirtualThreads();
  FakeThread *owner = r_->jvm.AddThread("owner", 0xC);
  owner->is_virtual = true;
  {
    FakeJvm::Running running(owner);
    context_here(r_->threads, r_->ti, r_->jni);
  }
  r_->jvm.AnswerObjects([&](const FakeMethod &, FakeObject *) {
    FakeObject *list = r_->jvm.AddObject(lock_->klass);
    list->items = {owner};
    return list;
  });
  FakeObject *other = AddLock(0x20);
  lock_->owner = other->owner = nullptr;
  owner->held = {{lock_, 0}, {other, 0}};
  std::vector<struct blocked *> all = {RequestOwner(), RequestOwner(), RequestOwner(other)};
  RunOneRound();
  for (struct blocked *b : all) EXPECT_EQ(blocked_take_owner(b), 0xCu);
  EXPECT_EQ(r_->jvm.Calls(CALL_CallStaticObjectMethod), 1);
}

// One search looks for 64 monitors at most.
TEST_F(WatchTest, FindsTheVirtualOwnersOfManyMonitors) {
  BeginRecording("owners=late");
  owners_->acquisitions.has_capability = true;
  r_->jvm.version = 0x30190000;
  r_->jvm.HaveVirtualThreads();
  FakeThread *owner = r_->jvm.AddThread("owner", 0xC);
  owner->is_virtual = true;
  {
    FakeJvm::Running running(owner);
    context_here(r_->threads, r_->ti, r_->jni);
  }
  r_->jvm.AnswerObjects([&](const FakeMethod &, FakeObject *) {
    FakeObject *list = r_->jvm.AddObject(lock_->klass);
    list->items = {owner};
    return list;
  });
  std::vector<struct blocked *> all;
  for (int i = 0; i < 150; i++) {
    FakeObject *lock = AddLock(0x100 + i);
    lock->owner = nullptr;
    owner->held.emplace_back(lock, 0);
    all.push_back(RequestOwner(lock));
  }
  StartWatch();
  time_.Advance(60 * NS_PER_S);  // enough for searches that use much CPU time, as with a sanitizer
  StopWatch();
  for (struct blocked *b : all) {
    EXPECT_EQ(blocked_take_owner(b), 0xCu);
    blocked_end(b);
  }
}

TEST_F(WatchTest, FindsAVirtualOwnerWithOwnersAll) {
  BeginRecording("owners=all");
  owners_->acquisitions.has_capability = true;
  r_->jvm.version = 0x30190000;
  threads_note_virtual(r_->threads);
  StartWatch();
  EXPECT_EQ(RequestOwner(), nullptr);
  EXPECT_EQ(owner_, 0xBu);
  lock_->owner = nullptr;
  owner_ = 0;
  struct blocked *b = RequestOwner();
  EXPECT_NE(b, nullptr);
  blocked_end(b);
  ASSERT_TRUE(AreSlotsReleased());
  blocked_take_owner(b);
}

// While a virtual thread mounts or unmounts, the JVM returns its carrier.
TEST_F(WatchTest, AsksAgainSoonIfTheOwnerIsACarrier) {
  BeginRecording("owners=late");
  FakeThread *carrier = r_->jvm.AddThread("carrier", 0xC);
  carrier->klass = r_->jvm.AddClass("Ljdk/internal/misc/CarrierThread;");
  {
    FakeJvm::Running running(carrier);
    context_here(r_->threads, r_->ti, r_->jni);
  }
  int num_queries = 0;
  r_->jvm.During(CALL_GetObjectMonitorUsage,
                 [&] { lock_->owner = ++num_queries < 3 ? carrier : holder_; });
  struct blocked *b = RequestOwner();
  StartWatch();
  time_.Advance(300 * NS_PER_MS);
  EXPECT_EQ(CountQueries(), 3u);  // after 5, 55 and 155 ms
  StopWatch();
  EXPECT_EQ(blocked_take_owner(b), 0xBu);
  blocked_end(b);
}

TEST_F(WatchTest, ReleasesSlotsWhenItEnds) {
  BeginRecording("owners=late");
  StartWatch();
  struct blocked *b = RequestOwner();
  owners_stop(owners_);
  r_->jvm.JoinAgentThreads();
  while (struct blocked *left = blocked_take_unseen(owners_->pool)) {  // not seen by the watch
    r_->jni->DeleteWeakGlobalRef(static_cast<jweak>(blocked_on(left)->monitor));
    blocked_release(left);
  }
  EXPECT_EQ(r_->jvm.NumWeakRefs(), 0);
  EXPECT_EQ(r_->recorder->figures.owners_asked, 0u);
  EXPECT_EQ(blocked_take_owner(b), 0u);
  blocked_end(b);
}

}  // namespace
