#include "agent/classfile/local_zero.h"

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"

namespace {

TEST(LocalZero, IsAReferenceByTheDescriptor) {
  auto is_reference = [](bool is_static, const std::string &descriptor) {
    return local_zero_is_reference(is_static, MakeSpan(descriptor));
  };
  EXPECT_TRUE(is_reference(false, "(I)V"));
  EXPECT_TRUE(is_reference(true, "(LA;)V"));
  EXPECT_TRUE(is_reference(true, "([II)V"));
  EXPECT_FALSE(is_reference(true, "(ILA;)V"));
  EXPECT_FALSE(is_reference(true, "()LA;"));
  EXPECT_FALSE(is_reference(true, "(")) << "malformed";
}

TEST(LocalZero, IsWrittenByAnyStore) {
  auto is_written = [](const std::string &code) {
    std::string whole = code + U1(OPCODE_return);
    struct layout l = {};
    EXPECT_EQ(layout_read(&l, MakeSpan(whole)), WEAVE_WOVEN);
    bool has_store = local_zero_is_written(&l);
    layout_free(&l);
    return has_store;
  };
  EXPECT_FALSE(is_written(""));
  EXPECT_FALSE(
      is_written(Bytes({OPCODE_astore_1, OPCODE_astore, 1, OPCODE_wide, OPCODE_astore, 1, 0})));
  EXPECT_FALSE(is_written(Bytes({OPCODE_aload, 0, OPCODE_wide, OPCODE_aload, 0, 0})));
  for (int store :
       {OPCODE_istore_0, OPCODE_lstore_0, OPCODE_fstore_0, OPCODE_dstore_0, OPCODE_astore_0}) {
    EXPECT_TRUE(is_written(Bytes({store}))) << store;
  }
  for (int store : {OPCODE_istore, OPCODE_lstore, OPCODE_fstore, OPCODE_dstore, OPCODE_astore}) {
    EXPECT_TRUE(is_written(Bytes({store, 0}))) << store;
    EXPECT_TRUE(is_written(Bytes({OPCODE_wide, store, 0, 0}))) << store;
  }
}

TEST(LocalZero, IsInAllFramesIfEachHasAnObjectThere) {
  auto is_in_all_frames = [](const std::string &table) {
    struct frame_origin origin = {};
    origin.descriptor = {"(I)V", 4};
    origin.this_type = {V_UNINITIALIZED_THIS, 0};
    origin.max_locals = origin.max_stack = 4;
    origin.table = MakeSpan(table);
    struct frame_walk frames;
    EXPECT_EQ(frame_walk_start(&frames, &origin, nullptr), WEAVE_WOVEN);
    bool is_in_all = local_zero_is_in_all_frames(&frames);
    frame_walk_end(&frames);
    return is_in_all;
  };
  std::string same = U1(3), none = U1(255) + U2(3) + U2(0) + U2(0);
  auto make_full = [](const std::string &type) { return U1(255) + U2(3) + U2(1) + type + U2(0); };
  EXPECT_TRUE(is_in_all_frames(U2(0)));
  EXPECT_TRUE(is_in_all_frames(U2(2) + same + make_full(U1(7) + U2(2))));
  EXPECT_FALSE(is_in_all_frames(U2(2) + none + make_full(U1(7) + U2(2))));
  EXPECT_FALSE(is_in_all_frames(U2(2) + same + make_full(U1(1))));
  EXPECT_FALSE(is_in_all_frames(U2(1) + make_full(U1(0))));
}

}  // namespace
