// Even if a dump is broken, the data of its page is valid JSON.
#include <random>

#include "tests/tools/orca/html/page_of.h"

namespace {

constexpr enum dump_file kFiles[] = {DUMP_EVENTS,  DUMP_SAMPLES, DUMP_METHODS,
                                     DUMP_CLASSES, DUMP_OBJECTS, DUMP_INFO};

// The text with a few lines removed, doubled or moved, or with changed digits.
std::string Mutate(const std::string &text, std::mt19937 *random) {
  std::vector<std::string> lines;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at + 1));
  }
  for (int i = 0; i < 4 && !lines.empty(); i++) {
    std::string &line = lines[(*random)() % lines.size()],
                &other = lines[(*random)() % lines.size()];
    switch ((*random)() % 4) {
      case 0:
        line.clear();
        break;
      case 1:
        std::swap(line, other);
        break;
      case 2:
        line = other;
        break;
      default:
        if (line.size() > 1)
          line[(*random)() % (line.size() - 1)] = "0123456789ABCDEF,"[(*random)() % 17];
    }
  }
  std::string mutated;
  for (const std::string &line : lines) mutated += line;
  return mutated;
}

void MutateFiles(DumpFiles *files, std::mt19937 *random) {
  for (enum dump_file file : kFiles) {
    if ((*random)() % 2 == 0) files->Write(file, Mutate(files->Text(file), random));
  }
}

TEST(Hostile, BrokenDumpsHaveAPage) {
  for (unsigned seed = 0; seed < 120; seed++) {
    std::mt19937 random(seed);
    SmallModel small;
    MutateFiles(&small.files, &random);
    Json data = DataOf(small.Read());
    EXPECT_LE(data["length"].Integer(), 10000000000000u) << seed;
    for (const Json &row : data["timeline"]["rows"].items) {
      for (const Json &n : row["spans"].items)
        EXPECT_LE(n.Integer(), data["length"].Integer()) << seed;
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Hostile, BrokenDumpsHaveAComparison) {
  for (unsigned seed = 0; seed < 20; seed++) {
    std::mt19937 random(seed);
    TwoRuns runs({.seconds = 1}, {.seconds = 2});
    MutateFiles(&runs.A(), &random);
    MutateFiles(&runs.B(), &random);
    std::string page = PageOfBoth(runs.Compare());
    EXPECT_EQ(ReadPageData(page).items.size(), 2u) << seed;
    const Json comparison = ReadPageJson(page, "comparison");
    size_t num = comparison["stacks"]["methods"].items.size();
    const std::vector<Json> &nodes = comparison["stacks"]["nodes"].items;
    for (size_t i = 14; i + 1 < nodes.size(); i += 14) {
      EXPECT_LT(nodes[i].Integer(), i / 14) << seed;
      EXPECT_LT(nodes[i + 1].Integer(), num) << seed;
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
