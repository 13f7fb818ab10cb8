#include "tools/orca/model/state/stacks.h"

#include "tests/tools/orca/model/small_dump.h"
#include "tools/orca/dump/digest.h"

namespace {

class Stacks : public testing::Test {
 protected:
  Stacks() { small_.Read(); }
  ~Stacks() override { stacks_free(&stacks_); }

  stack_id_t Intern(const std::string &text) {
    stack_id_t id = 99;
    EXPECT_TRUE(stacks_intern(&stacks_, small_.dump, Span(text), &id));
    return id;
  }

  SmallModel small_;
  struct stacks stacks_ = {};
};

TEST_F(Stacks, NumbersEachDistinctStack) {
  stack_id_t a = Intern("1;00000010;00000010"), b = Intern("1;00000010;00000011");
  EXPECT_NE(a, 0u);
  EXPECT_NE(a, b);
  EXPECT_EQ(Intern("1;00000010;00000010"), a);
  EXPECT_EQ(stacks_.num, 2u);
}

TEST_F(Stacks, TheEmptyStackIsZero) {
  EXPECT_EQ(Intern("0"), 0u);
  size_t depth = 9;
  stacks_frames(&stacks_, 0, &depth);
  EXPECT_EQ(depth, 0u);
  EXPECT_EQ(stacks_place(&stacks_, 0), 0u);
  EXPECT_EQ(stacks_activity(&stacks_, 0), ACTIVITY_HIDDEN);
}

TEST_F(Stacks, KeepsFramesPlaceAndActivity) {
  Intern("1;00000011;00000000");
  stack_id_t id = Intern("2;00000014;FFFFFFFF;00000012;00000000");
  size_t depth;
  const struct frame *frames = stacks_frames(&stacks_, id, &depth);
  ASSERT_EQ(depth, 2u);
  EXPECT_EQ(frames[0].method, 0x14u);
  EXPECT_EQ(frames[0].location, LOCATION_NATIVE);
  EXPECT_EQ(frames[1].method, 0x12u);
  EXPECT_EQ(stacks_place(&stacks_, id), place(0x12, 42));
  EXPECT_EQ(stacks_activity(&stacks_, id), ACTIVITY_IO);
}

TEST(StacksOfHiddenClasses, OfOneOriginHaveOneMethod) {
  SmallModel small;
  small.files.Append(DUMP_CLASSES,
                     "100.0000000000,000000D4,Lcom/acme/Query.0x00000008;,Query.java\n"
                     "100.0000000000,000000D5,Lcom/acme/Query.0x00000009;,Query.java\n");
  small.files.Append(DUMP_METHODS,
                     "100.0000000000,00000030,run,()V,000000D4,1;00000000;00000058\n"
                     "100.0000000000,00000031,run,()V,000000D5,1;00000000;00000058\n");
  struct model *m = small.Read();
  size_t depth;
  stack_id_t id;
  ASSERT_TRUE(
      stacks_intern(&m->stacks, m->dump, Span("2;00000031;00000000;00000011;00000000"), &id));
  EXPECT_EQ(stacks_frames(&m->stacks, id, &depth)[0].method, 0x30u);
}

TEST_F(Stacks, NumbersManyStacks) {
  char text[32];
  for (unsigned i = 0; i < 20000; i++) {
    snprintf(text, sizeof text, "1;%08X;%08X", i % 200, i / 200);
    EXPECT_EQ(Intern(text), i + 1);
  }
  for (unsigned i = 0; i < 20000; i += 777) {
    snprintf(text, sizeof text, "1;%08X;%08X", i % 200, i / 200);
    EXPECT_EQ(Intern(text), i + 1);
  }
}

// The digest from a stream is the digest of the text.
TEST_F(Stacks, InternsTheStackOfAnEventByItsDigest) {
  stack_id_t id = 0;
  const std::string text = "1;00000010;00000000";
  struct event_line line = {};
  line.kind = EVENT_THREAD_SLEEP;
  line.stack = Span(text);
  line.digest = digest(Span(text));
  EXPECT_TRUE(stacks_intern_event(&stacks_, small_.dump, &line, &id));
  EXPECT_EQ(id, Intern(text));
  EXPECT_NE(id, Intern("1;00000010;00000001"));
  line.stack = {"0", 1};
  EXPECT_TRUE(stacks_intern_event(&stacks_, small_.dump, &line, &id));
  EXPECT_EQ(id, 0u);
}

TEST_F(Stacks, AddsALeafToAStack) {
  stack_id_t base = Intern("1;00000010;00000010"), leaf = 0, again = 0, alone = 0;
  ASSERT_TRUE(stacks_with_leaf(&stacks_, base, PSEUDO_JVM, &leaf));
  ASSERT_TRUE(stacks_with_leaf(&stacks_, base, PSEUDO_JVM, &again));
  ASSERT_TRUE(stacks_with_leaf(&stacks_, 0, PSEUDO_JVM, &alone));
  EXPECT_EQ(leaf, again);
  EXPECT_EQ(stacks_.num, 3u);
  size_t depth;
  const struct frame *frames = stacks_frames(&stacks_, leaf, &depth);
  ASSERT_EQ(depth, 2u);
  EXPECT_EQ(frames[0].method, pseudo_method(PSEUDO_JVM));
  EXPECT_EQ(frames[1].method, 0x10u);
  EXPECT_EQ(frames[1].location, 0x10u);
  EXPECT_EQ(stacks_place(&stacks_, leaf), stacks_place(&stacks_, base));
  stacks_frames(&stacks_, alone, &depth);
  EXPECT_EQ(depth, 1u);
  EXPECT_EQ(stacks_place(&stacks_, alone), place(pseudo_method(PSEUDO_JVM), 0));
}

// 13 is HashMap.get, a method of the JDK.
TEST_F(Stacks, ARootIsNotThePlaceOfAStack) {
  stack_id_t cut = Intern("2;00000013;00000000;00000000;00000000");
  size_t depth;
  const struct frame *frames = stacks_frames(&stacks_, cut, &depth);
  ASSERT_EQ(depth, 2u);
  EXPECT_EQ(frames[1].method, pseudo_method(PSEUDO_DEEPER));
  EXPECT_EQ(place_method(stacks_place(&stacks_, cut)), 0x13u);
  stack_id_t lost = 0, whole = Intern("1;00000013;00000000"), other = 0;
  const struct { stack_id_t from, *to; } cases[] = {{cut, &lost}, {whole, &other}};
  for (auto [from, to] : cases) {
    ASSERT_TRUE(stacks_with_root(&stacks_, from, PSEUDO_CALLERS, to));
    frames = stacks_frames(&stacks_, *to, &depth);
    ASSERT_EQ(depth, 2u);
    EXPECT_EQ(frames[0].method, 0x13u);
    EXPECT_EQ(frames[1].method, pseudo_method(PSEUDO_CALLERS));
    EXPECT_EQ(place_method(stacks_place(&stacks_, *to)), 0x13u);
  }
}

// --- stacks_find_frame ---------------------------------------------------------------------------

class StacksFindFrame : public Stacks {
 protected:
  long Find(const std::string &stack, const std::string &outer) {
    stack_id_t id = Intern(stack), outer_id = Intern(outer);
    return stacks_find_frame(&stacks_, small_.dump, id, outer_id);
  }
};

const char *const kOuter = "2;00000010;00000010;00000011;00000000";  // price, called by run

TEST_F(StacksFindFrame, TheTopFrameMayHaveMovedOn) {
  EXPECT_EQ(Find(kOuter, kOuter), 0);
  EXPECT_EQ(Find("2;00000010;00000000;00000011;00000000", kOuter), 0);
  EXPECT_EQ(Find("3;00000013;00000000;00000010;00000000;00000011;00000000", kOuter), 1);
}

TEST_F(StacksFindFrame, TheCallersMustBeTheSame) {
  EXPECT_EQ(Find("1;00000011;00000000", kOuter), -1);
  EXPECT_EQ(Find("2;00000012;00000000;00000011;00000000", kOuter), -1);
  EXPECT_EQ(Find("2;00000010;00000010;00000011;00000001", kOuter), -1) << "another call";
  EXPECT_EQ(Find("2;00000010;00000010;00000012;00000000", kOuter), -1);
  EXPECT_EQ(Find("3;00000010;00000010;00000012;00000000;00000011;00000000", kOuter), -1);
  EXPECT_EQ(Find("3;00000010;00000010;00000011;00000000;00000012;00000000", kOuter), -1);
  EXPECT_EQ(Find("0", kOuter), -1);
  EXPECT_EQ(Find(kOuter, "0"), -1);
}

// price calls itself. The outermost call is the one that was searched for.
TEST_F(StacksFindFrame, FindsTheRightOneOfSeveralCallsOfAMethod) {
  EXPECT_EQ(Find("3;00000010;00000000;00000010;00000010;00000011;00000000", kOuter), 1);
  EXPECT_EQ(Find("2;00000010;00000000;00000011;00000000",
                 "3;00000010;00000000;00000010;00000010;00000011;00000000"),
            -1);
}

// The mark of a cut stack is the last frame.
TEST_F(StacksFindFrame, ComparesWhatIsLeftOfCutStacks) {
  EXPECT_EQ(Find("3;00000013;00000000;00000010;00000000;00000000;00000000", kOuter), 1);
  EXPECT_EQ(Find("2;00000010;00000000;00000000;00000000", kOuter), 0);
  EXPECT_EQ(Find("2;00000013;00000000;00000000;00000000", kOuter), -1);
  EXPECT_EQ(Find(kOuter, "2;00000010;00000000;00000000;00000000"), 0);
}

// A thread that is in a method while the agent weaves it goes on in the old version of the method.
TEST_F(StacksFindFrame, TakesOldVersionsOfAMethodForTheSame) {
  small_.files.Replace(DUMP_METHODS, "100.0000000000,00000011",
                       "100.0000000000,00000020,price,()V,000000C4,-1\n"
                       "100.0000000000,00000021,price,(I)V,000000C4,-1\n"
                       "100.0000000000,00000011");
  small_.Read();
  EXPECT_EQ(Find("2;00000020;00000000;00000011;00000000", kOuter), 0);
  EXPECT_EQ(Find("2;00000021;00000000;00000011;00000000", kOuter), -1);
}

}  // namespace
