#include "tests/tools/orca/answer/time_lines.h"

namespace {

// Waits for the class com.acme.Inventory, which is C5.
class FindClassInits : public TimeLines {
 protected:
  FindClassInits() {
    small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,<clinit>,()V,000000C5,-1\n");
    Start(1, "one");
    Start(2, "two");
    Start(3, "three");
  }
  void Wait(uint32_t thread, uint32_t owner, const std::string &stack = kPrice, double from = 1) {
    char object[32];
    snprintf(object, sizeof object, ",000000C5,%08X", owner);
    Sampled(thread, from, from, "Runnable", 0, stack);
    Call("ClassInitWait", "", thread, from + 0.5, 0, stack, object);
  }
  const Kinds kKinds = {FINDING_class_deadlock, FINDING_class_wait};
  const std::string kInitializer = "3;00000010;00000000;00000021;FFFFFFFF;00000011;00000000";
};

TEST_F(FindClassInits, ARingIsADeadlock) {
  Wait(1, 2, kInitializer);
  Wait(2, 1);
  Wait(3, 1);
  Rounds(2, 9.5);
  Said said(Read());
  EXPECT_EQ(said.Text(kKinds),
            "* DEADLOCK of class initialization: one initializes com.acme.Inventory and waits at "
            "OrderService.price (OrderService.java:88) for com.acme.Inventory; two initializes "
            "com.acme.Inventory and waits at OrderService.price (OrderService.java:88) for "
            "com.acme.Inventory, a superclass or interface of that. So three waits for "
            "com.acme.Inventory, too.\n");
  for (enum finding_kind kind : {FINDING_idle, FINDING_standstill, FINDING_stood, FINDING_path})
    EXPECT_TRUE(said.List({kind}).empty()) << kind;
}

TEST_F(FindClassInits, WithoutARingItNamesWhatTheInitializerDoes) {
  Wait(1, 2);
  Wait(3, 2);
  Sleep(2, 0.5, 0, kReserve);
  Rounds(2, 9.5);
  std::string text = SayKinds(kKinds);
  EXPECT_TRUE(Has(text, "* Stuck when the recording ended: ")) << text;
  EXPECT_TRUE(Has(text,
                  " wait at OrderService.price (OrderService.java:88) until two has "
                  "initialized com.acme.Inventory, for at least 9.00 s. "))
      << text;
  EXPECT_TRUE(Has(text, ". Meanwhile two sleeps at Inventory.reserve (Inventory.java:42).\n"))
      << text;
}

TEST_F(FindClassInits, ThreadsThatWaitElsewhereHaveTheirOwnPlace) {
  Wait(1, 2);
  Wait(3, 2, kReserve);
  Sleep(2, 0.5, 0, kReserve);
  Rounds(2, 9.5);
  std::string text = SayKinds(kKinds);
  EXPECT_TRUE(Has(text,
                  ": one waits at OrderService.price (OrderService.java:88) and three waits at "
                  "Inventory.reserve (Inventory.java:42) until two has initialized "
                  "com.acme.Inventory, for at least "))
      << text;
}

// find_deadlocks names the whole ring.
TEST_F(FindClassInits, ARingWithAJoinIsADeadlock) {
  Wait(1, 2);
  Call("ThreadJoin", "", 2, 0.5, 0, kReserve, ",00000001");
  Rounds(2, 9.5);
  Said said(Read());
  EXPECT_EQ(said.Text(kKinds), "");
  std::string text = said.Text({FINDING_deadlock});
  EXPECT_TRUE(Has(text,
                  "one waits until two has initialized com.acme.Inventory, at OrderService.price "
                  "(OrderService.java:88)"))
      << text;
  EXPECT_TRUE(Has(text, "two joins one at Inventory.reserve (Inventory.java:42)")) << text;
}

TEST_F(FindClassInits, AnInitializerWithoutACallWasLastSeen) {
  Wait(1, 2);
  Sampled(2, 0.5, 9.5, "Runnable", 400, kReserve);
  std::string text = SayKinds(kKinds);
  EXPECT_TRUE(Has(text, ". Meanwhile two was last seen at Inventory.reserve ")) << text;
}

TEST_F(FindClassInits, AWaitThatEndedIsNotStuck) {
  Wait(1, 2);
  Sleep(1, 8, 9, kReserve);
  Rounds(2, 9.5);
  Said said(Read());
  EXPECT_EQ(said.Text(kKinds), "");
  std::string text = said.Text({FINDING_stood});
  EXPECT_TRUE(
      Has(text,
          "* one waited for at least 7.00 s at OrderService.price (OrderService.java:88) until "
          "two had initialized com.acme.Inventory.\n"))
      << text;
}

// What still waits does not hide what waited before.
TEST_F(FindClassInits, AWaitThatEndedIsToldBesideOneThatDidNot) {
  Wait(1, 2);
  Wait(3, 2);
  Sleep(1, 8, 9, kReserve);
  Rounds(2, 9.5);
  Said said(Read());
  EXPECT_TRUE(Has(said.Text(kKinds), "three waits at ")) << said.Text(kKinds);
  std::string text = said.Text({FINDING_stood});
  EXPECT_EQ(text.find("* one waited for at least 7.00 s at "), 0u) << text;
}

TEST_F(FindClassInits, AShortWaitIsNotStuck) {
  Wait(1, 2, kPrice, 9.2);
  Rounds(9.6, 9.6);
  EXPECT_EQ(SayKinds(kKinds), "");
}

}  // namespace
