#include "tools/orca/cmd/args.h"

#include <cstddef>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/bytes.h"

namespace {

// Returns the value of --top in these words, and the index of the last word that was used.
std::string ParseTop(std::vector<std::string> words, int *out_at) {
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  *out_at = 0;
  const char *value = args_value("--top", argv.data(), out_at);
  return value == nullptr ? "none" : value;
}

TEST(Args, ReturnTheValueOfAnOption) {
  int at;
  EXPECT_EQ(ParseTop({"--top=5", "x"}, &at), "5");
  EXPECT_EQ(at, 0);
  EXPECT_EQ(ParseTop({"--top", "5", "x"}, &at), "5");
  EXPECT_EQ(at, 1);
  EXPECT_EQ(ParseTop({"--top="}, &at), "");
}

TEST(Args, ReturnNoValueOfAnotherOption) {
  int at;
  EXPECT_EQ(ParseTop({"--top"}, &at), "none");
  EXPECT_EQ(ParseTop({"--topmost", "5"}, &at), "none");
  EXPECT_EQ(ParseTop({"--bottom=5"}, &at), "none");
  EXPECT_EQ(at, 0);
}

TEST(Args, AcceptNumbersFromOne) {
  size_t n = 0;
  EXPECT_TRUE(args_count("12", &n));
  EXPECT_EQ(n, 12u);
  for (const char *wrong : {"0", "-1", "", "many", "1.5", "99999999999999999999"}) {
    EXPECT_FALSE(args_count(wrong, &n)) << wrong;
  }
}

struct Targets {
  size_t top;
  const char *file;
  bool is_short;
};

bool ParseEven(const char *text, void *target) {
  return args_count(text, static_cast<size_t *>(target)) && *static_cast<size_t *>(target) % 2 == 0;
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
    {"--short", nullptr, "less text", nullptr, offsetof(Targets, is_short), nullptr}};
constexpr struct args_options kOptions = ARGS_OPTIONS(kRows);

// Takes the first option of the words. Returns the message, and the index of the last used word.
enum args_result Take(std::vector<std::string> words, Targets *targets, std::string *message,
                      int *at) {
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const char *problem = "", *subject = "";
  *at = 0;
  enum args_result result = args_take(&kOptions, targets, argv.data(), at, &problem, &subject);
  *message = std::string(problem) + subject;
  return result;
}

TEST(Args, TakeOptionsIntoTheirTargets) {
  Targets targets = {};
  std::string message;
  int at;
  EXPECT_EQ(Take({"--top", "4", "x"}, &targets, &message, &at), ARGS_TAKEN);
  EXPECT_EQ(at, 1);
  EXPECT_EQ(targets.top, 4u);
  EXPECT_EQ(Take({"--hidden=3"}, &targets, &message, &at), ARGS_TAKEN);
  EXPECT_EQ(at, 0);
  EXPECT_EQ(targets.top, 3u);
  EXPECT_FALSE(targets.is_short);
  EXPECT_EQ(Take({"--short", "x"}, &targets, &message, &at), ARGS_TAKEN);
  EXPECT_EQ(at, 0);
  EXPECT_TRUE(targets.is_short);
  EXPECT_EQ(targets.file, nullptr);
}

TEST(Args, RefuseWrongValuesAndUnknownOptions) {
  Targets targets = {};
  std::string message;
  int at;
  EXPECT_EQ(Take({"--top=3"}, &targets, &message, &at), ARGS_WRONG);
  EXPECT_EQ(message, "--top takes an even number, not 3");
  EXPECT_EQ(Take({"--top"}, &targets, &message, &at), ARGS_UNKNOWN);
  EXPECT_EQ(Take({"--short=1"}, &targets, &message, &at), ARGS_UNKNOWN);
  EXPECT_EQ(Take({"--other"}, &targets, &message, &at), ARGS_UNKNOWN);
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
            "  --short            less text\n");
}

TEST(Args, WrapOnlyLongLinesOfText) {
  struct builder b = {};
  std::string word(60, 'w');
  args_put_text(&b, ("usage: x\n\n" + word + " " + word + "\n  indented\n").c_str());
  EXPECT_EQ(TakeText(&b), "usage: x\n\n" + word + "\n" + word + "\n  indented\n");
}

TEST(Args, PrintTheHelp) {
  testing::internal::CaptureStdout();
  args_print_help("usage: orca shop\n", &kOptions, "Exit status: 0\n");
  fflush(stdout);
  std::string text = testing::internal::GetCapturedStdout();
  struct builder options = {};
  args_put_help(&options, &kOptions);
  EXPECT_EQ(text, "usage: orca shop\n" + TakeText(&options) + "Exit status: 0\n");
}

TEST(Args, RecognizeHelp) {
  EXPECT_TRUE(args_is_help("--help"));
  EXPECT_TRUE(args_is_help("-h"));
  EXPECT_FALSE(args_is_help("help"));
}

}  // namespace
