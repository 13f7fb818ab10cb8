/* Programs of tests/workloads/bugs, re-made from reports about bugs of public projects. The first
   sentence must name the culprit, and the section "In short" must claim nothing false. */
#include "gtest/gtest.h"
#include "tests/recordings/cases.h"
#include "tests/recordings/screen.h"

namespace {

struct BugRow {
  const char *name;  /* the program; with kAttached, what the same one shows by attach */
  const char *first; /* what the first sentence must match */
  std::vector<const char *> named;  /* what the section must match */
  std::vector<const char *> denied; /* what it must not match */
  std::vector<std::string> flags;
  double seconds = 0; /* a program that never ends: when it is killed */
};

constexpr char kAttached[] = "Attached";

const std::vector<BugRow> kRows = {};

void ExpectBug(const Recording &recording, const BugRow &row) {
  Screen screen = ReadScreen(recording.RunView("report"));
  EXPECT_TRUE(Matches(screen.first, row.first)) << screen.text;
  std::string text = recording.ReadSummary();
  for (const char *part : row.named) EXPECT_TRUE(Matches(text, part)) << part << "\n" << text;
  for (const char *part : row.denied) EXPECT_FALSE(Matches(text, part)) << part << "\n" << text;
}

}  // namespace

std::vector<Case> ListBugs() {
  std::vector<Case> cases;
  for (const BugRow &row : kRows) {
    Case c = {row.name, {}, "", [&row](const Recording &r) { ExpectBug(r, row); }, row.flags};
    std::string program = row.name;
    size_t at = program.find(kAttached);
    c.by_attach = at != std::string::npos;
    c.program = {"bugs." + program.substr(0, at)};
    c.jar = "bugs";
    c.seconds = row.seconds;
    cases.push_back(c);
  }
  return cases;
}
