// The lines of .classtable, .methods, .objects and .counts.
#include "tests/agent/event/line_case.h"

#include "gtest/gtest.h"

#include <string>

namespace {

TEST(ClassLine, ReadsBackItsOutput) {
  struct builder b = {};
  builder_string(&b, kAt);
  class_body_write(&b, 0x15DB9742, "LPing,\xed\xa0\xbd\xed\xb8\x80;", "Ping\nPong.java");
  std::string text = TakeLine(&b);
  EXPECT_EQ(text, "480182.0012345670,15DB9742,LPing\\u002C\xf0\x9f\x98\x80;,Ping\\u000APong.java");
  struct class_line line;
  ASSERT_EQ(FaultText(class_line_read(Span(text), &line)), "");
  EXPECT_EQ(line.time, kTime);
  EXPECT_EQ(line.class_id, 0x15DB9742u);
  EXPECT_EQ(Text(line.signature), "LPing\\u002C\xf0\x9f\x98\x80;");
  EXPECT_EQ(Text(line.source), "Ping\\u000APong.java");
}

TEST(ClassLine, RefusesInvalidFields) {
  const std::string at = kAt;
  const Case cases[] = {
      {at + "15DB9742,LPingPong;,PingPong.java", ""},
      {at + "15DB9742,LPingPong;,", ""},
      {"", kBadTime},
      {"1,15DB9742,LPingPong;,PingPong.java", kBadTime},
      {"480182.0012345670", kMissing},
      {at + "15DB974,LPingPong;,PingPong.java", kBadClass},
      {at + "15DB9742", kMissing},
      {at + "15DB9742,LPing\\Pong;,", "the class's signature is not correctly escaped UTF-8"},
      {at + "15DB9742,LPingPong;", kMissing},
      {at + "15DB9742,LPingPong;,\x7f", "the source file's name is not correctly escaped UTF-8"},
      {at + "15DB9742,LPingPong;,a,", kMore},
  };
  for (const Case &c : cases) {
    struct class_line line;
    EXPECT_EQ(FaultText(class_line_read(Span(c.line), &line)), c.fault) << c.line;
  }
}

std::string WriteMethod(const char *name, const char *signature, const struct line_entry *entries,
                        int num_entries) {
  struct builder b = {};
  builder_string(&b, kAt);
  method_body_write(&b, 0x19831020, name, signature, 0x15DB9742, entries, num_entries);
  return TakeLine(&b);
}

TEST(MethodLine, ReadsBackItsOutput) {
  const struct line_entry entries[] = {{0, 0x46}, {8, 0x47}, {0x10, 0x49}};
  std::string text = WriteMethod("main", "([Ljava/lang/String;)V", entries, 3);
  EXPECT_EQ(text,
            "480182.0012345670,19831020,main,([Ljava/lang/String;)V,15DB9742,"
            "3;00000000;00000046;00000008;00000047;00000010;00000049");
  struct method_line line;
  ASSERT_EQ(FaultText(method_line_read(Span(text), &line)), "");
  EXPECT_EQ(line.time, kTime);
  EXPECT_EQ(line.method_id, 0x19831020u);
  EXPECT_EQ(line.class_id, 0x15DB9742u);
  EXPECT_EQ(Text(line.name), "main");
  EXPECT_EQ(Text(line.signature), "([Ljava/lang/String;)V");
  EXPECT_EQ(lines_find(line.lines, 9), 0x47u);
}

TEST(MethodLine, MayHaveNoLineTable) {
  for (int num_entries : {0, -1}) {
    std::string text = WriteMethod("a,b", "()V", nullptr, num_entries);
    struct method_line line;
    ASSERT_EQ(FaultText(method_line_read(Span(text), &line)), "") << text;
    EXPECT_EQ(Text(line.name), "a\\u002Cb");
    EXPECT_EQ(Text(line.lines), std::to_string(num_entries));
    EXPECT_EQ(lines_find(line.lines, 9), 0u);
  }
}

TEST(MethodLine, KeepsLongNames) {
  std::string name(60000, 'n');
  std::string text = WriteMethod(name.c_str(), "()V", nullptr, -1);
  struct method_line line;
  ASSERT_EQ(FaultText(method_line_read(Span(text), &line)), "");
  EXPECT_EQ(Text(line.name), name);
}

TEST(MethodLine, RefusesInvalidFields) {
  const std::string at = kAt;
  const Case cases[] = {
      {at + "19831020,run,()V,15DB9742,-1", ""},
      {"run", kBadTime},
      {at + "1983102,run,()V,15DB9742,-1", "the method id is not eight hexadecimal digits"},
      {at + "19831020", kMissing},
      {at + "19831020,r\tn,()V,15DB9742,-1", "the method's name is not correctly escaped UTF-8"},
      {at + "19831020,run", kMissing},
      {at + "19831020,run,(\\)V,15DB9742,-1",
       "the method's signature is not correctly escaped UTF-8"},
      {at + "19831020,run,()V", kMissing},
      {at + "19831020,run,()V,15db9742,-1", kBadClass},
      {at + "19831020,run,()V,15DB9742", kMissing},
      {at + "19831020,run,()V,15DB9742,", kBadLines},
      {at + "19831020,run,()V,15DB9742,1;00000000", kBadEntry},
      {at + "19831020,run,()V,15DB9742,1", kWrongLines},
      {at + "19831020,run,()V,15DB9742,0,", kMore},
  };
  for (const Case &c : cases) {
    struct method_line line;
    EXPECT_EQ(FaultText(method_line_read(Span(c.line), &line)), c.fault) << c.line;
  }
}

TEST(ObjectLine, ReadsBackItsOutput) {
  struct builder b = {};
  builder_string(&b, kAt);
  object_body_write(&b, 0x0A1B2C3D, 0x15DB9742);
  std::string text = TakeLine(&b);
  EXPECT_EQ(text, "480182.0012345670,0A1B2C3D,15DB9742");
  struct object_line line;
  ASSERT_EQ(FaultText(object_line_read(Span(text), &line)), "");
  EXPECT_EQ(line.time, kTime);
  EXPECT_EQ(line.hash, 0x0A1B2C3Du);
  EXPECT_EQ(line.class_id, 0x15DB9742u);
}

TEST(ObjectLine, RefusesInvalidFields) {
  const std::string at = kAt;
  const Case cases[] = {
      {".0012345670,0A1B2C3D,15DB9742", kBadTime},
      {at + "A1B2C3D,15DB9742", kBadObject},
      {at + "0A1B2C3D", kMissing},
      {at + "0A1B2C3D,15DB974Z", kBadClass},
      {at + "0A1B2C3D,15DB9742,", kMore},
  };
  for (const Case &c : cases) {
    struct object_line line;
    EXPECT_EQ(FaultText(object_line_read(Span(c.line), &line)), c.fault) << c.line;
  }
}

TEST(CountLine, ReadsBackItsOutput) {
  struct builder b = {};
  struct count_line line = {}, back;
  line.time = kTime;
  line.kind = EVENT_LOCK_ACQUIRED;
  line.object = 0x15DB9742;
  line.count = 1234567;
  count_line_write(&b, &line);
  std::string text = TakeLine(&b);
  EXPECT_EQ(text, "480182.0012345670,LockAcquired,15DB9742,1234567");
  ASSERT_EQ(FaultText(count_line_read(Span(text), &back)), "");
  EXPECT_EQ(back.time, line.time);
  EXPECT_EQ(back.kind, line.kind);
  EXPECT_EQ(back.object, line.object);
  EXPECT_EQ(back.count, line.count);
  EXPECT_FALSE(back.is_more);
  EXPECT_FALSE(back.is_short);
}

TEST(CountLine, ReadsBackACountOfFurtherEvents) {
  struct builder b = {};
  struct count_line line = {}, back;
  line.time = kTime;
  line.kind = EVENT_LOCK_ACQUIRED;
  line.object = 0x15DB9742;
  line.count = 12;
  line.is_more = true;
  count_line_write(&b, &line);
  std::string text = TakeLine(&b);
  EXPECT_EQ(text, "480182.0012345670,LockAcquired,15DB9742,+12");
  ASSERT_EQ(FaultText(count_line_read(Span(text), &back)), "");
  EXPECT_EQ(back.count, 12);
  EXPECT_TRUE(back.is_more);
  EXPECT_FALSE(back.is_short);
}

TEST(CountLine, ReadsBackASumOfShortCalls) {
  struct builder b = {};
  const std::string stack = "2;00000007;00000000;00000000;00000000";
  struct count_line line = {}, back;
  line.time = kTime;
  line.kind = EVENT_OBJECT_WAIT;
  line.object = 0x15DB9742;
  line.count = 104233;
  line.is_short = true;
  line.total_ns = 97100000000;
  line.longest_ns = 9999;
  line.stack = Span(stack);
  count_line_write(&b, &line);
  std::string text = TakeLine(&b);
  EXPECT_EQ(text, "480182.0012345670,ObjectWait,15DB9742,104233,97100000000,9999," + stack);
  ASSERT_EQ(FaultText(count_line_read(Span(text), &back)), "");
  EXPECT_TRUE(back.is_short);
  EXPECT_EQ(back.count, line.count);
  EXPECT_EQ(back.total_ns, line.total_ns);
  EXPECT_EQ(back.longest_ns, line.longest_ns);
  EXPECT_EQ(std::string(back.stack.data, back.stack.len), stack);
}

TEST(CountLine, RefusesInvalidFields) {
  const std::string at = kAt;
  const Case cases[] = {
      {"x", kBadTime},
      {at + "Lock,15DB9742,1", "no event has this name"},
      {at + "LockAcquired,15db9742,1", kBadObject},
      {at + "LockAcquired,15DB9742,-1", "the count is not a decimal number"},
      {at + "LockAcquired,15DB9742,", "the count is not a decimal number"},
      {at + "LockAcquired,15DB9742,+", "the count is not a decimal number"},
      {at + "LockAcquired,15DB9742,++1", "the count is not a decimal number"},
      {at + "LockAcquired,15DB9742,+-1", "the count is not a decimal number"},
      {at + "ObjectWait,15DB9742,+1,2,2,0", kMore},
      {at + "LockAcquired,15DB9742", kMissing},
      {at + "LockAcquired,15DB9742,1,2", kMissing},
      {at + "ObjectWait,15DB9742,1,-2,2,0", "the total time is not a decimal number"},
      {at + "ObjectWait,15DB9742,1,2,x,0", "the longest time is not a decimal number"},
      {at + "ObjectWait,15DB9742,1,2,2,1", "the stack's depth is not the number of its frames"},
      {at + "ObjectWait,15DB9742,1,2,2,0,0", kMore},
  };
  for (const Case &c : cases) {
    struct count_line out;
    EXPECT_EQ(FaultText(count_line_read(Span(c.line), &out)), c.fault) << c.line;
  }
}

// --- classes of the JDK ----------------------------------------------------------------------

bool IsPlatform(const std::string &signature) {
  return is_platform_type({signature.data(), signature.size()});
}

TEST(Platform, IsTheJdkAndEveryArray) {
  for (const char *signature :
       {"Ljava/lang/Object;", "Ljavax/swing/Timer;", "Ljdk/internal/misc/Unsafe;",
        "Lsun/nio/ch/Net;", "Lcom/sun/net/httpserver/HttpServer;", "[I", "[Lshop/Order;"})
    EXPECT_TRUE(IsPlatform(signature)) << signature;
}

TEST(Platform, IsNotTheProgram) {
  for (const char *signature : {"Lshop/Order;", "LMain;", "Lcom/sunny/Day;", "Ljavafx/Stage;",
                                "Lorg/java/Thing;", "Lsunday/Brunch;", ""})
    EXPECT_FALSE(IsPlatform(signature)) << signature;
}

}  // namespace
