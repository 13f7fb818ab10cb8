#include "tools/orca/model/state/io_call.h"

#include "tests/tools/orca/model/small_dump.h"

namespace {

class IoCall : public testing::Test {
 protected:
  IoCall() {
    small_.files.Append(DUMP_CLASSES,
                        "100.0000000000,000000D1,Lsun/nio/ch/Net;,Net.java\n"
                        "100.0000000000,000000D2,Lsun/nio/ch/NioSocketImpl;,N.java\n"
                        "100.0000000000,000000D3,Ljava/io/FileInputStream;,F.java\n");
    small_.files.Append(DUMP_METHODS,
                        "100.0000000000,00000021,poll,()V,000000D1,-1\n"
                        "100.0000000000,00000022,implRead,()V,000000D2,-1\n"
                        "100.0000000000,00000023,readBytes,()V,000000D3,-1\n");
    small_.Read();
  }
  const char *Words(const char *text) {
    struct span stack = {text, strlen(text)};
    stack_id_t id = 0;
    EXPECT_TRUE(stacks_intern(&small_.model.stacks, small_.dump, stack, &id));
    return io_call_words(small_.dump, &small_.model.stacks, id);
  }
  SmallModel small_;
};

TEST_F(IoCall, ACallerTellsWhatPollIsFor) {
  EXPECT_STREQ(Words("3;00000021;FFFFFFFF;00000022;00000000;00000012;00000000"), "a socket read");
}

TEST_F(IoCall, TheInnermostMethodDecides) {
  EXPECT_STREQ(Words("2;00000023;FFFFFFFF;00000022;00000000"), "a file or pipe read");
}

TEST_F(IoCall, OtherStacksHaveNoWords) {
  EXPECT_EQ(Words("2;00000021;FFFFFFFF;00000012;00000000"), nullptr);
  EXPECT_EQ(Words("0"), nullptr);
}

}  // namespace
