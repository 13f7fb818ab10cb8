#include "tools/orca/attach/message.h"

#include <gtest/gtest.h>

#include <string>

namespace {

struct Request {
  bool good;
  std::string request, why;
};

Request MakeRequest(const std::string &library, const std::string &options) {
  struct builder b = {};
  struct refusal why = {""};
  Request load;
  load.good = message_write_load(&b, library.c_str(), options.c_str(), &why);
  load.request.assign(b.data == nullptr ? "" : b.data, b.len);
  load.why = why.text;
  builder_free(&b);
  return load;
}

TEST(MessageLoad, HasVersionCommandAndThreeArguments) {
  using std::string_literals::operator""s;
  EXPECT_EQ(MakeRequest("/a/liborca.so", "@stop,reply=/tmp/r").request,
            "1\0load\0/a/liborca.so\0true\0@stop,reply=/tmp/r\0"s);
  EXPECT_EQ(MakeRequest("/l", "").request, "1\0load\0/l\0true\0\0"s);
}

TEST(MessageLoad, RefusesArgumentsOverTheLimitOfTheJvm) {
  std::string longest(1024, 'x');
  EXPECT_TRUE(MakeRequest(longest, longest).good);
  EXPECT_EQ(MakeRequest("/l", longest + "x").why,
            "prefix and options have 1025 bytes; a running JVM accepts at most 1024");
  Request library = MakeRequest(longest + "x", "");
  EXPECT_FALSE(library.good);
  EXPECT_EQ(library.request, "");
  EXPECT_EQ(
      library.why.find("the path of the agent has more than 1024 bytes, which a JVM refuses: xxx"),
      0u);
}

/* Returns "result N", or the refusal. */
std::string ReadResult(const std::string &answer) {
  int result;
  struct refusal why = {""};
  bool good = message_read_result({answer.data(), answer.size()}, &result, &why);
  return good ? "result " + std::to_string(result) : why.text;
}

TEST(MessageResult, IsTheReturnValueOfTheAgent) {
  EXPECT_EQ(ReadResult("0\nreturn code: 0\n"), "result 0");
  EXPECT_EQ(ReadResult("0\nreturn code: -1\n"), "result -1");
  EXPECT_EQ(ReadResult("0\nreturn code: 7"), "result 7");
  EXPECT_EQ(ReadResult("0\n0\n"), "result 0"); /* JDK 8 */
  EXPECT_EQ(ReadResult("0\n-1\n"), "result -1");
}

TEST(MessageResult, IsARefusalIfTheJvmDidNotLoadTheAgent) {
  const std::string refusal = "the JVM did not load the agent: ";
  const std::string none = "/x.so was not loaded.\n/x.so: cannot open shared object file\n";
  const std::string line = "/x.so was not loaded. /x.so: cannot open shared object file";
  EXPECT_EQ(ReadResult("-1\n" + none), refusal + line); /* JDK 17 */
  EXPECT_EQ(ReadResult("0\n" + none), refusal + line);  /* JDK 25 */
  EXPECT_EQ(ReadResult("100\n"), "the JVM did not load the agent: error code 100");
  EXPECT_EQ(ReadResult("0\n"), "the JVM did not load the agent: error code 0");
  EXPECT_EQ(ReadResult("0"), "the JVM did not load the agent: error code 0");
}

TEST(MessageResult, NamesTheFlagIfTheJvmForbidsIt) {
  for (const char *answer :
       {"-1\nDynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch "
        "target VM.\n",
        "0\nDynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch "
        "target VM.\n"}) {
    EXPECT_EQ(ReadResult(answer),
              "this JVM loads no agent while it runs, and passes no command to one that it has; "
              "start it with -XX:+EnableDynamicAgentLoading, or with -agentpath and all options");
  }
}

TEST(MessageResult, IsTooEarlyWhileTheJvmStarts) {
  EXPECT_EQ(ReadResult("0\nDynamic agent loading is only permitted in the live phase\n"),
            "result -2");
  EXPECT_EQ(ReadResult("-1\nDynamic agent loading is only permitted in the live phase"),
            "result -2");
}

TEST(MessageResult, IsARefusalForGarbage) {
  const std::string none = "the JVM's answer does not follow the attach protocol";
  EXPECT_EQ(ReadResult(""), "the JVM closed the connection without an answer");
  for (const char *garbage : {"\n", "HTTP/1.1 400 Bad Request\r\n", "99999999999\n", "0x\n"}) {
    EXPECT_EQ(ReadResult(garbage), none) << garbage;
  }
  EXPECT_EQ(ReadResult("101\n"), "the JVM does not support version 1 of the attach protocol");
  EXPECT_EQ(ReadResult("101\nunknown version"),
            "the JVM does not support version 1 of the attach protocol");
  std::string endless = ReadResult("-1\n" + std::string(100000, 'x'));
  EXPECT_LT(endless.size(), 1000u);
}

}  // namespace
