#include "agent/classfile/weave.h"

#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tests/agent/classfile/class_bytes.h"
#include "tests/agent/classfile/weave_requests.h"

namespace {

const struct weave_hooks kHooks = {"Hook",         "enter",          "exit",       "thrown",
                                   "monitorEnter", "monitorEntered", "monitorExit"};
const std::string kReturn = "\xb1";

const char *const kStatusNames[] = {
#define STATUS(name, text) #name,
#include "agent/classfile/status.def"
#undef STATUS
};

CodeBytes MakeCode(const std::string &code) {
  CodeBytes c;
  c.max_stack = 2;
  c.max_locals = 2;
  c.code = code;
  return c;
}

struct weave_hooking MakeHooking(int32_t id) {
  struct weave_hooking hooking = {};
  hooking.id = id;
  hooking.enter = ENTER_NULL;
  hooking.exit = EXIT_PLAIN;
  return hooking;
}

WeaveRequest MakeRequest(const char *name, const char *descriptor, int32_t id = 1) {
  return {name, descriptor, MakeHooking(id), WEAVE_NO_MEMORY};
}

struct Woven {
  enum weave_status status;
  std::string bytes;
};

Woven Weave(const std::string &class_file, std::vector<WeaveRequest> *requests) {
  struct builder out = {};
  builder_string(&out, "before");
  enum weave_status status =
      WeaveRequested(MakeSpan(class_file), &kHooks, requests->data(), requests->size(), &out);
  std::string bytes = TakeBytes(&out);
  EXPECT_EQ(bytes.substr(0, 6), "before");
  EXPECT_EQ(bytes.size() > 6, status == WEAVE_WOVEN);
  return {status, bytes.substr(6)};
}

// A class with run()V, run(I)V, the native method nothing()V and an empty finalize().
ClassMaker MakeClass(int version = 52) {
  ClassMaker maker(version);
  maker.Long(1);
  maker.AddField("field", "I");
  maker.AddMethod(0, "run", "()V", MakeCode(std::string(1, '\0') + kReturn));
  maker.AddMethodWithoutCode(0x100, "nothing", "()V");
  maker.AddMethod(0, "run", "(I)V", MakeCode(std::string(2, '\0') + kReturn));
  maker.AddMethod(0, "finalize", "()V", MakeCode(kReturn));
  return maker;
}

TEST(WeaveClass, StaysUnchangedWithoutRequests) {
  std::vector<WeaveRequest> none;
  EXPECT_EQ(Weave(MakeClass().Make(), &none).status, WEAVE_ABSENT);
}

TEST(WeaveClass, EachRequestGetsItsStatus) {
  std::vector<WeaveRequest> requests = {MakeRequest("run", "()V"), MakeRequest("walk", "()V"),
                                        MakeRequest("nothing", "()V"), MakeRequest("run", "(J)V"),
                                        MakeRequest("finalize", "()V")};
  std::string class_file = MakeClass().Make();
  Woven woven = Weave(class_file, &requests);
  EXPECT_EQ(woven.status, WEAVE_WOVEN);
  EXPECT_EQ(requests[0].status, WEAVE_WOVEN);
  EXPECT_EQ(requests[1].status, WEAVE_ABSENT);
  EXPECT_EQ(requests[2].status, WEAVE_NO_CODE);
  EXPECT_EQ(requests[3].status, WEAVE_ABSENT);
  EXPECT_EQ(requests[4].status, WEAVE_EMPTY_FINALIZE);
  ClassParts before = ReadParts(class_file), after = ReadParts(woven.bytes);
  EXPECT_NE(after.methods["run()V"].code, before.methods["run()V"].code);
  EXPECT_EQ(after.methods["run(I)V"].code, before.methods["run(I)V"].code);
  EXPECT_EQ(after.methods["finalize()V"].code, kReturn);
}

TEST(WeaveClass, StaysUnchangedIfEveryMethodIsRefused) {
  std::vector<WeaveRequest> requests = {MakeRequest("finalize", "()V"),
                                        MakeRequest("nothing", "()V")};
  EXPECT_EQ(Weave(MakeClass().Make(), &requests).status, WEAVE_ABSENT);
  EXPECT_EQ(requests[0].status, WEAVE_EMPTY_FINALIZE);
  EXPECT_EQ(requests[1].status, WEAVE_NO_CODE);
}

TEST(WeaveClass, AddsEachPoolEntryOnce) {
  std::string class_file = MakeClass().Make();
  std::vector<WeaveRequest> one = {MakeRequest("run", "()V")};
  std::vector<WeaveRequest> two = {MakeRequest("run", "()V"), MakeRequest("run", "(I)V")};
  ClassParts before = ReadParts(class_file);
  ClassParts after_one = ReadParts(Weave(class_file, &one).bytes);
  ClassParts after_two = ReadParts(Weave(class_file, &two).bytes);
  EXPECT_EQ(after_one.pool, after_two.pool);
  after_one.pool.resize(before.pool.size());
  EXPECT_EQ(after_one.pool, before.pool);
  // A woven class that is woven again contains all entries already.
  std::string woven = Weave(class_file, &two).bytes;
  EXPECT_EQ(ReadParts(Weave(woven, &two).bytes).pool, after_two.pool);
}

TEST(WeaveClass, GetsNoFramesBeforeVersion50) {
  for (int version : {45, 49, 50, 69}) {
    std::vector<WeaveRequest> requests = {MakeRequest("run", "()V")};
    ClassParts woven = ReadParts(Weave(MakeClass(version).Make(), &requests).bytes);
    EXPECT_EQ(woven.methods["run()V"].handlers.size(), 1u);
    EXPECT_EQ(woven.methods["run()V"].attributes.size(), version < 50 ? 0u : 1u) << version;
  }
}

TEST(WeaveClass, ConstructorWithoutSuperclassEntersAtItsStartAndHasNoHandler) {
  ClassMaker maker;
  maker.AddMethod(0, "<init>", "()V", MakeCode(std::string(1, '\0') + kReturn));
  std::vector<WeaveRequest> requests = {MakeRequest("<init>", "()V")};
  EXPECT_EQ(Weave(maker.Make(), &requests).status, WEAVE_ABSENT);
  EXPECT_EQ(requests[0].status, WEAVE_CONSTRUCTOR);
  maker.set_super(0);
  Woven woven = Weave(maker.Make(), &requests);
  ASSERT_EQ(woven.status, WEAVE_WOVEN);
  CodeBytes code = ReadParts(woven.bytes).methods["<init>()V"];
  EXPECT_EQ(code.code.size(), 2u + 6 + 5);
  EXPECT_TRUE(code.handlers.empty());
}

TEST(WeaveClass, MethodIsRefusedIfThePoolIsFull) {
  ClassMaker maker = MakeClass();
  maker.FillPool(65530);
  std::vector<WeaveRequest> requests = {MakeRequest("run", "()V"), MakeRequest("nothing", "()V")};
  EXPECT_EQ(Weave(maker.Make(), &requests).status, WEAVE_ABSENT);
  EXPECT_EQ(requests[0].status, WEAVE_POOL_FULL);
  EXPECT_EQ(requests[1].status, WEAVE_NO_CODE);
}

// The pools have less and less room. The method is woven as a whole or not at all.
TEST(WeaveClass, MethodIsRefusedIfThePoolFillsUpDuringTheWeaving) {
  size_t woven = 0, refused = 0;
  for (uint32_t count = 65515; count <= 65535; count++) {
    ClassMaker maker = MakeClass();
    maker.FillPool(count);
    std::vector<WeaveRequest> requests = {MakeRequest("run", "()V", 100000)};
    Woven result = Weave(maker.Make(), &requests);
    (result.status == WEAVE_WOVEN ? woven : refused)++;
    EXPECT_EQ(requests[0].status, result.status == WEAVE_WOVEN ? WEAVE_WOVEN : WEAVE_POOL_FULL);
    if (result.status == WEAVE_WOVEN) ReadParts(result.bytes);
  }
  EXPECT_GT(woven, 0u);
  EXPECT_GT(refused, 10u);
}

TEST(WeaveClass, EveryTruncatedClassFileIsRefused) {
  std::string class_file = MakeClass().Make();
  for (size_t len = 0; len < class_file.size(); len++) {
    std::vector<WeaveRequest> requests = {MakeRequest("run", "()V"), MakeRequest("walk", "()V")};
    EXPECT_EQ(Weave(class_file.substr(0, len), &requests).status, WEAVE_MALFORMED) << len;
    EXPECT_EQ(requests[0].status, WEAVE_MALFORMED);
    EXPECT_EQ(requests[1].status, WEAVE_MALFORMED);
  }
}

TEST(WeaveClass, OtherBytesAreRefused) {
  std::vector<WeaveRequest> requests = {MakeRequest("run", "()V")};
  EXPECT_EQ(Weave("no class", &requests).status, WEAVE_MALFORMED);
  EXPECT_EQ(Weave(MakeClass().Make() + "x", &requests).status, WEAVE_MALFORMED);
}

// Only checks that the rewriter survives.
TEST(WeaveClass, AnyChangedByteIsWovenOrRefused) {
  const std::string class_file = MakeClass().Make();
  for (size_t at = 0; at < class_file.size(); at++) {
    for (int other : {0x00, 0x01, 0x7F, 0xFF}) {
      std::string changed = class_file;
      changed[at] = static_cast<char>(other);
      std::vector<WeaveRequest> requests = {MakeRequest("run", "()V"), MakeRequest("run", "(I)V")};
      Weave(changed, &requests);
    }
  }
}

// Keeps the arguments of the calls of the chooser.
class WeaveChosen : public testing::Test {
 protected:
  enum weave_status Choose(const std::string &class_file, struct weave_hooking hooking) {
    hooking_ = hooking;
    struct weave_chooser chooser = {
        [](void *context, const struct weave_method *m, struct weave_hooking *out) {
          return static_cast<WeaveChosen *>(context)->ChooseOne(*m, out);
        },
        [](void *context, const struct weave_method *m, enum weave_status status) {
          static_cast<WeaveChosen *>(context)->calls_ +=
              MakeText(m->name) + "=" + kStatusNames[status] + " ";
        },
        this};
    struct builder out = {};
    enum weave_status status = weave_class(MakeSpan(class_file), &kHooks, &chooser, &out);
    TakeBytes(&out);
    return status;
  }

  bool ChooseOne(const struct weave_method &m, struct weave_hooking *out) {
    calls_ += MakeText(m.name) + MakeText(m.descriptor) + " ";
    EXPECT_EQ(MakeText(m.class_name), "Made");
    EXPECT_EQ(m.class_access, 0x21u);
    access_ += std::to_string(m.access) + " ";
    annotated_ += weave_method_has_annotation(&m, "LGet;") ? 'm' : '.';
    annotated_ += weave_class_has_annotation(&m, "LPath;") ? 'c' : '.';
    EXPECT_EQ(out->enter, ENTER_NONE) << "the hooking is all zero before";
    *out = hooking_;
    return m.name.len > 3;
  }

  struct weave_hooking hooking_;
  std::string calls_, access_, annotated_;
};

TEST_F(WeaveChosen, CallsTheChooserForEveryMethod) {
  EXPECT_EQ(Choose(MakeClass().Make(), MakeHooking(1)), WEAVE_ABSENT);
  EXPECT_EQ(calls_,
            "run()V nothing()V nothing=NO_CODE run(I)V finalize()V finalize=EMPTY_FINALIZE ");
  EXPECT_EQ(access_, "0 256 0 0 ");
  EXPECT_EQ(annotated_, "........");
}

TEST_F(WeaveChosen, StaysUnchangedIfThereIsNothingToHook) {
  ClassMaker maker;
  maker.AddMethod(0, "walk", "()V", MakeCode(kReturn));
  EXPECT_EQ(Choose(maker.Make(), {}), WEAVE_ABSENT);
  EXPECT_EQ(calls_, "walk()V walk=NOTHING ");
}

TEST_F(WeaveChosen, ChooserCanReadAnnotations) {
  ClassMaker maker;
  std::string get = U2(1) + U2(maker.Utf8("LGet;")) + U2(0);
  std::string path = U2(1) + U2(maker.Utf8("LPath;")) + U2(0);
  maker.AddField("field", "I");
  maker.AddMethod(0, "walk", "()V", MakeCode(kReturn), {{"RuntimeVisibleAnnotations", get}});
  maker.AddMethod(0, "talk", "()V", MakeCode(kReturn), {{"RuntimeVisibleAnnotations", path}});
  maker.AddMethodWithoutCode(0x100, "nothing", "()V", {{"RuntimeVisibleAnnotations", get}});
  maker.AddAttribute("RuntimeVisibleAnnotations", path);
  EXPECT_EQ(Choose(maker.Make(), MakeHooking(1)), WEAVE_WOVEN);
  EXPECT_EQ(annotated_, "mc.cmc");
}

// --- statuses --------------------------------------------------------------------------------

TEST(WeaveStatus, EachStatusHasItsOwnText) {
  std::set<std::string> texts;
  for (int s = 0; s < NUM_WEAVE_STATUSES; s++) {
    texts.insert(weave_status_text(static_cast<enum weave_status>(s)));
  }
  EXPECT_EQ(texts.size(), static_cast<size_t>(NUM_WEAVE_STATUSES));
  EXPECT_EQ(texts.count(""), 0u);
}

TEST(WeaveStatus, TextDescribesTheStatus) {
  EXPECT_STREQ(weave_status_text(WEAVE_CODE_FULL), "the code would grow over 65,535 bytes");
}

}  // namespace
