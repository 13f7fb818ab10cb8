#include "tests/tools/orca/answer/said.h"

namespace {

// A lock for which main waited twice.
struct found_lock MakeLock() {
  struct found_lock lock = {};
  lock.lock.text = "A@000000A1";
  lock.lock.objects = 1;
  lock.waiters = "main";
  lock.num_waiters = 1;
  lock.waited = 2;
  lock.blocked = 3000000000;
  lock.longest_blocked = 2000000000;
  lock.path_is_known = true;
  lock.path = 5000000000;
  lock.whole_path = 10000000000;
  return lock;
}

std::string SayLock(struct found_lock lock) { return SayRow(FINDING_lock, &lock); }

// --- the lock -----------------------------------------------------------------------------------

TEST(SayLock, BeginsWithItsTitle) {
  struct found_lock lock = MakeLock();
  EXPECT_EQ(SayLock(lock).find("Lock A@000000A1: main was blocked 2 times "), 0u);
  lock.lock.sort = LOCK_READ_SIDE;
  EXPECT_EQ(SayLock(lock).find("Read side of the lock A@000000A1: main waited 2 times "), 0u);
  lock.lock.is_described = true;
  lock.lock.text = "lock in A.b:7 (RW@000000A1)";
  EXPECT_EQ(SayLock(lock).find("Read side of the lock in A.b:7 (RW@000000A1): "), 0u);
  lock.lock.sort = LOCK_SEMAPHORE;
  lock.lock.text = "semaphore in A.b:7 (Semaphore@000000A1)";
  EXPECT_EQ(SayLock(lock).find("Semaphore in A.b:7 (Semaphore@000000A1): "), 0u);
}

TEST(SayLock, NamesTheLockOfAClass) {
  struct found_lock lock = MakeLock();
  lock.lock.text = "class com.acme.Registry";
  lock.lock.is_class = true;
  EXPECT_EQ(SayLock(lock).find("Lock on class com.acme.Registry: main was blocked 2 times "), 0u);
}

TEST(SayLock, CanBeSeveralLocks) {
  struct found_lock lock = MakeLock();
  lock.lock.text = nullptr;
  lock.lock.sort = LOCK_WRITE_SIDE;
  lock.lock.is_several = true;
  EXPECT_EQ(SayLock(lock).find("Several locks (write side), not told apart: "), 0u);
  lock.lock.is_several = false;
  lock.lock.objects = 1204;
  lock.lock.class_name = "com.acme.Entry";
  lock.place.text = "A.b (A.java:7)";
  lock.place_is_named = true;
  lock.place_blocked = lock.blocked;
  lock.holder = "main";
  lock.holders = 1;
  std::string text = SayLock(lock);
  EXPECT_EQ(text.find("1,204 locks (write side) at A.b (A.java:7), of the class com.acme.Entry: "
                      "main waited 2 times for 3.00 s in total (longest 2.00 s); they were held by "
                      "main. "),
            0u)
      << text;
}

TEST(SayLock, NamesThePlaceUnlessTheTitleDoes) {
  struct found_lock lock = MakeLock();
  lock.place.text = "A.b (A.java:7)";
  lock.place_blocked = lock.blocked;
  EXPECT_TRUE(Has(SayLock(lock), " (longest 2.00 s) at A.b (A.java:7). "));
  lock.place_is_named = true;
  EXPECT_TRUE(Has(SayLock(lock), " (longest 2.00 s). "));
  lock.place_blocked = 1500000000;
  EXPECT_TRUE(Has(SayLock(lock), " (longest 2.00 s), 50 % of it there. "));
  lock.place_is_named = false;
  EXPECT_TRUE(Has(SayLock(lock), " (longest 2.00 s), 50 % of it at A.b (A.java:7). "));
}

TEST(SayLock, NamesTheHolder) {
  struct found_lock lock = MakeLock();
  lock.holders = 1;
  lock.holder = "audit";
  lock.holder_place.text = "A.b (A.java:7)";
  lock.holder_place_is_only = true;
  EXPECT_TRUE(Has(SayLock(lock), "; it was held by audit, at A.b (A.java:7). "));
  lock.holders = 2;
  lock.holder_blocked = 1000000000;
  EXPECT_TRUE(Has(SayLock(lock),
                  "; it was held longest, as far as that is known, by audit, for 1.00 s of this "));
  lock.holder_blocked = 2000000000;
  lock.holder_place_is_only = false;
  lock.holder_place_is_last_seen = true;
  EXPECT_TRUE(Has(SayLock(lock),
                  "; it was held most by audit, for 2.00 s of this time, mostly "
                  "last seen at A.b (A.java:7). "));
  lock.holder = nullptr;
  lock.holders = 40;
  EXPECT_TRUE(Has(SayLock(lock), "; it was held by 40 threads in turn, mostly last seen at "));
}

TEST(SayLock, SaysWhatTheHolderDoesAndForWhom) {
  struct found_lock lock = MakeLock();
  lock.holders = 1;
  lock.holder = "audit";
  lock.holder_place.text = "A.pause (A.java:7)";
  lock.holder_place_is_only = true;
  lock.holder_reads = true;
  lock.holder_does = "sleeps";
  lock.caller_place.text = "A.b (A.java:3)";
  EXPECT_TRUE(Has(SayLock(lock),
                  "; it was held by audit as a reader, asleep at A.pause (A.java:7), called by A.b "
                  "(A.java:3). "));
  lock.holder_reads = false;
  lock.holder_does = "io";
  lock.holder_call = "a file sync";
  lock.caller_calls = "Files.write";
  EXPECT_TRUE(Has(SayLock(lock),
                  "; it was held by audit, in a file sync at A.pause (A.java:7), called by A.b "
                  "(A.java:3) through Files.write. "));
  lock.caller_place.text = nullptr;
  lock.holder_does = "parked";
  lock.holder_call = "CountDownLatch.await";
  EXPECT_TRUE(Has(SayLock(lock), ", waiting in CountDownLatch.await at A.pause (A.java:7). "));
  lock.holder_call = nullptr;
  EXPECT_TRUE(Has(SayLock(lock), ", parked at A.pause (A.java:7). "));
  lock.holder_does = "io";
  EXPECT_TRUE(Has(SayLock(lock), ", in I/O at A.pause (A.java:7). "));
}

TEST(SayLock, SaysTheOtherSideOfAReadWriteLock) {
  struct found_lock lock = MakeLock();
  struct found_lock_side side = {};
  lock.lock.sort = LOCK_READ_SIDE;
  lock.other_side = {&side, 1};
  side.is_write = true;
  side.waiters = "editor";
  side.num_waiters = 1;
  side.waited = 7;
  side.blocked = 6250000000;
  side.longest_blocked = 903000000;
  side.place.text = "A.edit (A.java:9)";
  side.place_waits = 5;
  EXPECT_TRUE(Has(SayLock(lock),
                  ". For its write side, editor waited 7 times for 6.25 s in total (longest 903 ms)"
                  ", mostly (5 times) at A.edit (A.java:9). "));
  side.place_is_only = true;
  side.holder = "audit";
  side.holder_place.text = "A.b (A.java:7)";
  side.is_write = false;
  EXPECT_TRUE(Has(SayLock(lock),
                  ". For its read side, editor waited 7 times for 6.25 s in total (longest 903 ms) "
                  "at A.edit (A.java:9); meanwhile it was held most by audit at A.b (A.java:7). "));
}

TEST(SayLock, SaysWhatSamplesSawHoldersDo) {
  struct found_lock lock = MakeLock();
  lock.holders = 6;
  lock.holder_place.text = "A.b (A.java:7)";
  lock.holder_samples = lock.holder_all_samples = 20;
  EXPECT_TRUE(Has(SayLock(lock),
                  "; it was held by 6 threads in turn, at A.b (A.java:7) (by 20 of 20 samples). "));
  lock.holder_call = "a socket read";
  lock.holder_all_samples = 25;
  EXPECT_TRUE(Has(SayLock(lock),
                  " in turn, mostly in a socket read at A.b (A.java:7) (by 20 of 25 samples). "));
}

TEST(SayLock, NamesTheFirstOwnerOtherwise) {
  struct found_lock lock = MakeLock();
  lock.owner_is_unknown = true;
  EXPECT_TRUE(Has(SayLock(lock), "; its owner is not known. "));
  lock.owner_known = 1;
  EXPECT_TRUE(Has(SayLock(lock), "; mostly its owner is not known. "));
  lock.owner_is_unknown = false;
  lock.first_owner = "audit";
  lock.first_owners = 2;
  lock.first_owner_waits = 1;
  EXPECT_TRUE(Has(SayLock(lock),
                  "; when threads began to wait, it was held most by audit (1 of "
                  "the 1 times that its owner is known). "));
  lock.first_owners = 1;
  lock.first_owner_waits = 2;
  EXPECT_TRUE(Has(SayLock(lock), "; when threads began to wait, it was held by audit. "));
}

TEST(SayLock, SaysHowLongThreadsHeldIt) {
  struct found_lock lock = MakeLock();
  EXPECT_FALSE(Has(SayLock(lock), "On average"));
  lock.mean_hold = 250000000;
  EXPECT_TRUE(Has(SayLock(lock), " On average a thread held it for 250 ms. "));
}

// --- the path -----------------------------------------------------------------------------------

TEST(SayLock, HasItsPartOfThePath) {
  EXPECT_TRUE(Has(SayLock(MakeLock()), ". It is 50 % of the critical path."));
}

TEST(SayLock, MayNotMatter) {
  struct found_lock lock = MakeLock();
  lock.path = 100000000;
  EXPECT_TRUE(Has(SayLock(lock),
                  ". To remove it may gain nothing: it is only 1.0 % of the "
                  "critical path."));
  lock.path = 0;
  EXPECT_TRUE(Has(SayLock(lock),
                  ". To remove it may gain nothing: it is not on the critical "
                  "path."));
}

// Such a wait is on no path.
TEST(SayLock, ThatThreadsStillWaitForHasNoSmallPart) {
  struct found_lock lock = MakeLock();
  lock.still_waiting = 1;
  lock.path = 100000000;
  std::string text = SayLock(lock);
  EXPECT_FALSE(Has(text, "path")) << text;
  EXPECT_TRUE(Has(text, " 1 thread was still blocked on it when the recording ended.")) << text;
  lock.still_waiting = 2;
  lock.lock.sort = LOCK_LOCK;
  lock.path = 5000000000;
  text = SayLock(lock);
  EXPECT_TRUE(Has(text,
                  " It is 50 % of the critical path. 2 threads were still waiting for it "
                  "when the recording ended."))
      << text;
}

TEST(SayLock, HasSharesOfTimesWithoutAPath) {
  struct found_lock lock = MakeLock();
  lock.path_is_known = false;
  EXPECT_FALSE(Has(SayLock(lock), "That is"));
  lock.lived = 30000000000;
  EXPECT_TRUE(Has(SayLock(lock), ". That is 10 % of all thread time."));
  lock.all_blocked = 6000000000;
  lock.all_blocked_may_lack = lock.blocked_is_least = true;
  EXPECT_TRUE(Has(SayLock(lock),
                  ". That is at least 50 % of all recorded time that threads waited "
                  "for locks, and 10 % of all thread time."));
}

// --- stuck threads ------------------------------------------------------------------------------

TEST(SayStuck, CountsThreadsThatAreNotNamed) {
  struct found_link link = {};
  link.thread = "main";
  link.lock.text = "A@000000A1";
  link.lock.sort = LOCK_READ_SIDE;
  link.waited = link.shortest = 2000000000;
  link.num_threads = 1;
  struct found_stuck row = {4, {}, {&link, 1}, {}, nullptr, 0};
  EXPECT_EQ(SayRow(FINDING_stuck, &row),
            "Waiting when the recording ended: main waits for the read side of A@000000A1 at an "
            "unknown place, for 2.00 s; and 3 more threads.");
  link.since_before = link.is_behind_writer = link.holder_reads = link.holder_is_first = true;
  link.holder = "b";
  EXPECT_EQ(SayRow(FINDING_stuck, &row),
            "Waiting when the recording ended: main waits for the read side of A@000000A1 at an "
            "unknown place, since before the recording, behind a writer; it is still held by b as "
            "a reader; and 3 more threads.");
}

TEST(SayStuck, TellsThreadsThatWaitAlikeTogether) {
  struct found_link link = {};
  link.thread = "main, a and 2 more";
  link.num_threads = 4;
  link.lock.text = "A@000000A1";
  link.holder = "b";
  link.waited = 2000000000;
  link.shortest = 1200000000;
  link.holder_stays = true;
  struct found_stuck row = {4, {}, {&link, 1}, {}, nullptr, 0};
  EXPECT_EQ(SayRow(FINDING_stuck, &row),
            "Stuck when the recording ended: main, a and 2 more block on A@000000A1 at an unknown "
            "place, for 1.20 s to 2.00 s; it is held by b.");
  link.waited_is_least = link.holder_time_is_least = true;
  link.holder_does = "sleeps";
  link.holder_time = 900000000;
  std::string text = SayRow(FINDING_stuck, &row);
  EXPECT_TRUE(
      Has(text, ", for at least 1.20 s; it is held by b, which has slept for at least 900 "))
      << text;
}

TEST(SayStuck, TellsOtherThreadsThatWait) {
  struct found_link links[2] = {};
  for (struct found_link &link : links) {
    link.thread = "main";
    link.num_threads = 1;
    link.lock.text = "A@000000A1";
    link.holder = "b";
    link.waited = link.shortest = 2000000000;
  }
  links[0].holder_stays = true;
  links[1].holder_got = 500000000;
  links[1].holder_does = "sleeps";
  links[1].holder_time = 20000000;
  struct found_stuck row = {2, {}, {links, 2}, {}, nullptr, 0};
  EXPECT_EQ(SayRow(FINDING_stuck, &row),
            "Stuck when the recording ended: main blocks on A@000000A1 at an unknown place, for "
            "2.00 s; it is held by b. Waiting when the recording ended: main blocks on A@000000A1 "
            "at an unknown place, for 2.00 s; it is held by b, which got it 500 ms ago and has "
            "slept for 20.0 ms at an unknown place.");
}

TEST(SayDeadlock, CanContainAJoin) {
  struct found_link links[2] = {};
  links[0].thread = "main";
  links[0].joins = "worker";
  links[0].place.text = "A.b (A.java:7)";
  links[1].thread = "worker";
  links[1].lock.text = "A@000000A1";
  links[1].holder = "main";
  links[1].acquired_at.text = "A.c (A.java:9)";
  struct found_deadlock row = {1, 2, {links, 2}, NULL, 0, NULL};
  EXPECT_EQ(SayRow(FINDING_deadlock, &row),
            "DEADLOCK: main joins worker at A.b (A.java:7); worker blocks on A@000000A1 at an "
            "unknown place, held by main, which acquired it at A.c (A.java:9).");
  links[1].acquired_in = "Vector.forEach";
  links[1].called_at.text = "A.c (A.java:9)";
  links[1].call = "Vector.add";
  links[1].place.text = "A.d (A.java:8)";
  EXPECT_EQ(
      SayRow(FINDING_deadlock, &row),
      "DEADLOCK: main joins worker at A.b (A.java:7); worker blocks on A@000000A1 in "
      "Vector.add at A.d (A.java:8), held by main, which acquired it in Vector.forEach at A.c "
      "(A.java:9).");
}

// --- risks --------------------------------------------------------------------------------------

TEST(SayLockOrder, CountsGroupsAtTheSameLines) {
  struct found_order link = {};
  link.thread = "main";
  link.asks_for.text = "A@000000A1";
  link.has.text = "B@000000B1";
  struct found_lock_order row = {1, 1, 0, {&link, 1}};
  std::string text =
      "These locks are taken in an order that can deadlock: main asks for A@000000A1 at an unknown "
      "place while it holds B@000000B1.";
  EXPECT_EQ(SayRow(FINDING_lock_order, &row), text);
  row.alike = 2;
  EXPECT_EQ(SayRow(FINDING_lock_order, &row),
            text + " The same is true of 2 other groups of locks at the same lines.");
}

// --- no lock ------------------------------------------------------------------------------------

TEST(SayNoLock, SaysWhatWasRecordedAllTheTime) {
  struct found_no_lock row = {};
  row.changed = true;
  EXPECT_EQ(SayRow(FINDING_no_lock, &row), "Monitors and locks were not recorded all the time.");
  row.has_locks = true;
  EXPECT_EQ(SayRow(FINDING_no_lock, &row),
            "No thread waited for a lock; monitors were not recorded all the time.");
  row.has_monitors = row.has_signals = true;
  EXPECT_EQ(SayRow(FINDING_no_lock, &row),
            "No thread waited for a lock, only for signals by Semaphore.release (see orca "
            "locks).");
}

}  // namespace
