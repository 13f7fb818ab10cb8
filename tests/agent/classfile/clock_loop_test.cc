#include "agent/classfile/clock_loop.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

enum : int {
  kNop = 0x00,
  kLload1 = 0x1f,
  kLload3 = 0x21,
  kLstore1 = 0x40,
  kLsub = 0x65,
  kLcmp = 0x94,
  kIfeq = 0x99,
  kIflt = 0x9b,
  kIfge = 0x9c,
  kGoto = 0xa7,
  kReturn = 0xb1,
  kInvokevirtual = 0xb6,
  kInvokestatic = 0xb8
};

struct Found {
  bool is_found;
  uint32_t from, to;
};

// A method whose calls are of this pool.
class ClockLoop : public testing::Test {
 protected:
  ClockLoop() {
    time_ = maker_.Method("java/lang/System", "nanoTime", "()J");
    millis_ = maker_.Method("java/lang/System", "currentTimeMillis", "()J");
    now_ = maker_.Method("java/time/Instant", "now", "()Ljava/time/Instant;");
    before_ = maker_.Method("java/time/Instant", "isBefore", "(Ljava/time/Instant;)Z");
    work_ = maker_.Method("com/acme/Shop", "work", "()V");
  }
  static std::string Op(int opcode, int operand) { return U1(opcode) + U2(operand & 0xFFFF); }
  std::string Call(uint32_t method) { return Op(kInvokestatic, int(method)); }

  Found Find(const std::string &code) {
    std::string file = maker_.Make();
    struct span bytes = MakeSpan(file);
    struct cursor cursor = {bytes.data, bytes.len, 8, false};  // after magic and version
    struct pool pool;
    struct clock_loop loop = {};
    EXPECT_EQ(pool_read(&pool, &cursor), WEAVE_WOVEN);
    struct clock_helpers helpers = {MakeSpan(class_), Ask, this};
    bool is_found = clock_loop_find(MakeSpan(code), &pool, &helpers, &loop);
    EXPECT_TRUE(!is_found || clock_loop_may_be(MakeSpan(code)));
    pool_free(&pool);
    return {is_found, loop.from, loop.to};
  }

  // What a method with this code and descriptor does.
  enum clock_helper Judge(const std::string &code, const char *descriptor) {
    std::string file = maker_.Make();
    struct span bytes = MakeSpan(file);
    struct cursor cursor = {bytes.data, bytes.len, 8, false};  // after magic and version
    struct pool pool;
    EXPECT_EQ(pool_read(&pool, &cursor), WEAVE_WOVEN);
    enum clock_helper helper =
        clock_helper_of(MakeSpan(code), {descriptor, strlen(descriptor)}, &pool);
    pool_free(&pool);
    return helper;
  }
  static enum clock_helper Ask(void *arg, struct span name, struct span descriptor) {
    auto *test = static_cast<ClockLoop *>(arg);
    test->asked_ += std::string(name.data, name.len) + std::string(descriptor.data, descriptor.len);
    return test->helper_;
  }

  ClassMaker maker_;
  std::string class_ = "com/acme/Shop", asked_;
  enum clock_helper helper_ = CLOCK_HELPER_NONE;
  uint32_t time_, millis_, now_, before_, work_;
};

// while (System.nanoTime() < end) work();
TEST_F(ClockLoop, GoesOnUntilATime) {
  for (uint32_t clock : {time_, millis_}) {
    Found found = Find(U1(kNop) + Call(clock) + Bytes({kLload1, kLcmp}) + Op(kIfge, 9) +
                       Call(work_) + Op(kGoto, -11) + U1(kReturn));
    EXPECT_TRUE(found.is_found);
    EXPECT_EQ(found.from, 1u);
    EXPECT_EQ(found.to, 12u);
  }
}

// do work(); while (end - System.nanoTime() > 0);
TEST_F(ClockLoop, JumpsBackUntilATime) {
  Found found = Find(Call(work_) + U1(kLload1) + Call(time_) + Bytes({kLsub, kLload1, kLcmp}) +
                     Op(kIflt, -10) + U1(kReturn));
  EXPECT_TRUE(found.is_found);
  EXPECT_EQ(found.from, 0u);
  EXPECT_EQ(found.to, 10u);
}

// while (true) { if (System.nanoTime() >= end) return; work(); }
TEST_F(ClockLoop, ReturnsAtATime) {
  EXPECT_TRUE(Find(Call(time_) + Bytes({kLload1, kLcmp}) + Op(kIflt, 4) + U1(kReturn) +
                   Call(work_) + Op(kGoto, -12))
                  .is_found);
}

// while (Instant.now().isBefore(end)) work();
TEST_F(ClockLoop, ComparesTimesOfJavaTime) {
  EXPECT_TRUE(Find(Call(now_) + U1(kLload1) + Op(kInvokevirtual, int(before_)) + Op(kIfeq, 9) +
                   Call(work_) + Op(kGoto, -13) + U1(kReturn))
                  .is_found);
}

// for (...) { long begin = System.nanoTime(); work(); sum += System.nanoTime() - begin; }
TEST_F(ClockLoop, IsNoneThatOnlyMeasures) {
  EXPECT_FALSE(Find(Call(time_) + U1(kLstore1) + Call(work_) + Op(kGoto, -7)).is_found);
  EXPECT_FALSE(Find(Call(work_) + Call(time_) + Bytes({kLload1, kLsub, kLstore1}) +
                    Bytes({kLload3, kLload3, kLcmp}) + Op(kIflt, -12) + U1(kReturn))
                   .is_found);
}

// long now = System.nanoTime(); if (now >= end) break; work();
TEST_F(ClockLoop, MayStoreTheTimeBefore) {
  EXPECT_TRUE(Find(Call(time_) + Bytes({kLstore1, kLload1, kLload3, kLcmp}) + Op(kIfge, 9) +
                   Call(work_) + Op(kGoto, -13) + U1(kReturn))
                  .is_found);
}

// while (true) { if (System.nanoTime() >= next) report(); work(); }
TEST_F(ClockLoop, IsNoneThatDoesSomethingAtTimes) {
  EXPECT_FALSE(Find(Call(time_) + Bytes({kLload1, kLcmp}) + Op(kIflt, 6) + Call(work_) +
                    Call(work_) + Op(kGoto, -14))
                   .is_found);
}

TEST_F(ClockLoop, IsNoneWithoutAJumpBackward) {
  std::string once =
      Call(time_) + Bytes({kLload1, kLcmp}) + Op(kIfge, 6) + Call(work_) + U1(kReturn);
  EXPECT_FALSE(Find(once).is_found);
  EXPECT_FALSE(clock_loop_may_be(MakeSpan(once)));
  EXPECT_FALSE(clock_loop_may_be(MakeSpan(Op(kGoto, 0))));
}

TEST_F(ClockLoop, WrongCodeHasNone) {
  EXPECT_FALSE(Find(Call(time_) + Bytes({kLload1, kLcmp, kIfge, 0})).is_found);
  EXPECT_FALSE(Find(Call(9999) + Bytes({kLload1, kLcmp}) + Op(kIfge, -5)).is_found);
  EXPECT_FALSE(Find(Call(time_) + Bytes({kLload1, kLcmp}) + Op(kIfge, -5000)).is_found);
  EXPECT_FALSE(clock_loop_may_be(MakeSpan(Bytes({0xff}))));
}

// --- helpers ----------------------------------------------------------------------------------

// while (go()) work();
TEST_F(ClockLoop, MayAskAMethodOfItsClassWhetherItIsTime) {
  uint32_t go = maker_.Method("com/acme/Shop", "go", "()Z");
  std::string code = Call(go) + Op(kIfeq, 9) + Call(work_) + Op(kGoto, -9) + U1(kReturn);
  EXPECT_FALSE(Find(code).is_found);
  EXPECT_EQ(asked_, "go()Zwork()V");
  helper_ = CLOCK_HELPER_DECIDES;
  EXPECT_TRUE(Find(code).is_found);
  class_ = "com/acme/Other";
  EXPECT_FALSE(Find(code).is_found);
}

// while (now() < end) work();
TEST_F(ClockLoop, MayAskAMethodOfItsClassForTheTime) {
  uint32_t now = maker_.Method("com/acme/Shop", "now", "()J");
  std::string code = Call(now) + Bytes({kLload1, kLcmp}) + Op(kIfge, 9) + Call(work_) +
                     Op(kGoto, -11) + U1(kReturn);
  EXPECT_FALSE(Find(code).is_found);
  helper_ = CLOCK_HELPER_READS;
  EXPECT_TRUE(Find(code).is_found);
}

// while (deadline.isOver()) work(); the class cannot be read, so only names tell.
TEST_F(ClockLoop, OfAnotherClassANameMustTellOfTime) {
  const struct {
    const char *class_name, *method, *descriptor;
    bool is_found;
  } calls[] = {{"com/acme/Deadline", "isOver", "()Z", true},
               {"com/acme/Job", "hasTimeLeft", "()Z", true},
               {"com/acme/time/Job", "hasNext", "()Z", false},
               {"com/acme/Job", "hasNext", "()Z", false},
               {"java/util/concurrent/TimeUnit", "isTime", "()Z", false},
               {"com/acme/Deadline", "steps", "()I", false}};
  for (const auto &call : calls) {
    uint32_t asks = maker_.Method(call.class_name, call.method, call.descriptor);
    std::string code = Call(asks) + Op(kIfeq, 9) + Call(work_) + Op(kGoto, -9) + U1(kReturn);
    EXPECT_EQ(Find(code).is_found, call.is_found) << call.class_name << "." << call.method;
  }
}

// while (clock.ticks() < end) work();
TEST_F(ClockLoop, OfAnotherClassMayReadTheTime) {
  uint32_t ticks = maker_.Method("com/acme/Clock", "ticks", "()J");
  EXPECT_TRUE(Find(Call(ticks) + Bytes({kLload1, kLcmp}) + Op(kIfge, 9) + Call(work_) +
                   Op(kGoto, -11) + U1(kReturn))
                  .is_found);
}

enum : int { kIconst0 = 0x03, kIconst1 = 0x04, kIreturn = 0xac, kLreturn = 0xad };

TEST_F(ClockLoop, AHelperReturnsAComparisonOfTheTime) {
  std::string compares = Call(time_) + Bytes({kLload1, kLcmp}) + Op(kIfge, 7);
  std::string both = U1(kIconst1) + Op(kGoto, 4) + Bytes({kIconst0, kIreturn});
  EXPECT_EQ(Judge(compares + both, "()Z"), CLOCK_HELPER_DECIDES);
  EXPECT_EQ(Judge(compares + both, "()I"), CLOCK_HELPER_NONE);
  std::string before = Call(now_) + U1(kLload1) + Op(kInvokevirtual, int(before_)) + U1(kIreturn);
  EXPECT_EQ(Judge(before, "()Z"), CLOCK_HELPER_DECIDES);
  // if (System.nanoTime() >= next) report(); return true;
  EXPECT_EQ(Judge(Call(time_) + Bytes({kLload1, kLcmp}) + Op(kIflt, 6) + Call(work_) +
                      Bytes({kNop, kIconst1, kIreturn}),
                  "()Z"),
            CLOCK_HELPER_NONE);
}

TEST_F(ClockLoop, AHelperReturnsATime) {
  EXPECT_EQ(Judge(Call(time_) + Bytes({kLload1, kLsub, kLreturn}), "()J"), CLOCK_HELPER_READS);
  EXPECT_EQ(Judge(Call(work_) + Bytes({kLload1, kLreturn}), "()J"), CLOCK_HELPER_NONE);
  EXPECT_EQ(Judge(Call(time_) + Bytes({kLload1, kLcmp}) + Op(kIfge, 4) + Bytes({kLload1, kLreturn}),
                  "()J"),
            CLOCK_HELPER_NONE);
}

// do work(); while (System.nanoTime() < end); throw new Error();
TEST_F(ClockLoop, IsNoneIfTheProgramFailsAtThatTime) {
  enum : int { kNew = 0xbb, kDup = 0x59, kAthrow = 0xbf, kInvokespecial = 0xb7 };
  std::string loop = Call(work_) + Call(time_) + Bytes({kLload1, kLcmp}) + Op(kIflt, -8);
  EXPECT_TRUE(Find(loop + U1(kReturn)).is_found);
  EXPECT_FALSE(
      Find(loop + Op(kNew, int(work_)) + U1(kDup) + Op(kInvokespecial, int(work_)) + U1(kAthrow))
          .is_found);
}

}  // namespace
