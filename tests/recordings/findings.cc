#include "tests/recordings/findings.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/tools/orca/render/view/said_again.h"

void ExpectFindings(const Recording &recording) {
  const std::vector<Json> findings = recording.ReadView("report")["findings"].items;
  std::string summary;
  EXPECT_FALSE(findings.empty());
  for (const Json &finding : findings) {
    ExpectSaidAgain(finding);
    summary += (summary.empty() ? "* " : "\n* ") + finding["text"].text;
  }
  EXPECT_EQ(recording.ReadSummary(), summary);
  ExpectNothingExcluded(findings);
}
