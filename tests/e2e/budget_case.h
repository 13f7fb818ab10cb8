#pragma once
/* Records programs that break one budget, and the same programs mended (tests/workloads/budgets).
   Which budget it is follows from the program alone. */
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/e2e/session.h"
#include "tests/support/json.h"

inline constexpr char kAll[] = ",monitors=all,locks=all,filter=budgets.*";

/* A JDK, and the kind of the locks: "monitor" or "lock". */
class BudgetCase : public testing::TestWithParam<std::tuple<Jdk, std::string>> {
 protected:
  std::unique_ptr<Session> Record(const std::string &budget, const std::string &state,
                                  const std::string &options = kAll) {
    auto [jdk, kind] = GetParam();
    auto session = std::make_unique<Session>(
        jdk, Program({"budgets.Costs", budget, state, kind}, {}, options));
    session->WaitOnly(60);
    EXPECT_EQ(session->result().status, 0) << session->result().err;
    return session;
  }

  /* Returns the kinds of budgets that the recordings break, each once. Only these kinds, and times
     of a loaded machine, may be not proven. */
  std::vector<std::string> FindBroken(const std::string &file,
                                      const std::vector<const Session *> &runs,
                                      const std::set<std::string> &unproven = {}) {
    std::string path = scratch_.dir() + "/locks.budget";
    std::ofstream(path) << file;
    std::vector<std::string> words = {"--format=json", path}, kinds;
    for (size_t i = 0; i + 1 < runs.size(); i++) words.push_back(runs[i]->prefix());
    Result result = RunOrcaOn("budget", words, runs.back()->prefix(), scratch_.dir());
    Json json = ReadJson(result.out);
    for (const Json &budget : json["budgets"].items) {
      bool is_time = budget["kind"].text == "lock" || budget["kind"].text == "blocked";
      bool may_lack = is_time || unproven.count(budget["kind"].text) > 0;
      EXPECT_TRUE(may_lack || budget["state"].text != "unproven") << result.out;
      if (budget["state"].text != "broken") continue;
      if (kinds.empty() || kinds.back() != budget["kind"].text)
        kinds.push_back(budget["kind"].text);
    }
    EXPECT_EQ(result.status, kinds.empty() ? 0 : 3) << result.out << result.err;
    return kinds;
  }

  using Kinds = std::vector<std::string>;
  Scratch scratch_;
};
