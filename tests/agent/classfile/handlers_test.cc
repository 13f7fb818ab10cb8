#include "agent/classfile/handlers.h"

#include "agent/classfile/code.h"
#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

class Handlers : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(layout_read(&l_, MakeSpan(code_)), WEAVE_WOVEN);
    l_.inserts[INSERT_ENTER] = {"EEEE", 4};
    l_.inserts[INSERT_EXIT] = {"XX", 2};
    l_.inserts[INSERT_AFTER_LOCK] = {"DDD", 3};
    l_.between[0] = INSERT_ENTER;
    l_.before[4] = l_.before[7] = INSERT_EXIT;
  }
  void TearDown() override { layout_free(&l_); }

  std::string Put(const std::vector<Handler> &handlers) {
    EXPECT_EQ(layout_place(&l_), WEAVE_WOVEN);
    std::string rows;
    for (const Handler &h : handlers) rows += U2(h.start) + U2(h.end) + U2(h.handler) + U2(h.type);
    struct builder b = {};
    status_ = handlers_put(&l_, MakeSpan(rows), &b);
    return TakeBytes(&b);
  }

  // Four nops and a return, then two nops and a return.
  std::string code_ = std::string(4, '\0') + U1(OPCODE_return) + Bytes({0, 0, OPCODE_return});
  struct layout l_;
  enum weave_status status_;
};

std::string MakeRow(uint32_t start, uint32_t end, uint32_t handler, uint32_t type) {
  return U2(start) + U2(end) + U2(handler) + U2(type);
}

TEST_F(Handlers, OldRowsMove) {
  EXPECT_EQ(Put({{0, 4, 5, 9}, {1, 8, 6, 0}}),
            U2(2) + MakeRow(4, 8, 11, 9) + MakeRow(5, 16, 12, 0));
  EXPECT_EQ(status_, WEAVE_WOVEN);
}

TEST_F(Handlers, HookRowsComeLastAndExcludeTheReturns) {
  l_.handler = {"HHH", 3};
  EXPECT_EQ(Put({{0, 4, 5, 9}}),
            U2(3) + MakeRow(4, 8, 11, 9) + MakeRow(4, 8, 16, 0) + MakeRow(11, 13, 16, 0));
}

TEST_F(Handlers, HookRowsExcludeCodeBeforeTheConstructorCall) {
  l_.handler = {"HHH", 3};
  l_.marks[0] |= MARK_UNINITIALIZED;
  l_.marks[1] |= MARK_UNINITIALIZED;
  l_.between[0] = 0;
  l_.between[2] = INSERT_ENTER;
  EXPECT_EQ(Put({}), U2(2) + MakeRow(6, 8, 16, 0) + MakeRow(11, 13, 16, 0));
}

TEST_F(Handlers, InsertAfterAnInstructionBelongsToTheRangeThatStartsThere) {
  l_.between[2] = INSERT_AFTER_LOCK;
  EXPECT_EQ(Put({{0, 2, 5, 0}, {2, 4, 5, 0}}),
            U2(2) + MakeRow(4, 6, 14, 0) + MakeRow(6, 11, 14, 0));
}

TEST_F(Handlers, MalformedAreRefused) {
  for (Handler bad : std::vector<Handler>{
           {0, 0, 2, 0}, {3, 2, 2, 0}, {9, 10, 2, 0}, {0, 9, 2, 0}, {0, 2, 8, 0}, {0, 2, 99, 0}}) {
    Put({bad});
    EXPECT_EQ(status_, WEAVE_MALFORMED) << bad.start << " " << bad.end << " " << bad.handler;
  }
}

TEST_F(Handlers, TooManyAreRefused) {
  l_.handler = {"HHH", 3};
  Put(std::vector<Handler>(65533, {0, 2, 2, 0}));
  EXPECT_EQ(status_, WEAVE_WOVEN);
  Put(std::vector<Handler>(65534, {0, 2, 2, 0}));
  EXPECT_EQ(status_, WEAVE_HANDLERS_FULL);
}

TEST_F(Handlers, FindRangeReturnsTheRangesBetweenTheReturns) {
  uint32_t pc = 0, start, end;
  ASSERT_TRUE(handlers_find_range(&l_, &pc, &start, &end));
  EXPECT_EQ(start, 0u);
  EXPECT_EQ(end, 4u);
  ASSERT_TRUE(handlers_find_range(&l_, &pc, &start, &end));
  EXPECT_EQ(start, 5u);
  EXPECT_EQ(end, 7u);
  EXPECT_FALSE(handlers_find_range(&l_, &pc, &start, &end));
}

}  // namespace
