#include "tools/orca/causal/whatif/known_holds.h"

#include "tests/tools/orca/causal/whatif/recorded.h"

namespace {

using machine::Op;
using machine::Program;

std::vector<struct known_hold> Infer(const Recorded &r, uint32_t hash) {
  Prediction prediction(r.files);
  const struct trace *t = &prediction.Whatif().trace;
  struct known_holds h = {};
  EXPECT_TRUE(known_holds_infer(&h, t));
  size_t num = 0;
  const struct known_hold *rows = known_holds_of(&h, trace_find_thread(t, hash) - 1, &num);
  std::vector<struct known_hold> result(rows, rows + num);
  for (struct known_hold &hold : result) {
    hold.from -= t->begin;
    hold.to -= t->begin;
  }
  known_holds_free(&h);
  return result;
}

ticks_t Ms(double ms) { return static_cast<ticks_t>(ms * 1e-3 * TICKS_PER_S); }

// The owner has the lock from 0 to 30 ms; the waiter asks for it at 10 ms.
TEST(KnownHolds, AWaiterShowsTheHoldOfTheOwner) {
  Program p;
  p.hand_off_ms = 0;
  p.threads = {{{machine::kLock}, {machine::kCompute, 0, 30}, {machine::kUnlock}},
               {{machine::kCompute, 0, 10}, {machine::kLock}, {machine::kUnlock}}};
  Recorded r(p, machine::kContended);
  std::vector<struct known_hold> holds = Infer(r, 16);
  ASSERT_EQ(holds.size(), 1u);
  EXPECT_EQ(holds[0].from, Ms(10));
  EXPECT_EQ(holds[0].to, Ms(30));
  EXPECT_EQ(holds[0].acquire, 0u);
  EXPECT_TRUE(Infer(r, 17).empty());
}

// The second thread gets it at 30 ms, and the third asks at 20 ms: its hold begins with its line.
TEST(KnownHolds, AHoldBeginsWithTheOwnersAcquisition) {
  Program p;
  p.hand_off_ms = 0;
  p.threads = {
      {{machine::kLock}, {machine::kSleep, 0, 30}, {machine::kUnlock}},
      {{machine::kSleep, 0, 10}, {machine::kLock}, {machine::kSleep, 0, 7}, {machine::kUnlock}},
      {{machine::kSleep, 0, 20}, {machine::kLock}, {machine::kUnlock}}};
  Recorded r(p, machine::kContended);
  std::vector<struct known_hold> holds = Infer(r, 17);
  ASSERT_EQ(holds.size(), 1u);
  EXPECT_EQ(holds[0].from, Ms(30));
  EXPECT_EQ(holds[0].to, Ms(37));
  EXPECT_NE(holds[0].acquire, 0u);
}

TEST(KnownHolds, LocksWithReleasesNeedNone) {
  Program p;
  p.threads.assign(2, {{machine::kLock}, {machine::kCompute, 0, 30}, {machine::kUnlock}});
  Recorded r(p);
  EXPECT_TRUE(Infer(r, 16).empty());
}

}  // namespace
