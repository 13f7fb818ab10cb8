#include "tests/tools/orca/answer/time_lines.h"

namespace {

// The methods 10 price, 11 run and 12 reserve are of the program, 3 sleep, 1 wait, 5 acquire of the
// JDK.
class NameWork : public TimeLines {
 protected:
  NameWork() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000F1,Ljdk/internal/misc/Unsafe;,\n"
                        "100.0000000000,000000F2,Lsun/nio/ch/FileDispatcherImpl;,\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000061,park,()V,000000F1,-1\n"
                        "100.0000000000,00000062,lock0,()V,000000F2,-1\n");
    small_.Read();
    said_.answer.model = &small_.model;
  }
  ~NameWork() override { tally_free(&places_); }

  stack_id_t Intern(const std::string &stack) {
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(stack), &id));
    return id;
  }
  std::string Work(const std::string &stack) {
    struct finder f = {&said_.answer, &small_.model, &said_.answer.findings};
    struct named_work work = name_work(&f, Intern(stack));
    return std::string(work.does == nullptr ? "" : work.does) + "," +
           (work.call == nullptr ? "" : work.call);
  }
  // Threads wait for the lock at these methods, the second for its other side.
  void AskIn(uint32_t method, uint32_t side) {
    EXPECT_TRUE(tally_add(&places_, side, place(method, 7), 1, 1));
    tally_sort(&places_);
  }
  std::string Caller(const std::string &stack) {
    struct finder f = {&said_.answer, &small_.model, &said_.answer.findings};
    struct lock_places places = {&places_, {5, 6}, 2};
    struct found_caller caller = {};
    if (!find_caller(&f, Intern(stack), &places, &caller)) return "";
    const char *called = name_method(&f, caller.called);
    return std::string(name_place(&f, caller.place).text) + (called == nullptr ? "" : " ") +
           (called == nullptr ? "" : called);
  }

  Said said_;
  struct tally places_ = {};
};

constexpr char kAsleep[] =
    "4;00000003;FFFFFFFF;00000012;00000000;00000010;00000010;00000011;00000000";
constexpr char kRunning[] = "3;00000012;00000000;00000010;00000010;00000011;00000000";

TEST_F(NameWork, IsWhatAThreadWaitsFor) {
  EXPECT_EQ(Work(kAsleep), "sleeps,");
  EXPECT_EQ(Work(kRunning), ",");
  EXPECT_EQ(Work("2;00000001;FFFFFFFF;00000012;00000000"), "waits,Object.wait");
  EXPECT_EQ(Work("3;00000061;FFFFFFFF;00000005;00000000;00000012;00000000"),
            "parked,Semaphore.acquire");
  EXPECT_EQ(Work("1;00000061;FFFFFFFF"), "parked,");
  EXPECT_EQ(Work("2;00000062;FFFFFFFF;00000012;00000000"),
            "io,a file lock (FileDispatcherImpl.lock0)");
  EXPECT_EQ(Work("0"), ",");
}

TEST_F(NameWork, TheCallerOfAHelperThatWaitsIsTheNextOne) {
  EXPECT_EQ(Caller(kAsleep), "OrderService.price (OrderService.java:90)");
  EXPECT_EQ(Caller(kRunning), "") << "a method that runs does its own work";
  EXPECT_EQ(Caller("2;00000003;FFFFFFFF;00000012;00000000"), "");
  EXPECT_EQ(Caller("1;00000003;FFFFFFFF"), "");
}

TEST_F(NameWork, TheCallerIsWhereThreadsAskForTheLock) {
  AskIn(0x11, 6);
  EXPECT_EQ(Caller(kAsleep), "OrderService.run (OrderService.java:20)");
  EXPECT_EQ(Caller(kRunning), "OrderService.run (OrderService.java:20)");
}

TEST_F(NameWork, NoCallerIsNeededIfThePlaceAsksForTheLock) {
  AskIn(0x12, 5);
  AskIn(0x11, 5);
  EXPECT_EQ(Caller(kAsleep), "");
}

TEST_F(NameWork, TheCallerMayCallTheJdkInBetween) {
  EXPECT_EQ(Caller("4;00000003;FFFFFFFF;00000012;00000000;00000013;00000000;00000010;00000010"),
            "OrderService.price (OrderService.java:90) HashMap.get");
}

}  // namespace
