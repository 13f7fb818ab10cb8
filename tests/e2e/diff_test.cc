/* Two runs of a program, the second with a method that takes three times the CPU time and a lock
   that is had four times as long: orca diff says so, in the workload's own numbers. */
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
        ::Setup{GetParam(), "weave"}, Program({"counted.Versions", version}, {}, ",interval=5ms"));
    session->Wait();
    EXPECT_EQ(session->result().status, 0) << session->result().err;
    return session;
  }
};

/* What the program says of itself: "price 362109517". */
double Said(const Session &session, const std::string &what) {
  std::istringstream lines(session.result().out);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(what + " ", 0) == 0) return std::stod(line.substr(what.size()));
  }
  ADD_FAILURE() << "no " << what << " in " << session.result().out;
  return 0;
}

TEST_P(DiffTest, NamesTheMethodAndTheLock) {
  auto a = Run("before"), b = Run("after");
  Result text = b->Orca("diff", {a->prefix()});
  EXPECT_EQ(text.status, 0) << text.err;
  std::string words = text.out.substr(0, text.out.find("\nAll in all"));
  for (const char *word : {"* B uses 0.", " CPUs more than A (", "Versions.price",
                           "* Threads are blocked by locks ", " longer in each second of B",
                           "monitor of counted.Versions$Shelf", "Versions$Shelf.take"}) {
    EXPECT_NE(words.find(word), std::string::npos) << "no " << word << " in " << words;
  }
}

TEST_P(DiffTest, NumbersAreThoseOfTheProgram) {
  auto a = Run("before"), b = Run("after");
  Result json = b->Orca("diff", {"--format=json", a->prefix()});
  EXPECT_EQ(json.status, 0) << json.err;
  Json all = JsonReader(json.out).Read();
  const Json &price = all["methods"].items.at(0), &shelf = all["locks"].items.at(0);
  EXPECT_EQ(price["method"].text, "Versions.price");
  EXPECT_EQ(price["verdict"].text, "more");
  const Json &cpu = all["totals"].items.at(1);
  EXPECT_EQ(cpu["what"].text, "cpu_ns");
  double more = Said(*b, "price") - Said(*a, "price");
  EXPECT_NEAR(cpu["b"].Number() - cpu["a"].Number(), more,
              0.3 * more); /* the JVM's start is in it */
  EXPECT_EQ(shelf["lock"].text, "monitor of counted.Versions$Shelf");
  EXPECT_EQ(shelf["verdict"].text, "more");
  /* The buyer may come so late, on a busy machine, that it finds the shelf free. */
  EXPECT_LE(shelf["b_count"].Number(), Said(*b, "takes"));
  EXPECT_GE(shelf["b_count"].Number(), Said(*b, "takes") * 0.8);
}

TEST_P(DiffTest, OfARunAndItself) {
  auto a = Run("before");
  Result text = a->Orca("diff", {a->prefix()});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("* No change is larger than chance"), std::string::npos) << text.out;
}

INSTANTIATE_TEST_SUITE_P(Jvm, DiffTest, testing::ValuesIn(FindJdks()),
                         [](const auto &info) { return info.param.name; });

}  // namespace
