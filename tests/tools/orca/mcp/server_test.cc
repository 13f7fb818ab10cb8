#include "tools/orca/mcp/server.h"

#include <stdio.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/json.h"

namespace {

// Instead of commands: prints `printed` and ends with `status`.
class McpServer : public testing::Test {
 protected:
  std::string Answer(const std::string &message) {
    struct server server = {Run, this, nullptr, -1};
    struct builder out = {};
    server_answer(&server, {message.data(), message.size()}, &out);
    EXPECT_FALSE(out.failed);
    std::string text(out.data == nullptr ? "" : out.data, out.len);
    builder_free(&out);
    return text;
  }
  Json AnswerJson(const std::string &message) {
    std::string text = Answer(message);
    EXPECT_EQ(text.find('\n'), text.size() - 1) << text;  // one line
    Json json = JsonReader(text).Read();
    EXPECT_EQ(json["jsonrpc"].text, "2.0");
    return json;
  }
  // Returns the text of the answer of a tool.
  std::string Call(const std::string &params, bool is_error = false) {
    Json answer =
        AnswerJson(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)" + params + "}");
    EXPECT_EQ(answer["result"]["isError"].text, is_error ? "true" : "false");
    const Json &content = answer["result"]["content"];
    EXPECT_EQ(content.items.size(), 1u);
    EXPECT_EQ(content.items[0]["type"].text, "text");
    return content.items[0]["text"].text;
  }
  int Error(const std::string &message) {
    return static_cast<int>(AnswerJson(message)["error"]["code"].Number());
  }
  std::string Serve(const std::string &input) {
    FILE *in = tmpfile();
    fwrite(input.data(), 1, input.size(), in);
    rewind(in);
    char *text = nullptr;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    struct server server = {Run, this, nullptr, -1};
    EXPECT_TRUE(server_serve(&server, fileno(in), out));
    fclose(in);
    fclose(out);
    std::string result(text, len);
    free(text);
    return result;
  }

  std::string printed_ = "In short\n* All is well.\n";
  int status_ = 0;
  std::vector<std::string> words_;
  bool waits_ = false;  // the command asks whether it should stop
  int runs_ = 0;

  static int Run(void *arg, char **words, const struct capture_stop *stop, struct builder *out) {
    auto *self = static_cast<McpServer *>(arg);
    self->words_.clear();
    for (; *words != nullptr; words++) self->words_.push_back(*words);
    builder_bytes(out, self->printed_.data(), self->printed_.size());
    self->runs_++;
    bool is_stopped = self->waits_ && stop != nullptr && stop->should_stop(stop->arg);
    return is_stopped ? CAPTURE_STOPPED : self->status_;
  }
};

TEST_F(McpServer, Initializes) {
  for (const char *version : {"2024-11-05", "2025-03-26", "2025-06-18"}) {
    Json answer = AnswerJson(std::string(R"({"jsonrpc":"2.0","id":0,"method":"initialize",)") +
                             R"("params":{"protocolVersion":")" + version +
                             R"(","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    EXPECT_EQ(answer["id"].Integer(), 0u);
    EXPECT_EQ(answer["result"]["protocolVersion"].text, version);
    EXPECT_TRUE(answer["result"]["capabilities"].Has("tools"));
    EXPECT_EQ(answer["result"]["serverInfo"]["name"].text, "orca");
  }
  Json newest = AnswerJson(
      R"({"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"1999"}})");
  EXPECT_EQ(newest["id"].text, "a");
  EXPECT_EQ(newest["result"]["protocolVersion"].text, "2025-11-25");
}

TEST_F(McpServer, ListsTools) {
  Json answer = AnswerJson(R"({"jsonrpc":"2.0","id":7,"method":"tools/list"})");
  EXPECT_EQ(answer["result"]["tools"].items.size(), 11u);
  EXPECT_EQ(answer["result"]["tools"].items[0]["name"].text, "report");
}

TEST_F(McpServer, AnswersPing) {
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","id":3,"method":"ping"})"),
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n");
}

TEST_F(McpServer, NotificationsAndAnswersGetNoAnswer) {
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","method":"notifications/initialized"})"), "");
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","method":"whatever"})"), "");
  EXPECT_EQ(Answer(R"({"jsonrpc":"2.0","id":1,"result":{}})"), "");
}

TEST_F(McpServer, CallsATool) {
  EXPECT_EQ(Call(R"({"name":"report","arguments":{"recording":"/tmp/shop"}})"),
            "In short\n* All is well.\nNext: report.\n");
  EXPECT_EQ(words_, (std::vector<std::string>{"report", "--brief", "/tmp/shop"}));
  printed_ = "In short\n* All is well.\nNext: hot (methods by CPU time).\n";
  EXPECT_EQ(Call(R"({"name":"report","arguments":{"recording":"/tmp/shop"}})"), printed_);
  printed_ = "0.1  main  ThreadStarted\n";
  EXPECT_EQ(
      Call(R"({"name":"log","arguments":{"recording":"/tmp/shop"}})"),
      printed_ + "Next: log with stack; or with around and within, instead of from and to.\n");
  EXPECT_EQ(words_, (std::vector<std::string>{"log", "/tmp/shop"}));
}

TEST_F(McpServer, AFailedCommandIsAnErrorOfTheTool) {
  status_ = 2;
  printed_ = "orca: no recording at /tmp/shop\n";
  EXPECT_EQ(Call(R"({"name":"log","arguments":{"recording":"/tmp/shop"}})", true)
                .find("orca: no recording at /tmp/shop\n"),
            0u);
  EXPECT_EQ(
      Call(R"({"name":"log"})", true),
      "the argument recording is missing\nNext: call it again with other arguments; recording "
      "is the PREFIX that orca run -o or orca attach got, and orca mcp was started in this "
      "folder if it is no whole path.\n");
  const std::string next =
      "Next: call it again with other arguments, or ask another tool what the recording has.\n";
  for (const char *wrong : {R"("thred":"main")", R"("top":1.5)"}) {
    std::string text =
        Call(std::string(R"({"name":"report","arguments":{"recording":"x",)") + wrong + "}}", true);
    EXPECT_EQ(text.substr(text.find("Next: ")), next) << "the recording is not the fault";
  }
  printed_ = "orca: report: --from takes 2.5, not x; see orca report --help\n";
  EXPECT_EQ(Call(R"({"name":"report","arguments":{"recording":"x","from":"x"}})", true),
            printed_ + next);
  for (const char *fault :
       {"orca: no recording at x: x.orca does not exist\n",
        "orca: x is a folder, not the prefix of a recording (found there: y)\n"}) {
    printed_ = fault;
    std::string text = Call(R"({"name":"report","arguments":{"recording":"x"}})", true);
    EXPECT_NE(text.find("recording is the PREFIX"), std::string::npos) << text;
  }
  status_ = 1;
  printed_ = "No prediction: the simulation does not end.\n";
  EXPECT_EQ(Call(R"({"name":"whatif","arguments":{"recording":"x"}})", true), printed_ + next);
  printed_ += "Next: path (what the end of the run waited for).\n";
  EXPECT_EQ(Call(R"({"name":"whatif","arguments":{"recording":"x"}})", true), printed_);
}

TEST_F(McpServer, AnAnswerIsNotLongerThanAskedFor) {
  printed_ = "";
  for (int i = 0; i < 1000; i++) printed_ += "line " + std::to_string(i) + " of the report\n";
  for (size_t limit : {700u, 2000u, 20000u}) {
    std::string text = Call(R"({"name":"report","arguments":{"recording":"x","max_bytes":)" +
                            std::to_string(limit) + "}}");
    EXPECT_LE(text.size(), limit);
    size_t note = text.find("\n[");
    if (note == std::string::npos) continue;
    EXPECT_EQ(printed_.substr(0, note + 1), text.substr(0, note + 1));
    size_t more = strtoul(text.c_str() + note + 2, nullptr, 10);
    EXPECT_EQ(note + 1 + more, printed_.size());
  }
  EXPECT_LE(Call(R"({"name":"report","arguments":{"recording":"x"}})").size(), 2000u);
}

// The beginning of the sentence "It is held, but only by mistake." would be false.
TEST_F(McpServer, AnAnswerHasWholeSentences) {
  const std::string first = "* Threads waited for the lock. It was held by main (Cart.java:7).";
  const std::string last = " " + std::string(700, 'x') + " is held, but only by mistake.\n";
  printed_ = "Recorded  6 s\n\nIn short\n" + first + last + "Next: locks.\n";
  auto ask = [this](int max_bytes) {
    return Call(R"({"name":"report","arguments":{"recording":"x","max_bytes":)" +
                std::to_string(max_bytes) + "}}");
  };
  EXPECT_EQ(ask(2000), printed_);
  std::string text = ask(700);
  EXPECT_EQ(text.find("Recorded  6 s\n\nIn short\n" + first + "\n[732 bytes more: "), 0u) << text;
  EXPECT_EQ(text.substr(text.size() - 13), "Next: locks.\n");
  printed_ = "Recorded  6 s\n\nIn short\n*" + last + "Next: locks.\n";
  text = ask(700);  // the heading alone says nothing
  EXPECT_EQ(text.find("Recorded  6 s\n["), 0u) << text;
}

// A command may print nothing but what to ask next, and that may be too long.
TEST_F(McpServer, AShortAnswerHasFewerThingsToAsk) {
  const std::string next = "Next: locks (who waited, who held); path (what the end waited for)";
  printed_ = next +
             "; or record with locks=all,monitors=all,filter=com.acme.* for hold times and for "
             "lock orders that can deadlock.\n";
  auto ask = [this](const std::string &max_bytes) {
    return Call(R"({"name":"report","arguments":{"recording":"x","max_bytes":)" + max_bytes + "}}");
  };
  EXPECT_EQ(ask("2000"), printed_);
  EXPECT_EQ(ask("700"), next + ".\n");
  printed_ = "Next: " + std::string(750, 'x') + ".\n";
  EXPECT_EQ(ask("700"), "");
}

// A line that announces another one has it, and a table has a row.
TEST_F(McpServer, AnAnswerHasNoLineThatNeedsTheNext) {
  const std::string fill = std::string(480, 'x') + "\n", rest = std::string(700, 'y') + "\n";
  auto ask = [this](const std::string &printed) {
    printed_ = printed + "Next: log.\n";
    std::string text = Call(R"({"name":"waits","arguments":{"recording":"x","max_bytes":700}})");
    EXPECT_EQ(text.substr(text.size() - 11), "Next: log.\n");
    return text.substr(0, text.find('['));
  };
  const std::string row = "1  one  Lock@1\n", at = "    acquired the first at\n";
  EXPECT_EQ(ask(row + fill + at + rest), row + fill);
  EXPECT_EQ(ask(row + fill + "Held by:\n" + rest), row + fill);
  EXPECT_EQ(ask(row + at + fill + rest), row + at + fill);
  const std::string heading = "Waits, sleeps\n", titles = "call  on\n";
  EXPECT_EQ(ask(heading + titles + rest), "");
  EXPECT_EQ(ask(heading + titles + row + rest), heading + titles + row);
  EXPECT_EQ(ask(row + "\n" + heading + titles + rest), row);
  EXPECT_EQ(ask(row + "\n" + heading + "* It waits.\n" + rest),
            row + "\n" + heading + "* It waits.\n");
}

TEST_F(McpServer, AShortAnswerHasAFactAndWhatToAsk) {
  const std::string heading = "Methods by CPU time, 23.2 ms in all (total: with callees)\n",
                    titles = "self  total" + std::string(160, ' ') + "of self\n",
                    row = "91 %  21.0 ms" + std::string(160, '.') + "JVM\n";
  printed_ = heading + titles + row + row + row + row +
             "Next: deadlocks (who waits for whom); locks (who waited, who held); path (what the "
             "end of the run waited for); or record with locks=all for hold times.\n";
  std::string text = Call(R"({"name":"hot","arguments":{"recording":"x","max_bytes":700}})");
  EXPECT_EQ(text.find(heading + titles + row + "["), 0u) << text;
  EXPECT_NE(text.find("\nNext: deadlocks (who waits for whom)"), std::string::npos) << text;
  EXPECT_LE(text.size(), 700u);
}

TEST_F(McpServer, ALongLineIsCutBetweenWords) {
  printed_ = "";
  while (printed_.size() < 10000) printed_ += "word ";
  std::string text = Call(R"({"name":"hot","arguments":{"recording":"x"}})");
  EXPECT_EQ(text.substr(text.find("\n[") - 5, 7), " word\n[");
}

// A command whose output was closed would have printed more.
TEST_F(McpServer, AnAnswerWithoutEndSaysSo) {
  printed_ = std::string(CAPTURE_MAX, '\n');
  EXPECT_NE(Call(R"({"name":"log","arguments":{"recording":"x"}})").find("[more than 8"),
            std::string::npos);
}

TEST_F(McpServer, ALongLineIsCutBetweenCharacters) {
  printed_ = "";
  while (printed_.size() < 10000) printed_ += "\xe2\x80\xa6";  // …
  std::string text = Call(R"({"name":"hot","arguments":{"recording":"x"}})");
  size_t end = text.find("\n[");
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(end % 3, 0u);
  EXPECT_EQ(text.substr(0, end), printed_.substr(0, end));
}

TEST_F(McpServer, BytesThatAreNotUtf8AreReplaced) {
  printed_ = "a\xff z\n";
  EXPECT_EQ(Call(R"({"name":"hot","arguments":{"recording":"x"}})").find("a\xef\xbf\xbd z\n"), 0u);
}

TEST_F(McpServer, RefusesWhatIsNoRequest) {
  EXPECT_EQ(Error("nonsense"), -32700);
  EXPECT_EQ(Error(R"({"id":1)"), -32700);
  EXPECT_EQ(Error(std::string(100000, '[')), -32700);  // too deep
  EXPECT_EQ(Error("\xff"), -32700);
  for (const char *message : {"[]", "7", "null", "\"x\"", "true"}) {
    EXPECT_EQ(Error(message), -32600) << message;
  }
  auto ping = [](const char *id) {
    return std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + "}";
  };
  for (const char *id : {"null", "1.5", "true", "[]", "{}", "9223372036854775807"}) {
    EXPECT_EQ(Error(ping(id)), -32600) << "an answer with another id would be lost: " << id;
  }
  for (const char *id : {"18446744073709551616", "-9223372036854775809"}) {
    EXPECT_LE(Error(ping(id)), -32600) << "newer versions of json-c cannot read it: " << id;
  }
  EXPECT_EQ(Error(R"({"jsonrpc":"2.0","id":1})"), -32600);
  EXPECT_EQ(Error(R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})"), -32601);
  EXPECT_EQ(Error(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})"), -32602);
  EXPECT_EQ(Error(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}})"),
            -32602);
}

// The version 2025-03-26 of the protocol demands it.
TEST_F(McpServer, AnswersABatch) {
  const std::string ping = R"({"jsonrpc":"2.0","id":5,"method":"ping"})";
  const std::string note = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  const std::string pong = R"({"jsonrpc":"2.0","id":5,"result":{}})";
  EXPECT_EQ(Answer("[" + ping + "]"), "[" + pong + "]\n");
  EXPECT_EQ(Answer("[" + ping + "," + note + "," + ping + "]"), "[" + pong + "," + pong + "]\n");
  EXPECT_EQ(Answer("[" + note + "]"), "");
  std::string answers = Answer("[7," + ping + "]");
  EXPECT_EQ(answers.find(R"([{"jsonrpc":"2.0","id":null,"error":{"code":-32600,)"), 0u) << answers;
  EXPECT_NE(answers.find("}," + pong + "]\n"), std::string::npos) << answers;
}

TEST_F(McpServer, ServesLines) {
  std::string ping = R"({"jsonrpc":"2.0","id":5,"method":"ping"})";
  std::string pong = "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}\n";
  EXPECT_EQ(Serve(ping + "\n\n \r\n" + ping + "\r\n" + ping), pong + pong + pong);
  std::string answers = Serve(std::string(INBOX_MAX_LINE + 1, ' ') + "\n" + ping + "\n");
  EXPECT_NE(answers.find("longer than 1 MiB"), std::string::npos) << answers;
  EXPECT_EQ(answers.substr(answers.size() - pong.size()), pong);
}

// A request that is cancelled before or while it runs gets no answer; the next one does.
TEST_F(McpServer, ACancelledRequestHasNoAnswer) {
  const std::string call = R"({"jsonrpc":"2.0","id":ID,"method":"tools/call","params":)"
                           R"({"name":"report","arguments":{"recording":"x"}}})"
                           "\n";
  const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":)"
                             R"({"requestId":ID,"reason":"it takes too long"}})"
                             "\n";
  const std::string ping = R"({"jsonrpc":"2.0","id":5,"method":"ping"})"
                           "\n";
  auto with_id = [](std::string text, const std::string &id) {
    return text.replace(text.find("ID"), 2, id);
  };
  for (const char *id : {"7", "\"a\""}) {
    runs_ = 0;
    std::string answers = Serve(with_id(call, id) + with_id(cancel, id) + ping);
    EXPECT_EQ(answers, "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}\n");
    EXPECT_EQ(runs_, 0);
  }
  runs_ = 0;
  std::string answers = Serve(with_id(call, "7") + with_id(cancel, "8") + ping);
  EXPECT_EQ(answers.find("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{"), 0u) << answers;
  EXPECT_EQ(runs_, 1);
  EXPECT_NE(Serve(with_id(call, "7") + with_id(cancel, "\"7\"")), "");
}

// The input stays open, so only the closed output ends the server.
TEST_F(McpServer, EndsWhenNobodyReadsTheAnswers) {
  const std::string call = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                           R"({"name":"report","arguments":{"recording":"x"}}})"
                           "\n";
  int in[2], out[2];
  ASSERT_EQ(pipe(in), 0);
  ASSERT_EQ(pipe(out), 0);
  ASSERT_EQ(write(in[1], call.data(), call.size()), static_cast<ssize_t>(call.size()));
  close(out[0]);
  FILE *answers = fdopen(out[1], "w");
  struct server server = {Run, this, nullptr, -1};
  EXPECT_FALSE(server_serve(&server, in[0], answers));
  EXPECT_EQ(runs_, 0);
  fclose(answers);
  close(in[0]);
  close(in[1]);
}

}  // namespace
