// Reads arbitrary bytes as a file of budgets. The reader must not crash. It either refuses the file
// with one line, or what it accepts must be written as text that it reads as the same budgets.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/orca/budget/budget_text.h"

namespace {

void Require(bool condition, const char *failure) {
  if (condition) return;
  fprintf(stderr, "%s\n", failure);
  abort();
}

void TestRefusal(struct span why) {
  Require(why.len > 0, "a refusal has no reason");
  Require(memchr(why.data, '\n', why.len) == nullptr, "a reason has several lines");
}

void TestSecondReading(const struct builder &first) {
  struct budget budget = {};
  struct builder why = {}, second = {};
  Require(budget_parse({first.len == 0 ? "" : first.data, first.len}, &budget, &why),
          "the written text is refused");
  budget_write(&second, &budget);
  Require(second.len == first.len &&
              (first.len == 0 || memcmp(second.data, first.data, first.len) == 0),
          "the written text is read as something else");
  budget_free(&budget);
  builder_free(&why);
  builder_free(&second);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct budget budget = {};
  struct builder why = {}, text = {};
  struct span input = {size == 0 ? "" : reinterpret_cast<const char *>(data), size};
  if (budget_parse(input, &budget, &why)) {
    budget_write(&text, &budget);
    TestSecondReading(text);
  } else {
    TestRefusal({why.data, why.len});
  }
  budget_free(&budget);
  builder_free(&why);
  builder_free(&text);
  return 0;
}
