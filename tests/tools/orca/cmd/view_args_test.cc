#include "tools/orca/cmd/view_args.h"

#include <string>
#include <vector>

#include "tests/tools/orca/model/small_dump.h"

namespace {

// Takes the words as a command would; ends at the first that is not taken.
enum args_took Take(struct view_args *v, std::vector<const char *> words, std::string *says,
                    bool tables = true) {
  std::vector<char *> argv;
  for (const char *word : words) argv.push_back(const_cast<char *>(word));
  argv.push_back(nullptr);
  enum args_took took = ARGS_TOOK;
  const char *problem = "", *what = "";
  for (int at = 0; argv[at] != nullptr && took == ARGS_TOOK; at++) {
    took = view_args_take(v, tables, argv.data(), &at, &problem, &what);
  }
  *says = std::string(problem) + what;
  return took;
}

class ViewArgs : public testing::Test {
 protected:
  bool Taken(std::vector<const char *> words) {
    return Take(&args_, std::move(words), &says_) == ARGS_TOOK;
  }
  // The time that is asked for of the small dump, from 100 s to 110 s; or why not.
  std::string Resolved() {
    struct builder why = {};
    if (small_.dump == nullptr) small_.Read();
    bool good = view_args_resolve(&args_, small_.dump, &why);
    if (!good) return ::Taken(&why);
    text_ticks(&why, args_.filter.from);
    builder_char(&why, ' ');
    if (args_.filter.to != FILTER_NO_END) text_ticks(&why, args_.filter.to);
    return ::Taken(&why);
  }

  SmallModel small_;
  struct view_args args_ = {};
  std::string says_;
};

TEST_F(ViewArgs, TakesItsOwn) {
  ASSERT_TRUE(Taken({"--thread", "worker-*", "--thread=main", "--lock", "HashMap", "--event",
                     "wait", "--event=Object*", "--class", "Cart", "--top", "7", "--format=json"}))
      << says_;
  EXPECT_EQ(args_.filter.threads.num, 2u);
  EXPECT_STREQ(args_.filter.threads.texts[1], "main");
  EXPECT_STREQ(args_.filter.locks.texts[0], "HashMap");
  EXPECT_EQ(args_.filter.events.num, 2u);
  EXPECT_STREQ(args_.filter.classes.texts[0], "Cart");
  EXPECT_EQ(args_.top, 7u);
  EXPECT_EQ(args_.format, FORMAT_JSON);
}

TEST_F(ViewArgs, WithoutTablesTheFiltersAlone) {
  EXPECT_EQ(Take(&args_, {"--format=json"}, &says_, false), ARGS_OTHER);
  EXPECT_EQ(Take(&args_, {"--top", "7"}, &says_, false), ARGS_OTHER);
  EXPECT_FALSE(view_args_has_filter(&args_));
  EXPECT_EQ(Take(&args_, {"--thread", "main"}, &says_, false), ARGS_TOOK);
  EXPECT_TRUE(view_args_has_filter(&args_));
  struct view_args times = {};
  EXPECT_EQ(Take(&times, {"--to=1"}, &says_, false), ARGS_TOOK);
  EXPECT_TRUE(view_args_has_filter(&times));
}

TEST_F(ViewArgs, Times) {
  EXPECT_EQ(Resolved(), "0.0000000000 ");
  ASSERT_TRUE(Taken({"--from", "2.5", "--to=90%"}));
  EXPECT_EQ(Resolved(), "102.5000000000 109.0000000000");
}

TEST_F(ViewArgs, Around) {
  ASSERT_TRUE(Taken({"--around", "2.5"}));
  EXPECT_EQ(Resolved(), "102.4950000000 102.5050000000");
  ASSERT_TRUE(Taken({"--within", "1s"}));
  EXPECT_EQ(Resolved(), "101.5000000000 103.5000000000");
  ASSERT_TRUE(Taken({"--around", "0"}));
  EXPECT_EQ(Resolved(), "100.0000000000 101.0000000000");
}

TEST_F(ViewArgs, TheEndWhereNobodyWroteIt) {
  small_.files.Write(DUMP_INFO, "format=1\n");
  ASSERT_TRUE(Taken({"--from", "-1"}));
  EXPECT_EQ(Resolved(), "108.0000000000 ");  // the last line is of 109 s
}

TEST_F(ViewArgs, TimesThatCannotBe) {
  ASSERT_TRUE(Taken({"--from", "100"}));
  EXPECT_EQ(Resolved(), "the time 100 is after the end: the recording lasted 10.0 s");
  ASSERT_TRUE(Taken({"--from", "12:00:00"}));
  EXPECT_EQ(Resolved(),
            "the time 12:00:00 is after the end: the recording lasted 10.0 s, from "
            "2026-11-20T11:37:36.123456789Z");
  ASSERT_TRUE(Taken({"--from", "5", "--to", "4"}));
  EXPECT_EQ(Resolved(), "--from 5 has to be before --to 4");
  ASSERT_TRUE(Taken({"--from", "-6s", "--to", "40%"}));
  EXPECT_EQ(Resolved(), "--from -6s has to be before --to 40%");
  ASSERT_TRUE(Taken({"--from", "5", "--to", "400"}));
  EXPECT_EQ(Resolved(), "105.0000000000 500.0000000000");
}

// The end is as late as a timestamp can be, and an hour more is none.
TEST_F(ViewArgs, TimesThatNoClockHas) {
  small_.files.Append(DUMP_INFO, "start.monotonic=1844674406.9999999999\n");
  ASSERT_TRUE(Taken({"--around", "100%", "--within", "1h"}));
  EXPECT_EQ(Resolved(), "1844674406.9999999999 ");
  args_ = {};
  ASSERT_TRUE(Taken({"--from", "100%"}));
  EXPECT_EQ(Resolved(), "1844674406.9999999999 ");
}

TEST_F(ViewArgs, NothingLiesBeforeTheStart) {
  ASSERT_TRUE(Taken({"--to", "0"}));
  EXPECT_EQ(Resolved(), "the time 0 is the start: nothing lies before it");
}

TEST_F(ViewArgs, AMomentOfItsOwn) {
  struct builder why = {};
  struct time_arg none = {}, at = {};
  small_.Read();
  EXPECT_TRUE(view_args_has_moment(small_.dump, &none, &why));
  ASSERT_TRUE(time_arg_read("10", &at));
  EXPECT_TRUE(view_args_has_moment(small_.dump, &at, &why));
  ASSERT_TRUE(time_arg_read("10.1", &at));
  EXPECT_FALSE(view_args_has_moment(small_.dump, &at, &why));
  EXPECT_EQ(::Taken(&why), "the time 10.1 is after the end: the recording lasted 10.0 s");
}

TEST_F(ViewArgs, WhatDoesNotGoTogether) {
  const char *problem = "";
  EXPECT_TRUE(view_args_check(&args_, &problem));
  ASSERT_TRUE(Taken({"--within=1ms"}));
  EXPECT_FALSE(view_args_check(&args_, &problem));
  EXPECT_STREQ(problem, "--within says how far --around TIME reaches, which is missing");
  ASSERT_TRUE(Taken({"--around=1"}));
  EXPECT_TRUE(view_args_check(&args_, &problem));
  ASSERT_TRUE(Taken({"--to=2"}));
  EXPECT_FALSE(view_args_check(&args_, &problem));
  EXPECT_STREQ(problem, "either --around TIME, or --from and --to");
}

TEST_F(ViewArgs, Wrong) {
  EXPECT_FALSE(Taken({"--event", "Frob"}));
  EXPECT_EQ(says_, "--event takes the name of an event or a group, not Frob");
  EXPECT_FALSE(Taken({"--from", "soon"}));
  EXPECT_NE(says_.find("--from takes a time such as"), std::string::npos);
  EXPECT_FALSE(Taken({"--within", "0"}));
  EXPECT_FALSE(Taken({"--top", "0"}));
  EXPECT_EQ(says_, "--top takes a number from 1, not 0");
  EXPECT_FALSE(Taken({"--format", "xml"}));
  EXPECT_EQ(says_, "--format takes text, csv or json, not xml");
  EXPECT_EQ(Take(&args_, {"--frob"}, &says_), ARGS_OTHER);
  EXPECT_EQ(Take(&args_, {"--thread"}, &says_), ARGS_OTHER);  // without its value
}

TEST_F(ViewArgs, NoRoomForMore) {
  for (int i = 0; i < FILTER_PATTERNS; i++) ASSERT_TRUE(Taken({"--thread", "x"}));
  EXPECT_FALSE(Taken({"--thread", "y"}));
  EXPECT_EQ(says_, "--thread may be given 16 times, which leaves no room for y");
}

}  // namespace
