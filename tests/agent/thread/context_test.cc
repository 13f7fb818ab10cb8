#include "agent/thread/context.h"

#include <algorithm>
#include <set>

#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/recording.h"

namespace {

class ContextTest : public testing::Test {
 protected:
  struct context *Here(FakeThread *thread) {
    FakeJvm::Running running(thread);
    return context_here(r_.threads, r_.ti, r_.jni);
  }
  void End(FakeThread *thread) {
    FakeJvm::Running running(thread);
    context_end(r_.threads, r_.ti, r_.jni);
  }
  void AnnounceAll() { context_announce_all(r_.threads, r_.ti, r_.jni); }

  Recording r_;
  FakeThread *main_ = r_.jvm.AddThread("main", 0xA);
};

TEST_F(ContextTest, IsMadeOnceAndAnnouncesItsThread) {
  struct context *c = Here(main_);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->thread, 0xAu);
  EXPECT_EQ(Here(main_), c);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,main"});
  EXPECT_EQ(r_.Objects(), Lines{"0000000A,00001000"});  // java.lang.Thread
  EXPECT_EQ(r_.Classes(), Lines{"00001000,Ljava/lang/Thread;,Thread.java"});
}

TEST_F(ContextTest, EachThreadHasItsOwn) {
  FakeThread *other = r_.jvm.AddThread("other", 0xB);
  struct context *first = Here(main_), *second = Here(other);
  EXPECT_NE(first, second);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadStarted,0000000B,other"}));
}

TEST_F(ContextTest, ThreadsAreSpreadOverTheLanes) {
  std::set<unsigned> lanes;
  for (unsigned i = 0; i < queue_num_lanes(r_.recorder->queue); i++) {
    lanes.insert(Here(r_.jvm.AddThread("T"))->lane);
  }
  EXPECT_EQ(lanes.size(), queue_num_lanes(r_.recorder->queue));
}

TEST_F(ContextTest, ANameIsSpelledAsInTheFiles) {
  main_->name = "pool-1,\nworker";
  Here(main_);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,pool-1\\u002C\\u000Aworker"});
}

TEST_F(ContextTest, AThreadWithoutANameIsAnnouncedToo) {
  r_.jvm.Fail(CALL_GetThreadInfo);
  EXPECT_NE(Here(main_), nullptr);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,"});
}

TEST_F(ContextTest, ThereIsNoneWhileRecordingIsOff) {
  recorder_switch(r_.recorder, false);
  EXPECT_EQ(Here(main_), nullptr);
  recorder_switch(r_.recorder, true);
  EXPECT_NE(Here(main_), nullptr);
}

TEST_F(ContextTest, KnownIsOneThatWasMadeAlsoWhileRecordingIsOff) {
  FakeJvm::Running running(main_);
  EXPECT_EQ(context_known(r_.ti), nullptr);
  struct context *c = Here(main_);
  recorder_switch(r_.recorder, false);
  EXPECT_EQ(context_known(r_.ti), c);
  recorder_switch(r_.recorder, true);
  End(main_);
  EXPECT_EQ(context_known(r_.ti), nullptr);
}

TEST_F(ContextTest, ThereIsNoneWhereTheJvmRefusesAndNothingIsLost) {
  r_.jvm.Fail(CALL_GetCurrentThread, 1, JVMTI_ERROR_WRONG_PHASE);
  EXPECT_EQ(Here(main_), nullptr);
  r_.jvm.Fail(CALL_SetThreadLocalStorage, 1, JVMTI_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Here(main_), nullptr);
  EXPECT_EQ(r_.Records(), Lines{});
  EXPECT_NE(Here(main_), nullptr);
}

// --- who had a monitor ---------------------------------------------------------------------

class HadMonitorTest : public ContextTest {
 protected:
  HadMonitorTest() { context_->begun_ns = 1000; }
  bool Had(uint32_t monitor, uint64_t since_ns) {
    return context_had_monitor(r_.threads, r_.ti, main_->Ref(), monitor, since_ns);
  }
  struct context *context_ = Here(main_);
};

TEST_F(HadMonitorTest, AThreadThatWasThereMayHaveHadIt) {
  EXPECT_TRUE(Had(0x10, 1000));
  EXPECT_TRUE(Had(0x10, 2000));
}

TEST_F(HadMonitorTest, OneThatBeganLaterHadNot) { EXPECT_FALSE(Had(0x10, 999)); }

TEST_F(HadMonitorTest, OneThatWaitedForItAndGotItLaterHadNot) {
  context_->entered = 0x10;
  context_->entered_ns = 5000;
  EXPECT_FALSE(Had(0x10, 4999));
  EXPECT_TRUE(Had(0x10, 5000));
  EXPECT_TRUE(Had(0x11, 4999));  // it was another monitor
}

TEST_F(HadMonitorTest, OneThatIsNotRecordedHadNot) {
  EXPECT_FALSE(
      context_had_monitor(r_.threads, r_.ti, r_.jvm.AddThread("unseen")->Ref(), 0x10, 2000));
  End(main_);
  EXPECT_FALSE(Had(0x10, 2000));
}

// While a virtual thread comes or goes the JVM gives its carrier in its place.
TEST_F(HadMonitorTest, ACarrierHadNot) {
  FakeThread *carrier = r_.jvm.AddThread("ForkJoinPool-1-worker-1");
  carrier->klass = r_.jvm.AddClass("Ljdk/internal/misc/CarrierThread;");
  Here(carrier)->begun_ns = 1000;
  EXPECT_FALSE(context_had_monitor(r_.threads, r_.ti, carrier->Ref(), 0x10, 2000));
}

// --- Orca's own threads ------------------------------------------------------------------

TEST_F(ContextTest, AHiddenThreadHasNoneAndIsNotRecorded) {
  FakeThread *own = r_.jvm.AddThread("Orca sampler");
  EXPECT_FALSE(threads_is_own(r_.threads, r_.jni, own->Ref()));
  EXPECT_TRUE(threads_hide(r_.threads, r_.jni, own->Ref()));
  EXPECT_TRUE(threads_is_own(r_.threads, r_.jni, own->Ref()));
  EXPECT_FALSE(threads_is_own(r_.threads, r_.jni, main_->Ref()));
  EXPECT_EQ(Here(own), nullptr);
  EXPECT_EQ(Here(own), nullptr);
  End(own);
  AnnounceAll();
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,main"});
}

TEST_F(ContextTest, OnlySoManyCanBeHidden) {
  for (int i = 0; i < MAX_OWN_THREADS; i++) {
    EXPECT_TRUE(threads_hide(r_.threads, r_.jni, r_.jvm.AddThread("own")->Ref()));
  }
  EXPECT_FALSE(threads_hide(r_.threads, r_.jni, main_->Ref()));
}

// --- announcing --------------------------------------------------------------------------

TEST_F(ContextTest, AllThatLiveAreAnnouncedOnce) {
  r_.jvm.AddThread("dead", 0xB)->alive = false;
  FakeThread *other = r_.jvm.AddThread("other", 0xC);
  Here(other);
  AnnounceAll();
  AnnounceAll();
  Here(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000C,other", "ThreadStarted,0000000A,main"}));
}

TEST_F(ContextTest, AThreadThatMakesItsFirstEventWhileItIsAnnouncedIsAnnouncedOnce) {
  const int kThreads = 6;
  std::vector<FakeThread *> threads;
  for (int i = 0; i < kThreads; i++) threads.push_back(r_.jvm.AddThread("T" + std::to_string(i)));
  AtOnce(kThreads + 2, [&](int i) {
    if (i < kThreads) {
      Here(threads[static_cast<size_t>(i)]);
    } else {
      AnnounceAll();
    }
  });
  Lines lines = r_.Records();
  EXPECT_EQ(lines.size(), kThreads + 1u);  // and main
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), lines.size());
}

TEST_F(ContextTest, AThreadThatEndsMeanwhileLeavesNothingBehind) {
  r_.jvm.During(CALL_GetThreadState, [&] { main_->state = JVMTI_THREAD_STATE_TERMINATED; });
  AnnounceAll();
  EXPECT_EQ(r_.Records(), Lines{});
}

// JDK 25 crashes when it is asked for the local storage of another thread that is just ending.
TEST_F(ContextTest, TheLocalStorageOfOtherThreadsIsLeftAlone) {
  Here(main_);
  int calls = r_.jvm.Calls(CALL_GetThreadLocalStorage) + r_.jvm.Calls(CALL_SetThreadLocalStorage);
  r_.jvm.AddThread("other", 0xB);
  AnnounceAll();
  context_had_monitor(r_.threads, r_.ti, main_->Ref(), 0x10, 2000);
  context_has_ended(r_.threads, r_.ti, main_->Ref());
  EXPECT_EQ(r_.jvm.Calls(CALL_GetThreadLocalStorage) + r_.jvm.Calls(CALL_SetThreadLocalStorage),
            calls);
}

TEST_F(ContextTest, AThreadAdoptsTheContextThatAnotherMadeForIt) {
  AnnounceAll();
  EXPECT_EQ(main_->storage, nullptr);
  struct context *made = registry_find(&r_.threads->registry, 0xA);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(Here(main_), made);
  EXPECT_EQ(main_->storage, made);
  EXPECT_EQ(Here(main_), made);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,main"});
}

TEST_F(ContextTest, AThreadWithTheHashOfAnotherGetsAContextOfItsOwn) {
  AnnounceAll();
  struct context *first = Here(main_), *second = Here(r_.jvm.AddThread("twin", 0xA));
  EXPECT_NE(first, second);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadStarted,0000000A,twin"}));
  first->begun_ns = second->begun_ns = 1000;
  EXPECT_FALSE(context_had_monitor(r_.threads, r_.ti, main_->Ref(), 0x10, 2000));
}

TEST_F(ContextTest, AThreadThatHadNoEventEndsToo) {
  AnnounceAll();
  EXPECT_FALSE(context_has_ended(r_.threads, r_.ti, main_->Ref()));
  End(main_);
  EXPECT_TRUE(context_has_ended(r_.threads, r_.ti, main_->Ref()));
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadEnded,0000000A"}));
  EXPECT_NE(r_.threads->unused, nullptr);
  AnnounceAll();  // the JVM lists it for a moment more
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(ContextTest, AThreadThatHadNoEventEndsAlsoWhileRecordingIsOff) {
  AnnounceAll();
  recorder_switch(r_.recorder, false);
  End(main_);
  EXPECT_EQ(registry_find(&r_.threads->registry, 0xA), nullptr);
  EXPECT_NE(r_.threads->unused, nullptr);
}

// --- ending ------------------------------------------------------------------------------

TEST_F(ContextTest, AnEndIsRecordedOnceAndNothingAfterIt) {
  Here(main_);
  End(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadEnded,0000000A"}));
  EXPECT_EQ(Here(main_), nullptr);
  End(main_);
  AnnounceAll();
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(ContextTest, AThreadFirstSeenAtItsEndIsAnnouncedBefore) {
  End(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadEnded,0000000A"}));
}

TEST_F(ContextTest, AnEndIsHeardAlsoWhileRecordingIsOff) {
  Here(main_);
  r_.Records();
  recorder_switch(r_.recorder, false);
  End(main_);
  EXPECT_NE(r_.threads->unused, nullptr);  // the context is free
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(Here(main_), nullptr);
  EXPECT_EQ(r_.Records(), Lines{});
}

// AddressSanitizer tells if the memory of the calls is lost.
TEST_F(ContextTest, AThreadThatEndsInCallsLeavesNoneToTheNext) {
  struct context *c = Here(main_);
  for (int i = 0; i < 10; i++) calls_push(&c->calls);
  c->missed = 3;
  End(main_);
  EXPECT_EQ(Here(r_.jvm.AddThread("next")), c);
  EXPECT_EQ(calls_top(&c->calls), nullptr);
  EXPECT_EQ(c->missed, 0u);
}

// --- the next recording --------------------------------------------------------------------

TEST_F(ContextTest, InTheNextRecordingItIsTheSameAndAnnouncedAgain) {
  struct context *c = Here(main_);
  Lines records = r_.Records(), objects = r_.Objects(), classes = r_.Classes();
  r_.Again();
  EXPECT_EQ(Here(main_), c);
  AnnounceAll();
  EXPECT_EQ(r_.Records(), records);
  EXPECT_EQ(r_.Objects(), objects);
  EXPECT_EQ(r_.Classes(), classes);
}

TEST_F(ContextTest, InTheNextRecordingAnnouncingAllMeansThoseOfTheLastToo) {
  Here(main_);
  r_.jvm.AddThread("other", 0xB);
  r_.Records();
  r_.Again();
  AnnounceAll();
  Here(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadStarted,0000000B,other"}));
}

TEST_F(ContextTest, OneThatEndsUnseenInTheNextRecordingIsAnnouncedBefore) {
  Here(main_);
  r_.Records();
  r_.Again();
  End(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadEnded,0000000A"}));
}

TEST_F(ContextTest, OrcasOwnOfTheLastRecordingMakeRoomForOthers) {
  for (int i = 0; i < MAX_OWN_THREADS; i++) {
    EXPECT_TRUE(threads_hide(r_.threads, r_.jni, r_.jvm.AddThread("own")->Ref()));
  }
  threads_unhide_all(r_.threads, r_.jni);
  EXPECT_EQ(r_.jvm.Calls(CALL_DeleteGlobalRef), MAX_OWN_THREADS);
  EXPECT_TRUE(threads_hide(r_.threads, r_.jni, main_->Ref()));
}

TEST(Context, OfAGroupThatIsNotWantedNothingIsRecorded) {
  Recording r("events=wait");
  FakeJvm::Running running(r.jvm.AddThread("main"));
  EXPECT_NE(context_here(r.threads, r.ti, r.jni), nullptr);
  context_end(r.threads, r.ti, r.jni);
  EXPECT_EQ(r.Records(), Lines{});
}

}  // namespace
