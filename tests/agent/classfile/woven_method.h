#pragma once
/* A fixture that weaves one method. Its class has no other method. */
#include <string>
#include <vector>

#include "agent/classfile/opcodes.h"
#include "agent/classfile/weave.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/agent/classfile/weave_requests.h"

const uint32_t kStatic = 0x08, kSynchronized = 0x20;

class Method : public testing::Test {
 protected:
  Method() {
    code_.max_stack = 3;
    code_.max_locals = 4;
    code_.code = Bytes({OPCODE_iconst_0, OPCODE_pop, OPCODE_return});
  }

  void SetUp() override {
    hooking_.id = 7;
    hooking_.enter = ENTER_LOCAL_ZERO;
    hooking_.exit = EXIT_PLAIN;
  }

  // Weaves the method and returns its status. If that is WEAVE_WOVEN, sets parts_ and woven_.
  enum weave_status Weave() {
    ClassMaker maker(version_);
    for (const char *name : {"StackMapTable", "LineNumberTable", "LocalVariableTable", "Unknown"}) {
      maker.Utf8(name);
    }
    maker.Class("java/lang/Throwable");
    object_ = maker.Class("java/lang/Object");
    made_ = maker.Class("Made");
    super_call_ = maker.Method("java/lang/Object", "<init>", "()V");
    maker.AddMethod(flags_, name_, descriptor_, code_);
    before_ = maker.Make();
    struct weave_hooks hooks = {"Hook",         "enter",          "exit",       "thrown",
                                "monitorEnter", "monitorEntered", "monitorExit"};
    WeaveRequest request = {name_, descriptor_, hooking_, WEAVE_ABSENT};
    struct builder out = {};
    WeaveRequested(MakeSpan(before_), &hooks, &request, 1, &out);
    if (request.status == WEAVE_WOVEN) {
      parts_ = ReadParts(std::string(out.data, out.len));
      woven_ = parts_.methods.at(name_ + std::string(descriptor_));
    }
    builder_free(&out);
    return request.status;
  }

  // Returns the names of the methods that the woven method calls by invokestatic, in their order.
  std::string FindCalls() {
    std::string calls;
    for (uint32_t pc = 0; pc < woven_.code.size(); pc += opcode_length(MakeSpan(woven_.code), pc)) {
      if (static_cast<uint8_t>(woven_.code[pc]) != OPCODE_invokestatic) continue;
      uint32_t method = static_cast<uint32_t>(static_cast<uint8_t>(woven_.code[pc + 1]) << 8 |
                                              static_cast<uint8_t>(woven_.code[pc + 2]));
      calls += parts_.MethodName(method) + " ";
    }
    return calls;
  }

  // Makes the method a constructor. `body` follows its call of the superclass's constructor.
  void MakeConstructor(const std::string &body) {
    name_ = "<init>";
    Weave(); /* sets super_call_ */
    code_.code = Bytes({OPCODE_aload_0, OPCODE_invokespecial}) + U2(super_call_) + body;
  }

  uint32_t flags_ = 0;
  int version_ = 52;
  const char *name_ = "run", *descriptor_ = "()V";
  CodeBytes code_, woven_;
  struct weave_hooking hooking_ = {};
  uint32_t super_call_ = 0, object_ = 0, made_ = 0;
  std::string before_;
  ClassParts parts_;
};
