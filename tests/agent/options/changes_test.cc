#include "agent/options/changes.h"

#include <string>

#include "agent/event/event.h"
#include "gtest/gtest.h"

namespace {

struct options Parse(const std::string &text) {
  struct options o;
  char error[2048] = "";
  EXPECT_TRUE(options_parse(text.c_str(), &o, error, sizeof error)) << text << ": " << error;
  return o;
}

struct options Change(const std::string &before, const std::string &words) {
  struct options now = Parse(before), next;
  char error[2048] = "";
  EXPECT_TRUE(options_change(&now, words.c_str(), &next, error, sizeof error))
      << words << ": " << error;
  return next;
}

std::string Refuse(const std::string &before, const std::string &words) {
  struct options now = Parse(before), next;
  char error[2048] = "";
  EXPECT_FALSE(options_change(&now, words.c_str(), &next, error, sizeof error)) << words;
  return error;
}

void ExpectHas(const std::string &text, const std::string &piece) {
  EXPECT_NE(text.find(piece), std::string::npos) << text;
}

TEST(OptionsChange, KeepsTheOtherOptions) {
  struct options o = Change("/tmp/x,threshold=5ms,depth=9,maxsize=1MB,track=a.B.c,trigger=deadlock",
                            "threshold=1ms,budget=2%");
  EXPECT_STREQ(o.prefix, "/tmp/x");
  EXPECT_EQ(o.threshold, 1000000u);
  EXPECT_DOUBLE_EQ(o.budget, 0.02);
  EXPECT_EQ(o.depth, 9);
  EXPECT_EQ(o.maxsize, 1u << 20);
  EXPECT_STREQ(o.text[OPTION_track], "a.B.c");
  EXPECT_TRUE(o.trigger.on[TRIGGER_DEADLOCK]);
}

TEST(OptionsChange, ReplacesPatternsAndJoinsThoseOfOneChange) {
  EXPECT_STREQ(Change("x,track=a.B.c", "track=d.E.f,track=g.H.i").text[OPTION_track],
               "d.E.f+g.H.i");
  EXPECT_FALSE(Change("x,track=a.B.c", "track=").track);
}

TEST(OptionsChange, KeepsAProfile) {
  struct options o = Change("x,profile=service", "threshold=0,locks=all");
  EXPECT_EQ(o.locks, LOCKS_ALL);
  EXPECT_EQ(o.interval, 100000000u);
  EXPECT_EQ(o.keep, 10u);
}

TEST(OptionsChange, RefusesAWrongValueAsAStartDoes) {
  char error[2048] = "";
  struct options ignored;
  ASSERT_FALSE(options_parse("x,threshold=1", &ignored, error, sizeof error));
  EXPECT_EQ(Refuse("x", "budget=2%,threshold=1"), error);
  ASSERT_FALSE(options_parse("x,monitors=all", &ignored, error, sizeof error));
  EXPECT_EQ(Refuse("x", "monitors=all"), error);
  ExpectHas(Refuse("x,threshold=1ms", "locks=all"), "it needs threshold=0");
}

TEST(OptionsChange, RefusesWhatCannotChange) {
  EXPECT_EQ(Refuse("x", "threshold=1ms,depth=7"),
            "depth can't change while recording; orca stop, then orca attach with it");
  EXPECT_EQ(Refuse("x,duration=5m", "duration=10m"),
            "duration can't change while recording; orca stop, then orca attach with it");
  EXPECT_EQ(Refuse("x", "command=off"),
            "command can't change while recording; orca stop, then orca attach with it");
  ExpectHas(Refuse("x", "colour=blue"),
            "there is no option \"colour=blue\"; a running recording can change events interval");
  ExpectHas(Refuse("x", "threshold"), "there is no option \"threshold\"");
  ExpectHas(Refuse("x", ""), "there is no option \"\"");
  ExpectHas(Refuse("x", "@/etc/passwd"), "there is no option \"@/etc/passwd\"");
  ExpectHas(Refuse("x", "interval=0"), "interval can't change from or to 0");
  ExpectHas(Refuse("x,interval=0", "interval=1ms"), "interval can't change from or to 0");
  ExpectHas(Refuse("x", "events=all-thread"), "the group thread of events can't change");
  ExpectHas(Refuse("x,engine=callbacks", "track=a.B.c"), "engine=");
  EXPECT_EQ(Refuse("x,engine=callbacks", "events=all-park"),
            "events can't change with engine=callbacks while recording; orca stop, then orca "
            "attach with it");
}

TEST(OptionsChange, TellsWhatDiffers) {
  struct options a = Parse("x,threshold=1ms"), b = Parse("x,threshold=1ms,budget=2%");
  EXPECT_EQ(options_compare(&a, &b), uint64_t{1} << OPTION_budget);
  EXPECT_EQ(options_compare(&a, &a), 0u);
}

// Every option that can change has a follower, so that somebody acts on it.
TEST(OptionsChange, FollowersAreThoseOfOptionsThatCanChange) {
  for (const struct option_info &info : option_infos) {
    EXPECT_EQ(info.changer != CHANGER_NOBODY, info.follower != FOLLOWER_START) << info.key;
    EXPECT_TRUE(info.changer != CHANGER_NOBODY || !info.forgets_holders) << info.key;
  }
  EXPECT_EQ(options_followed_by(FOLLOWER_SAMPLER),
            uint64_t{1} << OPTION_interval | uint64_t{1} << OPTION_budget);
}

TEST(OptionsChange, CopiesTheOptionsThatCanChange) {
  struct options to = Parse("x,depth=9"),
                 from = Parse("y,depth=7,budget=2%,events=wait,trigger=cpu>50%,track=a.B.c");
  options_copy_changing(&to, &from);
  EXPECT_STREQ(to.prefix, "x");
  EXPECT_EQ(to.depth, 9);
  EXPECT_DOUBLE_EQ(to.budget, 0.02);
  EXPECT_EQ(to.events, 1u << GROUP_WAIT);
  EXPECT_TRUE(to.track);
  EXPECT_DOUBLE_EQ(to.trigger.cpu, 0.5);
  EXPECT_STREQ(to.text[OPTION_budget], "2%");
}

/* --- triggers ------------------------------------------------------------------------------- */

TEST(OptionsEscalate, ChangesForAWhile) {
  struct options now = Parse(
                     "x,interval=10ms,trigger=cpu>90%:locks=all,events=all-park,for=30s,"
                     "budget=3%"),
                 next;
  char error[2048] = "";
  EXPECT_DOUBLE_EQ(now.budget, 0.03);
  EXPECT_STREQ(now.text[OPTION_trigger], "cpu>90%:locks=all;events=all-park;for=30s");
  ASSERT_TRUE(options_escalate(&now, TRIGGER_CPU, &next, error, sizeof error)) << error;
  EXPECT_EQ(next.locks, LOCKS_ALL);
  EXPECT_EQ(next.events >> GROUP_PARK & 1, 0u);
  EXPECT_EQ(next.interval, 10000000u);
  EXPECT_TRUE(next.trigger.on[TRIGGER_CPU]);
  EXPECT_STREQ(next.text[OPTION_trigger], now.text[OPTION_trigger]);
  struct builder printed = {};
  options_print(&now, &printed);
  builder_char(&printed, '\0');
  struct options again = Parse(printed.data);
  EXPECT_STREQ(again.trigger.escalations[TRIGGER_CPU].words, "locks=all,events=all-park");
  builder_free(&printed);
}

std::string RefuseStart(const std::string &text) {
  struct options o;
  char error[2048] = "";
  EXPECT_FALSE(options_parse(text.c_str(), &o, error, sizeof error)) << text;
  return error;
}

TEST(OptionsEscalate, RefusesAtTheStart) {
  ExpectHas(RefuseStart("x,trigger=deadlock+cpu>9%:locks=some,for=3s"),
            "trigger cpu: option locks takes waits or all, not \"some\"");
  ExpectHas(RefuseStart("x,trigger=cpu>9%:lock=all,for=3s"),
            "trigger cpu: there is no option \"lock=all\"; a trigger can change events");
  ExpectHas(RefuseStart("x,trigger=cpu>9%:depth=7,for=3s"),
            "trigger cpu: depth can't be changed by a trigger; it can change events");
  ExpectHas(RefuseStart("x,trigger=cpu>9%:trigger=off,for=3s"), "can't be changed by a trigger");
  ExpectHas(RefuseStart("x,trigger=cpu>9%:interval=0,for=3s"),
            "trigger cpu: interval can't change");
  ExpectHas(RefuseStart("x,trigger=cpu>9%:locks=all"), ", not \"cpu>9%:locks=all\"");
  ExpectHas(RefuseStart("x,trigger=cpu>9%:locks=all,interval=5ms"), "interval=5ms");
  ExpectHas(RefuseStart("x,profile=service,trigger=cpu>9%:locks=all,for=3s"),
            "trigger cpu: locks=all records each acquisition, so it needs threshold=0");
  ExpectHas(RefuseStart("x,trigger=contention>9%:events=none+thread,for=3s"),
            "trigger contention: the triggers deadlock, blocked and contention need");
}

TEST(OptionsEscalate, IsCheckedWhenOtherOptionsChange) {
  ExpectHas(Refuse("x,trigger=cpu>9%:locks=all,for=3s", "threshold=1ms"), "trigger cpu: locks=all");
}

}  // namespace
