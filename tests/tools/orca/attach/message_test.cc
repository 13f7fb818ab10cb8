#include "tools/orca/attach/message.h"

#include <gtest/gtest.h>

#include <string>

namespace {

struct Load {
  bool good;
  std::string request, why;
};

Load MakeLoad(const std::string &library, const std::string &options) {
  struct builder b = {};
  struct refusal why = {""};
  Load load;
  load.good = message_load(&b, library.c_str(), options.c_str(), &why);
  load.request.assign(b.data == nullptr ? "" : b.data, b.len);
  load.why = why.text;
  builder_free(&b);
  return load;
}

TEST(MessageLoad, IsVersionCommandAndThreeArguments) {
  using std::string_literals::operator""s;
  EXPECT_EQ(MakeLoad("/a/liborca.so", "@stop,reply=/tmp/r").request,
            "1\0load\0/a/liborca.so\0true\0@stop,reply=/tmp/r\0"s);
  EXPECT_EQ(MakeLoad("/l", "").request, "1\0load\0/l\0true\0\0"s);
}

TEST(MessageLoad, NothingLongerThanAJvmTakes) {
  std::string longest(1024, 'x');
  EXPECT_TRUE(MakeLoad(longest, longest).good);
  EXPECT_EQ(MakeLoad("/l", longest + "x").why,
            "a running JVM takes 1024 bytes of prefix and options, not 1025");
  Load library = MakeLoad(longest + "x", "");
  EXPECT_FALSE(library.good);
  EXPECT_EQ(library.request, "");
  EXPECT_EQ(library.why.find("a JVM takes no library whose path has more than 1024 bytes: xxx"),
            0u);
}

/* "result N", or the refusal. */
std::string Result(const std::string &answer) {
  int result;
  struct refusal why = {""};
  bool good = message_result({answer.data(), answer.size()}, &result, &why);
  return good ? "result " + std::to_string(result) : why.text;
}

TEST(MessageResult, OfTheAgent) {
  EXPECT_EQ(Result("0\nreturn code: 0\n"), "result 0");
  EXPECT_EQ(Result("0\nreturn code: -1\n"), "result -1");
  EXPECT_EQ(Result("0\nreturn code: 7"), "result 7");
  EXPECT_EQ(Result("0\n0\n"), "result 0"); /* JDK 8 */
  EXPECT_EQ(Result("0\n-1\n"), "result -1");
}

TEST(MessageResult, TheJvmDidNotLoadIt) {
  const std::string said = "the JVM did not load the agent: ";
  const std::string none = "/x.so was not loaded.\n/x.so: cannot open shared object file\n";
  const std::string line = "/x.so was not loaded. /x.so: cannot open shared object file";
  EXPECT_EQ(Result("-1\n" + none), said + line); /* JDK 17 */
  EXPECT_EQ(Result("0\n" + none), said + line);  /* JDK 25 */
  EXPECT_EQ(Result("-1\nDynamic agent loading is not enabled."),
            said + "Dynamic agent loading is not enabled.");
  EXPECT_EQ(Result("100\n"), "the JVM did not load the agent, and gives 100 as the reason");
  EXPECT_EQ(Result("0\n"), "the JVM did not load the agent, and gives 0 as the reason");
  EXPECT_EQ(Result("0"), "the JVM did not load the agent, and gives 0 as the reason");
}

TEST(MessageResult, AJvmThatStillStarts) {
  EXPECT_EQ(Result("0\nDynamic agent loading is only permitted in the live phase\n"), "result -2");
  EXPECT_EQ(Result("-1\nDynamic agent loading is only permitted in the live phase"), "result -2");
}

TEST(MessageResult, Garbage) {
  const std::string none = "the JVM's answer is none of the attach protocol";
  EXPECT_EQ(Result(""), "the JVM closed the connection without an answer");
  for (const char *garbage : {"\n", "HTTP/1.1 400 Bad Request\r\n", "99999999999\n", "0x\n"}) {
    EXPECT_EQ(Result(garbage), none) << garbage;
  }
  EXPECT_EQ(Result("101\n"), "the JVM does not know version 1 of the attach protocol");
  EXPECT_EQ(Result("101\nunknown version"),
            "the JVM does not know version 1 of the attach protocol");
  std::string endless = Result("-1\n" + std::string(100000, 'x'));
  EXPECT_LT(endless.size(), 1000u);
}

}  // namespace
