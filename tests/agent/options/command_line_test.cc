#include "agent/options/command_line.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

using CommandWords = std::vector<std::string>;

std::string PutWords(const CommandWords &words, bool is_masked) {
  std::string text;
  for (const std::string &word : words) text += word + std::string(1, '\0');
  struct builder b = {};
  command_line_put(&b, {text.data(), text.size()}, is_masked);
  std::string out(b.data == nullptr ? "" : b.data, b.len);
  builder_free(&b);
  return out;
}

std::string MaskWords(const CommandWords &words) { return PutWords(words, true); }

/* Masks a word between two others, which have to stay. */
std::string MaskWord(const std::string &word) {
  std::string out = MaskWords({"java", word, "Main"});
  EXPECT_EQ(out.substr(0, 5), "java ");
  EXPECT_EQ(out.substr(out.size() - 5), " Main");
  return out.substr(5, out.size() - 10);
}

TEST(CommandLine, JoinsTheWordsBySpaces) {
  EXPECT_EQ(PutWords({"java", "-Dpassword=x", "a b", "Main"}, false), "java -Dpassword=x a b Main");
  EXPECT_EQ(PutWords({"java", "", "x", ""}, false), "java  x ");
  EXPECT_EQ(PutWords({"java"}, true), "java");
  EXPECT_EQ(PutWords({}, true), "");
  struct builder b = {};
  command_line_put(&b, {"java\0Main", 9}, true); /* the program has written over the last NUL */
  EXPECT_EQ(std::string(b.data, b.len), "java Main");
  builder_free(&b);
}

TEST(CommandLine, KeepsWhatIsNoSecret) {
  for (const char *word :
       {"-Xmx1g",
        "-Dfile.encoding=UTF-8",
        "-XX:+UseG1GC",
        "/opt/keys/app.jar",
        "token-service.jar",
        "-agentpath:/opt/secret/liborca.so=/tmp/a,track=com.acme.Token.check*,interval=5ms",
        "-javaagent:/opt/tokenizer/agent.jar=port=1,host=a",
        "lib/keycloak.jar:lib/token.jar:lib/b",
        "https://host:8080/a@b",
        "https://host/a:b@c",
        "https://user@host:80/a@b",
        "host:80/a@b",
        "http://[::1]:80/a@b",
        "git@host:path",
        "a@b",
        "jdbc:oracle:thin:@host:1521:shop",
        "secret",
        "-Dpassword=",
        "--password=",
        "com.acme.key/com.acme.Main",
        "@args",
        "=",
        ":",
        "-",
        "@",
        "://",
        ":@",
        "\"",
        "-Dquery=a=b,c"}) {
    EXPECT_EQ(MaskWord(word), word);
  }
}

TEST(CommandLine, MasksTheValueOfASecretName) {
  for (const char *name :
       {"-Dfoo.password", "-DdbPASSWD", "--client-secret", "--api-token", "-Dkey",
        "--AwsCredentials", "PWD", "DB_PASS", "-Djavax.net.ssl.keyStorePassword",
        "--spring.datasource.password", "--passphrase", "/f/token"}) {
    EXPECT_EQ(MaskWord(name + std::string("=hunter2")), name + std::string("=***"));
  }
}

/* A secret may contain every separator. */
TEST(CommandLine, MasksToTheEndOfTheWord) {
  EXPECT_EQ(MaskWord("-Dpassword=a=b,c;d&e f:g@h"), "-Dpassword=***");
  EXPECT_EQ(MaskWord("-Dpassword=http://u:p@host"), "-Dpassword=***");
}

TEST(CommandLine, MasksANameInsideOfAWord) {
  EXPECT_EQ(MaskWord("-javaagent:/opt/a.jar=port=1,token=abc,x=2"),
            "-javaagent:/opt/a.jar=port=1,token=***");
  EXPECT_EQ(MaskWord("jdbc:mysql://host/db?user=a&password=b&ssl=true"),
            "jdbc:mysql://host/db?user=a&password=***");
  EXPECT_EQ(MaskWord("-Dargs=--name a --password=b"), "-Dargs=--name a --password=***");
  EXPECT_EQ(MaskWord("-Dargs=--name a --password b c"), "-Dargs=--name a --password ***");
  EXPECT_EQ(MaskWord("curl --token:abc"), "curl --token:***");
  EXPECT_EQ(MaskWord("a = 1, password = b"), "a = 1, password =***");
}

TEST(CommandLine, MasksAValueOfJsonAndYaml) {
  EXPECT_EQ(MaskWord("--json={\"user\":\"a\",\"password\":\"b\"}"),
            "--json={\"user\":\"a\",\"password\"***");
  EXPECT_EQ(MaskWord("{'token' : 'b'}"), "{'token'***");
  EXPECT_EQ(MaskWord("X-Api-Key: abc"), "X-Api-Key:***");
  EXPECT_EQ(MaskWord("{user: a, password: b}"), "{user: a, password:***");
}

TEST(CommandLine, MasksAValueAfterTheColonOfAnOption) {
  EXPECT_EQ(MaskWord("-password:abc"), "-password:***");
  EXPECT_EQ(MaskWord("-Xbootclasspath/a:/x/key.jar:/y/b.jar"),
            "-Xbootclasspath/a:/x/key.jar:/y/b.jar");
}

TEST(CommandLine, MasksTheWordAfterASecretOption) {
  for (const char *name : {"--password", "-storepass", "--Api-Key", "-keypass", "--pwd"}) {
    EXPECT_EQ(MaskWords({"java", "Main", name, "hunter2", "x"}),
              "java Main " + std::string(name) + " *** x");
  }
  EXPECT_EQ(MaskWords({"java", "Main", "--password"}), "java Main --password");
  EXPECT_EQ(MaskWords({"java", "Main", "--password", "", "x"}), "java Main --password *** x");
}

/* The word after --use-key may be its value, or an option. */
TEST(CommandLine, MasksInBothReadingsOfAWordWithADash) {
  EXPECT_EQ(MaskWords({"java", "Main", "--password", "-hunter2", "x"}),
            "java Main --password *** x");
  EXPECT_EQ(MaskWords({"java", "Main", "--use-key", "--password", "hunter2", "x"}),
            "java Main --use-key *** *** x");
}

TEST(CommandLine, KeepsTheWordAfterAnOptionOfTheJvm) {
  EXPECT_EQ(MaskWords({"java", "-Dcom.acme.token", "Main"}), "java -Dcom.acme.token Main");
  EXPECT_EQ(MaskWords({"java", "-XX:+PrintKey", "Main"}), "java -XX:+PrintKey Main");
  EXPECT_EQ(MaskWords({"java", "--password=a", "Main"}), "java --password=*** Main");
  EXPECT_EQ(MaskWords({"java", "-jar", "token.jar", "x"}), "java -jar token.jar x");
}

TEST(CommandLine, MasksThePasswordOfAUrl) {
  EXPECT_EQ(MaskWord("https://user:hunter2@host/path"), "https://user:***@host/path");
  EXPECT_EQ(MaskWord("https://user:1234@host:80/path"), "https://user:***@host:80/path");
  EXPECT_EQ(MaskWord("redis://:hunter2@host"), "redis://:***@host");
  EXPECT_EQ(MaskWord("https://user:a@b/c:d@host"), "https://user:***@host");
  EXPECT_EQ(MaskWord("-Durl=jdbc:postgresql://user:a=b@host/db"),
            "-Durl=jdbc:postgresql://user:***@host/db");
  EXPECT_EQ(MaskWord("a=http://h:80/,http://u:hunter2@h/"), "a=http://h:80/,http://u:***@h/");
}

TEST(CommandLine, MasksALoginWithoutAScheme) {
  EXPECT_EQ(MaskWord("user:hunter2@host"), "user:***@host");
  EXPECT_EQ(MaskWord("user:hunter2@http://host/"), "user:***@http://host/");
  EXPECT_EQ(MaskWord("--login=user:hunter2@host:80"), "--login=user:***@host:80");
  EXPECT_EQ(MaskWord("jdbc:oracle:thin:scott/tiger@host:1521:shop"), "jdbc:***@host:1521:shop");
}

TEST(CommandLine, MasksAUrlAndANameInOneWord) {
  EXPECT_EQ(MaskWord("https://u:hunter2@host/?a=b&token=c"), "https://u:***@host/?a=b&token=***");
  EXPECT_EQ(MaskWord("https://u:my-key=hunter2@host"), "https://u:***");
}

/* No prefix of a secret text shows more of the secret. */
TEST(CommandLine, NeverShowsASecretOfACutWord) {
  const std::string text = "-Dpassword=hunter2 --token hunter2 {\"key\":\"hunter2\"}";
  for (size_t len = 0; len <= text.size(); len++) {
    std::string out = MaskWords({text.substr(0, len)});
    EXPECT_EQ(out.find("hun"), std::string::npos) << out;
  }
}

bool HasAgent(const CommandWords &words) {
  std::string text;
  for (const std::string &word : words) text += word + std::string(1, '\0');
  return command_line_has_agent({text.data(), text.size()}, "/run");
}

TEST(CommandLineHasAgent, FindsAnOptionOfTheJvm) {
  const char agent[] = "-agentpath:/x/agent/liborca.so=cache,interval=5ms";
  EXPECT_TRUE(HasAgent({"java", agent, "Main"}));
  EXPECT_TRUE(HasAgent({"java", "-agentpath:/x/liborca.so", "Main"}));
  EXPECT_TRUE(HasAgent({"java", "-Xmx1g", "@file", "--add-opens=a/b=c", agent, "Main"}));
  EXPECT_TRUE(HasAgent({"java", "-cp", "a.jar", "-p", "b", "--add-modules", "c", agent, "Main"}));
  EXPECT_TRUE(HasAgent({"java", "--enable-preview", agent, "Main"}));
  EXPECT_TRUE(HasAgent({"java", "-classpath", "-agentpath:x", agent, "-jar", "a.jar"}));
}

TEST(CommandLineHasAgent, FindsNoOtherAgentAndNoWordOfTheProgram) {
  const char agent[] = "-agentpath:/x/agent/liborca.so=cache";
  EXPECT_FALSE(HasAgent({"java", "-agentpath:/x/agent/liborca.so=/run", "Main"}));
  EXPECT_FALSE(HasAgent({"java", "-agentpath:/x/libother.so=/x/liborca.so", "Main"}));
  EXPECT_FALSE(HasAgent({"java", "-agentpath:/x/notliborca.so=cache", "Main"}));
  EXPECT_FALSE(HasAgent({"java", "Main", agent}));
  EXPECT_FALSE(HasAgent({"java", "-jar", "a.jar", agent}));
  EXPECT_FALSE(HasAgent({"java", "--module", "a/b", agent}));
  EXPECT_FALSE(HasAgent({"java", "--enable-preview", "Main", agent}));
  EXPECT_FALSE(HasAgent({"java", "-cp", "a.jar", "Main", agent}));
  EXPECT_FALSE(HasAgent({agent}));
  EXPECT_FALSE(HasAgent({}));
}

TEST(CommandLineRead, ReadsThatOfThisProcess) {
  struct builder b = {};
  command_line_read(&b);
  std::string text(b.data, b.len);
  EXPECT_NE(text.find("test"), std::string::npos) << text;
  EXPECT_EQ(text.back(), '\0');
  builder_free(&b);
}

}  // namespace
