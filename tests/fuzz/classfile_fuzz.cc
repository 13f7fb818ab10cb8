// Any bytes as a class file: the rewriter must not fall over them, and what it makes of them must
// be a class file that it can read again. The first byte says how the methods are woven, the others
// are the class file.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agent/classfile/weave.h"

namespace {

void Require(bool good, const char *what) {
  if (good) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

struct Tally {
  struct weave_hooking hooking;
  size_t chosen, answers[NUM_WEAVE_STATUSES];
};

const struct weave_hooks kHooks = {"java/lang/Hook", "enter", "exit", "exitByException"};

enum weave_status Weave(struct span class_file, Tally *tally, struct builder *out) {
  struct weave_chooser chooser = {
      [](void *context, struct span, struct span, struct weave_hooking *out_hooking) {
        Tally *t = static_cast<Tally *>(context);
        t->chosen++;
        *out_hooking = t->hooking;
        return true;
      },
      [](void *context, struct span, struct span, enum weave_status status) {
        static_cast<Tally *>(context)->answers[status]++;
      },
      tally};
  return weave_chosen(class_file, &kHooks, &chooser, out);
}

struct weave_hooking HookingOf(uint8_t how) {
  static const int32_t ids[] = {1, -1, 1000, 40000};
  return {ids[how & 3], (how & 4) != 0, (how & 8) != 0};
}

// What was woven is a class file with the same methods, none of them worse than it was.
void Again(struct span woven, const Tally &once) {
  Tally again = {once.hooking, 0, {}};
  struct builder out = {};
  Weave(woven, &again, &out);
  Require(again.chosen == once.chosen, "a woven class has other methods");
  Require(again.answers[WEAVE_MALFORMED] <= once.answers[WEAVE_MALFORMED],
          "a woven method is malformed");
  builder_free(&out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  // A copy of just this size, so that AddressSanitizer sees a byte read too far.
  size_t len = size - 1;
  char *bytes = static_cast<char *>(malloc(len + (len == 0)));
  memcpy(bytes, data + 1, len);
  Tally once = {HookingOf(data[0]), 0, {}};
  struct builder out = {};
  enum weave_status status = Weave({bytes, len}, &once, &out);
  Require((status == WEAVE_WOVEN) == (out.len > 0), "bytes without WEAVE_WOVEN, or none with it");
  if (status == WEAVE_WOVEN) Again({out.data, out.len}, once);
  builder_free(&out);
  free(bytes);
  return 0;
}
