#include "tests/tools/orca/render/view/shown.h"
#include "tools/orca/causal/whatif/limit.h"

namespace {

class ViewBounds : public testing::Test {
 protected:
  ViewBounds() {
    m_ = small_.Read();
    m_->bounds.known = m_->bounds.of_run = true;
    m_->bounds.work = 10 * TICKS_PER_S;
    m_->bounds.cpu_part = 0.3;
    for (uint32_t i = 0; i < 8; i++) ids_[i] = i;
  }
  void AddPart(const char *words, bool runs, uint32_t lock, place_t place, double seconds) {
    struct bounds_part part = {
        words, runs, false, !runs, lock, place, ticks_t(seconds * TICKS_PER_S)};
    m_->bounds.parts[m_->bounds.num_parts++] = part;
  }
  std::string PutBound(double saved) {
    struct builder b = {};
    view_put_bound(&b, m_, ticks_t(saved * TICKS_PER_S), ids_, m_->locks.rows[0].id);
    return TakeText(&b);
  }

  SmallModel small_;
  struct model *m_ = nullptr;
  uint32_t ids_[8];
};

TEST_F(ViewBounds, SayTheLeastTimeAndTheNextLimit) {
  AddPart("sleeps", false, m_->locks.rows[0].id, place(0x10, 90), 5);
  AddPart("runs", true, BOUNDS_NO_LOCK, place(0x10, 88), 3);
  EXPECT_EQ(PutBound(5),
            " It is 50 % of the critical path: without it the run would at best take about 5.00 s "
            "instead of 10.0 s (2.0 times as fast); then the longest part of the path is that a "
            "thread runs at OrderService.price (OrderService.java:88).");
}

TEST_F(ViewBounds, NameAnotherLock) {
  AddPart("sleeps", false, m_->locks.rows[1].id, place(0x10, 90), 3);
  EXPECT_TRUE(
      Has(PutBound(5), ": while threads wait for it, a thread sleeps at OrderService.price"))
      << PutBound(5);
}

TEST_F(ViewBounds, SayThatTheCpusAreFull) {
  m_->bounds.cpu_part = 0.8;
  EXPECT_TRUE(Has(PutBound(5),
                  "about 8.00 s instead of 10.0 s (1.2 times as fast); then its CPUs "
                  "are full"))
      << PutBound(5);
}

TEST_F(ViewBounds, SayThatALockDoesNotMatter) {
  EXPECT_EQ(PutBound(0.1),
            " To remove it may gain nothing: it is only 1.0 % of the critical path.");
  EXPECT_EQ(PutBound(0), " To remove it may gain nothing: it is not on the critical path.");
  m_->bounds.cpu_part = 0.99;
  EXPECT_EQ(PutBound(5), " To remove it may gain nothing: its CPUs are full.");
}

TEST_F(ViewBounds, OfAServiceAreShares) {
  m_->bounds.of_run = false;
  EXPECT_TRUE(Has(PutBound(2.5),
                  "without it the same work would at best take its threads about 75 % of "
                  "the time (1.3 times as fast)"))
      << PutBound(2.5);
}

TEST_F(ViewBounds, SayNothingIfTheyAreNotKnown) {
  m_->bounds.known = false;
  EXPECT_EQ(PutBound(5), "");
}

// A method that is not on the critical path may use all CPU time.
TEST_F(ViewBounds, SayWhatAFasterMethodWouldBring) {
  AddPart("sleeps", false, BOUNDS_NO_LOCK, place(0x12, 42), 8);
  AddPart("runs", true, BOUNDS_NO_LOCK, place(0x10, 88), 2);
  struct builder b = {};
  view_put_method_bound(&b, m_, 0x10);
  EXPECT_EQ(TakeText(&b),
            " It is 20 % of the critical path: if it were twice as fast, the run would at best "
            "take about "
            "9.00 s instead of 10.0 s.");
  b = {};
  view_put_method_bound(&b, m_, 0x12);
  EXPECT_EQ(TakeText(&b), "");
}

TEST_F(ViewBounds, SayWhatASimulationPredicts) {
  m_->bounds.gain = {true,
                     m_->locks.rows[0].id,
                     1.85,
                     2.05,
                     10 * TICKS_PER_S,
                     ticks_t(5.1 * TICKS_PER_S),
                     LIMIT_METHOD,
                     0,
                     place(0x10, 88),
                     false};
  EXPECT_EQ(PutBound(5),
            " It is 50 % of the critical path: by simulation the run would be 1.9 to 2.0 times as "
            "fast without it (10.0 s to 5.10 s); then the limit is what threads compute at "
            "OrderService.price (OrderService.java:88).");
  m_->bounds.gain.limit = LIMIT_LOCK;
  m_->bounds.gain.next_lock = 0xA3;
  EXPECT_TRUE(Has(PutBound(5), "; then the limit is the semaphore in ")) << PutBound(5);
  m_->bounds.gain.limit = LIMIT_CPU;
  EXPECT_TRUE(Has(PutBound(5), "; then its CPUs are full")) << PutBound(5);
  m_->bounds.gain.shares_cpus = true;
  EXPECT_TRUE(Has(PutBound(5), "; then the limit is the CPUs, which others use too."))
      << PutBound(5);
  m_->bounds.gain.least = 0.98;
  m_->bounds.gain.most = 1.02;
  EXPECT_TRUE(Has(PutBound(5), ": by simulation it gains nothing to remove it.")) << PutBound(5);
}

// A sleep that holds up the run, and is in no lock.
TEST_F(ViewBounds, TellALongPartOfThePath) {
  AddPart("sleeps", false, BOUNDS_NO_LOCK, place(0x10, 90), 6);
  EXPECT_EQ(ShowView(m_, view_path_verdict),
            "* By the critical path, the run took 60 % of its time because a thread sleeps at "
            "OrderService.price\n"
            "  (OrderService.java:90).\n");
  m_->bounds.parts[0].sleeps = false;
  EXPECT_EQ(ShowView(m_, view_path_verdict), "");
  m_->bounds.parts[0].sleeps = true;
  m_->bounds.parts[0].time = TICKS_PER_S;
  EXPECT_EQ(ShowView(m_, view_path_verdict), "");
}

TEST_F(ViewBounds, SayWhatFreeCpusWouldBring) {
  struct builder b = {};
  AddPart("waits for a CPU", false, BOUNDS_NO_LOCK, 0, 4);
  m_->bounds.parts[0].queues = true;
  m_->bounds.cpu_part = 0.9;  // with more CPUs that is no limit
  view_put_cpu_bound(&b, m_);
  EXPECT_EQ(
      TakeText(&b),
      " That is 40 % of the critical path: if a CPU were always free, the run would at best take "
      "about 6.00 s instead of 10.0 s (1.7 times as fast).");
  m_->bounds.parts[0].time = TICKS_PER_S;
  view_put_cpu_bound(&b, m_);
  EXPECT_EQ(TakeText(&b), "");
}

// Six tasks of ten seconds waited for 15 of 20 s.
class ViewPoolBounds : public ViewBounds {
 protected:
  ViewPoolBounds() {
    struct bounds_pool &pool = m_->bounds.pool;
    pool.known = true;
    pool.title = strdup("pool-2");
    pool.threads = 4;
    pool.queued = 15 * TICKS_PER_S;
    pool.ran = 5 * TICKS_PER_S;
    pool.waiting = 8 * TICKS_PER_S;
    pool.full = 8 * TICKS_PER_S;
    pool.path = 6 * TICKS_PER_S;
  }
  void SetGain(double least, double most, enum limit_kind limit) {
    struct bounds_gain &gain = m_->bounds.pool.gain;
    gain.known = true;
    gain.least = least;
    gain.most = most;
    gain.work = 10 * TICKS_PER_S;
    gain.time = 5 * TICKS_PER_S;
    gain.limit = limit;
    gain.place = place(0x10, 88);
  }
  std::string Put() {
    struct builder b = {};
    struct style style = {1000, false, nullptr};
    view_pool_verdict(&b, m_, &style);
    return TakeText(&b);
  }
};

constexpr char kPoolFact[] =
    "* Tasks spent 75 % of their time in the queue of pool-2, whose 4 threads were all busy for "
    "100 % of the time in which tasks were in it. The critical path waited for this queue for 60 % "
    "of its time";

TEST_F(ViewPoolBounds, SayWhatTwiceAsManyThreadsGain) {
  SetGain(1.8, 2.2, LIMIT_SLEEP);
  EXPECT_TRUE(view_gains_by_pool(m_));
  EXPECT_EQ(Put(), std::string(kPoolFact) +
                       ": by simulation the run would be 1.8 to 2.2 times as fast with twice as "
                       "many threads (10.0 s to 5.00 s); then the limit is that threads sleep at "
                       "OrderService.price (OrderService.java:88).\n");
}

TEST_F(ViewPoolBounds, SayThatFullCpusGainNothing) {
  SetGain(0.97, 1.01, LIMIT_CPU);
  EXPECT_FALSE(view_gains_by_pool(m_));
  EXPECT_EQ(Put().find(std::string(kPoolFact) +
                       ", but by simulation the run would not be faster with twice as many "
                       "threads; then its CPUs are full"),
            0u)
      << Put();
}

// More threads also get more of the CPUs than other programs.
TEST_F(ViewPoolBounds, PromiseNothingThatOthersWouldPayFor) {
  SetGain(1.4, 1.6, LIMIT_CPU);
  EXPECT_TRUE(view_gains_by_pool(m_));
  m_->bounds.pool.gain.shares_cpus = true;
  EXPECT_FALSE(view_gains_by_pool(m_));
  EXPECT_EQ(Put(), std::string(kPoolFact) +
                       ", but the CPUs are full, also with work of others: what twice as many "
                       "threads would gain is not known.\n");
}

// The path is mostly I/O, so the other bounds are not known.
TEST_F(ViewPoolBounds, SayWhatTheyAssumeAboutIo) {
  m_->bounds.known = false;
  m_->bounds.pool.has_io = true;
  EXPECT_EQ(Put(), "");
  SetGain(1.8, 2.2, LIMIT_METHOD);
  EXPECT_FALSE(view_gains_by_pool(m_));
  EXPECT_EQ(Put(), std::string(kPoolFact) +
                       ": by simulation the run would be 1.8 to 2.2 times as fast with twice as "
                       "many threads if their I/O took no longer then (10.0 s to 5.00 s).\n");
}

TEST_F(ViewPoolBounds, ComeAfterALockThatGainsMore) {
  SetGain(1.3, 1.5, LIMIT_SLEEP);
  m_->bounds.gain.known = true;
  m_->bounds.gain.least = 1.2;
  EXPECT_TRUE(view_gains_by_pool(m_));
  m_->bounds.gain.least = 2;
  EXPECT_FALSE(view_gains_by_pool(m_));
  EXPECT_TRUE(Has(Put(), "1.3 to 1.5 times as fast")) << Put();
}

// Two runs of a program differ by 5 %.
TEST_F(ViewPoolBounds, SayNoGainOnlyIfTheRangeIsNarrow) {
  SetGain(0.95, 1.06, LIMIT_CPU);
  EXPECT_TRUE(Has(Put(), "would not be faster with twice as many threads")) << Put();
  SetGain(0.6, 1.7, LIMIT_SLEEP);
  EXPECT_TRUE(Has(Put(), "0.6 to 1.7 times as fast")) << Put();
}

TEST_F(ViewPoolBounds, NameTheLockThatLimits) {
  SetGain(0.98, 1.1, LIMIT_LOCK);
  m_->bounds.pool.gain.next_lock = m_->locks.rows[0].object;
  EXPECT_TRUE(Has(Put(), "would hardly be faster with twice as many threads; then the limit is "))
      << Put();
}

// Threads that compute may have no free CPU for more of them.
TEST_F(ViewPoolBounds, WithoutASimulationNeedSleepsOnThePath) {
  AddPart("sleeps", false, BOUNDS_NO_LOCK, place(0x12, 42), 8);
  EXPECT_EQ(Put(), std::string(kPoolFact) + ".\n");
  EXPECT_TRUE(view_gains_by_pool(m_));
  m_->bounds.parts[0].runs = true;
  EXPECT_EQ(Put(), "");
  EXPECT_FALSE(view_gains_by_pool(m_));
}

TEST_F(ViewPoolBounds, SayNothingWithoutSuchAPool) {
  m_->bounds.pool.known = false;
  EXPECT_EQ(Put(), "");
  EXPECT_FALSE(view_gains_by_pool(m_));
}

}  // namespace
