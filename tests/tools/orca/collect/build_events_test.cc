#include "tools/orca/collect/build_events.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/tools/orca/collect/collected.h"

namespace {

std::string Refusal(const std::string &text) {
  Events e(text);
  EXPECT_FALSE(e.is_read);
  return e.why;
}

// As Bazel 4.2.3 writes them, with the members that do not matter.
const char kBuild[] =
    R"({"id":{"started":{}},"children":[{"progress":{}}],"started":{"uuid":"1"}}
{"id":{"targetConfigured":{"label":"//:b"}},"configured":{"targetKind":"t_test rule","testSize":"MEDIUM"}}
{"id":{"targetConfigured":{"label":"//:lib"}},"configured":{"targetKind":"java_library rule"}}
{"id":{"targetConfigured":{"label":"//:broken"}},"configured":{"targetKind":"t_test rule","testSize":"MEDIUM"}}

{"id":{"testResult":{"label":"//:b","run":1,"shard":1,"attempt":1}},"testResult":{"testActionOutput":[{"name":"test.log","uri":"file:///t/b/test.log"},{"name":"test.outputs__outputs.zip","uri":"file:///t/b/s%201/outputs.zip"},{"name":"test.outputs_manifest__MANIFEST","uri":"file:///t/b/MANIFEST"}],"status":"FAILED"}}
{"id":{"testResult":{"label":"//:b","run":1,"shard":2,"attempt":1}},"testResult":{"testActionOutput":[{"name":"test.outputs","uri":"file:///t/b/test.outputs"},{"name":"test.outputs__outputs.zip","uri":"bytestream://x/1"}]}}
{"id":{"testResult":{"label":"//:a","run":1,"shard":1,"attempt":1}},"testResult":{"status":"PASSED"}}
{"id":{"testResult":{"label":"//:c","run":1,"shard":1,"attempt":1}},"aborted":{"reason":"USER_INTERRUPTED"}}
{"id":{"progress":{}},"progress":{},"lastMessage":true})";

TEST(BuildEvents, AreTheTestsOfABuild) {
  Events e(kBuild);
  ASSERT_TRUE(e.is_read) << e.why;
  EXPECT_TRUE(e.build.is_complete);
  EXPECT_EQ(e.build.events, 9u);
  ASSERT_EQ(e.build.num, 3u);
  EXPECT_STREQ(e.build.tests[0].label, "//:a");
  EXPECT_EQ(e.build.tests[0].runs, 1u);
  EXPECT_EQ(e.build.tests[0].num, 0u);
  const struct build_test &b = e.build.tests[1];
  EXPECT_STREQ(b.label, "//:b");
  EXPECT_EQ(b.runs, 2u);
  ASSERT_EQ(b.num, 3u);
  EXPECT_STREQ(b.outputs[0].path, "/t/b/s 1/outputs.zip");
  EXPECT_STREQ(b.outputs[1].path, "/t/b/test.outputs");
  EXPECT_EQ(b.outputs[2].path, nullptr);
  EXPECT_STREQ(b.outputs[2].uri, "bytestream://x/1");
  EXPECT_STREQ(e.build.tests[2].label, "//:broken");
  EXPECT_EQ(e.build.tests[2].runs, 0u);
}

TEST(BuildEvents, AnInterruptedBuildHasNoEnd) {
  Events e(TargetEvent("//:a"));
  EXPECT_TRUE(e.is_read) << e.why;
  EXPECT_FALSE(e.build.is_complete);
}

TEST(BuildEvents, ALongEventIsSkipped) {
  std::string files(BUILD_EVENTS_MAX_LINE, 'x');
  Events e("{\"id\":{\"namedSet\":\"" + files + "\"}}\n" + TargetEvent("//:a") + LastEvent());
  EXPECT_TRUE(e.is_read) << e.why;
  EXPECT_EQ(e.build.skipped, 1u);
  EXPECT_EQ(e.build.num, 1u);
  EXPECT_TRUE(e.build.is_complete);
}

TEST(BuildEvents, RefusesWhatIsNone) {
  EXPECT_EQ(Refusal("\n"), "it contains no build event");
  EXPECT_EQ(Refusal("\x0a\x08hello"),
            "line 1 is no JSON: unexpected character; the file has to be that of "
            "--build_event_json_file");
  EXPECT_EQ(Refusal(LastEvent() + "{\"id\":{\"testRes"),
            "line 2 is no JSON: it ends too early; is the build still running?");
  for (const char *line : {"[1]\n", "\"id\"\n", "{}\n", "{\"id\":1}\n", "[]\n"}) {
    EXPECT_EQ(Refusal(LastEvent() + line), "line 2 is no build event: it has no id") << line;
  }
  std::string deep = "{\"id\":" + std::string(100, '[') + std::string(100, ']') + "}\n";
  EXPECT_TRUE(Has(Refusal(deep), "line 1 is no JSON: nesting too deep")) << Refusal(deep);
}

TEST(BuildEvents, RefusesATestWithoutALabel) {
  for (const char *label :
       {"{}", "1", "{\"label\":1}", "{\"label\":\"\"}", "{\"label\":\"a\\u0000b\"}"}) {
    for (const char *kind : {"testResult", "targetConfigured"}) {
      std::string line = std::string("{\"id\":{\"") + kind + "\":" + label + "}}\n";
      EXPECT_EQ(Refusal(line), "line 1 has a test without a label") << line;
    }
  }
  EXPECT_EQ(Refusal(ResultEvent("a\\u001bb", "")), "line 1 has a label with a control character");
  EXPECT_EQ(Refusal(ResultEvent("a\\u007fb", "")), "line 1 has a label with a control character");
}

TEST(BuildEvents, RefusesWrongOutputs) {
  EXPECT_EQ(Refusal("{\"id\":{\"testResult\":{\"label\":\"a\"}},"
                    "\"testResult\":{\"testActionOutput\":{}}}"),
            "line 1 has a testActionOutput that is no array");
  for (const char *file : {"1", "{}", "{\"name\":1}", "{\"name\":\"a\\u0000\"}"}) {
    EXPECT_EQ(Refusal(ResultEvent("a", file)), "line 1 has a file of a test without a name");
  }
  for (const char *uri : {"", ",\"uri\":1", ",\"uri\":\"file:///\\u0000\""}) {
    EXPECT_EQ(Refusal(ResultEvent("a", "{\"name\":\"test.outputs\"" + std::string(uri) + "}")),
              "line 1 has outputs of a test without a uri");
  }
}

TEST(BuildEvents, RefusesAFolder) {
  struct build_events build = {};
  struct builder why = {};
  FILE *in = fopen("/", "re");
  ASSERT_NE(in, nullptr);
  EXPECT_FALSE(build_events_read(&build, in, &why));
  EXPECT_EQ(std::string(why.data, why.len), "Is a directory");
  fclose(in);
  build_events_free(&build);
  builder_free(&why);
}

// --- URIs of files ---

std::string Path(const std::string &uri) {
  struct builder b = {};
  bool is_local = file_uri_path(&b, uri.c_str());
  std::string path = is_local ? b.data : "refused";
  EXPECT_EQ(b.len, is_local ? path.size() + 1 : 0) << uri;
  builder_free(&b);
  return path;
}

TEST(FileUri, IsAPathOfThisMachine) {
  EXPECT_EQ(Path("file:///a/b.zip"), "/a/b.zip");
  EXPECT_EQ(Path("file:/a/b.zip"), "/a/b.zip");
  EXPECT_EQ(Path("file://localhost/a"), "/a");
  EXPECT_EQ(Path("file:///a%20b/%C3%a4%2Fc"), "/a b/\xc3\xa4/c");
  EXPECT_EQ(Path("file:///"), "/");
}

TEST(FileUri, RefusesOtherUris) {
  for (const char *uri :
       {"", "/a", "file:", "file:a", "file://", "file://machine/a", "file:////machine/a",
        "bytestream://cache/blobs/1", "http://a/b", "FILE:///a", "file:///a%", "file:///a%2",
        "file:///a%2g", "file:///a%00b", "file:///a%1Bb", "file:///a\nb", "file:///a%7f"}) {
    EXPECT_EQ(Path(uri), "refused") << uri;
  }
}

}  // namespace
