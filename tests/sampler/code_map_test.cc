#include "sampler/code_map.h"

#include <jvmticmlr.h>

#include <vector>

#include "gtest/gtest.h"

namespace {

jmethodID Method(uintptr_t n) { return reinterpret_cast<jmethodID>(n); }

// Builds the inline record of a piece of code. Each place has frames, innermost first.
class InlineRecord {
 public:
  InlineRecord &At(uintptr_t pc, std::vector<std::pair<uintptr_t, jint>> frames) {
    methods_.emplace_back();
    bcis_.emplace_back();
    for (auto &f : frames) {
      methods_.back().push_back(Method(f.first));
      bcis_.back().push_back(f.second);
    }
    pcs_.push_back(pc);
    return *this;
  }
  const void *Info() {
    infos_.clear();
    for (size_t i = 0; i < pcs_.size(); i++) {
      PCStackInfo info = {};
      info.pc = reinterpret_cast<void *>(pcs_[i]);
      info.numstackframes = static_cast<jint>(methods_[i].size());
      info.methods = methods_[i].data();
      info.bcis = bcis_[i].data();
      infos_.push_back(info);
    }
    record_ = {};
    record_.header.kind = JVMTI_CMLR_INLINE_INFO;
    record_.numpcs = static_cast<jint>(infos_.size());
    record_.pcinfo = infos_.data();
    return &record_;
  }

 private:
  std::vector<uintptr_t> pcs_;
  std::vector<std::vector<jmethodID>> methods_;
  std::vector<std::vector<jint>> bcis_;
  std::vector<PCStackInfo> infos_;
  jvmtiCompiledMethodLoadInlineRecord record_;
};

class CodeMap : public testing::Test {
 protected:
  // Returns the frames as "method@bci<caller@bci", methods in hexadecimal.
  std::string Frames(uintptr_t pc, enum pc_kind kind, int max = 8) {
    jvmtiFrameInfo frames[8];
    std::string text;
    int n = code_map_find_frames(map_, pc, kind, frames, max);
    for (int i = 0; i < n; i++) {
      char one[64];
      snprintf(one, sizeof one, "%s%zx@%lld", i == 0 ? "" : "<",
               reinterpret_cast<size_t>(frames[i].method),
               static_cast<long long>(frames[i].location));
      text += one;
    }
    return text;
  }
  void Load(uintptr_t method, uintptr_t code, uint32_t size, const void *info) {
    code_map_load(map_, Method(method), code, size, info);
  }
  void TearDown() override { code_map_clear(map_); }

  static struct code_map *map_; /* never freed, like in the agent */
};

struct code_map *CodeMap::map_ = code_map_new();

TEST_F(CodeMap, APlaceCoversTheCodeUpToItsAddress) {
  Load(0xA, 0x10000, 100,
       InlineRecord().At(0x10010, {{0xA, 1}}).At(0x10020, {{0xB, 2}, {0xA, 3}}).Info());
  EXPECT_EQ(Frames(0x10000, PC_NEXT), "a@1");
  EXPECT_EQ(Frames(0x1000F, PC_NEXT), "a@1");
  EXPECT_EQ(Frames(0x10010, PC_NEXT), "b@2<a@3"); /* this instruction belongs to the next place */
  EXPECT_EQ(Frames(0x1001F, PC_NEXT), "b@2<a@3");
  EXPECT_EQ(Frames(0x10060, PC_NEXT), "b@2<a@3"); /* after the last place */
}

TEST_F(CodeMap, FindsTheFramesOfAReturnAddress) {
  Load(0xA, 0x10000, 100, InlineRecord().At(0x10010, {{0xA, 1}}).At(0x10020, {{0xA, 3}}).Info());
  EXPECT_EQ(Frames(0x10010, PC_RETURN), "a@1");
  EXPECT_EQ(Frames(0x10020, PC_RETURN), "a@3");
  EXPECT_EQ(Frames(0x10011, PC_RETURN), "");
  EXPECT_EQ(Frames(0x10011, PC_RETURN_LEAF), "a@3");
  EXPECT_EQ(Frames(0x10010, PC_RETURN_LEAF), "a@1");
}

TEST_F(CodeMap, FindsNoFramesOutsideOfCode) {
  Load(0xA, 0x10000, 0x20, InlineRecord().At(0x10010, {{0xA, 1}}).Info());
  for (uintptr_t pc : {uintptr_t{0xFFFF}, uintptr_t{0x10020}, uintptr_t{0}, UINTPTR_MAX}) {
    EXPECT_EQ(Frames(pc, PC_NEXT), "");
    EXPECT_FALSE(code_map_has(map_, pc));
  }
  EXPECT_TRUE(code_map_has(map_, 0x1001F));
}

TEST_F(CodeMap, CodeWithoutPlacesWrapsANativeMethod) {
  Load(0xA, 0x10000, 0x20, nullptr);
  EXPECT_EQ(Frames(0x10005, PC_NEXT), "a@-1");
  EXPECT_EQ(Frames(0x10005, PC_RETURN), "a@-1");
}

TEST_F(CodeMap, TheEntryOfASynchronizedMethodHasBytecodeIndexZero) {
  Load(0xA, 0x10000, 0x20, InlineRecord().At(0x10010, {{0xA, -1}}).Info());
  EXPECT_EQ(Frames(0x10000, PC_NEXT), "a@0");
}

TEST_F(CodeMap, ReturnsAtMostMaxFrames) {
  Load(0xA, 0x10000, 0x20, InlineRecord().At(0x10010, {{0xC, 1}, {0xB, 2}, {0xA, 3}}).Info());
  EXPECT_EQ(Frames(0x10000, PC_NEXT, 2), "c@1<b@2");
  EXPECT_EQ(Frames(0x10000, PC_NEXT, 0), "");
}

TEST_F(CodeMap, NewCodeReplacesOverlappingCode) {
  Load(0xA, 0x10000, 0x100, InlineRecord().At(0x10010, {{0xA, 1}}).Info());
  Load(0xB, 0x10100, 0x100, InlineRecord().At(0x10110, {{0xB, 1}}).Info());
  Load(0xC, 0x10080, 0x100, InlineRecord().At(0x10090, {{0xC, 1}}).Info());
  EXPECT_EQ(Frames(0x10010, PC_NEXT), "");
  EXPECT_EQ(Frames(0x10180, PC_NEXT), "");
  EXPECT_EQ(Frames(0x10080, PC_NEXT), "c@1");
}

TEST_F(CodeMap, CodeMaySpanPages) {
  Load(0xA, 0x1FFF0, 0x20040, InlineRecord().At(0x30000, {{0xA, 1}}).Info());
  for (uintptr_t pc : {0x1FFF0, 0x20000, 0x2FFFF, 0x3FFFF, 0x40000}) {
    EXPECT_EQ(Frames(pc, PC_NEXT), "a@1") << pc;
  }
  code_map_unload(map_, 0x1FFF0);
  EXPECT_EQ(Frames(0x40000, PC_NEXT), "");
  EXPECT_EQ(code_map_size(map_).bytes, 0u);
  EXPECT_EQ(code_map_size(map_).entries, 0u);
}

TEST_F(CodeMap, UnloadsCodeOnlyByItsFirstAddress) {
  Load(0xA, 0x10000, 0x20, nullptr);
  code_map_unload(map_, 0x10001);
  EXPECT_TRUE(code_map_has(map_, 0x10000));
  code_map_unload(map_, 0x10000);
  EXPECT_FALSE(code_map_has(map_, 0x10000));
}

TEST_F(CodeMap, IgnoresPlacesOutsideOfTheCode) {
  Load(
      0xA, 0x10000, 0x20,
      InlineRecord().At(0xFFF0, {{0xD, 1}}).At(0x10010, {{0xA, 1}}).At(0x20000, {{0xE, 1}}).Info());
  EXPECT_EQ(Frames(0x1001F, PC_NEXT), "a@1");
}

TEST_F(CodeMap, StoresSharedCallersOnce) {
  InlineRecord record;
  for (uintptr_t i = 0; i < 1000; i++) {
    record.At(0x10000 + i, {{0xB, static_cast<jint>(i % 2)}, {0xA, 7}, {0xF, 9}});
  }
  Load(0xF, 0x10000, 1000, record.Info());
  EXPECT_LT(code_map_size(map_).bytes, 1000u * 9);
  EXPECT_EQ(Frames(0x10005, PC_RETURN), "b@1<a@7<f@9");
}

TEST_F(CodeMap, RemovesTheBlobWithTheCode) {
  struct blob blob = {}, got = {};
  blob.frame_bytes = 48;
  code_map_set_blob(map_, 0x10000, &blob); /* ignored: the map has no code there */
  EXPECT_FALSE(code_map_get_blob(map_, 0x10000, &got));
  Load(0xA, 0x10000, 0x20, nullptr);
  EXPECT_FALSE(code_map_get_blob(map_, 0x10000, &got));
  code_map_set_blob(map_, 0x10004, &blob);
  ASSERT_TRUE(code_map_get_blob(map_, 0x1001F, &got));
  EXPECT_EQ(got.frame_bytes, 48);
  Load(0xB, 0x10000, 0x20, nullptr);
  EXPECT_FALSE(code_map_get_blob(map_, 0x10000, &got));
}

}  // namespace
