#include "tests/tools/orca/answer/time_lines.h"

namespace {

class NameRests : public TimeLines {
 protected:
  std::string Caller(const std::string &stack) {
    struct finder f = {&said_.answer, &small_.model, &said_.answer.findings};
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(stack), &id));
    const char *text = name_caller(&f, id).text;
    return text == nullptr ? "" : text;
  }
  void ReadModel() { said_.answer.model = Read(); }
  // The row with most time of the threads that sleep.
  struct found_rest Rest() {
    struct finder f = {&said_.answer, &small_.model, &said_.answer.findings};
    return find_rest(&f, spending_largest(&small_.model.spending, ACTIVITY_SLEEPS));
  }

  Said said_;
};

TEST_F(NameRests, SayWhatThreadsDo) {
  EXPECT_STREQ(name_rest(ACTIVITY_SLEEPS), "sleeps");
  EXPECT_STREQ(name_rest(ACTIVITY_PARKED), "parked");
  EXPECT_STREQ(name_rest(ACTIVITY_IO), "io");
  EXPECT_STREQ(name_rest(ACTIVITY_WAITS), "waits");
}

TEST_F(NameRests, HaveCallsIfTheyAreManyAndShort) {
  Start(1, "a");
  for (double at = 0.5; at < 9; at += 0.1) Sleep(1, at, at + 0.09, kPrice);
  ReadModel();
  struct found_rest rest = Rest();
  EXPECT_STREQ(rest.threads, "a");
  EXPECT_EQ(rest.num_threads, 1u);
  EXPECT_NEAR(static_cast<double>(rest.calls), 85, 1);
  EXPECT_NEAR(static_cast<double>(rest.total), 85 * 90e6, 100e6);
}

TEST_F(NameRests, HaveNoCallsIfTheseAreFew) {
  Start(1, "a");
  for (double at = 0.5; at < 4; at += 0.1) Sleep(1, at, at + 0.09, kPrice);
  ReadModel();
  EXPECT_EQ(Rest().calls, 0u);
}

TEST_F(NameRests, HaveACallerOfTheProgram) {
  small_.files.Append(DUMP_CLASSES, "100.0000000000,000000D1,Lcom/acme/Cart$$Lambda$1;,\n");
  small_.files.Append(DUMP_METHODS, "100.0000000000,00000021,run,()V,000000D1,-1\n");
  ReadModel();
  EXPECT_EQ(Caller("3;00000003;FFFFFFFF;00000010;00000000;00000012;00000000"),
            "Inventory.reserve (Inventory.java:42)");
  EXPECT_EQ(Caller("2;00000003;FFFFFFFF;00000010;00000000"), "");
  EXPECT_EQ(Caller("3;00000003;FFFFFFFF;00000010;00000000;00000021;FFFFFFFF"), "");
}

}  // namespace
