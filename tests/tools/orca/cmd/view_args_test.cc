#include "tools/orca/cmd/view_args.h"

#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Takes the words like a command, up to the first one that is not taken. Returns the message.
std::string Take(struct view_args *v, std::vector<const char *> words, bool tables = true) {
  std::vector<char *> argv;
  for (const char *word : words) argv.push_back(const_cast<char *>(word));
  argv.push_back(nullptr);
  struct refusal why = {""};
  const struct args_table all[] = {{&view_args_filters, v}, {&view_args_tables, v}};
  bool is_taken = true;
  for (int at = 0; argv[at] != nullptr && is_taken; at++) {
    is_taken = args_take(all, tables ? 2 : 1, argv.data(), &at, &why);
  }
  return why.text;
}

class ViewArgs : public testing::Test {
 protected:
  bool Taken(std::vector<const char *> words) {
    message_ = Take(&args_, std::move(words));
    return message_.empty();
  }
  // Returns the time range in the small dump, which is from 100 s to 110 s, or the message.
  std::string Resolve() {
    struct builder why = {};
    if (small_.dump == nullptr) small_.Read();
    bool good = view_args_resolve(&args_, small_.dump, &why);
    if (!good) return TakeText(&why);
    text_ticks(&why, args_.filter.from);
    builder_char(&why, ' ');
    if (args_.filter.to != FILTER_NO_END) text_ticks(&why, args_.filter.to);
    return TakeText(&why);
  }

  SmallModel small_;
  struct view_args args_ = {};
  std::string message_;
};

TEST_F(ViewArgs, TakeFiltersTopAndFormat) {
  ASSERT_TRUE(Taken({"--thread", "worker-*", "--thread=main", "--lock", "HashMap", "--event",
                     "wait", "--event=Object*", "--class", "Cart", "--top", "7", "--format=json"}))
      << message_;
  EXPECT_EQ(args_.filter.threads.num, 2u);
  EXPECT_STREQ(args_.filter.threads.texts[1], "main");
  EXPECT_STREQ(args_.filter.locks.texts[0], "HashMap");
  EXPECT_EQ(args_.filter.events.num, 2u);
  EXPECT_STREQ(args_.filter.classes.texts[0], "Cart");
  EXPECT_EQ(args_.top, 7u);
  EXPECT_EQ(args_.format, FORMAT_JSON);
}

TEST_F(ViewArgs, TakeOnlyFiltersWithoutTables) {
  EXPECT_EQ(Take(&args_, {"--format=json"}, false), "there is no option --format=json");
  EXPECT_EQ(Take(&args_, {"--top", "7"}, false), "there is no option --top");
  EXPECT_FALSE(view_args_has_filter(&args_));
  EXPECT_EQ(Take(&args_, {"--thread", "main"}, false), "");
  EXPECT_TRUE(view_args_has_filter(&args_));
  struct view_args times = {};
  EXPECT_EQ(Take(&times, {"--to=1"}, false), "");
  EXPECT_TRUE(view_args_has_filter(&times));
}

TEST_F(ViewArgs, ResolveFromAndTo) {
  EXPECT_EQ(Resolve(), "0.0000000000 ");
  ASSERT_TRUE(Taken({"--from", "2.5", "--to=90%"}));
  EXPECT_EQ(Resolve(), "102.5000000000 109.0000000000");
}

TEST_F(ViewArgs, ResolveAroundAndWithin) {
  ASSERT_TRUE(Taken({"--around", "2.5"}));
  EXPECT_EQ(Resolve(), "102.4950000000 102.5050000000");
  ASSERT_TRUE(Taken({"--within", "1s"}));
  EXPECT_EQ(Resolve(), "101.5000000000 103.5000000000");
  ASSERT_TRUE(Taken({"--around", "0"}));
  EXPECT_EQ(Resolve(), "100.0000000000 101.0000000000");
}

TEST_F(ViewArgs, UseTheLastLineWithoutAnEndTime) {
  small_.files.Write(DUMP_INFO, "format=1\n");
  ASSERT_TRUE(Taken({"--from", "-1"}));
  EXPECT_EQ(Resolve(), "108.0000000000 ");  // the last line is at 109 s
}

TEST_F(ViewArgs, RefuseTimesOutsideTheRecording) {
  ASSERT_TRUE(Taken({"--from", "100"}));
  EXPECT_EQ(Resolve(), "the time 100 is after the end: the recording lasted 10.0 s");
  ASSERT_TRUE(Taken({"--from", "12:00:00"}));
  EXPECT_EQ(Resolve(),
            "the time 12:00:00 is after the end: the recording lasted 10.0 s, from "
            "2026-11-20T11:37:36.123456789Z");
  ASSERT_TRUE(Taken({"--from", "5", "--to", "4"}));
  EXPECT_EQ(Resolve(), "--from 5 has to be before --to 4");
  ASSERT_TRUE(Taken({"--from", "-6s", "--to", "40%"}));
  EXPECT_EQ(Resolve(), "--from -6s has to be before --to 40%");
  ASSERT_TRUE(Taken({"--from", "5", "--to", "400"}));
  EXPECT_EQ(Resolve(), "105.0000000000 500.0000000000");
}

// The end is the latest possible timestamp; an hour later would overflow.
TEST_F(ViewArgs, ResolveTimesWithoutOverflow) {
  small_.files.Append(DUMP_INFO, "start.monotonic=1844674406.9999999999\n");
  ASSERT_TRUE(Taken({"--around", "100%", "--within", "1h"}));
  EXPECT_EQ(Resolve(), "1844674406.9999999999 ");
  args_ = {};
  ASSERT_TRUE(Taken({"--from", "100%"}));
  EXPECT_EQ(Resolve(), "1844674406.9999999999 ");
}

TEST_F(ViewArgs, RefuseAnEndAtTheStart) {
  ASSERT_TRUE(Taken({"--to", "0"}));
  EXPECT_EQ(Resolve(), "the time 0 is the start of the recording: nothing comes before it");
}

TEST_F(ViewArgs, CheckAMoment) {
  struct builder why = {};
  struct time_arg none = {}, at = {};
  small_.Read();
  EXPECT_TRUE(view_args_check_moment(small_.dump, &none, &why));
  ASSERT_TRUE(time_arg_read("10", &at));
  EXPECT_TRUE(view_args_check_moment(small_.dump, &at, &why));
  ASSERT_TRUE(time_arg_read("10.1", &at));
  EXPECT_FALSE(view_args_check_moment(small_.dump, &at, &why));
  EXPECT_EQ(TakeText(&why), "the time 10.1 is after the end: the recording lasted 10.0 s");
}

TEST_F(ViewArgs, RefuseOptionsThatCannotBeCombined) {
  struct refusal why = {""};
  EXPECT_TRUE(view_args_check(&args_, &why));
  ASSERT_TRUE(Taken({"--within=1ms"}));
  EXPECT_FALSE(view_args_check(&args_, &why));
  EXPECT_STREQ(why.text, "--within needs --around TIME, which is missing");
  ASSERT_TRUE(Taken({"--around=1"}));
  EXPECT_TRUE(view_args_check(&args_, &why));
  ASSERT_TRUE(Taken({"--to=2"}));
  EXPECT_FALSE(view_args_check(&args_, &why));
  EXPECT_STREQ(why.text, "--around cannot be combined with --from or --to");
}

TEST_F(ViewArgs, RefuseWrongValues) {
  EXPECT_FALSE(Taken({"--event", "Frob"}));
  EXPECT_EQ(message_, "--event takes the name of an event or a group, not Frob");
  EXPECT_FALSE(Taken({"--from", "soon"}));
  EXPECT_NE(message_.find("--from takes a time such as"), std::string::npos);
  EXPECT_FALSE(Taken({"--within", "0"}));
  EXPECT_FALSE(Taken({"--top", "0"}));
  EXPECT_EQ(message_, "--top takes a number from 1, not 0");
  EXPECT_FALSE(Taken({"--format", "xml"}));
  EXPECT_EQ(message_, "--format takes text, csv or json, not xml");
  EXPECT_FALSE(Taken({"--thread"}));
  EXPECT_EQ(message_, "a value is missing after --thread");
}

TEST_F(ViewArgs, RefuseTooManyPatterns) {
  for (int i = 0; i < FILTER_PATTERNS; i++) ASSERT_TRUE(Taken({"--thread", "x"}));
  EXPECT_FALSE(Taken({"--thread", "y"}));
  EXPECT_EQ(message_, "--thread can be given at most 16 times, so there is no room for y");
}

}  // namespace
