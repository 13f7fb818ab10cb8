#include "tools/orca/cmd/agent_options.h"

#include <string>

#include "agent/event/event.h"
#include "agent/options/options.h"
#include "gtest/gtest.h"

namespace {

std::string PrintOptions() {
  testing::internal::CaptureStdout();
  EXPECT_EQ(agent_options_print(), 0);
  fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

// Joins the lines that the help wrapped.
std::string Unwrap(std::string text) {
  for (size_t at; (at = text.find("\n                     ")) != std::string::npos;) {
    text.replace(at, 22, " ");
  }
  for (size_t at; (at = text.find("  ")) != std::string::npos;) text.erase(at, 1);
  return text;
}

TEST(AgentOptions, PrintsEachOptionWithDefaultMeaningAndValues) {
  std::string text = Unwrap(PrintOptions());
  for (const struct option_info &info : option_infos) {
    std::string changers[] = {"", "; orca set can change it",
                              "; orca set and triggers can change it"};
    std::string line = std::string("\n ") + info.key + "=" + info.fallback + " " + info.meaning +
                       changers[info.changer] + " takes " + info.takes + "\n";
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  }
}

TEST(AgentOptions, PrintsTheGroupsOfEvents) {
  std::string text = Unwrap(PrintOptions());
  for (const struct group_info &info : group_infos) {
    EXPECT_NE(text.find(std::string("\n ") + info.name + " " + info.holds), std::string::npos);
  }
}

TEST(AgentOptions, FitsTheTerminal) {
  std::string text = PrintOptions();
  for (size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    EXPECT_LE(end - at, 102u) << text.substr(at, end - at);  // an ellipsis has three bytes
    EXPECT_FALSE(end > at && text[end - 1] == ' ') << text.substr(at, end - at);
  }
}

}  // namespace
