#include "tests/recordings/screen.h"

#include <regex>

#include "gtest/gtest.h"
#include "tests/support/text.h"

bool Matches(const std::string &text, const std::string &pattern) {
  return std::regex_search(text, std::regex(pattern));
}

Screen ReadScreen(const std::string &report) {
  Screen screen;
  const std::string heading = "\nIn short\n";
  size_t start = report.find(heading);
  EXPECT_NE(start, std::string::npos) << report;
  if (start == std::string::npos) return screen;
  start += heading.size();
  screen.text = report.substr(start, report.find("\n\n", start) - start);
  int num_lines = 0, num_sentences = 0;
  for (const std::string &line : SplitLines(screen.text + "\n")) {
    num_sentences += line.rfind("* ", 0) == 0;
    std::string words = " " + line.substr(2);
    if (num_sentences == 1) screen.first += words;
    if (num_lines++ < 5) screen.top += words;
  }
  return screen;
}
