#include "agent/classfile/jumps.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// "place:offset " for each jump target of the instruction. A nop precedes the instruction.
std::string FormatJumps(const std::string &instruction) {
  std::string code = U1(OPCODE_nop) + instruction, out;
  for (uint32_t i = 0; i < jump_count(MakeSpan(code), 1); i++) {
    out += std::to_string(jump_place(MakeSpan(code), 1, i)) + ":" +
           std::to_string(jump_offset(MakeSpan(code), 1, i)) + " ";
  }
  return out;
}

TEST(Jumps, MostInstructionsHaveNone) {
  EXPECT_EQ(FormatJumps(U1(OPCODE_return)), "");
  EXPECT_EQ(FormatJumps(Bytes({OPCODE_ret, 1})), "");
}

TEST(Jumps, ShortAndWideOnesHaveOneTarget) {
  EXPECT_EQ(FormatJumps(Bytes({OPCODE_ifeq, 1, 2})), "2:258 ");
  EXPECT_EQ(FormatJumps(Bytes({OPCODE_goto, 0x80, 0})), "2:-32768 ");
  EXPECT_EQ(FormatJumps(Bytes({OPCODE_jsr, 0x7F, 0xFF})), "2:32767 ");
  EXPECT_EQ(FormatJumps(U1(OPCODE_goto_w) + U4(70000)), "2:70000 ");
  EXPECT_EQ(FormatJumps(U1(OPCODE_jsr_w) + U4(0xFFFFFFFF)), "2:-1 ");
}

TEST(Jumps, SwitchesStartWithTheirDefault) {
  std::string padding(2, '\0');
  EXPECT_EQ(FormatJumps(U1(OPCODE_tableswitch) + padding + U4(7) + U4(0xFFFFFFFF) + U4(0) + U4(8) +
                        U4(0xFFFFFFFE)),
            "4:7 16:8 20:-2 ");
  EXPECT_EQ(FormatJumps(U1(OPCODE_lookupswitch) + padding + U4(7) + U4(2) + U4(1000) + U4(8) +
                        U4(2000) + U4(9)),
            "4:7 16:8 24:9 ");
  EXPECT_EQ(FormatJumps(U1(OPCODE_lookupswitch) + padding + U4(7) + U4(0)), "4:7 ");
}

}  // namespace
