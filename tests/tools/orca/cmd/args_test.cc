#include "tools/orca/cmd/args.h"

#include <cstddef>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

struct Targets {
  size_t top;
  const char *file;
  bool is_short;
};

bool ParseEven(const char *text, void *target) {
  return args_parse_count(text, target) && *static_cast<size_t *>(target) % 2 == 0;
}

constexpr struct args_option kRows[] = {
    {"--top", "N", "at most N rows\nN is even", ParseEven, offsetof(Targets, top),
     "--top takes an even number, not "},
    {"-o", "FILE",
     "a help text that is so long that it does not fit into a single line, so that it must be "
     "wrapped below its first word",
     args_parse_text, offsetof(Targets, file), nullptr},
    {"--hidden", "N", nullptr, args_parse_count, offsetof(Targets, top),
     "--hidden takes one, not "},
    {"--name", "LONGER-VALUE", "below", args_parse_text, offsetof(Targets, file), nullptr},
    {"--short", nullptr, "less text", nullptr, offsetof(Targets, is_short), nullptr},
    {"operand", nullptr, "only for the help", nullptr, 0, nullptr}};
constexpr struct args_options kOptions = ARGS_OPTIONS(kRows);

// Takes the first option of the words. Returns the message; "" if it is taken. `*at` becomes the
// index of the last word that was used.
std::string Take(std::vector<std::string> words, Targets *targets, int *at) {
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  struct refusal why = {""};
  const struct args_options none = {nullptr, 0};
  const struct args_table tables[] = {{&none, nullptr}, {&kOptions, targets}};
  *at = 0;
  bool is_taken = args_take(tables, 2, argv.data(), at, &why);
  EXPECT_EQ(is_taken, why.text[0] == '\0');
  return why.text;
}

TEST(Args, TakeOptionsIntoTheirTargets) {
  Targets targets = {};
  int at;
  EXPECT_EQ(Take({"--top", "4", "x"}, &targets, &at), "");
  EXPECT_EQ(at, 1);
  EXPECT_EQ(targets.top, 4u);
  EXPECT_EQ(Take({"--hidden=3"}, &targets, &at), "");
  EXPECT_EQ(at, 0);
  EXPECT_EQ(targets.top, 3u);
  EXPECT_FALSE(targets.is_short);
  EXPECT_EQ(Take({"--short", "x"}, &targets, &at), "");
  EXPECT_EQ(at, 0);
  EXPECT_TRUE(targets.is_short);
  EXPECT_EQ(targets.file, nullptr);
}

TEST(Args, TakeTheValueOfAShortOptionInAnyForm) {
  char option[] = "-o", value[] = "x", with_equal[] = "-o=x", joined[] = "-ox";
  for (std::vector<char *> argv :
       {std::vector<char *>{option, value, nullptr}, {with_equal, nullptr}, {joined, nullptr}}) {
    Targets targets = {};
    struct refusal why = {""};
    const struct args_table table = {&kOptions, &targets};
    int at = 0;
    EXPECT_TRUE(args_take(&table, 1, argv.data(), &at, &why));
    EXPECT_STREQ(targets.file, "x");
    EXPECT_EQ(argv[at + 1], nullptr);
  }
}

TEST(Args, RefuseWrongValuesAndUnknownOptions) {
  Targets targets = {};
  int at;
  EXPECT_EQ(Take({"--top=3"}, &targets, &at), "--top takes an even number, not 3");
  EXPECT_EQ(Take({"--top="}, &targets, &at), "--top takes an even number, not ");
  EXPECT_EQ(Take({"--top"}, &targets, &at), "a value is missing after --top");
  for (const char *word : {"--short=1", "--shorter", "--topmost=4", "--other", "-", "operand"}) {
    EXPECT_EQ(Take({word, "4"}, &targets, &at), std::string("there is no option ") + word);
  }
}

TEST(Args, AcceptNumbersFromOne) {
  size_t n = 0;
  pid_t pid = 0;
  EXPECT_TRUE(args_parse_count("12", &n));
  EXPECT_EQ(n, 12u);
  EXPECT_TRUE(args_pid("2147483647", &pid));
  EXPECT_EQ(pid, 2147483647);
  EXPECT_FALSE(args_pid("2147483648", &pid));
  for (const char *wrong : {"0", "-1", "", "many", "1.5", "99999999999999999999"}) {
    EXPECT_FALSE(args_parse_count(wrong, &n)) << wrong;
    EXPECT_FALSE(args_pid(wrong, &pid)) << wrong;
  }
}

TEST(Args, TellJsonFromText) {
  bool is_json = false;
  EXPECT_TRUE(args_parse_json("json", &is_json));
  EXPECT_TRUE(is_json);
  EXPECT_TRUE(args_parse_json("text", &is_json));
  EXPECT_FALSE(is_json);
  EXPECT_FALSE(args_parse_json("csv", &is_json));
}

TEST(Args, PutTheHelp) {
  struct builder b = {};
  args_put_help(&b, &kOptions);
  EXPECT_EQ(TakeText(&b),
            "  --top N            at most N rows\n"
            "                     N is even\n"
            "  -o FILE            a help text that is so long that it does not fit into a single "
            "line, so that it\n"
            "                     must be wrapped below its first word\n"
            "  --name LONGER-VALUE\n"
            "                     below\n"
            "  --short            less text\n"
            "  operand            only for the help\n");
}

TEST(Args, WrapOnlyLongLinesOfText) {
  struct builder b = {};
  std::string word(60, 'w');
  args_put_text(&b, ("usage: x\n\n" + word + " " + word + "\n  indented\n").c_str());
  EXPECT_EQ(TakeText(&b), "usage: x\n\n" + word + "\n" + word + "\n  indented\n");
}

TEST(Args, RecognizeHelp) {
  EXPECT_TRUE(args_is_help("--help"));
  EXPECT_TRUE(args_is_help("-h"));
  EXPECT_FALSE(args_is_help("help"));
}

}  // namespace
