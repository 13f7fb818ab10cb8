#include "agent/classfile/frames.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

// The types as letters: I F D J (numbers), N (null), T (top), u (uninitialized this), L5 (the class
// with the number 5), U7 (uninitialized, from the `new` at pc 7).
std::string FormatTypes(const struct vtype *types, uint32_t num) {
  std::string out;
  for (uint32_t i = 0; i < num; i++) {
    out += "TIFDJNuLU"[types[i].tag];
    if (types[i].tag >= V_OBJECT) out += std::to_string(types[i].operand);
  }
  return out;
}

class Walk {
 public:
  Walk(const std::string &descriptor, const std::string &table, uint32_t max_locals = 8,
       struct pool *pool = nullptr, bool is_static = true, struct vtype this_type = {V_OBJECT, 9})
      : descriptor_(descriptor), table_(table) {
    struct frame_origin origin = {};
    origin.descriptor = MakeSpan(descriptor_);
    origin.is_static = is_static;
    origin.this_type = this_type;
    origin.max_locals = max_locals;
    origin.max_stack = 3;
    origin.table = table_.empty() ? span{nullptr, 0} : MakeSpan(table_);
    status = frame_walk_start(&w, &origin, pool);
  }
  ~Walk() { frame_walk_end(&w); }
  Walk(const Walk &) = delete;
  Walk &operator=(const Walk &) = delete;

  // The current frame: "pc locals/stack".
  std::string FormatCurrent() {
    return std::to_string(w.pc) + " " + FormatTypes(w.types.locals, w.types.num_locals) + "/" +
           FormatTypes(w.types.stack, w.types.num_stack);
  }
  // Goes to the next frame and returns it; or returns "end" or "failed".
  std::string TakeNext() {
    if (frame_walk_next(&w)) return FormatCurrent();
    return w.table.failed ? "failed" : "end";
  }

  struct frame_walk w;
  enum weave_status status;

 private:
  std::string descriptor_, table_;
};

// --- the entry

TEST(FrameWalkStart, FollowsFromTheDescriptor) {
  EXPECT_EQ(Walk("()V", "").FormatCurrent(), "-1 /");
  EXPECT_EQ(Walk("(ZBCSI)V", "").FormatCurrent(), "-1 IIIII/");
  EXPECT_EQ(Walk("(JDF)V", "").FormatCurrent(), "-1 JDF/");
  EXPECT_EQ(Walk("(Ljava/lang/String;[[I[LA;)I", "").FormatCurrent(), "-1 L0L0L0/");
  EXPECT_EQ(Walk("(I)V", "", 8, nullptr, false).FormatCurrent(), "-1 L9I/");
  EXPECT_EQ(Walk("(I)V", "", 8, nullptr, false, {V_UNINITIALIZED_THIS, 0}).FormatCurrent(),
            "-1 uI/");
}

TEST(FrameWalkStart, FindsTheClassesOfArguments) {
  ClassMaker maker;
  uint32_t string = maker.Class("java/lang/String"), array = maker.Class("[[I");
  std::string class_file = maker.Make();
  struct cursor c = cursor_over({class_file.data() + 8, class_file.size() - 8});
  struct pool pool;
  ASSERT_EQ(pool_read(&pool, &c), WEAVE_WOVEN);
  uint32_t num = pool.num;
  EXPECT_EQ(Walk("(Ljava/lang/String;[[I)V", "", 8, &pool).FormatCurrent(),
            "-1 L" + std::to_string(string) + "L" + std::to_string(array) + "/");
  EXPECT_EQ(pool.num, num);
  EXPECT_EQ(Walk("(LNew;)V", "", 8, &pool).FormatCurrent(), "-1 L" + std::to_string(num + 1) + "/");
  pool.num = POOL_MAX;
  EXPECT_EQ(Walk("(LNewer;)V", "", 8, &pool).status, WEAVE_POOL_FULL);
  pool_free(&pool);
}

TEST(FrameWalkStart, RefusesBadDescriptors) {
  for (const char *bad :
       {"", "V", "(", "(I", "(V)V", "(L)V", "(L;)V", "(LA", "([)V", "([", "(X)V"}) {
    EXPECT_EQ(Walk(bad, "").status, WEAVE_MALFORMED) << bad;
  }
}

TEST(FrameWalkStart, RefusesMoreArgumentsThanLocals) {
  EXPECT_EQ(Walk("(II)V", "", 2).status, WEAVE_WOVEN);
  EXPECT_EQ(Walk("(III)V", "", 2).status, WEAVE_MALFORMED);
  EXPECT_EQ(Walk("()V", "", 0, nullptr, false).status, WEAVE_MALFORMED);
}

// --- reading

// One entry of each form, short and extended, and the frame that it makes.
struct Form {
  std::string entry, frame;
};

const std::vector<Form> kForms = {
    {U1(5), "5 I/"},                                          // same
    {U1(251) + U2(100), "106 I/"},                            // same, extended
    {U1(252) + U2(0) + Bytes({1}), "107 II/"},                // append 1
    {U1(253) + U2(0) + Bytes({2, 3}), "108 IIFD/"},           // 2
    {U1(254) + U2(0) + Bytes({4, 5, 0}), "109 IIFDJNT/"},     // 3
    {U1(64) + Bytes({7, 1, 2}), "110 IIFDJNT/L258"},          // one on the stack
    {U1(247) + U2(99) + Bytes({8, 0, 1}), "210 IIFDJNT/U1"},  // the same, extended
    {U1(250) + U2(0), "211 IIFDJN/"},                         // chop 1
    {U1(249) + U2(0), "212 IIFD/"},                           // 2
    {U1(248) + U2(0), "213 I/"},                              // 3
    {U1(255) + U2(9) + U2(2) + Bytes({6, 7, 0, 9}) + U2(1) + U1(4), "223 uL9/J"},
    {U1(255) + U2(0) + U2(0) + U2(0), "224 /"},
};

std::string MakeTable() {
  std::string table = U2(static_cast<uint32_t>(kForms.size()));
  for (const Form &f : kForms) table += f.entry;
  return table;
}

TEST(FrameWalk, ReadsEveryForm) {
  Walk walk("(I)V", MakeTable());
  for (const Form &f : kForms) EXPECT_EQ(walk.TakeNext(), f.frame);
  EXPECT_EQ(walk.TakeNext(), "end");
  EXPECT_TRUE(cursor_is_done(&walk.w.table));
}

TEST(FrameWalk, FailsOnEveryTruncatedTable) {
  std::string table = MakeTable();
  for (size_t len = 1; len < table.size(); len++) {
    Walk walk("(I)V", table.substr(0, len));
    std::string last;
    do {
      last = walk.TakeNext();
    } while (last != "end" && last != "failed");
    EXPECT_TRUE(last == "failed" || len < 2) << len;
  }
}

TEST(FrameWalk, FailsOnMalformedFrames) {
  EXPECT_EQ(Walk("()V", U2(1) + U1(128) + U2(0)).TakeNext(), "failed");
  EXPECT_EQ(Walk("()V", U2(1) + U1(246) + U2(0)).TakeNext(), "failed");
  EXPECT_EQ(Walk("()V", U2(1) + U1(64) + U1(9)).TakeNext(), "failed") << "no such type";
  EXPECT_EQ(Walk("()V", U2(1) + U1(250) + U2(0)).TakeNext(), "failed") << "nothing to chop";
  EXPECT_EQ(Walk("(I)V", U2(1) + U1(252) + U2(0) + U1(1), 1).TakeNext(), "failed") << "max_locals";
  std::string four = U2(4) + Bytes({1, 1, 1, 1});
  EXPECT_EQ(Walk("()V", U2(1) + U1(255) + U2(0) + U2(0) + four).TakeNext(), "failed")
      << "max_stack";
}

// --- writing

class FramePut : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(layout_read(&l_, MakeSpan(code_)), WEAVE_WOVEN); }
  void TearDown() override {
    builder_free(&table_.entries);
    layout_free(&l_);
  }

  std::string code_ = std::string(300, '\0') + U1(OPCODE_return);
  struct layout l_;
  struct frame_table table_ = {};
};

TEST_F(FramePut, WritesTheSameTableAtTheSamePcs) {
  ASSERT_EQ(layout_place(&l_), WEAVE_WOVEN);
  std::string table = MakeTable();
  Walk walk("(I)V", table);
  while (frame_walk_next(&walk.w)) {
    EXPECT_TRUE(frame_put(&table_, static_cast<uint32_t>(walk.w.pc), &walk.w.types, &l_));
  }
  EXPECT_EQ(U2(table_.num) + TakeBytes(&table_.entries), table);
}

TEST_F(FramePut, ExtendsTheFormIfTheDistanceNeedsIt) {
  ASSERT_EQ(layout_place(&l_), WEAVE_WOVEN);
  struct vtype number = {V_INTEGER, 0};
  struct frame_types same = {}, stack = {};
  same.form = FRAME_SAME;
  stack.form = FRAME_STACK1;
  stack.stack = &number;
  stack.num_stack = 1;
  frame_put(&table_, 63, &same, &l_);
  frame_put(&table_, 63 + 64, &stack, &l_);
  frame_put(&table_, 127 + 65, &same, &l_);
  frame_put(&table_, 192 + 65, &stack, &l_);
  EXPECT_EQ(TakeBytes(&table_.entries),
            U1(63) + Bytes({127, 1}) + U1(251) + U2(64) + U1(247) + U2(64) + U1(1));
}

TEST_F(FramePut, MovesUninitializedObjectsWithTheirNew) {
  l_.inserts[INSERT_ENTER] = {"EEEE", 4};
  l_.between[0] = INSERT_ENTER;
  ASSERT_EQ(layout_place(&l_), WEAVE_WOVEN);
  struct vtype valid = {V_UNINITIALIZED, 7}, invalid = {V_UNINITIALIZED, 400};
  struct frame_types types = {};
  types.form = FRAME_FULL;
  types.locals = &valid;
  types.num_locals = 1;
  EXPECT_TRUE(frame_put(&table_, 20, &types, &l_));
  types.locals = &invalid;
  EXPECT_FALSE(frame_put(&table_, 30, &types, &l_));
  EXPECT_EQ(TakeBytes(&table_.entries).substr(0, 10),
            U1(255) + U2(20) + U2(1) + Bytes({8, 0, 11}) + U2(0));
}

}  // namespace
