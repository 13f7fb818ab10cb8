#include "agent/hotspot/hotspot.h"

#include "gtest/gtest.h"
#include "tests/support/fake_hotspot.h"

namespace {

jmethodID Method(uintptr_t n) { return reinterpret_cast<jmethodID>(n); }

TEST(Hotspot, NeedsEachRequiredField) {
  const std::pair<const char *, const char *> needed[] = {
      {"JavaThread", "_anchor"},       {"OSThread", "_thread_id"},  {"CodeCache", "_heaps"},
      {"Method", "_constMethod"},      {"CodeBlob", "_frame_size"}, {"CodeBlob", "_code_offset"},
      {"AbstractInterpreter", "_code"}};
  for (auto &field : needed) {
    FakeHotspot fake;
    ASSERT_TRUE(fake.Read()) << fake.why;
    fake.RemoveField(field.first, field.second);
    EXPECT_FALSE(fake.Read()) << field.second;
    EXPECT_NE(fake.why, nullptr);
  }
}

TEST(Hotspot, WorksWithoutAnOptionalField) {
  FakeHotspot fake;
  fake.RemoveField("JavaThread", "_monitor_owner_id");
  fake.RemoveField("ContinuationEntry", "_return_pc");
  ASSERT_TRUE(fake.Read());
  EXPECT_FALSE(fake.hotspot.has[HOTSPOT_THREAD_OWNER_ID]);
  EXPECT_EQ(fake.hotspot.continuation_return, 0u);
}

/* Up to JDK 8 the code cache is one heap, and GrowableArray has another base. */
TEST(Hotspot, ReadsTheOnlyCodeHeapOfAnOldJvm) {
  FakeHotspot fake(FakeHotspot::kOneHeap);
  struct blob b;
  uintptr_t code = fake.AddBlob("nmethod", 100, 6);
  ASSERT_TRUE(fake.Read()) << fake.why;
  EXPECT_EQ(fake.hotspot.num_heaps, 1u);
  EXPECT_TRUE(hotspot_is_code(&fake.hotspot, code));
  ASSERT_TRUE(hotspot_find_blob(&fake.hotspot, code, &b));
  EXPECT_EQ(b.kind, BLOB_COMPILED);
  fake.RemoveField("CodeCache", "_heap");
  EXPECT_FALSE(fake.Read());
}

/* JDK 28 has numbered the states of threads anew. */
TEST(Hotspot, ReadsTheNumbersOfThreadStates) {
  FakeHotspot fake;
  EXPECT_EQ(fake.hotspot.at[HOTSPOT_STATE_IN_NATIVE],
            static_cast<uint64_t>(FakeHotspot::kInNative));
  EXPECT_EQ(fake.hotspot.at[HOTSPOT_STATE_IN_JAVA], static_cast<uint64_t>(FakeHotspot::kInJava));
  fake.RemoveConstant("_thread_in_native");
  EXPECT_FALSE(fake.Read());
  EXPECT_NE(fake.why, nullptr);
}

TEST(Hotspot, FindsABlobByEachOfItsAddresses) {
  FakeHotspot fake;
  fake.AddBlob("RuntimeStub", 10, 2);
  uintptr_t code = fake.AddBlob("nmethod", 1000, 6, 13, 0x1234, 24);
  uintptr_t native = fake.AddBlob("native nmethod", 100, 4);
  for (uintptr_t pc : {code, code + 1, code + 999}) {
    struct blob b;
    ASSERT_TRUE(hotspot_find_blob(&fake.hotspot, pc, &b));
    EXPECT_EQ(b.kind, BLOB_COMPILED);
    EXPECT_EQ(b.code_begin, code);
    EXPECT_EQ(b.end, code + 1000);
    EXPECT_EQ(b.frame_bytes, 48);
    EXPECT_EQ(b.frame_complete, 13);
    EXPECT_EQ(b.method, 0x1234u);
    EXPECT_EQ(b.orig_pc, 24);
  }
  struct blob b;
  ASSERT_TRUE(hotspot_find_blob(&fake.hotspot, native, &b));
  EXPECT_EQ(b.kind, BLOB_NATIVE);
}

TEST(Hotspot, FindsNoBlobWhereThereIsNone) {
  FakeHotspot fake;
  struct blob b;
  uintptr_t code = fake.AddBlob("nmethod", 100, 6);
  EXPECT_FALSE(hotspot_find_blob(&fake.hotspot, code - 1, &b)); /* its header */
  EXPECT_FALSE(hotspot_find_blob(&fake.hotspot, code + 100, &b));
  EXPECT_FALSE(hotspot_find_blob(&fake.hotspot, code + 20000, &b)); /* a free segment */
  EXPECT_FALSE(hotspot_find_blob(&fake.hotspot, 0x1000, &b));
  EXPECT_FALSE(hotspot_find_blob(&fake.hotspot, fake.GetInterpreterLow(), &b));
  fake.FreeBlob(code);
  EXPECT_FALSE(hotspot_find_blob(&fake.hotspot, code, &b));
}

TEST(Hotspot, ReadsAMethod) {
  FakeHotspot fake;
  uintptr_t code;
  uintptr_t method = fake.AddMethod(Method(0x77), 30, &code);
  struct method_words words;
  ASSERT_TRUE(hotspot_read_method(&fake.hotspot, method, &words));
  EXPECT_EQ(words.id, Method(0x77));
  EXPECT_EQ(words.code, code);
  EXPECT_EQ(words.code_size, 30u);
  EXPECT_FALSE(hotspot_read_method(&fake.hotspot, 0, &words));
  EXPECT_FALSE(hotspot_read_method(&fake.hotspot, 0x5000, &words));
}

TEST(Hotspot, ReadsAThread) {
  FakeHotspot fake;
  uint64_t thread[16] = {}, os[2] = {};
  FakeHotspot::Poke(reinterpret_cast<uintptr_t>(os) + 4, int32_t{4711});
  FakeHotspot::Poke(reinterpret_cast<uintptr_t>(thread) + 48, os);
  FakeHotspot::Poke(reinterpret_cast<uintptr_t>(thread) + 56, uintptr_t{0x7000});
  EXPECT_EQ(hotspot_read_tid(&fake.hotspot, reinterpret_cast<uintptr_t>(thread)), 4711);
  EXPECT_EQ(hotspot_read_stack_end(&fake.hotspot, reinterpret_cast<uintptr_t>(thread)), 0x7000u);
  EXPECT_EQ(hotspot_read_tid(&fake.hotspot, 0), 0);
}

TEST(Hotspot, RefreshesTheReturnAddressOfVirtualThreads) {
  FakeHotspot fake;
  EXPECT_EQ(fake.hotspot.continuation_return, 0u);
  fake.continuation_return = 0x4242;
  hotspot_refresh(&fake.hotspot);
  EXPECT_EQ(fake.hotspot.continuation_return, 0x4242u);
}

}  // namespace
