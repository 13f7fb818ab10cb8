#include "tools/orca/mcp/tools.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/json.h"

namespace {

using Words = std::vector<std::string>;

// The command line of a call, or one word: the refusal.
Words Read(const char *tool, const char *arguments, size_t *max_bytes = nullptr) {
  struct json_object *given = json_tokener_parse(arguments);
  EXPECT_NE(given, nullptr) << arguments;
  struct tool_call call;
  struct builder why = {};
  Words words;
  if (tools_read_call(&call, tools_find(tool), given, &why)) {
    for (char **word = call.words; *word != nullptr; word++) words.push_back(*word);
    if (max_bytes != nullptr) *max_bytes = call.max_bytes;
  } else {
    words.emplace_back(why.data, why.len);
  }
  tools_free_call(&call);
  builder_free(&why);
  json_object_put(given);
  return words;
}

std::string Refusal(const char *tool, const char *arguments) {
  Words words = Read(tool, arguments);
  return words.size() == 1 ? words[0] : "accepted";
}

Json List() {
  struct builder out = {};
  struct json j = {};
  j.out = &out;
  tools_put_list(&j);
  std::string text(out.data, out.len);
  builder_free(&out);
  return JsonReader(text).Read();
}

TEST(Tools, TheListHasASchemaForEach) {
  std::set<std::string> names;
  for (const Json &tool : List().items) {
    names.insert(tool["name"].text);
    EXPECT_NE(tools_find(tool["name"].text.c_str()), nullptr);
    EXPECT_FALSE(tool["description"].text.empty());
    const Json &schema = tool["inputSchema"];
    EXPECT_EQ(schema["type"].text, "object");
    EXPECT_EQ(schema["additionalProperties"].text, "false");
    EXPECT_TRUE(schema["properties"].Has("recording"));
    EXPECT_TRUE(schema["properties"].Has("max_bytes"));
    for (const Json &name : schema["required"].items) {
      EXPECT_EQ(schema["properties"][name.text]["type"].text, "string") << name.text;
    }
  }
  EXPECT_EQ(names, (std::set<std::string>{"report", "locks", "hot", "path", "whatif", "deadlocks",
                                          "waits", "threads", "methods", "log", "diff"}));
}

TEST(Tools, AnUnknownNameIsNoTool) { EXPECT_EQ(tools_find("attach"), nullptr); }

TEST(Tools, ACallBecomesACommandLine) {
  EXPECT_EQ(Read("report", R"({"recording":"/tmp/shop"})"),
            (Words{"report", "--brief", "/tmp/shop"}));
  EXPECT_EQ(Read("locks", R"({"recording":"x","stack":true,"by_class":false,"top":3})"),
            (Words{"locks", "--brief", "x", "--top=3", "--stack"}));
  EXPECT_EQ(Read("log", R"({"recording":"x","thread":"a b","around":"2.5","within":"5ms"})"),
            (Words{"log", "x", "--thread=a b", "--around=2.5", "--within=5ms"}));
  EXPECT_EQ(Read("diff", R"({"recording":"new","before":"old"})"), (Words{"diff", "old", "new"}));
  EXPECT_EQ(Read("whatif", R"({"recording":"x","drop":"Ledger","top":null})"),
            (Words{"whatif", "--brief", "x", "--drop=Ledger"}));
}

TEST(Tools, NoValueBecomesAnOption) {
  EXPECT_EQ(Read("report", R"({"recording":"--output=/etc/x"})"),
            (Words{"report", "--brief", "./--output=/etc/x"}));
  EXPECT_EQ(Read("report", R"({"recording":"x","thread":"--format=json"})"),
            (Words{"report", "--brief", "x", "--thread=--format=json"}));
}

TEST(Tools, TheLengthOfAnAnswerIsLimited) {
  size_t max_bytes = 0;
  Read("report", R"({"recording":"x"})", &max_bytes);
  EXPECT_EQ(max_bytes, 2000u);
  for (const char *bytes : {"50000", "50000.0", "5e4"}) {
    std::string arguments = std::string(R"({"recording":"x","max_bytes":)") + bytes + "}";
    EXPECT_EQ(Read("report", arguments.c_str(), &max_bytes).size(), 3u);
    EXPECT_EQ(max_bytes, 50000u);
  }
  for (const char *bytes : {"0", "699", "1000001", "\"9\"", "1.5"}) {
    std::string arguments = std::string(R"({"recording":"x","max_bytes":)") + bytes + "}";
    EXPECT_EQ(Refusal("report", arguments.c_str()),
              "the argument max_bytes takes a number from 700 to 1000000");
  }
}

TEST(Tools, RefusesWrongArguments) {
  EXPECT_EQ(Refusal("report", "[]"), "the arguments are no object");
  EXPECT_EQ(Refusal("report", "{}"), "the argument recording is missing");
  EXPECT_EQ(Refusal("diff", R"({"recording":"x"})"), "the argument before is missing");
  EXPECT_EQ(Refusal("report", R"({"recording":""})"), "the argument recording takes a text");
  EXPECT_EQ(Refusal("report", R"({"recording":7})"), "the argument recording takes a text");
  EXPECT_EQ(Refusal("report", R"({"recording":"a\u0000b"})"),
            "the argument recording contains a NUL");
  EXPECT_EQ(
      Refusal("report", R"({"recording":"x","drop":"y"})"),
      "report has no argument \"drop\"; it has recording, thread, lock, event, class, from, to, "
      "top, max_bytes");
  EXPECT_EQ(Refusal("report", R"({"recording":"x","top":0})"),
            "the argument top takes a number from 1");
  EXPECT_EQ(Refusal("hot", R"({"recording":"x","tree":1})"),
            "the argument tree takes true or false");
}

// The simulation needs the whole recording.
TEST(Tools, WhatifHasNoFilters) {
  EXPECT_EQ(Refusal("whatif", R"({"recording":"x","thread":"main"})")
                .find("whatif has no argument \"thread\"; it has recording, top, drop, "),
            0u);
  EXPECT_FALSE(tools_has_filters(tools_find("whatif")));
  EXPECT_TRUE(tools_has_filters(tools_find("methods")));
}

TEST(Tools, ANumberIsWhole) {
  EXPECT_EQ(Read("report", R"({"recording":"x","top":3.0})"),
            (Words{"report", "--brief", "x", "--top=3"}));
  for (const char *top : {"2.5", "1e300", "-1e300", "\"3\"", "true"}) {
    std::string arguments = std::string(R"({"recording":"x","top":)") + top + "}";
    EXPECT_EQ(Refusal("report", arguments.c_str()), "the argument top takes a number from 1");
  }
}

TEST(Tools, ACallWithoutArgumentsIsRefused) {
  struct tool_call call;
  struct builder why = {};
  EXPECT_FALSE(tools_read_call(&call, tools_find("report"), nullptr, &why));
  tools_free_call(&call);
  builder_free(&why);
}

}  // namespace
