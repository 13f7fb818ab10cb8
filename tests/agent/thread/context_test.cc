#include "agent/thread/context.h"

#include <algorithm>
#include <set>

#include "agent/record/stack.h"
#include "gtest/gtest.h"
#include "tests/support/at_once.h"
#include "tests/support/recording.h"

namespace {

class ContextTest : public testing::Test {
 protected:
  struct context *GetContext(FakeThread *thread) {
    FakeJvm::Running running(thread);
    return context_here(r_.threads, r_.ti, r_.jni);
  }
  void EndThread(FakeThread *thread) {
    FakeJvm::Running running(thread);
    context_end(r_.threads, r_.ti, r_.jni);
  }
  void AnnounceAll() { context_announce_all(r_.threads, r_.ti, r_.jni); }

  Recording r_;
  FakeThread *main_ = r_.jvm.AddThread("main", 0xA);
};

TEST_F(ContextTest, MakesAContextOnceAndAnnouncesTheThread) {
  struct context *c = GetContext(main_);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(c->thread, 0xAu);
  EXPECT_EQ(GetContext(main_), c);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,main"});
  EXPECT_EQ(r_.Objects(), Lines{"0000000A,00001000"});  // java.lang.Thread
  EXPECT_EQ(r_.Classes(), Lines{"00001000,Ljava/lang/Thread;,Thread.java"});
}

TEST_F(ContextTest, MakesAContextForEachThread) {
  FakeThread *other = r_.jvm.AddThread("other", 0xB);
  struct context *first = GetContext(main_), *second = GetContext(other);
  EXPECT_NE(first, second);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadStarted,0000000B,other"}));
}

TEST_F(ContextTest, SpreadsThreadsOverTheLanes) {
  std::set<unsigned> lanes;
  for (unsigned i = 0; i < queue_num_lanes(r_.recorder->queue); i++) {
    lanes.insert(GetContext(r_.jvm.AddThread("T"))->lane);
  }
  EXPECT_EQ(lanes.size(), queue_num_lanes(r_.recorder->queue));
}

TEST_F(ContextTest, EscapesTheName) {
  main_->name = "pool-1,\nworker";
  GetContext(main_);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,pool-1\\u002C\\u000Aworker"});
}

TEST_F(ContextTest, AnnouncesAThreadWithoutAName) {
  r_.jvm.Fail(CALL_GetThreadInfo);
  EXPECT_NE(GetContext(main_), nullptr);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,"});
}

TEST_F(ContextTest, MakesNoContextWhileRecordingIsOff) {
  recorder_switch(r_.recorder, false);
  EXPECT_EQ(GetContext(main_), nullptr);
  recorder_switch(r_.recorder, true);
  EXPECT_NE(GetContext(main_), nullptr);
}

TEST_F(ContextTest, KnownReturnsAContextWhileRecordingIsOff) {
  FakeJvm::Running running(main_);
  EXPECT_EQ(context_known(r_.threads, r_.ti, r_.jni), nullptr);
  struct context *c = GetContext(main_);
  recorder_switch(r_.recorder, false);
  EXPECT_EQ(context_known(r_.threads, r_.ti, r_.jni), c);
  recorder_switch(r_.recorder, true);
  EndThread(main_);
  EXPECT_EQ(context_known(r_.threads, r_.ti, r_.jni), nullptr);
}

TEST_F(ContextTest, MakesNoContextIfTheJvmRefusesAndTriesAgain) {
  r_.jvm.Fail(CALL_GetCurrentThread, 1, JVMTI_ERROR_WRONG_PHASE);
  EXPECT_EQ(GetContext(main_), nullptr);
  r_.jvm.Fail(CALL_SetThreadLocalStorage, 1, JVMTI_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(GetContext(main_), nullptr);
  EXPECT_EQ(r_.Records(), Lines{});
  EXPECT_NE(GetContext(main_), nullptr);
}

// --- context_check_owner -------------------------------------------------------------------

class CheckOwnerTest : public ContextTest {
 protected:
  CheckOwnerTest() { context_->begun_ns = 1000; }
  enum ownership Check(FakeThread *thread, uint32_t monitor, uint64_t since_ns) {
    return context_check_owner(r_.threads, r_.ti, r_.jni, thread->Ref(), monitor, since_ns);
  }
  FakeThread *AddVirtual(jint hash) {
    r_.jvm.HaveVirtualThreads();
    FakeThread *thread = r_.jvm.AddThread("virtual", hash);
    thread->is_virtual = true;
    return thread;
  }
  struct context *context_ = GetContext(main_);
};

TEST_F(CheckOwnerTest, AThreadThatExistedMayOwnItSinceThen) {
  EXPECT_EQ(Check(main_, 0x10, 1000), OWNERSHIP_SINCE);
  EXPECT_EQ(Check(main_, 0x10, 2000), OWNERSHIP_SINCE);
}

TEST_F(CheckOwnerTest, AThreadThatBeganLaterOwnsItNow) {
  EXPECT_EQ(Check(main_, 0x10, 999), OWNERSHIP_NOW);
}

TEST_F(CheckOwnerTest, AThreadThatGotTheMonitorLaterOwnsItNow) {
  context_->entered = 0x10;
  context_->entered_ns = 5000;
  EXPECT_EQ(Check(main_, 0x10, 4999), OWNERSHIP_NOW);
  EXPECT_EQ(Check(main_, 0x10, 5000), OWNERSHIP_SINCE);
  EXPECT_EQ(Check(main_, 0x11, 4999), OWNERSHIP_SINCE);  // another monitor
}

TEST_F(CheckOwnerTest, AThreadThatIsStillMarkedAsBlockingIsNotCertain) {
  context_->blocking = true;
  context_->monitor = 0x10;
  EXPECT_EQ(Check(main_, 0x10, 2000), OWNERSHIP_NONE);
  EXPECT_EQ(Check(main_, 0x11, 2000), OWNERSHIP_SINCE);
}

TEST_F(CheckOwnerTest, APlatformThreadThatIsNotRecordedIsNone) {
  EXPECT_EQ(Check(r_.jvm.AddThread("unseen"), 0x10, 2000), OWNERSHIP_NONE);
  EndThread(main_);
  EXPECT_EQ(Check(main_, 0x10, 2000), OWNERSHIP_NONE);
}

// While a virtual thread is being mounted or unmounted, the JVM returns its carrier as the owner.
TEST_F(CheckOwnerTest, ACarrierIsNone) {
  FakeThread *carrier = r_.jvm.AddThread("ForkJoinPool-1-worker-1");
  carrier->klass = r_.jvm.AddClass("Ljdk/internal/misc/CarrierThread;");
  GetContext(carrier)->begun_ns = 1000;
  EXPECT_EQ(Check(carrier, 0x10, 2000), OWNERSHIP_NONE);
}

TEST_F(CheckOwnerTest, AVirtualThreadIsLikeAnyOther) {
  FakeThread *thread = AddVirtual(0xB);
  struct context *c = GetContext(thread);
  c->begun_ns = 1000;
  EXPECT_TRUE(threads_has_virtual(r_.threads));
  EXPECT_EQ(Check(thread, 0x10, 1000), OWNERSHIP_SINCE);
  EXPECT_EQ(Check(thread, 0x10, 999), OWNERSHIP_NOW);
  c->entered = 0x10;
  c->entered_ns = 5000;
  EXPECT_EQ(Check(thread, 0x10, 4999), OWNERSHIP_NOW);
}

TEST_F(CheckOwnerTest, AVirtualThreadFromBeforeTheRecordingIsAnnounced) {
  FakeThread *thread = AddVirtual(0xB);
  r_.Records();
  EXPECT_EQ(Check(thread, 0x10, 1000), OWNERSHIP_SINCE);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000B,virtual"});
}

// The context of another thread may have taken its place.
TEST_F(CheckOwnerTest, AVirtualThreadWhoseContextIsLostOwnsItNow) {
  FakeThread *thread = AddVirtual(0xB), *other = AddVirtual(0xB + VIRTUAL_PLACES);
  GetContext(thread)->begun_ns = 1000;
  GetContext(other);
  r_.Records();
  EXPECT_EQ(Check(thread, 0x10, 2000), OWNERSHIP_NOW);
  EndThread(other);
  EXPECT_EQ(Check(thread, 0x10, 2000), OWNERSHIP_NOW);
}

// --- Orca's own threads ------------------------------------------------------------------

TEST_F(ContextTest, IgnoresAHiddenThread) {
  FakeThread *own = r_.jvm.AddThread("Orca sampler");
  EXPECT_FALSE(threads_is_own(r_.threads, r_.jni, own->Ref()));
  EXPECT_TRUE(threads_hide(r_.threads, r_.jni, own->Ref()));
  EXPECT_TRUE(threads_is_own(r_.threads, r_.jni, own->Ref()));
  EXPECT_FALSE(threads_is_own(r_.threads, r_.jni, main_->Ref()));
  EXPECT_EQ(GetContext(own), nullptr);
  EXPECT_EQ(GetContext(own), nullptr);
  EndThread(own);
  AnnounceAll();
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,main"});
}

TEST_F(ContextTest, HidesOnlyALimitedNumberOfThreads) {
  for (int i = 0; i < MAX_OWN_THREADS; i++) {
    EXPECT_TRUE(threads_hide(r_.threads, r_.jni, r_.jvm.AddThread("own")->Ref()));
  }
  EXPECT_FALSE(threads_hide(r_.threads, r_.jni, main_->Ref()));
}

// --- announcing --------------------------------------------------------------------------

TEST_F(ContextTest, AnnouncesEachLivingThreadOnce) {
  r_.jvm.AddThread("dead", 0xB)->alive = false;
  FakeThread *other = r_.jvm.AddThread("other", 0xC);
  GetContext(other);
  AnnounceAll();
  AnnounceAll();
  GetContext(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000C,other", "ThreadStarted,0000000A,main"}));
}

TEST_F(ContextTest, AnnouncesAThreadOnceDuringItsFirstEvent) {
  const int kThreads = 6;
  std::vector<FakeThread *> threads;
  for (int i = 0; i < kThreads; i++) threads.push_back(r_.jvm.AddThread("T" + std::to_string(i)));
  RunConcurrently(kThreads + 2, [&](int i) {
    if (i < kThreads) {
      GetContext(threads[static_cast<size_t>(i)]);
    } else {
      AnnounceAll();
    }
  });
  Lines lines = r_.Records();
  EXPECT_EQ(lines.size(), kThreads + 1u);  // and main
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), lines.size());
}

TEST_F(ContextTest, AnnouncesNoThreadThatEndsMeanwhile) {
  r_.jvm.During(CALL_GetThreadState, [&] { main_->state = JVMTI_THREAD_STATE_TERMINATED; });
  AnnounceAll();
  EXPECT_EQ(r_.Records(), Lines{});
}

// JDK 25 crashes when it reads the local storage of another thread that is just ending.
TEST_F(ContextTest, DoesNotUseTheLocalStorageOfOtherThreads) {
  GetContext(main_);
  int calls = r_.jvm.Calls(CALL_GetThreadLocalStorage) + r_.jvm.Calls(CALL_SetThreadLocalStorage);
  r_.jvm.AddThread("other", 0xB);
  AnnounceAll();
  context_check_owner(r_.threads, r_.ti, r_.jni, main_->Ref(), 0x10, 2000);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetThreadLocalStorage) + r_.jvm.Calls(CALL_SetThreadLocalStorage),
            calls);
}

TEST_F(ContextTest, AdoptsTheContextThatAnotherThreadMade) {
  AnnounceAll();
  EXPECT_EQ(main_->storage, nullptr);
  struct context *made = registry_find(&r_.threads->registry, 0xA);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(GetContext(main_), made);
  EXPECT_EQ(main_->storage, made);
  EXPECT_EQ(GetContext(main_), made);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,main"});
}

TEST_F(ContextTest, MakesTwoContextsForThreadsWithOneHash) {
  AnnounceAll();
  struct context *first = GetContext(main_), *second = GetContext(r_.jvm.AddThread("twin", 0xA));
  EXPECT_NE(first, second);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadStarted,0000000A,twin"}));
  first->begun_ns = second->begun_ns = 1000;
  EXPECT_EQ(context_check_owner(r_.threads, r_.ti, r_.jni, main_->Ref(), 0x10, 2000),
            OWNERSHIP_NONE);
}

// --- open calls --------------------------------------------------------------------------

class OpenCallsTest : public ContextTest {
 protected:
  OpenCallsTest() {
    frames_ = {{r_.jvm.AddMethod(r_.jvm.AddClass("LA;", 0xC1), "f", "()V")->Id(), 5}};
  }

  bool Announce(FakeThread *thread) {
    struct context_place place;
    bool good = context_announce(r_.threads, r_.ti, r_.jni, thread->Ref(), &place);
    EXPECT_TRUE(!good || place.thread == static_cast<uint32_t>(thread->hash));
    return good;
  }
  // Returns false, and releases the stack, if the context does not take it.
  bool BeginBlocking(uint32_t thread, uint32_t monitor) {
    struct stack *stack = stack_of(r_.meta, r_.ti, r_.jni, frames_.data(), 1, 1);
    bool good = context_begin_blocking(r_.threads, thread, monitor, stack);
    if (!good) stack_release(stack);
    return good;
  }
  void ReleaseBlocked(struct context *c) {
    c->blocking = false;
    stack_release(c->blocked_stack);
  }
  FakeThread *AddVirtual(uint32_t hash) {
    r_.jvm.HaveVirtualThreads();
    FakeThread *thread = r_.jvm.AddThread("virtual", static_cast<jint>(hash));
    thread->is_virtual = true;
    return thread;
  }

  std::vector<jvmtiFrameInfo> frames_;
};

TEST_F(OpenCallsTest, AnnouncesAThreadOnce) {
  EXPECT_TRUE(Announce(main_));
  EXPECT_TRUE(Announce(main_));
  GetContext(main_);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000A,main"});
}

TEST_F(OpenCallsTest, AnnouncesNoThreadThatHasEnded) {
  AnnounceAll();
  EndThread(main_);
  EXPECT_FALSE(Announce(main_));
}

TEST_F(OpenCallsTest, BeginsToBlockOnce) {
  EXPECT_FALSE(BeginBlocking(0xA, 0x10));  // no context
  Announce(main_);
  EXPECT_TRUE(BeginBlocking(0xA, 0x10));
  EXPECT_FALSE(BeginBlocking(0xA, 0x11));
  struct context *c = GetContext(main_);
  EXPECT_TRUE(c->blocking);
  EXPECT_EQ(c->monitor, 0x10u);
  EXPECT_EQ(c->blocked_in, c->recording);
  ReleaseBlocked(c);
}

// The thread is blocked since the first recording; the end belongs to the second one.
TEST_F(OpenCallsTest, BeginsToBlockInTheNextRecording) {
  Announce(main_);
  EXPECT_TRUE(BeginBlocking(0xA, 0x10));
  r_.Again();
  Announce(main_);
  EXPECT_TRUE(BeginBlocking(0xA, 0x10));
  struct context *c = GetContext(main_);
  EXPECT_EQ(c->blocked_in, c->recording);
  ReleaseBlocked(c);
}

TEST_F(OpenCallsTest, AVirtualThreadAdoptsItsContext) {
  FakeThread *thread = AddVirtual(0xB);
  EXPECT_TRUE(Announce(thread));
  struct context *made = registry_find(&r_.threads->registry, 0xB);
  EXPECT_EQ(GetContext(thread), made);
  EXPECT_TRUE(made->is_virtual);
  EndThread(thread);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000B,virtual", "ThreadEnded,0000000B"}));
  EXPECT_EQ(registry_find(&r_.threads->registry, 0xB), nullptr);
}

TEST_F(OpenCallsTest, AVirtualThreadThatStartsHasAContext) {
  FakeThread *thread = AddVirtual(0xB);
  FakeJvm::Running running(thread);
  struct context *c = context_begin_virtual(r_.threads, r_.ti, r_.jni, thread->Ref());
  ASSERT_NE(c, nullptr);
  EXPECT_TRUE(c->is_virtual);
  EXPECT_EQ(context_here(r_.threads, r_.ti, r_.jni), c);
  EXPECT_EQ(context_begin_virtual(r_.threads, r_.ti, r_.jni, thread->Ref()), c);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000B,virtual"});
  EndThread(thread);
  recorder_switch(r_.recorder, false);
  FakeThread *late = AddVirtual(0xC);
  FakeJvm::Running running_late(late);
  EXPECT_EQ(context_begin_virtual(r_.threads, r_.ti, r_.jni, late->Ref()), nullptr);
  recorder_switch(r_.recorder, true);
  r_.jvm.Fail(CALL_SetThreadLocalStorage);
  EXPECT_EQ(context_begin_virtual(r_.threads, r_.ti, r_.jni, late->Ref()), nullptr);
}

TEST_F(OpenCallsTest, AVirtualThreadWithoutEventsEnds) {
  FakeThread *thread = AddVirtual(0xB);
  EXPECT_TRUE(Announce(thread));
  recorder_switch(r_.recorder, false);
  EndThread(thread);
  EXPECT_EQ(registry_find(&r_.threads->registry, 0xB), nullptr);
}

// Its own context is of the first recording; the second one makes a twin for it.
TEST_F(OpenCallsTest, AVirtualThreadTakesOverItsTwin) {
  FakeThread *thread = AddVirtual(0xB);
  struct context *own = GetContext(thread);
  r_.Records();
  r_.Again();
  EXPECT_TRUE(Announce(thread));
  EXPECT_TRUE(BeginBlocking(0xB, 0x10));
  EXPECT_NE(registry_find(&r_.threads->registry, 0xB), own);
  EXPECT_EQ(GetContext(thread), own);
  EXPECT_EQ(r_.Records(), Lines{"ThreadStarted,0000000B,virtual"});
  EXPECT_TRUE(own->blocking);
  EXPECT_EQ(own->monitor, 0x10u);
  EXPECT_EQ(registry_find(&r_.threads->registry, 0xB), nullptr);
  ReleaseBlocked(own);
}

TEST_F(OpenCallsTest, ATwinReplacesWhatTheThreadBlockedOn) {
  FakeThread *thread = AddVirtual(0xB);
  EXPECT_TRUE(Announce(thread));
  struct context *first = GetContext(thread);
  EXPECT_TRUE(BeginBlocking(0xB, 0x10));
  registry_remove(&r_.threads->registry, first);
  first->is_registered = false;
  r_.Again();
  EXPECT_TRUE(Announce(thread));
  EXPECT_TRUE(BeginBlocking(0xB, 0x11));
  EXPECT_EQ(GetContext(thread), first);
  EXPECT_EQ(first->monitor, 0x11u);
  EXPECT_EQ(first->blocked_in, first->recording);
  ReleaseBlocked(first);
}

TEST_F(ContextTest, EndsAThreadWithoutEvents) {
  AnnounceAll();
  EXPECT_FALSE(registry_has_ended(&r_.threads->registry, 0xA));
  EndThread(main_);
  EXPECT_TRUE(registry_has_ended(&r_.threads->registry, 0xA));
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadEnded,0000000A"}));
  EXPECT_NE(r_.threads->unused, nullptr);
  AnnounceAll();  // the JVM lists the thread a moment longer
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(ContextTest, EndsAThreadWithoutEventsWhileRecordingIsOff) {
  AnnounceAll();
  recorder_switch(r_.recorder, false);
  EndThread(main_);
  EXPECT_EQ(registry_find(&r_.threads->registry, 0xA), nullptr);
  EXPECT_NE(r_.threads->unused, nullptr);
}

// --- ending ------------------------------------------------------------------------------

TEST_F(ContextTest, RecordsAnEndOnceAndNothingAfterIt) {
  GetContext(main_);
  EndThread(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadEnded,0000000A"}));
  EXPECT_EQ(GetContext(main_), nullptr);
  EndThread(main_);
  AnnounceAll();
  EXPECT_EQ(r_.Records(), Lines{});
}

TEST_F(ContextTest, AnnouncesAThreadAtItsEnd) {
  EndThread(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadEnded,0000000A"}));
}

TEST_F(ContextTest, FreesTheContextAtAnEndWhileRecordingIsOff) {
  GetContext(main_);
  r_.Records();
  recorder_switch(r_.recorder, false);
  EndThread(main_);
  EXPECT_NE(r_.threads->unused, nullptr);  // the context is in the pool
  recorder_switch(r_.recorder, true);
  EXPECT_EQ(GetContext(main_), nullptr);
  EXPECT_EQ(r_.Records(), Lines{});
}

// AddressSanitizer reports a leak of the calls.
TEST_F(ContextTest, FreesTheCallsOfAThreadThatEndsInCalls) {
  struct context *c = GetContext(main_);
  for (int i = 0; i < 10; i++) calls_push(&c->calls);
  c->missed = 3;
  EndThread(main_);
  EXPECT_EQ(GetContext(r_.jvm.AddThread("next")), c);
  EXPECT_EQ(calls_top(&c->calls), nullptr);
  EXPECT_EQ(c->missed, 0u);
}

// --- the next recording --------------------------------------------------------------------

TEST_F(ContextTest, AnnouncesAThreadAgainInTheNextRecording) {
  struct context *c = GetContext(main_);
  Lines records = r_.Records(), objects = r_.Objects(), classes = r_.Classes();
  r_.Again();
  EXPECT_EQ(GetContext(main_), c);
  AnnounceAll();
  EXPECT_EQ(r_.Records(), records);
  EXPECT_EQ(r_.Objects(), objects);
  EXPECT_EQ(r_.Classes(), classes);
}

TEST_F(ContextTest, AnnouncesAllThreadsOfTheLastRecordingAgain) {
  GetContext(main_);
  r_.jvm.AddThread("other", 0xB);
  r_.Records();
  r_.Again();
  AnnounceAll();
  GetContext(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadStarted,0000000B,other"}));
}

TEST_F(ContextTest, AnnouncesAThreadOfTheLastRecordingAtItsEnd) {
  GetContext(main_);
  r_.Records();
  r_.Again();
  EndThread(main_);
  EXPECT_EQ(r_.Records(), (Lines{"ThreadStarted,0000000A,main", "ThreadEnded,0000000A"}));
}

TEST_F(ContextTest, ForgetsOnlyOwnThreadsThatHaveEnded) {
  std::vector<FakeThread *> own;
  for (int i = 0; i < MAX_OWN_THREADS; i++) {
    own.push_back(r_.jvm.AddThread("own"));
    EXPECT_TRUE(threads_hide(r_.threads, r_.jni, own.back()->Ref()));
  }
  threads_forget_ended(r_.threads, r_.jni);
  EXPECT_EQ(r_.jvm.NumGlobalRefs(), MAX_OWN_THREADS);
  for (int i = 0; i < MAX_OWN_THREADS; i++) own[static_cast<size_t>(i)]->alive = i % 2 == 0;
  threads_forget_ended(r_.threads, r_.jni);
  EXPECT_EQ(r_.jvm.NumGlobalRefs(), MAX_OWN_THREADS / 2);
  for (FakeThread *thread : own) {
    EXPECT_EQ(threads_is_own(r_.threads, r_.jni, thread->Ref()), thread->alive);
  }
}

TEST_F(ContextTest, HidesAThreadInThePlaceOfOneThatHasEnded) {
  FakeThread *own = nullptr;
  for (int i = 0; i < MAX_OWN_THREADS; i++) {
    own = r_.jvm.AddThread("own");
    EXPECT_TRUE(threads_hide(r_.threads, r_.jni, own->Ref()));
  }
  own->alive = false;
  EXPECT_TRUE(threads_hide(r_.threads, r_.jni, r_.jvm.AddThread("own")->Ref()));
  EXPECT_EQ(r_.jvm.NumGlobalRefs(), MAX_OWN_THREADS);
}

// Without the answer of the JVM the thread may still be listed.
TEST_F(ContextTest, KeepsAnOwnThreadIfTheJvmRefusesToTellWhetherItEnded) {
  FakeThread *own = r_.jvm.AddThread("own");
  EXPECT_TRUE(threads_hide(r_.threads, r_.jni, own->Ref()));
  own->alive = false;
  r_.jvm.Fail(CALL_CallBooleanMethod);
  threads_forget_ended(r_.threads, r_.jni);
  EXPECT_TRUE(threads_is_own(r_.threads, r_.jni, own->Ref()));
  threads_forget_ended(r_.threads, r_.jni);
  EXPECT_EQ(r_.jvm.NumGlobalRefs(), 0);
}

TEST(ContextOptionsTest, RecordsNothingIfTheGroupIsNotSelected) {
  Recording r("events=wait");
  FakeJvm::Running running(r.jvm.AddThread("main"));
  EXPECT_NE(context_here(r.threads, r.ti, r.jni), nullptr);
  context_end(r.threads, r.ti, r.jni);
  EXPECT_EQ(r.Records(), Lines{});
}

TEST_F(ContextTest, KeepsAReferenceToItsThreadUntilThatEnds) {
  struct context *c = GetContext(main_);
  ASSERT_NE(c, nullptr);
  FakeJvm::Running running(main_);
  EXPECT_TRUE(context_keep_self(r_.threads, r_.ti, r_.jni, c));
  EXPECT_TRUE(context_keep_self(r_.threads, r_.ti, r_.jni, c));
  EXPECT_EQ(r_.jvm.Calls(CALL_NewWeakGlobalRef), 1);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 1);
  context_end(r_.threads, r_.ti, r_.jni);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 0);
}

TEST_F(ContextTest, KeepsNoReferenceWithoutMemory) {
  struct context *c = GetContext(main_);
  ASSERT_NE(c, nullptr);
  FakeJvm::Running running(main_);
  r_.jvm.Fail(CALL_NewWeakGlobalRef);
  EXPECT_FALSE(context_keep_self(r_.threads, r_.ti, r_.jni, c));
  EXPECT_TRUE(context_keep_self(r_.threads, r_.ti, r_.jni, c));
}

// Other threads find a virtual thread only from then on.
TEST_F(ContextTest, KeepsAReferenceToAVirtualThreadThatIsRegisteredThen) {
  r_.jvm.HaveVirtualThreads();
  main_->is_virtual = true;
  struct context *c = GetContext(main_);
  ASSERT_NE(c, nullptr);
  FakeJvm::Running running(main_);
  EXPECT_EQ(registry_find(&r_.threads->registry, 0xA), nullptr);
  EXPECT_TRUE(context_keep_self(r_.threads, r_.ti, r_.jni, c));
  EXPECT_EQ(registry_find(&r_.threads->registry, 0xA), c);
  EXPECT_FALSE(r_.threads->has_virtual_contexts) << "no other thread has made a context for it";
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 1);
  context_end(r_.threads, r_.ti, r_.jni);
  EXPECT_EQ(registry_find(&r_.threads->registry, 0xA), nullptr);
  EXPECT_EQ(r_.jvm.NumWeakRefs(), 0);
}

// The walker tells which thread runs, so that the JVM need not be asked.
TEST_F(ContextTest, IsFoundWithoutTheJvmInAPlatformThread) {
  static bool is_platform;
  struct walker *walker = &r_.meta->walker;
  walker->is_platform = [](const struct hotspot *, uintptr_t) { return is_platform; };
  walker->is_on = true;
  is_platform = true;
  struct context *c = GetContext(main_);
  FakeJvm::Running running(main_);
  int asked = r_.jvm.Calls(CALL_GetThreadLocalStorage);
  EXPECT_EQ(context_here(r_.threads, r_.ti, r_.jni), c);
  EXPECT_EQ(context_known(r_.threads, r_.ti, r_.jni), c);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetThreadLocalStorage), asked);
  is_platform = false;
  EXPECT_EQ(context_known(r_.threads, r_.ti, r_.jni), c);
  EXPECT_EQ(r_.jvm.Calls(CALL_GetThreadLocalStorage), asked + 1);
  is_platform = true;
  context_end(r_.threads, r_.ti, r_.jni);
  EXPECT_EQ(context_known(r_.threads, r_.ti, r_.jni), nullptr);
  EXPECT_GT(r_.jvm.Calls(CALL_GetThreadLocalStorage), asked + 1);
  walker->is_on = false;
}

// They run on one thread of the operating system.
TEST_F(ContextTest, OfACarrierIsNotThatOfItsVirtualThread) {
  r_.jvm.HaveVirtualThreads();
  struct walker *walker = &r_.meta->walker;
  walker->is_platform = [](const struct hotspot *, uintptr_t) { return true; };
  walker->is_on = true;
  FakeThread *carrier = r_.jvm.AddThread("carrier", 0xC);
  carrier->klass = r_.jvm.AddClass("Ljdk/internal/misc/CarrierThread;");
  struct context *c = GetContext(carrier);
  ASSERT_TRUE(c->is_carrier);
  main_->is_virtual = true;
  EXPECT_NE(GetContext(main_), c);
  EXPECT_EQ(GetContext(carrier), c);
  walker->is_on = false;
}

// A thread of the program runs the virtual one.
TEST_F(ContextTest, OfASchedulerIsNotThatOfItsVirtualThread) {
  r_.jvm.HaveVirtualThreads();
  static bool is_platform;
  struct walker *walker = &r_.meta->walker;
  walker->is_platform = [](const struct hotspot *, uintptr_t) { return is_platform; };
  walker->is_on = true;
  is_platform = true;
  FakeThread *scheduler = r_.jvm.AddThread("scheduler", 0xC);
  struct context *c = GetContext(scheduler);
  ASSERT_FALSE(c->is_carrier);
  is_platform = false;
  main_->is_virtual = true;
  struct context *of_virtual = GetContext(main_);
  EXPECT_NE(of_virtual, c);
  is_platform = true;
  EXPECT_EQ(GetContext(scheduler), c);
  is_platform = false;
  EXPECT_EQ(GetContext(main_), of_virtual);
  walker->is_on = false;
}

/* With a threshold, the writer may leave out the thread. Then nothing needs its object. */
TEST(ContextOptionsTest, LeavesItToTheWriterToDefineAVirtualThread) {
  Recording r("threshold=10ms");
  r.jvm.HaveVirtualThreads();
  auto *main = r.jvm.AddThread("main");
  main->is_virtual = true;
  FakeJvm::Running running(main);
  const struct context *c = context_here(r.threads, r.ti, r.jni);
  ASSERT_NE(c, nullptr);
  EXPECT_EQ(object_set_size(r.meta->objects).entries, 0u);
  context_end(r.threads, r.ti, r.jni);
  r.Records();
}

}  // namespace
