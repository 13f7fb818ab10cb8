#include "agent/writer/call_text.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/agent/files/define.h"
#include "tests/agent/files/output_case.h"

namespace {

constexpr uint64_t kMs = 1000000;

// Whether the recording has several sets of files decides where the definitions are.
class CallTextTest : public OutputTest {
 protected:
  void Start(bool has_sets) {
    options_.maxsize = has_sets ? 1 << 20 : 0;
    StartRecording();
    Define(&classes_, "000000C1,Lshop/Cart;,Cart.java\n");
    Define(&classes_, "000000C2,Lshop/Cart$Item;,\n");
    Define(&methods_, "00000001,add,(I)V,000000C1,2;00000000;00000007;00000004;00000008\n");
    Define(&methods_, "00000002,<init>,()V,000000C2,-1\n");
  }
  std::string Text(const struct long_call &call) {
    char text[1024];
    call_text_write(&output_, &call, text, sizeof text);
    return text;
  }
  static struct long_call MakeCall(uint32_t method, const char *name, uint64_t ns, bool is_over) {
    struct long_call c = {};
    c.num = 1;
    c.thread = 0xABC;
    c.method = method;
    c.ns = ns;
    c.is_over = is_over;
    c.name_len = strlen(name);
    memcpy(c.name, name, c.name_len);
    return c;
  }
};

TEST_F(CallTextTest, NamesMethodAndThread) {
  for (bool has_sets : {false, true}) {
    SCOPED_TRACE(has_sets);
    Start(has_sets);
    EXPECT_EQ(Text(MakeCall(1, "http-7", 812 * kMs, true)),
              "shop.Cart.add took 812 ms in thread \"http-7\"");
    EXPECT_EQ(Text(MakeCall(2, "", 1260 * kMs, false)),
              "shop.Cart$Item.<init> has run for 1.3 s in thread 00000ABC and goes on");
    output_finish(&output_, "exit");
    output_end(&output_);
  }
}

TEST_F(CallTextTest, TellsHowManyCallsThereAre) {
  Start(false);
  struct long_call call = MakeCall(1, "main", 2000 * kMs, true);
  call.num = 3;
  EXPECT_EQ(Text(call),
            "shop.Cart.add took 2.0 s in thread \"main\"; 3 calls were too long, this one the "
            "longest");
}

TEST_F(CallTextTest, AMethodThatIsNotDefinedHasItsNumber) {
  for (bool has_sets : {false, true}) {
    SCOPED_TRACE(has_sets);
    Start(has_sets);
    EXPECT_EQ(Text(MakeCall(3, "main", 600 * kMs, true)),
              "method 00000003 took 600 ms in thread \"main\"");
    EXPECT_EQ(Text(MakeCall(0, "main", 600 * kMs, true)),
              "method 00000000 took 600 ms in thread \"main\"");
    output_finish(&output_, "exit");
    output_end(&output_);
  }
}

// The escapes of the files are for readers of the files.
TEST_F(CallTextTest, ShowsNamesAsTheyAre) {
  Start(false);
  Define(&methods_, "00000004,a\\u002Cb,()V,000000C1,-1\n");
  EXPECT_EQ(Text(MakeCall(4, "one\\u002C two\\u000A", 600 * kMs, true)),
            "shop.Cart.a,b took 600 ms in thread \"one, two\\u000A\"");
}

// The line of a method can be longer than what is read at a time.
TEST_F(CallTextTest, FindsADefinitionAfterVeryLongLines) {
  Start(false);
  for (uint32_t id = 0x10; id < 0x40; id++) {
    char head[64];
    snprintf(head, sizeof head, "%08X,f,()V,000000C1,10000", id);
    std::string body = head;
    for (int i = 0; i < 10000; i++) body += ";00000000;00000001";
    Define(&methods_, body + "\n");
    output_flush(&output_);
  }
  Define(&methods_, "00000041,late,()V,000000C1,-1\n");
  EXPECT_EQ(Text(MakeCall(0x41, "main", 600 * kMs, true)),
            "shop.Cart.late took 600 ms in thread \"main\"");
}

TEST_F(CallTextTest, CutsALongName) {
  Start(false);
  std::string name(1000, 'n');
  Define(&methods_, "00000004," + name + ",()V,000000C1,-1\n");
  EXPECT_EQ(Text(MakeCall(4, "main", 600 * kMs, true)),
            "shop.Cart." + name.substr(0, 290) + "… took 600 ms in thread \"main\"");
}

TEST_F(CallTextTest, AMovedFileIsStillRead) {
  Start(false);
  output_flush(&output_);
  std::filesystem::rename(folder_ + "/out.methods", folder_ + "/away");
  EXPECT_EQ(Text(MakeCall(1, "main", 600 * kMs, true)),
            "shop.Cart.add took 600 ms in thread \"main\"");
}

// Whoever reads the pipe has the definitions.
TEST_F(CallTextTest, APipeIsNotRead) {
  std::string path = folder_ + "/out.methods";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  Start(false);
  EXPECT_EQ(Text(MakeCall(1, "main", 600 * kMs, true)),
            "method 00000001 took 600 ms in thread \"main\"");
  char bytes[1000];
  EXPECT_GT(read(reader, bytes, sizeof bytes), 0) << "the lines are there for the reader";
  close(reader);
}

}  // namespace
