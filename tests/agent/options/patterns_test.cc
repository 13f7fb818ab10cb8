#include "agent/options/patterns.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

bool IsGetAnnotation(void *arg, struct span annotation) {
  ++*static_cast<int *>(arg);
  return span_is(annotation, "javax.ws.rs.GET");
}

bool IsChosen(const char *text, const std::string &name) {
  struct patterns p;
  EXPECT_TRUE(patterns_parse(text, &p)) << text;
  return patterns_match(&p, Span(name), nullptr, nullptr);
}

TEST(Patterns, StarMatchesAnyTextAlsoDots) {
  EXPECT_TRUE(IsChosen("com.acme.Cart.add", "com.acme.Cart.add"));
  EXPECT_FALSE(IsChosen("com.acme.Cart.add", "com.acme.Cart.addAll"));
  EXPECT_TRUE(IsChosen("com.acme.Cart.add*", "com.acme.Cart.add"));
  EXPECT_TRUE(IsChosen("com.acme.Cart.add*", "com.acme.Cart.addAll"));
  EXPECT_TRUE(IsChosen("com.acme.*", "com.acme.shop.Cart.<init>"));
  EXPECT_FALSE(IsChosen("com.acme.*", "com.acmes.Cart.add"));
  EXPECT_TRUE(IsChosen("*.add", "Cart.add"));
  EXPECT_TRUE(IsChosen("*Cart*add*", "com.acme.CartCart.madam.add.x"));
  EXPECT_FALSE(IsChosen("*Cart*add", "com.acme.Cart.addx"));
  EXPECT_TRUE(IsChosen("**", "x"));
}

TEST(Patterns, NeedsOneMatchAndNoExcludingMatch) {
  EXPECT_TRUE(IsChosen("a.b+c.d", "c.d"));
  EXPECT_FALSE(IsChosen("a.b+c.d", "c.e"));
  EXPECT_FALSE(IsChosen("c.*+!c.d", "c.d"));
  EXPECT_FALSE(IsChosen("!c.d+c.*", "c.d"));
  EXPECT_TRUE(IsChosen("c.*+!c.d", "c.e"));
  EXPECT_FALSE(IsChosen("!c.d", "c.e"));  // no pattern chooses a name
}

TEST(Patterns, ChecksAnnotations) {
  struct patterns p;
  int checks = 0;
  std::string name = "A.b";
  ASSERT_TRUE(patterns_parse("@javax.ws.rs.GET+!A.c", &p));
  EXPECT_TRUE(patterns_match(&p, Span(name), IsGetAnnotation, &checks));
  EXPECT_EQ(checks, 1);
  EXPECT_FALSE(patterns_match(&p, Span(name), nullptr, nullptr));
  ASSERT_TRUE(patterns_parse("A.*+!@javax.ws.rs.GET", &p));
  EXPECT_FALSE(patterns_match(&p, Span(name), IsGetAnnotation, &checks));
}

bool MayChoose(const char *text, const std::string &prefix) {
  struct patterns p;
  EXPECT_TRUE(patterns_parse(text, &p)) << text;
  return patterns_may_match(&p, Span(prefix));
}

TEST(Patterns, MayChooseChecksThePrefixOfNames) {
  EXPECT_TRUE(MayChoose("com.acme.Cart.add", "com.acme.Cart."));
  EXPECT_TRUE(MayChoose("com.acme.Ca*", "com.acme.Cart."));
  EXPECT_TRUE(MayChoose("*.add", "com.acme.Cart."));
  EXPECT_TRUE(MayChoose("@a.B", "com.acme.Cart."));
  EXPECT_FALSE(MayChoose("com.acme.Cart.add", "com.acme.Carts."));
  EXPECT_FALSE(MayChoose("com.acme.Cart", "com.acme.Cart."));
  EXPECT_FALSE(MayChoose("!com.acme.*", "com.acme.Cart."));
}

TEST(Patterns, MeanNeedsALiteralPrefix) {
  struct patterns p;
  ASSERT_TRUE(patterns_parse("*.add+java.util.*+!javax.*+@jdk.A", &p));
  for (const char *prefix : {"java.", "java.util."})
    EXPECT_TRUE(patterns_have_literal_prefix(&p, Span(prefix)));
  for (const char *prefix : {"javax.", "jdk.", "com.", "java.util.A"}) {
    EXPECT_FALSE(patterns_have_literal_prefix(&p, Span(prefix))) << prefix;
  }
}

TEST(Patterns, RefusesInvalidSyntax) {
  struct patterns p;
  for (const char *bad : {"", "+", "a+", "!", "@", "!@", "a b", "a/b", "a.b()", "a;b", "a=b", "a!b",
                          "a@b", "@@a", "a\\b"}) {
    EXPECT_FALSE(patterns_parse(bad, &p)) << bad;
  }
  std::string many = "a";
  for (int i = 1; i < MAX_PATTERNS; i++) many += "+a";
  EXPECT_TRUE(patterns_parse(many.c_str(), &p));
  EXPECT_FALSE(patterns_parse((many + "+a").c_str(), &p));
}

}  // namespace
