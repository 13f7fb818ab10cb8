// What is woven when memory runs out: all of it, or nothing.
#include "agent/classfile/weave.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/support/scarce.h"

namespace {

const struct weave_hooks kHooks = {"Hook",         "enter",          "exit",       "thrown",
                                   "monitorEnter", "monitorEntered", "monitorExit"};

// Instructions enough that no buffer that is needed is still large enough by chance.
CodeBytes Code(size_t length) {
  CodeBytes c;
  c.max_stack = 2;
  c.max_locals = 4;
  c.code = std::string(length, '\0') + "\xb1";
  return c;
}

std::string ClassFile() {
  ClassMaker maker(52);
  maker.AddMethod(0, "lock", "()V", Code(1));
  maker.AddMethod(0x20, "guarded", "(Ljava/lang/String;J)V", Code(300));
  maker.AddMethod(0, "<init>", "()V", Code(5000));
  maker.AddMethod(0x8, "made", "(I)V", Code(3));
  return maker.Make();
}

struct weave_request Request(const char *name, const char *descriptor) {
  struct weave_request r = {name, descriptor, {}, WEAVE_WOVEN};
  r.hooking.id = 100000;
  r.hooking.enter = ENTER_NULL;
  r.hooking.exit = EXIT_PLAIN;
  return r;
}

std::vector<struct weave_request> Requests() {
  std::vector<struct weave_request> all = {Request("made", "(I)V"), Request("lock", "()V"),
                                           Request("guarded", "(Ljava/lang/String;J)V")};
  all[1].hooking.shortcut = {"Asked", "aShortcutWithANameThatIsNotInThePool"};
  all[2].hooking.monitors = true;
  all[2].hooking.at_entry = {"Asked", "atEntry"};
  all[2].hooking.at_returns = {"Asked", "atReturns"};
  return all;
}

TEST(WeaveMemory, WithoutMemoryForAnyPieceTheClassIsRefusedAsAWhole) {
  const std::string class_file = ClassFile();
  std::string whole;
  unsigned long num = 0;
  for (unsigned long nth = 0; nth <= num; nth++) {  // 0: none fails
    SCOPED_TRACE(nth);
    std::vector<struct weave_request> requests = Requests();
    struct builder out = {};
    scarce_fail(nth);
    enum weave_status status =
        weave_class(SpanOf(class_file), &kHooks, requests.data(), requests.size(), &out);
    if (nth == 0) num = scarce_num();
    scarce_fail(0);
    std::string bytes = Taken(&out);
    if (nth == 0) whole = bytes;
    ASSERT_EQ(status, nth == 0 ? WEAVE_WOVEN : WEAVE_NO_MEMORY);
    EXPECT_EQ(bytes, nth == 0 ? whole : "");
    for (const struct weave_request &r : requests) EXPECT_EQ(r.status, status) << r.name;
  }
  EXPECT_GT(num, 50u);
}

}  // namespace
