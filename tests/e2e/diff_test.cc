/* Tests `orca diff` on two runs of a program. In the second run, a method takes three times the CPU
   time, and a lock is held four times as long. The numbers must match those that the program
   prints. */
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/json.h"

namespace {

class DiffTest : public testing::TestWithParam<Jdk> {
 protected:
  std::unique_ptr<Session> Run(const std::string &version) {
    auto session = std::make_unique<Session>(
        GetParam(), Program({"counted.Versions", version}, {}, ",interval=5ms"));
    session->Wait();
    EXPECT_EQ(session->result().status, 0) << session->result().err;
    return session;
  }
};

/* Reads a number that the program prints: "price 362109517". */
double ReadNumber(const Session &session, const std::string &key) {
  std::istringstream lines(session.result().out);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(key + " ", 0) == 0) return std::stod(line.substr(key.size()));
  }
  ADD_FAILURE() << "no " << key << " in " << session.result().out;
  return 0;
}

TEST_P(DiffTest, NamesTheMethodAndTheLock) {
  auto a = Run("before"), b = Run("after");
  Result text = b->RunOrca("diff", {a->prefix()});
  EXPECT_EQ(text.status, 0) << text.err;
  std::string words = text.out.substr(0, text.out.find("\nAll in all"));
  for (const char *word : {"* B uses 0.", " CPUs more than A (", "Versions.price",
                           "* Threads are blocked by locks ", " longer in each second of B",
                           "monitor of counted.Versions$Shelf", "Versions$Shelf.take"}) {
    EXPECT_NE(words.find(word), std::string::npos) << "no " << word << " in " << words;
  }
}

TEST_P(DiffTest, ReportsTheNumbersOfTheProgram) {
  auto a = Run("before"), b = Run("after");
  Result json = b->RunOrca("diff", {"--format=json", a->prefix()});
  EXPECT_EQ(json.status, 0) << json.err;
  Json all = JsonReader(json.out).Read();
  const Json &price = all["methods"].items.at(0), &shelf = all["locks"].items.at(0);
  EXPECT_EQ(price["method"].text, "Versions.price");
  EXPECT_EQ(price["verdict"].text, "more");
  const Json &cpu = all["totals"].items.at(1);
  EXPECT_EQ(cpu["what"].text, "cpu_ns");
  double more = ReadNumber(*b, "price") - ReadNumber(*a, "price");
  /* The CPU time of the recordings includes the start of the JVM. */
  EXPECT_NEAR(cpu["b"].Number() - cpu["a"].Number(), more, 0.3 * more);
  EXPECT_EQ(shelf["lock"].text, "monitor of counted.Versions$Shelf");
  EXPECT_EQ(shelf["verdict"].text, "more");
  /* On a busy machine, some acquisitions may be uncontended. */
  EXPECT_LE(shelf["b_count"].Number(), ReadNumber(*b, "takes"));
  EXPECT_GE(shelf["b_count"].Number(), ReadNumber(*b, "takes") * 0.8);
}

TEST_P(DiffTest, FindsNoChangeBetweenARunAndItself) {
  auto a = Run("before");
  Result text = a->RunOrca("diff", {a->prefix()});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("* No change is larger than chance"), std::string::npos) << text.out;
}

INSTANTIATE_TEST_SUITE_P(Jvm, DiffTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
