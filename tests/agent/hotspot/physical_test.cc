#include "agent/hotspot/physical.h"

#include <string.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "agent/hotspot/frame_layout.h"
#include "gtest/gtest.h"
#include "tests/support/fake_hotspot.h"

namespace {

constexpr int kWords = 128;    // of the stack
constexpr int kWrapper = 100;  // where the call wrapper of the oldest frame is
constexpr int kAnchor = 3;     // word of a call wrapper at which its anchor begins

using Hash = std::pair<uint64_t, uint64_t>;

// The stack of a thread in native code. Each test fills in its words; words[0] is the newest.
class Physical : public testing::Test {
 protected:
  Physical() {
    inner_ = AddCode(4);
    outer_ = AddCode(6);
    method_ = fake_.AddMethod(Id(1), 50, &bytecode_);
    for (int i = 0; i < 3; i++) Put(kWrapper + kAnchor + i, 0);
    // inner, called by outer, called by call_stub, whose frame pointer is at word 60.
    start_ = {0, inner_ + 32, 2};
    Put(3, outer_ + 64);
    PutAddress(8, 60);
    Put(9, fake_.GetCallStubReturn());
    PutAddress(60 + FRAME_CALL_WRAPPER, kWrapper);
  }

  static jmethodID Id(uintptr_t n) { return reinterpret_cast<jmethodID>(0x1000 + 8 * n); }
  uintptr_t AddCode(int32_t frame_words) { return fake_.AddBlob("nmethod", 256, frame_words); }

  void Put(int index, uintptr_t word) {
    words_[index] = word;
    addresses_.erase(index);
  }
  // Stores the address of the word `of`.
  void PutAddress(int index, int of) {
    Put(index, 0);
    addresses_[index] = of;
  }
  // Stores a frame of the interpreter with its frame pointer at word `fp`. The caller is call_stub.
  void PutInterpreted(int fp, uintptr_t bci) {
    PutAddress(fp, 60);
    Put(fp + 1, fake_.GetCallStubReturn());
    PutAddress(fp - 1, fp + 2);
    Put(fp + FRAME_METHOD, method_);
    Put(fp + FRAME_BCP, bytecode_ + bci);
  }

  // The key of the stack; {0, 0}: it cannot be identified. The words must be on the real stack.
  // `until`: only the frames that begin below this word; -1: all.
  __attribute__((noinline)) Hash Read(uint64_t seed = 0, int until = -1) {
    uintptr_t words[kWords] = {}, thread[16] = {};
    Fill(words, thread);
    struct physical_key key = {seed, 0};
    uintptr_t limit = until < 0 ? PHYSICAL_ALL : Address(words + until);
    return physical_read(&fake_.hotspot, Address(thread), limit, &key) ? Hash(key.a, key.b)
                                                                       : Hash(0, 0);
  }
  // The key of the newest frames, of which `num` are methods. Sets num_read_.
  __attribute__((noinline)) Hash ReadNear(unsigned num) {
    uintptr_t words[kWords] = {}, thread[16] = {};
    Fill(words, thread);
    struct physical_key key = {0, 0};
    bool is_read = physical_read_near(&fake_.hotspot, Address(thread), &num, &key, &trail_);
    num_read_ = num;
    return is_read ? Hash(key.a, key.b) : Hash(0, 0);
  }
  // The methods of at most `max` of the newest frames.
  __attribute__((noinline)) std::vector<jmethodID> ReadMethods(unsigned max) {
    uintptr_t words[kWords] = {}, thread[16] = {};
    Fill(words, thread);
    std::vector<jmethodID> methods(max + 1);
    methods.resize(physical_read_methods(&fake_.hotspot, Address(thread), max, methods.data()));
    return methods;
  }
  // Whether the newest frames are those that ReadNear has read last.
  __attribute__((noinline)) bool Follow() {
    uintptr_t words[kWords] = {}, thread[16] = {};
    Fill(words, thread);
    return physical_follows(&fake_.hotspot, Address(thread), &trail_);
  }
  // The distance of physical_above from the newest frame, in words; -1: not known.
  __attribute__((noinline)) long FindAbove() {
    uintptr_t words[kWords] = {}, thread[16] = {};
    Fill(words, thread);
    uintptr_t above = physical_above(&fake_.hotspot, Address(thread));
    return above == PHYSICAL_ALL ? -1 : static_cast<long>((above - thread[1]) / sizeof *words);
  }
  void Fill(uintptr_t *words, uintptr_t *thread) {
    for (auto &[index, word] : words_) words[index] = word;
    for (auto &[index, of] : addresses_) words[index] = Address(&words[of]);
    if (start_.sp >= 0) thread[1] = Address(&words[start_.sp]); /* _anchor at offset 8 */
    thread[2] = start_.pc;
    thread[3] = Address(&words[start_.fp]);
    thread[7] = Address(words + kWords); /* _stack_base */
  }
  static uintptr_t Address(const void *p) { return reinterpret_cast<uintptr_t>(p); }
  void ExpectUnknown() { EXPECT_EQ(Read(), Hash(0, 0)); }

  FakeHotspot fake_;
  struct physical_trail trail_ = {};
  unsigned num_read_ = 0;
  uintptr_t inner_, outer_, method_, bytecode_;
  std::map<int, uintptr_t> words_;
  std::map<int, int> addresses_;
  struct {
    int sp;
    uintptr_t pc;
    int fp;
  } start_;
};

TEST_F(Physical, GivesTheSameStackTheSameKey) {
  EXPECT_NE(Read(), Hash(0, 0));
  EXPECT_EQ(Read(), Read());
  EXPECT_NE(Read(1), Read()) << "the caller's part";
  Put(1, 0x1234); /* a local variable */
  Hash with_variable = Read();
  Put(1, 0);
  EXPECT_EQ(with_variable, Read());
}

TEST_F(Physical, GivesDifferentStacksDifferentKeys) {
  std::set<Hash> keys = {Hash(0, 0), Read()};
  auto add = [&] { return keys.insert(Read()).second; };
  start_.pc = inner_ + 40;
  EXPECT_TRUE(add()) << "another place in inner";
  start_.pc = inner_ + 32;
  Put(3, outer_ + 72);
  EXPECT_TRUE(add()) << "another place in outer";
  Put(3, outer_ + 64);
  fake_.SetCompileId(outer_, 4711);
  EXPECT_TRUE(add()) << "other code at the same address";
  Put(3, fake_.GetCallStubReturn());
  PutAddress(2, 60);
  EXPECT_TRUE(add()) << "inner alone";
}

// inner has the words 0 to 3, outer 4 to 9.
TEST_F(Physical, ReadsOnlyTheFramesBelowAnAddress) {
  Hash inner = Read(0, 1), both = Read(0, 5), all = Read();
  EXPECT_EQ(inner, Read(0, 4));
  EXPECT_EQ(both, Read(0, 10));
  EXPECT_EQ((std::set<Hash>{Hash(0, 0), inner, both, all}).size(), 4u);
  Put(9, 0x5000); /* the caller of outer */
  EXPECT_EQ(Read(0, 10), both);
  ExpectUnknown();
  Put(3, outer_ + 72);
  EXPECT_EQ(Read(0, 4), inner);
  EXPECT_NE(Read(0, 10), both);
  EXPECT_EQ(Read(0, kWords), Hash(0, 0));
}

TEST_F(Physical, ReadsOnlySoManyMethods) {
  Hash inner = ReadNear(1), both = ReadNear(2), all = ReadNear(3);
  EXPECT_EQ((std::set<Hash>{Hash(0, 0), inner, both, all}).size(), 4u);
  EXPECT_EQ(all, Read());
  EXPECT_EQ(ReadNear(4), all) << "there are no more";
  Put(9, 0x5000); /* the caller of outer */
  EXPECT_EQ(ReadNear(2), both);
  EXPECT_EQ(ReadNear(3), Hash(0, 0));
  EXPECT_EQ(num_read_, 2u);
  Put(3, outer_ + 72);
  EXPECT_EQ(ReadNear(1), inner);
  EXPECT_NE(ReadNear(2), both);
}

TEST_F(Physical, FollowsATrail) {
  ASSERT_NE(ReadNear(2), Hash(0, 0));
  EXPECT_TRUE(Follow());
  Put(9, 0x5000);
  EXPECT_TRUE(Follow()) << "the caller of outer is not part of it";
  Put(3, outer_ + 72);
  EXPECT_FALSE(Follow()) << "another place in outer";
  Put(3, outer_ + 64);
  start_.pc = inner_ + 40;
  EXPECT_FALSE(Follow()) << "another place in inner";
  start_.pc = inner_ + 32;
  EXPECT_TRUE(Follow());
  fake_.SetCompileId(outer_, 4711);
  EXPECT_FALSE(Follow()) << "other code at the same address";
  start_.sp = -1;
  EXPECT_FALSE(Follow()) << "the thread has no frame of Java code";
}

TEST_F(Physical, HasNoTrailOfAWholeStackOrInterpretedFrames) {
  ReadNear(2);
  EXPECT_EQ(trail_.num, 2u);
  ReadNear(3);
  EXPECT_EQ(trail_.num, 0u) << "to the end of the stack";
  EXPECT_FALSE(Follow());
  PutAddress(2, 40);
  Put(3, fake_.hotspot.interpreter_low);
  PutInterpreted(40, 7);
  ReadNear(2);
  EXPECT_EQ(trail_.num, 0u);
}

// Below a hook, it brings the older frames of a virtual thread to the stack.
TEST_F(Physical, AStubIsNoMethod) {
  uintptr_t stub = fake_.AddBlob("StubRoutines (continuation stubs)", 256, 6);
  Hash both = ReadNear(2);
  EXPECT_NE(both, Hash(0, 0));
  Put(3, stub + 64);
  EXPECT_NE(ReadNear(1), Hash(0, 0)) << "inner is above it";
  EXPECT_EQ(ReadNear(2), Hash(0, 0));
  EXPECT_EQ(num_read_, 1u);
  EXPECT_EQ(trail_.num, 0u) << "others call inner, too";
  EXPECT_NE(Read(), Hash(0, 0)) << "in a whole stack it is part of the key";
}

TEST_F(Physical, HasTheMethodsOfTheNewestFrames) {
  uintptr_t unused;
  uintptr_t inner = fake_.AddMethod(Id(7), 50, &unused);
  uintptr_t outer = fake_.AddMethod(Id(8), 50, &unused);
  uintptr_t inner_code = fake_.AddBlob("nmethod", 256, 4, 0, inner);
  uintptr_t outer_code = fake_.AddBlob("nmethod", 256, 6, 0, outer);
  start_.pc = inner_code + 32;
  Put(3, outer_code + 64);
  EXPECT_EQ(ReadMethods(9), (std::vector<jmethodID>{Id(7), Id(8)}));
  EXPECT_EQ(ReadMethods(1), std::vector<jmethodID>{Id(7)});
  fake_.SetId(outer, nullptr);
  EXPECT_EQ(ReadMethods(9), std::vector<jmethodID>{Id(7)}) << "it has no id";
  Put(3, fake_.AddBlob("StubRoutines (continuation stubs)", 256, 6) + 64);
  EXPECT_EQ(ReadMethods(9), std::vector<jmethodID>{Id(7)}) << "the rest is in the heap";
  PutAddress(2, 40);
  Put(3, fake_.hotspot.interpreter_low);
  PutInterpreted(40, 7);
  EXPECT_EQ(ReadMethods(9), (std::vector<jmethodID>{Id(7), Id(1)}));
  start_.sp = -1;
  EXPECT_EQ(ReadMethods(9), std::vector<jmethodID>{}) << "the thread has no frame of Java code";
}

TEST_F(Physical, KnowsWhetherAVirtualThreadRuns) {
  uintptr_t thread[16] = {};
  EXPECT_TRUE(physical_is_platform(&fake_.hotspot, Address(thread))) << "this JVM has none";
  fake_.hotspot.has[HOTSPOT_THREAD_CONTINUATION] = true;
  fake_.hotspot.at[HOTSPOT_THREAD_CONTINUATION] = 9 * sizeof *thread;
  EXPECT_TRUE(physical_is_platform(&fake_.hotspot, Address(thread)));
  thread[9] = 1;
  EXPECT_FALSE(physical_is_platform(&fake_.hotspot, Address(thread)));
}

TEST_F(Physical, IsAboveTheFramesThatTheCallerOfANativeWillCall) {
  EXPECT_GE(FindAbove(), 64) << "words: the frames of the native method and of its caller";
  start_.sp = -1;
  EXPECT_EQ(FindAbove(), -1) << "the thread has no frame of Java code";
}

TEST_F(Physical, TakesTheReturnAddressOfAnAnchorWithoutPc) {
  Hash with_pc = Read();
  start_ = {4, 0, 2}; /* after a call from a frame that begins at word 4 */
  Put(3, outer_ + 64);
  Hash outer = Read();
  start_.pc = outer_ + 64;
  EXPECT_EQ(Read(), outer);
  EXPECT_NE(outer, with_pc);
  EXPECT_NE(outer, Hash(0, 0));
}

TEST_F(Physical, ReadsInterpretedFrames) {
  start_ = {0, fake_.GetInterpreterLow() + 16, 10};
  PutInterpreted(10, 5);
  std::set<Hash> keys = {Hash(0, 0)};
  EXPECT_TRUE(keys.insert(Read()).second);
  PutInterpreted(10, 6);
  EXPECT_TRUE(keys.insert(Read()).second) << "another bytecode";
  PutInterpreted(10, 5);
  EXPECT_FALSE(keys.insert(Read()).second);
  fake_.SetId(method_, Id(2));
  EXPECT_TRUE(keys.insert(Read()).second) << "another method in the same memory";
  fake_.SetId(method_, nullptr);
  ExpectUnknown();
}

// A JVM whose interpreter has another layout must not get keys from words that mean something else.
TEST_F(Physical, ReadsNoInterpretedFrameOfAnotherLayout) {
  start_ = {0, fake_.GetInterpreterLow() + 16, 10};
  PutInterpreted(10, 65535);
  EXPECT_NE(Read(), Hash(0, 0));
  PutInterpreted(10, 70000); /* no method is so long */
  ExpectUnknown();
  PutAddress(10 + FRAME_BCP, 60);
  ExpectUnknown();
  Put(10 + FRAME_BCP, 0); /* a native method */
  EXPECT_NE(Read(), Hash(0, 0));
}

// A compiled caller continues at the stack pointer before an adapter moved it.
TEST_F(Physical, GoesFromAnInterpretedFrameToItsCompiledCaller) {
  start_ = {0, fake_.GetInterpreterLow() + 16, 10};
  PutInterpreted(10, 5);
  Put(11, outer_ + 64);
  PutAddress(9, 14);
  PutAddress(14 + 4, 60);
  Put(14 + 5, fake_.GetCallStubReturn());
  EXPECT_NE(Read(), Hash(0, 0));
  PutAddress(9, 13);
  ExpectUnknown();
}

// The anchor in the call wrapper names the frame that had called the JVM.
TEST_F(Physical, GoesOnBelowTheFirstFrameThatTheJvmCalled) {
  Hash alone = Read();
  PutAddress(kWrapper + kAnchor, 110);
  Put(kWrapper + kAnchor + 1, inner_ + 48);
  PutAddress(kWrapper + kAnchor + 2, 112);
  PutAddress(112, 60);
  Put(113, fake_.GetCallStubReturn());
  ExpectUnknown(); /* a cycle: the same call wrapper is older than itself */
  PutAddress(112, 75);
  PutAddress(75 + FRAME_CALL_WRAPPER, 114);
  for (int i = 0; i < 3; i++) Put(114 + kAnchor + i, 0);
  EXPECT_NE(Read(), Hash(0, 0));
  EXPECT_NE(Read(), alone);
}

// The handler of deoptimization replaces the return address.
TEST_F(Physical, DoesNotKnowDeoptimizedCode) {
  fake_.SetStubs(outer_, 64);
  ExpectUnknown();
  fake_.SetStubs(outer_, 65);
  EXPECT_NE(Read(), Hash(0, 0));
}

TEST_F(Physical, DoesNotKnowVirtualThreads) {
  fake_.continuation_return = outer_ + 64;
  ExpectUnknown();
}

TEST_F(Physical, DoesNotKnowCodeThatIsNone) {
  for (uintptr_t pc : {uintptr_t{8}, inner_ - 1000000, inner_ + 4096, inner_ + 30000}) {
    Put(3, pc);
    ExpectUnknown();
  }
  Put(3, outer_ + 64);
  fake_.SetEndOfCode(outer_);
  ExpectUnknown();
  fake_.SetEndOfCode(outer_ + 256);
  EXPECT_NE(Read(), Hash(0, 0));
  fake_.FreeBlob(outer_);
  ExpectUnknown();
}

TEST_F(Physical, DoesNotKnowFramesOfUnknownSize) {
  for (int32_t words : {0, 1, -3, kWords, 1 << 30}) {
    Put(3, AddCode(words) + 64);
    ExpectUnknown();
  }
}

TEST_F(Physical, DoesNotReadOutsideOfTheStack) {
  start_.sp = -1; /* no Java frame */
  ExpectUnknown();
  start_.sp = 0;
  Put(8, 0x5000); /* the frame pointer of call_stub */
  ExpectUnknown();
  PutAddress(8, 60);
  Put(60 + FRAME_CALL_WRAPPER, 0x5000); /* its call wrapper */
  ExpectUnknown();
  PutAddress(60 + FRAME_CALL_WRAPPER, kWords - 4); /* the anchor would be above the stack */
  ExpectUnknown();
  start_ = {0, fake_.GetInterpreterLow() + 16, 10};
  PutInterpreted(10, 5);
  Put(7, method_ + 1); /* not the address of a Method */
  ExpectUnknown();
  Put(7, 0);
  ExpectUnknown();
}

TEST_F(Physical, NeedsTheFields) {
  const char *why = nullptr;
  EXPECT_TRUE(physical_can_read(&fake_.hotspot, &why));
  for (const auto &[type, field] :
       {std::pair("nmethod", "_compile_id"), std::pair("nmethod", "_stub_offset"),
        std::pair("VirtualSpace", "_high")}) {
    FakeHotspot fake;
    fake.RemoveField(type, field);
    ASSERT_TRUE(fake.Read()) << fake.why;
    EXPECT_FALSE(physical_can_read(&fake.hotspot, &why)) << field;
    EXPECT_NE(std::string(why).find("fields"), std::string::npos) << why;
  }
}

}  // namespace
