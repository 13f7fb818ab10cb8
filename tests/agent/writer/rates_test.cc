#include "agent/writer/rates.h"

#include "agent/base/clock.h"
#include "gtest/gtest.h"

namespace {

class RatesTest : public testing::Test {
 protected:
  RatesTest() {
    rates_init(&rates_);
    rates_begin(&rates_, At(100));
  }
  static uint64_t At(double seconds) { return static_cast<uint64_t>(seconds * 1e9); }
  void Note(double seconds, uint64_t events) {
    struct rates_look totals = {At(seconds), events, 2 * events, 10 * events};
    rates_note(&rates_, &totals);
  }

  struct rates rates_ = {};
};

TEST_F(RatesTest, BeginAtZero) {
  EXPECT_EQ(rates_read(&rates_, At(100)).ns, 0u);
  struct rates_span span = rates_read(&rates_, At(102));
  EXPECT_EQ(span.ns, At(2));
  EXPECT_EQ(span.events, 0u);
}

TEST_F(RatesTest, AreThoseOfTheLastSeconds) {
  for (int s = 1; s <= 60; s++) Note(100 + s, static_cast<uint64_t>(s) * 7);
  struct rates_span span = rates_read(&rates_, At(160.5));
  EXPECT_EQ(span.ns, At(160.5) - At(155));
  EXPECT_EQ(span.events, 5u * 7);
  EXPECT_EQ(span.samples, 5u * 14);
  EXPECT_EQ(span.bytes, 5u * 70);
}

TEST_F(RatesTest, KnowWhatIsNewerThanTheLastLook) {
  Note(101, 10);
  Note(101.2, 30);
  EXPECT_EQ(rates_read(&rates_, At(101.5)).events, 30u);
  /* Then the writer sleeps. */
  EXPECT_EQ(rates_read(&rates_, At(130)).events, 20u);
  EXPECT_EQ(rates_read(&rates_, At(130)).ns, At(29));
}

TEST_F(RatesTest, BeginAgain) {
  Note(101, 10);
  rates_begin(&rates_, At(200));
  Note(201, 4);
  EXPECT_EQ(rates_read(&rates_, At(202)).events, 4u);
  EXPECT_EQ(rates_read(&rates_, At(202)).ns, At(2));
}

}  // namespace
