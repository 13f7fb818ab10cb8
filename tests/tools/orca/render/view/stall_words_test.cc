#include "tools/orca/render/view/stall_words.h"

#include "tests/tools/orca/render/view/verdict_lines.h"

namespace {

class StallWords : public IoTime {
 protected:
  StallWords() {
    small_.files.Append(
        DUMP_CLASSES, "100.0000000000,000000F1,Ljava/util/concurrent/CompletableFuture;,C.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000061,join,()V,000000F1,-1\n"
                        "100.0000000000,00000062,get,()V,000000F1,-1\n");
    small_.Read();
  }
  std::string CallWords(int call, const std::string &stack) {
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(stack), &id));
    struct builder b = {};
    view_put_call(&b, &small_.model, call, id);
    return TakeText(&b);
  }
};

TEST_F(StallWords, ACallIsNamedUnlessTheVerbSaysIt) {
  EXPECT_EQ(CallWords(EVENT_FUTURE_AWAIT, kReserve), " in Future.get or join");
  EXPECT_EQ(CallWords(EVENT_THREAD_SLEEP, kReserve), "");
  EXPECT_EQ(CallWords(EVENT_THREAD_PARK, kReserve), "");
  EXPECT_EQ(CallWords(CALL_NONE, kReserve), "");
}

// The recording has Object.wait and Thread.sleep of the JDK; the others are of the program.
TEST_F(StallWords, AMethodOfTheJdkThatTheProgramCalledIsNamed) {
  EXPECT_EQ(CallWords(EVENT_OBJECT_WAIT, "2;00000001;FFFFFFFF;00000012;00000000"),
            " in Object.wait");
  EXPECT_EQ(CallWords(EVENT_OBJECT_WAIT, "3;00000001;FFFFFFFF;00000003;00000000;00000012;00000000"),
            " in Thread.sleep");
  EXPECT_EQ(CallWords(EVENT_OBJECT_WAIT, "1;00000001;FFFFFFFF"), " in Object.wait");
}

// The event is the same for Future.get and CompletableFuture.join.
TEST_F(StallWords, AFutureIsWaitedForInTheMethodThatTheProgramCalled) {
  EXPECT_EQ(CallWords(EVENT_FUTURE_AWAIT, "2;00000061;FFFFFFFF;00000012;00000000"),
            " in CompletableFuture.join");
  EXPECT_EQ(CallWords(EVENT_FUTURE_AWAIT, "2;00000062;FFFFFFFF;00000012;00000000"),
            " in CompletableFuture.get");
}

TEST_F(StallWords, IoHasItsPurposeAndMethod) {
  EXPECT_EQ(CallWords(CALL_IO, kRead), " in a socket read (SocketDispatcher.read0)");
}

TEST_F(StallWords, TheMethodIsNotToldWithItsPlace) {
  EXPECT_EQ(CallWords(CALL_IO, "1;00000021;FFFFFFFF"), " in a socket read");
}

TEST_F(StallWords, IoWithoutAPurposeHasItsMethod) {
  EXPECT_EQ(CallWords(CALL_IO, "2;00000014;FFFFFFFF;00000012;00000000"), " in EPoll.wait");
}

TEST(StallWordsOrder, IoComesFirstAndJoinsComeLast) {
  EXPECT_LT(view_compare_calls(CALL_IO, CALL_NONE), 0);
  EXPECT_LT(view_compare_calls(EVENT_FUTURE_AWAIT, EVENT_THREAD_JOIN), 0);
  EXPECT_EQ(view_compare_calls(EVENT_FUTURE_AWAIT, EVENT_OBJECT_WAIT), 0);
}

}  // namespace
