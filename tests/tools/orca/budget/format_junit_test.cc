#include <stdio.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/tools/orca/budget/judged.h"
#include "tools/orca/budget/format.h"

namespace {

// Prints a line for each value of the file: its name and its UTF-8 in hexadecimal digits.
const char kReader[] =
    "import sys, xml.etree.ElementTree as tree\n"
    "def put(name, text): print(name, text.encode('utf-8').hex())\n"
    "def show(node):\n"
    "  for key in sorted(node.attrib): put(node.tag + '.' + key, node.attrib[key])\n"
    "  if (node.text or '').strip(): put(node.tag, node.text)\n"
    "  for child in node: show(child)\n"
    "show(tree.parse(sys.argv[1]).getroot())\n";

std::string Decode(const std::string &hex) {
  std::string text;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    text += static_cast<char>(strtoul(hex.substr(i, 2).c_str(), nullptr, 16));
  }
  return text;
}

// Returns the values "name=text" that a parser of XML finds.
Names Parse(const std::string &xml) {
  std::string folder = testing::TempDir(), file = folder + "/junit.xml",
              script = folder + "/read.py";
  std::ofstream(file, std::ios::binary) << xml;
  std::ofstream(script) << kReader;
  FILE *pipe = popen(("python3 '" + script + "' '" + file + "'").c_str(), "r");
  std::string out;
  for (int c; (c = getc(pipe)) != EOF;) out += static_cast<char>(c);
  EXPECT_EQ(pclose(pipe), 0) << xml;
  std::istringstream lines(out);
  Names values;
  for (std::string name, hex; lines >> name;) {
    std::getline(lines, hex);
    values.push_back(name + "=" + Decode(hex.substr(hex.empty() ? 0 : 1)));
  }
  return values;
}

bool Has(const Names &values, const std::string &value) {
  for (const std::string &v : values) {
    if (v == value) return true;
  }
  return false;
}

TEST(FormatJunit, SkipsWhatALeastNumberDoesNotProve) {
  Runs runs;
  runs.Run("/tmp/a").More(10, 9).Lock("A at m", 15, 10);
  std::string text = Judged("lock: A at m = 20 waits, longest 100ms\n", runs).Write(format_junit);
  EXPECT_NE(
      text.find("<skipped message=\"at least 15 waits, longest 10.0 ms; the recording has sums"),
      std::string::npos)
      << text;
}

TEST(FormatJunit, HasATestCaseForEachBudget) {
  Runs runs;
  runs.Run("/tmp/a")
      .Add(BUDGET_ORDER, "A > B", 1, 0, "one asks\ntwo")
      .Unproven(BUDGET_IO, "no samples");
  Names values = Parse(Judged("", runs).Write(format_junit));
  for (const char *value :
       {"testsuite.name=locks.budget", "testsuite.tests=6", "testsuite.failures=1",
        "testsuite.errors=0", "testsuite.skipped=1", "testcase.classname=orca.budget",
        "testcase.name=deadlock", "testcase.name=order: A > B", "failure.type=order",
        "failure.message=order: A > B; allowed: only those in the file; found in 1 of "
        "1 "
        "run: one asks",
        "failure=/tmp/a\none asks\ntwo\nadvice: acquire the locks in the same order everywhere; "
        "--accept accepts a known inversion\nmore: orca deadlocks /tmp/a",
        "skipped.message=no samples"}) {
    EXPECT_TRUE(Has(values, value)) << value;
  }
}

TEST(FormatJunit, AcceptsAnyName) {
  const std::string bad = "\xEF\xBF\xBD";
  Runs runs;
  runs.Run(HostileName()).Add(BUDGET_IO, HostileName(), 1, 0, HostileName() + "\n" + HostileName());
  Names values = Parse(Judged("", runs).Write(format_junit, HostileName().c_str()));
  EXPECT_TRUE(Has(values, "testcase.name=io: a<b>&\"c\"|'d'`e`" + bad + bad + "[1m" + bad + bad +
                              bad + bad + "*f*_\\"));
}

}  // namespace
