#include "agent/options/patterns.h"

#include <string>

#include "gtest/gtest.h"

namespace {

struct span Span(const std::string &s) {
  return {s.data(), s.size()};
}

bool IsGet(void *arg, struct span annotation) {
  ++*static_cast<int *>(arg);
  return span_is(annotation, "javax.ws.rs.GET");
}

bool Chosen(const char *text, const std::string &name) {
  struct patterns p;
  EXPECT_TRUE(patterns_parse(text, &p)) << text;
  return patterns_choose(&p, Span(name), nullptr, nullptr);
}

TEST(Patterns, AStarStandsForAnythingDotsToo) {
  EXPECT_TRUE(Chosen("com.acme.Cart.add", "com.acme.Cart.add"));
  EXPECT_FALSE(Chosen("com.acme.Cart.add", "com.acme.Cart.addAll"));
  EXPECT_TRUE(Chosen("com.acme.Cart.add*", "com.acme.Cart.add"));
  EXPECT_TRUE(Chosen("com.acme.Cart.add*", "com.acme.Cart.addAll"));
  EXPECT_TRUE(Chosen("com.acme.*", "com.acme.shop.Cart.<init>"));
  EXPECT_FALSE(Chosen("com.acme.*", "com.acmes.Cart.add"));
  EXPECT_TRUE(Chosen("*.add", "Cart.add"));
  EXPECT_TRUE(Chosen("*Cart*add*", "com.acme.CartCart.madam.add.x"));
  EXPECT_FALSE(Chosen("*Cart*add", "com.acme.Cart.addx"));
  EXPECT_TRUE(Chosen("**", "x"));
}

TEST(Patterns, OneOfSeveralIsEnoughAndOneThatExcludesToo) {
  EXPECT_TRUE(Chosen("a.b+c.d", "c.d"));
  EXPECT_FALSE(Chosen("a.b+c.d", "c.e"));
  EXPECT_FALSE(Chosen("c.*+!c.d", "c.d"));
  EXPECT_FALSE(Chosen("!c.d+c.*", "c.d"));
  EXPECT_TRUE(Chosen("c.*+!c.d", "c.e"));
  EXPECT_FALSE(Chosen("!c.d", "c.e"));  // nothing is chosen
}

TEST(Patterns, AnnotationsAreAskedFor) {
  struct patterns p;
  int asked = 0;
  std::string name = "A.b";
  ASSERT_TRUE(patterns_parse("@javax.ws.rs.GET+!A.c", &p));
  EXPECT_TRUE(patterns_choose(&p, Span(name), IsGet, &asked));
  EXPECT_EQ(asked, 1);
  EXPECT_FALSE(patterns_choose(&p, Span(name), nullptr, nullptr));
  ASSERT_TRUE(patterns_parse("A.*+!@javax.ws.rs.GET", &p));
  EXPECT_FALSE(patterns_choose(&p, Span(name), IsGet, &asked));
}

bool MayChoose(const char *text, const std::string &prefix) {
  struct patterns p;
  EXPECT_TRUE(patterns_parse(text, &p)) << text;
  return patterns_may_choose(&p, Span(prefix));
}

TEST(Patterns, AClassThatCannotHaveOneIsToldByItsName) {
  EXPECT_TRUE(MayChoose("com.acme.Cart.add", "com.acme.Cart."));
  EXPECT_TRUE(MayChoose("com.acme.Ca*", "com.acme.Cart."));
  EXPECT_TRUE(MayChoose("*.add", "com.acme.Cart."));
  EXPECT_TRUE(MayChoose("@a.B", "com.acme.Cart."));
  EXPECT_FALSE(MayChoose("com.acme.Cart.add", "com.acme.Carts."));
  EXPECT_FALSE(MayChoose("com.acme.Cart", "com.acme.Cart."));
  EXPECT_FALSE(MayChoose("!com.acme.*", "com.acme.Cart."));
}

TEST(Patterns, WhatIsMeantIsSpelledOut) {
  struct patterns p;
  ASSERT_TRUE(patterns_parse("*.add+java.util.*+!javax.*+@jdk.A", &p));
  for (const char *meant : {"java.", "java.util."}) EXPECT_TRUE(patterns_mean(&p, Span(meant)));
  for (const char *not_meant : {"javax.", "jdk.", "com.", "java.util.A"}) {
    EXPECT_FALSE(patterns_mean(&p, Span(not_meant))) << not_meant;
  }
}

TEST(Patterns, Refusals) {
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
