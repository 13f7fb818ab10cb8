#include "tests/tools/orca/answer/time_lines.h"

namespace {

class NameCall : public IoLines {
 protected:
  NameCall() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000F1,Ljava/util/concurrent/CompletableFuture;,C.java\n"
                        "100.0000000000,000000F2,Lsun/nio/ch/Net;,Net.java\n"
                        "100.0000000000,000000F3,Lsun/nio/ch/NioSocketImpl;,N.java\n"
                        "100.0000000000,000000F4,Ljava/io/FileInputStream;,F.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000061,join,()V,000000F1,-1\n"
                        "100.0000000000,00000062,get,()V,000000F1,-1\n"
                        "100.0000000000,00000071,poll,()V,000000F2,-1\n"
                        "100.0000000000,00000072,implRead,()V,000000F3,-1\n"
                        "100.0000000000,00000073,readBytes,()V,000000F4,-1\n");
    small_.Read();
  }
  std::string GetName(int call, const std::string &stack) {
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, Span(stack), &id));
    Said said;
    said.answer.model = &small_.model;
    struct finder f = {&said.answer, &small_.model, &said.answer.findings};
    const char *name = name_call(&f, call, id);
    return name == nullptr ? "" : name;
  }
};

TEST_F(NameCall, ACallIsNamedUnlessTheVerbSaysIt) {
  EXPECT_EQ(GetName(EVENT_FUTURE_AWAIT, kReserve), "Future.get or join");
  EXPECT_EQ(GetName(EVENT_THREAD_SLEEP, kReserve), "");
  EXPECT_EQ(GetName(EVENT_THREAD_PARK, kReserve), "");
  EXPECT_EQ(GetName(CALL_NONE, kReserve), "");
}

// The recording has Object.wait and Thread.sleep of the JDK; the others are of the program.
TEST_F(NameCall, AMethodOfTheJdkThatTheProgramCalledIsNamed) {
  EXPECT_EQ(GetName(EVENT_OBJECT_WAIT, "2;00000001;FFFFFFFF;00000012;00000000"), "Object.wait");
  EXPECT_EQ(GetName(EVENT_OBJECT_WAIT, "3;00000001;FFFFFFFF;00000003;00000000;00000012;00000000"),
            "Thread.sleep");
  EXPECT_EQ(GetName(EVENT_OBJECT_WAIT, "1;00000001;FFFFFFFF"), "Object.wait");
}

// The event is the same for Future.get and CompletableFuture.join.
TEST_F(NameCall, AFutureIsWaitedForInTheMethodThatTheProgramCalled) {
  EXPECT_EQ(GetName(EVENT_FUTURE_AWAIT, "2;00000061;FFFFFFFF;00000012;00000000"),
            "CompletableFuture.join");
  EXPECT_EQ(GetName(EVENT_FUTURE_AWAIT, "2;00000062;FFFFFFFF;00000012;00000000"),
            "CompletableFuture.get");
}

TEST_F(NameCall, IoHasItsPurposeAndMethod) {
  EXPECT_EQ(GetName(CALL_IO, kRead), "a socket read (SocketDispatcher.read0)");
}

TEST_F(NameCall, TheMethodIsNotToldWithItsPlace) {
  EXPECT_EQ(GetName(CALL_IO, "1;00000021;FFFFFFFF"), "a socket read");
}

TEST_F(NameCall, IoWithoutAPurposeHasItsMethod) {
  EXPECT_EQ(GetName(CALL_IO, "2;00000014;FFFFFFFF;00000012;00000000"), "EPoll.wait");
}

// Net.poll waits for any sort of I/O.
TEST_F(NameCall, ACallerTellsWhatPollIsFor) {
  EXPECT_EQ(GetName(CALL_IO, "3;00000071;FFFFFFFF;00000072;00000000;00000012;00000000"),
            "a socket read (Net.poll)");
}

TEST_F(NameCall, TheInnermostMethodDecides) {
  EXPECT_EQ(GetName(CALL_IO, "3;00000073;FFFFFFFF;00000072;00000000;00000012;00000000"),
            "a file or pipe read (FileInputStream.readBytes)");
}

TEST_F(NameCall, OtherStacksHaveNoWords) {
  EXPECT_EQ(GetName(CALL_IO, "2;00000071;FFFFFFFF;00000012;00000000"), "Net.poll");
  EXPECT_EQ(GetName(CALL_IO, "0"), "");
}

TEST(CompareCalls, IoComesFirstAndJoinsComeLast) {
  EXPECT_LT(compare_calls(CALL_IO, CALL_NONE), 0);
  EXPECT_LT(compare_calls(EVENT_FUTURE_AWAIT, EVENT_THREAD_JOIN), 0);
  EXPECT_EQ(compare_calls(EVENT_FUTURE_AWAIT, EVENT_OBJECT_WAIT), 0);
}

}  // namespace
