// Weaves arbitrary bytes as a class file. The weaver must not crash, and a woven class must be a
// class file that it can read again. The first two bytes of the input select how methods are woven;
// the rest is the class file.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agent/classfile/weave.h"

namespace {

void Require(bool condition, const char *failure) {
  if (condition) return;
  fprintf(stderr, "%s\n", failure);
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
        t->annotated +=
            weave_method_has_annotation(m, "LOne;") + weave_class_has_annotation(m, "LOne;");
        *out_hooking = t->hooking;
        return true;
      },
      [](void *context, const struct weave_method *, enum weave_status status) {
        static_cast<Tally *>(context)->answers[status]++;
      },
      tally};
  return weave_class(class_file, tally->hooks, &chooser, out);
}

struct weave_static MakeStatic(bool is_wanted, const char *name) {
  return is_wanted ? weave_static{"java/lang/Hook", name} : weave_static{};
}

struct weave_hooking MakeHooking(unsigned how) {
  static const int32_t ids[] = {1, -1, 1000, 40000};
  struct weave_hooking h = {};
  h.id = ids[how & 3];
  h.enter = static_cast<enum weave_enter>((how >> 2 & 3) % 3);
  h.exit = static_cast<enum weave_exit>((how >> 4 & 3) % 3);
  h.monitors = (how & 64) != 0;
  h.at_entry = MakeStatic(how & 128, "count");
  h.at_returns = MakeStatic(how & 256, "made");
  h.shortcut = MakeStatic(how & 512, "isOver");
  return h;
}

// Expects that a woven class has the same methods, and no additional malformed ones.
void RequireReadable(struct span woven, const Tally &once) {
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
  // A copy of exactly this size lets AddressSanitizer detect reads past the end.
  size_t len = size - 2;
  char *bytes = static_cast<char *>(malloc(len + (len == 0)));
  memcpy(bytes, data + 2, len);
  unsigned how = static_cast<unsigned>(data[0] | data[1] << 8);
  Tally once = {MakeHooking(how), &kHooks[how >> 10 & 1], 0, 0, {}};
  struct builder out = {};
  enum weave_status status = Weave({bytes, len}, &once, &out);
  Require((status == WEAVE_WOVEN) == (out.len > 0),
          "the output is empty with WEAVE_WOVEN, or not empty without it");
  if (status == WEAVE_WOVEN) RequireReadable({out.data, out.len}, once);
  builder_free(&out);
  free(bytes);
  return 0;
}
