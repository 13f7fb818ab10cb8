#include "tests/recordings/findings.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/recordings/screen.h"
#include "tests/tools/orca/render/view/said_again.h"

namespace {

// A sentence that names the holder of a lock does not say that it is unknown.
void ExpectOneAnswer(const std::string &text) {
  bool is_named = Matches(text, "held (most )?by ");
  EXPECT_FALSE(is_named && Matches(text, "(owner is|owners are) not known")) << text;
}

}  // namespace

void ExpectFindings(const Recording &recording) {
  const std::vector<Json> findings = recording.ReadView("report")["findings"].items;
  std::string summary;
  EXPECT_FALSE(findings.empty());
  for (const Json &finding : findings) {
    ExpectSaidAgain(finding);
    ExpectOneAnswer(finding["text"].text);
    summary += (summary.empty() ? "* " : "\n* ") + finding["text"].text;
  }
  EXPECT_EQ(recording.ReadSummary(), summary);
  ExpectNothingExcluded(findings);
}
