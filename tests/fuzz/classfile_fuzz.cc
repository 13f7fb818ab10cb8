// Any bytes as a class file: the rewriter must not fall over them, and what it makes of them must
// be a class file that it can read again. The first two bytes say how the methods are woven, the
// others are the class file.
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
  const struct weave_hooks *hooks;
  size_t chosen, annotated, answers[NUM_WEAVE_STATUSES];
};

const struct weave_hooks kHooks[] = {
    {"java/lang/Hook", "enter", "exit", "thrown", "monitorEnter", "monitorEntered", "monitorExit"},
    {"java/lang/Hook", "enter", "exit", nullptr, "monitorEnter", "monitorEntered", "monitorExit"}};

enum weave_status Weave(struct span class_file, Tally *tally, struct builder *out) {
  struct weave_chooser chooser = {
      [](void *context, const struct weave_method *m, struct weave_hooking *out_hooking) {
        Tally *t = static_cast<Tally *>(context);
        t->chosen++;
        t->annotated += weave_method_annotated(m, "LOne;") + weave_class_annotated(m, "LOne;");
        *out_hooking = t->hooking;
        return true;
      },
      [](void *context, const struct weave_method *, enum weave_status status) {
        static_cast<Tally *>(context)->answers[status]++;
      },
      tally};
  return weave_chosen(class_file, tally->hooks, &chooser, out);
}

struct weave_static StaticIf(bool wanted, const char *name) {
  return wanted ? weave_static{"java/lang/Hook", name} : weave_static{};
}

struct weave_hooking HookingOf(unsigned how) {
  static const int32_t ids[] = {1, -1, 1000, 40000};
  struct weave_hooking h = {};
  h.id = ids[how & 3];
  h.enter = static_cast<enum weave_enter>((how >> 2 & 3) % 3);
  h.exit = static_cast<enum weave_exit>((how >> 4 & 3) % 3);
  h.monitors = (how & 64) != 0;
  h.at_entry = StaticIf(how & 128, "count");
  h.at_returns = StaticIf(how & 256, "made");
  h.shortcut = StaticIf(how & 512, "isOver");
  return h;
}

// What was woven is a class file with the same methods, none of them worse than it was.
void Again(struct span woven, const Tally &once) {
  Tally again = {once.hooking, once.hooks, 0, 0, {}};
  struct builder out = {};
  Weave(woven, &again, &out);
  Require(again.chosen == once.chosen, "a woven class has other methods");
  Require(again.answers[WEAVE_MALFORMED] <= once.answers[WEAVE_MALFORMED],
          "a woven method is malformed");
  Require(again.annotated == once.annotated, "a woven class has other annotations");
  builder_free(&out);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  // A copy of just this size, so that AddressSanitizer sees a byte read too far.
  size_t len = size - 2;
  char *bytes = static_cast<char *>(malloc(len + (len == 0)));
  memcpy(bytes, data + 2, len);
  unsigned how = static_cast<unsigned>(data[0] | data[1] << 8);
  Tally once = {HookingOf(how), &kHooks[how >> 10 & 1], 0, 0, {}};
  struct builder out = {};
  enum weave_status status = Weave({bytes, len}, &once, &out);
  Require((status == WEAVE_WOVEN) == (out.len > 0), "bytes without WEAVE_WOVEN, or none with it");
  if (status == WEAVE_WOVEN) Again({out.data, out.len}, once);
  builder_free(&out);
  free(bytes);
  return 0;
}
