#include "agent/files/info.h"

#include <unistd.h>

#include <map>
#include <string>

#include "agent/base/version.h"
#include "agent/event/line.h"
#include "gtest/gtest.h"
#include "tests/agent/files/info_start.h"
#include "tests/support/bytes.h"

namespace {

TEST(Info, WritesLinesOfKeyAndValue) {
  struct builder b = {};
  info_text(&b, INFO_COMMAND, "java -cp a,b Main");
  info_number(&b, INFO_EVENTS_WRITTEN, UINT64_MAX);
  info_ticks(&b, INFO_END_MONOTONIC, 480181425523824);
  EXPECT_EQ(TakeText(&b),
            "command=java -cp a,b Main\n"
            "events.written=18446744073709551615\n"
            "end.monotonic=480181.4255238240\n");
}

TEST(Info, EscapesALineBreakInAValue) {
  struct builder b = {};
  info_text(&b, INFO_COMMAND, "java\nMain");
  EXPECT_EQ(TakeText(&b), "command=java\\u000AMain\n");
}

TEST(Info, WritesEveryKeyAtTheStart) {
  struct info_start start = MakeInfoStart(480181425523824, 1795174200000000042);
  start.java_version = "17.0.15";
  start.options = "out,events=all";
  start.cpus = 4;
  start.quota = 0.5;
  start.run = "7.1";
  start.test = {"//app:cart,test", 2, 4, 3, ""};
  struct builder b = {};
  info_start_write(&b, &start);
  EXPECT_EQ(TakeText(&b), std::string("format=1\norca.version=") + ORCA_VERSION +
                              "\npid=" + std::to_string(getpid()) +
                              "\nrun=7.1\njava.version=17.0.15\n"
                              "command=java Main\n"
                              "options=out,events=all\n"
                              "start.monotonic=480181.4255238240\n"
                              "start.utc=2026-11-20T11:30:00.000000042Z\n"
                              "cpus.allowed=4\ncpus.quota=0.50\n"
                              "test.target=//app:cart,test\n"
                              "test.shard=2 of 4\ntest.run=3\n");
}

TEST(Info, OmitsWhatIsUnknown) {
  struct info_start start = MakeInfoStart();
  struct builder b = {};
  info_start_write(&b, &start);
  std::string text = TakeText(&b);
  EXPECT_EQ(text.find("cpus."), std::string::npos);
  EXPECT_EQ(text.find("run="), std::string::npos);
  EXPECT_EQ(text.find("test."), std::string::npos);
}

TEST(Info, EscapesTheNameOfATest) {
  struct info_start start = MakeInfoStart();
  start.test = {"//a:b\npid=1", 0, 0, 0, ""};
  struct builder b = {};
  info_start_write(&b, &start);
  EXPECT_NE(TakeText(&b).find("\ntest.target=//a:b\\u000Apid=1\n"), std::string::npos);
}

}  // namespace
