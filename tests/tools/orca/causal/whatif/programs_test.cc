// Random programs: the model recovers the time of an edited program from the recording of the
// unedited one.
#include <math.h>

#include <random>

#include "tests/tools/orca/causal/whatif/machine.h"
#include "tests/tools/orca/causal/whatif/prediction.h"

namespace {

using machine::Form;
using machine::Machine;
using machine::Op;
using machine::Program;

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Program Make() {
    Program p;
    int num_threads = Pick(2, 6);
    num_locks_ = Pick(1, 3);
    p.cpus = Pick(1, 4);
    int shape = Pick(0, 3);  // 1: a queue, 2: a barrier, 3: a semaphore
    if (shape == 1) p.capacities = {Pick(1, 5)};
    if (shape == 2) p.parties = {num_threads};
    if (shape == 3) p.permits = {Pick(1, 2)};
    int rounds = Pick(40, 120);
    for (int t = 0; t < num_threads; t++) {
      std::vector<Op> body = MakeBody(shape, t);
      std::vector<Op> ops;
      bool is_last = t == num_threads - 1;
      bool uses_queue = shape == 1 && (num_threads % 2 == 0 || !is_last);
      for (int i = 0; i < rounds; i++) {
        if (uses_queue && t % 2 == 1) ops.push_back({machine::kTake, 0});
        for (Op op : body) {
          op.ms *= 0.5 + Share();
          ops.push_back(op);
        }
        if (uses_queue && t % 2 == 0) ops.push_back({machine::kPut, 0});
        if (shape == 2 && i % 4 == 3) ops.push_back({machine::kMeet, 0});
      }
      p.threads.push_back(ops);
    }
    return p;
  }

  int Pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  int NumLocks() const { return num_locks_; }

 private:
  double Share() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  std::vector<Op> MakeBody(int shape, int) {
    std::vector<Op> body;
    int parts = Pick(1, 4);
    for (int i = 0; i < parts; i++) {
      switch (Pick(0, 3)) {
        case 0:
          body.push_back({machine::kCompute, 0, 0.5 + 4 * Share()});
          break;
        case 1:
          body.push_back({machine::kSleep, 0, 0.5 + 4 * Share()});
          break;
        default: {
          int lock = Pick(0, num_locks_ - 1);
          body.push_back({machine::kLock, lock});
          body.push_back({machine::kCompute, 0, 0.2 + 2 * Share()});
          if (Pick(0, 3) == 0) body.push_back({machine::kSleep, 0, 1 + 2 * Share()});
          body.push_back({machine::kUnlock, lock});
          break;
        }
      }
    }
    body.push_back({machine::kCompute, 0, 0.3 + 2 * Share()});
    if (shape == 3) {
      body.push_back({machine::kAcquire, 0});
      body.push_back({machine::kSleep, 0, 0.5 + Share()});
      body.push_back({machine::kRelease, 0});
    }
    return body;
  }

  std::mt19937 random_;
  int num_locks_ = 1;
};

// Programs whose threads give tasks to a pool, and wait for them: in each round, or at the end.
class PoolMaker {
 public:
  explicit PoolMaker(unsigned seed) : random_(seed) {}

  Program Make() {
    Program p;
    int num_threads = Pick(1, 3), rounds = Pick(3, 12), batch = Pick(1, 12);
    bool waits_at_end = Pick(0, 2) == 0;
    num_locks_ = Pick(1, 2);
    p.cpus = Pick(1, 4);
    p.pools = {Pick(1, 6)};
    std::vector<Op> body = MakeBody(Pick(0, 2) == 0);
    double pause = Pick(0, 1) * 4 * Share();
    for (int t = 0; t < num_threads; t++) {
      std::vector<Op> ops, gets;
      for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < batch; k++) {
          ops.push_back({machine::kSubmit, static_cast<int>(p.tasks.size())});
          gets.push_back({machine::kGet, static_cast<int>(p.tasks.size())});
          p.tasks.push_back({0, Vary(body)});
          if (pause > 0) ops.push_back({machine::kCompute, 0, pause * (0.5 + Share())});
        }
        if (waits_at_end) continue;
        ops.insert(ops.end(), gets.begin(), gets.end());
        gets.clear();
        ops.push_back({machine::kSleep, 0, 3 * Share()});
      }
      ops.insert(ops.end(), gets.begin(), gets.end());
      p.threads.push_back(ops);
    }
    return p;
  }

  int Pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  int NumLocks() const { return num_locks_; }

 private:
  double Share() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  std::vector<Op> Vary(std::vector<Op> body) {
    for (Op &op : body) op.ms *= 0.5 + Share();
    return body;
  }

  std::vector<Op> MakeBody(bool has_lock) {
    std::vector<Op> body = {{machine::kCompute, 0, 0.3 + 3 * Share()}};
    int parts = Pick(1, 3);
    for (int i = 0; i < parts; i++) {
      int lock = Pick(0, num_locks_ - 1), sort = Pick(0, has_lock ? 2 : 1);
      if (sort == 0) body.push_back({machine::kCompute, 0, 0.5 + 4 * Share()});
      if (sort == 1) body.push_back({machine::kSleep, 0, 0.5 + 8 * Share()});
      if (sort < 2) continue;
      body.push_back({machine::kLock, lock});
      body.push_back({Pick(0, 1) == 0 ? machine::kCompute : machine::kSleep, 0, 0.3 + Share()});
      body.push_back({machine::kUnlock, lock});
    }
    return body;
  }

  std::mt19937 random_;
  int num_locks_ = 1;
};

// The errors of many predictions.
struct Errors {
  int num = 0, refused = 0;
  double worst = 0, sum = 0, worst_base = 0;
  int bad = 0, outside = 0;  // of the tolerance, of the printed range
  int changed = 0;           // programs whose time an edit changes
  unsigned worst_seed = 0;
  void Add(double error, unsigned seed, double tolerance) {
    num++;
    sum += fabs(error);
    bad += fabs(error) > tolerance;
    if (fabs(error) > worst) {
      worst = fabs(error);
      worst_seed = seed;
    }
  }
};

void Print(const Errors &errors) {
  printf(
      "%d predictions, mean error %.2f %%, worst %.2f %% (seed %u), beyond the tolerance %d, "
      "outside of the range %d, refused %d\n",
      errors.num, errors.num == 0 ? 0 : errors.sum / errors.num * 100, errors.worst * 100,
      errors.worst_seed, errors.bad, errors.outside, errors.refused);
}

Errors Predict(Form form, unsigned seeds, double tolerance) {
  Errors errors;
  for (unsigned seed = 1; seed <= seeds; seed++) {
    Maker maker(seed);
    Program p = maker.Make(), edited = p;
    int lock = maker.Pick(0, maker.NumLocks() - 1);
    char text[40];
    snprintf(text, sizeof text, "%08X", 0xA0 + lock);
    enum edit_kind kind = EDIT_DROP;
    std::string argument = text;
    switch (maker.Pick(0, 3)) {
      case 0:
        edited = machine::WithShorterHolds(p, lock, 0.5);
        kind = EDIT_SHRINK;
        argument += "=50%";
        break;
      case 1:
        edited.cpus = p.cpus * 2;
        kind = EDIT_CPUS;
        argument = std::to_string(edited.cpus);
        break;
      case 2:
        if (form == machine::kAllLocks) {
          edited = machine::WithReads(p, lock);
          kind = EDIT_READERS;
          break;
        }
        /* fall through */
      default:
        edited = machine::WithoutLock(p, lock);
        break;
    }
    Machine before, after;
    double recorded = before.Run(p), wanted = after.Run(edited);
    if (recorded <= 0 || wanted <= 0) {
      ADD_FAILURE() << "the program of seed " << seed << " hangs";
      continue;
    }
    DumpFiles files;
    before.Write(&files, form);
    Prediction prediction(files, kind, argument);
    if (prediction.Refusal() == REFUSAL_EMPTY || !prediction.IsFound())
      continue; /* never contended */
    if (prediction.Refusal() != REFUSAL_NONE) {
      errors.refused++;
      continue;
    }
    errors.Add(prediction.Time() / wanted - 1, seed, tolerance);
    double gain = recorded / wanted;
    errors.outside += gain < prediction.LeastGain() || gain > prediction.MostGain();
  }
  Print(errors);
  return errors;
}

// An edit of a pool program, made on the program itself and as a text.
struct Edited {
  Program program;
  enum edit_kind kind;
  std::string text;
};

Edited EditPool(const Program &p, PoolMaker *maker, bool only_pool) {
  int sort = maker->Pick(0, only_pool ? 3 : 5), threads = p.pools[0], number = maker->Pick(1, 12);
  char lock[40];
  snprintf(lock, sizeof lock, "%08X", 0xA0);
  switch (sort) {
    case 0:
    case 1:
      return {machine::WithPool(p, 0, 2 * threads), EDIT_POOL, "pool-1=2x"};
    case 2:
      return {machine::WithPool(p, 0, (threads + 1) / 2), EDIT_POOL, "pool-1=0.5x"};
    case 3:
      return {machine::WithPool(p, 0, number), EDIT_POOL, "pool-1=" + std::to_string(number)};
    case 4: {
      Program edited = p;
      edited.cpus *= 2;
      return {edited, EDIT_CPUS, std::to_string(edited.cpus)};
    }
    default:
      return {machine::WithoutLock(p, 0), EDIT_DROP, lock};
  }
}

Errors PredictPools(Form form, unsigned seeds, bool only_pool, double tolerance) {
  Errors errors;
  for (unsigned seed = 1; seed <= seeds; seed++) {
    PoolMaker maker(seed);
    Program p = maker.Make();
    Edited edited = EditPool(p, &maker, only_pool);
    Machine before, after;
    double recorded = before.Run(p), wanted = after.Run(edited.program);
    if (recorded <= 0 || wanted <= 0) {
      ADD_FAILURE() << "the program of seed " << seed << " hangs";
      continue;
    }
    DumpFiles files;
    before.Write(&files, form);
    Prediction prediction(files, edited.kind, edited.text);
    bool is_unknown_lock = edited.kind == EDIT_DROP && !prediction.IsFound();
    if (is_unknown_lock) continue; /* never contended */
    if (!prediction.IsFound() || prediction.Refusal() != REFUSAL_NONE) {
      errors.refused++;
      continue;
    }
    errors.Add(prediction.Time() / wanted - 1, seed, tolerance);
    errors.changed += fabs(wanted / recorded - 1) > 0.03;
  }
  Print(errors);
  return errors;
}

// Samples tell CPU times only for some milliseconds together, so on full CPUs a stretch may get too
// much or too little of them.
TEST(Programs, WithAllLocksThePredictionIsRight) {
  Errors errors = Predict(machine::kAllLocks, 150, 0.02);
  EXPECT_EQ(errors.refused, 0);
  EXPECT_LE(errors.bad, errors.num / 100);
  EXPECT_LT(errors.worst, 0.03);
  EXPECT_EQ(errors.outside, 0);
  EXPECT_LT(errors.sum / errors.num, 0.005);
}

// By default a hold is only known if another thread waited meanwhile. The predictions are less
// exact, and some are refused.
TEST(Programs, WithContendedMonitorsThePredictionIsNearlyRight) {
  Errors errors = Predict(machine::kContended, 150, 0.1);
  EXPECT_LE(errors.refused, errors.num / 20);
  EXPECT_LE(errors.bad, errors.num / 10);
  EXPECT_LE(errors.outside, errors.num / 10);
  EXPECT_LT(errors.sum / errors.num, 0.03);
}

TEST(Programs, PoolSizesArePredicted) {
  Errors errors = PredictPools(machine::kAllLocks, 150, true, 0.02);
  EXPECT_EQ(errors.num, 150);
  EXPECT_GT(errors.changed, errors.num / 2);
  EXPECT_LE(errors.bad, errors.num / 100);
  EXPECT_LT(errors.worst, 0.03);
  EXPECT_LT(errors.sum / errors.num, 0.003);
}

TEST(Programs, PoolSizesAndOtherEditsArePredictedWithContendedMonitors) {
  Errors errors = PredictPools(machine::kContended, 150, false, 0.1);
  EXPECT_LE(errors.refused, errors.num / 50);
  EXPECT_LE(errors.bad, errors.num / 50);
  EXPECT_LT(errors.sum / errors.num, 0.01);
}

}  // namespace
