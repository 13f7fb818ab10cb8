// A class is woven as a whole or not at all when memory runs out.
#include "agent/classfile/weave.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/agent/classfile/weave_requests.h"
#include "tests/support/scarce.h"

namespace {

const struct weave_hooks kHooks = {"Hook",         "enter",          "exit",       "thrown",
                                   "monitorEnter", "monitorEntered", "monitorExit"};

// `length` differs so much between methods that buffers of earlier methods are too small.
CodeBytes MakeCode(size_t length) {
  CodeBytes c;
  c.max_stack = 2;
  c.max_locals = 4;
  c.code = std::string(length, '\0') + "\xb1";
  return c;
}

std::string MakeClassFile() {
  ClassMaker maker(52);
  maker.AddMethod(0, "lock", "()V", MakeCode(1));
  maker.AddMethod(0x20, "guarded", "(Ljava/lang/String;J)V", MakeCode(300));
  maker.AddMethod(0, "<init>", "()V", MakeCode(5000));
  maker.AddMethod(0x8, "made", "(I)V", MakeCode(3));
  return maker.Make();
}

WeaveRequest MakeRequest(const char *name, const char *descriptor) {
  WeaveRequest r = {name, descriptor, {}, WEAVE_WOVEN};
  r.hooking.id = 100000;
  r.hooking.enter = ENTER_NULL;
  r.hooking.exit = EXIT_PLAIN;
  return r;
}

std::vector<WeaveRequest> MakeRequests() {
  std::vector<WeaveRequest> all = {MakeRequest("made", "(I)V"), MakeRequest("lock", "()V"),
                                   MakeRequest("guarded", "(Ljava/lang/String;J)V")};
  all[1].hooking.shortcut = {"Callee", "aShortcutWithANameThatIsNotInThePool"};
  all[2].hooking.monitors = true;
  all[2].hooking.at_entry = {"Callee", "atEntry"};
  all[2].hooking.at_returns = {"Callee", "atReturns"};
  return all;
}

TEST(WeaveMemory, ClassIsRefusedAsAWholeIfAnyAllocationFails) {
  const std::string class_file = MakeClassFile();
  std::string whole;
  unsigned long num = 0;
  for (unsigned long nth = 0; nth <= num; nth++) {  // 0: no allocation fails
    SCOPED_TRACE(nth);
    std::vector<WeaveRequest> requests = MakeRequests();
    struct builder out = {};
    scarce_fail(nth);
    enum weave_status status =
        WeaveRequested(MakeSpan(class_file), &kHooks, requests.data(), requests.size(), &out);
    if (nth == 0) num = scarce_num();
    scarce_fail(0);
    std::string bytes = TakeBytes(&out);
    if (nth == 0) whole = bytes;
    ASSERT_EQ(status, nth == 0 ? WEAVE_WOVEN : WEAVE_NO_MEMORY);
    EXPECT_EQ(bytes, nth == 0 ? whole : "");
    for (const WeaveRequest &r : requests) EXPECT_EQ(r.status, status) << r.name;
  }
  EXPECT_GT(num, 50u);
}

}  // namespace
