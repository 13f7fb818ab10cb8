#include "tools/orca/mcp/inbox.h"

#include <unistd.h>

#include <string>

#include "gtest/gtest.h"

namespace {

// An inbox at the end of a pipe.
class Inbox : public testing::Test {
 protected:
  Inbox() {
    EXPECT_EQ(pipe(ends_), 0);
    inbox_.in = ends_[0];
  }
  ~Inbox() override {
    inbox_free(&inbox_);
    close(ends_[0]);
    End();
  }
  void Send(const std::string &text) {
    ASSERT_EQ(write(ends_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void End() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  std::string Next(enum inbox_line expected = INBOX_LINE) {
    struct span line = {};
    EXPECT_EQ(inbox_next(&inbox_, &line), expected);
    return {line.data, line.len};
  }
  bool HasCancelled(const std::string &id) {
    struct json_object *json = json_tokener_parse(id.c_str());
    bool is_cancelled = inbox_has_cancelled(&inbox_, json);
    json_object_put(json);
    return is_cancelled;
  }

  int ends_[2] = {-1, -1};
  struct inbox inbox_ = {};
};

std::string Cancel(const std::string &id) {
  return R"({"method":"notifications/cancelled","params":{"requestId":)" + id + "}}\n";
}

TEST_F(Inbox, ReturnsLines) {
  Send("one\n\ntwo\nthree");
  End();
  EXPECT_EQ(Next(), "one");
  EXPECT_EQ(Next(), "");
  EXPECT_EQ(Next(), "two");
  EXPECT_EQ(Next(), "three");
  Next(INBOX_END);
  Next(INBOX_END);
}

TEST_F(Inbox, LooksAheadWithoutTakingLines) {
  Send("one\n");
  EXPECT_EQ(Next(), "one");
  EXPECT_FALSE(HasCancelled("7"));  // and does not wait
  Send("two\n" + Cancel("7") + Cancel("\"a\""));
  EXPECT_TRUE(HasCancelled("7"));
  EXPECT_TRUE(HasCancelled("\"a\""));
  EXPECT_FALSE(HasCancelled("8"));
  EXPECT_FALSE(HasCancelled("\"7\""));
  EXPECT_EQ(Next(), "two");
}

TEST_F(Inbox, OnlyACancellationCancels) {
  Send(R"({"method":"ping","params":{"requestId":7},"x":"notifications/cancelled"})"
       "\n"
       R"({"method":"notifications/cancelled","params":[7]})"
       "\n"
       R"({"method":"notifications/cancelled"})"
       "\n"
       R"(["notifications/cancelled",7])"
       "\n"
       "notifications/cancelled\n");
  EXPECT_FALSE(HasCancelled("7"));
  EXPECT_FALSE(inbox_has_cancelled(&inbox_, nullptr));
}

TEST_F(Inbox, ALineMayArriveInParts) {
  std::string cancel = Cancel("7");
  Send(cancel.substr(0, 20));
  EXPECT_FALSE(HasCancelled("7"));
  Send(cancel.substr(20));
  EXPECT_TRUE(HasCancelled("7"));
  EXPECT_EQ(Next() + "\n", cancel);
}

TEST_F(Inbox, TheEndCancelsNothing) {
  End();
  EXPECT_FALSE(HasCancelled("7"));
  Next(INBOX_END);
}

// The input is a file, as a pipe has no room for it.
TEST_F(Inbox, SkipsALineThatIsTooLong) {
  FILE *file = tmpfile();
  std::string longest(INBOX_MAX_LINE, 'x'), longer(3 * INBOX_MAX_LINE, 'y');
  std::string text = longest + "\n" + longer + "\nafter\n" + longer;
  fwrite(text.data(), 1, text.size(), file);
  rewind(file);
  inbox_.in = fileno(file);
  EXPECT_EQ(Next(), longest);
  Next(INBOX_LONG_LINE);
  EXPECT_EQ(Next(), "after");
  Next(INBOX_LONG_LINE);
  Next(INBOX_END);
  fclose(file);
}

TEST_F(Inbox, ReadsAheadOnlySoMuch) {
  FILE *file = tmpfile();
  std::string lines;
  while (lines.size() < 3 * INBOX_MAX_WAITING) lines += std::string(1000, 'x') + "\n";
  fwrite(lines.data(), 1, lines.size(), file);
  rewind(file);
  inbox_.in = fileno(file);
  EXPECT_FALSE(HasCancelled("7"));
  EXPECT_LT(inbox_.bytes.len, 2 * INBOX_MAX_WAITING);
  EXPECT_EQ(Next().size(), 1000u);
  fclose(file);
}

}  // namespace
