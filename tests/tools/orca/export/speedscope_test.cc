#include <map>

#include "tests/support/json.h"
#include "tests/tools/orca/export/exported.h"
#include "tests/tools/orca/model/cpu_lines.h"

namespace {

Json Read(Exported *e, bool threads = false) {
  return ReadJson(e->ExportAs("speedscope", PROFILE_CPU, threads));
}

// Checks the requirements of https://www.speedscope.app/file-format-schema.json for sampled
// profiles.
void ExpectTheSchema(const Json &file) {
  EXPECT_EQ(file["$schema"].text, "https://www.speedscope.app/file-format-schema.json");
  for (const Json &frame : file["shared"]["frames"].items) {
    EXPECT_EQ(frame["name"].kind, Json::kString);
    for (const auto &member : frame.members) {
      EXPECT_TRUE(member.first == "name" || member.first == "file" || member.first == "line")
          << member.first;
    }
  }
  EXPECT_LT(file["activeProfileIndex"].Integer(), file["profiles"].items.size());
  for (const Json &profile : file["profiles"].items) {
    EXPECT_EQ(profile["type"].text, "sampled");
    EXPECT_EQ(profile["unit"].text, "nanoseconds");
    EXPECT_EQ(profile["startValue"].Integer(), 0u);
    ASSERT_EQ(profile["samples"].items.size(), profile["weights"].items.size());
    unsigned long long sum = 0;
    for (const Json &weight : profile["weights"].items) sum += weight.Integer();
    EXPECT_EQ(profile["endValue"].Integer(), sum);
    for (const Json &stack : profile["samples"].items) {
      EXPECT_FALSE(stack.items.empty());
      for (const Json &frame : stack.items) {
        EXPECT_LT(frame.Integer(), file["shared"]["frames"].items.size());
      }
    }
  }
}

// Frames joined by ';' -> weight.
std::map<std::string, unsigned long long> Stacks(const Json &file, size_t profile) {
  std::map<std::string, unsigned long long> stacks;
  const Json &p = file["profiles"].items[profile];
  for (size_t i = 0; i < p["samples"].items.size(); i++) {
    std::string stack;
    for (const Json &frame : p["samples"].items[i].items) {
      stack +=
          (stack.empty() ? "" : ";") + file["shared"]["frames"].items[frame.Integer()]["name"].text;
    }
    stacks[stack] += p["weights"].items[i].Integer();
  }
  return stacks;
}

// The same from collapsed stacks.
std::map<std::string, unsigned long long> Collapsed(const std::string &text) {
  std::map<std::string, unsigned long long> stacks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    size_t blank = line.rfind(' ');
    stacks[line.substr(0, blank)] = std::stoull(line.substr(blank + 1));
  }
  return stacks;
}

TEST(Speedscope, HasTheStacksOfTheCollapsedFormat) {
  for (bool threads : {false, true}) {
    Exported e;
    Json file = Read(&e, threads);
    ExpectTheSchema(file);
    ASSERT_EQ(file["profiles"].items.size(), size_t{NUM_PROFILE_VALUES});
    for (int v = 0; v < NUM_PROFILE_VALUES; v++) {
      enum profile_value value = static_cast<enum profile_value>(v);
      EXPECT_EQ(Stacks(file, v), Collapsed(e.ExportAs("collapsed", value, threads)));
      EXPECT_EQ(file["profiles"].items[v]["endValue"].Integer(),
                profile_total(&e.small.model.profile, value).time / TICKS_PER_NS);
    }
  }
}

TEST(Speedscope, FramesHaveTheirSource) {
  Exported e;
  Json file = Read(&e);
  std::map<std::string, Json> frames;
  for (const Json &frame : file["shared"]["frames"].items) frames[frame["name"].text] = frame;
  EXPECT_EQ(frames.size(), file["shared"]["frames"].items.size());
  const Json &price = frames["com.acme.OrderService.price"];
  EXPECT_EQ(price["file"].text, "com/acme/OrderService.java");
  EXPECT_EQ(price["line"].Integer(), 88u);
  EXPECT_FALSE(frames["java.lang.Object.wait"].Has("line"));
  EXPECT_FALSE(frames["(no Java frames)"].Has("file"));
}

TEST(Speedscope, NamesAreValidJson) {
  Exported e;
  e.NameWorker("say \"</script>\"\\u005C \\uDFFF \xE2\x82\xAC\\u0000");
  EXPECT_EQ(Stacks(Read(&e, true), PROFILE_BLOCKED)
                .count("say \"</script>\"\\ \xEF\xBF\xBD \xE2\x82\xAC\\u0000;"
                       "com.acme.OrderService.run;com.acme.Inventory.reserve"),
            1u);
}

TEST(Speedscope, AnEmptyDumpHasNoFrames) {
  Exported e;
  e.Empty();
  Json file = Read(&e);
  ExpectTheSchema(file);
  EXPECT_TRUE(file["shared"]["frames"].items.empty());
}

// Speedscope shows the name of the profile above its view Time Order.
TEST(Speedscope, SaysThatStacksAreNotInOrderOfTime) {
  Exported e;
  Json file = Read(&e);
  for (const Json &profile : file["profiles"].items) {
    EXPECT_NE(profile["name"].text.find(" (sums, in no order of time: use Left Heavy)"),
              std::string::npos)
        << profile["name"].text;
  }
}

TEST(Speedscope, NamesTheSampler) {
  Exported e, by_signal;
  EXPECT_EQ(Read(&e)["name"].text, "out (CPU time sampled at safepoints)");
  AddCpuLines(&by_signal.files());
  EXPECT_EQ(Read(&by_signal)["name"].text, "out (CPU time sampled by signals)");
}

}  // namespace
