/* Tests that the first screen of the report names the problems of the example program. */
#include <regex>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/text.h"

namespace {

constexpr size_t kScreen = 40; /* lines */

class ExampleTest : public testing::TestWithParam<Setup> {};

std::string FirstScreen(const std::string &report) {
  std::string screen;
  size_t lines = 0;
  for (const std::string &line : SplitLines(report)) {
    if (lines++ < kScreen) screen += line + "\n";
  }
  return screen;
}

TEST_P(ExampleTest, ReportNamesTheHotMethodTheLockAndItsHolder) {
  Session session(GetParam(), Program({"orders.OrderService"}));
  session.Wait();
  EXPECT_EQ(session.result().status, 0) << session.result().err;
  EXPECT_NE(session.result().out.find("sold 300 orders, 900 pieces"), std::string::npos)
      << session.result().out;
  session.ExpectQuiet();
  session.ExpectChecked();
  Result report = session.RunOrca("report");
  EXPECT_EQ(report.status, 0) << report.err;
  /* The report explains every counter; it would print an unknown one as "* name is N.". */
  EXPECT_FALSE(std::regex_search(report.out, std::regex("\\* [a-z.]+ is [0-9]+\\."))) << report.out;
  std::string screen = FirstScreen(report.out);
  for (const char *word : {"simulatePrice", "Ledger", "audit"}) {
    EXPECT_NE(screen.find(word), std::string::npos) << "no " << word << " in:\n" << screen;
  }
  Result html = session.RunOrca("html");
  EXPECT_EQ(html.status, 0) << html.err;
  std::string page = ReadFile(session.prefix() + ".html");
  EXPECT_NE(page.find("Pricing.simulatePrice"), std::string::npos);
  EXPECT_LT(page.size(), 1u << 20);
}

INSTANTIATE_TEST_SUITE_P(Jvm, ExampleTest, testing::ValuesIn(FindSetups()),
                         [](const auto &info) { return SetupName(info.param); });

}  // namespace
