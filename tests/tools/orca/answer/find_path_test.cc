#include "tests/tools/orca/answer/said.h"

namespace {

// Bounds of a run of 10 s, in the place of those that answer_read finds.
class FindPath : public testing::Test {
 protected:
  FindPath() {
    model_ = said_.answer.model = small_.Read();
    said_.answer.bounds.known = said_.answer.bounds.of_run = true;
    said_.answer.bounds.work = 10 * TICKS_PER_S;
  }
  void AddPart(enum path_reason reason, bool has_lock, place_t place, double seconds) {
    bounds_.parts[bounds_.num_parts++] = {reason, has_lock, place, ticks_t(seconds * TICKS_PER_S)};
  }
  void SetGain(struct bounds_gain *gain, double least, double most, enum limit_kind limit) {
    gain->known = true;
    gain->gain = {least, (least + most) / 2, most};
    gain->work = 10 * TICKS_PER_S;
    gain->time = 5 * TICKS_PER_S;
    gain->limit = limit;
    gain->place = place(0x10, 88);
  }
  // What one finder finds, and nothing from before.
  std::string SayFound(Finder find) {
    findings_free(&said_.answer.findings);
    said_.Find(find);
    return said_.Text();
  }

  SmallModel small_;
  struct model *model_ = nullptr;
  Said said_;
  struct bounds &bounds_ = said_.answer.bounds;
};

// --- the path -------------------------------------------------------------------------------

// A sleep that holds up the run, and is in no lock.
TEST_F(FindPath, TellsALongPartOfThePathOfAQuietProgram) {
  model_->spending.quiet = 8 * TICKS_PER_S;
  AddPart(PATH_SLEEPS, false, place(0x10, 90), 6);
  EXPECT_EQ(SayFound(find_path),
            "* By the critical path, the run took 60 % of its time because a thread sleeps at "
            "OrderService.price (OrderService.java:90).\n");
  EXPECT_EQ(said_.answer.findings.rows[0].weight, 6 * TICKS_PER_S);
}

TEST_F(FindPath, NamesTwoLinesOfAMethod) {
  model_->spending.quiet = 8 * TICKS_PER_S;
  AddPart(PATH_SLEEPS, false, place(0x10, 90), 3);
  AddPart(PATH_RUNS, false, place(0x10, 92), 2.5);
  AddPart(PATH_SLEEPS, false, place(0x10, 91), 2);
  EXPECT_EQ(SayFound(find_path),
            "* By the critical path, the run took 50 % of its time because a thread sleeps at "
            "OrderService.price (OrderService.java:90) and OrderService.price "
            "(OrderService.java:91).\n");
}

TEST_F(FindPath, LeavesOutWhatOtherFindingsTell) {
  model_->spending.quiet = 8 * TICKS_PER_S;
  AddPart(PATH_RUNS, false, place(0x10, 90), 6);
  EXPECT_EQ(SayFound(find_path), "");
  bounds_.parts[0].reason = PATH_TIMEOUT;
  EXPECT_NE(SayFound(find_path), "");
  bounds_.parts[0].has_lock = true;
  EXPECT_EQ(SayFound(find_path), "");
  bounds_.parts[0] = {PATH_SLEEPS, false, place(0x10, 90), TICKS_PER_S};
  EXPECT_EQ(SayFound(find_path), "");
}

TEST_F(FindPath, TellsNothingOfAServiceOrABusyProgram) {
  model_->spending.quiet = 8 * TICKS_PER_S;
  AddPart(PATH_SLEEPS, false, place(0x10, 90), 6);
  bounds_.of_run = false;
  EXPECT_EQ(SayFound(find_path), "");
  bounds_.of_run = true;
  model_->spending.quiet = 0;
  EXPECT_EQ(SayFound(find_path), "");
}

// --- the gain of a lock or a method -----------------------------------------------------------

TEST_F(FindPath, ALockHasItsShareAndGain) {
  const struct lock *lock = &model_->locks.rows[0];
  EXPECT_TRUE(tally_add(&bounds_.locks, lock->id, 0, 1, 5 * TICKS_PER_S));
  tally_sort(&bounds_.locks);
  bounds_.lock_id = lock->id;
  SetGain(&bounds_.without_lock, 1.85, 2.15, LIMIT_METHOD);
  std::string text = SayFound(find_locks);
  EXPECT_TRUE(
      Has(text,
          " It is 50 % of the critical path: by simulation, without it the run would be 1.9 to 2.1 "
          "times as fast (10.0 s to 5.00 s); then the limit is what threads compute at "
          "OrderService.price (OrderService.java:88). 1 thread was still blocked"))
      << text;
  bounds_.without_lock.limit = LIMIT_LOCK;
  bounds_.without_lock.next_lock = 0xA3;
  text = SayFound(find_locks);
  EXPECT_TRUE(Has(text, "; then the limit is the semaphore in OrderService.price:90 ")) << text;
}

// The times of several paths add up to more than the recording.
TEST_F(FindPath, SaysNothingOfAPathIfThereAreSeveral) {
  const struct lock *lock = &model_->locks.rows[0];
  EXPECT_TRUE(tally_add(&bounds_.locks, lock->id, 0, 1, 5 * TICKS_PER_S));
  tally_sort(&bounds_.locks);
  bounds_.lock_id = lock->id;
  bounds_.of_run = false;
  SetGain(&bounds_.without_lock, 1.85, 2.15, LIMIT_NONE);
  std::string text = SayFound(find_locks);
  EXPECT_FALSE(Has(text, "critical path")) << text;
  EXPECT_TRUE(Has(text,
                  " By simulation, without it its threads would be 1.9 to 2.1 times as fast. 1 "
                  "thread was still blocked"))
      << text;
  model_->cpu.num_samples = 10;
  AddPart(PATH_RUNS, false, cpu_hottest(&model_->cpu)->place, 2);
  SetGain(&bounds_.faster_method, 1.85, 2.15, LIMIT_NONE);
  text = SayFound(find_cpu);
  EXPECT_FALSE(Has(text, "critical path")) << text;
  EXPECT_TRUE(Has(text, " By simulation, if it were twice as fast, its threads would be 1.9 to "))
      << text;
}

// Both sides of a lock are one lock of the path.
TEST_F(FindPath, ASideOfALockMayBeOnThePathWithTheOtherOne) {
  model_->locks.rows[0].sort = LOCK_READ_SIDE;
  bounds_.lock_id = UINT32_MAX;
  EXPECT_FALSE(Has(SayFound(find_locks),
                   "Read side of the lock com.acme.Inventory@000000A1: "
                   "threads, mostly worker-1, waited 4 times for 2.88 s in "
                   "total (longest 2.00 s), 96 % of it at Inventory.reserve "
                   "(Inventory.java:42). To remove"));
  EXPECT_TRUE(Has(SayFound(find_locks), "Read side of the lock com.acme.Inventory@000000A1: "));
}

// Another lock than that of the simulation.
TEST_F(FindPath, ALockWithoutASimulationHasNoGain) {
  bounds_.lock_id = model_->locks.rows[1].id;
  for (size_t i = 0; i < 2; i++) {
    EXPECT_TRUE(tally_add(&bounds_.locks, model_->locks.rows[i].id, 0, 1, 5 * TICKS_PER_S));
  }
  tally_sort(&bounds_.locks);
  SetGain(&bounds_.without_lock, 1.85, 2.05, LIMIT_METHOD);
  said_.Find(find_locks);
  ASSERT_FALSE(said_.List({FINDING_lock}).empty());
  for (const struct finding *finding : said_.List({FINDING_lock})) {
    auto *row = static_cast<struct found_lock *>(finding->row);
    EXPECT_EQ(row->gain.num, row->lock.object == model_->locks.rows[1].object ? 1u : 0u);
  }
}

// The thread main sleeps while others work.
TEST_F(FindPath, APathOfSleepsSaysNothingOfAMethod) {
  model_->cpu.num_samples = 10;
  uint32_t hot = place_method(cpu_hottest(&model_->cpu)->place);
  AddPart(PATH_SLEEPS, false, place(hot, 42), 6);
  AddPart(PATH_RUNS, false, place(hot, 88), 2);
  EXPECT_FALSE(Has(SayFound(find_cpu), "critical path")) << said_.Text();
}

// The hottest method needs ten samples.
TEST_F(FindPath, AMethodHasItsShareAndGain) {
  model_->cpu.num_samples = 10;
  uint32_t hot = place_method(cpu_hottest(&model_->cpu)->place);
  AddPart(PATH_SLEEPS, false, place(hot, 42), 4);
  EXPECT_FALSE(Has(SayFound(find_cpu), "critical path"));
  AddPart(PATH_RUNS, false, place(hot, 88), 2);
  EXPECT_TRUE(Has(SayFound(find_cpu), " It is 20 % of the critical path.\n"));
  SetGain(&bounds_.faster_method, 1.04, 1.06, LIMIT_NONE);
  EXPECT_TRUE(Has(
      SayFound(find_cpu),
      " It is 20 % of the critical path: by simulation, if it were twice as fast, the run would "
      "be 1.04 to 1.06 times as fast (10.0 s to 5.00 s).\n"))
      << said_.Text();
}

// It may be a busy wait that never ends.
TEST_F(FindPath, AMethodInWhichAThreadIsForTheWholeRecordingHasNone) {
  model_->cpu.num_samples = 10;
  AddPart(PATH_RUNS, false, place(place_method(cpu_hottest(&model_->cpu)->place), 88), 2);
  SetGain(&bounds_.faster_method, 1.04, 1.06, LIMIT_NONE);
  for (size_t i = 0; i < model_->threads.num; i++) {
    model_->threads.rows[i].alive = true;
    model_->threads.rows[i].life.event = 0;
  }
  std::string text = SayFound(find_cpu);
  EXPECT_TRUE(Has(text, "of the CPU time is spent in ")) << text;
  EXPECT_FALSE(Has(text, "critical path")) << text;
}

}  // namespace
