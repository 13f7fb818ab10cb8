#include "tools/orca/render/json.h"

#include <string>

#include "agent/base/text.h"
#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

// The JSON that the function `write` writes.
template <typename Write>
std::string Written(Write write) {
  struct builder b = {};
  struct json j = {&b, false};
  write(&j);
  return TakeText(&b);
}

std::string String(const std::string &s) {
  return Written([&](struct json *j) { json_string(j, Span(s)); });
}

std::string Name(const std::string &s) {
  return Written([&](struct json *j) { json_name(j, Span(s)); });
}

TEST(Json, PutsCommasBetweenValues) {
  EXPECT_EQ(Written([](struct json *j) {
              json_begin_object(j);
              json_key(j, "a");
              json_begin_array(j);
              json_unsigned(j, 1);
              json_begin_object(j);
              json_end_object(j);
              json_begin_array(j);
              json_end_array(j);
              json_boolean(j, true);
              json_end_array(j);
              json_text_member(j, "b", "x");
              json_unsigned_member(j, "c", 3);
              json_key(j, "d");
              json_null(j);
              json_end_object(j);
            }),
            R"({"a":[1,{},[],true],"b":"x","c":3,"d":null})");
}

TEST(Json, CopiesWhatIsJsonAlready) {
  EXPECT_EQ(Written([](struct json *j) {
              json_begin_array(j);
              json_raw(j, Span("{\"a\":1}"));
              json_raw(j, Span("2"));
              json_end_array(j);
            }),
            "[{\"a\":1},2]");
}

TEST(Json, TheBuilderMayBeEmptiedBetweenValues) {
  struct builder b = {};
  struct json j = {&b, false};
  json_begin_array(&j);
  json_integer(&j, -1);
  EXPECT_EQ(std::string(b.data, b.len), "[-1");
  b.len = 0;
  json_integer(&j, 2);
  json_end_array(&j);
  EXPECT_EQ(std::string(b.data, b.len), ",2]");
  builder_free(&b);
}

TEST(Json, EscapesStrings) {
  EXPECT_EQ(String(""), R"("")");
  EXPECT_EQ(String("a, b"), R"("a, b")");
  EXPECT_EQ(String("say \"no\" \\ yes"), R"("say \"no\" \\ yes")");
  EXPECT_EQ(String("</script>"), R"("\u003C/script>")");
  EXPECT_EQ(String("<!--"), R"("\u003C!--")");
  EXPECT_EQ(String(std::string("\0\n\x7F", 3)), R"("\u0000\u000A\u007F")");
  EXPECT_EQ(String("größer \xF0\x9F\x90\x8B"), "\"größer \xF0\x9F\x90\x8B\"");
  EXPECT_EQ(String("\xE2\x80\xA8"), R"("\u2028")");
  EXPECT_EQ(String("\xFFz"), R"("\uFFFDz")");
}

TEST(Json, NamesKeepTheirEscapes) {
  EXPECT_EQ(Name("worker-1"), R"("worker-1")");
  EXPECT_EQ(Name("a\\u002Cb\\u005C\\uD800"), R"("a\u002Cb\u005C\uD800")");
  EXPECT_EQ(Name("\"<b>\""), R"("\"\u003Cb>\"")");
}

TEST(Json, ANameOfTheJvmSurvivesARoundTrip) {
  struct builder b = {};
  std::string from_jvm("x\xC0\x80,\\\xED\xA0\x80", 8);
  text_name(&b, from_jvm.data(), from_jvm.size());
  EXPECT_EQ(Name(std::string(b.data, b.len)), R"("x\u0000\u002C\u005C\uD800")");
  builder_free(&b);
}

TEST(Json, WritesNumbers) {
  EXPECT_EQ(Written([](struct json *j) { json_unsigned(j, UINT64_MAX); }), "18446744073709551615");
  EXPECT_EQ(Written([](struct json *j) { json_integer(j, INT64_MIN); }), "-9223372036854775808");
  EXPECT_EQ(Written([](struct json *j) { json_decimal(j, 1234, 3); }), "1.234");
  EXPECT_EQ(Written([](struct json *j) { json_decimal(j, -5, 1); }), "-0.5");
  EXPECT_EQ(Written([](struct json *j) { json_decimal(j, 7, 4); }), "0.0007");
  EXPECT_EQ(Written([](struct json *j) { json_decimal(j, 42, 0); }), "42");
  EXPECT_EQ(Written([](struct json *j) { json_boolean(j, false); }), "false");
}

}  // namespace
