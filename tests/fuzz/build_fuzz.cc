// Reads arbitrary bytes as build events. The reader must not crash. It either refuses them with one
// line, or gives tests in the order of their labels, whose outputs have absolute paths.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tools/orca/collect/build_events.h"

namespace {

void Require(bool condition, const char *failure) {
  if (condition) return;
  fprintf(stderr, "%s\n", failure);
  abort();
}

void TestTests(const struct build_events &build) {
  for (size_t i = 0; i < build.num; i++) {
    const struct build_test &test = build.tests[i];
    Require(test.label[0] != '\0', "a test has no label");
    Require(i == 0 || strcmp(build.tests[i - 1].label, test.label) < 0, "tests are not in order");
    Require(test.num == 0 || test.runs > 0, "a test that did not run has outputs");
    for (size_t k = 0; k < test.num; k++) {
      Require(test.outputs[k].uri != nullptr, "outputs have no uri");
      Require(test.outputs[k].path == nullptr || test.outputs[k].path[0] == '/',
              "a path is not absolute");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct build_events build = {};
  struct builder why = {};
  char none = 0;
  FILE *in = fmemopen(size == 0 ? static_cast<void *>(&none) : const_cast<uint8_t *>(data),
                      size == 0 ? 1 : size, "r");
  if (in == nullptr) return 0;
  if (build_events_read(&build, in, &why)) {
    TestTests(build);
  } else {
    Require(why.len > 0, "a refusal has no reason");
    Require(memchr(why.data, '\n', why.len) == nullptr, "a reason has several lines");
  }
  fclose(in);
  build_events_free(&build);
  builder_free(&why);
  return 0;
}
