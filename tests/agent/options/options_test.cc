#include "agent/options/options.h"

#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "agent/event/event.h"
#include "gtest/gtest.h"
#include "tests/support/text.h"

namespace {

constexpr uint32_t kAllGroups = (1u << NUM_GROUPS) - 1;

// Parses a text that must be valid.
struct options ParseValid(const std::string &given) {
  struct options o;
  char error[2048] = "";
  EXPECT_TRUE(options_parse(given.c_str(), &o, error, sizeof error)) << given << ": " << error;
  return o;
}

// Parses a text that must be invalid, and returns the message.
std::string ParseInvalid(const std::string &given) {
  struct options o;
  char error[2048] = "";
  EXPECT_FALSE(options_parse(given.c_str(), &o, error, sizeof error)) << given;
  return error;
}

std::string PrintOptions(const struct options &o) {
  struct builder b = {};
  options_print(&o, &b);
  std::string text(b.data, b.len);
  builder_free(&b);
  return text;
}

// Valid and invalid values of each option.
struct Values {
  std::vector<std::string> good, bad;
};

const std::map<std::string, Values> kValues = {
    {"events",
     {{"all", "none", "monitor", "monitor+wait+notify+thread+join+sleep+semaphore", "wait+wait"},
      {"", "everything", "monitor,", "monitor+", "+wait", "Monitor", "monitor wait", "all+wine"}}},
    {"interval",
     {{"0", "0ms", "1ns", "250us", "20ms", "1.5ms", "2s", "3m", "1h"},
      {"", "20", "ms", "often", "-1ms", "1e3ms", "20 ms", "20ms ", "1..5s", ".", "0x10ms", "20MS",
       "20d", "99999999h", "99999999999999999999999999999999999999ms"}}},
    {"sampler", {{"signal", "safepoint"}, {"", "signals", "signal|safepoint", "SIGNAL"}}},
    {"budget",
     {{"1%", "0.01%", "100%", "2.5%"},
      {"", "1", "%", "0%", "0.009%", "100.1%", "101%", "-1%", "1%%", "one%"}}},
    {"depth",
     {{"1", "64", "2048"},
      {"", "0", "2049", "-1", "6.4", "64x", "99999999999", "99999999999999999999"}}},
    {"engine", {{"weave", "callbacks"}, {"", "steam", "callback", "weave|callbacks", "CALLBACKS"}}},
    {"owners", {{"late", "all"}, {"", "off", "maybe", "late|all", "lat", "latest"}}},
    {"locks", {{"waits", "all"}, {"", "wait", "off", "waits|all", "ALL"}}},
    {"monitors", {{"contended"}, {"", "on", "contende", "contended|all"}}},
    {"filter", {{"", "com.acme.*", "a+!b+@c.D"}, {"+", "a b", "a/b", "!", "@"}}},
    {"track", {{"", "com.acme.Cart.add*", "@javax.ws.rs.GET+!a.b"}, {"+", "a()", "a;b", "!@"}}},
    {"cpu", {{"off", "on"}, {"", "yes", "off|on"}}},
    {"threshold",
     {{"0", "1ns", "10ms", "10s"}, {"", "10", "-1ms", "10.001s", "11s", "ms", "1parsec"}}},
    {"start", {{"now", "later", "0", "30s", "1.5m"}, {"", "never", "30", "-1s", "now+1s"}}},
    {"duration",
     {{"off", "1ns", "5m", "1.5h"}, {"", "0", "0s", "5", "-1s", "on", "5m+1s", "later"}}},
    {"patience", {{"0", "10s", "500ms"}, {"", "10", "-1s", "off"}}},
    {"overflow", {{"wait", "drop"}, {"", "block", "wait|drop", "w"}}},
    {"maxsize",
     {{"off", "64KB", "100MB", "1.5GB"},
      {"", "0", "100", "63KB", "100M", "MB", "-1MB", "100mb", "100 MB", "99999999999GB"}}},
    {"trigger", {{"off", "deadlock", "blocked>5s+cpu>90%"}, {"", "blocked>", "deadlock+off"}}},
    {"rest", {{"0", "10m"}, {"", "10", "-1s"}}},
    {"keep", {{"off"}, {"", "0", "1", "2.5", "-2", "two", "9999999999"}}},
    {"age", {{"off", "1s", "10m", "1.5h"}, {"", "0", "999ms", "10", "-1s", "ever"}}},
    {"command", {{"off", "masked", "on"}, {"", "mask", "On", "off|masked", "yes"}}},
    {"profile", {{"off", "service"}, {"", "services", "Service", "off+service"}}},
};

TEST(Options, TheTestHasValuesForEveryOption) {
  for (const struct option_info &info : option_infos) {
    EXPECT_EQ(kValues.count(info.key), 1u) << info.key;
  }
  EXPECT_EQ(kValues.size(), size_t{NUM_OPTIONS});
}

bool TryParse(const char *given, std::string *refusal) {
  struct options o;
  char error[500] = "";
  bool good = options_parse(given, &o, error, sizeof error);
  *refusal = error;
  return good;
}

TEST(Options, RefusesConflictsAndMissingCompanions) {
  std::string refusal;
  EXPECT_TRUE(TryParse("p,monitors=all,filter=com.acme.*", &refusal)) << refusal;
  EXPECT_FALSE(TryParse("p,monitors=all", &refusal));
  EXPECT_NE(refusal.find("needs the option filter"), std::string::npos) << refusal;
  for (const char *given :
       {"p,engine=callbacks,track=a.b", "p,engine=callbacks,monitors=all,filter=a.*"}) {
    EXPECT_FALSE(TryParse(given, &refusal)) << given;
    EXPECT_NE(refusal.find("engine=weave"), std::string::npos) << refusal;
  }
  for (const char *option : {"depth=5", "duration=5m", "command=masked"}) {
    EXPECT_FALSE(TryParse((std::string("p,start=later,") + option).c_str(), &refusal)) << option;
    EXPECT_NE(refusal.find("only engine can be given"), std::string::npos) << refusal;
  }
  EXPECT_TRUE(TryParse("p,start=later,engine=callbacks", &refusal)) << refusal;
  EXPECT_TRUE(TryParse("p,start=30s,depth=5", &refusal)) << refusal;
  EXPECT_FALSE(TryParse("p,threshold=10ms,locks=all", &refusal));
  EXPECT_NE(refusal.find("needs threshold=0"), std::string::npos) << refusal;
  EXPECT_TRUE(TryParse("p,threshold=0,locks=all", &refusal)) << refusal;
  EXPECT_TRUE(TryParse("p,threshold=10ms,engine=callbacks", &refusal)) << refusal;
}

TEST(Options, JoinsRepeatedPatterns) {
  struct options o;
  char error[500];
  ASSERT_TRUE(options_parse("p,track=a.b,interval=0,track=!a.c+d.*", &o, error, sizeof error));
  EXPECT_STREQ(o.text[OPTION_track], "a.b+!a.c+d.*");
  EXPECT_TRUE(o.track);
  EXPECT_FALSE(o.filter);
}

TEST(Options, MinusExcludesAGroup) {
  struct options o;
  char error[500];
  ASSERT_TRUE(options_parse("p,events=all-wait-park", &o, error, sizeof error));
  EXPECT_EQ(o.events, kAllGroups & ~(1u << GROUP_WAIT | 1u << GROUP_PARK));
  ASSERT_TRUE(options_parse("p,events=lock+wait-lock", &o, error, sizeof error));
  EXPECT_EQ(o.events, 1u << GROUP_WAIT);
  EXPECT_FALSE(options_parse("p,events=all-", &o, error, sizeof error));
  EXPECT_FALSE(options_parse("p,events=-wait", &o, error, sizeof error));
}

TEST(Options, EmptyTextSelectsAllDefaults) {
  for (const char *given : {static_cast<const char *>(nullptr), ""}) {
    struct options o;
    char error[8] = "";
    ASSERT_TRUE(options_parse(given, &o, error, sizeof error));
    EXPECT_STREQ(o.prefix, "orca-%p");
    EXPECT_EQ(o.events, kAllGroups);
    EXPECT_EQ(o.interval, 20000000u);
    EXPECT_DOUBLE_EQ(o.budget, 0.01);
    EXPECT_EQ(o.depth, 1024);
    EXPECT_EQ(o.engine, ENGINE_WEAVE);
    EXPECT_EQ(o.owners, OWNERS_LATE);
    EXPECT_EQ(o.locks, LOCKS_WAITS);
    EXPECT_EQ(o.threshold, 0u);
    EXPECT_EQ(o.start, 0u);
    EXPECT_EQ(o.overflow, OVERFLOW_WAIT);
    EXPECT_EQ(o.patience, 10000000000u);
    EXPECT_EQ(o.duration, 0u);
    EXPECT_EQ(o.command, COMMAND_ON);
  }
}

TEST(Options, EveryDefaultIsValid) {
  for (const struct option_info &info : option_infos) {
    ParseValid(std::string("out,") + info.key + "=" + info.fallback);
  }
}

TEST(Options, AcceptsValidValues) {
  for (const auto &[key, values] : kValues) {
    for (const std::string &value : values.good) ParseValid("out," + key + "=" + value);
  }
}

TEST(Options, RefusalContainsOptionValidValuesAndValue) {
  for (const struct option_info &info : option_infos) {
    for (const std::string &value : kValues.at(info.key).bad) {
      if (Has(value, ",")) continue; /* a comma ends the value */
      std::string refusal = ParseInvalid(std::string("out,") + info.key + "=" + value);
      EXPECT_TRUE(Has(refusal, std::string("option ") + info.key + " takes " + info.takes))
          << refusal;
      EXPECT_TRUE(Has(refusal, ", not \"" + value + "\"")) << refusal;
    }
  }
}

TEST(Options, RefusalOfEventsListsTheGroups) {
  std::string refusal = ParseInvalid("out,events=locks");
  for (const struct group_info &group : group_infos) {
    EXPECT_TRUE(Has(refusal, std::string(" ") + group.name)) << refusal;
  }
}

TEST(Options, RefusalOfUnknownKeyListsAllOptions) {
  for (const char *word : {"intervall=5ms", "colour=blue", "=5ms", "=", "interval", "x"}) {
    std::string refusal = ParseInvalid(std::string("out,") + word);
    EXPECT_TRUE(Has(refusal, std::string("there is no option \"") + word + "\"")) << refusal;
    for (const struct option_info &info : option_infos) {
      EXPECT_TRUE(Has(refusal, std::string(" ") + info.key)) << refusal;
    }
  }
}

TEST(Options, AFirstWordLikeAnOptionIsNoPrefix) {
  for (const char *word : {"file=/tmp/shop", "output=x", "=x"}) {
    const bool refused = word[0] != '=';
    struct options o;
    char error[1024] = "";
    EXPECT_EQ(options_parse(word, &o, error, sizeof error), !refused) << word;
    if (refused) {
      EXPECT_TRUE(Has(error, std::string("there is no option \"") + word + "\"")) << error;
      EXPECT_TRUE(Has(error, "each as key=value after PREFIX and a comma")) << error;
    }
  }
  EXPECT_STREQ(ParseValid("./file=x,interval=5ms").prefix, "./file=x");
  EXPECT_STREQ(ParseValid("/tmp/run=1").prefix, "/tmp/run=1");
  EXPECT_STREQ(ParseValid("run2=1").prefix, "run2=1");
}

TEST(Options, RefusalIsCutToTheBuffer) {
  struct options o;
  char error[32];
  std::string given = "out,interval=" + std::string(100000, 'x');
  EXPECT_FALSE(options_parse(given.c_str(), &o, error, sizeof error));
  EXPECT_EQ(strnlen(error, sizeof error), sizeof error - 1);
}

// --- the meaning of values -----------------------------------------------------------------

TEST(Options, TimesAreNanoseconds) {
  const std::map<std::string, uint64_t> times = {{"0", 0},
                                                 {"0s", 0},
                                                 {"1ns", 1},
                                                 {"250us", 250000},
                                                 {"1.5ms", 1500000},
                                                 {"2s", 2000000000},
                                                 {"3m", 180000000000},
                                                 {"1h", 3600000000000},
                                                 {"0.5h", 1800000000000}};
  for (const auto &[text, ns] : times)
    EXPECT_EQ(ParseValid("out,interval=" + text).interval, ns) << text;
}

TEST(Options, StartIsATimeOrAWord) {
  EXPECT_EQ(ParseValid("out,start=now").start, 0u);
  EXPECT_EQ(ParseValid("out,start=1.5s").start, 1500000000u);
  EXPECT_EQ(ParseValid("out,start=later").start, START_LATER);
}

TEST(Options, DurationIsATimeOrOff) {
  EXPECT_EQ(ParseValid("out,duration=5m").duration, 300000000000u);
  EXPECT_EQ(ParseValid("out,duration=5m,duration=off").duration, 0u);
  EXPECT_EQ(ParseValid("out,start=30s,duration=5m").start, 30000000000u);
}

TEST(Options, PercentagesAreFractions) {
  EXPECT_DOUBLE_EQ(ParseValid("out,budget=100%").budget, 1);
  EXPECT_DOUBLE_EQ(ParseValid("out,budget=2.5%").budget, 0.025);
}

TEST(Options, GroupsAreBits) {
  EXPECT_EQ(ParseValid("out,events=none").events, 0u);
  EXPECT_EQ(ParseValid("out,events=wait").events, 1u << GROUP_WAIT);
  EXPECT_EQ(ParseValid("out,events=monitor+sleep").events, 1u << GROUP_MONITOR | 1u << GROUP_SLEEP);
  EXPECT_EQ(ParseValid("out,events=wait+all").events, kAllGroups);
}

TEST(Options, SizesAreBytes) {
  EXPECT_EQ(ParseValid("").maxsize, 0u);
  EXPECT_EQ(ParseValid("out,maxsize=64KB").maxsize, 65536u);
  EXPECT_EQ(ParseValid("out,maxsize=1.5MB").maxsize, 1572864u);
  EXPECT_EQ(ParseValid("out,maxsize=2GB").maxsize, uint64_t{1} << 31);
}

TEST(Options, KeepNeedsMaxsize) {
  EXPECT_EQ(ParseValid("out,keep=3,maxsize=1MB").keep, 3u);
  EXPECT_EQ(ParseValid("out,maxsize=1MB").keep, 0u);
  EXPECT_EQ(ParseValid("out,keep=3,age=10m").age, 600000000000u);
  EXPECT_EQ(ParseInvalid("out,keep=3"),
            "option keep (a profile sets it, too) needs the option maxsize, the size of a set such "
            "as maxsize=100MB, or the "
            "option age, such as age=10m");
}

TEST(Options, NamedValuesAreEnumConstants) {
  EXPECT_EQ(ParseValid("out,owners=late").owners, OWNERS_LATE);
  EXPECT_EQ(ParseValid("out,owners=all").owners, OWNERS_ALL);
  EXPECT_EQ(ParseValid("out,locks=waits").locks, LOCKS_WAITS);
  EXPECT_EQ(ParseValid("out,locks=all").locks, LOCKS_ALL);
  EXPECT_EQ(ParseValid("out,overflow=drop").overflow, OVERFLOW_DROP);
  EXPECT_EQ(ParseValid("out,engine=weave").engine, ENGINE_WEAVE);
  EXPECT_EQ(ParseValid("out,engine=callbacks").engine, ENGINE_CALLBACKS);
  EXPECT_EQ(ParseValid("out,command=off").command, COMMAND_OFF);
  EXPECT_EQ(ParseValid("out,command=masked").command, COMMAND_MASKED);
}

// Only woven code can distinguish contended from uncontended acquisitions.
TEST(Options, CallbacksEngineAlwaysUsesLocksAll) {
  for (const char *given : {"out,engine=callbacks", "out,engine=callbacks,locks=waits",
                            "out,locks=waits,engine=callbacks", "out,locks=all,engine=callbacks"}) {
    EXPECT_EQ(ParseValid(given).locks, LOCKS_ALL) << given;
    EXPECT_TRUE(Has(PrintOptions(ParseValid(given)), ",locks=all,")) << given;
  }
  EXPECT_EQ(ParseValid("out,engine=callbacks,engine=weave").locks, LOCKS_WAITS);
}

TEST(Options, LastValueWins) { EXPECT_EQ(ParseValid("out,depth=5,depth=7").depth, 7); }

TEST(Options, IgnoresEmptyWords) { EXPECT_EQ(ParseValid("out,,depth=5,").depth, 5); }

// --- the prefix --------------------------------------------------------------------------------

TEST(Options, FirstWordIsThePrefix) {
  EXPECT_STREQ(ParseValid("/tmp/a b/out-%p").prefix, "/tmp/a b/out-%p");
  EXPECT_STREQ(ParseValid("out,depth=5").prefix, "out");
  EXPECT_STREQ(ParseValid("interval").prefix, "interval");
}

TEST(Options, PrefixIsOptional) {
  for (const char *given : {"depth=5", ",depth=5"}) {
    EXPECT_STREQ(ParseValid(given).prefix, "orca-%p");
    EXPECT_EQ(ParseValid(given).depth, 5);
  }
}

TEST(Options, RefusesABadValueWithoutAPrefix) {
  EXPECT_TRUE(Has(ParseInvalid("depth=many"), "option depth takes"));
}

TEST(Options, RefusesAPrefixThatIsTooLong) {
  std::string longest(sizeof(options::prefix) - 1, 'x');
  EXPECT_EQ(ParseValid(longest).prefix, longest);
  EXPECT_TRUE(Has(ParseInvalid(longest + "x"), "prefix"));
}

// --- the documentation ---------------------------------------------------------------------------

TEST(Options, TheTableOfTheDocsEqualsTheRows) {
  std::ifstream page("docs/options.md");
  std::string expected, table;
  for (const struct option_info &info : option_infos) {
    std::string fallback = *info.fallback == '\0' ? "" : std::string("`") + info.fallback + "` ";
    expected += std::string("| `") + info.key + "` | " + fallback + "| " + info.takes + " | " +
                info.meaning + " |\n";
  }
  for (std::string line; std::getline(page, line);) {
    size_t key = line.find("| `") == 0 ? line.find("` |") : std::string::npos;
    if (key == std::string::npos) continue;
    for (const struct option_info &info : option_infos) {
      if (line.substr(3, key - 3) == info.key) table += line + "\n";
    }
  }
  EXPECT_EQ(table, expected);
}

// --- printing ------------------------------------------------------------------------------------

TEST(Options, PrintsEveryOption) {
  std::string expected = "out";
  for (const struct option_info &info : option_infos) {
    expected += std::string(",") + info.key + "=" + info.fallback;
  }
  EXPECT_EQ(PrintOptions(ParseValid("out")), expected);
  EXPECT_TRUE(Has(PrintOptions(ParseValid("out,depth=7")), ",depth=7,"));
}

TEST(Options, ReadsBackWhatItPrints) {
  for (const auto &[key, values] : kValues) {
    for (const std::string &value : values.good) {
      struct options o = ParseValid("./a=b%t," + key + "=" + value),
                     back = ParseValid(PrintOptions(o));
      EXPECT_STREQ(back.prefix, o.prefix);
      EXPECT_EQ(back.events, o.events);
      EXPECT_EQ(back.interval, o.interval);
      EXPECT_EQ(back.budget, o.budget);
      EXPECT_EQ(back.depth, o.depth);
      EXPECT_EQ(back.engine, o.engine);
      EXPECT_EQ(back.owners, o.owners);
      EXPECT_EQ(back.locks, o.locks);
      EXPECT_EQ(back.threshold, o.threshold);
      EXPECT_EQ(back.start, o.start);
      EXPECT_EQ(back.duration, o.duration);
      EXPECT_EQ(back.overflow, o.overflow);
      EXPECT_EQ(back.command, o.command);
      EXPECT_EQ(PrintOptions(back), PrintOptions(o));
    }
  }
}

TEST(Options, TriggersNeedTheEventsThatTheyFollow) {
  for (const char *trigger : {"deadlock", "blocked>1s", "contention>10%"}) {
    for (const char *events : {"none", "all-lock", "all-monitor"}) {
      EXPECT_TRUE(Has(ParseInvalid(std::string("out,trigger=") + trigger + ",events=" + events),
                      "need the groups monitor and lock"));
    }
  }
  ParseValid("out,trigger=cpu>90%+signal=USR1,events=none");
}

TEST(Options, TheTriggerOfMethodsNeedsMethods) {
  for (const char *others : {"", ",track=a.B.c,events=all-method"}) {
    EXPECT_TRUE(Has(ParseInvalid(std::string("out,trigger=method>1s") + others),
                    "the trigger method needs the option track, methods such as "
                    "track=com.acme.Cart.add*, and the group method of events"));
  }
  EXPECT_EQ(ParseValid("out,trigger=method>1s,track=a.B.c").trigger.method_ns, 1000000000u);
  EXPECT_TRUE(Has(ParseInvalid("out,track=a.B.c,trigger=method>1s:track=,for=30s"),
                  "trigger method: the trigger method needs the option track"));
  ParseValid("out,track=a.B.c,trigger=method>1s:track=a.B.c+a.B.d,locks=all,for=30s");
}

TEST(Options, APrefixIsMoreThanAFolder) {
  EXPECT_TRUE(Has(ParseInvalid("/tmp/"), "the prefix ends with /"));
}

TEST(Options, AProfileSetsOptions) {
  struct options o = ParseValid("out,profile=service");
  EXPECT_EQ(o.profile, PROFILE_SERVICE);
  EXPECT_EQ(o.threshold, 10000000u);
  EXPECT_EQ(o.overflow, OVERFLOW_DROP);
  EXPECT_EQ(o.maxsize, uint64_t{100} << 20);
  EXPECT_EQ(o.keep, 10u);
  EXPECT_TRUE(o.trigger.on[TRIGGER_DEADLOCK]);
  EXPECT_EQ(o.command, COMMAND_MASKED);
  EXPECT_STREQ(o.text[OPTION_maxsize], "100MB");
}

TEST(Options, OptionsBesideAProfileWinWhereverTheyStand) {
  for (const char *text : {"out,keep=3,track=a.B.c,profile=service,track=a.B.d",
                           "out,profile=service,keep=3,track=a.B.c,track=a.B.d"}) {
    struct options o = ParseValid(text);
    EXPECT_EQ(o.keep, 3u) << text;
    EXPECT_EQ(o.maxsize, uint64_t{100} << 20) << text;
    EXPECT_STREQ(o.text[OPTION_track], "a.B.c+a.B.d") << text;
  }
  EXPECT_EQ(ParseValid("out,profile=service,threshold=0,locks=all").locks, LOCKS_ALL);
  EXPECT_TRUE(Has(ParseInvalid("out,profile=service,locks=all"), "needs threshold=0"));
}

TEST(Options, APrintedProfileIsReadAgain) {
  struct options o = ParseValid("out,profile=service,keep=3");
  EXPECT_EQ(PrintOptions(ParseValid(PrintOptions(o))), PrintOptions(o));
}

}  // namespace
