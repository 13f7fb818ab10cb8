#include "tools/orca/render/view/stall_words.h"

#include "tests/tools/orca/render/view/verdict_lines.h"

namespace {

class StallWords : public IoTime {
 protected:
  // The words for a call, at the only stack of the recording.
  std::string CallWords(int call, const std::string &stack) {
    Start(1, "main");
    Stands(1, 1, stack);
    Show(view_io_verdict);
    struct builder b = {};
    view_put_call(&b, &small_.model, call, 1);
    return Taken(&b);
  }
};

TEST_F(StallWords, ACallIsNamedUnlessTheVerbSaysIt) {
  EXPECT_EQ(CallWords(EVENT_FUTURE_AWAIT, kRead), " in Future.get");
  EXPECT_EQ(CallWords(EVENT_THREAD_SLEEP, kRead), "");
  EXPECT_EQ(CallWords(EVENT_THREAD_PARK, kRead), "");
  EXPECT_EQ(CallWords(CALL_NONE, kRead), "");
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
