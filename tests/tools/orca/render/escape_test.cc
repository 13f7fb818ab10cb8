#include "tools/orca/render/escape.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

using Escape = void (*)(struct builder *b, struct span text);

std::string Put(Escape escape, const std::string &text) {
  struct builder b = {};
  escape(&b, {text.data(), text.size()});
  return TakeText(&b);
}

const std::string kBad = "\xEF\xBF\xBD";

TEST(EscapeUtf8, KeepsText) {
  const std::string text = "a \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\n";
  EXPECT_EQ(Put(escape_utf8, text), text);
  EXPECT_EQ(Put(escape_utf8, ""), "");
}

TEST(EscapeUtf8, ReplacesWhatIsNoText) {
  EXPECT_EQ(Put(escape_utf8, "\x01\x7F\t\r"), kBad + kBad + kBad + kBad);
  EXPECT_EQ(Put(escape_utf8, std::string(1, '\0')), kBad);
  EXPECT_EQ(Put(escape_utf8,
                "\xFF"
                "a\x80"),
            kBad + "a" + kBad);
  EXPECT_EQ(Put(escape_utf8, "\xC3"), kBad);  // cut
  EXPECT_EQ(Put(escape_utf8,
                "\xE2\x82"
                "a"),
            kBad + kBad + "a");
  EXPECT_EQ(Put(escape_utf8, "\xC0\x80"), kBad + kBad);  // too long
  EXPECT_EQ(Put(escape_utf8, "\xE0\x80\xAF"), kBad + kBad + kBad);
  EXPECT_EQ(Put(escape_utf8, "\xED\xA0\x80"), kBad + kBad + kBad);  // a surrogate
  EXPECT_EQ(Put(escape_utf8, "\xF4\x90\x80\x80"), kBad + kBad + kBad + kBad);
  EXPECT_EQ(Put(escape_utf8, "\xC2\x85"), kBad + kBad);             // a control character
  EXPECT_EQ(Put(escape_utf8, "\xEF\xBF\xBE"), kBad + kBad + kBad);  // U+FFFE
}

TEST(EscapeXml, EscapesMarkup) {
  EXPECT_EQ(Put(escape_xml, "a<b>&\"c\"\n]]>"), "a&lt;b&gt;&amp;&quot;c&quot;&#10;]]&gt;");
}

TEST(EscapeMarkdown, EscapesMarkup) {
  EXPECT_EQ(Put(escape_markdown, "a|b`c*d_e[f](g)<h>&i\nj\\k#"),
            "a\\|b\\`c\\*d\\_e\\[f\\]\\(g\\)&lt;h\\>&amp;i j\\\\k\\#");
  EXPECT_EQ(Put(escape_markdown, "shop.Cart at x"), "shop\\.Cart at x");
}

}  // namespace
