#include "agent/inventory/open_call.h"

#include "tests/agent/inventory/inventory_case.h"
#include "tests/support/scarce.h"

namespace {

// The frames of a stack, the top frame first.
class OpenCallTest : public testing::Test {
 protected:
  ~OpenCallTest() override { open_calls_free(&calls_); }

  // Returns the calls as "EVENT DEPTH", the outermost first.
  Lines Find(const std::vector<FakeMethod *> &methods, const std::string &options = "") {
    if (!options.empty()) c_.r.Again(options);
    calls_.options = &c_.r.recorder->options;
    std::vector<jvmtiFrameInfo> frames;
    for (FakeMethod *m : methods) frames.push_back({m->Id(), 0});
    struct open_call out[OPEN_CALLS_MAX];
    int n = open_calls_find(&calls_, c_.r.ti, c_.r.jni, frames.data(),
                            static_cast<int>(frames.size()), out);
    Lines lines;
    for (int i = 0; i < n; i++) {
      lines.push_back(std::string(event_infos[out[i].kind].name) + " " +
                      std::to_string(out[i].depth));
    }
    return lines;
  }

  InventoryCase c_;
  FakeMethod *wait_ = c_.AddBootMethod("java/lang/Object", "wait", "(J)V");
  FakeMethod *join_ = c_.AddBootMethod("java/lang/Thread", "join", "()V");
  FakeMethod *get_ =
      c_.AddBootMethod("java/util/concurrent/FutureTask", "get", "()Ljava/lang/Object;");
  FakeMethod *notify_ = c_.AddBootMethod("java/lang/Object", "notify", "()V");
  FakeMethod *park_ = c_.AddBootMethod("jdk/internal/misc/Unsafe", "park", "(ZJ)V");
  struct open_calls calls_ = {};
};

TEST_F(OpenCallTest, FindsACall) {
  EXPECT_EQ(Find({wait_, c_.run}), Lines{"ObjectWait 0"});
  EXPECT_EQ(Find({park_, get_, c_.run}), Lines{"FutureAwait 1"});
}

TEST_F(OpenCallTest, FindsNoneInOtherCode) {
  EXPECT_EQ(Find({}), Lines{});
  EXPECT_EQ(Find({park_, c_.run}), Lines{});
  EXPECT_EQ(Find({notify_, c_.run}), Lines{});  // its event is a POINT
}

TEST_F(OpenCallTest, IgnoresACallByTheJdkInsideOfACall) {
  EXPECT_EQ(Find({wait_, join_, c_.run}), Lines{"ThreadJoin 1"});
}

TEST_F(OpenCallTest, FindsACallByTheProgramInsideOfACall) {
  EXPECT_EQ(Find({wait_, c_.run, get_, c_.run}), (Lines{"FutureAwait 2", "ObjectWait 0"}));
}

TEST_F(OpenCallTest, IgnoresAMethodOfTheProgramWithTheSameName) {
  EXPECT_EQ(Find({c_.AddMethod(c_.program, "wait", "(J)V"), c_.run}), Lines{});
}

TEST_F(OpenCallTest, IgnoresEventsThatAreNotRecorded) {
  EXPECT_EQ(Find({wait_, c_.run}, "events=join"), Lines{});
  EXPECT_EQ(Find({join_, c_.run}, "events=join"), Lines{"ThreadJoin 0"});
}

TEST_F(OpenCallTest, FindsTheOutermostOfManyCalls) {
  std::vector<FakeMethod *> frames;
  for (int i = 0; i < OPEN_CALLS_MAX + 3; i++) frames.insert(frames.end(), {wait_, c_.run});
  Lines lines = Find(frames);
  ASSERT_EQ(lines.size(), static_cast<size_t>(OPEN_CALLS_MAX));
  EXPECT_EQ(lines[0], "ObjectWait " + std::to_string(frames.size() - 2));
}

TEST_F(OpenCallTest, AsksTheJvmOnceForAMethod) {
  Find({wait_, c_.run});
  int before = c_.r.jvm.Calls(CALL_GetMethodDeclaringClass);
  Find({wait_, c_.run});
  EXPECT_EQ(c_.r.jvm.Calls(CALL_GetMethodDeclaringClass), before);
}

TEST_F(OpenCallTest, FindsNoneIfTheJvmDoesNotAnswer) {
  for (FakeCall call : {CALL_GetMethodDeclaringClass, CALL_GetClassSignature, CALL_GetMethodName}) {
    struct open_calls none = {};
    open_calls_free(&calls_);
    calls_ = none;
    c_.r.jvm.Fail(call, 9);
    EXPECT_EQ(Find({wait_, c_.run}), Lines{}) << call;
    c_.r.jvm.Fail(call, 0);
  }
}

TEST_F(OpenCallTest, NeedsNoMemory) {
  scarce_fail(1);
  Lines lines = Find({wait_, c_.run});
  scarce_fail(0);
  EXPECT_EQ(lines, Lines{"ObjectWait 0"});
}

}  // namespace
