#include <map>

#include "tests/tools/orca/html/page_of.h"
#include "tests/tools/orca/model/cpu_lines.h"

namespace {

TEST(DataProfile, SumsAreThoseOfTheModel) {
  SmallModel small;
  struct model *m = small.Read();
  Json data = DataOf(m);
  const std::vector<Json> &rows = data["profile"]["rows"].items;
  ASSERT_EQ(rows.size(), 6 * m->profile.num);
  for (int value = 0; value < NUM_PROFILE_VALUES; value++) {
    uint64_t sum = 0;
    for (size_t i = 0; i < rows.size(); i += 6) sum += rows[i + 2 + value].Integer();
    EXPECT_EQ(sum, profile_total(&m->profile, static_cast<enum profile_value>(value)).time /
                       TICKS_PER_NS);
  }
  EXPECT_EQ(Numbers(data["profile"]["left"]), "0 0 0 0");
}

TEST(DataProfile, HasCpuTimeByStack) {
  SmallModel small;
  Json data = DataOf(small.Read());
  const std::vector<Json> &rows = data["profile"]["rows"].items;
  std::map<std::string, uint64_t> cpu;
  for (size_t i = 0; i < rows.size(); i += 6) {
    uint64_t ns = rows[i + 2].Integer();
    if (ns > 0) cpu[Stack(data, rows[i + 1].Integer())] += ns;
  }
  std::map<std::string, uint64_t> right = {
      {"OrderService.price:90 < OrderService.run:20", 300 * kMs},
      {"HashMap.get:571 < OrderService.price:88 < OrderService.run:20", 300 * kMs},
      {"OrderService.price:88 < OrderService.price:90 < OrderService.run:20", 390 * kMs},
      {"", 10 * kMs}};
  EXPECT_EQ(cpu, right);
}

TEST(DataProfile, MethodsHaveTheirClassAndFile) {
  SmallModel small;
  Json data = DataOf(small.Read());
  std::map<std::string, std::string> methods;
  for (const Json &m : data["methods"].items) {
    methods[m.items[0].text] = m.items[1].text + " " + m.items[2].text + " " + m.items[3].text;
  }
  EXPECT_EQ(methods["OrderService.price"], "com.acme.OrderService OrderService.java 0");
  EXPECT_EQ(methods["HashMap.get"], "java.util.HashMap HashMap.java 1");
  EXPECT_EQ(data["framesCut"].text, "false");
}

TEST(DataProfile, FramesWithoutAMethodHaveAKind) {
  SmallModel small;
  AddCpuLines(&small.files);
  Json data = DataOf(small.Read());
  std::map<std::string, std::string> methods;
  for (const Json &m : data["methods"].items) {
    methods[m.items[0].text] = m.items[1].text + "|" + m.items[2].text + "|" + m.items[3].text;
  }
  EXPECT_EQ(methods["(native)"], "||2");
  EXPECT_EQ(methods["(not sampled)"], "||1");
}

}  // namespace
