#pragma once
// Budgets, runs and verdicts that a test makes of texts. The objects own the memory.
#include <deque>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"
#include "tools/orca/budget/budget_text.h"
#include "tools/orca/budget/verdict.h"

class Budget {
 public:
  explicit Budget(const std::string &text) {
    struct builder why = {};
    EXPECT_TRUE(budget_parse({text.data(), text.size()}, &budget, &why))
        << std::string(why.data, why.len);
    builder_free(&why);
  }
  Budget(const Budget &) = delete;
  ~Budget() { budget_free(&budget); }

  struct budget budget = {};
};

// The runs of a program, each with its figures.
class Runs {
 public:
  ~Runs() {
    for (struct figures &run : runs) figures_free(&run);
  }
  // Adds a run. Pointers to earlier runs become invalid.
  Runs &Run(const std::string &name, uint64_t scale = FIGURES_SCALE) {
    names_.push_back(name);
    struct figures run = {};
    run.name = names_.back().c_str();
    run.scale = scale;
    runs.push_back(run);
    return *this;
  }
  // Adds a figure to the last run.
  Runs &Add(enum budget_kind kind, std::string key, uint64_t number = 1, uint64_t longest_ns = 0,
            std::string text = "", std::string path = "", uint32_t line = 0) {
    struct figure figure = {};
    figure.kind = kind;
    figure.key = key.data();
    figure.number = number;
    figure.longest_ns = longest_ns;
    figure.text = text.data();
    figure.path = path.data();
    figure.source_line = line;
    EXPECT_TRUE(figures_add(&runs.back(), &figure));
    return *this;
  }
  Runs &Lock(const std::string &key, uint64_t waits, uint64_t longest_ms) {
    return Add(BUDGET_LOCK, key, waits, longest_ms * 1000000, "Threads waited");
  }
  // Sets the sort of the figure that was added last.
  Runs &Of(enum lock_sort sort) {
    runs.back().rows[runs.back().num - 1].sorts = 1u << sort;
    return *this;
  }
  // Sets waits of several locks that are not told apart.
  Runs &More(uint64_t waits, uint64_t longest_ms, enum lock_sort sort = LOCK_MONITOR) {
    runs.back().more[sort] = {waits, longest_ms * 1000000};
    return *this;
  }
  Runs &Unproven(enum budget_kind kind, const char *why) {
    runs.back().unproven[kind] = why;
    return *this;
  }

  std::vector<struct figures> runs;

 private:
  std::deque<std::string> names_;
};

class Judged {
 public:
  Judged(const std::string &text, const Runs &runs) : budget_(text) {
    EXPECT_TRUE(verdict_find(&verdict, &budget_.budget, runs.runs.data(), runs.runs.size()));
  }
  Judged(const Judged &) = delete;
  ~Judged() { verdict_free(&verdict); }

  // Returns the names of the rows in this state: "order A at m", in their order.
  std::vector<std::string> List(enum verdict_state state) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < verdict.num; i++) {
      const struct verdict_row &row = verdict.rows[i];
      if (row.state != state) continue;
      std::string key = row.key;
      names.push_back(budget_kinds[row.kind].word + (key.empty() ? "" : " " + key));
    }
    return names;
  }
  std::vector<std::string> Broken() const { return List(VERDICT_BROKEN); }

  std::string Write(void (*format)(struct builder *, const struct verdict *, const char *),
                    const char *file = "locks.budget") const {
    struct builder b = {};
    format(&b, &verdict, file);
    return TakeText(&b);
  }

  struct verdict verdict = {};

 private:
  Budget budget_;
};

// Names that mean something to XML, Markdown, JSON, a shell, or are no UTF-8.
inline std::string HostileName() { return "a<b>&\"c\"|'d'`e`\x01\x1b[1m\xff\xed\xa0\x80*f*_\\"; }

using Names = std::vector<std::string>;
