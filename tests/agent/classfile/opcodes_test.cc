#include "agent/classfile/opcodes.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

uint32_t FindLength(const std::string &code, uint32_t pc = 0) {
  return opcode_length(MakeSpan(code), pc);
}

std::string MakeZeros(size_t n) { return std::string(n, '\0'); }

TEST(Opcodes, AreThoseOfTheSpecification) {
  for (int i = 0; i < 256; i++) {
    bool exists = i <= OPCODE_jsr_w;
    EXPECT_EQ(opcode_infos[i].kind != OP_UNKNOWN, exists) << i;
    EXPECT_EQ(opcode_infos[i].name != nullptr, exists) << i;
  }
  EXPECT_STREQ(opcode_infos[0xac].name, "ireturn");
  EXPECT_STREQ(opcode_infos[0xb1].name, "return");
  EXPECT_STREQ(opcode_infos[0xc9].name, "jsr_w");
}

TEST(Opcodes, HaveNoLengthIfTheyAreTruncated) {
  for (int i = 0; i < 256; i++) {
    uint32_t length = opcode_infos[i].length;
    if (length == 0) continue;
    std::string code = U1(static_cast<uint32_t>(i)) + MakeZeros(length - 1);
    EXPECT_EQ(FindLength(code), length) << opcode_infos[i].name;
    EXPECT_EQ(FindLength("xx" + code + "xx", 2), length) << opcode_infos[i].name;
    if (length == 1) continue;
    code.pop_back();
    EXPECT_EQ(FindLength(code), 0u) << opcode_infos[i].name;
  }
}

TEST(Opcodes, HaveNoLengthIfTheyAreUnknown) {
  for (int i = OPCODE_jsr_w + 1; i < 256; i++) {
    EXPECT_EQ(FindLength(U1(static_cast<uint32_t>(i)) + MakeZeros(20)), 0u) << i;
  }
}

TEST(Opcodes, SwitchOperandsAreAligned) {
  EXPECT_EQ(switch_operands(0), 4u);
  EXPECT_EQ(switch_operands(1), 4u);
  EXPECT_EQ(switch_operands(2), 4u);
  EXPECT_EQ(switch_operands(3), 4u);
  EXPECT_EQ(switch_operands(4), 8u);
}

TEST(Opcodes, TableswitchHasAnOffsetForEachNumberFromLowToHigh) {
  for (uint32_t pc = 0; pc < 4; pc++) {
    std::string head = MakeZeros(pc) + U1(OPCODE_tableswitch) + MakeZeros(3 - pc) + U4(0);
    std::string code = head + U4(static_cast<uint32_t>(-1)) + U4(1) + MakeZeros(12);
    EXPECT_EQ(FindLength(code, pc), code.size() - pc);
    EXPECT_EQ(FindLength(code.substr(0, code.size() - 1), pc), 0u);
    EXPECT_EQ(FindLength(head + U4(2) + U4(1) + MakeZeros(12), pc), 0u);
    EXPECT_EQ(FindLength(head + U4(0x80000000) + U4(0x7FFFFFFF) + MakeZeros(12), pc), 0u);
  }
}

TEST(Opcodes, LookupswitchHasItsNumberOfPairs) {
  for (uint32_t pc = 0; pc < 4; pc++) {
    std::string head = MakeZeros(pc) + U1(OPCODE_lookupswitch) + MakeZeros(3 - pc) + U4(0);
    std::string code = head + U4(2) + MakeZeros(16);
    EXPECT_EQ(FindLength(code, pc), code.size() - pc);
    EXPECT_EQ(FindLength(head + U4(0), pc), head.size() + 4 - pc);
    EXPECT_EQ(FindLength(code.substr(0, code.size() - 1), pc), 0u);
    EXPECT_EQ(FindLength(head + U4(0xFFFFFFFF) + MakeZeros(16), pc), 0u);
    EXPECT_EQ(FindLength(head + U4(0x20000000) + MakeZeros(16), pc), 0u);
  }
}

TEST(Opcodes, SwitchWithoutOperandsHasNoLength) {
  for (size_t more = 0; more < 8; more++) {
    EXPECT_EQ(FindLength(U1(OPCODE_tableswitch) + MakeZeros(more)), 0u);
    EXPECT_EQ(FindLength(U1(OPCODE_lookupswitch) + MakeZeros(more)), 0u);
  }
}

TEST(Opcodes, WideHasFourOrSixBytes) {
  EXPECT_EQ(FindLength(Bytes({OPCODE_wide, OPCODE_iload, 1, 0})), 4u);
  EXPECT_EQ(FindLength(Bytes({OPCODE_wide, OPCODE_iinc, 1, 0, 1, 0})), 6u);
  EXPECT_EQ(FindLength(Bytes({OPCODE_wide, OPCODE_iinc, 1, 0, 1})), 0u);
  EXPECT_EQ(FindLength(Bytes({OPCODE_wide})), 0u);
}

TEST(Opcodes, FlowEndsAtReturnsThrowsAndUnconditionalJumps) {
  auto ends_flow = [](std::initializer_list<int> code) {
    std::string bytes = Bytes(code);
    return opcode_ends_flow(MakeSpan(bytes), 0);
  };
  EXPECT_TRUE(ends_flow({OPCODE_goto, 0, 0}));
  EXPECT_TRUE(ends_flow({OPCODE_goto_w, 0, 0, 0, 0}));
  EXPECT_TRUE(ends_flow({OPCODE_return}));
  EXPECT_TRUE(ends_flow({OPCODE_lreturn}));
  EXPECT_TRUE(ends_flow({OPCODE_athrow}));
  EXPECT_TRUE(ends_flow({OPCODE_ret, 1}));
  EXPECT_TRUE(ends_flow({OPCODE_wide, OPCODE_ret, 0, 1}));
  EXPECT_TRUE(ends_flow({OPCODE_tableswitch}));
  EXPECT_TRUE(ends_flow({OPCODE_lookupswitch}));
  EXPECT_FALSE(ends_flow({OPCODE_jsr, 0, 0}));
  EXPECT_FALSE(ends_flow({OPCODE_ifeq, 0, 0}));
  EXPECT_FALSE(ends_flow({OPCODE_wide, OPCODE_iload, 0, 1}));
  EXPECT_FALSE(ends_flow({OPCODE_invokestatic, 0, 0}));
}

// --- jumps -----------------------------------------------------------------------------------

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
