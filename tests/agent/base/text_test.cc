#include "agent/base/text.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

std::string WriteTicks(ticks_t t) {
  struct builder b = {};
  text_ticks(&b, t);
  return TakeText(&b);
}

std::string WriteName(const std::string &modified) {
  struct builder b = {};
  text_name(&b, modified.data(), modified.size());
  return TakeText(&b);
}

TEST(TextTicks, WritesTenDecimals) {
  EXPECT_EQ(WriteTicks(4801814255238244), "480181.4255238244");
  EXPECT_EQ(WriteTicks(7), "0.0000000007");
  EXPECT_EQ(WriteTicks(UINT64_MAX), "1844674407.3709551615");
}

TEST(TextTicks, WritesLikePrintf) {
  char text[32];
  for (ticks_t t = 1; t < UINT64_MAX / 3; t *= 3) {
    snprintf(text, sizeof text, "%llu.%010llu", static_cast<unsigned long long>(t / TICKS_PER_S),
             static_cast<unsigned long long>(t % TICKS_PER_S));
    EXPECT_EQ(WriteTicks(t), text);
  }
}

TEST(TextTicks, ReadsWhatItWrites) {
  for (ticks_t t : {ticks_t{0}, ticks_t{1}, TICKS_PER_S, 3 * TICKS_PER_S + 1, ticks_t{1} << 62}) {
    ticks_t back = 99;
    EXPECT_TRUE(text_parse_ticks(Span(WriteTicks(t)), &back));
    EXPECT_EQ(back, t);
  }
}

TEST(TextTicks, RefusesOtherFormats) {
  ticks_t t;
  for (const char *bad : {"", ".", "1", "1.", "1.123", "1.12345678901", "x.1234567890",
                          "-1.1234567890", "1.123456789x", "99999999999999.0000000000"}) {
    EXPECT_FALSE(text_parse_ticks(Span(bad), &t)) << bad;
  }
}

TEST(TextHash, HasEightUpperCaseDigits) {
  struct builder b = {};
  text_hash(&b, 0x0A1B2C3D);
  EXPECT_EQ(TakeText(&b), "0A1B2C3D");
  uint32_t hash;
  EXPECT_TRUE(text_parse_hash(Span("FFFF38D6"), &hash));
  EXPECT_EQ(hash, 0xFFFF38D6u);
  for (const char *bad : {"", "FFFF38D", "FFFF38D60", "ffff38d6", "FFFF38DG"}) {
    EXPECT_FALSE(text_parse_hash(Span(bad), &hash)) << bad;
  }
}

std::string WriteDecimal(int64_t n) {
  struct builder b = {};
  text_decimal(&b, n);
  return TakeText(&b);
}

TEST(TextDecimal, WritesEveryDigit) {
  for (int64_t n = 0; n < 30000; n++) ASSERT_EQ(WriteDecimal(n), std::to_string(n));
  for (int64_t n = 9999; n < 100000000; n += 10007) ASSERT_EQ(WriteDecimal(n), std::to_string(n));
  for (int64_t power = 10; power <= INT64_MAX / 10; power *= 10) {
    for (int64_t n : {power - 1, power, power + 1, -power, INT64_MAX - power}) {
      EXPECT_EQ(WriteDecimal(n), std::to_string(n));
    }
  }
  EXPECT_EQ(WriteDecimal(INT64_MIN), "-9223372036854775808");
}

TEST(TextDecimal, ReadsBackAndRefusesOtherFormats) {
  for (int64_t n : {INT64_C(0), INT64_C(-1), INT64_C(42), INT64_MAX, INT64_MIN + 1}) {
    struct builder b = {};
    text_decimal(&b, n);
    int64_t back = 0;
    EXPECT_TRUE(text_parse_decimal(Span(TakeText(&b)), &back));
    EXPECT_EQ(back, n);
  }
  int64_t n;
  for (const char *bad : {"", "-", "-0", "007", "+1", "1 ", "9223372036854775808"}) {
    EXPECT_FALSE(text_parse_decimal(Span(bad), &n)) << bad;
  }
}

TEST(TextName, EscapesSeparatorsAndControlCharacters) {
  EXPECT_EQ(WriteName("a,b\\c\nd\x7f"), "a\\u002Cb\\u005Cc\\u000Ad\\u007F");
  EXPECT_EQ(WriteName("\xe2\x80\xa8\xe2\x80\xa9"), "\\u2028\\u2029");
  EXPECT_EQ(WriteName(std::string("\xc0\x80", 2)), "\\u0000");  // NUL in modified UTF-8
}

TEST(TextName, JoinsSurrogatePairsAndEscapesLoneOnes) {
  EXPECT_EQ(WriteName("\xed\xa0\xbd\xed\xb8\x80"), "\xf0\x9f\x98\x80");  // an emoji
  EXPECT_EQ(WriteName("\xed\xa0\xbd!"), "\\uD83D!");
  EXPECT_EQ(WriteName("\xed\xb8\x80"), "\\uDE00");
  EXPECT_EQ(WriteName("\xed\xa0\xbd\xed\xa0\xbd\xed\xb8\x80"), "\\uD83D\xf0\x9f\x98\x80");
}

TEST(TextName, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(WriteName("\xff"), "\\uFFFD");
  EXPECT_EQ(WriteName("\xe2\x80"), "\\uFFFD\\uFFFD");
}

TEST(TextName, WritesOnlyValidNames) {
  for (int a = 0; a < 256; a++) {
    for (int b = 0; b < 256; b += 7) {
      std::string raw = {'x', static_cast<char>(a), static_cast<char>(b), 'y'};
      std::string name = WriteName(raw);
      EXPECT_TRUE(text_name_ok(Span(name))) << a << " " << b << " " << name;
    }
  }
}

TEST(TextName, OkRefusesInvalidNames) {
  for (const char *bad : {"a,b", "a\nb", "\\", "\\u12", "\\u00e9", "\\x0041", "\xff", "\xc0\x80",
                          "\xed\xa0\x80", "\xf8\x80\x80\x80", "\xc3"}) {
    EXPECT_FALSE(text_name_ok(Span(bad))) << bad;
  }
}

TEST(TextPlain, ReplacesEscapesExceptControlCharacters) {
  struct builder b = {};
  text_plain(&b, Span("a\\u002Cb\\u000A\\uD83D"));
  EXPECT_EQ(TakeText(&b), "a,b\\u000A\xef\xbf\xbd");
}

}  // namespace
